package tui

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

// The rows below are those of the mock-ups in the design, as far as this
// program has what they show. They are written down here as they must appear,
// not taken from the program.

// scene plays the conversation of the mock-ups: a turn in which a tool of a
// plugin and built-in tools run, hooks are slow and fail, and two messages wait.
func scene(r *rig) {
	at := func(clock string) {
		d, err := time.Parse("15:04:05", clock)
		if err != nil {
			panic(err)
		}
		r.clock.set(time.Date(2026, 11, 30, d.Hour(), d.Minute(), d.Second(), 0, time.Local))
	}
	emit := r.bus.Emit
	m := event.Meta{Turn: "7"}
	at("20:10:36")
	emit(event.TurnStarted{Meta: m, Text: "is it going to rain in Berlin? write it to notes.md"})
	at("20:10:41")
	emit(event.HookSlow{Meta: m, Hook: "pre_llm_call", Plugin: "notes", Callback: "recall", Elapsed: time.Second, Limit: 5 * time.Second})
	emit(event.HookRun{Meta: m, Hook: "pre_llm_call", Plugin: "notes", Callback: "recall", Ms: 5200, Effect: "context", Detail: "+310 tok"})
	emit(event.Delta{Meta: m, Msg: "m1", Kind: event.KindText, Text: "Let me look."})
	emit(event.MessageDone{Meta: m, Msg: "m1", Content: "Let me look."})
	emit(event.Usage{Meta: m, Tokens: event.Tokens{In: 4100, Out: 212}, Window: 131072})
	at("20:10:46")
	emit(event.HookRun{Meta: m, Hook: "pre_tool_call", Plugin: "guard", Callback: "no_rm", Ms: 3, Call: "call_80"})
	args := `{"city":"Berlin"}`
	emit(event.ToolStarted{Meta: m, Call: "call_80", Name: "get_weather", Owner: "weather", Args: args})
	emit(event.ToolDone{Meta: m, Call: "call_80", Name: "get_weather", Owner: "weather", Args: args, Status: event.StatusOK, Preview: `{"temp": 21, "rain": 0.1}`, Size: 25, Ms: 41})
	bad := &event.PluginError{Type: "ValueError", Message: "bad payload", File: "notes/__init__.py", Line: 31, Func: "on_tool", Where: "hook post_tool_call", Source: `raise ValueError("bad payload")`}
	emit(event.HookRun{Meta: m, Hook: "post_tool_call", Plugin: "notes", Callback: "on_tool", Ms: 1, Err: bad, Call: "call_80", Payload: `{"tool_name": "get_weather", "duration_ms": 41}`})
	emit(event.HookRun{Meta: m, Hook: "post_tool_call", Plugin: "tracelog", Callback: "after", Ms: 2, Call: "call_80"})
	at("20:10:47")
	emit(event.HookRun{Meta: m, Hook: "pre_tool_call", Plugin: "guard", Callback: "no_rm", Ms: 2, Call: "call_81"})
	emit(event.ToolStarted{Meta: m, Call: "call_81", Name: "terminal", Args: `{"command":"git commit -am \"weather\""}`})
	emit(event.Delta{Meta: m, Msg: "m2", Kind: event.KindText, Text: "| 城市 | temp | rain |\n|---|---|---|\n| 柏林 | 21 | 10 % |\n\nI wrote the result to notes.md and am committing it"})
	emit(event.Queued{ID: "q1", Text: "and push it"})
	emit(event.Queued{ID: "q2", Text: "then open a PR"})
	r.clock.add(2100 * time.Millisecond)
	r.Type("also mention the wind")
	r.WaitText("also mention the wind", "terminal git commit 2.1s", "committing it")
}

// plugins of the mock-ups, with what they did before this turn.
func mockPlugins(r *rig) {
	ok := func(name, version string, tools, hooks int) event.Plugin {
		p := event.Plugin{Key: name, Name: name, Version: version, State: event.PluginOK, Source: "user", Kind: "standalone", LoadMs: 9}
		for i := range tools {
			p.Tools = append(p.Tools, event.ToolInfo{Name: name + string(rune('a'+i)), Toolset: name, Owner: name})
		}
		for i := range hooks {
			p.Hooks = append(p.Hooks, []string{"pre_llm_call", "post_tool_call"}[i])
		}
		return p
	}
	sample := samplePlugins()
	for _, p := range []event.Plugin{sample[0], sample[1], ok("notes", "0.3.0", 1, 2), ok("calculator", "1.0.0", 2, 1), ok("weather", "1.2.0", 2, 0), sample[4]} {
		r.bus.Emit(event.PluginState{Plugin: p})
	}
	r.bus.Emit(event.ModelChanged{Model: "deepseek-chat", Provider: "deepseek", Window: 131072})
	r.bus.Emit(event.SessionOpened{Meta: event.Meta{Session: "7f3a"}})
	r.bus.Emit(event.PluginsSettled{})
	old := event.Meta{Turn: "6"}
	for i := range 31 {
		e := event.ToolDone{Meta: old, Call: "o", Name: "calculate", Owner: "calculator", Status: event.StatusOK, Ms: 2}
		if i < 2 {
			e.Status, e.Err = event.StatusError, "division by zero"
		}
		r.bus.Emit(e)
	}
	for range 4 {
		r.bus.Emit(event.ToolDone{Meta: old, Call: "w", Name: "get_weather", Owner: "weather", Status: event.StatusOK, Ms: 40})
	}
	for range 2 {
		r.bus.Emit(event.HookRun{Meta: old, Hook: "pre_llm_call", Plugin: "notes", Callback: "recall", Ms: 6000, Timeout: true})
	}
	r.WaitText("deepseek-chat", "plugins")
}

// column returns the part of the rows right of a border, from top to bottom.
func column(s tuitest.Snapshot, x, w, from, to int) []string {
	var out []string
	for y := from; y < to; y++ {
		out = append(out, strings.TrimRight(s.Text(x, y, w), " "))
	}
	return out
}

// has asserts that rows stand in this order, next to each other.
func has(t *testing.T, where string, rows []string, want ...string) {
	t.Helper()
	if !strings.Contains("\n"+strings.Join(rows, "\n")+"\n", "\n"+strings.Join(want, "\n")+"\n") {
		t.Errorf("%s: no\n%s\nin\n%s", where, strings.Join(want, "\n"), strings.Join(rows, "\n"))
	}
}

func TestMockup120x40(t *testing.T) {
	r := start(t, 120, 40)
	mockPlugins(r)
	scene(r)
	s := r.Snapshot()
	s.AssertOneComposer(t)
	s.AssertSound(t)
	left, panel := column(s, 0, 82, 0, 40), column(s, 82, 38, 0, 39)
	has(t, "conversation", left,
		" you   is it going to rain in Berlin? write it to notes.md",
		"",
		" hermes",
		"       Let me look.",
		"",
		`     ✓ get_weather {"city":"Berlin"}                          weather  41ms ▸`,
		`       {"temp": 21, "rain": 0.1}`,
		`     ⠋ terminal git commit -am "weather"                               2.1s ▸`,
		"",
		"        城市 │ temp │ rain",
		"       ──────┼──────┼──────",
		"        柏林 │ 21   │ 10 %",
		"",
		"       I wrote the result to notes.md and am committing it",
	)
	has(t, "panel", panel[1:],
		"│ ✗ broken      RuntimeError: boom at…",
		"│ ▲ langfuse    needs LANGFUSE_KEY",
		"│ ! notes       pre_llm_call 6.0s",
		"│ ● calculator  31 calls   2 err",
		"│ ● weather     5 calls    41ms",
		"│ ○ old-thing   off",
	)
	has(t, "hooks", panel,
		"│ 20:10:41 pre_llm_call",
		"│          notes.recall    5.2s! +310t",
		"│ 20:10:46 pre_tool_call",
		"│          guard.no_rm         3ms ok",
		"│ 20:10:46 post_tool_call",
		"│          notes.on_tool       1ms ✗",
		"│          tracelog.after      2ms ok",
		"│ 20:10:47 pre_tool_call",
		"│          guard.no_rm         2ms ok",
	)
	has(t, "heading", panel, "├─ Hooks ───────────────── live  F3 ──")
	has(t, "turn", panel,
		"├─ This turn ─────────────────────────",
		"│ elapsed      13 s   1 tool",
		"│ in / out     4.1k / 212",
		"│ context      4.3k of 131k   3 %",
		"│ hook time    5.2 s of 13 s",
	)
	rule := strings.Repeat("─", 82)
	has(t, "bottom", left[34:],
		"  queued 2: and push it · then open a PR   (↑ edit)",
		rule,
		"❯ also mention the wind",
		rule,
		" ⠋ terminal git commit 2.1s │ deepseek-chat │ 4k/131k 3% │ Esc Esc stop",
		" Enter queue · Alt+Enter newline · Esc Esc stop · Ctrl+O fold all · F2 plugins · F",
	)
	for _, y := range []int{35, 37} {
		if c := s.Text(82, y, 1); c != "┤" && c != "┼" {
			t.Errorf("row %d: the rule meets the panel with %q", y, c)
		}
	}
	r.caret(t, 2+len("also mention the wind"), 36)
	s.Golden(t, "chat-120x40")
}

func TestMockup80x24(t *testing.T) {
	r := startLoaded(t, 80, 24)
	s := r.WaitText("F5 enables it", "14 tools in all", "hooks — │ F1 help")
	s.AssertOneComposer(t)
	s.AssertSound(t)
	rows := s.Lines()
	for y, want := range map[int]string{
		0:  "╭─ Hermes Agent 0.1.0 ───────────────────────────────────────── ~/src/weather ─╮",
		1:  "│ model    deepseek-chat (deepseek)                        session 7f3a21, new │",
		3:  "│          file: patch, read_file, search_files, write_file                    │",
		4:  "│          calculator: calculate, unit_convert                                 │",
		5:  "│          forecast: get_forecast, get_weather              (weather)          │",
		6:  "│          … 3 more sets, 14 tools in all (F4)                                 │",
		7:  "│ plugins  2 ok · 1 disabled · 1 FAILED · 1 off                                │",
		8:  "│          ✗ broken     RuntimeError: boom at register (F2)                    │",
		9:  "│          ▲ Plugin langfuse disabled (missing: LANGFUSE_KEY) (F2, k)          │",
		11: "╰──────────────────────────────────────────────────────────────────────────────╯",
		20: strings.Repeat("─", 80),
		21: "❯",
		22: strings.Repeat("─", 80),
		23: " ready │ deepseek-chat │ 0/131k │ plugins 2✓ 1▲ 1✗ │ hooks — │ F1 help",
	} {
		if got := strings.TrimRight(rows[y], " "); got != want {
			t.Errorf("row %d is\n%s\nwant\n%s", y, got, want)
		}
	}
	r.caret(t, 2, 21)
	s.Golden(t, "start-80x24")
}

func TestMockupMenu80x24(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("/wea")
	s := r.WaitText("❯ /wea", "/wea ───")
	s.AssertSound(t)
	rows := s.Lines()
	has(t, "menu", rows[11:],
		"╭─ /wea ────────────────────── 3 of 11 · Tab complete · Enter run · Esc close ─╮",
		"│ ▸ /weather <city>      plugin weather   show the weather now                 │",
		"│   /weather-units c|f   plugin weather   choose degrees                       │",
		"│   /forecast [days]     plugin weather   found in description (wea): the weat…│",
		"│"+strings.Repeat("┄", 78)+"│",
		"│ usage    /weather <city>                                                     │",
		"│ owner    plugin weather                                                      │",
		"│ next     Tab inserts «/weather » and waits for <city>                        │",
		"╰"+strings.Repeat("─", 78)+"╯",
		"❯ /wea",
		strings.Repeat("─", 80),
		" ↑/↓ choose · Tab or → take · Enter run · Esc close",
		" ready │ deepseek-chat │ 0/131k │ plugins 2✓ 1▲ 1✗ │ hooks —",
	)
	// Matched letters are bold and underlined, the others are not.
	x, y, ok := s.Find("/weather <city>")
	if !ok {
		t.Fatal("no row")
	}
	for i, hit := range []bool{false, true, true, true, false, false} {
		c := s.Cell(x+i, y)
		bold, underlined := c.Style.Attrs&1 != 0, c.Style.Underline != 0
		if (bold && underlined) != hit {
			t.Errorf("letter %d (%q): bold %v, underlined %v, want both %v", i, c.Content, bold, underlined, hit)
		}
	}
	s.Golden(t, "menu-80x24")
}

func TestMockupPlugins80x24(t *testing.T) {
	r := start(t, 80, 24)
	mockPlugins(r)
	r.Press("f2")
	s := r.WaitText("sort: state", "31   2", "4   0", "slow hooks")
	s.AssertSound(t)
	rows := s.Lines()
	has(t, "table", rows[1:],
		strings.Repeat("─", 80),
		"   name           ver    state       tools hooks cmds  calls err  hook p95  load",
		strings.Repeat("┄", 80),
		"▸✗ broken         0.1.0  failed          0     0    0      0   1      —       —",
		" ▲ langfuse       2.0.1  needs key       —     —    —      —   —      —       —",
		" ! notes          0.3.0  slow hooks      1     2    0      0   2    6.0s    9ms",
		" ● calculator     1.0.0  ok              2     1    0     31   2      —     9ms",
		" ● weather        1.2.0  ok              2     0    0      4   0      —     9ms",
		" ○ old-thing      0.9    off             —     —    —      —   —      —       —",
	)
	has(t, "preview", rows,
		" RuntimeError: boom at register",
		"   __init__.py:2 in register",
		`   >   raise RuntimeError("boom at register")`,
	)
	s.Golden(t, "plugins-80x24")
}

func TestMockupHooks80x24(t *testing.T) {
	r := start(t, 80, 24)
	mockPlugins(r)
	scene(r)
	r.Press("f3")
	s := r.WaitText("plugin · callback")
	s.AssertSound(t)
	rows := s.Lines()
	has(t, "table", rows,
		strings.Repeat("─", 80),
		" time      hook             plugin · callback           took  result",
		strings.Repeat("┄", 80),
		" 20:09:30  pre_llm_call     notes · recall              6.0s! timeout, went on",
		" 20:09:30  pre_llm_call     notes · recall              6.0s! timeout, went on",
		" 20:10:41  pre_llm_call     notes · recall              5.2s! context +310 tok",
		" 20:10:46  pre_tool_call    guard · no_rm                3ms  ok",
		" 20:10:46  post_tool_call   notes · on_tool              1ms  ValueError",
		" 20:10:46  post_tool_call   tracelog · after             2ms  ok",
		"▸20:10:47  pre_tool_call    guard · no_rm                2ms  ok",
	)
	r.Press("up", "up")
	s = r.WaitText("raised ValueError: bad payload")
	has(t, "detail", s.Lines(),
		" post_tool_call · notes.on_tool · turn 7 · call_80 · 20:10:46.000",
		`  in    {"tool_name": "get_weather", "duration_ms": 41}`[1:],
		" out   raised ValueError: bad payload   notes/__init__.py:31 in on_tool",
		"       others on this hook: tracelog.after 2ms ok",
	)
	s.Golden(t, "hooks-80x24")
}

func TestMockup200x50(t *testing.T) {
	r := start(t, 200, 50)
	mockPlugins(r)
	scene(r)
	s := r.Snapshot()
	s.AssertOneComposer(t)
	s.AssertSound(t)
	panel, detail := column(s, 92, 44, 0, 48), column(s, 136, 64, 0, 48)
	has(t, "panel", panel,
		"│   name         state       calls err  p95",
		"│ ✗ broken       failed          0   1    —",
		"│ ▲ langfuse     needs key       0   0    —",
		"│ ! notes        slow hooks      0   3 6.0s",
		"│ ● calculator   ok             31   2  2ms",
		"│ ● weather      ok              5   0 41ms",
		"│ ○ old-thing    off             —   —    —",
	)
	has(t, "events", detail,
		"│ 20:10:41  pre_llm_call     notes·recall      5.2s! context +3…",
		"│ 20:10:46  pre_tool_call    guard·no_rm        3ms  ok",
		"│ 20:10:46  post_tool_call   notes·on_tool      1ms  ValueError",
		"│ 20:10:46  post_tool_call   tracelog·after     2ms  ok",
		"│ 20:10:47  pre_tool_call    guard·no_rm        2ms  ok",
	)
	if row := strings.TrimRight(s.Row(48), " "); row != strings.Repeat("─", 200) {
		t.Errorf("row 48 is %q", row)
	}
	s.Golden(t, "chat-200x50")
}

func TestSmallScreen40x12(t *testing.T) {
	r := start(t, 40, 12)
	mockPlugins(r)
	scene(r)
	s := r.Snapshot()
	s.AssertOneComposer(t)
	s.AssertSound(t)
	r.caret(t, 2+len("also mention the wind"), 9)
	s.Golden(t, "chat-40x12")
}
