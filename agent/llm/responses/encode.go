package responses

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// thoughtsAsked asks for the model's thoughts in a form that can be sent back.
const thoughtsAsked = "reasoning.encrypted_content"

// encoder renders one body.
type encoder struct {
	c    *Client
	r    llm.Request
	left map[string]bool // what the service refused
}

// encode renders the body. Key order is fixed, for the prompt cache.
func (c *Client) encode(r llm.Request) []byte {
	return (&encoder{c: c, r: r, left: c.left.All()}).body()
}

func (e *encoder) body() []byte {
	b := append(make([]byte, 0, 64<<10), `{"model":`...)
	b = wire.AppendString(b, e.c.cfg.Model)
	if s := system(e.r.Messages); s != "" {
		b = append(b, `,"instructions":`...)
		b = wire.AppendString(b, s)
	}
	b = append(b, `,"input":[`...)
	b = e.appendInput(b)
	b = append(b, ']')
	if len(e.r.Tools) > 0 && !e.left["tools"] {
		b = e.appendTools(b)
	}
	if n := e.cap(); n > 0 && !e.left["max_output_tokens"] {
		b = append(b, `,"max_output_tokens":`...)
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if !e.left["store"] {
		b = append(b, `,"store":false`...)
	}
	if !e.r.Plain && !e.left["stream"] {
		b = append(b, `,"stream":true`...)
	}
	extra := e.extras()
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		v, err := json.Marshal(extra[k])
		if err != nil {
			continue // configuration comes from YAML; what JSON cannot say is left out
		}
		b = append(b, ',')
		b = wire.AppendString(b, k)
		b = append(b, ':')
		b = append(b, v...)
	}
	return append(b, '}')
}

func (e *encoder) cap() int {
	if e.r.MaxTokens != 0 {
		return e.r.MaxTokens
	}
	return e.c.cfg.MaxTokens
}

func system(ms []llm.Message) string {
	var out []string
	for _, m := range ms {
		if m.Role == llm.RoleSystem {
			out = append(out, wire.Content(m.Content))
		}
	}
	return strings.Join(out, "\n\n")
}

// extras are the keys that only some models or users want.
func (e *encoder) extras() map[string]any {
	extra := map[string]any{}
	effort := e.r.Effort
	if effort == "" {
		effort = e.c.cfg.ReasoningEffort
	}
	if e.c.reasons {
		extra["include"] = []string{thoughtsAsked}
		reasoning := map[string]any{"summary": "auto"}
		if effort != "" {
			reasoning["effort"] = capped(effort)
		}
		extra["reasoning"] = reasoning
	}
	if e.r.Session != "" {
		extra["prompt_cache_key"] = e.r.Session
	}
	if e.r.Temperature != nil && !e.c.reasons { // a model that thinks takes none
		extra["temperature"] = *e.r.Temperature
	}
	for k, v := range e.c.cfg.ExtraBody {
		extra[k] = v
	}
	for k := range extra {
		if e.left[k] {
			delete(extra, k)
		}
	}
	return extra
}

func capped(effort string) string {
	switch effort {
	case "max", "ultra":
		return "xhigh"
	}
	return effort
}

// carries lists what of a request the service can refuse by name.
func (c *Client) carries(r llm.Request) []string {
	e := &encoder{c: c, r: r, left: c.left.All()}
	names := []string{"stream", "store"}
	if len(r.Tools) > 0 {
		names = append(names, "tools")
		if r.ToolChoice != "" {
			names = append(names, "tool_choice")
		}
	}
	if e.cap() > 0 {
		names = append(names, "max_output_tokens")
	}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Image != nil {
				names = append(names, wire.Images)
			}
		}
	}
	return append(names, slices.Sorted(maps.Keys(e.extras()))...)
}

func (e *encoder) appendTools(b []byte) []byte {
	b = append(b, `,"tools":[`...)
	for i, t := range e.r.Tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":"function","name":`...)
		b = wire.AppendString(b, t.Name)
		b = append(b, `,"description":`...)
		b = wire.AppendString(b, wire.DescriptionOf(t))
		b = append(b, `,"parameters":`...)
		b = append(b, wire.ParametersOf(t)...)
		b = append(b, `,"strict":false}`...) // the default here, unlike in chat completions, is true
	}
	b = append(b, ']')
	switch choice := e.r.ToolChoice; choice {
	case "":
		return b
	case llm.ChoiceAuto, llm.ChoiceNone, llm.ChoiceRequired:
		b = append(b, `,"tool_choice":`...)
		return wire.AppendString(b, choice)
	default:
		b = append(b, `,"tool_choice":{"type":"function","name":`...)
		return append(wire.AppendString(b, choice), '}')
	}
}

// appendInput renders the messages as items.
func (e *encoder) appendInput(b []byte) []byte {
	first := true
	item := func(raw []byte) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, raw...)
	}
	for _, m := range e.r.Messages {
		text := m.Content
		if m.APIContent != "" {
			text = m.APIContent
		}
		text = wire.Content(text)
		switch m.Role {
		case llm.RoleUser:
			item(e.user(m, text))
		case llm.RoleAssistant:
			if !e.left["include"] {
				for _, raw := range thoughts(m.ReasoningDetails) {
					item(raw)
				}
			}
			if text != "" {
				o := append([]byte(nil), `{"type":"message","role":"assistant","content":[{"type":"output_text","text":`...)
				item(append(wire.AppendString(o, text), "}]}"...))
			}
			for _, c := range m.ToolCalls {
				item(call(c))
			}
		case llm.RoleTool:
			o := append([]byte(nil), `{"type":"function_call_output","call_id":`...)
			o = wire.AppendString(o, m.ToolCallID)
			o = append(o, `,"output":`...)
			item(append(wire.AppendString(o, text), '}'))
		}
	}
	return b
}

func (e *encoder) user(m llm.Message, text string) []byte {
	b := append([]byte(nil), `{"type":"message","role":"user","content":[`...)
	parts := m.Parts
	if len(parts) == 0 {
		parts = []llm.Part{{Text: text}}
	}
	n := 0
	for _, p := range parts {
		if p.Image != nil && e.left[wire.Images] {
			continue
		}
		if n > 0 {
			b = append(b, ',')
		}
		n++
		if p.Image != nil {
			b = append(b, `{"type":"input_image","image_url":`...)
			b = wire.AppendString(b, wire.ImageURL(p.Image))
		} else {
			b = append(b, `{"type":"input_text","text":`...)
			b = wire.AppendString(b, wire.Content(p.Text))
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

func call(c llm.ToolCall) []byte {
	b := append([]byte(nil), `{"type":"function_call","call_id":`...)
	b = wire.AppendString(b, c.ID)
	b = append(b, `,"name":`...)
	b = wire.AppendString(b, c.Name)
	b = append(b, `,"arguments":`...)
	b = wire.AppendString(b, wire.Canonical(c.Arguments))
	return append(b, '}')
}

// thoughts are the encrypted reasoning items of an earlier answer. Their ids
// are left out: with store: false the service knows none of them.
func thoughts(details json.RawMessage) [][]byte {
	var list []map[string]json.RawMessage
	if len(details) == 0 || json.Unmarshal(details, &list) != nil {
		return nil
	}
	var out [][]byte
	for _, item := range list {
		if string(item["type"]) != `"reasoning"` || len(item["encrypted_content"]) < 3 {
			continue
		}
		b := append([]byte(nil), `{"type":"reasoning","summary":`...)
		if s := item["summary"]; len(s) > 0 && s[0] == '[' {
			b = append(b, s...)
		} else {
			b = append(b, "[]"...)
		}
		b = append(b, `,"encrypted_content":`...)
		b = append(b, item["encrypted_content"]...)
		out = append(out, append(b, '}'))
	}
	return out
}
