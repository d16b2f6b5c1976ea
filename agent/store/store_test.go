package store

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hermes/agent/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ctx = context.Background()

// clock is a time that moves a second with each look.
func clock() func() time.Time {
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.Local)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s := Open(path, Options{Now: clock()})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func open(t testing.TB) *Store { return openAt(t, filepath.Join(t.TempDir(), "state.db")) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// add stores messages as role, text, role, text …
func add(t testing.TB, s *Store, session string, roleAndText ...string) []int64 {
	t.Helper()
	var msgs []llm.Message
	for i := 0; i < len(roleAndText); i += 2 {
		msgs = append(msgs, llm.Message{Role: roleAndText[i], Content: roleAndText[i+1]})
	}
	ids, err := s.AppendStep(ctx, Step{Session: session, Create: &New{ID: session, Source: "cli", Model: "m"}, Messages: msgs})
	must(t, err)
	return ids
}

func texts(msgs []Message) []string {
	var out []string
	for _, m := range msgs {
		out = append(out, m.Role+": "+m.Content)
	}
	return out
}

func equal(t testing.TB, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	s := open(t)
	want := []llm.Message{
		{Role: "user", Content: "look 中文 😀", APIContent: "look\n\ncontext of a hook"},
		{
			Role: "assistant", Reasoning: "I should look", FinishReason: "tool_calls",
			ReasoningDetails: json.RawMessage(`[{"type": "thinking", "signature": "\u00e9\"x\\"}]`),
			ToolCalls:        []llm.ToolCall{{ID: "call_1", Name: "terminal", Arguments: `{"command": "echo \"中\""}`}, {ID: "t2", Name: "todo", Arguments: "{broken"}},
		},
		{Role: "tool", Name: "terminal", ToolCallID: "call_1", Content: `{"output": "<b>&"}`},
		{Role: "tool", Name: "todo", ToolCallID: "t2", Content: ""},
		{Role: "assistant", Content: "done", FinishReason: "stop", ReasoningDetails: json.RawMessage(`[{"type": "reasoning", "encrypted_content": "zz"}]`)},
		{Role: "user", Content: "[System: go on]", Synthetic: true},
		{Role: "user", Content: "see\nhttps://x", Parts: []llm.Part{{Text: "see\nhttps://x"}, {Image: &llm.Image{URL: "https://x/a.png"}}}},
	}
	_, err := s.AppendStep(ctx, Step{Session: "a", Create: &New{ID: "a", Source: "cli"}, Messages: want})
	must(t, err)
	got, err := s.Messages(ctx, "a")
	must(t, err)
	equal(t, "messages", Texts(got), want)
	for i := 1; i < len(got); i++ {
		if !got[i].Time.After(got[i-1].Time) {
			t.Errorf("time of message %d does not come after the one before it", i)
		}
	}
	one, err := s.Session(ctx, "a")
	must(t, err)
	equal(t, "counters", []int{one.Messages, one.ToolCalls}, []int{7, 2})
}
