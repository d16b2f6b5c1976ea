package openai

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// carries lists what of a request the service can refuse by name.
func (c *Client) carries(r llm.Request) []string {
	e := encoder{c: c, r: r, left: c.left.All(), schema: c.bySchema(r) && !c.left.Has("response_format")}
	names := []string{"stream_options", "stream", wire.ToolName}
	if len(r.Tools) > 0 && !e.schema {
		if r.ToolChoice != "" {
			names = append(names, "tool_choice")
		}
		names = append(names, "tools")
		for _, t := range r.Tools {
			if bytes.Contains(t.Schema, []byte(`"pattern"`)) || bytes.Contains(t.Parameters, []byte(`"pattern"`)) ||
				bytes.Contains(t.Schema, []byte(`"format"`)) || bytes.Contains(t.Parameters, []byte(`"format"`)) {
				names = append(names, wire.Patterns)
				break
			}
		}
	}
	if c.maxTokens(r) > 0 {
		names = append(names, "max_tokens")
	}
	if c.profile.cache {
		names = append(names, "cache_control")
	}
	for _, m := range r.Messages {
		names = append(names, c.carriedBy(m)...)
	}
	return append(names, slices.Sorted(maps.Keys(e.extras()))...)
}

func (c *Client) carriedBy(m llm.Message) (names []string) {
	switch m.Role {
	case llm.RoleSystem:
		names = append(names, wire.System)
	case llm.RoleAssistant:
		if c.profile.replayReasoning {
			names = append(names, wire.Reasoning)
		} else {
			names = append(names, wire.Thoughts)
		}
		if ofThisKind(m.ReasoningDetails) {
			names = append(names, "reasoning_details")
		}
		if len(m.ToolCalls) > 0 {
			names = append(names, wire.CallIDs)
		}
	}
	for _, p := range m.Parts {
		if p.Image != nil {
			names = append(names, wire.Images)
		}
	}
	return names
}

// ofThisKind reports whether details are those of a chat completion: thinking
// blocks and reasoning items belong to other protocols.
func ofThisKind(details json.RawMessage) bool {
	var list []struct {
		Type string `json:"type"`
	}
	if len(details) == 0 || json.Unmarshal(details, &list) != nil || len(list) == 0 {
		return false
	}
	switch list[0].Type {
	case "thinking", "redacted_thinking", "reasoning":
		return false
	}
	return true
}

// withoutSystem moves the system messages into the first message of the user,
// for models whose template has no such role.
func withoutSystem(ms []llm.Message) []llm.Message {
	var system []string
	out := make([]llm.Message, 0, len(ms))
	for _, m := range ms {
		if m.Role == llm.RoleSystem {
			system = append(system, strings.TrimSpace(m.Content))
			continue
		}
		out = append(out, m)
	}
	if len(system) == 0 {
		return ms
	}
	head := strings.Join(system, "\n\n")
	for i := range out {
		if m := &out[i]; m.Role == llm.RoleUser {
			text := m.Content
			if m.APIContent != "" {
				text = m.APIContent
			}
			m.APIContent = head + "\n\n" + text
			if len(m.Parts) > 0 {
				m.Parts = append([]llm.Part{{Text: head}}, m.Parts...)
			}
			return out
		}
	}
	return append([]llm.Message{{Role: llm.RoleUser, Content: head}}, out...)
}
