package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/reference"
)

func peer(t *testing.T) (p *reference.Peer, run func(args ...string) []byte) {
	t.Helper()
	p = reference.Start(t, t.TempDir())
	script, err := os.ReadFile("testdata/peer.py")
	must(t, err)
	return p, func(args ...string) []byte { return p.Python(string(script), args...) }
}

// checkBoth has both programs look for damage.
func checkBoth(t *testing.T, path string, run func(args ...string) []byte) {
	t.Helper()
	if out := strings.TrimSpace(string(run("check", path))); out != "[]" {
		t.Errorf("the reference finds damage: %s", out)
	}
	problems, err := Check(ctx, path)
	must(t, err)
	equal(t, "damage", problems, []string(nil))
}

// A session that the reference wrote is read, gone on with, and read by the
// reference again.
func TestReferenceWritesWeGoOn(t *testing.T) {
	p, run := peer(t)
	path := filepath.Join(p.Home, "state.db")
	messages := filepath.Join(p.Home, "messages.json")
	must(t, os.WriteFile(messages, []byte(`[
		{"role": "user", "content": "look 中文", "api_content": "look 中文\n\ninjected"},
		{"role": "assistant", "content": "", "finish_reason": "tool_calls", "reasoning": "hm", "reasoning_content": "hm",
		 "reasoning_details": [{"type": "thinking", "text": "é"}],
		 "tool_calls": [{"id": "call_1", "call_id": "call_1", "response_item_id": "fc_1", "type": "function",
		                 "function": {"name": "terminal", "arguments": "{\"command\": \"ls 目录\"}"}}]},
		{"role": "tool", "content": "{\"output\": \"ok\"}", "tool_call_id": "call_1", "tool_name": "terminal", "effect_disposition": "applied"},
		{"role": "assistant", "content": null, "finish_reason": "stop"},
		{"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}]}
	]`), 0o600))
	run("write", path, messages)

	s := openAt(t, path)
	id, err := s.Resolve(ctx, "of the reference")
	must(t, err)
	got, err := s.Load(ctx, id)
	must(t, err)
	equal(t, "history", Texts(got.History), []llm.Message{
		{Role: "user", Content: "look 中文", APIContent: "look 中文\n\ninjected"},
		{
			Role: "assistant", FinishReason: "tool_calls", Reasoning: "hm", ReasoningDetails: json.RawMessage(`[{"type": "thinking", "text": "\u00e9"}]`),
			ToolCalls: []llm.ToolCall{{ID: "call_1", Name: "terminal", Arguments: `{"command": "ls 目录"}`}},
		},
		{Role: "tool", Name: "terminal", ToolCallID: "call_1", Content: `{"output": "ok"}`},
		{Role: "assistant", FinishReason: "stop"},
		{Role: "user", Content: "see", Parts: []llm.Part{{Text: "see"}, {Image: &llm.Image{MIME: "image/png", Data: []byte("hi")}}}},
	})
	equal(t, "effect", got.History[2].Effect, "applied")
	equal(t, "session", []string{got.SystemPrompt, got.Model, string(got.Config)}, []string{"You are a test.", "m", `{"max_tokens": null}`})

	add(t, s, "ref", "assistant", "an answer of ours")
	must(t, s.Close())
	checkBoth(t, path, run)
	var back struct {
		Messages []struct{ Role string }
		Found    []int
	}
	must(t, json.Unmarshal(run("read", path, "ref", "ours"), &back))
	equal(t, "the reference sees", []int{len(back.Messages), len(back.Found)}, []int{6, 1})
}

// What we wrote the reference reads as it would have written it itself.
func TestWeWriteTheReferenceReads(t *testing.T) {
	p, run := peer(t)
	path := filepath.Join(p.Home, "state.db")
	s := openAt(t, path)
	_, err := s.AppendStep(ctx, Step{
		Session: "ours", Create: &New{ID: "ours", Source: "cli", Model: "m", Dir: "/tmp", Config: map[string]any{"max_iterations": 90}},
		Messages: []llm.Message{
			{Role: "user", Content: "question 中文", APIContent: "question 中文\n\ninjected"},
			{Role: "assistant", Reasoning: "hm", FinishReason: "tool_calls", ToolCalls: []llm.ToolCall{{ID: "call_1", Name: "terminal", Arguments: `{"command": "ls 目录"}`}}},
			{Role: "tool", Name: "terminal", ToolCallID: "call_1", Content: "zebra"},
			{Role: "assistant", Content: "done 😀", FinishReason: "stop"},
		},
		Usage: &Usage{Model: "m", In: 12, Calls: 2},
	})
	must(t, err)
	must(t, s.SetTitle(ctx, "ours", "Of ours"))
	must(t, s.SetSystemPrompt(ctx, "ours", "You are ours."))
	must(t, s.Close())

	var got map[string]any
	must(t, json.Unmarshal(run("read", path, "ours", "zebra"), &got))
	messages := got["messages"].([]any)
	for _, m := range messages {
		delete(m.(map[string]any), "timestamp")
	}
	want := map[string]any{
		"sessions": []any{map[string]any{
			"id": "ours", "title": "Of ours", "preview": "question 中文", "message_count": 4.0, "tool_call_count": 1.0,
			"input_tokens": 12.0, "cwd": "/tmp",
		}},
		"messages": []any{
			map[string]any{"role": "user", "content": "question 中文", "api_content": "question 中文\n\ninjected"},
			map[string]any{
				"role": "assistant", "content": "", "finish_reason": "tool_calls", "reasoning": "hm", "reasoning_content": "hm",
				"tool_calls": []any{map[string]any{
					"id": "call_1", "call_id": "call_1", "response_item_id": "fc_1", "type": "function",
					"function": map[string]any{"name": "terminal", "arguments": `{"command": "ls 目录"}`},
				}},
			},
			map[string]any{"role": "tool", "content": "zebra", "tool_call_id": "call_1", "tool_name": "terminal"},
			map[string]any{"role": "assistant", "content": "done 😀", "finish_reason": "stop"},
		},
		"found": []any{3.0}, "resolved": "ours", "prompt": "You are ours.",
	}
	equal(t, "the reference reads", got, any(want))
	checkBoth(t, path, run)
	if out := string(p.Hermes("sessions", "list")); !strings.Contains(out, "Of ours") || !strings.Contains(out, "ours") {
		t.Errorf("sessions list of the reference:\n%s", out)
	}
	out := string(p.Hermes("sessions", "export", "--session-id", "ours", "-"))
	var exported struct{ Messages []map[string]any }
	must(t, json.Unmarshal([]byte(out), &exported))
	equal(t, "exported messages", len(exported.Messages), 4)
}

// Both write to one session at once: nothing is lost, nothing is damaged.
func TestBothWriteAtOnce(t *testing.T) {
	p, run := peer(t)
	path := filepath.Join(p.Home, "state.db")
	s := openAt(t, path)
	add(t, s, "both", "user", "first")
	const n = 150
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { run("append", path, "both", strconv.Itoa(n)) })
	}
	for i := range n {
		add(t, s, "both", "assistant", "go "+strconv.Itoa(i), "tool", "x")
	}
	wg.Wait()
	count := map[string]int{}
	msgs, err := s.Messages(ctx, "both")
	must(t, err)
	for _, m := range msgs {
		who, _, _ := strings.Cut(m.Content, " ")
		count[who]++
	}
	equal(t, "messages", count, map[string]int{"first": 1, "python": 2 * n, "go": n, "x": n})
	one, err := s.Session(ctx, "both")
	must(t, err)
	equal(t, "counted", one.Messages, 1+4*n)
	checkBoth(t, path, run)
}
