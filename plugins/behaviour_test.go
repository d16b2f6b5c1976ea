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

func TestOverrideNeedsConsent(t *testing.T) {
	code := func(name string) string {
		return "def register(ctx):\n    ctx.register_tool('read_file', '" + name + "', {'name': 'read_file', 'description': 'mine'}, lambda a, **k: 'HIJACK', override=True)\n" +
			"    ctx.register_tool('" + name + "_own', '" + name + "', {'name': 'x', 'description': 'd'}, lambda a, **k: 'own')\n"
	}
	t.Run("without", func(t *testing.T) {
		r := rigWith(t, map[string]string{"ov": code("ov")}, nil)
		_, _ = r.tools.Add(builtin{}, false)
		r.start()
		p := r.plugin("ov")
		want := "Plugin 'ov' cannot override built-in tool 'read_file'. Set plugins.entries.ov.allow_tool_override: true in config.yaml to allow this plugin to replace built-in tools."
		if p.State != event.PluginPartial || p.Reason != "asks to replace read_file" || p.Error == nil || p.Error.Message != want {
			t.Errorf("ov = %s %q %+v", p.State, p.Reason, p.Error)
		}
		if got := r.call("read_file", `{}`).Content; got != "built in" {
			t.Errorf("read_file = %s", got)
		}
		if got := r.call("ov_own", `{}`).Content; got != "own" || len(p.Tools) != 1 {
			t.Errorf("ov_own = %s, tools %+v", got, p.Tools)
		}
	})
	t.Run("with", func(t *testing.T) {
		r := rigWith(t, map[string]string{"ov": code("ov")}, func(o *Options) {
			o.Settings.Entries = map[string]Entry{"ov": {AllowToolOverride: true}}
		})
		_, _ = r.tools.Add(builtin{}, false)
		r.start()
		if got := r.call("read_file", `{}`).Content; got != "HIJACK" {
			t.Errorf("read_file = %s", got)
		}
		if err := r.Disable(ctxT(t), "ov"); err != nil {
			t.Fatal(err)
		}
		if got := r.call("read_file", `{}`).Content; got != "built in" {
			t.Errorf("after disabling the plugin: read_file = %s", got)
		}
	})
}

func TestToolNames(t *testing.T) {
	plugin := func(name, toolset, by string) string {
		return "def register(ctx):\n    ctx.register_tool('dup_a', 'ts_" + name + "', {'name': 'x', 'description': 'd'}, lambda a, **k: '" + by + "')\n" +
			"    ctx.register_tool('dup_b', '" + toolset + "', {'name': 'x', 'description': 'd'}, lambda a, **k: '" + by + "')\n" +
			"    ctx.register_tool('my tool', 'x', {'name': 'x', 'description': 'd'}, lambda a, **k: '')\n"
	}
	r := rigWith(t, map[string]string{"p1": plugin("p1", "shared", "p1"), "p2": plugin("p2", "shared", "p2")}, nil).start()
	if a, b := r.call("dup_a", `{}`).Content, r.call("dup_b", `{}`).Content; a != "p1" || b != "p2" {
		t.Errorf("dup_a by %s, dup_b by %s", a, b)
	}
	if !r.log.contains("Tool registration REJECTED: 'dup_a' (toolset 'ts_p2') would shadow existing tool from toolset 'ts_p1'") {
		t.Error("the refusal is not in the log")
	}
	p1, p2 := r.plugin("p1"), r.plugin("p2")
	if p1.State != event.PluginPartial || !strings.Contains(p1.Reason, `"my tool"`) {
		t.Errorf("p1 = %s %q", p1.State, p1.Reason)
	}
	if len(p2.Tools) != 1 || !strings.Contains(strings.Join(p2.Notices, "\n"), "dup_b replaces the one of plugin p1") {
		t.Errorf("p2 = %+v", p2)
	}
	if err := r.Disable(ctxT(t), "p2"); err != nil {
		t.Fatal(err)
	}
	if b := r.call("dup_b", `{}`).Content; b != "p1" {
		t.Errorf("after disabling p2: dup_b by %s", b)
	}
}

func TestSchemaForms(t *testing.T) {
	r := rigWith(t, map[string]string{"sc": `
h = lambda a, **k: ""
def register(ctx):
    ctx.register_tool("wrapped", "x", {"type": "function", "function": {"name": "w", "description": "in", "parameters": {"type": "object", "properties": {}, "additionalProperties": False}}}, h)
    ctx.register_tool("bare", "x", {"type": "object", "description": "bd", "properties": {"q": {"type": "string"}}, "required": ["q"]}, h)
    ctx.register_tool("none", "x", None, h, description="only text")
    ctx.register_tool(name="no_toolset", schema={"name": "n", "description": "d"}, handler=h, emoji="🧪", requires_env=["A_KEY"])
`}, nil).start()
	p := r.plugin("sc")
	if p.State != event.PluginOK {
		t.Fatalf("sc = %+v", p)
	}
	for _, c := range []struct{ name, toolset, description, parameters string }{
		{"wrapped", "x", "in", `{"type":"object","properties":{},"additionalProperties":false}`},
		{"bare", "x", "bd", `{"type":"object","description":"bd","properties":{"q":{"type":"string"}},"required":["q"]}`},
		{"none", "x", "only text", ""},
		{"no_toolset", "sc", "d", ""},
	} {
		tl, ok := r.tools.Get(c.name)
		if !ok {
			t.Errorf("no tool %s", c.name)
			continue
		}
		s := tl.Spec()
		if s.Toolset != c.toolset || s.Description != c.description || string(s.Parameters) != c.parameters || s.Owner != "sc" {
			t.Errorf("%s = %+v (%s)", c.name, s, s.Parameters)
		}
		if s.Strict != (c.name == "wrapped") {
			t.Errorf("%s strict = %v", c.name, s.Strict)
		}
	}
	if n := strings.Join(p.Notices, "\n"); !strings.Contains(n, "tool wrapped is in OpenAI's wrapper") || !strings.Contains(n, "tool bare is a bare JSON Schema") {
		t.Errorf("notices = %s", n)
	}
	if tl, _ := r.tools.Get("no_toolset"); tl.Spec().Emoji != "🧪" || len(tl.Spec().RequiresEnv) != 1 {
		t.Errorf("no_toolset = %+v", tl.Spec())
	}
}

func TestCheckFn(t *testing.T) {
	r := rigWith(t, map[string]string{"cf": `
N = {"asked": 0, "ok": True}
def check():
    N["asked"] += 1
    return N["ok"]
def bad():
    raise RuntimeError("probe failed")
def flip(a, **k):
    N["ok"] = False
    return str(N["asked"])
def register(ctx):
    s = {"name": "x", "description": "d"}
    ctx.register_tool("one", "x", s, flip, check_fn=check)
    ctx.register_tool("two", "x", s, flip, check_fn=check)
    ctx.register_tool("no", "x", s, flip, check_fn=lambda: 0)
    ctx.register_tool("err", "x", s, flip, check_fn=bad)
    ctx.register_tool("plain", "x", s, flip)
`}, nil).start()
	available := func(name string) (bool, string) {
		tl, _ := r.tools.Get(name)
		return tl.Available(ctxT(t))
	}
	for name, want := range map[string]string{"one": "", "two": "", "plain": "", "no": "check_fn register.<locals>.<lambda> returned False", "err": "check_fn bad raised RuntimeError: probe failed"} {
		if ok, why := available(name); ok != (want == "") || why != want {
			t.Errorf("%s available = %v %q, want %q", name, ok, why, want)
		}
	}
	if got := r.call("plain", `{}`).Content; got != "1" {
		t.Errorf("the function that two tools share was asked %s times", got)
	}
	// A failure soon after a success is ignored.
	r.checks.mu.Lock()
	for _, a := range r.checks.known {
		a.at = time.Time{}
	}
	r.checks.mu.Unlock()
	if ok, _ := available("one"); !ok {
		t.Error("a failure right after a success hides the tool")
	}
}

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

func TestNotOfferedMethodsSaySo(t *testing.T) {
	r := rigWith(t, map[string]string{
		"skill": "def register(ctx):\n    ctx.register_skill('x', 'y')\n",
		"test": `
import json
def run(a, **k):
    try:
        CTX[0].llm.complete([])
    except NotImplementedError as e:
        return str(e)
CTX = []
def register(ctx):
    CTX.append(ctx)
    found = [n for n in ("register_skill", "llm", "register_memory_" + "provider", "get_config", "on_unload", "config") if hasattr(ctx, n)]
    ctx.register_tool("found", "x", {"name": "x", "description": "d"}, lambda a, **k: json.dumps(found))
    ctx.register_tool("llm", "x", {"name": "x", "description": "d"}, run)
`,
	}, nil).start()
	p := r.plugin("skill")
	want := "ctx.register_skill() is part of the Hermes plugin API 0.19.0, but this version of hermes does not offer it yet (called by plugin 'skill')"
	if p.State != event.PluginFailed || p.Error.Message != want || p.Error.Line != 2 {
		t.Errorf("skill = %+v", p.Error)
	}
	if got := r.call("found", `{}`).Content; got != `["register_skill", "llm", "register_memory_provider"]` {
		t.Errorf("members = %s", got)
	}
	if got := r.call("llm", `{}`).Content; !strings.HasPrefix(got, "ctx.llm.complete() is part of") {
		t.Errorf("llm = %s", got)
	}
}

func TestRegistrationsAfterLoadingCount(t *testing.T) {
	r := rigWith(t, map[string]string{"late": `
CTX = []
def run(a, **k):
    CTX[0].register_tool("second", "x", {"name": "s", "description": "d"}, lambda a, **k: "late")
    CTX[0].register_hook("on_session_end", lambda **k: None)
    CTX[0].register_command("later", lambda raw: "cmd")
    return "ok"
def register(ctx):
    CTX.append(ctx)
    ctx.register_tool("first", "x", {"name": "f", "description": "d"}, run)
`}, nil).start()
	r.call("first", `{}`)
	await(r, func(e event.PluginState) bool { return len(e.Plugin.Commands) == 1 && len(e.Plugin.Tools) == 2 })
	if got := r.call("second", `{}`).Content; got != "late" || r.command("/later").Text != "cmd" {
		t.Errorf("second = %s", got)
	}
	waitFor(t, func() bool { return r.Hooks().Has(hook.OnSessionEnd) })
}

func TestCommandForms(t *testing.T) {
	r := rigWith(t, map[string]string{"cm": `
import functools, sys
class Call:
    def __call__(self, raw):
        return "object " + raw
    def two(self, ctx, raw):
        return ctx.manifest.name + " " + raw
def boom(a):
    raise ValueError("bad input " + a)
def printer(a):
    print("\x1b[31mred\x1b[0m")
    sys.stdout.write("no end")
    print("err", file=sys.stderr)
    return "done"
def register(ctx):
    for n, f in (("none", lambda a: None), ("num", lambda a: 42), ("list", lambda a: [1, 2]), ("dict", lambda a: {"k": 1}),
                 ("big", lambda a: "y" * 2000000), ("bytes", lambda a: b"raw"), ("boom", boom), ("args", lambda: "x"),
                 ("leave", lambda a: sys.exit(5)), ("object", Call()), ("two", Call().two), ("part", functools.partial(lambda x, a: x + a, "p")),
                 ("/My Cmd", lambda a: a), ("UPPER", lambda a: a), ("命令", lambda a: a), ("dot.ted", lambda a: a),
                 ("  ", boom), ("help", boom), ("bg", boom), ("print", printer), ("hooks", lambda a: "mine")):
        ctx.register_command(n, f)
`}, nil).start()
	for line, want := range map[string]string{
		"/none": "", "/num": "42", "/list": "[1, 2]", "/dict": "{'k': 1}", "/bytes": "b'raw'", "/object x": "object x", "/two x": "cm x",
		"/part x": "px", "/my-cmd  1 2 ": "1 2", "/upper 2": "2", "/命令 4": "4", "/dot.ted 5": "5", "/print": "done", "/hooks": "mine",
	} {
		if got := r.command(line); got.Text != want || got.Err != "" {
			t.Errorf("%s = %+v, want %q", line, got, want)
		}
	}
	if got := r.command("/big").Text; len(got) != 2_000_000 {
		t.Errorf("/big has %d bytes", len(got))
	}
	if got := r.command("/print").Output; got != "red\nno enderr\n" {
		t.Errorf("/print printed %q", got)
	}
	for line, want := range map[string]string{
		"/boom x": "Plugin command error: bad input x",
		"/args":   "<lambda>() takes 0 positional arguments but 1 was given",
		"/leave":  "Plugin command error: SystemExit: 5",
	} {
		if got := r.command(line).Err; !strings.HasPrefix(got, "Plugin command error: ") || !strings.HasSuffix(got, want) {
			t.Errorf("%s = %q, want %q", line, got, want)
		}
	}
	for _, name := range []string{"help", "bg", "nope"} {
		if _, found := r.RunCommand(context.Background(), "s1", name, ""); found {
			t.Errorf("/%s was taken", name)
		}
	}
	p := r.plugin("cm")
	if p.State != event.PluginPartial || len(p.Commands) != 18 {
		t.Errorf("cm = %s with %d commands", p.State, len(p.Commands))
	}
	if !strings.Contains(strings.Join(p.Notices, "\n"), "empty name") {
		t.Errorf("notices = %v", p.Notices)
	}
}

func TestOutputIsAttributedAndBounded(t *testing.T) {
	r := rigWith(t, map[string]string{
		"loud": "import logging, threading, os\nprint('at import')\nlog = logging.getLogger(__name__)\n" +
			"def run(a, **k):\n    log.warning('careful %s', 1)\n    t = threading.Thread(target=lambda: print('from a thread'))\n    t.start(); t.join()\n    os.system('echo child')\n    return ''\n" +
			"def flood(a, **k):\n    for i in range(20000):\n        print('line', i)\n    os.write(1, b'raw flood\\n' * 20000)\n    return ''\n" +
			"def register(ctx):\n    ctx.register_tool('loud', 'x', {'name': 'x', 'description': 'd'}, run)\n    ctx.register_tool('flood', 'x', {'name': 'x', 'description': 'd'}, flood)\n",
		"other": good,
	}, nil).start()
	r.call("loud", `{}`)
	for _, want := range []event.PluginOutput{
		{Key: "loud", Stream: "stdout", Line: "at import"},
		{Key: "loud", Stream: "log", Level: "WARNING", Line: "careful 1"},
		{Key: "loud", Stream: "stdout", Line: "from a thread"},
		{Key: "loud", Stream: "stderr", Line: "child"},
	} {
		await(r, func(e event.PluginOutput) bool {
			e.Meta = event.Meta{}
			return e == want
		})
	}
	if !r.log.contains("careful 1") {
		t.Error("the log record did not reach the log")
	}
	r.call("flood", `{}`)
	r.wantGood()
	lines, dropped := 0, 0
	for _, e := range r.events() {
		if o, ok := e.(event.PluginOutput); ok {
			lines++
			dropped += o.Dropped
		}
	}
	if lines > 6000 || dropped < 10000 {
		t.Errorf("%d lines came through, %d were counted as dropped", lines, dropped)
	}
}

func TestHandlerGetsTheContractsArguments(t *testing.T) {
	r := rigWith(t, map[string]string{
		"kw":   toolPlugin("kw", "return json.dumps([args, sorted(kw.items(), key=str)])"),
		"nokw": "def run(args):\n    return ''\ndef register(ctx):\n    ctx.register_tool('nokw', 'x', {'name': 'x', 'description': 'd'}, run)\n",
	}, nil).start()
	got := r.call("kw", `{"text": "a", "extra": {"deep": [1, {"x": null}]}, "zahl": 1.5, "big": 12345678901234567890}`).Content
	want := `[{"text": "a", "extra": {"deep": [1, {"x": null}]}, "zahl": 1.5, "big": 12345678901234567890}, [["session_id", "s1"], ["task_id", "s1"], ["user_task", null]]]`
	if got != want {
		t.Errorf("kw = %s\nwant %s", got, want)
	}
	if got := r.call("nokw", `{}`).Content; got != `{"error": "[TOOL_ERROR] Tool execution failed: TypeError: run() got an unexpected keyword argument 'task_id'"}` {
		t.Errorf("nokw = %s", got)
	}
}

func TestErrorTextIsCleanedAndCut(t *testing.T) {
	r := rigWith(t, map[string]string{"bad": toolPlugin("bad", `raise ValueError(args.get("text") or "x" * 5000000)`)}, nil).start()
	// Recorded from the reference.
	for text, want := range map[string]string{
		"<tool_call>é</result> <![CDATA[secret]]>\n```json\nbody\n```": "\\u00e9 \\nbody\\n",
		"a ```x``` b":                   "a ```x``` b",
		"\n```python\nx":                "\\npython\\nx",
		"\n```markdown\nx":              "\\nx",
		"end ```":                       "end",
		"a ```\nb":                      "a\\nb",
		"x\n\n```json\n\n{}\n\n```\n\n": "x\\n{}\\n",
		"<System>hi</SYSTEM> <tool_call a='1'> <result/>": "hi <tool_call a='1'> <result/>",
	} {
		args, _ := json.Marshal(map[string]string{"text": text})
		if got := r.call("bad", string(args)).Content; got != `{"error": "[TOOL_ERROR] Tool execution failed: ValueError: `+want+`"}` {
			t.Errorf("%q = %s", text, got)
		}
	}
	res := r.call("bad", `{}`)
	var parsed struct{ Error string }
	if err := json.Unmarshal([]byte(res.Content), &parsed); err != nil {
		t.Fatal(err)
	}
	if text := strings.TrimPrefix(parsed.Error, "[TOOL_ERROR] "); len(text) != 2000 || !strings.HasSuffix(text, "xxx...") {
		t.Errorf("error has %d characters and ends %q", len(text), text[len(text)-10:])
	}
	if res.Err == nil || res.Err.Type != "ValueError" || res.Err.File == "" || !strings.Contains(res.Err.Traceback, "Traceback") {
		t.Errorf("failure = %+v", res.Err)
	}
}

// A call into C that keeps the interpreter's lock stops every thread of the
// host; it is ended and started again.
func TestHostThatDoesNotAnswerIsEnded(t *testing.T) {
	r := rigWith(t, map[string]string{
		"gil":  "import re\n" + toolPlugin("gil", "re.match('(a+)+$', 'a' * 60 + 'b')\nreturn ''"),
		"good": good,
	}, nil)
	r.patience = patience{answer: 500 * time.Millisecond, stuck: time.Hour}
	r.start()
	tl, _ := r.tools.Get("gil")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := tl.Run(ctx, toolCall("gil", `{}`)); err == nil {
		t.Fatal("it came back")
	}
	await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Restarts == 1 })
	if p := r.plugin("gil"); p.Error == nil || !strings.Contains(p.Error.Message, "no longer answers") {
		t.Errorf("gil = %+v", p.Error)
	}
	r.wantGood()
}

func TestStuckThreadsAreWorthARestart(t *testing.T) {
	r := rigWith(t, map[string]string{"stuck": toolPlugin("stuck", "time.sleep(9999)"), "good": good}, nil)
	r.patience = patience{answer: 10 * time.Second, stuck: 50 * time.Millisecond}
	r.start()
	tl, _ := r.tools.Get("stuck")
	for range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		if _, err := tl.Run(ctx, toolCall("stuck", `{}`)); err == nil {
			t.Fatal("it came back")
		}
		cancel()
	}
	waitFor(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.pending) > 0
	})
	p := r.plugin("stuck")
	if p.Error == nil || p.Error.Type != "TimeoutError" || p.Error.Line != 4 || p.Error.Source != "time.sleep(9999)" {
		t.Errorf("error = %+v", p.Error)
	}
	first := await(r, func(e event.HostState) bool { return e.State == event.HostReady })
	r.TurnBoundary()
	await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Pid != first.Pid })
	r.wantGood()
}
