package prompt

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"hermes/agent/injection"
)

// projectContext is the text of the first of the project's own instruction
// files that there is (contract/core §1.12).
func projectContext(in Input) string {
	if in.Dir == "" {
		return ""
	}
	name, text := findContext(in.Dir)
	if text == "" {
		return ""
	}
	return "# Project Context\n\nThe project's own instructions follow. They hold for work in this folder; what the user says goes before them.\n\n## " + name + "\n\n" + shorten(name, injection.File(name, text), contextLimit(in.Window))
}

func findContext(dir string) (name, text string) {
	for _, d := range upToGitRoot(dir) {
		for _, n := range []string{".hermes.md", "HERMES.md"} {
			if t := withoutFrontMatter(readText(filepath.Join(d, n), maxContextFile)); t != "" {
				return n, t
			}
		}
	}
	for _, n := range []string{"AGENTS.md", "agents.md", "CLAUDE.md", "claude.md"} {
		if t := readText(filepath.Join(dir, n), maxContextFile); t != "" {
			return n, t
		}
	}
	return cursorRules(dir)
}

// maxContextFile bounds what is read of a file, in bytes; the prompt takes at
// most 500,000 characters of it.
const maxContextFile = 4 << 20

// upToGitRoot lists dir and its parents up to the root of the git work tree;
// outside one, dir alone.
func upToGitRoot(dir string) []string {
	var dirs []string
	for d := dir; ; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return dirs
		}
		if filepath.Dir(d) == d {
			return dirs[:1]
		}
	}
}

func cursorRules(dir string) (name, text string) {
	var parts []string
	if t := readText(filepath.Join(dir, ".cursorrules"), maxContextFile); t != "" {
		parts = append(parts, t)
	}
	files, err := filepath.Glob(filepath.Join(dir, ".cursor", "rules", "*.mdc"))
	if err != nil {
		files = nil // the pattern is constant; only the folder's name can break it
	}
	sort.Strings(files)
	for _, f := range files {
		if t := withoutFrontMatter(readText(f, maxContextFile)); t != "" {
			parts = append(parts, t)
		}
	}
	return ".cursorrules", strings.Join(parts, "\n\n")
}

// contextLimit is how many characters of a file enter the prompt: 6 % of the
// window at four characters a token, within bounds.
func contextLimit(window int) int {
	return min(max(window*4*6/100, 20_000), 500_000)
}

// shorten keeps the beginning and the end of a long text.
func shorten(name, text string, limit int) string {
	n := utf8.RuneCountInString(text)
	if n <= limit {
		return text
	}
	runes := []rune(text)
	head, tail := limit*70/100, limit*20/100
	return string(runes[:head]) + fmt.Sprintf("\n\n[… %s: %d of %d characters left out …]\n\n", name, n-head-tail, n) + string(runes[n-tail:])
}

func withoutFrontMatter(s string) string {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return s
	}
	if _, body, ok := strings.Cut(rest, "\n---"); ok {
		_, body, _ = strings.Cut(body, "\n")
		return strings.TrimSpace(body)
	}
	return s
}

// readText returns at most limit bytes of a regular file as text, "" when it
// cannot be read. A pipe or device in the file's place is not opened.
func readText(path string, limit int64) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	if int64(len(data)) > limit {
		data = data[:limit]
	}
	s := strings.TrimPrefix(string(data), "\ufeff")
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n"))
}
