package app_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// leaky writes to every output it can reach, in every place it runs.
const leaky = `
import json, os, socket, subprocess, sys, threading

count = [0]

def leak():
    count[0] += 1
    n = " #%d" % count[0]
    print("LEAK print" + n)
    sys.stderr.write("LEAK stderr" + n + "\n")
    os.write(1, ("LEAK fd 1" + n + "\n").encode())
    os.write(2, ("LEAK fd 2" + n + "\n").encode())
    subprocess.run(["sh", "-c", "echo 'LEAK child" + n + "'; echo LEAK child >&2"])
    threading.Thread(target=lambda: print("LEAK thread" + n)).start()

leak()

def run(args, **kw):
    leak()
    host, port = os.environ["GATE_ADDR"].rsplit(":", 1)
    with socket.create_connection((host, int(port))) as conn:
        conn.sendall(b"leaky\n")
        conn.recv(1)
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
			turn := func(code string, meanwhile func(*rig)) (*rig, []string) {
				g := newGate(t)
				r := startApp(t, size.w, size.h, g.open(), withCode("leaky", code), withModel(llmtest.Use("call_1", "leaky", `{}`), llmtest.Say("Done.")))
				r.send("go")
				release := g.wait("leaky")
				meanwhile(r)
				release()
				r.waitIdle("Done.")
				return r, steady(r.seek("✓ leaky"))
			}
			r, loud := turn(leaky, func(r *rig) {
				if size.w >= 80 {
					// The sixth time: import, register, three hooks, tool.
					r.findInLog("LEAK print #6", "LEAK stderr #6", "LEAK fd 1 #6", "LEAK fd 2 #6", "LEAK child #6", "LEAK thread #6")
				}
			})
			if size.w < 80 && r.Wrote("LEAK") {
				t.Errorf("the text reached the terminal: %q", r.Bytes())
			}
			_, quiet := turn(strings.Replace(leaky, "def leak():\n", "def leak():\n    return\n", 1), func(*rig) {})
			if a, b := anySession(loud), anySession(quiet); a != b {
				t.Errorf("the screen is\n%s\nwith a silent plugin\n%s", a, b)
			}
		})
	}
}

// findInLog opens the log of the plugin in front, waits for texts at its end, in
// whatever order they were read, and goes back.
func (r *rig) findInLog(texts ...string) {
	r.t.Helper()
	r.Press("f2")
	r.WaitText("leaky")
	r.Press("l")
	s := r.WaitText("LEAK ")
	whole := func(s tuitest.Snapshot) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !s.Contains(text) })
	}
	for !whole(s) { // lines that come later are below the end
		before := s.Region(0, 0, s.W, s.H-3)
		r.Press("end")
		s = r.WaitFor(func(s tuitest.Snapshot) bool { return whole(s) || !slices.Equal(s.Region(0, 0, s.W, s.H-3), before) })
	}
	s.AssertSound(r.t)
	r.Press("esc", "esc")
	r.WaitFor(hasComposer)
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

// hostile is code that goes wrong, with what is said of it where it runs:
// while the plugin loads, in a tool, in a hook. Nothing is said where it does
// no harm; of several causes, with | between them, a slow machine chooses. tail
// ends the function that holds the code.
var hostile = map[string]struct {
	code                string
	loading, tool, hook string
	tail                string
}{
	"exit":      {"os._exit(3)", "exit status 3", "exit status 3", "exit status 3", ""},
	"segfault":  {"import ctypes; ctypes.string_at(0)", "SIGSEGV", "SIGSEGV", "SIGSEGV", ""},
	"loop":      {"while True: pass", "timed out", "TimeoutError: did not come back", "TimeoutError", ""},
	"sleep":     {"time.sleep(9999)", "timed out", "TimeoutError: did not come back", "TimeoutError", ""},
	"recursion": {"f = lambda: f(); f()", "RecursionError", "RecursionError", "RecursionError", ""},
	"sys.exit":  {"sys.exit(4)", "SystemExit: 4", "SystemExit: 4", "SystemExit: 4", ""},
	"close all": {"os.closerange(0, 256)", "", "", "", ""},
	"flood":     {"[os.write(1, b'LEAK ' * 20000) for _ in range(1000)]", "", "", "", ""},
	"gigabyte":  {"giant = 'y' * (1 << 30)", "", "", "ValueError: returned a value of more than|TimeoutError", "    return giant\n"},
	"signals":   {"signal.signal(signal.SIGTERM, lambda *a: None) if threading.current_thread() is threading.main_thread() else None; os.killpg(0, signal.SIGTERM)", "", "", "", ""},
}

// Whatever code does, wherever it runs: keys are echoed while it happens,
// another plugin's tool works in the same turn, nothing strays onto the
// screen, and the page names the cause.
func TestHostileCode(t *testing.T) {
	const head = "import os, sys, time, signal, threading\n"
	const ok = "    ctx.register_tool('die', 'culprit', {'name': 'die', 'description': 'd'}, lambda args, **kw: 'alive')\n"
	weather := llmtest.Use("call_2", "get_weather", `{"city":"Berlin"}`)
	for name, h := range hostile {
		body := "    " + h.code + "\n"
		inside := body + h.tail
		for place, c := range map[string]struct {
			code, says string
			steps      []llmtest.Step
		}{
			"import":   {head + h.code + "\ndef register(ctx):\n" + ok, h.loading, nil},
			"register": {head + "def register(ctx):\n" + body + ok, h.loading, nil},
			"tool": {
				head + "def run(args, **kw):\n" + inside + "    return 'alive'\n\ndef register(ctx):\n    ctx.register_tool('die', 'culprit', {'name': 'die', 'description': 'd'}, run)\n",
				h.tool,
				[]llmtest.Step{llmtest.Use("call_1", "die", `{}`)},
			},
			"hook": {head + "def recall(**kw):\n" + inside + "\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', recall)\n", h.hook, nil},
		} {
			t.Run(name+"/"+place, func(t *testing.T) {
				t.Parallel()
				limit := 15 // what only takes its time on a busy machine is not hung
				if name == "loop" || name == "sleep" {
					limit = 2
				}
				r := startApp(t, 120, 40, withCode("culprit", c.code), withPlugin("weather"),
					withConfig("plugins.load_timeout_s", limit), withConfig("plugins.entries.culprit.hook_timeout_s", limit), withConfig("plugins.entries.culprit.tool_timeout_s", limit),
					withModel(append(c.steps, weather, llmtest.Say("Dry."))...))
				r.send("rain?")
				r.Type("typed meanwhile")
				r.WaitText("❯ typed meanwhile")
				s := r.waitIdle("Dry.", "✓ get_weather", `{"temp": 21, "rain": 0.1}`)
				if r.Wrote("LEAK") {
					t.Errorf("what it printed reached the terminal\n%s", s.Dump())
				}
				for y := range 38 {
					if !strings.Contains("│├┤┼", s.Text(82, y, 1)) {
						t.Errorf("row %d has lost the border of the panel\n%s", y, s.Dump())
						break
					}
				}
				if c.says == "" {
					return
				}
				r.Press("f2")
				where := "" // os._exit leaves no trace
				if place == "tool" && name != "exit" {
					where = "culprit/__init__.py:3 in "
				}
				r.WaitFor(func(s tuitest.Snapshot) bool {
					text := strings.Join(strings.Fields(strings.Join(s.Region(59, 0, 61, 40), " ")), " ")
					said := slices.ContainsFunc(strings.Split(c.says, "|"), func(cause string) bool { return strings.Contains(text, cause) })
					return said && strings.Contains(text, where)
				})
			})
		}
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

// A result of many megabytes is bounded for the model and on the screen.
func TestHugeResult(t *testing.T) {
	t.Parallel()
	const huge = `
def run(args, **kw):
    return "0123456789abcdef" * (2 << 20)

def register(ctx):
    ctx.register_tool("huge", "culprit", {"name": "huge", "description": "d"}, run)
`
	r := startApp(t, 80, 24, withCode("culprit", huge), withModel(llmtest.Use("call_1", "huge", `{}`), llmtest.Say("Read.")))
	r.send("go")
	r.Type("typed meanwhile")
	r.WaitText("❯ typed meanwhile")
	r.waitIdle("Read.", "✓ huge", "… more, ", " in all")
	if n := len(toolResults(r.requests(2)[1])["call_1"]); n == 0 || n > 1<<20 {
		t.Errorf("the model was sent %d bytes", n)
	}
}
