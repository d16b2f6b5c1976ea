package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	// Site is Hello.Site without the folders of PYTHONPATH, nil when an older
	// version wrote the file.
	Site []string `json:"site"`
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
func remembered(cache, inputs string) *memory {
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
	return &m
}

// Sites returns the folders in which packages with plugins may be installed,
// without starting anything: those of the interpreter that was found last, else
// the managed environment's, and those of PYTHONPATH. sure says that a host
// would report no others.
func (s Search) Sites() (dirs []string, sure bool) {
	if m := remembered(s.Cache, s.inputs()); m != nil && m.Site != nil {
		dirs, sure = m.Site, true
	} else {
		dirs = sitesOf(filepath.Join(s.Home, "venv"))
	}
	return append(slices.Clip(dirs), s.pythonPath()...), sure
}

// renew brings the remembered folders up to date with what a host reports.
func (s Search) renew(hello bridge.Hello) {
	if m := remembered(s.Cache, s.inputs()); m != nil && m.Exe == hello.Executable && !slices.Equal(m.Site, s.ownSite(hello)) {
		s.remember(hello)
	}
}

// ownSite is what a host reports without the folders of PYTHONPATH, which the
// next start may not have. It is never nil.
func (s Search) ownSite(hello bridge.Hello) []string {
	fromPath := s.pythonPath()
	site := []string{}
	for _, dir := range hello.Site {
		if !slices.Contains(fromPath, dir) {
			site = append(site, dir)
		}
	}
	return site
}

// pythonPath returns the folders of PYTHONPATH that the host honours.
func (s Search) pythonPath() []string {
	var dirs []string
	for _, dir := range filepath.SplitList(s.Getenv("PYTHONPATH")) {
		if filepath.IsAbs(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// sitesOf returns the folders of packages of an environment.
func sitesOf(venv string) []string {
	var dirs []string
	for _, pattern := range []string{"lib/python3.*/site-packages", "Lib/site-packages"} {
		found, err := filepath.Glob(filepath.Join(venv, filepath.FromSlash(pattern)))
		if err != nil {
			return nil // venv holds characters of a pattern
		}
		dirs = append(dirs, found...)
	}
	return dirs
}

// remember notes the interpreter. A home that cannot be written costs the
// search next time, nothing else.
func (s Search) remember(hello bridge.Hello) {
	info, err := os.Stat(hello.Executable)
	if err != nil || !filepath.IsAbs(hello.Executable) {
		return
	}
	data, err := json.Marshal(memory{s.inputs(), hello.Executable, info.Size(), info.ModTime(), hello.Python, s.ownSite(hello)})
	if err != nil {
		return
	}
	tmp := filepath.Join(s.Cache, fmt.Sprintf("%s.%d", memoryFile, os.Getpid()))
	if os.WriteFile(tmp, data, 0o600) != nil {
		return
	}
	if os.Rename(tmp, filepath.Join(s.Cache, memoryFile)) != nil {
		_ = os.Remove(tmp)
	}
}
