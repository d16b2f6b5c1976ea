package themes

import (
	"errors"
	"fmt"
	"os"

	"gopkg.in/yaml.v3"
)

// maxSkin bounds a skin file, in bytes. The reference's are below 4 KiB.
const maxSkin = 1 << 20

// Load reads a skin file of the reference. What it does not set keeps the
// default theme's value. An error names the file and the line.
func Load(path string) (*Theme, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read skin: %w", err)
	}
	if info.Size() > maxSkin {
		return nil, fmt.Errorf("read skin %s: %d bytes are too many for a skin (limit %d)", path, info.Size(), maxSkin)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read skin: %w", err)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("skin %s: %w", path, err)
	}
	return t, nil
}

// Parse reads the text of a skin file.
func Parse(data []byte) (*Theme, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("not YAML: %w", err)
	}
	t := Default()
	if len(doc.Content) == 0 {
		return t, nil
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: a skin is a mapping of names to values", root.Line)
	}
	t.Name = scalar(root, "name", t.Name)
	t.Description = scalar(root, "description", t.Description)
	if b := field(root, "branding"); b != nil {
		t.Branding = Branding{
			AgentName: scalar(b, "agent_name", ""), Welcome: scalar(b, "welcome", ""), Goodbye: scalar(b, "goodbye", ""),
			ResponseLabel: scalar(b, "response_label", ""), PromptSymbol: scalar(b, "prompt_symbol", ""),
		}
	}
	if s := field(root, "spinner"); s != nil {
		t.ThinkingVerbs = list(s, "thinking_verbs")
	}
	if e := field(root, "tool_emojis"); e != nil && e.Kind == yaml.MappingNode {
		t.ToolEmojis = map[string]string{}
		for i := 0; i+1 < len(e.Content); i += 2 {
			t.ToolEmojis[e.Content[i].Value] = e.Content[i+1].Value
		}
	}
	return t, colours(t, field(root, "colors"))
}

// colours reads the colour table into both palettes: a skin has one set, and
// On makes it readable on the background that is there.
func colours(t *Theme, node *yaml.Node) error {
	if node == nil {
		return nil
	}
	var bad []error
	for _, role := range []struct {
		keys        []string // the first one that is set counts
		dark, light *Color
	}{
		{[]string{"ui_accent", "banner_accent", "prompt"}, &t.Dark.Accent, &t.Light.Accent},
		{[]string{"banner_title"}, &t.Dark.Title, &t.Light.Title},
		{[]string{"ui_label", "session_label"}, &t.Dark.Label, &t.Light.Label},
		{[]string{"ui_ok"}, &t.Dark.OK, &t.Light.OK},
		{[]string{"ui_warn"}, &t.Dark.Warn, &t.Light.Warn},
		{[]string{"ui_error"}, &t.Dark.Error, &t.Light.Error},
		{[]string{"banner_dim", "status_bar_dim"}, &t.Dark.Muted, &t.Light.Muted},
		{[]string{"banner_border", "input_rule", "response_border"}, &t.Dark.Border, &t.Light.Border},
	} {
		for _, key := range role.keys {
			v := field(node, key)
			if v == nil || v.Value == "" {
				continue
			}
			c, err := Hex(v.Value)
			if err != nil {
				bad = append(bad, fmt.Errorf("line %d: colors.%s: %w", v.Line, key, err))
				continue
			}
			*role.dark, *role.light = c, c
			break
		}
	}
	return errors.Join(bad...)
}

func field(m *yaml.Node, key string) *yaml.Node {
	if m == nil || m.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(m.Content); i += 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

func scalar(m *yaml.Node, key, otherwise string) string {
	if v := field(m, key); v != nil && v.Kind == yaml.ScalarNode && v.Value != "" {
		return v.Value
	}
	return otherwise
}

func list(m *yaml.Node, key string) []string {
	v := field(m, key)
	if v == nil || v.Kind != yaml.SequenceNode {
		return nil
	}
	var out []string
	for _, n := range v.Content {
		if n.Kind == yaml.ScalarNode && n.Value != "" {
			out = append(out, n.Value)
		}
	}
	return out
}
