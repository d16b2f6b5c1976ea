package agent

import (
	"encoding/json"
	"path/filepath"
	"strings"
)

// segment counts the calls at the beginning that may run side by side
// (contract/core §1.4): those that only read, and changes of files that do not
// lie in each other.
func segment(calls []*call, dir string) int {
	n := 0
	var used []usedPath
	for n < len(calls) && calls[n].answer == nil {
		c := calls[n]
		p, file := fileOf(c, dir)
		switch {
		case file && conflicts(used, p):
			return n
		case file:
			used = append(used, p)
		case !c.spec.ParallelSafe:
			return n
		}
		n++
	}
	return n
}

// usedPath is a file that a call works on.
type usedPath struct {
	path   string
	writes bool
}

// fileOf is the one file that a built-in file tool works on; ok is false for
// other tools, and for patches of several files.
func fileOf(c *call, dir string) (p usedPath, ok bool) {
	if c.spec.Owner != "" || c.name != "read_file" && c.name != "write_file" && c.name != "patch" {
		return p, false
	}
	var a struct {
		Path string `json:"path"`
		Mode string `json:"mode"`
	}
	if json.Unmarshal(c.args, &a) != nil || a.Path == "" || a.Mode == "patch" {
		return p, false
	}
	if !filepath.IsAbs(a.Path) {
		a.Path = filepath.Join(dir, a.Path)
	}
	return usedPath{filepath.Clean(a.Path), c.name != "read_file"}, true
}

func conflicts(used []usedPath, p usedPath) bool {
	for _, u := range used {
		if (u.writes || p.writes) && (within(u.path, p.path) || within(p.path, u.path)) {
			return true
		}
	}
	return false
}

func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}
