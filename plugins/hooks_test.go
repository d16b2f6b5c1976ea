package plugins

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
)

func TestHooksSeeAndChangeArguments(t *testing.T) {
	r := rigWith(t, map[string]string{
		"a": "def pre(tool_name, args, **kw):\n    args['text'] = 'by a'\ndef register(ctx):\n    ctx.register_hook('pre_tool_call', pre)\n",
		"b": "def pre(args, **kw):\n    return {'action': 'block', 'message': args['text']}\ndef register(ctx):\n    ctx.register_hook('pre_tool_call', pre)\n",
	}, func(o *Options) {
		// b runs in a process of its own: the edit travels.
		o.Settings.Entries = map[string]Entry{"b": {Isolate: true}}
	}).start()
	out := r.hook(hook.PreToolCall, `{"tool_name": "t", "args": {"text": "model", "n": 1}, "session_id": "s1", "tool_call_id": "c7"}`)
	if string(out.Changed["args"]) != `{"text":"by a","n":1}` {
		t.Errorf("changed = %s", out.Changed["args"])
	}
	if len(out.Returns) != 1 || string(out.Returns[0]) != `{"action":"block","message":"by a"}` {
		t.Errorf("returns = %s", out.Returns)
	}
	a := await(r, func(e event.HookRun) bool { return e.Plugin == "a" })
	b := await(r, func(e event.HookRun) bool { return e.Plugin == "b" })
	if a.Effect != "changed" || a.Detail != "args" || b.Effect != "block" || b.Call != "c7" || a.Seq > b.Seq {
		t.Errorf("runs = %+v, %+v", a, b)
	}
}

func TestHookValuesOfAnyKind(t *testing.T) {
	r := rigWith(t, map[string]string{"v": `
class Odd:
    def __str__(self):
        raise ValueError("no text")
loop = []
loop.append(loop)
def register(ctx):
    for v in (float("nan"), {1: float("inf"), None: b"x"}, Odd(), {"a"}, loop, 0, "", False, "\ud83d", 10**30):
        ctx.register_hook("pre_llm_call", lambda v=v, **kw: v)
    ctx.register_hook("pre_llm_call", 42)
`}, nil).start()
	out := r.hook(hook.PreLLMCall, `{"session_id": "s1"}`)
	var got []string
	for _, v := range out.Returns {
		if !json.Valid(v) {
			t.Errorf("no JSON: %s", v)
		}
		got = append(got, string(v))
	}
	want := []string{"null", `{"1":null,"null":"b'x'"}`, `"<unprintable Odd>"`, `"{'a'}"`, `["[[...]]"]`, "0", `""`, "false", `"\ud83d"`, "1000000000000000000000000000000"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("returns = %q\nwant %q", got, want)
	}
	run := await(r, func(e event.HookRun) bool { return e.Err != nil })
	if run.Callback != "int" || run.Err.Type != "TypeError" {
		t.Errorf("run = %+v", run)
	}
}

func TestFailingHookIsPausedAndAGuardIsNot(t *testing.T) {
	code := "def cb(**kw):\n    raise RuntimeError('sk-secret-12345 broke')\ndef register(ctx):\n    ctx.register_hook('pre_tool_call', cb)\n"
	r := rigWith(t, map[string]string{"loose": code, "guard": code}, func(o *Options) {
		o.Env = append(o.Env, "MY_API_KEY=sk-secret-12345")
		o.Settings.Entries = map[string]Entry{"guard": {HookFailureBlock: true}}
	}).start()
	var last hook.Outcome
	for range 7 {
		last = r.hook(hook.PreToolCall, `{"tool_name": "t", "args": {"key": "sk-secret-12345"}, "session_id": "s1"}`)
	}
	if !strings.HasPrefix(last.Failed, "BLOCKED: the pre_tool_call guard of plugin 'guard' failed (RuntimeError: ") {
		t.Errorf("failed = %q", last.Failed)
	}
	if p := r.plugin("loose"); p.State != event.PluginPaused || !strings.Contains(p.Reason, "pre_tool_call") {
		t.Errorf("loose = %s %q", p.State, p.Reason)
	}
	if p := r.plugin("guard"); p.State != event.PluginOK || p.Error == nil || p.Error.Line != 2 {
		t.Errorf("guard = %+v", p)
	}
	runs := 0
	for _, e := range r.events() {
		run, ok := e.(event.HookRun)
		if !ok {
			continue
		}
		if run.Plugin == "loose" {
			runs++
		}
		if all := run.Payload + run.Err.Message + run.Err.Traceback; strings.Contains(all, "sk-secret") {
			t.Fatalf("a secret is in an event: %+v", run)
		}
	}
	if runs != 5 {
		t.Errorf("the loose hook ran %d times, want 5", runs)
	}
}

func TestUserSkipsASlowHook(t *testing.T) {
	r := rigWith(t, map[string]string{"s": "import time\ndef cb(**kw):\n    time.sleep(9999)\ndef register(ctx):\n    ctx.register_hook('post_llm_call', cb)\n"}, nil).start()
	done := make(chan hook.Outcome, 1)
	go func() { done <- r.hook(hook.PostLLMCall, `{"session_id": "s1"}`) }()
	slow := await(r, func(e event.HookSlow) bool { return true })
	if slow.Limit != DefaultHookTimeout || slow.Elapsed < time.Second {
		t.Errorf("slow = %+v", slow)
	}
	r.SkipHook()
	<-done
	run := await(r, func(e event.HookRun) bool { return true })
	if run.Timeout || run.Effect != "late" || run.Err == nil || run.Err.Line != 3 || run.Err.Source != "time.sleep(9999)" {
		t.Errorf("run = %+v %+v", run, run.Err)
	}
}

func TestInterruptedHookReturnsAtOnce(t *testing.T) {
	r := rigWith(t, map[string]string{"s": "import time\ndef cb(**kw):\n    time.sleep(9999)\ndef register(ctx):\n    ctx.register_hook('post_llm_call', cb)\n", "good": good}, nil).start()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := r.Hooks().Invoke(ctx, hook.PostLLMCall, hook.LLMDone{SessionID: "s1"}); err == nil {
		t.Error("an interrupted hook came back without an error")
	}
	r.wantGood()
}
