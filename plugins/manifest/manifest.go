// Package manifest finds plugins and decides, before any of them runs, which
// ones are to be loaded: plugin.yaml files, kinds, keys and sources, the order
// of loading, and the reason for everything that is left out.
//
// It runs no plugin and starts no process. Every folder that a user could take
// for a plugin gives a row, also one that is broken (decision D51).
package manifest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/agent/config/yaml11"
	"hermes/agent/event"
	"hermes/agent/locale"
)

// Sources, in the order in which they are scanned. A later one replaces an
// earlier one with the same key.
const (
	SourceBundled    = "bundled"
	SourceUser       = "user"
	SourceProject    = "project"
	SourceEntryPoint = "entrypoint"
)

// Kinds (contract/plugins §2.1).
const (
	KindStandalone    = "standalone"
	KindBackend       = "backend"
	KindPlatform      = "platform"
	KindExclusive     = "exclusive"
	KindModelProvider = "model-provider"
)

// kinds is sorted: a warning lists them.
var kinds = [...]string{KindBackend, KindExclusive, KindModelProvider, KindPlatform, KindStandalone}

// maxManifest bounds a plugin.yaml, in bytes.
const maxManifest = 1 << 20

// sniffed is how many characters of __init__.py tell a kind that the manifest
// does not state (contract/plugins §2.1).
const sniffed = 8192

// Manifest is what a plugin says about itself. Name, Version, Description and
// Author are as typed (decision D52); Ctx has the values that the reference
// would give ctx.manifest.
type Manifest struct {
	Key           string
	Name          string
	Version       string
	Description   string
	Author        string
	Kind          string
	Source        string
	Dir           string // folder; for a package the value of its entry point
	EntryPoint    string // that value, empty for a folder
	Code          string // folder or file that holds the code, empty when it is not known
	File          string // the manifest itself, empty when there is none
	Entry         string // file in Dir that is imported, empty for a package
	Module        string // Python module name
	Label         string // shown for a platform
	RequiresEnv   []event.EnvVar
	OptionalEnv   []event.EnvVar
	ProvidesTools []string
	ProvidesHooks []string
	// Ctx is a JSON object: name, version, description, author, requires_env,
	// provides_tools, provides_hooks, source, path, kind, key. Values that JSON
	// has no form for are marked as yaml11.Value.MarshalJSON describes.
	Ctx json.RawMessage

	raw     yaml11.Value
	notices []notice
}

// notice is advice to a plugin's author, with its line in the manifest.
type notice struct {
	line int
	msg  locale.Msg
	args []any
	log  string // the same for the log: the reference's words where it has some
}

// ParseFile reads the manifest of the plugin in dir. Errors are *yaml11.Error
// with file and line, or say why the file cannot be read. Key, Source and what
// follows from them are not set: they depend on where the plugin was found.
func ParseFile(file string) (*Manifest, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, &yaml11.Error{File: file, Reason: cause(err).Error()}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return nil, &yaml11.Error{File: file, Reason: cause(err).Error()}
	}
	return Parse(file, data)
}

// cause is a failure without the path that the file system repeats.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Parse reads a manifest from data; file is its path.
func Parse(file string, data []byte) (*Manifest, error) {
	if len(data) > maxManifest {
		return nil, &yaml11.Error{File: file, Reason: fmt.Sprintf("the manifest is larger than %d bytes", maxManifest)}
	}
	root, err := yaml11.Parse(file, data)
	if err != nil {
		return nil, err
	}
	value, err := yaml11.Decode(root)
	if err != nil {
		var e *yaml11.Error
		if errors.As(err, &e) {
			e.File = file
		}
		return nil, err
	}
	if value.Kind != yaml11.Map && value.Kind != yaml11.Null {
		return nil, &yaml11.Error{File: file, Line: max(value.Line, 1), Reason: fmt.Sprintf("the manifest must be a mapping (name: …), not %s", value.Kind)}
	}
	m := &Manifest{File: file, Dir: filepath.Dir(file), raw: value}
	for _, key := range yaml11.Duplicates(root) {
		m.note(key.Line, fmt.Sprintf("duplicate key '%s' in %s:%d; the last value is used", key.Value, file, key.Line), locale.ManifestDuplicate, key.Value)
	}
	if err := m.fill(); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Manifest) note(line int, log string, msg locale.Msg, args ...any) {
	m.notices = append(m.notices, notice{line, msg, args, log})
}

// fill takes the fields out of the mapping.
func (m *Manifest) fill() (err error) {
	name, ok := m.raw.Get("name")
	m.Name = name.Text
	if !ok || name.Kind == yaml11.Null {
		m.Name = filepath.Base(m.Dir)
	} else if name.Kind >= yaml11.List {
		return m.broken(name.Line, "name must be text, not %s", name.Kind)
	}
	m.Version, m.Description, m.Author = m.shown("version"), m.shown("description"), m.shown("author")
	if m.Label = m.shown("label"); m.Label == "" {
		m.Label = m.Name
	}
	if m.RequiresEnv, err = m.envVars("requires_env"); err != nil {
		return err
	}
	if m.OptionalEnv, err = m.envVars("optional_env"); err != nil {
		return err
	}
	m.ProvidesTools, m.ProvidesHooks = m.names("provides_tools"), m.names("provides_hooks")
	return nil
}

func (m *Manifest) broken(line int, format string, args ...any) error {
	return &yaml11.Error{File: m.File, Line: line, Reason: fmt.Sprintf(format, args...)}
}

// shown is a field as it is displayed: as typed, null as nothing, a collection
// as Python prints it.
func (m *Manifest) shown(field string) string {
	v, _ := m.raw.Get(field)
	switch {
	case v.Kind == yaml11.Null:
		return ""
	case v.Kind >= yaml11.List:
		return v.Str()
	}
	return v.Text
}

// entries returns the entries of a list. One value counts as a list of one,
// with a notice (decision D53).
func (m *Manifest) entries(field string) []yaml11.Value {
	v, _ := m.raw.Get(field)
	switch v.Kind {
	case yaml11.Null:
		return nil
	case yaml11.List:
		return v.Items
	}
	m.note(v.Line, "", locale.ManifestOneValue, field)
	return []yaml11.Value{v}
}

func (m *Manifest) names(field string) []string {
	out := []string{}
	for _, v := range m.entries(field) {
		out = append(out, v.Str())
	}
	return out
}

func (m *Manifest) envVars(field string) ([]event.EnvVar, error) {
	var out []event.EnvVar
	for _, v := range m.entries(field) {
		switch v.Kind {
		case yaml11.Map:
			one, err := m.richVar(field, v)
			if err != nil {
				return nil, err
			}
			out = append(out, one)
		case yaml11.Null, yaml11.List:
			return nil, m.broken(v.Line, "%s: an entry must be a variable's name or a mapping with name:, not %s", field, v.Kind)
		default:
			out = append(out, event.EnvVar{Name: v.Text})
		}
	}
	return out, nil
}

// richVar reads a mapping entry. Platform manifests write password for secret
// and prompt for description.
func (m *Manifest) richVar(field string, v yaml11.Value) (event.EnvVar, error) {
	text := func(names ...string) string {
		for _, n := range names {
			if x, ok := v.Get(n); ok && x.Kind != yaml11.Null {
				return x.Str()
			}
		}
		return ""
	}
	name, ok := v.Get("name")
	if !ok || name.Kind == yaml11.Null || name.Kind >= yaml11.List || strings.TrimSpace(name.Text) == "" {
		return event.EnvVar{}, m.broken(v.Line, "%s: this entry has no name", field)
	}
	e := event.EnvVar{Name: name.Text, Description: text("description", "prompt"), URL: text("url")}
	for _, field := range []string{"secret", "password"} {
		x, _ := v.Get(field)
		e.Secret = e.Secret || x.Kind == yaml11.Bool && x.Bool
	}
	return e, nil
}

// setKind takes the kind from the manifest, or guesses it from the code when
// the manifest has no such key. It returns what to log.
func (m *Manifest) setKind() (debug string) {
	v, stated := m.raw.Get("kind")
	m.Kind = KindStandalone
	if stated {
		if v.Kind != yaml11.Str {
			return ""
		}
		kind := strings.ToLower(strings.TrimSpace(v.Text))
		if slices.Contains(kinds[:], kind) {
			m.Kind = kind
			return ""
		}
		valid := strings.Join(kinds[:], ", ")
		m.note(v.Line, fmt.Sprintf("Plugin %s: unknown kind '%s' (valid: %s); treating as 'standalone'", m.Key, v.Text, valid),
			locale.ManifestKind, v.Text, valid)
		return ""
	}
	switch m.Kind = sniff(filepath.Join(m.Dir, "__init__.py")); m.Kind {
	case KindExclusive:
		return fmt.Sprintf("Plugin %s: detected memory provider, treating as kind='exclusive'", m.Key)
	case KindModelProvider:
		return fmt.Sprintf("Plugin %s: detected model provider, treating as kind='model-provider'", m.Key)
	}
	return ""
}

// sniff guesses a kind from the head of a module, as text: a comment is enough.
func sniff(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return KindStandalone
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, sniffed*utf8.UTFMax))
	if err != nil {
		return KindStandalone
	}
	head := []rune(string(data))
	text := string(head[:min(len(head), sniffed)])
	switch {
	case strings.Contains(text, "register_memory_provider"), strings.Contains(text, "MemoryProvider"):
		return KindExclusive
	case strings.Contains(text, "register_provider") && strings.Contains(text, "ProviderProfile"):
		return KindModelProvider
	}
	return KindStandalone
}

// place sets what depends on where the manifest was found.
func (m *Manifest) place(source, key string) (debug string) {
	m.Source, m.Key, m.Code = source, key, m.Dir
	m.Module = moduleName(key)
	debug = m.setKind()
	m.Entry = "__init__.py"
	if m.Kind == KindPlatform && !isFile(filepath.Join(m.Dir, m.Entry)) && isFile(filepath.Join(m.Dir, "adapter.py")) {
		m.Entry = "adapter.py" // the guide's platform plugin has no __init__.py (decision D16)
	}
	m.Ctx = m.context()
	return debug
}

// moduleName is the name under which a folder plugin is imported.
func moduleName(key string) string {
	return "hermes_plugins." + strings.NewReplacer("/", "__", "-", "_").Replace(key)
}

// context writes ctx.manifest as the reference fills it. A name that is no text
// ends the reference's discovery, so it is text here as well (contract/plugins
// §17 no. 1).
func (m *Manifest) context() json.RawMessage {
	field := func(name string, fallback yaml11.Value) yaml11.Value {
		if v, ok := m.raw.Get(name); ok {
			return v
		}
		return fallback
	}
	text := func(s string) yaml11.Value { return yaml11.Value{Kind: yaml11.Str, Text: s} }
	none := yaml11.Value{Kind: yaml11.List}
	pairs := []struct {
		name  string
		value yaml11.Value
	}{
		{"name", text(m.Name)},
		{"version", text(field("version", text("")).Str())},
		{"description", field("description", text(""))},
		{"author", field("author", text(""))},
		{"requires_env", field("requires_env", none)},
		{"provides_tools", field("provides_tools", none)},
		{"provides_hooks", field("provides_hooks", none)},
		{"source", text(m.Source)},
		{"path", text(m.Dir)},
		{"kind", text(m.Kind)},
		{"key", text(m.Key)},
	}
	v := yaml11.Value{Kind: yaml11.Map}
	for _, p := range pairs {
		v.Pairs = append(v.Pairs, yaml11.Pair{Key: text(p.name), Value: p.value})
	}
	raw, err := v.MarshalJSON()
	if err != nil {
		return json.RawMessage("{}") // text that is no UTF-8; Parse refused it
	}
	return raw
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
