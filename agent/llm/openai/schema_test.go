package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/locale"
)

var calculate = llm.ToolDef{
	Name: "calculate", Description: "Evaluate an expression, e.g. '2**16'.\nMore.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"expression":{"type":"string","description":"Such as 'sqrt(2*pi)'"}},"required":["expression"]}`),
}

func bySchema(t *testing.T, steps ...llmtest.Step) (*Client, *llmtest.Server) {
	t.Helper()
	return serve(t, Config{ToolCalls: llm.CallsBySchema, Model: "smollm2"}, steps...)
}

func TestCallsHeldByASchema(t *testing.T) {
	c, srv := bySchema(t, llmtest.Step{Text: `{"tool": "calculate", "arguments": {"expression": "2**16"}}`, ChunkChars: 3}, llmtest.Step{Text: `{"answer": "65536 — \"so\"\n\ud83d\ude00"}`, ChunkChars: 1})
	r := llm.Request{Messages: []llm.Message{{Role: llm.RoleSystem, Content: "Be brief."}, {Role: llm.RoleUser, Content: "2 to the 16?"}}, Tools: []llm.ToolDef{calculate}}
	var shown string
	stream := func() *llm.Response {
		t.Helper()
		shown = ""
		resp, err := c.Stream(t.Context(), r, func(d llm.Delta) { shown += d.Text })
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	resp := stream()
	m := resp.Message
	if len(m.ToolCalls) != 1 || m.ToolCalls[0].Name != "calculate" || m.ToolCalls[0].Arguments != `{"expression": "2**16"}` || m.Content != "" || shown != "" || resp.FinishReason != "tool_calls" {
		t.Fatalf("%+v, shown %q", resp, shown)
	}
	if notes := resp.CallNotes(0, locale.EN); len(notes) != 1 || notes[0] != "call held by a schema" {
		t.Errorf("notes %v", notes)
	}
	m.ToolCalls[0].ID = "c1"
	r.Messages = append(r.Messages, m, llm.Message{Role: llm.RoleTool, Name: "calculate", ToolCallID: "c1", Content: "65536"})
	if got := stream().Message.Content; got != "65536 — \"so\"\n😀" || shown != got {
		t.Errorf("answer %q, shown %q", got, shown)
	}

	first, second := string(srv.Requests()[0].Raw), string(srv.Requests()[1].Raw)
	for _, s := range []string{
		`"response_format":{"json_schema":{"name":"reply","schema":{"anyOf":[{"type":"object","properties":{"tool":{"const":"calculate"},"arguments":{"type":"object"`,
		`"temperature":0`, `- calculate: Evaluate an expression, e.g. '2**16'."`,
		`{"role":"user","content":"calculate sqrt(2*pi)"},{"role":"assistant","content":"{\"tool\": \"calculate\", \"arguments\": {\"expression\": \"sqrt(2*pi)\"}}"},` +
			`{"role":"user","content":"Result of calculate: 42"},{"role":"assistant","content":"{\"answer\": \"The result is 42.\"}"}`,
		`{"role":"user","content":"2 to the 16?"}],`,
	} {
		if !strings.Contains(first, s) {
			t.Errorf("lacks %s in\n%s", s, first)
		}
	}
	for _, s := range []string{`"tools"`, `"tool_choice"`} {
		if strings.Contains(first, s) {
			t.Errorf("has %s", s)
		}
	}
	if !strings.Contains(second, `{"role":"assistant","content":"{\"tool\": \"calculate\", \"arguments\": {\"expression\":\"2**16\"}}"},{"role":"user","content":"Result of calculate: 65536"}`) {
		t.Errorf("the conversation is not told in the schema's form:\n%s", second)
	}
}

func TestSchemaAnswersThatGoWrong(t *testing.T) {
	for _, tc := range []struct{ name, text, content, calls, shown string }{
		{"the server does not hold it", "Plain words.", "Plain words.", "", "Plain words."},
		{"an answer that is cut", `{"answer": "half of`, "half of", "", "half of"},
		{"an escape that is cut", `{"answer": "half\u00`, "half", "", "half"},
		{"arguments that are cut", `{"tool": "calculate", "arguments": {"expr`, "", `calculate {"expr`, ""},
		{"nothing that fits", `{"x": 1}`, `{"x": 1}`, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, _ := bySchema(t, llmtest.Step{Text: tc.text, ChunkChars: 2})
			var shown string
			resp, err := c.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "go"}}, Tools: []llm.ToolDef{calculate}}, func(d llm.Delta) { shown += d.Text })
			if err != nil {
				t.Fatal(err)
			}
			var calls string
			for _, k := range resp.Message.ToolCalls {
				calls += k.Name + " " + k.Arguments
			}
			if resp.Message.Content != tc.content || calls != tc.calls || shown != tc.shown {
				t.Errorf("content %q, calls %q, shown %q", resp.Message.Content, calls, shown)
			}
		})
	}
}

// Choices narrow the schema; without tools, or where the service refuses the
// schema, the answer is an ordinary one.
func TestSchemaAndChoices(t *testing.T) {
	format := func(choice string) string {
		b, err := json.Marshal(responseFormat(llm.Request{Tools: []llm.ToolDef{calculate, {Name: "other"}}, ToolChoice: choice}))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if s := format(""); !strings.Contains(s, `"answer"`) || !strings.Contains(s, `"other"`) {
		t.Error(s)
	}
	if s := format(llm.ChoiceRequired); strings.Contains(s, `"answer"`) || !strings.Contains(s, `"other"`) {
		t.Error(s)
	}
	if s := format("calculate"); strings.Contains(s, `"answer"`) || strings.Contains(s, `"other"`) || strings.Contains(s, "anyOf") {
		t.Error(s)
	}
	c, srv := bySchema(t, llmtest.Step{Status: 400, Body: json.RawMessage(`{"error":{"message":"Unknown field response_format"}}`)}, llmtest.Use("c1", "calculate", `{"expression":"1"}`))
	resp, err := c.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "go"}}, Tools: []llm.ToolDef{calculate}}, nil)
	if err != nil || len(resp.Message.ToolCalls) != 1 || len(resp.Notes) != 1 {
		t.Fatalf("%+v, %v", resp, err)
	}
	if raw := string(srv.Requests()[1].Raw); !strings.Contains(raw, `"tools"`) || strings.Contains(raw, "response_format") {
		t.Error(raw)
	}
	if raw := string(c.encode(llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "go"}}})); strings.Contains(raw, "response_format") {
		t.Error(raw)
	}
}

func FuzzSchemaReply(f *testing.F) {
	f.Add(`{"answer": "a\u00e9\ud83d\ude00"}`, 3)
	f.Add(`{"tool": "calculate", "arguments": {}}`, 5)
	f.Fuzz(func(t *testing.T, in string, size int) {
		if size < 1 || size > 64 {
			size = 1
		}
		s := &schemaReply{}
		var shown string
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			shown += s.Push(rest[:n])
			rest = rest[n:]
		}
		m := llm.Message{Content: in}
		s.Finish(&m)
		if strings.HasPrefix(strings.TrimSpace(in), `{"answer"`) && !strings.HasPrefix(m.Content, shown) && json.Valid([]byte(in)) {
			t.Errorf("%q shown of %q", shown, m.Content)
		}
	})
}
