package tui

import (
	"testing"
	"time"

	"hermes/agent/event"
)

// A hook that the user skipped is no error of the plugin: its row says
// skipped, the turn counts none, and its late answer is not another run
// (property U062).
func TestSkippedHookIsNoError(t *testing.T) {
	r := startLoaded(t, 120, 40)
	r.begin("go")
	r.bus.Emit(event.HookSlow{Meta: turn1, Hook: "pre_llm_call", Plugin: "weather", Callback: "recall", Elapsed: 3 * time.Second, Limit: 30 * time.Second})
	r.WaitText("hook weather.recall", "(Alt+S skips)")
	r.Press("alt+s")
	r.waitCall(t, "skip")
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "pre_llm_call", Plugin: "weather", Callback: "recall", Ms: 4000, Effect: "skipped"})
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "pre_llm_call", Plugin: "weather", Callback: "recall", Ms: 9000, Effect: "late", Detail: "an answer"})
	r.WaitText("· hook weather.recall  4.0s  skipped", " 4.0s! skipped", "9.0s! late")
	r.end(event.OutcomeDone)
	s := r.WaitText("hooks 1 ran · weather.recall 4.0 s — F3")
	if s.Contains("error") || s.Contains("✗ weather") || s.Contains("1 err") {
		t.Errorf("it counts as an error:\n%s", s)
	}
	r.Press("f3")
	r.WaitText("2 events · 2 slow · 0 errors", "4.0s! skipped", "9.0s! late, dropped")
}
