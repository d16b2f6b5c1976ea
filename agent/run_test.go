package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

func TestFailingTools(t *testing.T) {
	raise := echo("raise")
	raise.run = func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{
			Content: `{"error": "[TOOL_ERROR] Tool execution failed: ValueError: boom"}`,
			Err:     &tool.Failure{Type: "ValueError", Message: "boom", File: "/p/__init__.py", Line: 7, Traceback: "Traceback: secret-place"},
		}, nil
	}
	lost := echo("lost")
	lost.run = func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{}, errors.New("plugin host ended while running probe")
	}
	panics := echo("panics")
	panics.run = func(context.Context, tool.Call) (tool.Result, error) { panic("oh") }
	nul := echo("nul")
	nul.run = func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{Content: "bad \xed\xa0\x80 half, nul \x00 end"}, nil
	}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{raise, lost, panics, nul},
		steps: []llmtest.Step{{ToolCalls: []llmtest.Call{
			llmtest.NewCall("1", "raise", `{}`), llmtest.NewCall("2", "lost", `{}`), llmtest.NewCall("3", "panics", `{}`), llmtest.NewCall("4", "nul", `{}`),
		}}, llmtest.Say("ok")},
	})
	d := b.turn("go")
	wantLines(t, b.reply()[2:],
		`tool: {"error": "[TOOL_ERROR] Tool execution failed: ValueError: boom"} <1>`,
		`tool: {"error": "[TOOL_ERROR] Tool execution failed: plugin host ended while running probe"} <2>`,
		`tool: {"error": "[TOOL_ERROR] Tool execution failed: panic: oh"} <3>`,
		"tool: bad \ufffd half, nul  end <4>")
	for i, want := range []string{"error", "error", "error", "ok"} {
		if d.Tools[i].Status != want {
			t.Errorf("call %d: %s, want %s", i+1, d.Tools[i].Status, want)
		}
	}
	for _, e := range b.drain() {
		if e, ok := e.(event.ToolDone); ok && e.Name == "raise" && e.Err != "the tool failed: ValueError: boom (p/__init__.py:7)" {
			t.Errorf("the card says %q", e.Err)
		}
	}
	for _, want := range []string{"Tool raise started: {}", "Tool raise error", "Traceback: secret-place", "Tool nul completed"} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
}

// A sentence that stands alone is not said twice, whatever its language.
func TestCardOfAPlainSentence(t *testing.T) {
	for lang, want := range map[locale.Lang]string{
		locale.EN: "the tool failed: the handler returned dict {'a': 1}; return a string",
		locale.ZH: "工具执行失败：the handler returned dict {'a': 1}; return a string",
	} {
		f := &tool.Failure{Message: "the handler returned dict {'a': 1}; return a string"}
		if got := failureText(f, lang); got != want {
			t.Errorf("the card says %q, want %q", got, want)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	stuck := echo("stuck") // ignores its context
	stuck.spec.Timeout = 20 * time.Millisecond
	stuck.run = func(context.Context, tool.Call) (tool.Result, error) {
		<-release
		return tool.Result{Content: "late"}, nil
	}
	polite := echo("polite")
	polite.spec.Timeout = 20 * time.Millisecond
	polite.run = func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{stuck, polite},
		steps: []llmtest.Step{{ToolCalls: []llmtest.Call{llmtest.NewCall("1", "stuck", `{}`), llmtest.NewCall("2", "polite", `{}`)}}, llmtest.Say("ok")},
	})
	d := b.turn("go")
	wantLines(t, b.reply()[2:], `tool: {"error": "Tool 'stuck' timed out after 0 s"} <1>`, `tool: {"error": "Tool 'polite' timed out after 0 s"} <2>`)
	if d.Answer != "ok" || d.Tools[0].Status != event.StatusTimeout || d.Tools[1].Status != event.StatusTimeout {
		t.Errorf("%+v", d)
	}
	release <- struct{}{}
}

func TestSafeCallsRunTogetherAndOthersAlone(t *testing.T) {
	var running, most atomic.Int32
	arrived := make(chan struct{}, 16)
	open := make(chan struct{})
	safe := echo("safe")
	safe.spec.ParallelSafe = true
	safe.run = func(ctx context.Context, c tool.Call) (tool.Result, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		arrived <- struct{}{}
		select {
		case <-open:
		case <-ctx.Done():
		}
		return tool.Result{Content: string(c.Args)}, nil
	}
	barrier := echo("barrier")
	barrier.run = func(_ context.Context, c tool.Call) (tool.Result, error) {
		if n := running.Load(); n != 0 {
			t.Errorf("%d calls run beside a barrier", n)
		}
		return tool.Result{Content: "b"}, nil
	}
	var calls []llmtest.Call
	for i := range 10 {
		calls = append(calls, llmtest.NewCall(fmt.Sprint(i), "safe", fmt.Sprintf(`{"n":%d}`, i)))
	}
	calls = append(calls, llmtest.NewCall("10", "barrier", `{}`), llmtest.NewCall("11", "safe", `{"n":11}`))
	b := newBench(t, benchOptions{tools: []tool.Tool{safe, barrier}, steps: []llmtest.Step{{ToolCalls: calls}, llmtest.Say("ok")}})
	b.Submit("go")
	for range maxParallel {
		<-arrived
	}
	close(open)
	b.until("the end", func(e event.Event) bool { _, ok := e.(event.TurnDone); return ok })
	if most.Load() != maxParallel {
		t.Errorf("at most %d ran side by side, want %d", most.Load(), maxParallel)
	}
	got := b.reply()[2:]
	for i, line := range got {
		if !strings.HasSuffix(line, fmt.Sprintf("<%d>", i)) {
			t.Errorf("result %d is %s", i, line)
		}
	}
}

func TestGatesOfCallsThatRunTogether(t *testing.T) {
	hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{
		hook.PreToolCall: func(p map[string]json.RawMessage) hook.Outcome {
			if string(p["tool_call_id"]) == `"b"` {
				return hook.Outcome{Returns: raws(`{"action":"block","message":"not this one"}`)}
			}
			return hook.Outcome{}
		},
	}}
	safe := echo("safe")
	safe.spec.ParallelSafe = true
	var calls []llmtest.Call
	for i, id := range []string{"a", "b", "c"} {
		calls = append(calls, llmtest.NewCall(id, "safe", fmt.Sprintf(`{"n":%d}`, i)))
	}
	b := newBench(t, benchOptions{tools: []tool.Tool{safe}, hooks: hooks, steps: []llmtest.Step{{ToolCalls: calls}, llmtest.Say("ok")}})
	b.turn("go")
	var gates []string
	for _, p := range hooks.of(hook.PreToolCall) {
		gates = append(gates, string(p["tool_call_id"]))
	}
	if got := strings.Join(gates, ""); got != `"a""b""c"` {
		t.Errorf("gates %s", got)
	}
	order := hooks.order()
	if strings.LastIndex(order, hook.PreToolCall) > strings.Index(order, hook.PostToolCall) {
		t.Errorf("a gate comes after a call has run: %s", order)
	}
	wantLines(t, b.reply()[2:], `tool: {"got": {"n":0}} <a>`, `tool: {"error": "not this one"} <b>`, `tool: {"got": {"n":2}} <c>`)
	story := b.story()
	if strings.Index(story, "started safe a") > strings.Index(story, "started safe c") {
		t.Errorf("cards are not opened in call order:\n%s", story)
	}
}

func TestResultsWithinTheBudget(t *testing.T) {
	size := func(n int) tool.Tool {
		f := echo(fmt.Sprintf("give%d", n))
		f.run = func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Content: "HEAD\n" + strings.Repeat("x", n-5)}, nil
		}
		return f
	}
	b := newBench(t, benchOptions{
		tools:    []tool.Tool{size(7000), size(7001), size(7002), size(9000)},
		settings: Settings{ContextWindow: 8192}, // 8000 a result, 16000 a reply
		steps: []llmtest.Step{{ToolCalls: []llmtest.Call{
			llmtest.NewCall("b1", "give7000", `{}`), llmtest.NewCall("b2", "give7001", `{}`), llmtest.NewCall("b3", "give7002", `{}`), llmtest.NewCall("b4", "give9000", `{}`),
		}}, llmtest.Say("ok")},
	})
	b.turn("go")
	var spilled []string
	for _, m := range b.request(1).Messages {
		if strings.HasPrefix(m.Content, "<persisted-output>") {
			spilled = append(spilled, m.ToolCallID)
			path := regexp.MustCompile(`the file (\S+);`).FindStringSubmatch(m.Content)
			if path == nil {
				t.Fatalf("no path in %s", m.Content)
			}
			if data, err := os.ReadFile(path[1]); err != nil || !strings.HasPrefix(string(data), "HEAD\n") || filepath.Base(filepath.Dir(path[1])) != "hermes-results" {
				t.Errorf("saved %d bytes in %s: %v", len(data), path[1], err)
			}
			if err := os.Remove(path[1]); err != nil {
				t.Error(err)
			}
		}
	}
	if fmt.Sprint(spilled) != "[b2 b3 b4]" {
		t.Errorf("spilled %v, want the one that is too long, and the largest until the rest fits", spilled)
	}
}

func TestSecretsStayInside(t *testing.T) {
	leak := echo("leak")
	leak.run = func(context.Context, tool.Call) (tool.Result, error) {
		return tool.Result{Content: `{"key": "TOPSECRET"}`, Err: &tool.Failure{Type: "E", Message: "TOPSECRET", Traceback: "TOPSECRET"}}, nil
	}
	hooks := &recorder{}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{leak}, hooks: hooks,
		steps: []llmtest.Step{llmtest.Use("1", "leak", `{"text":"TOPSECRET"}`), llmtest.Say("it is TOPSECRET")},
		change: func(o *Options) {
			o.Redact = func(s string) string { return strings.ReplaceAll(s, "TOPSECRET", "***") }
		},
	})
	d := b.turn("go")
	if d.Answer != "it is ***" {
		t.Errorf("answer %q", d.Answer)
	}
	if got := b.request(1).Messages[3].Content; strings.Contains(got, "TOPSECRET") {
		t.Errorf("the model got %s", got)
	}
	if strings.Contains(b.log.String(), "TOPSECRET") {
		t.Errorf("the log holds it:\n%s", b.log)
	}
	for _, e := range b.drain() {
		if _, delta := e.(event.Delta); delta {
			continue // the text as it streams; the finished message takes its place
		}
		if s := fmt.Sprintf("%+v", e); strings.Contains(s, "TOPSECRET") {
			t.Errorf("%T holds it: %s", e, s)
		}
	}
}

func TestCallToolRunsTheWholePipeline(t *testing.T) {
	hooks := &recorder{}
	hidden := echo("hidden")
	hidden.hidden = "no key"
	b := newBench(t, benchOptions{tools: []tool.Tool{echo("echo"), hidden}, hooks: hooks})
	out := b.CallTool(t.Context(), "echo", json.RawMessage(`{"n":"3"}`))
	if out.Status != event.StatusOK || out.Result != `{"got": {"n":3}}` || string(out.Args) != `{"n":3}` || out.Owner != "probe" {
		t.Errorf("%+v", out)
	}
	if got := hooks.order(); got != "pre_tool_call post_tool_call transform_tool_result" {
		t.Errorf("hooks %s", got)
	}
	if out := b.CallTool(t.Context(), "nope", nil); out.Status != event.StatusError || out.Result != `{"error": "Unknown tool: nope"}` || out.Err == "" {
		t.Errorf("%+v", out)
	}
	// What is hidden from the model can still be called by name.
	if out := b.CallTool(t.Context(), "hidden", nil); out.Status != event.StatusOK || out.Result != `{"got": {}}` {
		t.Errorf("%+v", out)
	}
	if out := b.CallTool(t.Context(), "echo", json.RawMessage(`{"a"`)); out.Status != event.StatusError || !strings.Contains(out.Result, "line 1 column 5") {
		t.Errorf("%+v", out)
	}
	if out := b.CallTool(t.Context(), "echo", json.RawMessage(`[]`)); out.Result != argsNotObject {
		t.Errorf("%+v", out)
	}
}
