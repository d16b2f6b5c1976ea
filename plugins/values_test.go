package plugins

import (
	"fmt"
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
		`{"context":"t","n":1}`, `{"__type__":"bytes"}`, `{"__type__":"set"}`, `"text"`,
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
