package config

import (
	"strings"

	"hermes/agent/config/yaml11"
)

// Resolved returns the value at path as the program uses it: what the file
// sets over the defaults. ok is false when neither has it. The value is made of
// maps, lists, texts, numbers and switches, for JSON and YAML.
func (c *Config) Resolved(path []string) (v any, ok bool) {
	if len(path) == 0 {
		v, ok = map[string]any{}, true
		if all, err := yaml11.Decode(c.root); err == nil && all.Kind == yaml11.Map {
			v = plain(c.expandAll(all))
		}
	} else if set, there := c.Lookup(path...); there {
		v, ok = plain(set), true
	}
	prefix := dotted(path)
	if prefix != "" {
		prefix += "."
	}
	for _, key := range append(KnownKeys(), dotted(path)) {
		d := defaultValue(key)
		switch {
		case d == nil:
		case key == dotted(path):
			if !ok {
				return d, true
			}
		case strings.HasPrefix(key, prefix):
			if !ok {
				v, ok = map[string]any{}, true
			}
			fillIn(v, strings.Split(key[len(prefix):], "."), d)
		}
	}
	return v, ok
}

// fillIn puts a default where m has nothing.
func fillIn(v any, path []string, d any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	old, there := m[path[0]]
	switch {
	case len(path) == 1:
		if !there || old == nil {
			m[path[0]] = d
		}
	case !there || old == nil:
		below := map[string]any{}
		m[path[0]] = below
		fillIn(below, path[1:], d)
	default:
		fillIn(old, path[1:], d)
	}
}

// plain turns a value into what JSON and YAML write. Dates and numbers beyond
// 64 bits are their text.
func plain(v yaml11.Value) any {
	switch v.Kind {
	case yaml11.Null:
		return nil
	case yaml11.Bool:
		return v.Bool
	case yaml11.Int:
		if v.Int.IsInt64() {
			return v.Int.Int64()
		}
	case yaml11.Float:
		return v.Float
	case yaml11.List:
		out := []any{}
		for _, item := range v.Items {
			out = append(out, plain(item))
		}
		return out
	case yaml11.Map:
		out := map[string]any{}
		for _, p := range v.Pairs {
			out[p.Key.Text] = plain(p.Value)
		}
		return out
	}
	return v.Text
}

// Check reads the setting key the way its default says, so that a value of the
// wrong kind is noted.
func (c *Config) Check(key string) {
	if !c.Has(key) {
		return
	}
	switch defaultValue(key).(type) {
	case bool:
		c.Bool(key)
	case int, float64:
		c.Float(key)
	case string:
		c.String(key)
	}
}

// UnknownKeys returns the paths of the values that nothing reads. Below the
// top they are looked for in the mappings that are known.
func (c *Config) UnknownKeys() [][]string {
	var out [][]string
	for _, top := range c.Keys() {
		if !IsKnown([]string{top}) {
			out = append(out, []string{top})
			continue
		}
		if _, group := known()[top]; !group || top == "" {
			continue
		}
		for _, name := range c.Keys(top) {
			if path := []string{top, name}; !IsKnown(path) {
				out = append(out, path)
			}
		}
	}
	return out
}
