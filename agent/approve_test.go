package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// A plugin asks; what the user says decides, for as long as it was said.
func TestAPluginsCallIsApproved(t *testing.T) {
	for _, tc := range []struct {
		answer       event.Answer
		nobody       bool
		asked        int // times in two calls
		result, rule string
		status       string
	}{
		{answer: event.Answer{Choice: "once"}, asked: 2, result: `{"got": {}}`, status: "ok"},
		{answer: event.Answer{Choice: "session"}, asked: 1, result: `{"got": {}}`, status: "ok"},
		{answer: event.Answer{Choice: "always"}, asked: 1, result: `{"got": {}}`, rule: "plugin_rule:r", status: "ok"},
		{answer: event.Answer{Choice: "deny"}, asked: 2, result: `{"error": "BLOCKED: User denied this potentially dangerous action (matched 'looks odd'). Do NOT retry — the user has explicitly rejected it."}`, status: "denied"},
		{answer: event.Answer{Choice: "deny", Text: "use staging"}, asked: 2, result: `{"error": "BLOCKED: User denied this potentially dangerous action (matched 'looks odd'). Do NOT retry — the user has explicitly rejected it. The user says: use staging"}`, status: "denied"},
		{nobody: true, asked: 2, result: `{"error": "BLOCKED: User denied this potentially dangerous action (matched 'looks odd'). Do NOT retry — the user has explicitly rejected it."}`, status: "denied"},
	} {
		hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{
			hook.PreToolCall: returns(`{"action":"approve","message":"looks odd","rule_key":"r"}`),
		}}
		asked, saved := 0, ""
		b := newBench(t, benchOptions{
			hooks: hooks, tools: []tool.Tool{echo("echo")},
			steps: []llmtest.Step{llmtest.Use("a", "echo", `{}`), llmtest.Use("b", "echo", `{}`), llmtest.Say("ok")},
			change: func(o *Options) {
				o.Ask = func(_ context.Context, q event.Ask) (event.Answer, bool) {
					asked++
					if q.Kind != event.AskApproval || q.Text != "looks odd" || q.Turn == "" || q.Call == "" || q.Choices[q.Default].ID != "deny" || !strings.Contains(q.Command, "<echo>") {
						t.Errorf("question %+v", q)
					}
					return tc.answer, !tc.nobody
				}
				o.Allow = func(rule string) error { saved = rule; return nil }
			},
		})
		d := b.turn("go")
		if asked != tc.asked || saved != tc.rule {
			t.Errorf("%+v: asked %d times, saved %q", tc.answer, asked, saved)
		}
		if d.Tools[0].Status != tc.status || d.Tools[0].Result != tc.result {
			t.Errorf("%+v: %s %s", tc.answer, d.Tools[0].Status, d.Tools[0].Result)
		}
	}
}

// A tool that asks reaches the user, in the name of its call.
func TestAToolAsks(t *testing.T) {
	asks := echo("asks")
	asks.run = func(ctx context.Context, c tool.Call) (tool.Result, error) {
		a, ok := c.Ask(ctx, event.Ask{Kind: event.AskClarify, Text: "which?"})
		if !ok {
			return tool.Result{Content: "nobody"}, nil
		}
		return tool.Result{Content: a.Text, Diff: "--- a\n+++ b\n"}, nil
	}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{asks}, steps: []llmtest.Step{llmtest.Use("a", "asks", `{}`), llmtest.Say("ok")},
		change: func(o *Options) {
			o.Ask = func(_ context.Context, q event.Ask) (event.Answer, bool) {
				return event.Answer{Text: "this, " + q.Call}, q.Session != ""
			}
		},
	})
	b.turn("go")
	wantLines(t, lines(b.request(1).Messages)[2:], "tool: this, a <a>")
	for _, e := range b.drain() {
		if e, ok := e.(event.ToolDone); ok && e.Diff != "--- a\n+++ b\n" {
			t.Errorf("the card has the diff %q", e.Diff)
		}
	}
}
