package tui

import (
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

func TestFirstScreenAndGoodbye(t *testing.T) {
	r := startLoaded(t, 80, 24)
	s := r.WaitText("calculator: calculate, unit_convert", "✗ broken     RuntimeError: boom at register (F2)",
		"▲ Plugin langfuse disabled (missing: LANGFUSE_KEY)", "ready │ deepseek-chat │ 0/131k │ plugins 2✓ 1▲ 1✗ │ hooks — │ F1 help")
	s.AssertOneComposer(t)
	s.AssertSound(t)
	s.AssertCaret(t, 2, 21)
	r.Press("ctrl+c")
	r.WaitText("Ctrl+C again quits")
	if err := r.Quit("ctrl+c"); err != nil {
		t.Errorf("ended with %v", err)
	}
	r.AssertRestored()
}

var _ = strings.Repeat
var _ tuitest.Snapshot
var _ event.Event
