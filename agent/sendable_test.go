package agent

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hermes/agent/llm"
)

// Whatever a history has become, what is sent is a conversation that services
// accept, and nothing the user wrote is missing from it.
func TestSendableIsAlwaysValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var history []llm.Message
		calls := 0
		for i := range rapid.IntRange(0, 12).Draw(t, "messages") {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				m := llm.Message{Role: llm.RoleUser, Content: fmt.Sprintf("user %d", i)}
				if rapid.Bool().Draw(t, "injected") {
					m.APIContent = m.Content + "\n\nmore"
				}
				history = append(history, m)
			case 1:
				history = append(history, llm.Message{Role: llm.RoleAssistant, Content: "a"})
			case 2:
				m := llm.Message{Role: llm.RoleAssistant}
				for range rapid.IntRange(1, 3).Draw(t, "calls") {
					calls++
					m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: fmt.Sprint(calls), Name: "x"})
				}
				history = append(history, m)
			case 3: // an answer, in place or astray
				history = append(history, llm.Message{Role: llm.RoleTool, ToolCallID: fmt.Sprint(rapid.IntRange(1, max(calls, 1)).Draw(t, "id"))})
			case 4:
				history = append(history, llm.Message{Role: "critic", Content: "?"})
			}
		}
		before := string(historyJSON(history))
		checkSendable(t, history, sendable(history))
		if after := string(historyJSON(history)); after != before {
			t.Fatalf("the history was changed:\n%s\n%s", before, after)
		}
	})
}

func checkSendable(t *rapid.T, history, out []llm.Message) {
	text := ""
	for i := 0; i < len(out); i++ {
		m := out[i]
		switch m.Role {
		case llm.RoleUser:
			text += sent(m)
			if i > 0 && (out[i-1].Role == llm.RoleUser || out[i-1].Role == llm.RoleTool) {
				t.Fatalf("a user message after %s", out[i-1].Role)
			}
		case llm.RoleAssistant:
			for n, c := range m.ToolCalls {
				if i+1+n >= len(out) || out[i+1+n].Role != llm.RoleTool || out[i+1+n].ToolCallID != c.ID {
					t.Fatalf("call %s is not answered in its place", c.ID)
				}
			}
			i += len(m.ToolCalls)
		default:
			t.Fatalf("%s message %d without a call", m.Role, i)
		}
	}
	for _, m := range history {
		if m.Role == llm.RoleUser && !strings.Contains(text, sent(m)) {
			t.Fatalf("%q is lost", m.Content)
		}
	}
}
