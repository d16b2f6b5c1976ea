package openai

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"hermes/agent/llm"
)

// encode renders the body. Key order is fixed and nothing is escaped without
// need, so that two requests of a session share the longest possible prefix
// and the service's prompt cache hits (contract/core §1.1 rule 5; shape:
// contract/core-observed §1).
func (c *Client) encode(r llm.Request) []byte {
	b := make([]byte, 0, sizeHint(r))
	b = append(b, `{"model":`...)
	b = appendString(b, c.cfg.Model)
	b = append(b, `,"messages":[`...)
	for i, m := range r.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = c.appendMessage(b, m)
	}
	b = append(b, ']')
	if len(r.Tools) > 0 {
		b = append(b, `,"tools":[`...)
		for i, t := range r.Tools {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendTool(b, t)
		}
		b = append(b, ']')
	}
	if n := c.maxTokens(r); n > 0 {
		b = append(b, `,"max_tokens":`...)
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if !r.Plain {
		b = append(b, `,"stream":true,"stream_options":{"include_usage":true}`...)
	}
	return append(c.appendExtras(b), '}')
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

// appendExtras adds what only some services or users want, keys sorted.
func (c *Client) appendExtras(b []byte) []byte {
	extra := map[string]any{}
	if e := c.profile.effort(c.cfg.ReasoningEffort); e != "" {
		if e == "none" && c.profile.thinking {
			extra["thinking"] = map[string]string{"type": "disabled"}
		} else {
			extra["reasoning_effort"] = e
			if c.profile.thinking {
				extra["thinking"] = map[string]string{"type": "enabled"}
			}
		}
	}
	for k, v := range c.cfg.ExtraBody {
		extra[k] = v
	}
	keys := make([]string, 0, len(extra))
	for k := range extra {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		v, err := json.Marshal(extra[k])
		if err != nil {
			continue // configuration comes from YAML; what JSON cannot say is left out
		}
		b = append(b, ',')
		b = appendString(b, k)
		b = append(b, ':')
		b = append(b, v...)
	}
	return b
}

func (c *Client) appendMessage(b []byte, m llm.Message) []byte {
	content := m.Content
	if m.APIContent != "" {
		content = m.APIContent
	}
	content = strings.TrimSpace(content)
	b = append(b, `{"role":`...)
	b = appendString(b, m.Role)
	if m.Role == llm.RoleTool && m.Name != "" {
		b = append(b, `,"name":`...)
		b = appendString(b, m.Name)
	}
	b = append(b, `,"content":`...)
	b = appendString(b, content)
	switch m.Role {
	case llm.RoleAssistant:
		b = c.appendAssistant(b, m)
	case llm.RoleTool:
		b = append(b, `,"tool_call_id":`...)
		b = appendString(b, m.ToolCallID)
	}
	return append(b, '}')
}

func (c *Client) appendAssistant(b []byte, m llm.Message) []byte {
	if c.profile.replayReasoning {
		r := m.Reasoning
		if strings.TrimSpace(r) == "" {
			r = " " // an empty string is refused
		}
		b = append(b, `,"reasoning_content":`...)
		b = appendString(b, r)
	}
	if len(m.ReasoningDetails) > 0 {
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
		b = appendString(b, call.ID)
		b = append(b, `,"type":"function","function":{"name":`...)
		b = appendString(b, call.Name)
		b = append(b, `,"arguments":`...)
		b = appendString(b, canonical(call.Arguments))
		b = append(b, "}}"...)
	}
	return append(b, ']')
}

func appendTool(b []byte, t llm.ToolDef) []byte {
	b = append(b, `{"type":"function","function":`...)
	if len(t.Schema) > 0 {
		b = append(b, t.Schema...)
		return append(b, '}')
	}
	b = append(b, `{"name":`...)
	b = appendString(b, t.Name)
	b = append(b, `,"description":`...)
	b = appendString(b, t.Description)
	b = append(b, `,"parameters":`...)
	if len(t.Parameters) > 0 {
		b = append(b, t.Parameters...)
	} else {
		b = append(b, `{"type":"object","properties":{}}`...)
	}
	return append(b, "}}"...)
}

// appendString appends s as a JSON string with nothing escaped without need.
// Bytes that are no UTF-8 become U+FFFD: services refuse a body with them. It
// is written out because a long conversation is encoded at every request.
func appendString(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.Map(func(r rune) rune { return r }, s) // U+FFFD for each broken byte
	}
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b = append(b, s[from:i]...)
			b = appendEscape(b, c)
			from = i + 1
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
