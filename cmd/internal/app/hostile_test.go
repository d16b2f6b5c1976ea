package app_test

import (
	"regexp"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
)

// leaky writes to every output it can reach, in every place it runs.
const leaky = `
import json, os, subprocess, sys, threading

def leak():
    print("LEAK print")
    sys.stderr.write("LEAK stderr\n")
    os.write(1, b"LEAK fd 1\n")
    os.write(2, b"LEAK fd 2\n")
    subprocess.run(["sh", "-c", "echo LEAK child; echo LEAK child >&2"])
    threading.Thread(target=lambda: print("LEAK thread")).start()

leak()

def run(args, **kw):
    leak()
    return json.dumps({"quiet": True})

def hook(**kw):
    leak()

def register(ctx):
    leak()
    ctx.register_tool("leaky", "leaky", {"name": "leaky", "description": "d"}, run)
    for name in ("pre_llm_call", "pre_tool_call", "post_tool_call", "on_session_start", "on_session_end"):
        ctx.register_hook(name, hook)
`

// anySession joins rows with the session's id and times taken out.
func anySession(rows []string) string {
	return regexp.MustCompile(`session [0-9a-f]{6}|p95 [0-9.]+m?s!?`).ReplaceAllString(strings.Join(rows, "\n"), "#")
}

// Whatever a plugin and its children write is its log, and never on the screen.
func TestPluginOutputStaysOffTheScreen(t *testing.T) {
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			turn := func(code string) (*rig, []string) {
				r := startApp(t, size.w, size.h, withCode("leaky", code), withModel(llmtest.Use("call_1", "leaky", `{}`), llmtest.Say("Done.")))
				r.send("go")
				r.waitIdle("Done.")
				rows := steady(r.seek("✓ leaky"))
				r.newest()
				return r, rows
			}
			r, loud := turn(leaky)
			_, quiet := turn(strings.Replace(leaky, "def leak():\n", "def leak():\n    return\n", 1))
			if a, b := anySession(loud), anySession(quiet); a != b {
				t.Errorf("the screen is\n%s\nwith a silent plugin\n%s", a, b)
			}
			if size.w < 160 && r.Wrote("LEAK") { // from there on the panel shows the last line of the log
				t.Errorf("the text reached the terminal: %q", r.Bytes())
			}
			r.Press("f2")
			r.WaitText("leaky")
			if size.w < 80 {
				return
			}
			r.Press("l")
			s := r.WaitText("LEAK print", "LEAK stderr", "LEAK fd 1", "LEAK fd 2", "LEAK child")
			s.AssertSound(t)
			r.Press("esc", "esc")
			s = r.waitIdle("Done.")
			if strings.Contains(strings.Join(pane(s), "\n"), "LEAK") {
				t.Errorf("the text is in the conversation\n%s", s.Dump())
			}
		})
	}
}

// accidents are plugins that go wrong, each in another way, with what the
// panel must say of them: state and cause, and the place where there is one.
var accidents = map[string]struct {
	code  string
	state string
	says  []string
}{
	"exits at import":     {"import os\nos._exit(7)\n", "crashed", []string{"exit status 7", "import"}},
	"exits in register":   {"import os\ndef register(ctx):\n    os._exit(3)\n", "crashed", []string{"exit status 3"}},
	"segfault":            {"import ctypes\nctypes.string_at(0)\n", "crashed", []string{"SIGSEGV"}},
	"raises at import":    {"x = 1\nraise ValueError('no use')\n", "failed", []string{"ValueError: no use", "__init__.py:2"}},
	"raises in register":  {"def register(ctx):\n    raise RuntimeError('boom at register')\n", "failed", []string{"RuntimeError: boom at register", "__init__.py:2 in register", "raise RuntimeError('boom at register')"}},
	"syntax error":        {"def register(ctx):\n    x = = 1\n", "failed", []string{"SyntaxError", "__init__.py:2"}},
	"no register":         {"x = 1\n", "failed", []string{"register"}},
	"loops at import":     {"while True:\n    pass\n", "failed", []string{"timed out"}},
	"recursion at import": {"def f():\n    f()\nf()\n", "failed", []string{"RecursionError"}},
	"closes everything":   {"import os\nos.closerange(0, 256)\nraise ValueError('all closed')\n", "failed", []string{"ValueError: all closed"}},
}

// A plugin that goes wrong while it loads says so in the panel, with file and
// line; another plugin's tool works in the same session.
func TestAccidentsWhileLoading(t *testing.T) {
	for name, a := range accidents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := startApp(t, 120, 40, withCode("culprit", a.code), withPlugin("weather"), withConfig("plugins.load_timeout_s", 2),
				withModel(llmtest.Use("call_1", "get_weather", `{"city":"Berlin"}`), llmtest.Say("Dry.")))
			r.send("rain?")
			r.waitIdle("Dry.", "✓ get_weather")
			r.WaitText("✗ culprit")
			r.Press("f2")
			s := r.WaitText("culprit 0.1.0", a.state)
			for _, want := range a.says {
				if !strings.Contains(strings.Join(strings.Fields(strings.Join(s.Region(59, 0, 61, 40), " ")), " "), want) {
					t.Errorf("the page does not say %q\n%s", want, s.Dump())
				}
			}
			r.Press("esc")
			r.send("/plugins")
			s = r.waitIdle("  ✗ culprit v0.1.0")
			if s.Contains("✓ culprit") {
				t.Errorf("a check mark on a failed plugin\n%s", s.Dump())
			}
		})
	}
}

// A handler that ends the host is named; the host comes back and another
// plugin's tool works in the same turn.
func TestAccidentsInAHandler(t *testing.T) {
	for name, body := range map[string]struct{ code, says string }{
		"os._exit": {"os._exit(3)", "exit status 3"},
		"segfault": {"import ctypes; ctypes.string_at(0)", "SIGSEGV"},
		"sys.exit": {"sys.exit(4)", "SystemExit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := "import os, sys\n\ndef run(args, **kw):\n    " + body.code + "\n\ndef register(ctx):\n    ctx.register_tool('die', 'culprit', {'name': 'die', 'description': 'd'}, run)\n"
			r := startApp(t, 120, 40, withCode("culprit", code), withPlugin("weather"), withModel(
				llmtest.Use("call_1", "die", `{}`), llmtest.Use("call_2", "get_weather", `{"city":"Berlin"}`), llmtest.Say("Dry."),
			))
			r.send("rain?")
			s := r.waitIdle("Dry.", "✗ die", "✓ get_weather")
			if !strings.Contains(flat(s), body.says) {
				t.Errorf("the card does not say %q\n%s", body.says, s.Dump())
			}
			if got := toolResults(r.requests(3)[2])["call_2"]; got != `{"temp": 21, "rain": 0.1}` {
				t.Errorf("the other tool answered %q", got)
			}
		})
	}
}

// A hook that hangs is waited for within its limit only; the turn goes on.
func TestHookThatHangs(t *testing.T) {
	t.Parallel()
	const hangs = `
import time

def recall(**kw):
    time.sleep(9999)

def register(ctx):
    ctx.register_hook("pre_llm_call", recall)
`
	r := startApp(t, 120, 40, withCode("culprit", hangs), withPlugin("weather"), withConfig("plugins.hook_timeout_s", 1), withModel(
		llmtest.Use("call_1", "get_weather", `{"city":"Berlin"}`), llmtest.Say("Dry."),
	))
	r.send("rain?")
	r.Type("typed meanwhile")
	r.WaitText("❯ typed meanwhile")
	s := r.waitIdle("Dry.", "✓ get_weather", "1 timed out")
	has(t, "panel", hookRows(s.Region(82, 0, 38, 38)), "│ @ pre_llm_call", "│          culprit.recall # ✗")
	r.Press("f3")
	r.WaitText("culprit · recall", "timeout, went on")
}
