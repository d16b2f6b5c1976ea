package config

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
	"hermes/agent/locale"
)

// Paths name a value by its keys from the top. The first argument is split at
// its dots; the others are keys as they stand, because plugin keys and model
// names have dots themselves:
//
//	c.Int("agent.max_turns")
//	c.Bool("plugins.entries", key, "allow_tool_override")
//
// A value that is missing, null or of the wrong type gives the default of
// defaults.go, else the zero value; of the wrong type also a Notice.

// node returns the node at path, nil when there is none or it is null.
func (c *Config) node(path []string) *yaml.Node {
	n := c.root
	for _, key := range keys(path) {
		if n = yaml11.Child(n, key); n == nil {
			return nil
		}
	}
	n = yaml11.Target(n)
	if n != nil && n.Kind == yaml.ScalarNode {
		if v, err := yaml11.Decode(n); err == nil && v.Kind == yaml11.Null {
			return nil
		}
	}
	return n
}

func keys(path []string) []string {
	if len(path) == 0 {
		return nil
	}
	return append(strings.Split(path[0], "."), path[1:]...)
}

// dotted is the path as it is shown.
func dotted(path []string) string { return strings.Join(path, ".") }

// Has reports whether the file sets a value other than null at path.
func (c *Config) Has(path ...string) bool { return c.node(path) != nil }

// Line returns the line of the value at path, 0 when there is none.
func (c *Config) Line(path ...string) int {
	if n := c.node(path); n != nil {
		return n.Line
	}
	return 0
}

// Place returns where the value at path stands, as "config.yaml:12".
func (c *Config) Place(path ...string) string {
	name := filepath.Base(c.home.Config())
	if line := c.Line(path...); line > 0 {
		return name + ":" + strconv.Itoa(line)
	}
	return name
}

// Lookup returns the whole value at path with ${NAME} expanded in its texts,
// false when it is missing, null, or grows beyond all bounds through aliases.
func (c *Config) Lookup(path ...string) (yaml11.Value, bool) {
	n := c.node(path)
	if n == nil {
		return yaml11.Value{}, false
	}
	v, err := yaml11.Decode(n)
	if err != nil {
		c.note(c.home.Config(), n.Line, locale.CfgUndecodable, dotted(path), err)
		return yaml11.Value{}, false
	}
	return c.expandAll(v), true
}

func (c *Config) expandAll(v yaml11.Value) yaml11.Value {
	if v.Kind == yaml11.Str {
		v.Text = c.expand(v.Text)
	}
	for i := range v.Items {
		v.Items[i] = c.expandAll(v.Items[i])
	}
	for i := range v.Pairs {
		v.Pairs[i].Value = c.expandAll(v.Pairs[i].Value)
	}
	return v
}

// expand replaces ${NAME} by the variable of the merged environment; the text
// of an unknown name stays (contract/core §4.1).
func (c *Config) expand(s string) string {
	if !strings.Contains(s, "${") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "${")
		end := -1
		if i >= 0 {
			end = strings.IndexByte(s[i:], '}')
		}
		if end < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		if v, ok := c.env.lookup(s[i+2 : i+end]); ok && end > 2 {
			b.WriteString(v)
		} else {
			b.WriteString(s[i : i+end+1])
		}
		s = s[i+end+1:]
	}
}

// scalar returns the single value at path: from the file, else from the
// variable that stands in for it, else from the table of defaults.
func (c *Config) scalar(path []string) (v yaml11.Value, where *yaml.Node) {
	name := dotted(path)
	over := overrides(name)
	if over.wins {
		if v, ok := c.fromEnv(over.name); ok {
			return v, nil
		}
	}
	for _, p := range [][]string{path, aliasOf(name)} {
		n := c.node(p)
		if n == nil || len(p) == 0 {
			continue
		}
		v, err := yaml11.Decode(n)
		if err != nil || v.Kind >= yaml11.List {
			c.wrong(n, path, locale.CfgWantSingle)
			continue
		}
		return c.expandAll(v), n
	}
	if v, ok := c.fromEnv(over.name); ok {
		return v, nil
	}
	return defaultOf(name), nil
}

func (c *Config) fromEnv(name string) (yaml11.Value, bool) {
	text := c.Getenv(name)
	if name == "" || strings.TrimSpace(text) == "" {
		return yaml11.Value{}, false
	}
	return yaml11.Value{Kind: yaml11.Str, Text: strings.TrimSpace(text)}, true
}

// wrong notes that the value at n cannot be used for path.
func (c *Config) wrong(n *yaml.Node, path []string, want locale.Msg) {
	line := 0
	if n != nil {
		line = n.Line
	}
	c.note(c.home.Config(), line, locale.CfgWrongType, dotted(path), want)
}

// String returns the text at path; a number, date or boolean as it was typed.
func (c *Config) String(path ...string) string {
	v, _ := c.scalar(path)
	return v.Text
}

// Bool returns the switch at path. Texts count by Truthy, numbers when they are
// not zero.
func (c *Config) Bool(path ...string) bool {
	v, n := c.scalar(path)
	switch v.Kind {
	case yaml11.Bool:
		return v.Bool
	case yaml11.Int:
		return v.Int.Sign() != 0
	case yaml11.Float:
		return v.Float != 0
	case yaml11.Str:
		switch strings.ToLower(strings.TrimSpace(v.Text)) {
		case "0", "false", "no", "off", "":
			return false
		}
		if Truthy(v.Text) {
			return true
		}
	}
	if v.Kind != yaml11.Null {
		c.wrong(n, path, locale.CfgWantBool)
	}
	return defaultOf(dotted(path)).Bool
}

// Float returns the number at path.
func (c *Config) Float(path ...string) float64 {
	v, n := c.scalar(path)
	if f, ok := asFloat(v); ok {
		return f
	}
	if v.Kind != yaml11.Null {
		c.wrong(n, path, locale.CfgWantNumber)
	}
	f, _ := asFloat(defaultOf(dotted(path)))
	return f
}

func asFloat(v yaml11.Value) (float64, bool) {
	switch v.Kind {
	case yaml11.Int:
		f, _ := v.Int.Float64()
		return f, !math.IsInf(f, 0)
	case yaml11.Float:
		return v.Float, !math.IsNaN(v.Float) && !math.IsInf(v.Float, 0)
	case yaml11.Str:
		f, err := strconv.ParseFloat(strings.TrimSpace(v.Text), 64)
		return f, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

// Int returns the whole number at path; a fraction is cut off, as int() does
// in the reference.
func (c *Config) Int(path ...string) int {
	f := c.Float(path...)
	if math.Abs(f) >= math.MaxInt64 {
		c.wrong(c.node(path), path, locale.CfgWantNumber)
		f, _ = asFloat(defaultOf(dotted(path)))
	}
	return int(f)
}

// Duration returns the number of seconds at path.
func (c *Config) Duration(path ...string) time.Duration {
	s := c.Float(path...)
	if math.Abs(s) > 1e9 { // thirty years: time.Duration would overflow
		s = math.Copysign(1e9, s)
	}
	return time.Duration(s * float64(time.Second))
}

// Strings returns the list at path, its entries as they were typed. A single
// value counts as a list of one and is noted (decision D53).
func (c *Config) Strings(path ...string) []string {
	n := c.node(path)
	if n == nil {
		return nil
	}
	v, ok := c.Lookup(path...)
	switch {
	case !ok:
		return nil
	case v.Kind == yaml11.Map:
		c.wrong(n, path, locale.CfgWantList)
		return nil
	case v.Kind != yaml11.List:
		c.note(c.home.Config(), n.Line, locale.CfgOneValue, dotted(path), v.Text)
		return []string{v.Text}
	}
	out := make([]string, 0, len(v.Items))
	for _, it := range v.Items {
		if it.Kind >= yaml11.List || it.Kind == yaml11.Null {
			c.note(c.home.Config(), it.Line, locale.CfgListEntry, dotted(path))
			continue
		}
		out = append(out, it.Text)
	}
	return out
}

// Keys returns the keys of the mapping at path, in the order of the file.
func (c *Config) Keys(path ...string) []string {
	v, _ := c.Lookup(path...)
	out := make([]string, 0, len(v.Pairs))
	for _, p := range v.Pairs {
		out = append(out, p.Key.Text)
	}
	return out
}

// Map returns the mapping of single values at path, as text.
func (c *Config) Map(path ...string) map[string]string {
	v, _ := c.Lookup(path...)
	out := make(map[string]string, len(v.Pairs))
	for _, p := range v.Pairs {
		if p.Value.Kind < yaml11.List && p.Value.Kind != yaml11.Null {
			out[p.Key.Text] = p.Value.Text
		}
	}
	return out
}
