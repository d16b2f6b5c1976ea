package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Limits of contract/core §2.5 and §9.2, in characters and bytes.
const (
	MaxName        = 64
	MaxDescription = 1024
	MaxText        = 100_000
	MaxFile        = 1 << 20
	// maxRead bounds a SKILL.md that is read at all, in bytes, and maxDepth the
	// folders between skills/ and a skill.
	maxRead  = 4 << 20
	maxDepth = 12
)

// Skill is one skill on disk.
type Skill struct {
	Name        string
	Description string // of the front matter, else the first line of the body
	// Category is the first folder between the root and the skill, empty for a
	// skill that lies directly in the root.
	Category string
	Root     string // the skills folder it was found in, absolute
	Rel      string // its folder below Root, with slashes
	External bool   // found in one of skills.external_dirs
	// Off says why it is not offered: disabled, another platform or
	// environment; empty when it is.
	Off string
	// Problem says what is wrong with it; empty when nothing is.
	Problem string
	Doc     Document
}

// Dir is the folder of the skill, absolute.
func (s Skill) Dir() string { return filepath.Join(s.Root, filepath.FromSlash(s.Rel)) }

// Path is its SKILL.md.
func (s Skill) Path() string { return filepath.Join(s.Dir(), "SKILL.md") }

// Group is the category under which the index lists it: all folders above it,
// or its own when there are none (contract/core §9.3).
func (s Skill) Group() string {
	if dir, _, ok := cutLast(s.Rel); ok {
		return dir
	}
	return s.Rel
}

func cutLast(rel string) (dir, base string, ok bool) {
	i := strings.LastIndexByte(rel, '/')
	if i < 0 {
		return "", rel, false
	}
	return rel[:i], rel[i+1:], true
}

// Library finds skills. It is a value without state: every call reads the disk,
// so that an edit counts at once.
type Library struct {
	Dir      string   // <home>/skills
	External []string // skills.external_dirs, absolute
	Disabled []string // skills.disabled
	Platform string   // runtime.GOOS
	Getenv   func(string) string
	// Exists reports whether the machine has a file; nil looks.
	Exists func(path string) bool
}

// Scan returns every skill, usable or not, sorted by category and name. Of
// equal names in one category the first stays usable; a skill of the home wins
// over external ones of its name.
func (l Library) Scan() []Skill {
	var out []Skill
	local := map[string]bool{}
	for i, root := range append([]string{l.Dir}, l.External...) {
		for _, s := range l.scanRoot(root, i > 0) {
			if i == 0 {
				local[s.Name] = true
			} else if local[s.Name] && s.Off == "" {
				s.Off = "a skill of this name in the home wins"
			}
			out = append(out, s)
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].Category != out[j].Category {
			return out[i].Category < out[j].Category
		}
		return out[i].Name < out[j].Name
	})
	for i := 1; i < len(out); i++ {
		a, b := out[i-1], &out[i]
		if a.Name == b.Name && a.Category == b.Category && b.Off == "" {
			b.Off = "another skill of this name and category: " + a.Path()
		}
	}
	return out
}

// Usable returns the skills of Scan that are on offer.
func (l Library) Usable() []Skill {
	return slices.DeleteFunc(l.Scan(), func(s Skill) bool { return s.Off != "" })
}

func (l Library) scanRoot(root string, external bool) []Skill {
	var out []Skill
	l.walk(root, "", map[string]bool{}, func(rel string) {
		s := l.read(root, rel)
		s.External = external
		out = append(out, s)
	})
	return out
}

// skipped are folders that never hold skills of the user.
var skipped = []string{".git", ".github", ".hub", ".archive", ".venv", "venv", "node_modules", "__pycache__", ".pytest_cache", ".tox", ".mypy_cache", "site-packages"}

// support are the folders of a skill that hold its files, in the order in
// which they are shown.
var support = []string{"references", "templates", "assets", "scripts"}

// walk calls found with every folder below root that holds a SKILL.md. It
// follows links, each real folder once, so that a loop ends.
func (l Library) walk(root, rel string, seen map[string]bool, found func(rel string)) {
	dir := filepath.Join(root, filepath.FromSlash(rel))
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || seen[real] || strings.Count(rel, "/") >= maxDepth {
		return
	}
	seen[real] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	isSkill := false
	for _, e := range entries {
		if e.Name() == "SKILL.md" && rel != "" {
			isSkill = true
			found(rel)
		}
	}
	for _, e := range entries {
		name := e.Name()
		if slices.Contains(skipped, name) || (isSkill && slices.Contains(support, name)) {
			continue
		}
		if !e.IsDir() && e.Type()&os.ModeSymlink == 0 {
			continue
		}
		next := name
		if rel != "" {
			next = rel + "/" + name
		}
		l.walk(root, next, seen, found)
	}
}

// read makes a Skill of the folder rel below root.
func (l Library) read(root, rel string) Skill {
	_, base, _ := cutLast(rel)
	s := Skill{Name: base, Root: root, Rel: rel}
	if first, _, ok := strings.Cut(rel, "/"); ok {
		s.Category = first
	}
	data, err := readBounded(s.Path(), maxRead)
	if err != nil {
		s.Problem = fmt.Sprintf("SKILL.md cannot be read: %v", err)
		s.Off = s.Problem
		return s
	}
	s.Doc = Parse(data)
	s.Problem = s.Doc.Problem
	if name := text(at(s.Doc.Meta, "name")); name != "" {
		s.Name = cut(name, MaxName)
	}
	s.Description = s.Doc.description()
	s.Off = l.off(s)
	return s
}

// description is what lists show: the front matter's, else the first line of
// the body that is no heading.
func (d Document) description() string {
	desc := text(at(d.Meta, "description"))
	if desc == "" {
		for _, line := range strings.Split(d.Body, "\n") {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				desc = line
				break
			}
		}
	}
	if utf8.RuneCountInString(desc) > MaxDescription {
		return cut(desc, MaxDescription-3) + "..."
	}
	return desc
}

// Given is the description in the front matter, empty when it has none.
func (s Skill) Given() string { return text(at(s.Doc.Meta, "description")) }

func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}

// readBounded reads a regular file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s has %d bytes, more than %d", path, info.Size(), limit)
	}
	return os.ReadFile(path)
}
