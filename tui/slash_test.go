package tui

import (
	"strings"
	"testing"

	"hermes/agent/event"
)

// commands emits a catalogue and waits until the menu has it.
func (r *rig) commands(cmds ...event.Command) {
	r.bus.Emit(event.CommandsChanged{Commands: cmds})
	r.bus.Emit(event.Notice{Text: "catalogue is there"})
	r.WaitText("catalogue is there")
}

// An exact name beats a longer one, an alias counts as its command (U037,
// U038).
func TestEnterRunsTheExactCommandAtOnce(t *testing.T) {
	cmds := []event.Command{
		{Name: "gs", Description: "short", Owner: "p"},
		{Name: "gshow", Description: "long", Owner: "p"},
		{Name: "quit", Aliases: []string{"q"}, Description: "leave"},
		{Name: "queue", Description: "queue"},
		{Name: "status", Description: "state of things"},
	}
	for typed, want := range map[string]string{
		"/gs": `command "/gs"`, "/gsh": `command "/gshow"`, "/statu": `command "/status"`, "/q": `command "/q"`, "/status": `command "/status"`, "/sts": `command "/status"`,
	} {
		t.Run(typed, func(t *testing.T) {
			r := start(t, 80, 24)
			r.commands(cmds...)
			r.Type(typed)
			r.WaitText("❯ "+typed, typed+" ──")
			r.Press("enter")
			r.waitCall(t, want)
			r.WaitGone("❯ " + typed)
			if n := strings.Count(r.log(), "command"); n != 1 {
				t.Errorf("%d commands ran:\n%s", n, r.log())
			}
		})
	}
}

func TestRequiredArgumentIsWaitedFor(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("/weath")
	r.WaitText("Tab inserts «/weather » and waits for <city>")
	r.Press("enter")
	r.WaitText("❯ /weather")
	r.WaitGone("Tab complete")
	if r.log() != "" {
		t.Fatalf("it ran: %s", r.log())
	}
	r.Type("Berlin")
	r.Press("enter")
	r.waitCall(t, `command "/weather Berlin"`)
}

func TestTabCompletesAndEscCloses(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("/pl")
	r.WaitText("/pl ──")
	r.Press("tab")
	s := r.WaitText("❯ /plugins")
	x, y, _ := s.Cursor()
	if x != len("❯ /plugins ")-2 || y != 21 {
		t.Errorf("caret at %d,%d", x, y)
	}
	r.Press("ctrl+u")
	r.Type("/pl")
	r.WaitText("/pl ──")
	r.Press("esc")
	r.WaitGone("/pl ──")
	r.Type("u")
	r.WaitText("/plu ──")
	if r.log() != "" {
		t.Errorf("something ran: %s", r.log())
	}
}

func TestEmptyQueryIsGrouped(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("/")
	s := r.WaitText("11 of 11")
	var names []string
	for _, row := range s.Lines() {
		if _, rest, ok := strings.Cut(row, " /"); ok && strings.HasPrefix(row, "│") && !strings.Contains(row, "usage") && !strings.Contains(row, "«") {
			names = append(names, strings.Fields(rest)[0])
		}
	}
	if got := strings.Join(names, " "); got != "new clear model hooks tools plugins help quit" {
		t.Errorf("order %q", got)
	}
	r.Press("up") // around to the last one
	r.WaitText("▸ /weather-units")
}

// A path is no command, and what is unknown is left to the program.
func TestPathsAreText(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("/etc/hosts what is it")
	r.Press("enter")
	r.waitCall(t, `submit "/etc/hosts what is it"`)
	r.Type("/nonsense here")
	r.Press("enter")
	r.waitCall(t, `command "/nonsense here"`)
}

func TestCommandsOfTheView(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.Notice{Text: "old business"})
	r.WaitText("old business")
	r.Type("/clear")
	r.WaitText("/clear ──")
	r.Press("enter")
	r.waitCall(t, `command "/new"`)
	r.WaitGone("old business")
	r.Type("/hooks")
	r.WaitText("/hooks ──")
	r.Press("enter")
	r.WaitText("plugin · callback")
	r.Press("esc")
	r.WaitText("❯")
	r.Type("/quit")
	r.WaitText("/quit ──")
	if err := r.Quit("enter"); err != nil {
		t.Error(err)
	}
}

// The two first lines of /plugins stand on the screen exactly (decision D12).
func TestCommandOutputStandsAsItIs(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.CommandStarted{ID: "1", Line: "/plugins"})
	r.bus.Emit(event.CommandDone{ID: "1", Line: "/plugins", Pre: true, Text: "Plugins (1):\n  ✓ calculator v1.0.0 (2 tools, 1 hooks)\n"})
	r.bus.Emit(event.CommandStarted{ID: "2", Line: "/calc 1/0"})
	r.bus.Emit(event.CommandDone{ID: "2", Line: "/calc 1/0", Owner: "calculator", Text: "half a result", Err: "ZeroDivisionError: division by zero"})
	s := r.WaitText("ZeroDivisionError")
	has(t, "output", s.Lines(), " ❯ /plugins", "Plugins (1):", "  ✓ calculator v1.0.0 (2 tools, 1 hooks)", "", " ❯ /calc 1/0", "       half a result", "       ✗ ZeroDivisionError: division by zero")
}
