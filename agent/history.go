package agent

import (
	"encoding/json"

	"hermes/agent/hook"
	"hermes/agent/llm"
)

// shownMessage is a message as hooks get it: the keys and their order are
// those of the reference's history in memory (contract/core §1.1).
type shownMessage struct {
	Role       string `json:"role"`
	Name       string `json:"name,omitempty"`
	ToolName   string `json:"tool_name,omitempty"` // the same again
	Content    string `json:"content"`
	APIContent string `json:"api_content,omitempty"`
	// Reasoning is a text; null in an assistant's message without any, and
	// left out in others.
	Reasoning        any             `json:"reasoning,omitempty"`
	FinishReason     string          `json:"finish_reason,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCalls        []shownCall     `json:"tool_calls,omitempty"`
	ToolCallID       string          `json:"tool_call_id,omitempty"`
}

type shownCall struct {
	ID       string        `json:"id"`
	Type     string        `json:"type"`
	Function shownFunction `json:"function"`
}

type shownFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// historyJSON renders messages as hooks get them.
func historyJSON(msgs []llm.Message) json.RawMessage {
	out := make([]shownMessage, len(msgs))
	for i, m := range msgs {
		out[i] = shownMessage{
			Role: m.Role, Name: m.Name, ToolName: m.Name, Content: m.Content, APIContent: m.APIContent,
			FinishReason: m.FinishReason, ReasoningDetails: m.ReasoningDetails, ToolCallID: m.ToolCallID,
		}
		if m.Role == llm.RoleAssistant {
			out[i].Reasoning = json.RawMessage("null")
		}
		if m.Reasoning != "" {
			out[i].Reasoning = m.Reasoning
		}
		for _, c := range m.ToolCalls {
			out[i].ToolCalls = append(out[i].ToolCalls, shownCall{c.ID, "function", shownFunction{c.Name, c.Arguments}})
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return json.RawMessage("[]") // only broken reasoning details could do that
	}
	return b
}

// takeEdits takes over the texts that callbacks wrote into the messages of the
// history in place: the reference hands its live messages out, in a list of
// their own (contract/plugins §6.1). So only texts count. Messages that were
// added to the list do not; where it does not begin with the same messages,
// nothing does.
func (s *session) takeEdits(out hook.Outcome) {
	var edited []struct {
		Role       string          `json:"role"`
		Content    json.RawMessage `json:"content"`
		APIContent json.RawMessage `json:"api_content"`
	}
	changed := out.Changed["conversation_history"]
	if len(changed) == 0 || json.Unmarshal(changed, &edited) != nil || len(edited) < len(s.history) {
		return
	}
	for i, m := range s.history {
		if edited[i].Role != m.Role {
			return
		}
	}
	for i := range s.history {
		takeText(&s.history[i].Content, edited[i].Content)
		takeText(&s.history[i].APIContent, edited[i].APIContent)
	}
}

// takeText sets text when raw is one.
func takeText(text *string, raw json.RawMessage) {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		*text = s
	}
}
