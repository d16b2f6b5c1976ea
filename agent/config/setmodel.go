package config

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
)

// SetModel makes a model the one that answers: model.default, model.provider
// and, when base is not empty, model.base_url. Where `model` is a name alone
// it becomes a mapping; an address that belongs to another provider goes.
func SetModel(home Home, name, provider, base string) error {
	return Edit(home, func(root *yaml.Node) error {
		if n := yaml11.Target(yaml11.Child(root, "model")); n != nil && n.Kind == yaml.ScalarNode {
			set(root, "model", &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"})
		}
		m, err := submap(root, "model")
		if err != nil {
			return err
		}
		old := ""
		if n := yaml11.Target(yaml11.Child(m, "provider")); n != nil {
			old = n.Value
		}
		if name != "" {
			set(m, "default", text(name))
		}
		if provider != "" {
			set(m, "provider", text(provider))
		}
		switch {
		case base != "":
			set(m, "base_url", text(base))
		case provider != "" && old != "" && !sameProvider(normal(old), normal(provider)):
			for _, key := range []string{"base_url", "api_key", "api_mode"} {
				unset(m, []string{key})
			}
		}
		return nil
	})
}

// Fallback is an entry of fallback_providers.
type Fallback struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	BaseURL  string `json:"base_url,omitempty"`
}

// FallbackEntries lists fallback_providers as they are written.
func FallbackEntries(c *Config) []Fallback {
	list, _ := c.Lookup("fallback_providers")
	items := list.Items
	if list.Kind == yaml11.Map {
		items = []yaml11.Value{list}
	}
	out := []Fallback{}
	for _, it := range items {
		f := Fallback{Provider: textOf(it, "provider"), Model: textOf(it, "model"), BaseURL: textOf(it, "base_url")}
		if it.Kind < yaml11.List {
			f.Model = it.Text
		}
		out = append(out, f)
	}
	return out
}

var fallbackPath = [...]string{"fallback_providers"}

// AddFallback appends an entry to fallback_providers.
func AddFallback(home Home, f Fallback) error {
	return SetAt(home, fallbackPath[:], func(entries []*yaml.Node) ([]*yaml.Node, error) {
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, p := range [][2]string{{"provider", f.Provider}, {"model", f.Model}, {"base_url", f.BaseURL}} {
			if p[1] != "" {
				set(n, p[0], text(p[1]))
			}
		}
		return append(entries, n), nil
	})
}

// RemoveFallback takes the entry of number i, from 1, out of
// fallback_providers.
func RemoveFallback(home Home, i int) error {
	return SetAt(home, fallbackPath[:], func(entries []*yaml.Node) ([]*yaml.Node, error) {
		if i < 1 || i > len(entries) {
			return nil, fmt.Errorf("%d: %w", i, ErrNotSet)
		}
		return append(entries[:i-1:i-1], entries[i:]...), nil
	})
}
