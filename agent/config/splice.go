package config

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
)

// splice writes doc as the text of before with only the changed parts written
// anew: block mappings are followed down to the entry that changed, and every
// line outside it stays byte for byte, comments, blank lines and quoting
// included. ok is false when the result would not read as doc; the caller then
// writes the whole document.
func splice(data []byte, before, doc *yaml.Node) (out []byte, ok bool) {
	if before == nil || len(before.Content) != 1 {
		return nil, false
	}
	if bytes.Contains(data, []byte("\r")) {
		return nil, false
	}
	lines := strings.SplitAfter(string(endWithNewline(data)), "\n")
	s := splicer{lines: lines[:len(lines)-1]}
	text, ok := s.mapping(before.Content[0], doc.Content[0], 1, len(s.lines)+1)
	if !ok {
		return nil, false
	}
	check, err := yaml11.ParseDocument("", []byte(text))
	if err != nil || check == nil || !same(check, doc) {
		return nil, false
	}
	return []byte(text), true
}

type splicer struct{ lines []string } // each with its line end

// text returns the lines from (counted from 1) up to, not including, to.
func (s splicer) text(from, to int) string { return strings.Join(s.lines[from-1:to-1], "") }

// mapping writes the block mapping before, whose text lies in the lines from
// up to to, as after.
func (s splicer) mapping(before, after *yaml.Node, from, to int) (string, bool) {
	if !block(before) || after.Kind != yaml.MappingNode || after.Style&yaml.FlowStyle != 0 {
		return "", false
	}
	entries := s.entries(before, to)
	if entries == nil {
		return "", false
	}
	var b strings.Builder
	b.WriteString(s.text(from, entries[0].from))
	indent := before.Content[0].Column - 1
	end := s.outer(entries, indent)
	for _, e := range entries {
		value := lookup(after, e.key.Value)
		if value == nil {
			continue
		}
		text, ok := s.entry(e, value, indent)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	for i := 0; i+1 < len(after.Content); i += 2 {
		if key := after.Content[i]; lookup(before, key.Value) == nil {
			text, ok := render(key, after.Content[i+1], indent)
			if !ok {
				return "", false
			}
			b.WriteString(text)
		}
	}
	return b.String() + s.text(end, to), true
}

// outer cuts from the last entry the blank lines and the comments that stand
// further out than the mapping: they belong to what comes after it, so that a
// new key goes before them. It returns their first line.
func (s splicer) outer(entries []entry, indent int) int {
	last := &entries[len(entries)-1]
	end := last.to
	for end > last.from+1 && indent > 0 {
		line := s.lines[end-2]
		trimmed := strings.TrimLeft(line, " ")
		if trimmed != "\n" && (trimmed[0] != '#' || len(line)-len(trimmed) >= indent) {
			break
		}
		end--
	}
	if end <= last.value.Line {
		end = last.to // the lines are inside a block text
	}
	last.to = end
	return end
}

// entry is one key of a block mapping with the lines that are its own: up to
// the next key's, without the blank lines and comments that precede that.
type entry struct {
	key, value *yaml.Node
	from, to   int
}

// entries returns nil when the mapping is not one key a line, or repeats a key.
func (s splicer) entries(m *yaml.Node, end int) []entry {
	var out []entry
	seen := map[string]bool{}
	for i := 0; i+1 < len(m.Content); i += 2 {
		key := m.Content[i]
		if key.Kind != yaml.ScalarNode || key.Column != m.Content[0].Column || seen[key.Value] ||
			strings.TrimLeft(s.lines[key.Line-1][:key.Column-1], " ") != "" {
			return nil
		}
		seen[key.Value] = true
		if len(out) > 0 {
			out[len(out)-1].to = key.Line
		}
		out = append(out, entry{key, m.Content[i+1], key.Line, end})
	}
	return out
}

func (s splicer) entry(e entry, value *yaml.Node, indent int) (string, bool) {
	if same(e.value, value) {
		return s.text(e.from, e.to), true
	}
	if block(e.value) && value.Kind == yaml.MappingNode && len(value.Content) > 0 && e.value.Line > e.key.Line {
		first := e.value.Content[0].Line
		rest, ok := s.mapping(e.value, value, first, e.to)
		return s.text(e.from, first) + rest, ok
	}
	text, ok := render(e.key, value, indent)
	return text + s.tail(e, indent), ok
}

// tail is what stands between the end of an entry's value and the next key:
// blank lines, and comments that are not indented deeper than the key.
func (s splicer) tail(e entry, indent int) string {
	from := e.to
	for from > e.from+1 {
		line := s.lines[from-2]
		trimmed := strings.TrimLeft(line, " ")
		if trimmed != "\n" && (trimmed[0] != '#' || len(line)-len(trimmed) > indent) {
			break
		}
		from--
	}
	return s.text(from, e.to)
}

// block reports whether n is a mapping with entries, written over lines.
func block(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 && n.Anchor == ""
}

// lookup returns the value of a key of m itself, merged mappings aside.
func lookup(m *yaml.Node, key string) *yaml.Node {
	for i := len(m.Content) - 2; i >= 0; i -= 2 {
		if m.Content[i].Value == key {
			return m.Content[i+1]
		}
	}
	return nil
}

// render writes one entry at an indentation. Comments that belong to the key
// stand in the text already.
func render(key, value *yaml.Node, indent int) (string, bool) {
	bare := *key
	bare.HeadComment, bare.FootComment = "", ""
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{&bare, value}})
	if err != nil || enc.Close() != nil {
		return "", false
	}
	pad := strings.Repeat(" ", indent)
	var out strings.Builder
	for line := range strings.Lines(b.String()) {
		if line != "\n" {
			out.WriteString(pad)
		}
		out.WriteString(line)
	}
	return out.String(), true
}

// same reports whether two trees hold the same values, typed the same way as
// far as a reader can tell. Comments and places do not count.
func same(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || a.Anchor != b.Anchor || len(a.Content) != len(b.Content) {
		return false
	}
	switch a.Kind {
	case yaml.AliasNode:
		return a.Value == b.Value
	case yaml.ScalarNode:
		x, errX := yaml11.Decode(a)
		y, errY := yaml11.Decode(b)
		if (errX == nil) != (errY == nil) || x.Kind != y.Kind {
			return false
		}
		return a.Value == b.Value || x.Kind == yaml11.Null
	}
	for i := range a.Content {
		if !same(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
