package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// group is the entry point group of plugins (decision D8).
const group = "hermes_agent.plugins"

// sites reads the entry points of installed packages. Of several packages with
// one entry point name the first on the path counts, as Python sees it.
func (s *scanner) sites(dirs []string) int {
	n := 0
	seen := map[string]bool{}
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // a search path may name what is not there
		}
		for _, entry := range entries {
			if !strings.HasSuffix(entry.Name(), ".dist-info") {
				continue
			}
			file := filepath.Join(dir, entry.Name(), "entry_points.txt")
			data, err := os.ReadFile(file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				s.log.Warn(fmt.Sprintf("Failed to read %s: %v", file, cause(err)))
				continue
			}
			for _, e := range entryPoints(data) {
				if seen[e.name] {
					continue
				}
				seen[e.name] = true
				s.entryPoint(dir, filepath.Dir(file), e)
				n++
			}
		}
	}
	return n
}

type entryPoint struct{ name, value string }

// entryPoints returns the entries of our group in an entry_points.txt.
func entryPoints(data []byte) []entryPoint {
	var out []entryPoint
	inside := false
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if strings.HasPrefix(line, "[") {
			inside = line == "["+group+"]"
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !inside || !ok || strings.HasPrefix(line, "#") {
			continue
		}
		value, _, _ = strings.Cut(value, "[") // extras
		e := entryPoint{strings.TrimSpace(name), strings.TrimSpace(value)}
		if e.name != "" && e.value != "" {
			out = append(out, e)
		}
	}
	return out
}

// entryPoint records one. The reference knows its name and value only; version,
// description and author come from the package (decision D52), and the
// required variables from a plugin.yaml that the package may bring along
// (decision D2).
func (s *scanner) entryPoint(site, info string, e entryPoint) {
	m := &Manifest{Name: e.name, Label: e.name, Key: e.name, Kind: KindStandalone, Source: SourceEntryPoint, Dir: e.value, EntryPoint: e.value}
	m.Module, _, _ = strings.Cut(e.value, ":")
	m.Module = strings.TrimSpace(m.Module)
	m.Code = codeOf(site, m.Module)
	m.Ctx = m.context()
	meta := metadata(filepath.Join(info, "METADATA"))
	m.Version, m.Description, m.Author = meta["version"], meta["summary"], meta["author"]
	if m.Author == "" {
		m.Author = meta["author-email"]
	}
	f := Found{Manifest: m}
	if own := ownManifest(site, m.Module); own != "" {
		if p, err := ParseFile(own); err == nil {
			m.File, m.RequiresEnv, m.OptionalEnv = own, p.RequiresEnv, p.OptionalEnv
			m.ProvidesTools, m.ProvidesHooks = p.ProvidesTools, p.ProvidesHooks
			if m.Description == "" {
				m.Description = p.Description
			}
		} else {
			f.Notices = append(f.Notices, err.Error())
			s.log.Warn(fmt.Sprintf("Failed to parse %s: %s", own, reasonOf(err)))
		}
	}
	s.log.Debug(fmt.Sprintf("Parsed manifest: key=%s name=%s kind=%s source=%s path=%s", m.Key, m.Name, m.Kind, m.Source, m.Dir))
	s.found = append(s.found, f)
}

// ownManifest returns the plugin.yaml beside the module, or beside a package
// that holds it.
func ownManifest(site, module string) string {
	parts := strings.Split(module, ".")
	for i := len(parts); i > 0; i-- {
		if file := manifestIn(filepath.Join(append([]string{site}, parts[:i]...)...)); file != "" {
			return file
		}
	}
	return ""
}

// codeOf returns the outermost package of a module below site, or the file of a
// module that is alone; empty when the code lies elsewhere (an editable
// installation).
func codeOf(site, module string) string {
	path := site
	for part := range strings.SplitSeq(module, ".") {
		path = filepath.Join(path, part)
		if isFile(filepath.Join(path, "__init__.py")) {
			return path
		}
		if isFile(path + ".py") {
			return path + ".py"
		}
	}
	return ""
}

// metadata returns the head of a METADATA file by lower-case field name.
func metadata(file string) map[string]string {
	out := map[string]string{}
	data, err := os.ReadFile(file)
	if err != nil {
		return out // an installation without it has nothing to show
	}
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan() && sc.Text() != ""; {
		name, value, ok := strings.Cut(sc.Text(), ":")
		if ok && !strings.HasPrefix(name, " ") {
			out[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
	return out
}
