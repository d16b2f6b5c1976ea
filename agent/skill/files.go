package skill

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"hermes/agent/config/yaml11"
)

// maxListed bounds the supporting files that are named.
const maxListed = 500

// Files returns the supporting files of the skill by folder (references,
// templates, assets, scripts), relative to it and sorted; nil when there are
// none.
func (s Skill) Files() map[string][]string {
	var out map[string][]string
	for _, name := range support {
		var files []string
		root := filepath.Join(s.Dir(), name)
		err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			if err != nil || len(files) >= maxListed {
				return filepath.SkipAll
			}
			if rel, err := filepath.Rel(s.Dir(), path); err == nil && e.Type().IsRegular() {
				files = append(files, filepath.ToSlash(rel))
			}
			return nil
		})
		if err != nil || len(files) == 0 {
			continue
		}
		sort.Strings(files)
		if out == nil {
			out = map[string][]string{}
		}
		out[name] = files
	}
	return out
}

// Others returns the files of the skill that lie in none of those folders,
// relative to it and sorted.
func (s Skill) Others() []string {
	var out []string
	_ = filepath.WalkDir(s.Dir(), func(path string, e os.DirEntry, err error) error { // what cannot be read is not named
		rel, relErr := filepath.Rel(s.Dir(), path)
		switch {
		case err != nil, relErr != nil, rel == "SKILL.md":
		case len(out) >= maxListed:
			return filepath.SkipAll
		case e.IsDir() && rel != "." && (slices.Contains(skipped, e.Name()) || slices.Contains(support, rel)):
			return filepath.SkipDir
		case e.Type().IsRegular():
			out = append(out, filepath.ToSlash(rel))
		}
		return nil
	})
	sort.Strings(out)
	return out
}

// Metadata is the mapping of that name in the front matter as JSON; nil when
// there is none.
func (s Skill) Metadata() json.RawMessage {
	m := at(s.Doc.Meta, "metadata")
	if m.Kind != yaml11.Map {
		return nil
	}
	data, err := m.JSON()
	if err != nil {
		return nil // nothing that JSON has no form for is worth an error here
	}
	return data
}

// FileNames returns the names of Files in the order in which they are shown.
func (s Skill) FileNames() []string {
	files := s.Files()
	var out []string
	for _, name := range support {
		out = append(out, files[name]...)
	}
	return out
}

// Inside reports whether path, links followed, lies in dir.
func Inside(dir, path string) bool {
	d, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	p, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(d, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
