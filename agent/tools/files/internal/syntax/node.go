package syntax

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// nodeTime bounds a check by another program; a text that is not checked in
// time counts as sound.
const nodeTime = 10 * time.Second

// nodeProblem lets node look at a copy of the text, beside a package.json that
// says as the project's does whether it is a module.
func nodeProblem(node, path, text string) string {
	dir, err := os.MkdirTemp("", "hermes-check-")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(dir) // a leftover in the folder for temporary files
	file := filepath.Join(dir, "file"+extension(path))
	manifest := `{}`
	if isModule(filepath.Dir(path)) {
		manifest = `{"type":"module"}`
	}
	if os.WriteFile(file, []byte(text), 0o600) != nil || os.WriteFile(filepath.Join(dir, "package.json"), []byte(manifest), 0o600) != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), nodeTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "--check", file)
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.WaitDelay = time.Second
	var exit *exec.ExitError
	if err := cmd.Run(); err == nil || ctx.Err() != nil || !errors.As(err, &exit) {
		return ""
	}
	return nodeError(said.String(), file, path)
}

// nodeError is what node said without its stack.
func nodeError(said, file, path string) string {
	var kept []string
	for line := range strings.Lines(said) {
		kept = append(kept, strings.TrimRight(line, "\r\n"))
		if strings.HasPrefix(line, "SyntaxError") {
			break
		}
	}
	text := strings.ReplaceAll(strings.Join(kept, "\n"), "file://"+file, path)
	return strings.TrimSpace(strings.ReplaceAll(text, file, path))
}

// isModule reports whether the package.json that holds for dir says module.
func isModule(dir string) bool {
	for {
		data, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if err == nil {
			var p struct{ Type string }
			return json.Unmarshal(data, &p) == nil && p.Type == "module"
		}
		up := filepath.Dir(dir)
		if up == dir {
			return false
		}
		dir = up
	}
}
