package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

func TestHistoryJSON(t *testing.T) {
	got := string(historyJSON([]llm.Message{
		{Role: llm.RoleUser, Content: "hi", APIContent: "hi\n\nctx", Synthetic: true},
		{Role: llm.RoleAssistant, Reasoning: "hm", ToolCalls: []llm.ToolCall{{ID: "1", Name: "x", Arguments: "{}"}}, FinishReason: "tool_calls"},
		{Role: llm.RoleTool, Name: "x", ToolCallID: "1", Content: "r"},
	}))
	want := `[{"role":"user","content":"hi","api_content":"hi\n\nctx"},` +
		`{"role":"assistant","content":"","reasoning":"hm","finish_reason":"tool_calls","tool_calls":[{"id":"1","type":"function","function":{"name":"x","arguments":"{}"}}]},` +
		`{"role":"tool","name":"x","tool_name":"x","content":"r","tool_call_id":"1"}]`
	if got != want {
		t.Errorf("got %s", got)
	}
	if got := historyJSON([]llm.Message{{ReasoningDetails: json.RawMessage("{")}}); string(got) != "[]" {
		t.Errorf("broken details: %s", got)
	}
}

// What callbacks of pre_llm_call write into the messages that they are shown
// is what is sent, in this turn and later (contract/plugins §6.1).
func TestEditedHistory(t *testing.T) {
	edit := func(p map[string]json.RawMessage) hook.Outcome {
		if string(p["is_first_turn"]) == "true" {
			return hook.Outcome{}
		}
		h := string(p["conversation_history"])
		for _, r := range [][2]string{{"hello", "HELLO"}, {"my key is 1234", "my key is ***"}, {`"role":"tool"`, `"x":1,"role":"tool"`}, {`{\"got\": {}}`, "cut"}} {
			h = strings.Replace(h, r[0], r[1], 1)
		}
		h = strings.TrimSuffix(h, "]") + `,{"role":"user","content":"a new one does not count"}]`
		return hook.Outcome{Changed: map[string]json.RawMessage{"conversation_history": json.RawMessage(h)}, Returns: raws(`"more"`)}
	}
	hooks := &recorder{names: map[string]bool{hook.PreLLMCall: true}, answer: map[string]func(map[string]json.RawMessage) hook.Outcome{hook.PreLLMCall: edit}}
	b := newBench(t, benchOptions{
		hooks: hooks, tools: []tool.Tool{echo("echo")},
		steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("ok"), llmtest.Say("yes"), llmtest.Say("end")},
	})
	b.turn("hello")
	b.turn("my key is 1234")
	want := []string{"user: HELLO", "assistant:  [c1 echo({})]", "tool: cut <c1>", "assistant: ok", "user: my key is ***\n\nmore"}
	wantLines(t, lines(b.request(2).Messages), want...)
	b.turn("last")
	wantLines(t, lines(b.request(3).Messages), append(want, "assistant: yes", "user: last\n\nmore")...)
}

// What cannot be a list of the same messages changes nothing.
func TestEditedHistoryThatDoesNotFit(t *testing.T) {
	for _, changed := range []string{
		`null`, `7`, `{}`, `[]`, `["x"]`, `[{"role":"assistant","content":"x"}]`, `[{"role":"user"}]`, `[{"role":"user","content":null}]`,
		`[{"role":"user","content":["x"]}]`, `[{"content":"x"}]`, `broken`,
	} {
		hooks := &recorder{names: map[string]bool{hook.PreLLMCall: true}, answer: map[string]func(map[string]json.RawMessage) hook.Outcome{
			hook.PreLLMCall: func(map[string]json.RawMessage) hook.Outcome {
				return hook.Outcome{Changed: map[string]json.RawMessage{"conversation_history": json.RawMessage(changed)}}
			},
		}}
		b := newBench(t, benchOptions{hooks: hooks, steps: []llmtest.Step{llmtest.Say("ok")}})
		b.turn("hello")
		if got := lines(b.request(0).Messages); len(got) != 1 || got[0] != "user: hello" {
			t.Errorf("%s: sent %q", changed, got)
		}
	}
}
