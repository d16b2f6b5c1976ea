package responses

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
)

func TestBodyByteForByte(t *testing.T) {
	got := string(New(llm.Config{Model: "gpt-5.4", ReasoningEffort: "max"}).encode(llm.Request{
		Messages: []llm.Message{
			{Role: llm.RoleSystem, Content: "Be brief."},
			{Role: llm.RoleUser, Content: "hi"},
			{Role: llm.RoleAssistant, Content: "So.", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "echo", Arguments: `{"b":1, "a":2}`}}, ReasoningDetails: json.RawMessage(`[{"type":"reasoning","summary":[],"encrypted_content":"E"}]`)},
			{Role: llm.RoleTool, Name: "echo", ToolCallID: "c1", Content: "ok"},
		},
		Tools:   []llm.ToolDef{{Name: "echo", Description: "Say it"}},
		Session: "s1",
	}))
	want := `{"model":"gpt-5.4","instructions":"Be brief.","input":[` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},` +
		`{"type":"reasoning","summary":[],"encrypted_content":"E"},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"So."}]},` +
		`{"type":"function_call","call_id":"c1","name":"echo","arguments":"{\"a\":2,\"b\":1}"},` +
		`{"type":"function_call_output","call_id":"c1","output":"ok"}],` +
		`"tools":[{"type":"function","name":"echo","description":"Say it","parameters":{"type":"object","properties":{}},"strict":false}],` +
		`"store":false,"stream":true,"include":["reasoning.encrypted_content"],"prompt_cache_key":"s1","reasoning":{"effort":"xhigh","summary":"auto"}}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	plain := string(New(llm.Config{Model: "gpt-4.1-mini", ReasoningEffort: "high"}).encode(llm.Request{}))
	if strings.Contains(plain, "reasoning") {
		t.Errorf("a model that does not think is asked for thoughts: %s", plain)
	}
}

// The same item may come as pieces, whole, and once more at the end.
func TestItemsAreToldOnce(t *testing.T) {
	for name, events := range map[string][]string{
		"pieces, then whole": {
			`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m"}}`,
			`{"type":"response.output_text.delta","output_index":0,"item_id":"m","delta":"He"}`,
			`{"type":"response.output_text.delta","output_index":0,"item_id":"m","delta":"y"}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m","content":[{"type":"output_text","text":"Hey"}]}}`,
			`{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","id":"m","content":[{"type":"output_text","text":"Hey"}]}]}}`,
		},
		"only the end": {`{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hey"}]}]}}`},
		"no indices":   {`{"type":"response.output_text.delta","delta":"He"}`, `{"type":"response.output_text.delta","delta":"y"}`, `{"type":"response.completed","response":{"status":"completed","output":[]}}`},
		"whole items": {
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m","content":[{"type":"output_text","text":"Hey"}]}}`,
			`{"type":"response.completed","response":{"status":"completed"}}`,
		},
	} {
		var text string
		a := newAssembly(nil, func(d llm.Delta) { text += d.Text })
		for _, e := range events {
			if err := a.add([]byte(e)); err != nil {
				t.Fatal(err)
			}
		}
		if r := a.finish(); r.Message.Content != "Hey" || text != "Hey" {
			t.Errorf("%s: %q, streamed %q", name, r.Message.Content, text)
		}
	}
}

// Whatever a service streams, reading it ends without a panic.
func FuzzEvents(f *testing.F) {
	f.Add(`{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{"}`)
	f.Add(`{"object":"response","output":[{"type":"function_call","arguments":{"a":1}},{"type":"reasoning","encrypted_content":"x","summary":[{"text":"t"}]}]}`)
	f.Add(`{"type":"error","message":"m"}`)
	f.Fuzz(func(t *testing.T, s string) {
		c := New(llm.Config{BaseURL: "http://x"})
		a := newAssembly([]llm.ToolDef{{Name: "echo"}}, nil)
		for _, line := range strings.Split(s, "\n") {
			_ = a.add([]byte(line)) // broken lines are expected
		}
		if a.err != nil {
			_ = c.caller.Fault(a.err, false)
		}
		if r := a.finish(); r.Message.ReasoningDetails != nil && !json.Valid(r.Message.ReasoningDetails) {
			t.Errorf("details are not JSON: %s", r.Message.ReasoningDetails)
		}
	})
}
