package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hermes/plugins/internal/bridge"
)

// memory is the result of the last search: the interpreter itself, so that no
// stand-in of a version manager is asked again.
type memory struct {
	Inputs  string    `json:"inputs"`
	Exe     string    `json:"exe"`
	Size    int64     `json:"size"`
	ModTime time.Time `json:"mtime"`
	Python  string    `json:"python"`
}

const memoryFile = "python.json"

// inputs is a hash over everything the search order depends on.
func (s Search) inputs() string {
	parts := []string{
		s.Setting, s.Getenv("HERMES_PYTHON"), s.Getenv("VIRTUAL_ENV"), s.Getenv("PATH"),
		venvPython(filepath.Join(s.Home, "venv")),
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// remembered returns the interpreter of the last search if nothing that it
// rests on has changed since.
func remembered(cache, inputs string) []string {
	data, err := os.ReadFile(filepath.Join(cache, memoryFile))
	if err != nil {
		return nil
	}
	var m memory
	if json.Unmarshal(data, &m) != nil || m.Inputs != inputs || !filepath.IsAbs(m.Exe) {
		return nil
	}
	info, err := os.Stat(m.Exe)
	if err != nil || info.Size() != m.Size || !info.ModTime().Equal(m.ModTime) {
		return nil
	}
	return []string{m.Exe}
}

// remember notes the interpreter. A home that cannot be written costs the
// search next time, nothing else.
func remember(cache, inputs string, hello bridge.Hello) {
	info, err := os.Stat(hello.Executable)
	if err != nil || !filepath.IsAbs(hello.Executable) {
		return
	}
	data, err := json.Marshal(memory{inputs, hello.Executable, info.Size(), info.ModTime(), hello.Python})
	if err != nil {
		return
	}
	tmp := filepath.Join(cache, fmt.Sprintf("%s.%d", memoryFile, os.Getpid()))
	if os.WriteFile(tmp, data, 0o600) != nil {
		return
	}
	if os.Rename(tmp, filepath.Join(cache, memoryFile)) != nil {
		_ = os.Remove(tmp)
	}
}
