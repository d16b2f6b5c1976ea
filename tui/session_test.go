package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
)

func meta(turn string) event.Meta { return event.Meta{Session: "s", Turn: turn} }

// A stored conversation is there again: words, thoughts folded, calls with
// what they gave; what the program wrote to the model is not shown.
func TestResumedConversation(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.bus.Emit(event.SessionOpened{Meta: event.Meta{Session: "20261130_201500_abcdef"}, Title: "雨 in Berlin", Resumed: true})
			r.bus.Emit(event.HistoryRestored{Repaired: 1, Messages: []event.Restored{
				{Role: "user", Text: "is it going to rain? 会下雨吗"},
				{Role: "assistant", Text: "Let me **look**.", Reasoning: "hmm", Calls: []event.RestoredCall{{Call: "c1", Name: "get_weather", Args: `{"city":"Berlin"}`}}},
				{Role: "tool", Call: "c1", Name: "get_weather", Text: `{"temp": 21}`},
				{Role: "user", Text: "[System: go on]", Synthetic: true},
				{Role: "assistant", Text: "Dry."},
			}})
			s := r.WaitText("Dry.", "conversation goes on")
			s.AssertSound(t)
			if s.Contains("[System") {
				t.Errorf("a message of the program is shown\n%s", s.Dump())
			}
			if size.h >= 40 {
				s.AssertSound(t)
				for _, want := range []string{"is it going to rain? 会下雨吗", "Let me look.", "✓ get_weather", `{"temp": 21}`, "1 tool call had"} {
					if !s.Contains(want) {
						t.Errorf("%q is missing\n%s", want, s.Dump())
					}
				}
			}
		})
	}
}

// A call that a kill cut off does not look as if it had ended well.
func TestResumedCutOffCall(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.HistoryRestored{Repaired: 1, Messages: []event.Restored{
		{Role: "user", Text: "go"},
		{Role: "assistant", Calls: []event.RestoredCall{{Call: "c1", Name: "terminal", Args: `{"command":"make"}`}}},
		{Role: "tool", Call: "c1", Name: "terminal", Text: "[Tool execution was interrupted: the program ended before the result was stored.]"},
	}})
	r.WaitText("⊘ terminal make")
}

// What is taken back leaves the screen, and its text can be changed and sent
// again; /retry sends it itself.
func TestUndoneTurns(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.TurnStarted{Meta: meta("t1"), Text: "first"})
	r.bus.Emit(event.TurnDone{Meta: meta("t1"), Outcome: event.OutcomeDone})
	r.bus.Emit(event.TurnStarted{Meta: meta("t2"), Text: "second"})
	r.bus.Emit(event.MessageDone{Meta: meta("t2"), Msg: "m", Content: "an answer"})
	r.bus.Emit(event.TurnDone{Meta: meta("t2"), Outcome: event.OutcomeDone})
	r.WaitText("an answer")
	r.bus.Emit(event.HistoryUndone{Turns: 1, Messages: 2, Text: "second"})
	s := r.WaitText("taken back: 1 turn(s)", "❯ second")
	if s.Contains("an answer") || !s.Contains("first") {
		t.Errorf("the wrong part went\n%s", s.Dump())
	}
	r.bus.Emit(event.TurnStarted{Meta: meta("t3"), Text: "second", Source: "retry"})
	s = r.WaitGone("❯ second")
	if !s.Contains("second") {
		t.Errorf("the message is gone\n%s", s.Dump())
	}
}

// A change of a file is on its card: counted, with its first rows.
func TestCardShowsAChange(t *testing.T) {
	r := startLoaded(t, 120, 40)
	r.bus.Emit(event.TurnStarted{Meta: meta("t1"), Text: "write it"})
	var diff strings.Builder
	diff.WriteString("--- a/notes.md\n+++ b/notes.md\n@@ -1,3 +1,13 @@\n # Notes\n-tbd\n")
	for i := range 12 {
		fmt.Fprintf(&diff, "+line %02d 柏林\n", i)
	}
	args := `{"path":"notes.md","content":"…"}`
	r.bus.Emit(event.ToolStarted{Meta: meta("t1"), Call: "c1", Name: "write_file", Args: args})
	r.bus.Emit(event.ToolDone{Meta: meta("t1"), Call: "c1", Name: "write_file", Args: args, Status: event.StatusOK, Preview: `{"bytes_written": 20}`, Diff: diff.String(), Ms: 6})
	s := r.WaitText("✓ write_file notes.md", "+12 −1", "6ms", "@@ -1,3 +1,13 @@", "-tbd", "+line 04 柏林", "more lines")
	s.AssertSound(t)
	if s.Contains("line 05") || s.Contains("+++") || s.Contains("bytes_written") {
		t.Errorf("too much of it is shown\n%s", s.Dump())
	}
	r.Press("ctrl+o")
	r.WaitText("+line 11 柏林").AssertSound(t)
}

// A task that a tool took on is open until its answer is there, whenever that
// comes.
func TestHandedOverCall(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.TurnStarted{Meta: meta("t1"), Text: "go"})
	for _, call := range []string{"c1", "c2"} {
		r.bus.Emit(event.ToolStarted{Meta: meta("t1"), Call: call, Name: "research_" + call, Args: "{}", Owner: "deep"})
		r.bus.Emit(event.ToolDone{Meta: meta("t1"), Call: call, Name: "research_" + call, Args: "{}", Owner: "deep", Status: event.StatusHandedOver, Preview: "{}"})
	}
	r.bus.Emit(event.TurnDone{Meta: meta("t1"), Outcome: event.OutcomeDone})
	r.WaitText("· research_c1", "handed over")
	r.bus.Emit(event.ToolSettled{Meta: meta("t9"), Call: "c1", Task: "T", Status: event.SettledAnswered, Text: "42 found"})
	r.bus.Emit(event.ToolSettled{Call: "c2", Task: "U", Status: event.SettledNoAnswer})
	s := r.WaitText("✓ research_c1", "42 found", "⊘ research_c2", "no answer")
	if s.Contains("handed over") {
		t.Errorf("still handed over\n%s", s.Dump())
	}
}

// Sub-agents work on the card that called them.
func TestSubagentsOnTheCard(t *testing.T) {
	r := startLoaded(t, 120, 40)
	r.bus.Emit(event.TurnStarted{Meta: meta("t1"), Text: "go"})
	r.bus.Emit(event.ToolStarted{Meta: meta("t1"), Call: "c1", Name: "delegate_task", Args: `{"goal":"x"}`})
	r.bus.Emit(event.SubagentStarted{Meta: meta("t1"), ID: "a", Call: "c1", Goal: "find the 错误"})
	r.bus.Emit(event.SubagentStarted{Meta: meta("t1"), ID: "b", Call: "c1", Index: 1, Goal: "write tests"})
	r.bus.Emit(event.SubagentProgress{Meta: meta("t1"), ID: "a", Text: "read_file main.go"})
	r.WaitText("find the 错误 — read_file main.go", "write tests").AssertSound(t)
	r.bus.Emit(event.SubagentDone{Meta: meta("t1"), ID: "a", Status: "completed", Summary: "line 7", Duration: 2100 * time.Millisecond})
	r.bus.Emit(event.SubagentDone{Meta: meta("t1"), ID: "b", Status: "failed", Summary: "no budget", Duration: time.Second})
	r.WaitText("✓ find the 错误 — line 7", "2.1s", "✗ write tests — failed no budget").AssertSound(t)
}

// Shortening the conversation is one line that changes.
func TestCompression(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.Compress{Phase: event.CompressStarted, Before: 76451})
	r.WaitText("⟳ compacting context…")
	r.bus.Emit(event.Compress{Phase: event.CompressDone, Before: 76451, After: 20000, Messages: 34, Fallback: true})
	s := r.WaitText("context compacted", "34 messages", "without the model")
	if s.Contains("compacting") {
		t.Errorf("two lines for one compression\n%s", s.Dump())
	}
	r.bus.Emit(event.Compress{Phase: event.CompressStarted, Before: 5})
	r.bus.Emit(event.Compress{Phase: event.CompressFailed, Reason: "no network"})
	r.WaitText("was not compacted: no network")
}

// Background commands, the cost and an estimate are told.
func TestWhatRunsBesides(t *testing.T) {
	r := startLoaded(t, 120, 40)
	r.bus.Emit(event.ProcessStarted{ID: "proc_a5ca33b94266", Command: "npm run dev"})
	r.WaitText("proc_a5ca33b94266 runs in the background: npm run dev", "1 running")
	r.bus.Emit(event.ProcessExited{ID: "proc_a5ca33b94266", Command: "npm run dev", Code: 1})
	r.WaitText("proc_a5ca33b94266 ended (exit 1)")
	r.WaitGone("1 running")
	r.bus.Emit(event.TurnStarted{Meta: meta("t1"), Text: "go"})
	r.bus.Emit(event.Usage{Meta: meta("t1"), Tokens: event.Tokens{In: 4000, Out: 212}, Window: 131072, Context: 4500, Estimated: true, Cost: 0.0012, CostStatus: "estimated"})
	r.WaitText("~4.5k of 131k", "~$0.0012", "~5k/131k")
	r.bus.Emit(event.TitleChanged{Title: "rain in Berlin"})
	r.bus.Emit(event.Queued{ID: "q1", Text: "and push it"})
	r.bus.Emit(event.TurnDone{Meta: meta("t1"), Outcome: event.OutcomeInterrupted})
	r.bus.Emit(event.QueueHeld{Held: true, N: 1})
	s := r.WaitText("held back after the stop")
	if s.Title != "hermes — rain in Berlin" {
		t.Errorf("title %q", s.Title)
	}
}

// The stored sessions can be found and gone on with, at every size.
func TestSessionsPage(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			r.Press("ctrl+x")
			r.WaitText("Sessions", "reading")
			r.waitCall(t, "list sessions")
			r.bus.Emit(event.SessionsListed{Sessions: []event.StoredSession{
				{ID: "20261130_200900_7f3a21", Title: "this 会话", Messages: 4, Active: epoch},
				{ID: "20261130_180000_aaaaaa", Title: "fix the parser\x1b[31m 🐛", Messages: 48, Active: epoch.Add(-2 * time.Hour)},
				{ID: "20261129_180000_bbbbbb", Title: "release 0.3", Messages: 101, Active: epoch.Add(-30 * time.Hour)},
			}})
			s := r.WaitText("3 stored", "▸  this 会话", "fix the parser", "release 0.3")
			s.AssertSound(t)
			if size.w >= 80 && !(s.Contains("this one") && s.Contains("2h ago") && s.Contains("101")) {
				t.Errorf("columns are missing\n%s", s.Dump())
			}
			r.Press("/")
			r.Type("parser")
			s = r.WaitGone("release 0.3")
			s.AssertSound(t)
			r.Press("enter", "enter")
			r.waitCall(t, `command "/resume 20261130_180000_aaaaaa"`)
			r.WaitText("❯")
			r.Press("ctrl+x")
			r.WaitText("Sessions")
			r.bus.Emit(event.SessionsListed{Err: "state.db is locked"})
			r.WaitText("✗ state.db is locked")
			r.Press("esc")
			r.WaitGone("state.db is locked")
		})
	}
}
