package app_test

import (
	"regexp"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// Times and figures of hook rows differ from run to run.
var (
	clockTime = regexp.MustCompile(`[0-9]{2}:[0-9]{2}:[0-9]{2}`)
	tookTime  = regexp.MustCompile(` *[0-9.]+m?s!?`)
)

// hookRows returns the rows of a region with times taken out, and with them
// where exactly a text that the time pushes aside is cut.
func hookRows(rows []string) []string {
	cuts := regexp.MustCompile(`([a-z]\.|context |BLOCK «)[^.«]*…`)
	out := make([]string, len(rows))
	for i, row := range rows {
		row = tookTime.ReplaceAllString(clockTime.ReplaceAllString(row, "@"), " #")
		row = cuts.ReplaceAllString(row, "$1…")
		if head, _, cut := strings.Cut(row, "…"); cut {
			row = head + "…"
		}
		out[i] = strings.TrimRight(row, " ")
	}
	return out
}

// hookTurn starts a conversation in which three plugins listen, and plays one
// turn of it: context is added, two calls run, one is blocked, one hook fails.
func hookTurn(t *testing.T, w, h int) (*rig, tuitest.Snapshot) {
	t.Helper()
	r := startApp(t, w, h, withPlugin("weather", "notes", "guard"), withModel(
		llmtest.Use("call_1", "get_weather", `{"city":"Berlin"}`),
		calls(
			llmtest.NewCall("call_2", "note_add", `{"text":"rm -rf it"}`),
			llmtest.NewCall("call_3", "note_add", `{"text":"21 degrees"}`),
		),
		llmtest.Say("Noted."),
	))
	r.send("remember where I live")
	return r, r.waitIdle("Noted.")
}

// Every hook that ran is in the view when the turn ends, in the order in which
// they ran, with its plugin and what it did.
func TestHooksAreSeenWithinTheirTurn(t *testing.T) {
	t.Run("120x40", func(t *testing.T) {
		t.Parallel()
		_, s := hookTurn(t, 120, 40)
		if _, _, ok := rowOf(s, "hooks 7 ran · 2 errors — F3"); !ok {
			t.Errorf("the turn does not say what its hooks did\n%s", s.Dump())
		}
		has(t, "panel", hookRows(s.Region(82, 0, 38, 38)),
			"├─ Hooks ───────────────── live  F3 ──",
			"│ @ pre_llm_call",
			"│          notes.…",
			"│ @ pre_tool_call",
			"│          guard.no_rm # ok",
			"│ @ post_tool_call",
			"│          notes.on_tool # ok",
			"│ @ pre_tool_call",
			"│          guard.no_rm # ⊘",
			"│ @ post_tool_call",
			"│          notes.on_tool # ✗",
			"│ @ pre_tool_call",
			"│          guard.no_rm # ok",
			"│ @ post_tool_call",
			"│          notes.on_tool # ✗",
		)
	})
	t.Run("80x24", func(t *testing.T) {
		t.Parallel()
		r, s := hookTurn(t, 80, 24)
		if _, _, ok := rowOf(s, "hooks 7 ran · 2 errors — F3"); !ok {
			t.Errorf("the turn does not say what its hooks did\n%s", s.Dump())
		}
		r.Press("f3")
		s = r.WaitText("7 events", "plugin · callback")
		has(t, "events", hookRows(s.Lines()),
			" time      hook             plugin · callback           took  result",
			strings.Repeat("┄", 80),
			" @  pre_llm_call     notes · recall #  context …",
			" @  pre_tool_call    guard · no_rm #  ok",
			" @  post_tool_call   notes · on_tool #  ok",
			" @  pre_tool_call    guard · no_rm #  BLOCK «…",
			" @  post_tool_call   notes · on_tool #  ValueError",
			" @  pre_tool_call    guard · no_rm #  ok",
			"▸@  post_tool_call   notes · on_tool #  ValueError",
		)
		s = r.WaitText("raised ValueError: bad payload")
		if !s.Contains("__init__.py:23 in on_tool") {
			t.Errorf("no place in the plugin's code\n%s", s.Dump())
		}
		r.Press("esc")
		r.waitIdle("Noted.")
	})
	t.Run("200x50", func(t *testing.T) {
		t.Parallel()
		_, s := hookTurn(t, 200, 50)
		has(t, "events", hookRows(s.Region(136, 0, 64, 48)),
			"│ @  pre_llm_call     notes·recall #  context …",
			"│ @  pre_tool_call    guard·no_rm #  ok",
			"│ @  post_tool_call   notes·on_tool #  ok",
			"│ @  pre_tool_call    guard·no_rm #  BLOCK «…",
			"│ @  post_tool_call   notes·on_tool #  ValueError",
			"│ @  pre_tool_call    guard·no_rm #  ok",
			"│ @  post_tool_call   notes·on_tool #  ValueError",
		)
	})
	t.Run("40x12", func(t *testing.T) {
		t.Parallel()
		r, _ := hookTurn(t, 40, 12)
		r.seek("hooks 7 ran · 2 errors")
		r.Press("f3")
		r.WaitText("Hooks  live ●   7 events", "post_tool_call", "ValueError: bad payload")
	})
}

// What pre_llm_call adds reaches the model and never the screen.
func TestInjectedContext(t *testing.T) {
	t.Parallel()
	r, s := hookTurn(t, 80, 24)
	if strings.Contains(s.String(), "RECALLED") {
		t.Errorf("injected context is on the screen\n%s", s.Dump())
	}
	const want = "remember where I live\n\nRECALLED: the user lives in Berlin"
	for i, q := range r.requests(3) {
		found := false
		for _, m := range q.Body.Messages {
			found = found || m.Role == "user" && m.Content == want
		}
		if !found {
			t.Errorf("request %d has no message %q: %s", i, want, q.Raw)
		}
	}
	for _, q := range r.requests(3)[2:] {
		if got := toolResults(q)["call_2"]; got != `{"error": "rm -rf is forbidden here"}` {
			t.Errorf("the blocked call was answered with %q", got)
		}
	}
}

// A callback that runs is named, with its plugin, while the turn waits for it;
// the answer comes after it has returned.
func TestTurnWaitsForItsHooks(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	r := startApp(t, 120, 40, g.open(), withPlugin("gate"), withModel(llmtest.Say("Answered.")))
	r.send("a gated question")
	release := g.wait("pre_llm_call")
	r.WaitText("hook gate.before") // after one second
	if n := len(r.server.Requests()); n != 0 {
		t.Errorf("%d requests were sent before the hook returned", n)
	}
	release()
	s := r.waitIdle("Answered.", "hooks 1 ran · gate.before")
	if got := r.requests(1)[0]; !strings.Contains(string(got.Raw), "GATED CONTEXT") {
		t.Errorf("the context did not reach the model: %s", got.Raw)
	}
	has(t, "panel", hookRows(s.Region(82, 0, 38, 38)), "│ @ pre_llm_call", "│          gate.…")
}

// Alt+S goes on without the callback that keeps the turn waiting.
func TestSkipHook(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	r := startApp(t, 80, 24, g.open(), withPlugin("gate"), withModel(llmtest.Say("Answered.")))
	r.send("a gated question")
	release := g.wait("pre_llm_call")
	defer release()
	r.WaitText("hook gate.before", "Alt+S skip")
	r.Press("alt+s")
	r.waitIdle("Answered.")
	if got := r.requests(1)[0]; strings.Contains(string(got.Raw), "GATED CONTEXT") {
		t.Errorf("a hook that was skipped still added its context: %s", got.Raw)
	}
}
