package plugins

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
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

// TestOneNameTwice registers one name more than once in one plugin: the rules
// are those between plugins, and every handler stays its own.
func TestOneNameTwice(t *testing.T) {
	code := func(regs string) string {
		return "def reg(ctx, toolset, by, **kw):\n    ctx.register_tool('dup', toolset, {'name': 'dup', 'description': by}, lambda a, **k: by, **kw)\n" +
			"def register(ctx):\n" + regs
	}
	for _, c := range []struct {
		name, regs, by, toolset string
		allowed                 bool
		rejected                string // toolset that the log names as refused
	}{
		{"other toolset", "    reg(ctx, 'one', 'first')\n    reg(ctx, 'two', 'second')\n", "first", "one", false, "two"},
		{"same toolset", "    reg(ctx, 'one', 'first')\n    reg(ctx, 'one', 'second')\n", "second", "one", false, ""},
		{"back to the first", "    reg(ctx, 'one', 'first')\n    reg(ctx, 'two', 'second')\n    reg(ctx, 'one', 'third')\n", "third", "one", false, "two"},
		{"override with consent", "    reg(ctx, 'one', 'first')\n    reg(ctx, 'two', 'second', override=True)\n", "second", "two", true, ""},
		{"then without", "    reg(ctx, 'one', 'first')\n    reg(ctx, 'two', 'second', override=True)\n    reg(ctx, 'one', 'third')\n", "second", "two", true, "one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rigWith(t, map[string]string{"p": code(c.regs)}, func(o *Options) {
				o.Settings.Entries = map[string]Entry{"p": {AllowToolOverride: c.allowed}}
			}).start()
			check := func(when string) {
				t.Helper()
				p := r.plugin("p")
				if got := r.call("dup", `{}`).Content; got != c.by {
					t.Errorf("%s: dup by %s, want %s", when, got, c.by)
				}
				if len(p.Tools) != 1 || p.Tools[0].Toolset != c.toolset || p.Tools[0].Description != c.by {
					t.Errorf("%s: tools = %+v", when, p.Tools)
				}
				if want := map[bool]string{true: event.PluginPartial, false: event.PluginOK}[c.rejected != ""]; p.State != want {
					t.Errorf("%s: state = %s %q, want %s", when, p.State, p.Reason, want)
				}
			}
			check("loaded")
			text := "Tool registration REJECTED: 'dup' (toolset '" + c.rejected + "') would shadow existing tool from toolset '" + c.toolset + "'"
			if c.rejected != "" && !r.log.contains(text) {
				t.Errorf("not in the log: %s", text)
			}
			if err := r.Reload(ctxT(t)); err != nil {
				t.Fatal(err)
			}
			r.TurnBoundary()
			check("reloaded")
		})
	}
}
