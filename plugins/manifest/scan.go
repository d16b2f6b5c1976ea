package manifest

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/agent/config/yaml11"
	"hermes/agent/event"
	"hermes/agent/locale"
)

// scanner walks plugin folders and collects what it finds.
type scanner struct {
	log   *slog.Logger
	lang  locale.Lang
	found []Found
}

// notPlugins are the folders of the bundled root that other loaders own.
var notPlugins = [...]string{"memory", "context_engine", "platforms", "model-providers"}

// root scans one folder of plugins, and the folders of its categories. It
// returns how many manifests it read. skip names folders to leave out.
func (s *scanner) root(source, dir string, skip ...string) int {
	n := 0
	for _, name := range s.folders(source, dir) {
		if slices.Contains(skip, name) {
			continue
		}
		path := filepath.Join(dir, name)
		if manifestIn(path) != "" {
			n += s.plugin(source, "", path)
			continue
		}
		n += s.category(source, dir, path)
	}
	return n
}

// folders returns the names of the folders in dir, links to folders included,
// sorted. A link back to dir, or to one above it, is left out: it would show
// every plugin again.
func (s *scanner) folders(source, dir string) []string {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		s.unreadable(source, dir, err)
		return nil
	}
	var out []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.Type()&fs.ModeSymlink != 0 {
			st, err := os.Stat(path)
			if err != nil {
				s.log.Debug(fmt.Sprintf("Skipping %s (%v)", path, cause(err)))
				continue
			}
			if !st.IsDir() || above(path, dir) {
				continue
			}
		} else if !e.IsDir() {
			continue
		}
		out = append(out, e.Name())
	}
	return out
}

// above reports whether link leads to dir or to a folder that holds it.
func above(link, dir string) bool {
	target, err := filepath.EvalSymlinks(link)
	if err != nil {
		return true
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return true
	}
	rel, err := filepath.Rel(target, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// category scans a folder without a manifest one level down.
func (s *scanner) category(source, root, dir string) int {
	if quiet(filepath.Base(dir)) {
		return 0
	}
	n := 0
	category := filepath.Base(dir)
	before := len(s.found)
	for _, name := range s.folders(source, dir) {
		path := filepath.Join(dir, name)
		if manifestIn(path) != "" {
			n += s.plugin(source, category+"/", path)
			continue
		}
		s.log.Debug(fmt.Sprintf("Skipping %s (no plugin.yaml, depth cap reached)", path))
		if quiet(name) {
			continue
		}
		if !s.bare(source, category+"/"+name, path) {
			s.deeper(source, path)
		}
	}
	if n == 0 && len(s.found) == before {
		s.bare(source, category, dir)
	}
	return n
}

// quiet names folders that are no plugins although they may hold code.
func quiet(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "__") }

// bare gives a row to a folder with code and no manifest, which the reference
// passes over in silence. Memory and model providers need no manifest.
func (s *scanner) bare(source, key, dir string) bool {
	init := filepath.Join(dir, "__init__.py")
	if source == SourceBundled || !isFile(init) {
		return false
	}
	m := &Manifest{Name: filepath.Base(dir), Dir: dir}
	m.Label = m.Name
	m.Source, m.Key, m.Module, m.Entry = source, key, moduleName(key), "__init__.py"
	m.Kind = sniff(init)
	m.Ctx = m.context()
	f := Found{Manifest: m}
	switch m.Kind {
	case KindExclusive:
		f.skip(s.lang, locale.FoundExclusive)
	case KindModelProvider:
		f.skip(s.lang, locale.FoundModelProvider)
	default:
		f.fail(s.lang, "FileNotFoundError", filepath.Join(dir, "plugin.yaml"), 0, locale.FoundNoManifest, dir)
		s.log.Warn(fmt.Sprintf("Plugin folder %s is ignored: it has an __init__.py and no plugin.yaml", dir))
	}
	f.dropped = true
	s.found = append(s.found, f)
	return true
}

// deeper gives a row to each plugin one level below where the reference looks.
func (s *scanner) deeper(source, dir string) {
	for _, name := range s.folders(source, dir) {
		path := filepath.Join(dir, name)
		file := manifestIn(path)
		if file == "" || source == SourceBundled {
			continue
		}
		m, err := ParseFile(file)
		if err != nil {
			m = &Manifest{Name: name, Dir: path}
		}
		parts := strings.Split(filepath.ToSlash(path), "/")
		m.place(source, strings.Join(parts[len(parts)-3:], "/"))
		f := Found{Manifest: m, dropped: true}
		f.skip(s.lang, locale.FoundTooDeep, path)
		s.found = append(s.found, f)
		s.log.Warn(fmt.Sprintf("Plugin folder %s is ignored: nested too deep", path))
	}
}

// plugin reads one manifest; a broken one gives a failed row under the name of
// its folder.
func (s *scanner) plugin(source, category, dir string) int {
	file := manifestIn(dir)
	base := filepath.Base(dir)
	m, err := ParseFile(file)
	if err != nil {
		s.log.Warn(fmt.Sprintf("Failed to parse %s: %s", file, reasonOf(err)))
		s.broken(source, category+base, dir, err)
		return 0
	}
	key := m.Name
	if category != "" {
		key = category + base
	}
	debug := m.place(source, key)
	for _, n := range m.notices {
		if n.log != "" {
			s.log.Warn(n.log)
		}
	}
	if debug != "" {
		s.log.Debug(debug)
	}
	s.log.Debug(fmt.Sprintf("Parsed manifest: key=%s name=%s kind=%s source=%s path=%s", m.Key, m.Name, m.Kind, source, dir))
	f := Found{Manifest: m}
	for _, n := range m.notices {
		f.Notices = append(f.Notices, fmt.Sprintf("%s:%d: %s", filepath.Base(m.File), n.line, n.msg.In(s.lang, n.args...)))
	}
	s.found = append(s.found, f)
	return 1
}

func reasonOf(err error) string {
	var e *yaml11.Error
	if errors.As(err, &e) && e.Line > 0 {
		return fmt.Sprintf("%s (line %d)", e.Reason, e.Line)
	} else if errors.As(err, &e) {
		return e.Reason
	}
	return err.Error()
}

// broken records a folder whose manifest cannot be read.
func (s *scanner) broken(source, key, dir string, err error) {
	m := &Manifest{Name: filepath.Base(dir), Dir: dir, File: manifestIn(dir)}
	m.Label = m.Name
	m.place(source, key)
	var e *yaml11.Error
	errors.As(err, &e)
	place := filepath.Base(e.File)
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Line)
	}
	f := Found{Manifest: m, dropped: true}
	f.fail(s.lang, "YAMLError", e.File, e.Line, locale.FoundBroken, place, e.Reason)
	s.found = append(s.found, f)
}

// unreadable records a folder of plugins that cannot be listed.
func (s *scanner) unreadable(source, dir string, err error) {
	s.log.Warn(fmt.Sprintf("Cannot read plugin folder %s: %v", dir, cause(err)))
	m := &Manifest{Name: filepath.Base(dir), Dir: dir, Source: source, Key: filepath.Base(dir) + "/"}
	m.Label, m.Kind = m.Name, KindStandalone
	m.Module = moduleName(m.Name)
	m.Ctx = m.context()
	f := Found{Manifest: m, dropped: true}
	f.fail(s.lang, "OSError", dir, 0, locale.FoundUnreadable, dir, cause(err))
	s.found = append(s.found, f)
}

// manifestIn returns the path of dir's manifest, "" when it has none.
func manifestIn(dir string) string {
	for _, name := range []string{"plugin.yaml", "plugin.yml"} {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// problem fills in an error of our own.
func problem(kind, message, file string, line int) *event.PluginError {
	return &event.PluginError{Type: kind, Message: message, File: file, Line: line, Where: "discovery"}
}

// isClone reports whether dir is the top of a git work tree.
func isClone(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}
