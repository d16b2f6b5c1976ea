package openai

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// encode renders the body. Key order is fixed and nothing is escaped without
// need, so that two requests of a session share the longest possible prefix
// and the service's prompt cache hits (contract/core §1.1 rule 5; shape:
// contract/core-observed §1).
func (c *Client) encode(r llm.Request) []byte {
	e := encoder{c: c, r: r, left: c.left.All()}
	if c.bySchema(r) && !e.left["response_format"] {
		e.schema = true
		e.r.Messages = schemaMessages(r)
	}
	if e.left[wire.System] {
		e.r.Messages = withoutSystem(e.r.Messages)
	}
	if c.profile.cache && !e.left["cache_control"] {
		e.marks = wire.CacheMarks(e.r.Messages)
	}
	return e.body()
}

// encoder renders one body.
type encoder struct {
	c      *Client
	r      llm.Request
	left   map[string]bool // what the service refused
	schema bool            // a schema holds the answer, in place of tools
	marks  map[int]bool    // messages that carry cache_control
}

func (e *encoder) body() []byte {
	r := e.r
	b := make([]byte, 0, sizeHint(r))
	b = append(b, `{"model":`...)
	b = wire.AppendString(b, e.c.cfg.Model)
	b = append(b, `,"messages":[`...)
	for i, m := range r.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = e.appendMessage(b, m, e.marks[i])
	}
	b = append(b, ']')
	if len(r.Tools) > 0 && !e.schema && !e.left["tools"] {
		b = e.appendTools(b)
	}
	if n := e.c.maxTokens(r); n > 0 {
		name := `,"max_tokens":`
		if e.c.profile.newCap || e.left["max_tokens"] {
			name = `,"max_completion_tokens":`
		}
		b = append(b, name...)
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if !r.Plain && !e.left["stream"] {
		b = append(b, `,"stream":true`...)
		if !e.left["stream_options"] {
			b = append(b, `,"stream_options":{"include_usage":true}`...)
		}
	}
	return append(e.appendExtras(b), '}')
}

func (e *encoder) appendTools(b []byte) []byte {
	b = append(b, `,"tools":[`...)
	for i, t := range e.r.Tools {
		if i > 0 {
			b = append(b, ',')
		}
		if e.left[wire.Patterns] {
			t = wire.WithoutPatterns(t)
		}
		b = appendTool(b, t)
	}
	b = append(b, ']')
	switch choice := e.r.ToolChoice; choice {
	case "":
		return b
	case llm.ChoiceAuto, llm.ChoiceNone, llm.ChoiceRequired:
		b = append(b, `,"tool_choice":`...)
		return wire.AppendString(b, choice)
	default:
		b = append(b, `,"tool_choice":{"type":"function","function":{"name":`...)
		return append(wire.AppendString(b, choice), "}}"...)
	}
}

// sizeHint is about how long the body will be, in bytes.
func sizeHint(r llm.Request) int {
	n := 4 << 10
	for _, m := range r.Messages {
		n += len(m.Content) + len(m.APIContent) + len(m.Reasoning) + 200
		n += len(m.Content) / 16 // escapes
		for _, c := range m.ToolCalls {
			n += len(c.Arguments) + 150
		}
	}
	for _, t := range r.Tools {
		n += len(t.Schema) + len(t.Parameters) + len(t.Description) + 100
	}
	return n
}

func (c *Client) maxTokens(r llm.Request) int {
	if r.MaxTokens != 0 {
		return r.MaxTokens
	}
	return c.cfg.MaxTokens
}

// extras are the keys that only some services or users want.
func (e *encoder) extras() map[string]any {
	extra := map[string]any{}
	effort := e.r.Effort
	if effort == "" {
		effort = e.c.cfg.ReasoningEffort
	}
	e.c.profile.reason(extra, effort)
	if e.c.cfg.OllamaNumCtx > 0 {
		extra["options"] = map[string]any{"num_ctx": e.c.cfg.OllamaNumCtx}
	}
	if e.c.profile.session && e.r.Session != "" {
		extra["session_id"] = e.r.Session
	}
	if e.schema {
		extra["response_format"] = responseFormat(e.r)
		extra["temperature"] = 0
	}
	if e.r.Temperature != nil {
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

// appendExtras adds the extras, keys sorted.
func (e *encoder) appendExtras(b []byte) []byte {
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
	return b
}

func (e *encoder) appendMessage(b []byte, m llm.Message, mark bool) []byte {
	role := m.Role
	if role == llm.RoleSystem && e.c.profile.developer {
		role = "developer"
	}
	b = append(b, `{"role":`...)
	b = wire.AppendString(b, role)
	if m.Role == llm.RoleTool && m.Name != "" && !e.left[wire.ToolName] {
		b = append(b, `,"name":`...)
		b = wire.AppendString(b, m.Name)
	}
	b = append(b, `,"content":`...)
	b = e.appendContent(b, m, mark)
	switch m.Role {
	case llm.RoleAssistant:
		b = e.appendAssistant(b, m)
	case llm.RoleTool:
		b = append(b, `,"tool_call_id":`...)
		b = wire.AppendString(b, e.callID(m.ToolCallID))
	}
	return append(b, '}')
}

// appendContent renders a content: a text where that is enough, which every
// service takes, else parts.
func (e *encoder) appendContent(b []byte, m llm.Message, mark bool) []byte {
	text := m.Content
	if m.APIContent != "" {
		text = m.APIContent
	}
	text = wire.Content(text)
	parts := m.Parts
	if e.left[wire.Images] {
		parts = nil
	}
	if len(parts) == 0 && (!mark || text == "") {
		return wire.AppendString(b, text)
	}
	if len(parts) == 0 {
		parts = []llm.Part{{Text: text}}
	}
	b = append(b, '[')
	for i, p := range parts {
		if i > 0 {
			b = append(b, ',')
		}
		if p.Image != nil {
			b = append(b, `{"type":"image_url","image_url":{"url":`...)
			b = wire.AppendString(b, wire.ImageURL(p.Image))
			b = append(b, '}')
		} else {
			b = append(b, `{"type":"text","text":`...)
			b = wire.AppendString(b, wire.Content(p.Text))
		}
		if mark && i == len(parts)-1 {
			b = append(b, `,"cache_control":`...)
			b = append(b, wire.CacheControl(e.c.cfg.CacheTTL)...)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}

func (e *encoder) appendAssistant(b []byte, m llm.Message) []byte {
	if (e.c.profile.replayReasoning || e.left[wire.Thoughts]) && !e.left[wire.Reasoning] {
		r := m.Reasoning
		if strings.TrimSpace(r) == "" {
			r = " " // an empty string is refused
		}
		b = append(b, `,"reasoning_content":`...)
		b = wire.AppendString(b, r)
	}
	if ofThisKind(m.ReasoningDetails) && !e.left["reasoning_details"] {
		b = append(b, `,"reasoning_details":`...)
		b = append(b, m.ReasoningDetails...)
	}
	if len(m.ToolCalls) == 0 {
		return b
	}
	b = append(b, `,"tool_calls":[`...)
	for i, call := range m.ToolCalls {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":`...)
		b = wire.AppendString(b, e.callID(call.ID))
		b = append(b, `,"type":"function","function":{"name":`...)
		b = wire.AppendString(b, call.Name)
		b = append(b, `,"arguments":`...)
		b = wire.AppendString(b, wire.Canonical(call.Arguments))
		b = append(b, "}}"...)
	}
	return append(b, ']')
}

// callID is an id as the service takes it. Mistral's takes nine letters and
// digits; what other services gave is turned into such.
func (e *encoder) callID(id string) string {
	if !e.c.profile.nineIDs && !e.left[wire.CallIDs] {
		return id
	}
	if len(id) == 9 && strings.Trim(id, alnum) == "" {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	out := make([]byte, 9)
	for i := range out {
		out[i] = alnum[int(sum[i])%len(alnum)]
	}
	return string(out)
}

const alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

func appendTool(b []byte, t llm.ToolDef) []byte {
	b = append(b, `{"type":"function","function":`...)
	if len(t.Schema) > 0 {
		b = append(b, t.Schema...)
		return append(b, '}')
	}
	b = append(b, `{"name":`...)
	b = wire.AppendString(b, t.Name)
	b = append(b, `,"description":`...)
	b = wire.AppendString(b, t.Description)
	b = append(b, `,"parameters":`...)
	if len(t.Parameters) > 0 {
		b = append(b, t.Parameters...)
	} else {
		b = append(b, `{"type":"object","properties":{}}`...)
	}
	return append(b, "}}"...)
}
