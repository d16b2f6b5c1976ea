// Package skill finds the skills on disk, reads them and says which of them
// suit the conversation (contract/core §9). A skill is a folder with a
// SKILL.md; nothing of it runs here.
package skill

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"hermes/agent/config/yaml11"
)

// Document is a SKILL.md taken apart.
type Document struct {
	// Text is the whole file: UTF-8, LF line ends, a byte order mark kept.
	Text string
	// Meta is the front matter, a mapping; empty when there is none.
	Meta yaml11.Value
	// Body is what follows the front matter.
	Body string
	// Problem says what is wrong with the front matter and in which line;
	// empty when nothing is. The skill stays usable: what could be read of it
	// is in Meta.
	Problem string

	unclosed bool
}

// Unclosed reports whether the line that ends the front matter is missing.
func (d Document) Unclosed() bool { return d.unclosed }

// Field is a single value of the front matter as it was typed, empty for none.
func (d Document) Field(name string) string { return text(at(d.Meta, name)) }

// closing is the line that ends the front matter.
var closing = regexp.MustCompile(`\n---[ \t]*(\n|$)`)

// Parse reads the text of a SKILL.md. It never fails: what is broken in the
// front matter is told in Problem, and the skill goes by the name of its folder.
func Parse(data []byte) Document {
	text := strings.ToValidUTF8(string(data), "\uFFFD")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	d := Document{Text: text, Meta: yaml11.Value{Kind: yaml11.Map}}
	plain := strings.TrimPrefix(text, "\uFEFF")
	d.Body = plain
	if !strings.HasPrefix(plain, "---") {
		return d
	}
	at := closing.FindStringIndex(plain[len("---"):])
	if at == nil {
		d.unclosed = true
		d.Problem = "front matter that begins on line 1 is not closed by a line ---"
		return d
	}
	head := plain[len("---") : len("---")+at[0]]
	d.Body = plain[len("---")+at[1]:]
	d.Meta, d.Problem = parseHead(head)
	return d
}

// parseHead reads the YAML between the marks. Line 1 of head is the line of the
// opening mark, so that lines count as in the file.
func parseHead(head string) (yaml11.Value, string) {
	empty := yaml11.Value{Kind: yaml11.Map}
	node, err := yaml11.Parse("SKILL.md", []byte(head))
	if err == nil && node == nil {
		return empty, ""
	}
	var v yaml11.Value
	if err == nil {
		v, err = yaml11.Decode(node)
	}
	if err != nil {
		return byLine(head), problem(err)
	}
	if v.Kind != yaml11.Map {
		return empty, fmt.Sprintf("front matter is %s, not a mapping, on line %d", v.Kind, v.Line)
	}
	return v, ""
}

func problem(err error) string {
	var y *yaml11.Error
	if errors.As(err, &y) {
		if y.Line > 0 {
			return fmt.Sprintf("front matter is no YAML on line %d: %s", y.Line, y.Reason)
		}
		return "front matter is no YAML: " + y.Reason
	}
	return "front matter is no YAML: " + err.Error()
}

// byLine takes what can be had of front matter that is no YAML: each line that
// looks like "key: value" counts as one entry of text.
func byLine(head string) yaml11.Value {
	v := yaml11.Value{Kind: yaml11.Map}
	for i, line := range strings.Split(head, "\n") {
		key, value, ok := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if !ok || key == "" || strings.HasPrefix(key, "#") {
			continue
		}
		v.Pairs = append(v.Pairs, yaml11.Pair{
			Key:   yaml11.Value{Kind: yaml11.Str, Text: key, Line: i + 1},
			Value: yaml11.Value{Kind: yaml11.Str, Text: strings.TrimSpace(value), Line: i + 1},
		})
	}
	return v
}

// at follows path through nested mappings.
func at(v yaml11.Value, path ...string) yaml11.Value {
	for _, name := range path {
		next, ok := v.Get(name)
		if !ok {
			return yaml11.Value{}
		}
		v = next
	}
	return v
}

// text is a single value as it was typed, without space around it.
func text(v yaml11.Value) string {
	if v.Kind == yaml11.Null || v.Kind >= yaml11.List {
		return ""
	}
	return strings.TrimSpace(v.Text)
}

// list reads a list of texts. One value, or several with commas between them,
// counts as a list too, since authors write both.
func list(v yaml11.Value) []string {
	out := []string{}
	add := func(s string) {
		if s = strings.Trim(strings.TrimSpace(s), `"'`); s != "" {
			out = append(out, s)
		}
	}
	if v.Kind != yaml11.List {
		for _, s := range strings.Split(strings.Trim(text(v), "[]"), ",") {
			add(s)
		}
		return out
	}
	for _, it := range v.Items {
		add(text(it))
	}
	return out
}
