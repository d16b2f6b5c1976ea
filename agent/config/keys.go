package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
)

// SplitKey reads a dotted key as the command line takes it. A part that has
// dots itself stands in double quotes: providers."my.host".key_env
func SplitKey(key string) ([]string, error) {
	var parts []string
	for rest := key; ; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				return nil, fmt.Errorf("%s: the quote is not closed", key)
			}
			part, rest = rest[1:end+1], rest[end+2:]
			if rest != "" && rest[0] != '.' {
				return nil, fmt.Errorf("%s: a dot must follow the quote", key)
			}
		} else {
			end := strings.IndexByte(rest, '.')
			if end < 0 {
				end = len(rest)
			}
			part, rest = rest[:end], rest[end:]
		}
		if part == "" {
			return nil, fmt.Errorf("%q is not a key: a part of it is empty", key)
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, nil
		}
		rest = rest[1:]
	}
}

// EnvName reports whether key names a variable of .env rather than a setting:
// a name in capitals, or one that looks like a secret's.
func EnvName(key string) bool {
	if strings.ContainsAny(key, `."`) {
		return false
	}
	if capitals, _ := regexp.MatchString(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`, key); capitals {
		return true
	}
	upper := strings.ToUpper(key)
	for _, end := range []string{"_API_KEY", "_TOKEN", "_SECRET", "_PASSWORD"} {
		if strings.HasSuffix(upper, end) {
			return true
		}
	}
	return false
}

// ParseSetting reads a value as it is typed on the command line: on, off, true
// and false, numbers, lists and mappings in YAML's flow form; anything else is
// a text.
func ParseSetting(value string) (*yaml.Node, error) {
	trimmed := strings.TrimSpace(value)
	if strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		n, err := yaml11.Parse("the value", []byte(trimmed))
		if err != nil {
			return nil, err
		}
		return n, nil
	}
	v, err := yaml11.Decode(&yaml.Node{Kind: yaml.ScalarNode, Value: trimmed})
	if err == nil && (v.Kind == yaml11.Bool || v.Kind == yaml11.Int || v.Kind == yaml11.Float) {
		if v.Kind == yaml11.Bool {
			trimmed = map[bool]string{true: "true", false: "false"}[v.Bool]
		}
		return &yaml.Node{Kind: yaml.ScalarNode, Value: trimmed}, nil
	}
	return text(value), nil
}

// SetKey sets the value at path in config.yaml; mappings above it are made.
func SetKey(home Home, path []string, value *yaml.Node) error {
	return Edit(home, func(root *yaml.Node) error {
		m := root
		for _, key := range path[:len(path)-1] {
			var err error
			if m, err = submap(m, key); err != nil {
				return err
			}
		}
		set(m, path[len(path)-1], value)
		return nil
	})
}

// ErrNotSet says that config.yaml has no such key.
var ErrNotSet = errors.New("the key is not set")

// UnsetKey takes the value at path out of config.yaml, and mappings above it
// that are empty then. It returns ErrNotSet when there is none.
func UnsetKey(home Home, path []string) error {
	return Edit(home, func(root *yaml.Node) error {
		if !unset(root, path) {
			return ErrNotSet
		}
		return nil
	})
}

func unset(m *yaml.Node, path []string) (found bool) {
	below := yaml11.Target(yaml11.Child(m, path[0]))
	if below == nil {
		return false
	}
	if len(path) > 1 {
		if below.Kind != yaml.MappingNode || !unset(below, path[1:]) {
			return false
		}
		if len(below.Content) > 0 {
			return true
		}
	}
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if m.Content[i].Value == path[0] {
			m.Content = slices.Delete(m.Content, i, i+2)
		}
	}
	return true
}

// SetAt changes the list at path: change gets its entries and returns those
// that take their place. An empty list is written as [].
func SetAt(home Home, path []string, change func(entries []*yaml.Node) ([]*yaml.Node, error)) error {
	return Edit(home, func(root *yaml.Node) error {
		m := root
		for _, key := range path[:len(path)-1] {
			var err error
			if m, err = submap(m, key); err != nil {
				return err
			}
		}
		last := path[len(path)-1]
		l := list(m, last)
		entries, err := change(slices.Clone(l.Content))
		if err != nil {
			return err
		}
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq", Content: entries}
		if len(entries) == 0 {
			n.Style = yaml.FlowStyle
		}
		set(m, last, n)
		return nil
	})
}

// TextNode makes a node for a text.
func TextNode(s string) *yaml.Node { return text(s) }
