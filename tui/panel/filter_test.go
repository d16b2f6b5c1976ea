package panel

import (
	"testing"

	"hermes/agent/event"
)

func TestRunFilter(t *testing.T) {
	runs := map[string]*event.HookRun{
		"slow":    {Hook: "pre_llm_call", Plugin: "notes", Callback: "recall", Ms: 1500, Effect: "context", Meta: event.Meta{Turn: "s:7"}},
		"block":   {Hook: "pre_tool_call", Plugin: "guard", Callback: "no_rm", Ms: 3, Effect: "block", Detail: "rm -rf", Call: "call_81"},
		"error":   {Hook: "post_tool_call", Plugin: "notes", Callback: "on_tool", Ms: 1, Err: &event.PluginError{Type: "ValueError"}},
		"timeout": {Hook: "post_tool_call", Plugin: "trace", Callback: "after", Ms: 30000, Timeout: true},
		"ok":      {Hook: "post_tool_call", Plugin: "trace", Callback: "after", Ms: 2},
	}
	for filter, want := range map[string][]string{
		"":                       {"slow", "block", "error", "timeout", "ok"},
		"ok":                     {"ok"},
		"!ok":                    {"slow", "block", "error", "timeout"},
		"result:error,timeout":   {"error", "timeout"},
		"dur>1s":                 {"slow", "timeout"},
		"dur>500":                {"slow", "timeout"},
		"dur<2.5ms":              {"error", "ok"},
		"hook:pre_*":             {"slow", "block"},
		"hook:pre":               {"slow", "block"},
		"plugin:notes !error":    {"slow"},
		"turn:7":                 {"slow"},
		"call:call_8":            {"block"},
		"dur>1s or result:block": {"slow", "block", "timeout"},
		"or":                     {"slow", "block", "error", "timeout", "ok"},
		"guard":                  {"block"},
		"dur>soon":               {},
	} {
		f := parseFilter(filter)
		for name, e := range runs {
			text := e.Hook + " " + e.Plugin + "." + e.Callback + " " + e.Detail + errText(e)
			expected := false
			for _, w := range want {
				expected = expected || w == name
			}
			if got := f.match(e, text); got != expected {
				t.Errorf("%q on %s: %v", filter, name, got)
			}
		}
	}
}

func FuzzParseFilter(f *testing.F) {
	f.Add("dur>500ms or !ok", "text")
	f.Add("hook:[ plugin:,,, !! or or", "")
	f.Fuzz(func(t *testing.T, filter, text string) {
		e := &event.HookRun{Hook: text, Plugin: text, Effect: text, Ms: float64(len(text))}
		parseFilter(filter).match(e, text)
		if got := parseFilter("").match(e, text); !got {
			t.Fatal("no filter hides a run")
		}
	})
}
