package plugins

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
)

// ender is a plugin whose code ends its host wherever it is told to. body is
// the function end, in a file beside the code.
func (r *rig) ender(key, body string) {
	r.write(key, `
from . import inner

def run(args, **kw):
    inner.end()

def cb(**kw):
    inner.end()

def check():
    inner.end()

def command(raw):
    inner.end()

def register(ctx):
    ctx.register_tool("`+key+`_tool", "x", {"name": "t", "description": "d"}, run)
    ctx.register_tool("`+key+`_checked", "x", {"name": "t", "description": "d"}, run, check_fn=check)
    ctx.register_hook("pre_llm_call", cb)
    ctx.register_command("`+key+`", command)
`)
	r.addFile(key, filepath.Join("inner", "__init__.py"), "import os, signal\n\ndef end():\n"+indent(body)+"\n")
	r.Manager.settings.Enabled = append(r.Manager.settings.Enabled, key)
}

// The row of a plugin that ended its host names the place, as far as file and
// line, and the cause.
func TestCrashNamesPlaceAndCause(t *testing.T) {
	for name, c := range map[string]struct {
		body, how string
		line      int
	}{
		"exit":    {"os._exit(3)", "exit status 3", 4},
		"library": {"import functools\nfunctools.partial(os._exit, status=4)()", "exit status 4", 5},
		"kill":    {"os.kill(os.getpid(), signal.SIGTERM)\nimport time\ntime.sleep(60)", "signal SIGTERM", 4},
		"killpg":  {"os.killpg(0, signal.SIGKILL)\nimport time\ntime.sleep(60)", "killed by signal SIGKILL, perhaps out of memory", 4},
		"abort":   {"pass\nos.abort()", "signal SIGABRT", 5},
		"exec":    {"os.execvp('sh', ['sh', '-c', 'exit 5'])", "exit status 5", 4},
		"thread":  {"import threading\nt = threading.Thread(target=lambda: os._exit(6))\nt.start()\nt.join()", "exit status 6", 5},
		// Not its own doing: only the place is known.
		"unseen": {"import ctypes\nctypes.CDLL(None)._exit(7)", "exit status 7", 0},
		// Signals that end nothing leave no trace.
		"harmless": {"os.kill(os.getpid(), 0)\nos.kill(os.getpid(), signal.SIGWINCH)\n" +
			"if os.fork() == 0:\n    os._exit(1)\nos.wait()\nimport ctypes\nctypes.CDLL(None)._exit(8)", "exit status 8", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{"good": good}, nil)
			r.ender("bad", c.body)
			r.start()
			tl, _ := r.tools.Get("bad_checked")
			for where, call := range map[string]func(){
				"tool bad_tool":     func() { _, _ = r.try("bad_tool", `{}`) },
				"hook pre_llm_call": func() { _, _ = r.Hooks().Invoke(ctxT(t), hook.PreLLMCall, hook.LLMCall{SessionID: "s1"}) },
				"command /bad":      func() { r.RunCommand(context.Background(), "s1", "bad", "") },
				"check bad_checked": func() { tl.Available(ctxT(t)) },
			} {
				if name != "exit" && name != "unseen" && where != "tool bad_tool" {
					continue // one place will do
				}
				r.mu.Lock()
				r.byKey["bad"].crashes = nil
				r.mu.Unlock()
				for _, u := range r.allUnits() {
					u.mu.Lock()
					u.deaths = nil
					u.mu.Unlock()
				}
				call()
				if name == "thread" {
					where = ""
				}
				p := await(r, func(e event.PluginState) bool {
					return e.Plugin.Key == "bad" && e.Plugin.Error != nil && e.Plugin.Error.Where == where
				}).Plugin
				e := p.Error
				if e.Type != "HostCrash" || e.Message != "ended the plugin host ("+c.how+")" || e.Line != c.line {
					t.Errorf("error = %+v", e)
				}
				if c.line > 0 && (e.File != filepath.Join(p.Path, "inner", "__init__.py") || e.Func != "end" && name != "thread") {
					t.Errorf("error = %+v", e)
				}
				if p.Reason == "" || !strings.Contains(p.Reason, where) || !strings.Contains(p.Reason, c.how) {
					t.Errorf("reason = %q", p.Reason)
				}
				r.wantGood()
			}
		})
	}
}

func TestCrashSentences(t *testing.T) {
	r := rigWith(t, nil, func(o *Options) { o.Lang = func() locale.Lang { return locale.ZH } })
	r.ender("bad", "pass")
	r.write("bad", "import os\ndef register(ctx):\n    os._exit(3)\n")
	r.start()
	if p := r.plugin("bad"); p.Reason != "在 register 中（__init__.py:3）导致插件进程结束（退出状态 3）" {
		t.Errorf("reason = %q", p.Reason)
	}
}
