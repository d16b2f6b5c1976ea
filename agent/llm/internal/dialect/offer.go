package dialect

import (
	"encoding/json"
	"strings"

	"hermes/agent/llm"
)

// Offer is the tools of a request, by the names that models give them.
type Offer struct{ tools []llm.ToolDef }

// NewOffer returns the offer of tools.
func NewOffer(tools []llm.ToolDef) *Offer { return &Offer{tools} }

// find returns the name under which a tool was offered. Models put a
// namespace before it, number it, or change its case.
func (o *Offer) find(name string) (string, bool) {
	name = strings.TrimSpace(name)
	for _, n := range []string{name, bare(name)} {
		for i := range o.tools {
			if o.tools[i].Name == n {
				return n, true
			}
		}
	}
	n := same(bare(name))
	for i := range o.tools {
		if n != "" && same(o.tools[i].Name) == n {
			return o.tools[i].Name, true
		}
	}
	return "", false
}

// bare takes a namespace and a number off.
func bare(name string) string {
	for _, p := range []string{"functions.", "function.", "tools.", "default_api."} {
		name = strings.TrimPrefix(name, p)
	}
	if i := strings.LastIndexByte(name, ':'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return name
}

func same(name string) string { return strings.ReplaceAll(strings.ToLower(name), "-", "_") }

// isText reports whether the schema wants a text for a parameter, so that one
// that looks like a number stays what it is.
func (o *Offer) isText(tool, param string) bool {
	for _, t := range o.tools {
		if t.Name != tool {
			continue
		}
		raw := t.Parameters
		if len(t.Schema) > 0 {
			var whole struct {
				Parameters json.RawMessage `json:"parameters"`
			}
			if json.Unmarshal(t.Schema, &whole) == nil && len(whole.Parameters) > 0 {
				raw = whole.Parameters
			}
		}
		var schema struct {
			Properties map[string]struct {
				Type any `json:"type"`
			} `json:"properties"`
		}
		if json.Unmarshal(raw, &schema) != nil {
			return false
		}
		return schema.Properties[param].Type == "string"
	}
	return false
}

// call makes a call of a name and arguments, when the tool was offered.
func (o *Offer) call(name, args string) (Call, bool) {
	found, ok := o.find(name)
	return Call{Name: found, Arguments: args}, ok
}

// param is one argument that came as text between tags.
type param struct {
	name, value string
	text        bool // the model says that it is a text
}

// object is the JSON of params: values that the schema wants as texts stay
// texts, others are what they look like.
func (o *Offer) object(tool string, params []param) string {
	var b strings.Builder
	b.WriteByte('{')
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(p.name))
		b.WriteByte(':')
		trimmed := strings.TrimSpace(p.value)
		if !p.text && !o.isText(tool, p.name) && trimmed != "" && json.Valid([]byte(trimmed)) {
			b.WriteString(trimmed)
		} else {
			b.Write(quote(p.value))
		}
	}
	b.WriteByte('}')
	return b.String()
}

func quote(s string) []byte {
	b, err := json.Marshal(strings.ToValidUTF8(s, "\ufffd"))
	if err != nil {
		return []byte(`""`) // a string always encodes
	}
	return b
}
