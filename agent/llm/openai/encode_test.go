package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
)

var conversation = []llm.Message{
	{Role: llm.RoleSystem, Content: "Be <b>brief</b>.\n"},
	{Role: llm.RoleUser, Content: "  hi  ", APIContent: "hi\n\nmemory: 中文"},
	{Role: llm.RoleAssistant, Reasoning: "hm", FinishReason: "tool_calls", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "echo", Arguments: `{"b": 1.50, "a": "é😀"}`}}},
	{Role: llm.RoleTool, Name: "echo", ToolCallID: "c1", Content: "a\xffb\u2028c"},
	{Role: llm.RoleAssistant, Content: "done"},
}

func TestBodyByteForByte(t *testing.T) {
	c := New(Config{Provider: "custom", Model: "mock-model", BaseURL: "http://127.0.0.1:1/v1/"})
	got := string(c.encode(llm.Request{Messages: conversation, Tools: []llm.ToolDef{
		{Name: "echo", Description: "Say it", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)},
		{Name: "raw", Schema: json.RawMessage(`{"name":"raw","strict":true,"parameters":{"type":"object","properties":{}}}`)},
	}}))
	want := `{"model":"mock-model","messages":[` +
		`{"role":"system","content":"Be <b>brief</b>."},` +
		`{"role":"user","content":"hi\n\nmemory: 中文"},` +
		`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"echo","arguments":"{\"a\":\"\\u00e9\\ud83d\\ude00\",\"b\":1.50}"}}]},` +
		`{"role":"tool","name":"echo","content":"a` + "\ufffd" + `b` + "\u2028" + `c","tool_call_id":"c1"},` +
		`{"role":"assistant","content":"done"}],` +
		`"tools":[{"type":"function","function":{"name":"echo","description":"Say it","parameters":{"type":"object","properties":{}}}},` +
		`{"type":"function","function":{"name":"raw","strict":true,"parameters":{"type":"object","properties":{}}}}],` +
		`"max_tokens":65536,"stream":true,"stream_options":{"include_usage":true}}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWhatDependsOnServiceAndSettings(t *testing.T) {
	for _, tc := range []struct {
		name   string
		cfg    Config
		req    llm.Request
		has    []string
		hasNot []string
	}{
		{"DeepSeek wants reasoning on every assistant message", Config{Provider: "deepseek", Model: "deepseek-chat"}, llm.Request{}, []string{`"content":"","reasoning_content":"hm","tool_calls"`, `"content":"done","reasoning_content":" "}`}, []string{"max_tokens", "thinking"}},
		{"so does a custom service with a DeepSeek model", Config{Provider: "custom", Model: "deepseek-v3"}, llm.Request{}, []string{`"reasoning_content":" "`}, []string{"max_tokens"}},
		{"others refuse the field", Config{Provider: "openrouter", Model: "gpt"}, llm.Request{}, nil, []string{"reasoning_content", "max_tokens", `"tools"`}},
		{"max_tokens from the settings", Config{Provider: "custom", MaxTokens: 1234}, llm.Request{}, []string{`"max_tokens":1234`}, nil},
		{"a larger cap for one request", Config{Provider: "custom"}, llm.Request{MaxTokens: 131072}, []string{`"max_tokens":131072`}, nil},
		{"the summary request", Config{Provider: "custom"}, llm.Request{Plain: true, MaxTokens: -1}, nil, []string{"max_tokens", "stream"}},
		{"extra body and effort", Config{ReasoningEffort: "high", ExtraBody: map[string]any{"foo": "bar", "a": map[string]any{"b": 1}}}, llm.Request{}, []string{`,"a":{"b":1},"foo":"bar","reasoning_effort":"high"}`}, nil},
		{"a thinking DeepSeek model", Config{Provider: "deepseek", Model: "deepseek-reasoner", ReasoningEffort: "ultra"}, llm.Request{}, []string{`"reasoning_effort":"max","thinking":{"type":"enabled"}`}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.req.Messages = conversation
			got := string(New(tc.cfg).encode(tc.req))
			if !json.Valid([]byte(got)) {
				t.Fatalf("not JSON: %s", got)
			}
			for _, s := range tc.has {
				if !strings.Contains(got, s) {
					t.Errorf("lacks %s in\n%s", s, got)
				}
			}
			for _, s := range tc.hasNot {
				if strings.Contains(got, s) {
					t.Errorf("has %s in\n%s", s, got)
				}
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	c, srv := serve(t, Config{Headers: map[string]string{"X-Test": "1"}, UserAgent: "hermes/1"})
	if _, _, _, err := ask(t, c); err == nil {
		t.Fatal("a server without steps must fail")
	}
	h := srv.Requests()[0].Header
	if h.Get("Authorization") != "Bearer no-key-required" || h.Get("X-Test") != "1" || h.Get("Accept") != "application/json" || h.Get("User-Agent") != "hermes/1" {
		t.Errorf("headers %v", h)
	}
}

// BenchmarkEncode is the body of a long conversation: 200 messages of 5 kB.
func BenchmarkEncode(b *testing.B) {
	var ms []llm.Message
	for range 100 {
		ms = append(ms, llm.Message{Role: llm.RoleUser, Content: strings.Repeat("a line of text, with \"quotes\"\n", 160)},
			llm.Message{Role: llm.RoleAssistant, Content: strings.Repeat("一行中文文本。\n", 240), ToolCalls: []llm.ToolCall{{ID: "c", Name: "echo", Arguments: `{"text":"x","n":1}`}}})
	}
	c := New(Config{Provider: "custom", Model: "m"})
	b.ReportAllocs()
	for range b.N {
		b.SetBytes(int64(len(c.encode(llm.Request{Messages: ms}))))
	}
}

func TestCacheMarksAndOtherFamilies(t *testing.T) {
	ms := []llm.Message{
		{Role: llm.RoleSystem, Content: "sys"},
		{Role: llm.RoleUser, Content: "one"},
		{Role: llm.RoleAssistant, Content: "two", ToolCalls: []llm.ToolCall{{ID: "call_0123456789", Name: "echo"}}},
		{Role: llm.RoleTool, Name: "echo", ToolCallID: "call_0123456789", Content: "three"},
		{Role: llm.RoleUser, Content: "four"},
	}
	for _, tc := range []struct {
		name   string
		cfg    Config
		effort string
		has    []string
		hasNot []string
	}{
		{"Claude by OpenRouter", Config{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.6", CacheTTL: "1h"}, "high", []string{
			`{"role":"system","content":[{"type":"text","text":"sys","cache_control":{"type":"ephemeral","ttl":"1h"}}]}`,
			`{"role":"user","content":"one"}`, `"text":"two","cache_control"`, `"text":"three","cache_control"`, `"text":"four","cache_control"`,
			`"reasoning":{"effort":"high","enabled":true}`, `"session_id":"s1"`,
		}, []string{"reasoning_effort"}},
		{"others have none", Config{Provider: "openrouter", Model: "openai/gpt-5"}, "none", []string{`"reasoning":{"enabled":false}`}, []string{"cache_control"}},
		{"Mistral's ids", Config{Provider: "mistral", Model: "mistral-small-latest"}, "", []string{`"tool_call_id":"`}, []string{"call_0123456789"}},
		{"Kimi says one thing", Config{Provider: "kimi-coding", Model: "kimi-k2", BaseURL: "https://api.moonshot.ai/v1"}, "low", []string{`"reasoning_effort":"low"`, `"reasoning_content":" "`}, []string{`"thinking"`}},
		{"Kimi, thinking off", Config{Provider: "kimi-coding", Model: "kimi-k2"}, "none", []string{`"thinking":{"type":"disabled"}`}, []string{"reasoning_effort"}},
		{"a local server", Config{Provider: "ollama", Model: "qwen3", OllamaNumCtx: 8192}, "none", []string{`"think":false`, `"reasoning_effort":"none"`, `"options":{"num_ctx":8192}`}, nil},
		{"DeepSeek V4", Config{Provider: "deepseek", Model: "deepseek-v4-pro"}, "ultra", []string{`"thinking":{"type":"enabled"}`, `"reasoning_effort":"max"`}, nil},
		{"DeepSeek V3 thinks as it likes", Config{Provider: "deepseek", Model: "deepseek-chat"}, "high", nil, []string{`"thinking"`, "reasoning_effort"}},
		{"OpenAI's newer names", Config{Provider: "openai-api", Model: "gpt-5.4", MaxTokens: 9}, "low", []string{`"role":"developer"`, `"max_completion_tokens":9`, `"reasoning_effort":"low"`}, []string{`"max_tokens"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := string(New(tc.cfg).encode(llm.Request{Messages: ms, Session: "s1", Effort: tc.effort}))
			if !json.Valid([]byte(got)) {
				t.Fatalf("not JSON: %s", got)
			}
			for _, s := range tc.has {
				if !strings.Contains(got, s) {
					t.Errorf("lacks %s in\n%s", s, got)
				}
			}
			for _, s := range tc.hasNot {
				if strings.Contains(got, s) {
					t.Errorf("has %s in\n%s", s, got)
				}
			}
		})
	}
}

func TestNineLetterIDs(t *testing.T) {
	e := encoder{c: New(Config{Provider: "mistral"})}
	a, b := e.callID("call_1"), e.callID("call_2")
	if len(a) != 9 || a == b || a != e.callID("call_1") || e.callID("AbCd12345") != "AbCd12345" {
		t.Errorf("%q, %q", a, b)
	}
}
