package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

var turn1 = event.Meta{Turn: "1"}

// begin starts a turn in which the test emits what it likes.
func (r *rig) begin(text string) {
	r.bus.Emit(event.TurnStarted{Meta: turn1, Text: text})
}

func (r *rig) end(outcome string) {
	r.bus.Emit(event.TurnDone{Meta: turn1, Outcome: outcome})
}

func (r *rig) says(text string) {
	r.bus.Emit(event.Delta{Meta: turn1, Msg: "m", Kind: event.KindText, Text: text})
}

// The guide's first prompt with the demo model: the call as a card with its
// owner, the answer labelled.
func TestDemoAnswersAreLabelled(t *testing.T) {
	r := start(t, 80, 24)
	r.bus.Emit(event.ModelChanged{Model: "demo", Provider: "demo", Demo: true})
	r.WaitText("model    demo model", " demo model │ — │")
	r.begin("What's 2 to the power of 16?")
	args := `{"expression": "2**16"}`
	r.bus.Emit(event.ToolStarted{Meta: turn1, Call: "c", Name: "calculate", Owner: "calculator", Args: args})
	r.bus.Emit(event.ToolDone{Meta: turn1, Call: "c", Name: "calculate", Owner: "calculator", Args: args, Status: event.StatusOK, Preview: `{"expression": "2**16", "result": 65536}`, Ms: 0.4})
	r.says("The tool calculate answered: 65536")
	r.bus.Emit(event.MessageDone{Meta: turn1, Msg: "m", Content: "The tool calculate answered: 65536", Demo: true})
	r.bus.Emit(event.TurnDone{Meta: turn1, Outcome: event.OutcomeDone, Demo: true})
	s := r.WaitText("answered: 65536", "demo model │ — │")
	has(t, "turn", s.Lines(),
		" you   What's 2 to the power of 16?",
		"",
		" hermes · demo model",
		`     ✓ calculate {"expression":"2**16"}                 calculator  0.4ms ▸`,
		`       {"expression": "2**16", "result": 65536}`,
		"",
		"       The tool calculate answered: 65536",
	)
}

func TestCardsOfEveryOutcome(t *testing.T) {
	r := startLoaded(t, 80, 40)
	r.begin("go")
	done := func(call, status, preview, err string) {
		r.bus.Emit(event.ToolDone{Meta: turn1, Call: call, Name: "tool_" + call, Owner: "weather", Args: `{}`, Status: status, Preview: preview, Size: len(preview), Err: err, Ms: 7})
	}
	var long strings.Builder
	for i := range 500 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	done("a", event.StatusOK, "fine", "")
	done("b", event.StatusError, long.String()+"Error: the last line", "the tool failed")
	done("c", event.StatusBlocked, "", "blocked by guard: no")
	done("d", event.StatusTimeout, "", "no answer within 2 s")
	done("e", event.StatusCancelled, "", "")
	done("f", event.StatusOK, long.String(), "")
	s := r.WaitText("tool_f", "… 492 more lines")
	rows := s.Lines()
	for _, want := range []string{
		"     ✓ tool_a                                                weather  7ms ▸",
		"     ✗ tool_b                                        failed  weather  7ms ▸",
		"       the tool failed",
		"       Error: the last line",
		"     ⊘ tool_c                                       blocked  weather  7ms ▸",
		"       blocked by guard: no",
		"     ✗ tool_d                                     timed out  weather  7ms ▸",
		"     ⊘ tool_e                                     cancelled  weather  7ms ▸",
		"       line 7",
	} {
		has(t, "cards", rows, want)
	}
	if n := strings.Count(s.String(), "line "); n > 2+5+8+1 {
		t.Errorf("%d rows of results are shown", n)
	}
	_, y, _ := s.Find("tool_f")
	r.Raw(fmt.Sprintf("\x1b[<0;10;%dM\x1b[<0;10;%dm", y+1, y+1)) // a click on the card
	r.WaitText("line 8", "▾")
	r.Press("ctrl+end")
	r.WaitText("line 499")
	r.Press("ctrl+o", "ctrl+o") // all open, all folded
	r.WaitText("… 492 more lines", "Error: the last line")
}

// Reasoning is one row until it is opened.
func TestReasoningIsFolded(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("go")
	r.bus.Emit(event.Delta{Meta: turn1, Msg: "m", Kind: event.KindReasoning, Text: "deep thoughts " + strings.Repeat("x", 386)})
	r.WaitText("     ▸ thinking  ~100 tokens")
	r.says("Answer.")
	s := r.WaitText("     ▸ thought  ~100 tokens", "Answer.")
	if s.Contains("deep thoughts") {
		t.Error("the reasoning is shown")
	}
	r.Press("tab") // to the conversation
	r.WaitText("fold or unfold")
	r.Press("up", "enter") // from the answer to the thought
	r.WaitText("deep thoughts")
	r.Press("esc")
	r.Type("x")
	r.WaitText("❯ x")
}

func TestEndsOfTurns(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("one")
	r.bus.Emit(event.Retry{Meta: turn1, N: 1, Max: 3, After: 2 * time.Second, Reason: "HTTP 429"})
	r.WaitText("↻ HTTP 429 — trying again in 2.0s (1 of 3)", "retry 1 of 3")
	r.bus.Emit(event.Retry{Meta: turn1, N: 2, Max: 3, After: 4 * time.Second, Reason: "HTTP 503"})
	s := r.WaitText("↻ HTTP 503 — trying again in 4.0s (2 of 3)")
	if s.Contains("HTTP 429") {
		t.Error("the retry before is still there")
	}
	r.bus.Emit(event.TurnDone{Meta: turn1, Outcome: event.OutcomeFailed, Err: "the service does not answer: see base_url"})
	r.WaitText("✗ the service does not answer: see base_url", "ready")
	r.begin("two")
	r.bus.Emit(event.TurnDone{Meta: turn1, Outcome: event.OutcomeLimit, APICalls: 90})
	r.WaitText("the limit of 90 requests")
	r.begin("three")
	r.says("half an ans")
	r.end(event.OutcomeInterrupted)
	r.WaitText("half an ans", "⊘ interrupted")
}

// A slow hook has a name, a running time and a key; afterwards a line says
// what hooks cost (property U062).
func TestSlowHook(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("go")
	slow := func(d time.Duration) {
		r.clock.set(epoch.Add(d))
		r.bus.Emit(event.HookSlow{Meta: turn1, Hook: "pre_llm_call", Plugin: "notes", Callback: "recall", Elapsed: d, Limit: 30 * time.Second})
	}
	slow(time.Second)
	s := r.WaitText("hook notes.recall 1.0s/30s  Alt+S skip")
	if strings.Count(s.String(), "notes.recall") != 1 {
		t.Error("it stands in the conversation after one second")
	}
	slow(3 * time.Second)
	r.WaitText("⠋ hook notes.recall  3.0s/30s  (Alt+S skips)", " ⠋ hook notes.recall 3.0s/30s")
	r.clock.add(1500 * time.Millisecond) // time passes without an event
	r.WaitText("hook notes.recall 4.5s/30s", "hook notes.recall  4.5s/30s")
	r.Press("alt+s")
	r.waitCall(t, "skip")
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "pre_llm_call", Plugin: "notes", Callback: "recall", Ms: 4600, Timeout: true})
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "post_llm_call", Plugin: "notes", Callback: "store", Ms: 2, Err: &event.PluginError{Type: "ValueError"}})
	r.end(event.OutcomeDone)
	r.WaitText("· hook notes.recall  4.6s  timeout, went on", "hooks 2 ran · notes.recall 4.6 s · 1 timed out · 1 error — F3")
}

// What a hook does after the turn is over is not counted for it.
func TestHookSummaryIsOfItsTurn(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("go")
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "post_tool_call", Plugin: "calculator", Callback: "log", Ms: 1})
	r.end(event.OutcomeDone)
	r.bus.Emit(event.HookRun{Hook: "on_session_end", Plugin: "calculator", Callback: "bye", Ms: 1})
	r.bus.Emit(event.Notice{Text: "later"})
	s := r.WaitText("later", "hooks 1 ran — F3")
	if strings.Contains(s.String(), "hooks 2") {
		t.Error("a run after the turn was counted")
	}
}

// The reader's place holds while text streams, when the turn ends and when the
// window is resized (properties U014, U019, U020).
func TestScrollingHoldsItsPlace(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("tell me")
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "paragraph %d of the answer\n\n", i)
	}
	r.says(b.String())
	r.WaitText("paragraph 59")
	r.Press("pgup")
	r.WaitGone("paragraph 59")
	before := r.Snapshot().Region(0, 0, 80, 19)
	for i := range 30 {
		r.says(fmt.Sprintf("more %d\n\n", i))
		s := r.WaitFor(func(s tuitest.Snapshot) bool { return strings.Contains(s.Row(19), "new row") })
		if got := s.Region(0, 0, 80, 19); strings.Join(got, "\n") != strings.Join(before, "\n") {
			t.Fatalf("moved:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
		}
	}
	r.end(event.OutcomeDone)
	s := r.WaitText("ready │", "new rows (End)")
	if got := s.Region(0, 0, 80, 19); strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("moved at the end of the turn:\n%s", strings.Join(got, "\n"))
	}
	top := strings.TrimSpace(before[0])
	if top == "" {
		top = strings.TrimSpace(before[1])
	}
	r.Resize(60, 20)
	r.WaitFor(func(s tuitest.Snapshot) bool { return s.W == 60 && strings.Contains(s.Row(0)+s.Row(1), top) })
	r.Resize(80, 24)
	r.WaitFor(func(s tuitest.Snapshot) bool {
		return s.W == 80 && strings.Join(s.Region(0, 0, 80, 19), "\n") == strings.Join(before, "\n")
	})
	r.Press("end")
	s = r.WaitText("more 29")
	if s.Contains("new row") {
		t.Error("the marker is still there at the end")
	}
}

// The screen of an answer that streamed equals that of one that came at once.
func TestStreamedScreenEqualsWhole(t *testing.T) {
	answer := "# Title\n\nSome **bold** text, `code` and 中文, long enough to be wrapped somewhere in the middle of the line.\n\n1. one\n   - a\n   - b\n\n   more\n2. two\n\n```go\nfunc main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd."
	screen := func(step int) string {
		r := startLoaded(t, 70, 40)
		r.begin("go")
		for at := 0; at < len(answer); at += step {
			r.says(answer[at:min(at+step, len(answer))])
		}
		r.bus.Emit(event.MessageDone{Meta: turn1, Msg: "m", Content: answer})
		r.end(event.OutcomeDone)
		return r.WaitText("End.", "ready │").String()
	}
	whole := screen(len(answer))
	for _, step := range []int{1, 7, 50} {
		if got := screen(step); got != whole {
			t.Errorf("in pieces of %d:\n%s\nwant\n%s", step, got, whole)
		}
	}
}

// No sequence of untrusted text reaches the terminal (property U008).
func TestHostileTextIsInert(t *testing.T) {
	r := startLoaded(t, 100, 40)
	mark := r.Mark()
	bad := "\x1b]52;c;cGF5bG9hZA==\x07\x1b]0;PAYLOAD\x07\x1b[2J\x1b[6n\x1bc\x1bPpayload\x1b\\\x1b_payload\x1b\\\u009b31m\u202e shown"
	r.begin("q " + bad)
	r.bus.Emit(event.ToolStarted{Meta: turn1, Call: "c", Name: "t" + bad, Owner: "o" + bad, Args: `{"a":"` + bad + `"}`})
	r.bus.Emit(event.ToolDone{Meta: turn1, Call: "c", Name: "t" + bad, Owner: "o" + bad, Args: "{" + bad, Status: event.StatusError, Preview: bad, Err: bad})
	r.says("answer " + bad + " &#27;]0;PAYLOAD&#7; and on\n")
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "h" + bad, Plugin: "p" + bad, Callback: "c" + bad, Detail: bad, Effect: bad, Payload: bad})
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "k" + bad, Name: "n" + bad, State: event.PluginFailed, Description: bad, Reason: bad, Path: bad, Error: &event.PluginError{Type: "E", Message: bad, Traceback: bad, Source: bad, File: bad, Line: 1}}})
	r.bus.Emit(event.PluginOutput{Key: "k" + bad, Line: bad})
	r.bus.Emit(event.CommandDone{Line: "/x " + bad, Text: bad, Err: bad})
	r.bus.Emit(event.Notice{Text: bad})
	r.bus.Emit(event.CommandsChanged{Commands: []event.Command{{Name: "x" + bad, Args: bad, Description: bad, Owner: bad}}})
	r.end(event.OutcomeDone)
	r.WaitText("and on", "shown")
	for _, key := range []string{"f2", "enter", "8", "9", "esc", "f3", "enter", "f4", "f1", "esc"} {
		r.Press(key)
	}
	r.Type("/")
	s := r.WaitText("1 of 1")
	out := string(r.BytesSince(mark))
	for _, payload := range []string{"\x1b]52", "\x1b]0;PAYLOAD", "\x1b[2J", "\x1b[6n", "\x1bc", "\x1bP", "\x1b_", "\u009b", "\u202e"} {
		if strings.Contains(out, payload) {
			t.Errorf("%q reached the terminal", payload)
		}
	}
	if strings.Contains(s.Title, "PAYLOAD") {
		t.Errorf("title %q", s.Title)
	}
	s.AssertSound(t)
}
