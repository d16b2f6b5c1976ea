package plugins

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// write puts a plugin of one file into the rig's home. Tools are registered
// with tool(name, handler), hooks with hook(name, callback), commands with
// command(name, handler).
func (r *rig) write(key, code string) {
	r.t.Helper()
	dir := filepath.Join(r.home, "plugins", key)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	files := map[string]string{
		"plugin.yaml": "name: " + key + "\nversion: 0.1.0\n",
		"__init__.py": code,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			r.t.Fatal(err)
		}
	}
}

// toolPlugin is a plugin with one tool of the same name; body is the handler.
func toolPlugin(name, body string) string {
	return "import json, os, sys, time\n\ndef run(args, **kw):\n" + indent(body) +
		"\n\ndef register(ctx):\n    ctx.register_tool('" + name + "', 'test', {'name': '" + name + "', 'description': 'd'}, run)\n"
}

func indent(body string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(body), "\n", "\n    ")
}

// good is a plugin that works, whatever happens beside it.
const good = `
import json

def run(args, **kw):
    return json.dumps({"got": args})

def register(ctx):
    ctx.register_tool("good", "good", {"name": "good", "description": "d"}, run)
`

// with makes a rig whose plugins are all enabled.
func rigWith(t *testing.T, code map[string]string, change func(*Options)) *rig {
	t.Helper()
	r := newRig(t, nil, change)
	for key, text := range code {
		r.write(key, text)
		r.Manager.settings.Enabled = append(r.Manager.settings.Enabled, key)
	}
	return r
}

func (r *rig) wantGood() {
	r.t.Helper()
	if got := r.call("good", `{"a": 1}`).Content; got != `{"got": {"a": 1}}` {
		r.t.Errorf("good = %s", got)
	}
}

func TestAccidentsWhileLoading(t *testing.T) {
	for name, c := range map[string]struct{ code, state, reason, where string }{
		"exit in import":   {"import os\nos._exit(7)\n", event.PluginCrashed, "ended the plugin host in import at __init__.py:2 (exit status 7)", "import"},
		"exit in register": {"import os\ndef register(ctx):\n    os._exit(3)\n", event.PluginCrashed, "ended the plugin host in register at __init__.py:3 (exit status 3)", "register"},
		"segfault":         {"import ctypes\nctypes.string_at(0)\n", event.PluginCrashed, "ended the plugin host in import at __init__.py:2 (signal SIGSEGV)", "import"},
		"sys.exit":         {"import sys\ndef register(ctx):\n    sys.exit(3)\n", event.PluginFailed, "SystemExit: 3", "register"},
		"loop":             {"while True:\n    pass\n", event.PluginFailed, "timed out", "import"},
		"sleep":            {"import time\ndef register(ctx):\n    time.sleep(9999)\n", event.PluginFailed, "timed out", "register"},
		"recursion":        {"def f():\n    f()\nf()\n", event.PluginFailed, "maximum recursion depth", "import"},
		"sigterm handler":  {"import signal, os\nsignal.signal(signal.SIGTERM, lambda *a: None)\nos.killpg(0, signal.SIGTERM)\nraise ValueError('still here')", event.PluginFailed, "still here", "import"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{"bad": c.code, "good": good}, func(o *Options) {
				o.Settings.LoadTimeout = 2 * time.Second
			}).start()
			p := r.plugin("bad")
			if p.State != c.state || !strings.Contains(p.Reason, c.reason) {
				t.Errorf("bad = %s %q, want %s %q", p.State, p.Reason, c.state, c.reason)
			}
			if p.Error == nil || p.Error.Where != c.where {
				t.Errorf("error = %+v, want where %s", p.Error, c.where)
			}
			r.wantGood()
			if len(p.Tools)+len(p.Hooks)+len(p.Commands) > 0 {
				t.Errorf("a failed plugin keeps registrations: %+v", p)
			}
		})
	}
}

func TestAccidentsInAHandler(t *testing.T) {
	for name, c := range map[string]struct{ body, result, err string }{
		"raise":      {"return 1 / 0", `{"error": "[TOOL_ERROR] Tool execution failed: ZeroDivisionError: division by zero"}`, ""},
		"sys.exit":   {"sys.exit(4)", `{"error": "[TOOL_ERROR] Tool execution failed: SystemExit: 4"}`, ""},
		"interrupt":  {"raise KeyboardInterrupt", `{"error": "[TOOL_ERROR] Tool execution failed: KeyboardInterrupt: "}`, ""},
		"exit":       {"os._exit(9)", "", "exit status 9"},
		"segfault":   {"import ctypes; ctypes.string_at(0)", "", "SIGSEGV"},
		"cancelled":  {"import asyncio\nraise asyncio.CancelledError('x')", `{"error": "[TOOL_ERROR] Tool execution failed: CancelledError: x"}`, ""},
		"odd base":   {"class Odd(BaseException):\n    def __str__(self):\n        raise ValueError\nraise Odd", `{"error": "[TOOL_ERROR] Tool execution failed: Odd: unprintable Odd"}`, ""},
		"recursion":  {"def f():\n    f()\nf()", `{"error": "[TOOL_ERROR] Tool execution failed: RecursionError: maximum recursion depth exceeded`, ""},
		"streams":    {"for fd in (0, 1, 2):\n    os.close(fd)\nprint('gone')\nreturn 'closed'", "closed", ""},
		"all fds":    {"os.closerange(0, 256)\nreturn 'closed'", "closed", ""},
		"sigterm":    {"import signal\nsignal.signal(signal.SIGTERM, lambda *a: None)", `{"error": "[TOOL_ERROR] Tool execution failed: ValueError: signal only works in main thread`, ""},
		"noise":      {"os.write(1, b'{garbage\\n' * 1000)\nprint('noise')\nos.system('echo child; echo child >&2')\nreturn 'ok'", "ok", ""},
		"dict":       {"return {'a': 1}", `{"error": "Tool handler returned unsupported result type: dict", "error_type": "tool_result_contract", "tool": "bad", "result_type": "dict"}`, ""},
		"error dict": {"return {'error': 'é'}", `{"error": "é"}`, ""},
		"surrogate":  {"return 'bad \\ud83d half'", "bad \ufffd half", ""},
		"fork":       {"if os.fork() == 0:\n    print('child')\n    return 'twice'\nos.wait()\nreturn 'once'", "once", ""},
		"processes":  {"import multiprocessing\nctx = multiprocessing.get_context('fork')\nq = ctx.Queue()\np = ctx.Process(target=q.put, args=('from child',))\np.start()\np.join()\nreturn q.get()", "from child", ""},
		"chdir":      {"os.chdir('/')\nreturn 'moved'", "moved", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{"bad": toolPlugin("bad", c.body), "good": good, "cwd": toolPlugin("cwd", "return os.getcwd()")}, nil).start()
			for range 2 {
				res, err := r.try("bad", `{}`)
				if c.err != "" {
					if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "plugin host ended while running bad") {
						t.Fatalf("err = %v, want %q", err, c.err)
					}
				} else if err != nil || !strings.HasPrefix(res.Content, c.result) {
					t.Errorf("result = %.300q, %v, want %q", res.Content, err, c.result)
				}
				r.wantGood()
				if got := r.call("cwd", `{}`).Content; got != r.opt.Dir {
					t.Errorf("working directory = %s, want %s", got, r.opt.Dir)
				}
			}
			if c.err != "" {
				if p := r.plugin("bad"); p.Error == nil || p.Error.Type != "HostCrash" {
					t.Errorf("bad = %+v", p)
				}
				r.quarantined("bad")
			}
		})
	}
}

// quarantined waits until a plugin that ended its host twice runs alone.
func (r *rig) quarantined(key string) {
	r.t.Helper()
	await(r, func(e event.PluginState) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		rec := r.byKey[key]
		return rec.quarantined && rec.unit != nil && rec.unit.name == key
	})
}

// The model gets the reference's text, the card one sentence in the user's
// language.
func TestResultThatIsNoText(t *testing.T) {
	for _, c := range []struct {
		lang                 locale.Lang
		body, kind, sentence string
	}{
		{locale.EN, "return {'a': 1}", "dict", "the handler returned dict {'a': 1}; return a string, for instance json.dumps(...)"},
		{locale.ZH, "return {'a': 1}", "dict", "处理函数返回了 dict {'a': 1}；请返回字符串，例如 json.dumps(...)"},
		{locale.EN, "pass", "NoneType", "the handler returned None; return a string, for instance json.dumps(...)"},
		{locale.EN, "return ['sk-secret-12345']", "list", "the handler returned list ['[REDACTED]']; return a string, for instance json.dumps(...)"},
		{locale.ZH, "async def f():\n    pass\nreturn f()", "coroutine", "处理函数是异步的；注册时请加 is_async=True"},
	} {
		t.Run(c.kind+" "+c.lang.String(), func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{"bad": toolPlugin("bad", c.body)}, func(o *Options) {
				o.Lang = func() locale.Lang { return c.lang }
				o.Env = append(o.Env, "MY_API_KEY=sk-secret-12345")
			}).start()
			got := r.call("bad", `{}`)
			want := `{"error": "Tool handler returned unsupported result type: ` + c.kind +
				`", "error_type": "tool_result_contract", "tool": "bad", "result_type": "` + c.kind + `"}`
			if got.Content != want {
				t.Errorf("for the model: %s", got.Content)
			}
			if got.Err == nil || got.Err.Type != "" || got.Err.Message != c.sentence {
				t.Errorf("for the card: %+v", got.Err)
			}
			if e := r.plugin("bad").Error; e == nil || e.Type != "tool_result_contract" || e.Message != c.sentence || e.Where != "tool bad" {
				t.Errorf("for the row: %+v", e)
			}
		})
	}
}

func TestLargeResultsTravelByFile(t *testing.T) {
	r := rigWith(t, map[string]string{
		"big":  toolPlugin("big", "return 'HEAD' + 'é' * 5_000_000 + 'TAIL'"),
		"huge": toolPlugin("huge", "return 'x' * (80 << 20)"),
	}, nil).start()
	got := r.call("big", `{}`).Content
	if want := "HEAD" + strings.Repeat("é", 5_000_000) + "TAIL"; got != want {
		t.Errorf("big result has %d bytes, want %d", len(got), len(want))
	}
	got = r.call("huge", `{}`).Content
	if !strings.HasSuffix(got, "[Truncated: the result was 83886080 chars.]") || len(got) < 64<<20 {
		t.Errorf("huge result has %d bytes and ends %q", len(got), got[max(0, len(got)-60):])
	}
	left, _ := filepath.Glob(filepath.Join(r.home, "cache", "results-*", "*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestMemoryHog(t *testing.T) {
	r := rigWith(t, map[string]string{
		"hog": toolPlugin("hog", "return str(len(b'x' * (3 << 30)))"), "good": good,
	}, func(o *Options) { o.Settings.MemoryLimit = 1 << 30 }).start()
	res := r.call("hog", `{}`)
	if !strings.Contains(res.Content, "MemoryError") {
		t.Errorf("result = %s", res.Content)
	}
	r.wantGood()
}

func TestEndlessHandlerIsGivenUp(t *testing.T) {
	for name, body := range map[string]string{
		"loop": "while True:\n    pass", "sleep": "time.sleep(9999)", "async": "import asyncio\nreturn asyncio.sleep(9999)",
		"busy async": "import asyncio\nasync def f():\n    while True:\n        pass\nreturn f()",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := strings.Replace(toolPlugin("bad", body), "run)", "run, is_async=True)", 1)
			r := rigWith(t, map[string]string{"bad": code, "good": good}, nil).start()
			tl, _ := r.tools.Get("bad")
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			_, err := tl.Run(ctx, toolCall("bad", `{}`))
			if err == nil || ctx.Err() == nil {
				t.Fatalf("err = %v", err)
			}
			r.wantGood() // on the same lane
			if name == "sleep" || name == "busy async" {
				return // nothing can end these from outside
			}
			waitFor(t, func() bool { return r.stuck() == 0 })
		})
	}
}

// stuck counts the threads of the shared host that were given up and still run.
func (r *rig) stuck() int {
	r.t.Helper()
	var s bridge.Status
	if err := r.ask(ctxT(r.t), r.allUnits()[0].live(), "", rpc.Call{Method: bridge.MethodStatus}, &s); err != nil {
		r.t.Fatal(err)
	}
	return s.Stuck
}

func TestHostKilledInTheMiddleOfACall(t *testing.T) {
	r := rigWith(t, map[string]string{
		"slow": toolPlugin("slow", "open(args['mark'], 'w').close()\ntime.sleep(9999)"), "good": good,
	}, nil).start()
	ready := await(r, func(e event.HostState) bool { return e.State == event.HostReady })
	mark := filepath.Join(t.TempDir(), "running")
	args, _ := json.Marshal(map[string]string{"mark": mark})
	done := make(chan error, 1)
	go func() {
		_, err := r.try("slow", string(args))
		done <- err
	}()
	waitFor(t, func() bool { _, err := os.Stat(mark); return err == nil })
	kill(t, ready.Pid)
	if err := <-done; !isHostGone(err) {
		t.Errorf("err = %v", err)
	}
	r.wantGood()
	await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Restarts == 1 })
}

func TestSlowHookIsSkippedAndTheRestRuns(t *testing.T) {
	r := rigWith(t, map[string]string{
		"a": "def one(**kw):\n    return {'context': 'ONE'}\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', one)\n",
		"b": "import time\ndef stuck(**kw):\n    time.sleep(9999)\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', stuck)\n",
		"c": "def three(**kw):\n    return 'THREE'\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', three)\n",
	}, func(o *Options) {
		o.Settings.Entries = map[string]Entry{"b": {HookTimeout: map[string]time.Duration{"": 1200 * time.Millisecond}}}
	}).start()
	out, err := r.Hooks().Invoke(context.Background(), hook.PreLLMCall, hook.LLMCall{SessionID: "s1"})
	if err != nil || len(out.Returns) != 2 || string(out.Returns[0]) != `{"context":"ONE"}` || string(out.Returns[1]) != `"THREE"` {
		t.Fatalf("outcome = %s, %v", out.Returns, err)
	}
	slow := await(r, func(e event.HookSlow) bool { return true })
	if slow.Plugin != "b" || slow.Callback != "stuck" {
		t.Errorf("slow = %+v", slow)
	}
	late := await(r, func(e event.HookRun) bool { return e.Plugin == "b" })
	if !late.Timeout || late.Effect != "late" {
		t.Errorf("run = %+v", late)
	}
}

func TestAccidentsInAHook(t *testing.T) {
	for name, c := range map[string]struct{ body, reason string }{
		"exit":     {"os._exit(6)", "exit status 6"},
		"segfault": {"import ctypes; ctypes.string_at(0)", "SIGSEGV"},
		"sys.exit": {"sys.exit(1)", ""},
		"loop":     {"while True:\n    pass", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{
				"a": "def cb(**kw):\n    return 'A'\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', cb)\n",
				"b": "import os, sys\ndef cb(**kw):\n" + indent(c.body) + "\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', cb)\n",
				"c": "def cb(**kw):\n    return 'C'\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', cb)\n", "good": good,
			}, func(o *Options) {
				o.Settings.Entries = map[string]Entry{"b": {HookTimeout: map[string]time.Duration{"pre_llm_call": time.Second}}}
			}).start()
			out, err := r.Hooks().Invoke(context.Background(), hook.PreLLMCall, hook.LLMCall{SessionID: "s1"})
			if c.reason == "" {
				if err != nil || len(out.Returns) != 2 {
					t.Errorf("outcome = %s, %v", out.Returns, err)
				}
				r.wantGood()
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("err = %v, want %s", err, c.reason)
			}
			r.wantGood()
			for key, guilty := range map[string]bool{"a": false, "b": true, "c": false} {
				p := r.plugin(key)
				if crashed := p.Error != nil && p.Error.Type == "HostCrash"; crashed != guilty {
					t.Errorf("%s = %+v, guilty %v", key, p.Error, guilty)
				}
			}
		})
	}
}

// A plugin that finds the channel and writes to it is a crash of that plugin.
func TestGarbageOnTheChannel(t *testing.T) {
	r := rigWith(t, map[string]string{"bad": toolPlugin("bad", `
for fd in range(3, 1024):
    try:
        os.write(fd, b"garbage\n")
    except OSError:
        pass
time.sleep(60)
`), "good": good}, nil).start()
	_, err := r.try("bad", `{}`)
	if err == nil || !strings.Contains(err.Error(), "wrote something else to its channel") {
		t.Errorf("err = %v", err)
	}
	r.wantGood()
	if p := r.plugin("bad"); p.Error == nil || p.Error.Type != "HostCrash" {
		t.Errorf("bad = %+v", p.Error)
	}
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	end := time.Now().Add(deadline)
	for !ok() {
		if time.Now().After(end) {
			t.Fatal("condition did not come true")
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// What is far too large is cut or refused where it arises, and nothing waits
// for it.
func TestGiantValues(t *testing.T) {
	const giant = "'y' * (1 << 28)"
	r := rigWith(t, map[string]string{
		"tool": toolPlugin("giant", "text = 'y' * (1 << 30)\nreturn text if args['how'] == 's' else {'error': text}"),
		"hook": "def values():\n    yield " + giant + "\n    yield {'context': " + giant + "}\n    yield [" + giant + "]\n    yield 10 ** 6000\n    yield 'last'\n" +
			"def register(ctx):\n    for v in range(5):\n        ctx.register_hook('pre_llm_call', lambda v=v, **kw: [x for i, x in enumerate(values()) if i == v][0])\n",
		"cmd":  "def register(ctx):\n    ctx.register_command('giant', lambda raw: " + giant + ")\n",
		"talk": toolPlugin("talk", "print("+giant+")\nimport logging\nlogging.warning('%s', "+giant+")\nraise ValueError("+giant+")"),
		"good": good,
	}, nil).start()
	if got := r.call("giant", `{"how": "s"}`).Content; !strings.HasSuffix(got, "[Truncated: the result was 1073741824 chars.]") {
		t.Errorf("tool: %d bytes, %q", len(got), got[max(0, len(got)-60):])
	}
	if got := r.call("giant", `{"how": "e"}`).Content; !strings.Contains(got, `"error_type": "tool_result_contract"`) {
		t.Errorf("tool, error: %.200s", got)
	}
	out := r.hook(hook.PreLLMCall, `{"session_id": "s1"}`)
	if len(out.Returns) != 2 || string(out.Returns[0]) != `"<int of 19932 bits>"` || string(out.Returns[1]) != `"last"` {
		t.Errorf("hook: %.200s", out.Returns)
	}
	refused := 0
	for _, e := range r.events() {
		if run, ok := e.(event.HookRun); ok && run.Err != nil && strings.HasPrefix(run.Err.Message, "returned a value of more than 8388608 characters, which is the limit") {
			refused++
		}
	}
	if refused != 3 {
		t.Errorf("%d values were refused, want 3", refused)
	}
	if got := r.command("/giant"); len(got.Text) > 65<<20 || len(got.Text) < 1<<20 {
		t.Errorf("command: %d bytes", len(got.Text))
	}
	if got := r.call("talk", `{}`).Content; !strings.HasPrefix(got, `{"error": "[TOOL_ERROR] Tool execution failed: ValueError: yyy`) || len(got) > 3000 {
		t.Errorf("talk: %.200s", got)
	}
	r.wantGood()
}
