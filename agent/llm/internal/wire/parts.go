package wire

import (
	"encoding/base64"
	"encoding/json"

	"hermes/agent/llm"
)

// ImageURL is an image as a URL: its own, or one that holds its bytes.
func ImageURL(m *llm.Image) string {
	if len(m.Data) == 0 {
		return m.URL
	}
	return "data:" + MIME(m) + ";base64," + base64.StdEncoding.EncodeToString(m.Data)
}

// MIME is the image's type, PNG when it names none.
func MIME(m *llm.Image) string {
	if m.MIME == "" {
		return "image/png"
	}
	return m.MIME
}

// CacheControl is the mark up to which a service keeps a request's beginning.
func CacheControl(ttl string) string {
	if ttl == "1h" {
		return `{"type":"ephemeral","ttl":"1h"}`
	}
	return `{"type":"ephemeral"}`
}

// CacheMarks says which messages carry a mark: the system message and the last
// three others that have content (contract/core §1.13).
func CacheMarks(ms []llm.Message) map[int]bool {
	marks := map[int]bool{}
	if len(ms) > 0 && ms[0].Role == llm.RoleSystem {
		marks[0] = true
	}
	for i, n := len(ms)-1, 0; i >= 0 && n < 3; i-- {
		if ms[i].Role != llm.RoleSystem && (ms[i].Content != "" || ms[i].APIContent != "" || len(ms[i].Parts) > 0) {
			marks[i] = true
			n++
		}
	}
	return marks
}

// WithoutPatterns is t without regular expressions and formats in its schema,
// which some local servers cannot turn into a grammar.
func WithoutPatterns(t llm.ToolDef) llm.ToolDef {
	strip := func(raw json.RawMessage) json.RawMessage {
		var v any
		if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
			return raw
		}
		dropPatterns(v)
		out, err := json.Marshal(v)
		if err != nil {
			return raw
		}
		return out
	}
	t.Parameters, t.Schema = strip(t.Parameters), strip(t.Schema)
	return t
}

func dropPatterns(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			dropPatterns(e)
		}
	case map[string]any:
		if _, isText := v["type"].(string); isText {
			delete(v, "pattern")
			delete(v, "format")
		}
		for _, e := range v {
			dropPatterns(e)
		}
	}
}

// ParametersOf is the JSON Schema of a tool's arguments.
func ParametersOf(t llm.ToolDef) json.RawMessage {
	if len(t.Schema) > 0 {
		var whole struct {
			Parameters json.RawMessage `json:"parameters"`
		}
		if json.Unmarshal(t.Schema, &whole) == nil && len(whole.Parameters) > 0 {
			return whole.Parameters
		}
	}
	if len(t.Parameters) > 0 {
		return t.Parameters
	}
	return json.RawMessage(`{"type":"object","properties":{}}`)
}

// DescriptionOf is a tool's description.
func DescriptionOf(t llm.ToolDef) string {
	if t.Description != "" || len(t.Schema) == 0 {
		return t.Description
	}
	var whole struct {
		Description text `json:"description"`
	}
	if json.Unmarshal(t.Schema, &whole) != nil {
		return ""
	}
	return string(whole.Description)
}
