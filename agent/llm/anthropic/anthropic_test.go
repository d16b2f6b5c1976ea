package anthropic

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hermes/agent/llm"
)

func encode(t *testing.T, cfg llm.Config, r llm.Request) string {
	t.Helper()
	got := string(New(cfg).encode(r))
	if !json.Valid([]byte(got)) {
		t.Fatalf("not JSON: %s", got)
	}
	return got
}

func TestBodyByteForByte(t *testing.T) {
	got := encode(t, llm.Config{Model: "claude-sonnet-4-6", ReasoningEffort: "low"}, llm.Request{
		Messages: []llm.Message{
			{Role: llm.RoleSystem, Content: " Be brief.\n"},
			{Role: llm.RoleUser, Content: "hi"},
			{Role: llm.RoleAssistant, Content: "", ToolCalls: []llm.ToolCall{{ID: "c.1", Name: "echo", Arguments: `{"b":1, "a":2}`}}, ReasoningDetails: json.RawMessage(`[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking","thinking":"unsigned"}]`)},
			{Role: llm.RoleTool, Name: "echo", ToolCallID: "c.1", Content: "ok"},
			{Role: llm.RoleUser, Content: "more"},
			{Role: llm.RoleAssistant, Content: "  "},
			{Role: llm.RoleUser, Content: "again"},
		},
		Tools: []llm.ToolDef{{Name: "echo", Schema: json.RawMessage(`{"name":"echo","description":"Say it","parameters":{"type":"object","properties":{}}}`)}},
	})
	want := `{"model":"claude-sonnet-4-6","system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[` +
		`{"role":"user","content":[{"type":"text","text":"hi"}]},` +
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"tool_use","id":"c_1","name":"echo","input":{"a":2,"b":1}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c_1","content":"ok"},{"type":"text","text":"more","cache_control":{"type":"ephemeral"}},{"type":"text","text":"again","cache_control":{"type":"ephemeral"}}]}],` +
		`"tools":[{"name":"echo","description":"Say it","input_schema":{"type":"object","properties":{}}}],"max_tokens":32000,"stream":true,"thinking":{"budget_tokens":4096,"type":"enabled"}}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestThinkingAndCaps(t *testing.T) {
	r := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hi"}}, Tools: []llm.ToolDef{{Name: "echo"}}}
	forced := r
	forced.ToolChoice = "echo"
	for _, tc := range []struct {
		name        string
		cfg         llm.Config
		r           llm.Request
		has, hasNot string
	}{
		{"not asked for", llm.Config{Model: "claude-sonnet-4-6"}, r, `"max_tokens":32000`, "thinking"},
		{"switched off", llm.Config{Model: "claude-sonnet-4-6", ReasoningEffort: "none"}, r, "", "thinking"},
		{"room for the thoughts", llm.Config{Model: "claude-3-5-haiku-20241022", ReasoningEffort: "max"}, r, `"max_tokens":36095`, ""},
		{"a forced call excludes thoughts", llm.Config{Model: "m", ReasoningEffort: "high"}, forced, `"tool_choice":{"type":"tool","name":"echo"}`, "thinking"},
		{"the user's cap", llm.Config{Model: "m", MaxTokens: 99}, r, `"max_tokens":99`, ""},
	} {
		if got := encode(t, tc.cfg, tc.r); !strings.Contains(got, tc.has) || tc.hasNot != "" && strings.Contains(got, tc.hasNot) {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
}

func TestKeys(t *testing.T) {
	for key, want := range map[string]string{
		"sk-ant-api03-x": "X-Api-Key: sk-ant-api03-x",
		"sk-ant-oat01-x": "Authorization: Bearer sk-ant-oat01-x",
	} {
		h := headers(llm.Config{BaseURL: "https://api.anthropic.com", APIKey: key})
		name, value, _ := strings.Cut(want, ": ")
		if h.Get(name) != value || len(h.Values("X-Api-Key"))+len(h.Values("Authorization")) != 1 || h.Get("Anthropic-Version") == "" {
			t.Errorf("%s: %v", key, h)
		}
	}
	if h := headers(llm.Config{BaseURL: "https://api.minimax.io/anthropic", APIKey: "k"}); h.Get("X-Api-Key") != "k" || h.Get("Authorization") != "Bearer k" {
		t.Errorf("a gateway gets %v", http.Header(h))
	}
}

func TestPath(t *testing.T) {
	for base, want := range map[string]string{"https://api.anthropic.com": "/v1/messages", "https://h/anthropic/v1/": "/messages", "https://h/anthropic": "/v1/messages"} {
		if c := New(llm.Config{BaseURL: base}); c.path != want {
			t.Errorf("%s: %s", base, c.path)
		}
	}
}

// Whatever a service streams, reading it ends without a panic.
func FuzzEvents(f *testing.F) {
	f.Add(`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}`)
	f.Add(`{"type":"message","content":[{"type":"tool_use","input":{"a":1}}],"stop_reason":"tool_use"}`)
	f.Add(`{"type":"error","error":{"type":"overloaded_error"}}`)
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
