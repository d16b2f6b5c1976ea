package plugins

import (
	"fmt"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
)

func TestContextIsConvertedByPython(t *testing.T) {
	r := rigWith(t, map[string]string{"v": `
def register(ctx):
    for v in ({"context": ["a", 1]}, {"context": {"k": 1.5}}, {"context": b"x"}, {"context": []}, {"context": "t", "n": 1}, b"raw", {"a"}, "text"):
        ctx.register_hook("pre_llm_call", lambda v=v, **kw: v)
`}, nil).start()
	out := r.hook(hook.PreLLMCall, `{"session_id": "s1"}`)
	var got []string
	for _, v := range out.Returns {
		got = append(got, string(v))
	}
	want := []string{
		`{"context":"['a', 1]"}`, `{"context":"{'k': 1.5}"}`, `{"context":"b'x'"}`, `{"context":[]}`,
		`{"context":"t","n":1}`, `"text"`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("returns = %s\nwant %s", got, want)
	}
}

func TestEditedArgumentsAreReported(t *testing.T) {
	r := rigWith(t, map[string]string{
		"edit": toolPlugin("edit", "args['n'] = args.pop('m') + 1\nif args['n'] > 5:\n    raise ValueError('big')\nreturn 'x'"),
		"keep": toolPlugin("keep", "return 'x'"),
	}, nil).start()
	for _, c := range []struct{ tool, args, want string }{
		{"edit", `{"m": 1, "t": "ä"}`, `{"t":"\u00e4","n":2}`},
		{"edit", `{"m": 8}`, `{"n":9}`},
		{"keep", `{"m": 1}`, ""},
	} {
		if got := string(r.call(c.tool, c.args).Args); got != c.want {
			t.Errorf("%s %s left %s, want %s", c.tool, c.args, got, c.want)
		}
	}
}

func TestNoRegisterIsLoggedInTheContractsWords(t *testing.T) {
	r := rigWith(t, map[string]string{"empty": "X = 1\n"}, nil).start()
	p := r.plugin("empty")
	if p.State != event.PluginFailed || p.Reason != "no register() function" {
		t.Errorf("empty = %s %q", p.State, p.Reason)
	}
	if !r.log.contains("Plugin 'empty' has no register() function") || r.log.contains("Failed to load plugin 'empty'") {
		t.Error("the log has other words")
	}
}

// TestForeignValuesCountForNothing returns what JSON has no form for from hooks
// that take a mapping: nothing of it may look like a valid answer.
func TestForeignValuesCountForNothing(t *testing.T) {
	r := rigWith(t, map[string]string{"v": `
class Answer:
    action, message = "continue", "go on"
def register(ctx):
    for name in ("pre_verify", "pre_gateway_dispatch", "transform_llm_output"):
        for v in (Answer(), {1}, b"skip", {"action": "?"}, {"__type__": "mine"}):
            ctx.register_hook(name, lambda v=v, **kw: v)
    ctx.register_hook("pre_verify", lambda **kw: {"decision": "BLOCK", "reason": "test it"})
    ctx.register_hook("pre_verify", lambda **kw: {"action": "continue", "message": "  "})
    ctx.register_hook("pre_gateway_dispatch", lambda **kw: {"action": "rewrite", "text": ""})
    ctx.register_hook("pre_gateway_dispatch", lambda **kw: {"action": "rewrite"})
    ctx.register_hook("transform_llm_output", lambda **kw: "better")
`}, nil).start()
	for _, c := range []struct {
		hook, returns string
		valid         string // detail of the one event that has an effect
		ignored       int
	}{
		{hook.PreVerify, `[{"action":"?"} {"__type__":"mine"} {"decision":"BLOCK","reason":"test it"} {"action":"continue","message":"  "}]`, `{"decision":"BLOCK","reason":"test it"}`, 6},
		{hook.PreGatewayDispatch, `[{"action":"?"} {"__type__":"mine"} {"action":"rewrite","text":""} {"action":"rewrite"}]`, `{"action":"rewrite","text":""}`, 6},
		{hook.TransformLLMOutput, `[{"action":"?"} {"__type__":"mine"} "better"]`, `"better"`, 5},
	} {
		if got := fmt.Sprintf("%s", r.hook(c.hook, `{"session_id": "s1"}`).Returns); got != c.returns {
			t.Errorf("%s returns %s, want %s", c.hook, got, c.returns)
		}
		ignored := 0
		for _, e := range r.events() {
			run, ok := e.(event.HookRun)
			switch {
			case !ok || run.Hook != c.hook:
			case run.Effect == "" && strings.HasSuffix(run.Detail, "(the value is not one that this hook takes)"):
				ignored++
			case run.Effect != "value" || run.Detail != c.valid:
				t.Errorf("%s: run = %+v", c.hook, run)
			}
		}
		if ignored != c.ignored {
			t.Errorf("%s: %d values ignored, want %d", c.hook, ignored, c.ignored)
		}
	}
}

func TestEditsOfTheHistoryAreReported(t *testing.T) {
	edits := `
def first(conversation_history, **kw):
    conversation_history[0]["content"] = "edited"
def second(conversation_history, **kw):
    pass
def third(conversation_history, **kw):
    conversation_history[1]["tool_calls"][0]["function"]["arguments"] = "{}"
    conversation_history.append({"role": "user", "content": {1, 2}})
def register(ctx):
    for name in ("pre_llm_call", "post_llm_call"):
        for cb in CALLBACKS:
            ctx.register_hook(name, cb)
`
	r := rigWith(t, map[string]string{
		"a": strings.Replace(edits, "CALLBACKS", "first, second", 1),
		"b": strings.Replace(edits, "CALLBACKS", "second, third", 1),
		"c": "def see(conversation_history, **kw):\n    return '%s %d' % (conversation_history[0]['content'], len(conversation_history))\ndef register(ctx):\n    ctx.register_hook('pre_llm_call', see)\n",
	}, func(o *Options) {
		o.Settings.Entries = map[string]Entry{"c": {Isolate: true}} // the edit travels
	}).start()
	payload := `{"session_id": "s1", "conversation_history": [{"role": "user", "content": "typed"},` +
		`{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "t", "arguments": "{\"n\": 1}"}}]}]}`
	out := r.hook(hook.PreLLMCall, payload)
	want := `[{"role":"user","content":"edited"},{"role":"assistant","content":"","tool_calls":[{"function":{"name":"t","arguments":"{}"}}]},{"role":"user","content":"{1, 2}"}]`
	if got := string(out.Changed["conversation_history"]); got != want {
		t.Errorf("changed = %s\nwant %s", got, want)
	}
	if got := fmt.Sprintf("%s", out.Returns); got != `["edited 3"]` {
		t.Errorf("returns = %s", got)
	}
	var changed []string
	for _, e := range r.events() {
		if run, ok := e.(event.HookRun); ok && run.Effect == "changed" {
			changed = append(changed, run.Callback+" "+run.Detail)
		}
	}
	if got := strings.Join(changed, ", "); got != "first conversation_history, third conversation_history" {
		t.Errorf("edited by %s", got)
	}
	if out := r.hook(hook.PostLLMCall, payload); len(out.Changed) != 0 {
		t.Errorf("post_llm_call changed %s", out.Changed)
	}
}
