package plugins

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
	want := []string{"null", `{"1":null,"null":"b'x'"}`, `["[[...]]"]`, "0", `""`, "false", `"\ud83d"`, "1000000000000000000000000000000"}
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
	if run.Timeout || run.Effect != "skipped" || run.Err != nil || run.Plugin != "s" || run.Callback != "cb" {
		t.Errorf("run = %+v %+v", run, run.Err)
	}
	if p := r.plugin("s"); p.State != event.PluginOK || p.Error != nil {
		t.Errorf("s = %+v", p)
	}
}

func TestSkippedHookIsNotCountedAndItsResultIsLate(t *testing.T) {
	r := rigWith(t, map[string]string{"s": `
import os, time
def cb(args, **kw):
    open(args["mark"], "w").close()
    while not os.path.exists(args["go"]):
        time.sleep(0.005)
    args["edited"] = True
    if args.get("raise"):
        raise ValueError("after all")
    return {"action": "block", "message": "too late"}
def after(args, **kw):
    return {"action": "approve", "seen": sorted(args)}
def register(ctx):
    ctx.register_hook("pre_tool_call", cb)
    ctx.register_hook("pre_tool_call", after)
`}, nil).start()
	dir := t.TempDir()
	for n := range pauseAfterErrors + 1 {
		mark, goOn := filepath.Join(dir, fmt.Sprint("mark", n)), filepath.Join(dir, fmt.Sprint("go", n))
		call := fmt.Sprint("c", n)
		payload, err := json.Marshal(map[string]any{
			"session_id": "s1", "turn_id": "t1", "tool_call_id": call,
			"args": map[string]any{"mark": mark, "go": goOn, "raise": n%2 == 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan hook.Outcome, 1)
		go func() { done <- r.hook(hook.PreToolCall, string(payload)) }()
		waitFor(t, func() bool { _, err := os.Stat(mark); return err == nil })
		r.SkipHook()
		out := <-done
		if len(out.Returns) != 1 || string(out.Returns[0]) != `{"action":"approve","seen":["go","mark","raise"]}` || len(out.Changed) != 0 {
			t.Fatalf("outcome = %s, changed %v", out.Returns, out.Changed)
		}
		if err := os.WriteFile(goOn, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		late := await(r, func(e event.HookRun) bool { return e.Effect == "late" && e.Call == call })
		if late.Hook != hook.PreToolCall || late.Plugin != "s" || late.Callback != "cb" || late.Session != "s1" || late.Turn != "t1" || late.Timeout || late.Ms <= 0 {
			t.Errorf("late = %+v", late)
		}
		if n%2 == 0 && (late.Err != nil || late.Detail != `{"action":"block","message":"too late"}`) || n%2 == 1 && (late.Err == nil || late.Err.Message != "after all") {
			t.Errorf("late = %+v %+v", late, late.Err)
		}
	}
	if p := r.plugin("s"); p.State != event.PluginOK || p.Error != nil {
		t.Errorf("s = %s %q %+v", p.State, p.Reason, p.Error)
	}
}

func TestSkippedHookIsEndedAtItsLimit(t *testing.T) {
	r := rigWith(t, map[string]string{"s": `
def cb(model, **kw):
    try:
        while True:
            pass
    finally:
        open(model, "w").close()
def register(ctx):
    ctx.register_hook("post_llm_call", cb)
`}, func(o *Options) {
		o.Settings.Entries = map[string]Entry{"s": {HookTimeout: map[string]time.Duration{"": 1500 * time.Millisecond}}}
	}).start()
	ended := filepath.Join(t.TempDir(), "ended")
	done := make(chan hook.Outcome, 1)
	go func() { done <- r.hook(hook.PostLLMCall, `{"session_id": "s1", "model": "`+ended+`"}`) }()
	await(r, func(e event.HookSlow) bool { return true })
	r.SkipHook()
	<-done
	run := await(r, func(e event.HookRun) bool { return true })
	if run.Effect != "skipped" {
		t.Errorf("run = %+v", run)
	}
	waitFor(t, func() bool { _, err := os.Stat(ended); return err == nil })
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
