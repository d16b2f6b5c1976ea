package tui

import (
	"fmt"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"hermes/agent/event"
	"hermes/tui/internal/pump"
	"hermes/tui/internal/term"
)

type nullScreen struct{ f term.Frame }

func (s *nullScreen) Present(f term.Frame) { s.f = f }
func (s *nullScreen) Repaint()             {}
func (s *nullScreen) Suspend() error       { return nil }
func (s *nullScreen) Recover()             {}

func TestDebug(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}, {40, 12}} {
		b := newFake()
		sub := b.Subscribe()
		s := &nullScreen{}
		now := epoch
		m := newModel(b, s, Options{Version: "0.1.0", Dir: "/home/u/src/weather", Getenv: func(k string) string { return map[string]string{"HOME": "/home/u", "LANG": "en_US.UTF-8", "TERM": "xterm-256color"}[k] }}, func() time.Time { return now })
		m.resize(size[0], size[1])
		m.View()
		dump := func(name string) {
			m.Update(pump.Batch{Events: sub.Take()})
			m.View()
			fmt.Printf("=== %s %v cursor %v\n", name, size, s.f.Cursor)
			for _, l := range s.f.Lines {
				fmt.Println(ansi.Strip(l))
			}
		}
		dump("first")
		b.loaded()
		dump("loaded")
		m.key("/", []rune("/"))
		m.key("w", []rune("w"))
		m.key("e", []rune("e"))
		dump("menu")
		m.key("esc", nil)
		m.key("ctrl+u", nil)
		T := event.Meta{Turn: "t1"}
		b.bus.Emit(event.TurnStarted{Meta: T, Text: "is it going to rain in Berlin? write it to notes.md"})
		b.bus.Emit(event.Delta{Meta: T, Msg: "m1", Kind: "text", Text: "Let me look."})
		b.bus.Emit(event.MessageDone{Meta: T, Msg: "m1", Content: "Let me look."})
		b.bus.Emit(event.ToolStarted{Meta: T, Call: "c1", Name: "get_weather", Owner: "weather", Args: `{"city":"Berlin"}`})
		b.bus.Emit(event.ToolDone{Meta: T, Call: "c1", Name: "get_weather", Owner: "weather", Args: `{"city":"Berlin"}`, Status: "ok", Preview: `{"temp": 21, "rain": 0.1}`, Ms: 41})
		b.bus.Emit(event.HookRun{Meta: T, Hook: "post_tool_call", Plugin: "calculator", Callback: "log_call", Ms: 1.2, Call: "c1", Payload: `{"tool_name":"get_weather"}`})
		b.bus.Emit(event.ToolStarted{Meta: T, Call: "c2", Name: "terminal", Args: `{"command":"git commit -am \"weather\""}`})
		b.bus.Emit(event.Delta{Meta: T, Msg: "m2", Kind: "text", Text: "| 城市 | temp | rain |\n|---|---|---|\n| 柏林 | 21 | 10 % |\n\nI wrote the result to notes.md and am committing it"})
		b.bus.Emit(event.Queued{ID: "q1", Text: "and push it"})
		b.bus.Emit(event.Queued{ID: "q2", Text: "then open a PR"})
		now = now.Add(2100e6)
		for _, r := range "also mention the wind" {
			m.key(string(r), []rune{r})
		}
		dump("turn")
		m.key("f2", nil)
		dump("plugins")
		m.key("f3", nil)
		dump("hooks")
		m.key("f4", nil)
		dump("tools")
		m.key("f1", nil)
		dump("help")
	}
}
