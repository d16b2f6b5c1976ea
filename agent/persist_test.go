package agent

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/prompt"
	"hermes/agent/store"
	"hermes/agent/tool"
)

// stored is a database that several agents of a test can use.
func openStore(t testing.TB) *store.Store {
	t.Helper()
	s := store.Open(filepath.Join(t.TempDir(), "state.db"), store.Options{})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func with(s Store, change ...func(*Options)) func(*Options) {
	return func(o *Options) {
		o.Store = s
		for _, c := range change {
			c(o)
		}
	}
}

// rows is what the store holds of a session, one line each.
func rows(t testing.TB, s *store.Store, id string) []string {
	t.Helper()
	msgs, err := s.Messages(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range msgs {
		line := m.Role + ": " + m.Content
		for _, c := range m.ToolCalls {
			line += fmt.Sprintf(" [%s %s(%s)]", c.ID, c.Name, c.Arguments)
		}
		if m.ToolCallID != "" {
			line += " <" + m.ToolCallID + ">"
		}
		out = append(out, line)
	}
	return out
}

// Every message is in the store before the next step begins.
func TestEachStepIsStoredBeforeTheNext(t *testing.T) {
	db := openStore(t)
	var b *bench
	seen := map[string][]string{}
	look := func(when string) { seen[when] = rows(t, db, b.Session()) }
	probe := echo("probe")
	probe.run = func(context.Context, tool.Call) (tool.Result, error) {
		look("tool")
		return tool.Result{Content: "result"}, nil
	}
	b = newBench(t, benchOptions{
		tools: []tool.Tool{probe}, change: with(db),
		steps: []llmtest.Step{
			{Answer: func(llmtest.Request) llmtest.Step { look("first request"); return llmtest.Use("a", "probe", `{}`) }},
			{Answer: func(llmtest.Request) llmtest.Step { look("second request"); return llmtest.Say("done") }},
		},
	})
	b.turn("go")
	look("end")
	wantLines(t, seen["first request"], "user: go")
	wantLines(t, seen["tool"], "user: go", "assistant:  [a probe({})]")
	wantLines(t, seen["second request"], "user: go", "assistant:  [a probe({})]", "tool: result <a>")
	wantLines(t, seen["end"], "user: go", "assistant:  [a probe({})]", "tool: result <a>", "assistant: done")
	one, err := db.Session(context.Background(), b.Session())
	if err != nil {
		t.Fatal(err)
	}
	if one.Source != "cli" || one.Model != "mock-model" || one.Provider != "custom" || one.APICalls != 2 || one.In != 2000 || one.ToolCalls != 1 {
		t.Errorf("%+v", one)
	}
	if one.SystemPrompt != b.request(0).Messages[0].Content {
		t.Error("the system prompt that was sent is not the one that is stored")
	}
}

// A session without a turn leaves no row behind.
func TestAnUnusedSessionIsNotStored(t *testing.T) {
	db := openStore(t)
	b := newBench(t, benchOptions{change: with(db)})
	b.NewSession("")
	b.until("the reset", func(e event.Event) bool { _, ok := e.(event.SessionReset); return ok })
	list, err := db.List(context.Background(), store.ListOptions{})
	if err != nil || len(list) != 0 {
		t.Errorf("%v %v", list, err)
	}
}

func TestResume(t *testing.T) {
	db := openStore(t)
	sys := func(o *Options) {
		n := 0
		o.SystemPrompt = func(in prompt.Input) string {
			n++
			return fmt.Sprintf("prompt %d\nModel: %s\nProvider: %s", n, in.Model, in.Provider)
		}
	}
	one := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, change: with(db, sys),
		steps: []llmtest.Step{llmtest.Use("a", "echo", `{"text":"x"}`), llmtest.Say("done")},
	})
	one.turn("go")
	id := one.Session()

	two := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, change: with(db, sys, func(o *Options) {
			sp := o.SystemPrompt
			o.SystemPrompt = func(in prompt.Input) string { return "another " + sp(in) }
		}),
		steps: []llmtest.Step{llmtest.Use("a", "echo", `{}`), llmtest.Say("again")},
	})
	if err := two.Resume(context.Background(), id); err != nil {
		t.Fatal(err)
	}
	if two.Session() != id {
		t.Errorf("session %s, want %s", two.Session(), id)
	}
	h, _ := two.until("the history", func(e event.Event) bool { _, ok := e.(event.HistoryRestored); return ok }).(event.HistoryRestored)
	var got []string
	for _, m := range h.Messages {
		got = append(got, fmt.Sprintf("%s: %s %v", m.Role, m.Text, m.Calls))
	}
	wantLines(t, got, "user: go []", `assistant:  [{a echo {"text":"x"}}]`, `tool: {"got": {"text":"x"}} []`, "assistant: done []")
	two.turn("more")
	first := two.request(0)
	if first.Messages[0].Content != "prompt 1\nModel: mock-model\nProvider: custom" {
		t.Errorf("the system prompt is not the stored one: %q", first.Messages[0].Content)
	}
	wantLines(t, lines(first.Messages), "user: go", `assistant:  [a echo({"text":"x"})]`, `tool: {"got": {"text":"x"}} <a>`, "assistant: done", "user: more")
	// The service repeats an id of the stored part: nothing is lost.
	last := lines(two.request(1).Messages)
	if len(last) != 7 || !strings.HasPrefix(last[6], `tool: {"got": {}} <call_`) {
		t.Errorf("second request %s", strings.Join(last, "\n"))
	}
	if got := rows(t, db, id); len(got) != 8 || got[7] != "assistant: again" {
		t.Errorf("stored %s", strings.Join(got, "\n"))
	}
}

// What a killed program left is mended, once.
func TestResumeAfterAKill(t *testing.T) {
	db := openStore(t)
	ctx := context.Background()
	_, err := db.AppendStep(ctx, store.Step{Session: "s", Create: &store.New{ID: "s", Source: "cli"}, Messages: []llm.Message{
		{Role: "user", Content: "go"},
		{Role: "assistant", ToolCalls: []llm.ToolCall{{ID: "a", Name: "echo", Arguments: "{}"}, {ID: "b", Name: "echo", Arguments: "{}"}}},
		{Role: "tool", ToolCallID: "a", Name: "echo", Content: "ok"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"user: go", "assistant:  [a echo({})] [b echo({})]", "tool: ok <a>",
		"tool: " + interruptedResult + " <b>", "assistant: Operation interrupted.",
	}
	for range 2 {
		b := newBench(t, benchOptions{change: with(db), steps: []llmtest.Step{llmtest.Say("x")}})
		if err := b.Resume(ctx, "s"); err != nil {
			t.Fatal(err)
		}
		wantLines(t, rows(t, db, "s"), want...)
	}
	b := newBench(t, benchOptions{change: with(db), steps: []llmtest.Step{llmtest.Say("x")}})
	if err := b.Resume(ctx, "nope"); err == nil || !strings.Contains(err.Error(), "nope") {
		t.Errorf("got %v", err)
	}
}

// The conversation goes on when it cannot be saved, and the user knows.
func TestAStoreThatFails(t *testing.T) {
	db := openStore(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, benchOptions{change: with(db), steps: []llmtest.Step{llmtest.Say("ok")}})
	for range 2 {
		if d := b.turn("go"); d.Answer != "ok" {
			t.Errorf("%+v", d)
		}
	}
	n := 0
	for _, e := range b.drain() {
		if e, ok := e.(event.Notice); ok && strings.Contains(e.Text, "cannot be saved") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("told %d times", n)
	}
}
