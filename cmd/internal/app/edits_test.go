package app_test

import (
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
)

// What handlers and callbacks edit in place counts as in one interpreter: hooks
// after a call see the arguments as its handler left them, and the model gets
// the history as pre_llm_call left it.
func TestEditsInPlaceAreSeen(t *testing.T) {
	t.Parallel()
	const edits = `
import json

def pay(args, **kw):
    args["cents"] = round(float(args.pop("price")) * 100)
    return "paid"

def after(args, result, **kw):
    seen.append(["post_tool_call", args])

def transform(args, result, **kw):
    return json.dumps(seen + [["transform_tool_result", args], result])

def before(conversation_history, is_first_turn, **kw):
    if not is_first_turn:
        conversation_history[0]["content"] = "PAY (edited)"
        conversation_history.append({"role": "user", "content": "never sent"})

seen = []

def register(ctx):
    ctx.register_tool("pay", "edits", {"name": "pay", "description": "d"}, pay)
    ctx.register_hook("post_tool_call", after)
    ctx.register_hook("transform_tool_result", transform)
    ctx.register_hook("pre_llm_call", before)
`
	r := startApp(t, 120, 40, withCode("edits", edits), withModel(
		llmtest.Use("call_1", "pay", `{"price":"1.5"}`), llmtest.Say("Paid."), llmtest.Say("Again."),
	))
	r.send("pay it")
	r.waitIdle("Paid.")
	r.send("and now?")
	r.waitIdle("Again.")
	sent := r.requests(3)
	want := `[["post_tool_call", {"cents": 150}], ["transform_tool_result", {"cents": 150}], "paid"]`
	if got := toolResults(sent[1])["call_1"]; got != want {
		t.Errorf("the hooks saw %s, want %s", got, want)
	}
	first, last := string(sent[1].Raw), string(sent[2].Raw)
	if !strings.Contains(first, `"pay it"`) || strings.Contains(last, `"pay it"`) ||
		!strings.Contains(last, `"PAY (edited)"`) || strings.Contains(last, "never sent") {
		t.Errorf("the last request has another history: %s", last)
	}
}
