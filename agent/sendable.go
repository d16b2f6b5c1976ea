package agent

import "hermes/agent/llm"

// Texts that mend a history on its way out (contract/core §1.1 rules 1 to 4).
const (
	missingResult = "[Result unavailable — see context summary above]"
	closingNote   = "Operation interrupted."
)

// sendable returns messages as services accept them: every call answered
// exactly once and in call order, no answer without its call, no two user
// messages in a row, no user message right after a tool's. The history itself
// is not changed.
func sendable(msgs []llm.Message) []llm.Message {
	out := make([]llm.Message, 0, len(msgs))
	for i := 0; i < len(msgs); i++ {
		m := msgs[i]
		switch m.Role {
		case llm.RoleUser:
			out = appendUser(out, m)
		case llm.RoleAssistant:
			out = append(out, m)
			if len(m.ToolCalls) > 0 {
				results, n := answers(msgs[i+1:])
				i += n
				for _, c := range m.ToolCalls {
					r, ok := results[c.ID]
					if !ok {
						r = llm.Message{Role: llm.RoleTool, Name: c.Name, ToolCallID: c.ID, Content: missingResult}
					}
					out = append(out, r)
				}
			}
		case llm.RoleSystem:
			out = append(out, m)
		}
	}
	return out
}

// answers collects the tool messages at the beginning of msgs.
func answers(msgs []llm.Message) (byID map[string]llm.Message, n int) {
	byID = map[string]llm.Message{}
	for n < len(msgs) && msgs[n].Role == llm.RoleTool {
		byID[msgs[n].ToolCallID] = msgs[n]
		n++
	}
	return byID, n
}

func appendUser(out []llm.Message, m llm.Message) []llm.Message {
	if len(out) == 0 {
		return append(out, m)
	}
	last := &out[len(out)-1]
	switch last.Role {
	case llm.RoleTool:
		out = append(out, llm.Message{Role: llm.RoleAssistant, Content: closingNote, Synthetic: true})
	case llm.RoleUser:
		text := sent(*last) + "\n\n" + sent(m)
		last.Content, last.APIContent = text, ""
		return out
	}
	return append(out, m)
}

// sent is the text of a message as it is sent.
func sent(m llm.Message) string {
	if m.APIContent != "" {
		return m.APIContent
	}
	return m.Content
}
