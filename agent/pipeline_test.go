package agent

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// With approvals switched off, what a plugin wants approved runs; a veto stays
// a veto.
func TestApprovalsOff(t *testing.T) {
	for returned, want := range map[string]string{
		`{"action":"approve","message":"risky"}`: `{"got": {}}`,
		`{"action":"approve"}`:                   `{"got": {}}`,
		`{"action":"block","message":"no"}`:      `{"error": "no"}`,
	} {
		hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{hook.PreToolCall: returns(returned)}}
		b := newBench(t, benchOptions{hooks: hooks, settings: Settings{ApproveAll: true}, tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("ok")}})
		b.turn("go")
		if got := b.request(1).Messages[3].Content; got != want {
			t.Errorf("%s: result %s, want %s", returned, got, want)
		}
		if out := b.CallTool(t.Context(), "echo", nil); out.Result != want {
			t.Errorf("%s: without a model: %s, want %s", returned, out.Result, want)
		}
	}
}

// A handler that edits its arguments has edited what observers are told.
func TestArgumentsEditedByTheHandler(t *testing.T) {
	for left, want := range map[string]string{
		``:              `{"n":1}`,
		`{"n":1,"x":2}`: `{"n":1,"x":2}`,
		`[]`:            `{"n":1}`,
		`{broken`:       `{"n":1}`,
	} {
		hooks := &recorder{}
		f := echo("echo")
		f.run = func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Content: "done", Args: json.RawMessage(left)}, nil
		}
		b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{f}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{"n":"1"}`), llmtest.Say("ok")}})
		d := b.turn("go")
		for _, name := range []string{hook.PostToolCall, hook.TransformToolResult} {
			if got := string(hooks.of(name)[0]["args"]); got != want {
				t.Errorf("%s: %s got %s, want %s", left, name, got, want)
			}
		}
		if got := string(d.Tools[0].Args); got != `{"n":1}` {
			t.Errorf("%s: the card shows %s", left, got)
		}
	}
}

// A NUL is text for plugins; no service and no screen gets one.
func TestNULInResults(t *testing.T) {
	hooks := &recorder{}
	f := echo("echo")
	f.run = give("a\x00b\xffc")
	b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{f}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("ok")}})
	d := b.turn("go")
	if got := b.request(1).Messages[3].Content; got != "ab\ufffdc" {
		t.Errorf("the model got %q", got)
	}
	if got := string(hooks.of(hook.PostToolCall)[0]["result"]); got != `"a\u0000b`+"\ufffd"+`c"` {
		t.Errorf("post_tool_call got %s", got)
	}
	if got := d.Tools[0].Result; got != "a\ufffdb\ufffdc" {
		t.Errorf("the summary shows %q", got)
	}
	if s := b.story(); strings.ContainsRune(s, 0) || !strings.Contains(s, "done echo c1 ok a\ufffdb\ufffdc") {
		t.Errorf("shown:\n%q", s)
	}
}
