package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"hermes/agent/injection"
)

// Bounds of contract/core §1.4.
const (
	hintParents = 5
	hintChars   = 8000
	hintFile    = 256 << 10 // bytes of a file that are read
)

// hintNames are the files that tell about a folder; the first one counts.
var hintNames = []string{"AGENTS.md", "agents.md", "CLAUDE.md", "claude.md", ".cursorrules"}

// hints returns what the project says about folders that a call enters for the
// first time: it goes with the result.
func (s *session) hints(root string, c *call) string {
	if root == "" || c.spec.Owner != "" || c.args == nil {
		return ""
	}
	if s.entered == nil {
		s.entered = map[string]bool{filepath.Clean(root): true} // the prompt has that one
	}
	var out strings.Builder
	for _, p := range pathsIn(c.args) {
		if !filepath.IsAbs(p) {
			p = filepath.Join(root, p)
		}
		for _, dir := range s.fresh(filepath.Clean(root), p) {
			name, text := folderHint(dir)
			if text == "" {
				continue
			}
			rel, err := filepath.Rel(root, filepath.Join(dir, name))
			if err != nil {
				continue
			}
			out.WriteString("\n\n[Subdirectory context discovered: " + filepath.ToSlash(rel) + "]\n" + injection.File(name, text))
		}
	}
	return out.String()
}

// fresh are the folders on the way from path up to root that were not entered
// before, the outermost first, and marks them as entered.
func (s *session) fresh(root, path string) []string {
	dir := filepath.Clean(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	var out []string
	for range hintParents + 1 {
		if !within(dir, root) || s.entered[dir] {
			break
		}
		s.entered[dir] = true
		out = append([]string{dir}, out...)
		dir = filepath.Dir(dir)
	}
	return out
}

func folderHint(dir string) (name, text string) {
	for _, n := range hintNames {
		path := filepath.Join(dir, n)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() > hintFile {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		text := strings.TrimSpace(tidy(string(b)))
		if utf8.RuneCountInString(text) > hintChars {
			text = cutChars(text, hintChars) + "\n[… cut]"
		}
		return n, text
	}
	return "", ""
}

// pathsIn are the paths that the arguments of a call name, words of a command
// that look like one included.
func pathsIn(args json.RawMessage) []string {
	var a struct {
		Path    any `json:"path"`
		File    any `json:"file_path"`
		Dir     any `json:"workdir"`
		Command any `json:"command"`
	}
	if json.Unmarshal(args, &a) != nil {
		return nil
	}
	var out []string
	for _, v := range []any{a.Path, a.File, a.Dir} {
		if s, ok := v.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	command, _ := a.Command.(string)
	for _, w := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;|&()<>=", r) }) {
		if strings.Contains(w, "/") && !strings.Contains(w, "://") && !strings.HasPrefix(w, "-") {
			out = append(out, w)
		}
	}
	return out
}
