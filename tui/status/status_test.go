package status

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"hermes/agent/event"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

func TestSegmentsGoFromTheRight(t *testing.T) {
	s := live.New()
	s.Apply(event.ModelChanged{Model: "deepseek-chat", Window: 131072})
	s.Apply(event.Usage{Tokens: event.Tokens{In: 43_000}})
	for _, p := range []string{"a", "b"} {
		s.Apply(event.PluginState{Plugin: event.Plugin{Key: p, Name: p, State: event.PluginOK}})
	}
	s.Apply(event.HookRun{Plugin: "a", Hook: "h", Ms: 12})
	l := look.New(look.Options{}, 1)
	full := " ready │ deepseek-chat │ 43k/131k 33% │ plugins 2✓ │ hooks p95 12ms │ F1 help"
	for w := 1; w < 100; w++ {
		got := ansi.Strip(Line(l, s, Options{Width: w, Rows: 24, Keys: true}))
		if render.Width(got) > w {
			t.Fatalf("%d cells in %d: %q", render.Width(got), w, got)
		}
		if w >= render.Width(full) && got != full || w > 10 && !strings.HasPrefix(full, strings.TrimRight(got, " ")) {
			t.Errorf("at %d: %q", w, got)
		}
	}
	if got := ansi.Strip(Line(l, s, Options{Width: 80, Rows: 10})); got != " ready │ 43k/131k 33% │ plugins 2✓" {
		t.Errorf("on a low screen: %q", got)
	}
}

func TestStates(t *testing.T) {
	now := time.Unix(100, 0)
	m := event.Meta{Turn: "1", At: now.Add(-2100 * time.Millisecond)}
	started := event.TurnStarted{Meta: m}
	for name, tc := range map[string]struct {
		events []event.Event
		want   string
	}{
		"no model yet":      {nil, "…"},
		"a turn waits":      {[]event.Event{started, event.TurnWaiting{Meta: m, Reason: "plugins are loading"}}, "⠋ plugins are loading 2.1s"},
		"the model thinks":  {[]event.Event{started}, "⠋ thinking 2.1s"},
		"the model answers": {[]event.Event{started, event.Delta{Meta: m, Kind: event.KindText, Text: "x"}}, "⠋ answering"},
		"a tool runs":       {[]event.Event{started, event.ToolStarted{Meta: m, Name: "read_file", Args: `{"path":"notes.md"}`}}, "⠋ read_file notes.md 2.1s"},
		"two tools run":     {[]event.Event{started, event.ToolStarted{Meta: m, Call: "1"}, event.ToolStarted{Meta: m, Call: "2"}}, "⠋ 2 tools 2.1s"},
		"a hook is slow":    {[]event.Event{started, event.HookSlow{Meta: m, Plugin: "notes", Callback: "recall", Elapsed: time.Second, Limit: 5 * time.Second}}, "⠋ hook notes.recall 3.1s/5s  Alt+S skip"},
		"it tries again":    {[]event.Event{started, event.Retry{Meta: m, N: 1, Max: 3}}, "⠋ retry 1 of 3"},
		"the turn is over":  {[]event.Event{event.ModelChanged{Model: "m"}, started, event.TurnDone{Meta: m}}, "ready"},
		"the demo answers":  {[]event.Event{event.ModelChanged{Model: "demo", Demo: true}}, "demo model"},
	} {
		t.Run(name, func(t *testing.T) {
			s := live.New()
			for _, e := range tc.events {
				s.Apply(e)
			}
			got, _ := State(look.New(look.Options{Still: true}, 1), s, Options{Now: now})
			if ansi.Strip(got) != tc.want {
				t.Errorf("%q, want %q", ansi.Strip(got), tc.want)
			}
		})
	}
}
