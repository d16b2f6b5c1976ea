package agent

import (
	"encoding/json"
	"time"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// session is a conversation. Only the loop touches it.
type session struct {
	id      string
	history []llm.Message // without the system message
	system  string        // built at the first turn, and again for another model
	model   string        // the model and provider that system names
	began   time.Time     // when the system prompt was first built
	turns   int           // turns that began
	started bool          // on_session_start fired
	ids     map[string]bool
	defs    map[string]cachedDef
}

type cachedDef struct {
	spec string // what the definition was made of
	def  llm.ToolDef
}

func newSession(id string) *session {
	return &session{id: id, ids: map[string]bool{}, defs: map[string]cachedDef{}}
}

// define makes the definition of a tool as requests offer it. It is kept: a
// schema is parsed once, not at every request.
func (s *session) define(spec tool.Spec) llm.ToolDef {
	key := spec.Description + "\x00" + string(spec.Parameters) + "\x00" + string(spec.Schema)
	if c, ok := s.defs[spec.Name]; ok && c.spec == key {
		return c.def
	}
	d := tool.Define(spec)
	def := llm.ToolDef{Name: d.Name, Description: d.Description, Parameters: d.Parameters, Schema: d.Schema}
	s.defs[spec.Name] = cachedDef{key, def}
	return def
}

// historyJSON renders messages as hooks get them: the form that the reference
// keeps in memory (contract/core §1.1).
func historyJSON(msgs []llm.Message) json.RawMessage {
	type fn struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	type call struct {
		ID       string `json:"id"`
		Type     string `json:"type"`
		Function fn     `json:"function"`
	}
	type message struct {
		Role             string          `json:"role"`
		Name             string          `json:"name,omitempty"`
		Content          string          `json:"content"`
		APIContent       string          `json:"api_content,omitempty"`
		ToolCalls        []call          `json:"tool_calls,omitempty"`
		ToolCallID       string          `json:"tool_call_id,omitempty"`
		Reasoning        string          `json:"reasoning,omitempty"`
		ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
		FinishReason     string          `json:"finish_reason,omitempty"`
	}
	out := make([]message, len(msgs))
	for i, m := range msgs {
		out[i] = message{
			Role: m.Role, Name: m.Name, Content: m.Content, APIContent: m.APIContent, ToolCallID: m.ToolCallID,
			Reasoning: m.Reasoning, ReasoningDetails: m.ReasoningDetails, FinishReason: m.FinishReason,
		}
		for _, c := range m.ToolCalls {
			out[i].ToolCalls = append(out[i].ToolCalls, call{c.ID, "function", fn{c.Name, c.Arguments}})
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return json.RawMessage("[]") // only broken reasoning details could do that
	}
	return b
}
