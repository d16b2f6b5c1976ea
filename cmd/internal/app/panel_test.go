package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

func toolNames(q llmtest.Request) (out []string) {
	for _, t := range q.Body.Tools {
		out = append(out, t.Function.Name)
	}
	slices.Sort(out)
	return out
}

// The first screen as the design draws it, with real plugins: one that fails,
// one that lacks its key, one whose toolset has another name, one that is
// found and not enabled.
func TestStartScreen(t *testing.T) {
	start := func(t *testing.T, w, h int) *rig {
		r := startApp(t, w, h, withPlugin("broken", "traces", "notes", "weather"), withFound("guard"), withModel(llmtest.Say("Hi.")))
		r.WaitFor(settledPlugins("plugins 2✓ 1▲ 1✗", "2✓ 1▲ 1✗", "2 ok · 1 disabled · 1 FAIL"))
		r.waitIdle("notes: note_add", "get_weather")
		return r
	}
	session := tuitest.NewMask(`session [0-9a-f]{6}`, "session 7f3a21")
	t.Run("80x24", func(t *testing.T) {
		t.Parallel()
		r := start(t, 80, 24)
		s := r.waitIdle("forecast: get_forecast, get_weather", "✗ broken")
		rows := s.Lines()
		has(t, "banner", rows[:1], "╭─ Hermes Agent 0.1.0 ───────────────────────────────────────── ~/src/weather ─╮")
		has(t, "banner", rows,
			"│ toolsets clarify: clarify                                                    │",
			"│          code_execution: execute_code                                        │",
			"│          forecast: get_forecast, get_weather              (weather)          │",
			"│          notes: note_add                                                     │",
			"│          … 7 more sets, 18 tools in all (F4)                                 │",
			"│ plugins  2 ok · 1 disabled · 1 FAILED · 3 off                                │",
			"│          ✗ broken     RuntimeError: boom at register (F2)                    │",
			"│          ▲ Plugin traces disabled (missing: TRACES_KEY) (F2, k)              │",
			"│          ○ guard      not enabled: Forbids what must not be …  F5 enables it │",
			"╰──────────────────────────────────────────────────────────────────────────────╯",
		)
		has(t, "bottom", rows[20:],
			strings.Repeat("─", 80), "❯", strings.Repeat("─", 80),
			" ready │ mock-model │ 0/131k │ plugins 2✓ 1▲ 1✗ │ hooks — │ F1 help",
		)
		s.AssertCaret(t, 2, 21)
		s.Golden(t, "start-80x24", session)
	})
	t.Run("120x40", func(t *testing.T) {
		t.Parallel()
		r := start(t, 120, 40)
		s := r.waitIdle("✗ broken      RuntimeError")
		// Trouble first, then by name: the order is the design's, not the
		// order in which plugins were found or loaded.
		panel := s.Region(82, 0, 38, 8)
		for i, want := range []string{"│ Plugins               2✓ 1▲ 1✗   F2", "│ ✗ broken      RuntimeError: boom at…", "│ ▲ traces      needs TRACES_KEY", "│ ● notes", "│ ● weather", "│ ○ guard       off", "│ ○ calculator  off", "│ ○ toolbox     off"} {
			if !strings.HasPrefix(panel[i], want) {
				t.Errorf("row %d of the panel is %q, want %q", i, panel[i], want)
			}
		}
		s.AssertCaret(t, 2, 36)
		s.Golden(t, "start-120x40", session)
	})
	t.Run("40x12", func(t *testing.T) {
		t.Parallel()
		r := start(t, 40, 12)
		s := r.waitIdle("plugins  2 ok · 1 disabled · 1 FAIL…")
		s.AssertCaret(t, 2, 9)
		has(t, "bottom", s.Lines()[8:], strings.Repeat("─", 40), "❯", strings.Repeat("─", 40))
		s.Golden(t, "start-40x12", session)
	})
	t.Run("200x50", func(t *testing.T) {
		t.Parallel()
		r := start(t, 200, 50)
		s := r.waitIdle("✗ broken")
		has(t, "panel", s.Region(92, 0, 44, 9),
			"│   name         state       calls err  p95",
			"│ ✗ broken       failed          0   1    —",
			"│ ▲ traces       needs key       0   0    —",
			"│ ● notes        ok              0   0    —",
			"│ ● weather      ok              0   0    —",
			"│ ○ guard        off             —   —    —",
			"│ ○ calculator   off             —   —    —",
			"│ ○ toolbox      off             —   —    —",
		)
		s.AssertCaret(t, 2, 45)
	})
}

// /plugins prints every plugin found, whatever its state (decision D12).
func TestPluginsCommand(t *testing.T) {
	t.Parallel()
	r := startApp(t, 120, 40, withPlugin("broken", "traces", "notes", "weather"), withFound("guard"), withModel(llmtest.Say("Hi.")))
	r.send("/plugins") // before the plugins have loaded: it waits for them
	has(t, "list", pane(r.waitIdle("Plugins (5):")),
		" ❯ /plugins",
		"Plugins (5):",
		"  ✗ broken v0.1.0",
		"      boom at register",
	)
	s := r.Snapshot()
	for _, want := range []string{
		"  ○ guard v1.0.0 [not enabled]", "  ✓ notes v0.3.0 (1 tools, 2 hooks)", "  ▲ traces v2.0.1", "      Plugin traces disabled (missing: TRACES_KEY)", "  ✓ weather v1.2.0 (2 tools, 0 hooks, 1 commands)",
	} {
		if _, _, ok := rowOf(s, want); !ok {
			t.Errorf("no line %q\n%s", want, s.Dump())
		}
	}
}

// A plugin is switched off and on again in its place, and the next request
// follows.
func TestSwitchingInThePanel(t *testing.T) {
	t.Parallel()
	r := startApp(t, 80, 24, withPlugin("notes", "weather"), withModel(llmtest.Say("One."), llmtest.Say("Two."), llmtest.Say("Three.")))
	r.send("first")
	r.waitIdle("One.")
	switched := func(state string) {
		r.Press("f2")
		r.WaitText("sort: state")
		for !strings.HasPrefix(selectedRow(r.Snapshot()), "weather") {
			before := selectedRow(r.Snapshot())
			r.Press("down")
			r.WaitFor(func(s tuitest.Snapshot) bool { return selectedRow(s) != before })
		}
		r.Press("space")
		r.WaitFor(func(s tuitest.Snapshot) bool {
			return strings.HasPrefix(strings.Join(strings.Fields(selectedRow(s)), " "), "weather 1.2.0 "+state+" ")
		})
		r.Press("esc")
		r.waitIdle()
	}
	switched("off")
	if got := r.file("config.yaml"); !strings.Contains(got, "disabled") {
		t.Errorf("config.yaml does not say so:\n%s", got)
	}
	r.send("second")
	r.waitIdle("Two.")
	r.send("/weather Berlin")
	r.waitIdle("Unknown command: /weather")
	switched("ok")
	r.send("third")
	r.waitIdle("Three.")
	got := r.requests(3)
	with, without := []string{"get_forecast", "get_weather", "note_add"}, []string{"note_add"}
	for i, want := range [][]string{with, without, with} {
		names := slices.DeleteFunc(toolNames(got[i]), func(name string) bool { return !slices.Contains(with, name) })
		if !slices.Equal(names, want) {
			t.Errorf("request %d offers %q of the plugins' tools, want %q", i+1, names, want)
		}
	}
}

// selectedRow is the row of a page with the pointer, from the name on.
func selectedRow(s tuitest.Snapshot) string {
	row, _, _ := rowOf(s, "▸")
	row = strings.TrimLeft(row, "▸")
	_, name, _ := strings.Cut(row, " ")
	return strings.TrimSpace(name)
}

// A plugin's command completes, waits for its argument and runs; an exact name
// beats a longer one.
func TestPluginCommands(t *testing.T) {
	t.Parallel()
	const codes = `
def register(ctx):
    ctx.register_command("gs", lambda raw: "short ran " + raw)
    ctx.register_command("gshow", lambda raw: print("printed") or "long ran " + raw)
    ctx.register_command("boom", lambda raw: 1 / 0)
`
	r := startApp(t, 80, 24, withPlugin("weather"), withCode("codes", codes))
	r.WaitFor(settledPlugins("plugins 2✓"))
	r.Type("/wea")
	s := r.WaitText("╭─ /wea ", "▸ /weather <city>", "plugin weather", "show the weather now")
	s.AssertOneComposer(t)
	r.Press("enter")
	s = r.WaitFor(func(s tuitest.Snapshot) bool { return draft(s) == "/weather" })
	if s.Contains("in the table") {
		t.Errorf("it ran without its argument\n%s", s.Dump())
	}
	r.send("Berlin")
	r.waitIdle("❯ /weather Berlin", "The weather in Berlin is in the table.")
	r.send("/gs")
	r.waitIdle("short ran")
	r.send("/gshow 1")
	r.waitIdle("printed", "long ran 1")
	r.send("/boom")
	r.waitIdle("✗ Plugin command error: division by zero")
	r.send("/nonsense")
	r.waitIdle("Unknown command: /nonsense")
}

// Two programs on one home at once: what each enables is in the file, comments
// and all, and both work.
func TestTwoProgramsOnOneHome(t *testing.T) {
	t.Parallel()
	a := startApp(t, 80, 24)
	must(t, os.WriteFile(filepath.Join(a.home, "config.yaml"), []byte("# mine\ndisplay:\n  compact: false # keep\n"), 0o600))
	b := startApp(t, 80, 24, withHome(a.home))
	a.waitIdle("F5 enables it", "F6 enables it")
	b.waitIdle("F5 enables it", "F6 enables it")
	a.Press("f5")
	b.Press("f6")
	a.waitIdle("calculator: calculate, unit_convert")
	b.waitIdle("toolbox: calculator, echo, get_current_weather")
	a.send("What's 2 to the power of 16?")
	b.send("请让回声工具说一句‘你好’")
	a.waitIdle("calculate answered 65536")
	b.waitIdle("Echo: 你好")
	got := a.file("config.yaml")
	for _, want := range []string{"# mine", "compact: false # keep", "calculator", "toolbox"} {
		if !strings.Contains(got, want) {
			t.Errorf("config.yaml lost %q:\n%s", want, got)
		}
	}
}
