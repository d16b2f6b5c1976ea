// Package files is the tools for files: read_file and search_files, which
// change nothing, write_file and patch.
package files

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"hermes/agent/tool"
)

// Deps is what the tools need of the program.
type Deps struct {
	Dir string // relative paths start here; empty: the process's folder
	// DirOf returns where the relative paths of a session start, its shell's
	// folder; nil, or an empty answer, means Dir.
	DirOf func(session string) string
	Home  string // HERMES_HOME: its credential files are not read
	// MaxChars bounds what one read returns (file_read_max_chars); 0 means
	// 100,000.
	MaxChars int
	// Redact takes secrets out of what read_file returns, so that a mask written
	// back is not taken for a key. nil leaves everything in.
	Redact func(string) string
	// Ripgrep is the program to search with; empty means rg on the PATH, where
	// there is one, and "none" the built-in search.
	Ripgrep string
	// Getenv reads the environment (HERMES_WRITE_SAFE_ROOT); nil reads nothing.
	Getenv func(string) string
	// CheckPython returns what is wrong with a Python text, "" when it is sound;
	// nil leaves Python unchecked.
	CheckPython func(text string) string
	// Node returns the program that checks JavaScript, "" when there is none;
	// nil leaves JavaScript unchecked.
	Node func() string
}

// Register adds the tools to reg.
func Register(reg *tool.Registry, d Deps) error {
	if d.MaxChars <= 0 {
		d.MaxChars = 100_000
	}
	r := newReader(d)
	c := &changer{deps: d, seen: &r.seen}
	for _, t := range []tool.Tool{r, newSearcher(d), writer{c}, patcher{c}} {
		if _, err := reg.Add(t, false); err != nil {
			return fmt.Errorf("register %s: %w", t.Spec().Name, err)
		}
	}
	return nil
}

// resolve makes an absolute path of what the model of a session wrote.
func (d Deps) resolve(session, path string) (string, error) {
	path = strings.TrimSpace(path)
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("no home folder for %s: %w", path, err)
		}
		path = filepath.Join(home, path[1:])
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	dir := ""
	if d.DirOf != nil {
		dir = d.DirOf(session)
	}
	if dir == "" {
		dir = d.Dir
	}
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return "", fmt.Errorf("find the working folder: %w", err)
		}
	}
	return filepath.Join(dir, path), nil
}

// secretNames are the files of the home that hold credentials, and the folders.
var secretNames = []string{".env", ".op.env", "auth.json", "credentials.json", "mcp-tokens", "pairing"}

// secret reports whether an absolute path is one of the home's credential
// files, also by way of a link.
func (d Deps) secret(path string) bool {
	if d.Home == "" {
		return false
	}
	home := real(d.Home)
	rel, err := filepath.Rel(home, real(path))
	if err != nil || strings.HasPrefix(rel, "..") {
		return false
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	for _, name := range secretNames {
		if strings.EqualFold(first, name) {
			return true
		}
	}
	return false
}

// real follows links as far as the path exists.
func real(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(dir, filepath.Base(path))
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }
