package files

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"hermes/agent/tools/internal/gitignore"
)

// ignoreFiles are read in every folder, in this order; later ones win.
var ignoreFiles = []string{".gitignore", ".ignore", ".rgignore"}

// walker visits the files below a folder that git would not ignore and that
// are not hidden.
type walker struct {
	glob  string // file_glob, empty for every file
	visit func(path string, info fs.FileInfo) error
}

// scope is the ignore files that hold in a folder, from the outermost in.
type scope struct {
	parent *scope
	dir    string // absolute
	lists  []*gitignore.List
}

// walk visits root, a folder or a file. An unreadable folder is passed over.
func (w walker) walk(ctx context.Context, root string) error {
	info, err := os.Stat(root)
	if err != nil {
		return fmt.Errorf("look at %s: %w", root, err)
	}
	if !info.IsDir() {
		return w.visit(root, info)
	}
	return w.folder(ctx, root, outerScope(root))
}

// gitRoot is the top of the git work tree that dir lies in, "" outside one.
func gitRoot(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// outerScope collects the ignore files above root inside its git work tree.
// Outside one, only those from root on down hold: an ignore file in the home
// folder must not hide everything below it.
func outerScope(root string) *scope {
	top := gitRoot(root)
	if top == "" {
		return nil
	}
	var s *scope
	if list := readIgnore(filepath.Join(top, ".git", "info", "exclude")); list != nil {
		s = &scope{dir: top, lists: []*gitignore.List{list}}
	}
	var above []string
	for d := root; d != top; {
		d = filepath.Dir(d)
		above = append(above, d)
	}
	for i := len(above) - 1; i >= 0; i-- {
		s = s.enter(above[i])
	}
	return s
}

// enter adds the ignore files of dir.
func (s *scope) enter(dir string) *scope {
	var lists []*gitignore.List
	for _, name := range ignoreFiles {
		if l := readIgnore(filepath.Join(dir, name)); l != nil {
			lists = append(lists, l)
		}
	}
	if lists == nil {
		return s
	}
	return &scope{parent: s, dir: dir, lists: lists}
}

func readIgnore(path string) *gitignore.List {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 4<<20 {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return gitignore.Parse(string(data))
}

// ignores asks the innermost ignore files first.
func (s *scope) ignores(path string, dir bool) bool {
	for ; s != nil; s = s.parent {
		rel, err := filepath.Rel(s.dir, path)
		if err != nil {
			continue
		}
		rel = filepath.ToSlash(rel)
		for i := len(s.lists) - 1; i >= 0; i-- {
			if ignored, decided := s.lists[i].Match(rel, dir); decided {
				return ignored
			}
		}
	}
	return false
}

func (w walker) folder(ctx context.Context, dir string, s *scope) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil //nolint:nilerr // an unreadable folder is passed over, as other search tools do
	}
	s = s.enter(dir)
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		if strings.HasPrefix(name, ".") || s.ignores(path, e.IsDir()) {
			continue
		}
		switch {
		case e.IsDir():
			if err := w.folder(ctx, path, s); err != nil {
				return err
			}
		case e.Type().IsRegular() && w.wanted(path):
			info, err := e.Info()
			if err != nil {
				continue // gone meanwhile
			}
			if err := w.visit(path, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// wanted reports whether file_glob takes a path: a glob without a slash looks
// at the name alone.
func (w walker) wanted(path string) bool {
	if w.glob == "" {
		return true
	}
	if !strings.Contains(w.glob, "/") {
		ok, err := doublestar.Match(w.glob, filepath.Base(path))
		return err == nil && ok
	}
	ok, err := doublestar.Match("**/"+strings.TrimPrefix(w.glob, "/"), strings.TrimPrefix(filepath.ToSlash(path), "/"))
	return err == nil && ok
}
