package plugins

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
)

func TestNotOfferedMethodsSaySo(t *testing.T) {
	r := rigWith(t, map[string]string{
		"port": "def register(ctx):\n    ctx.register_platform('x', 'y')\n",
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
	p := r.plugin("port")
	want := "ctx.register_platform() is part of the Hermes plugin API 0.19.0, but this version of hermes does not offer it yet (called by plugin 'port')"
	if p.State != event.PluginFailed || p.Error.Message != want || p.Error.Line != 2 {
		t.Errorf("port = %+v", p.Error)
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
		"loud": "import logging, threading, os, time\nprint('at import')\nlog = logging.getLogger(__name__)\n" +
			"def run(a, **k):\n    log.warning('careful %s', 1)\n    t = threading.Thread(target=lambda: print('from a thread'))\n    t.start(); t.join()\n    os.system('echo child')\n    while not os.path.exists(a['seen']): time.sleep(0.01)\n    return ''\n" +
			"def flood(a, **k):\n    for i in range(20000):\n        print('line', i)\n    os.write(1, b'raw flood\\n' * 20000)\n    return ''\n" +
			"def register(ctx):\n    ctx.register_tool('loud', 'x', {'name': 'x', 'description': 'd'}, run)\n    ctx.register_tool('flood', 'x', {'name': 'x', 'description': 'd'}, flood)\n",
		"other": good,
	}, nil).start()
	seen := filepath.Join(t.TempDir(), "seen")
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = r.try("loud", `{"seen": "`+seen+`"}`)
	}()
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
	if err := os.WriteFile(seen, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	<-done
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
	ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
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
		ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
		if _, err := tl.Run(ctx, toolCall("stuck", `{}`)); err == nil {
			t.Fatal("it came back")
		}
		cancel()
	}
	waitFor(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.toRestart) > 0
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
