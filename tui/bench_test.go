package tui

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/tui/internal/pump"
	"hermes/tui/internal/term"
)

// nowhere is a screen that shows nothing.
type nowhere struct{ last term.Frame }

func (s *nowhere) Present(f term.Frame) { s.last = f }
func (s *nowhere) Repaint()             {}
func (s *nowhere) Suspend() error       { return nil }
func (s *nowhere) Recover()             {}
func (s *nowhere) Lend(func(context.Context, *os.File, *os.File) error) error {
	return nil
}
func (s *nowhere) Clipboard(string) {}
func (s *nowhere) SetMouse(bool)    {}

// benchModel is an interface with a long conversation behind it.
func benchModel(turns int) *model {
	m := newModel(newFake(), &nowhere{}, Options{Dir: "/x", Getenv: func(string) string { return "" }}, (&clock{at: epoch}).Now)
	m.resize(120, 40)
	var events []event.Event
	for i := range turns {
		meta := event.Meta{Turn: fmt.Sprint(i)}
		answer := strings.Repeat("Some **text** with `code`, long enough to wrap more than once on the screen. ", 5)
		events = append(events,
			event.TurnStarted{Meta: meta, Text: "question"},
			event.ToolDone{Meta: meta, Call: "c", Name: "read_file", Status: event.StatusOK, Preview: "one\ntwo\nthree"},
			event.Delta{Meta: meta, Msg: meta.Turn, Kind: event.KindText, Text: answer},
			event.HookRun{Meta: meta, Hook: "post_tool_call", Plugin: "p", Callback: "c", Ms: 1},
			event.TurnDone{Meta: meta, Outcome: event.OutcomeDone},
		)
	}
	m.Update(pump.Batch{Events: events})
	m.View()
	return m
}

// BenchmarkKey is what an echoed key costs with 2,000 messages behind it.
func BenchmarkKey(b *testing.B) {
	m := benchModel(1000)
	for b.Loop() {
		m.key("a", []rune{'a'})
		m.View()
		m.key("backspace", nil)
		m.View()
	}
}

// BenchmarkResize is what one size of a drag costs.
func BenchmarkResize(b *testing.B) {
	m := benchModel(1000)
	w := 0
	for b.Loop() {
		w++
		m.resize(80+w%60, 40)
		m.View()
	}
}

// BenchmarkSlash is what the menu costs with 200 commands.
func BenchmarkSlash(b *testing.B) {
	m := benchModel(10)
	var cmds []event.Command
	for i := range 200 {
		cmds = append(cmds, event.Command{Name: fmt.Sprint("command-", i), Description: "what it does, in a few words"})
	}
	m.menu.SetCommands(cmds, true)
	for b.Loop() {
		m.key("/", []rune{'/'})
		m.View()
		m.key("c", []rune{'c'})
		m.View()
		m.key("ctrl+u", nil)
	}
}

// BenchmarkFind is what one key of a search through 5,000 items costs, and one
// step to the next match.
func BenchmarkFind(b *testing.B) {
	m := benchModel(2500)
	m.key("ctrl+f", nil)
	for b.Loop() {
		m.key("t", []rune{'t'})
		m.View()
		m.key("up", nil)
		m.View()
		m.key("backspace", nil)
	}
}

// BenchmarkFilter is what one key of a filter over 5,000 hook events costs.
func BenchmarkFilter(b *testing.B) {
	m := benchModel(5000)
	m.pages.show(pageHooks)
	m.key("/", []rune{'/'})
	for b.Loop() {
		m.key("p", []rune{'p'})
		m.View()
		m.key("backspace", nil)
		m.View()
	}
}

// BenchmarkTick is what a frame costs in which only the spinner moves.
func BenchmarkTick(b *testing.B) {
	m := benchModel(1000)
	m.Update(pump.Batch{Events: []event.Event{event.TurnStarted{Meta: event.Meta{Turn: "x"}, Text: "go"}, event.ToolStarted{Meta: event.Meta{Turn: "x"}, Call: "1", Name: "t"}}})
	for b.Loop() {
		m.ticked()
		m.View()
	}
}
