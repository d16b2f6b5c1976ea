package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

func TestEnterSendsAndClears(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("hello there")
	r.WaitText("❯ hello there")
	r.Press("enter")
	r.waitCall(t, `submit "hello there"`)
	r.WaitGone("❯ hello there")
}

// A burst of text and Enter in one write sends once and leaves nothing behind
// (property U046).
func TestBurstsSendOnceInOrder(t *testing.T) {
	r := startLoaded(t, 80, 24)
	var want []string
	for i := range 100 {
		r.Raw(fmt.Sprintf("msg %d\r", i))
		want = append(want, fmt.Sprintf("submit %q", fmt.Sprintf("msg %d", i)))
	}
	r.waitCall(t, want[99])
	if got := r.log(); got != strings.Join(want, "\n") {
		t.Errorf("sent:\n%s", got)
	}
	// Were something left of it, the next message would begin with it.
	r.Raw("last\r")
	r.waitCall(t, `submit "last"`)
	r.WaitFor(func(s tuitest.Snapshot) bool { return strings.TrimRight(s.Row(21), " ") == "❯" })
}

// Every way to type a newline, and the plain Enter (property U034).
func TestNewlines(t *testing.T) {
	for name, seq := range map[string]string{
		"shift+enter, kitty": "\x1b[13;2u", "shift+enter, xterm": "\x1b[27;2;13~", "alt+enter": "\x1b\r", "ctrl+j": "\n", "backslash enter": "\\\r",
	} {
		t.Run(name, func(t *testing.T) {
			r := startLoaded(t, 80, 24)
			r.Type("one")
			r.Raw(seq)
			r.Type("two")
			s := r.WaitText("❯ one", "  two")
			x, y, _ := s.Cursor()
			if row := strings.TrimRight(s.Row(y), " "); row != "  two" || x != 5 {
				t.Errorf("caret at %d in %q", x, row)
			}
			r.Press("enter")
			r.waitCall(t, `submit "one\ntwo"`)
			if n := strings.Count(r.log(), "submit"); n != 1 {
				t.Errorf("%d messages were sent", n)
			}
		})
	}
}

func TestEditingKeys(t *testing.T) {
	for name, tc := range map[string]struct {
		keys []string
		want string
	}{
		"word back":          {[]string{"ctrl+w"}, "one two "},
		"to the start":       {[]string{"ctrl+u"}, ""},
		"to the end":         {[]string{"ctrl+a", "ctrl+k"}, ""},
		"cut and put back":   {[]string{"ctrl+w", "ctrl+a", "ctrl+y"}, "threeone two "},
		"by words":           {[]string{"ctrl+left", "ctrl+left", "backspace"}, "onetwo three"},
		"home and delete":    {[]string{"home", "delete"}, "ne two three"},
		"ctrl+d deletes":     {[]string{"ctrl+a", "ctrl+d"}, "ne two three"},
		"alt+b alt+d":        {[]string{"alt+b", "alt+d"}, "one two "},
		"right stays at end": {[]string{"right", "backspace"}, "one two thre"},
	} {
		t.Run(name, func(t *testing.T) {
			r := startLoaded(t, 80, 24)
			r.Type("one two three")
			r.WaitText("one two three")
			r.Press(tc.keys...)
			r.Type("!")
			r.Press("ctrl+e", "enter")
			if tc.want == "" {
				tc.want = "!"
				r.waitCall(t, `submit "!"`)
				return
			}
			got := waitSubmit(t, r)
			if strings.ReplaceAll(got, "!", "") != tc.want {
				t.Errorf("sent %q, want %q and one !", got, tc.want)
			}
		})
	}
}

// waitSubmit returns the first message that was sent.
func waitSubmit(t *testing.T, r *rig) string {
	t.Helper()
	r.waitAny(t, func(call string) bool { return strings.HasPrefix(call, "submit ") })
	var text string
	for _, call := range strings.Split(r.log(), "\n") {
		if _, err := fmt.Sscanf(call, "submit %q", &text); err == nil {
			return text
		}
	}
	return ""
}

func TestWideTextAndTheCaret(t *testing.T) {
	r := startLoaded(t, 40, 14)
	r.Type("把论文👩‍👩‍👧 é🇯🇵")
	s := r.WaitText("🇯🇵")
	s.AssertSound(t)
	r.caret(t, 2+2*3+2+1+1+2, 11)
	r.Press("backspace", "backspace", "backspace")
	r.WaitGone("é")
	r.caret(t, 2+2*3+2, 11)
	r.Press("backspace")
	r.WaitGone("👩")
	r.caret(t, 2+2*3, 11)
}

// The input grows to 40 % of the screen and scrolls then.
func TestComposerGrows(t *testing.T) {
	r := startLoaded(t, 80, 24)
	for i := range 20 {
		r.Type(fmt.Sprint("line ", i))
		r.Press("ctrl+j")
	}
	s := r.WaitFor(func(s tuitest.Snapshot) bool {
		x, y, _ := s.Cursor()
		return s.Contains("line 19") && x == 2 && strings.TrimSpace(s.Row(y)) == ""
	})
	s.AssertOneComposer(t)
	n := 0
	for _, row := range s.Lines() {
		if strings.HasPrefix(row, "  line ") || strings.HasPrefix(row, "❯ line ") {
			n++
		}
	}
	if n+1 != 24*2/5 {
		t.Errorf("%d rows of the draft are shown, want %d with the caret's", n+1, 24*2/5)
	}
	if s.Contains("line 2\n") {
		t.Error("the first lines are shown, too")
	}
	for range 20 {
		r.Press("up")
	}
	r.WaitText("❯ line 0")
}

func TestBigPasteIsOneChip(t *testing.T) {
	r := startLoaded(t, 80, 24)
	var b strings.Builder
	for i := range 12000 {
		fmt.Fprintf(&b, "row %d\twith a tab and enough text to make it a megabyte in all %s\r\n", i, strings.Repeat("x", 20))
	}
	text := b.String()
	r.Type("a ")
	r.Raw("\x1b[200~" + text + "\x1b[201~")
	r.WaitText("[Pasted text #1: 12000 lines]")
	r.Type(" b")
	s := r.WaitText("❯ a [Pasted text #1: 12000 lines] b")
	s.AssertOneComposer(t)
	if r.log() != "" {
		t.Fatalf("a paste did %s", r.log())
	}
	r.Press("enter")
	got := waitSubmit(t, r)
	want := "a " + strings.ReplaceAll(text, "\r\n", "\n") + " b"
	if got != want {
		t.Errorf("sent %d bytes, want %d, first difference at %d", len(got), len(want), firstDifference(got, want))
	}
}

func firstDifference(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func TestChipsAreAtoms(t *testing.T) {
	r := startLoaded(t, 80, 24)
	five := strings.Repeat("x\n", 6)
	r.Type("a")
	r.Paste(five)
	r.WaitText("❯ a[Pasted text #1: 6 lines]")
	r.Type("b")
	r.WaitText("lines]b")
	r.Paste(strings.Repeat("y", 2500))
	r.WaitText("❯ a[Pasted text #1: 6 lines]b[Pasted text #2: 1 lines]")
	r.Press("backspace")
	r.WaitText("❯ a[Pasted text #1: 6 lines]b")
	r.WaitGone("#2")
	r.Press("left", "backspace")
	r.WaitText("❯ ab")
}

// Nothing in a paste acts as a key (property U031).
func TestHostilePasteStaysText(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Raw("\x1b[200~hi \x1b[201~")
	r.Paste("y\x03 rm -rf ~\r/quit\r")
	r.WaitText("rm -rf ~", "/quit")
	if r.log() != "" {
		t.Errorf("a paste did %s", r.log())
	}
}

func TestHistoryAndSearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".hermes_history")
	old := "\n# 2026-11-29 10:00:00.000000\n+first of long ago\n\n# 2026-11-29 10:01:00.000000\n+two\n+lines\n"
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startLoaded(t, 80, 24, withHistory(path))
	r.historyRead("long ago")
	for _, text := range []string{"one", "/status", "two", "two"} {
		r.Type(text)
		r.WaitText("❯ " + text)
		r.Press("enter")
		r.WaitGone("❯ " + text + " ")
	}
	for _, want := range []string{"two", "/status", "one", "lines"} {
		r.Press("up")
		s := r.WaitText(want)
		if s.Contains("Tab complete") {
			t.Error("the menu opened while history was walked")
		}
		_ = s
	}
	r.Press("up") // from the second row of the entry to its first
	r.Press("up")
	r.WaitText("❯ first of long ago")
	r.Press("down", "down", "down", "down", "down", "down", "down")
	r.WaitGone("first of long ago")
	r.Press("ctrl+r")
	r.WaitText("history:")
	r.Type("long")
	r.WaitText("first of long ago")
	r.Press("enter")
	r.WaitText("❯ first of long ago")

	deadline := time.Now().Add(10 * time.Second)
	for {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(string(data), "\n+two\n") && strings.Count(string(data), "\n+two\n") == 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the history file holds\n%s", data)
		}
	}
}

// historyRead waits until the history file was read: a search finds text.
func (r *rig) historyRead(text string) {
	r.Press("ctrl+r")
	r.Type(text)
	for s := r.WaitText("history: " + text); strings.Count(s.String(), text) < 2; s = r.Snapshot() {
		r.Press("backspace") // search again
		r.Type(text[len(text)-1:])
		r.WaitText("history: " + text)
	}
	r.Press("esc")
	r.WaitGone("history:")
}

func TestHistoryThatCannotBeWrittenIsToldOnce(t *testing.T) {
	r := startLoaded(t, 80, 24, withHistory(filepath.Join(t.TempDir(), "no", "such", "folder", "h")))
	r.Type("one")
	r.Press("enter")
	r.WaitText("! the history cannot be saved: write history:")
	r.waitCall(t, `submit "one"`)
}

// Ctrl+C: turn, draft, quit; Up brings the draft back (decision D22).
func TestCtrlCLadder(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.TurnStarted{Meta: event.Meta{Turn: "1"}, Text: "go"})
	r.WaitText("Esc Esc stop")
	r.Type("draft")
	r.WaitText("❯ draft")
	r.Press("ctrl+c")
	r.waitCall(t, "interrupt")
	s := r.Snapshot()
	if !s.Contains("❯ draft") {
		t.Error("the draft is gone after the first press")
	}
	r.bus.Emit(event.TurnDone{Meta: event.Meta{Turn: "1"}, Outcome: event.OutcomeInterrupted})
	r.WaitText("⊘ interrupted")
	r.Press("ctrl+c")
	r.WaitText("Ctrl+C again quits")
	r.WaitGone("❯ draft")
	r.Press("up")
	r.WaitText("❯ draft", "ready")
	r.WaitGone("Ctrl+C again quits")
	r.Press("ctrl+c")
	r.WaitText("Ctrl+C again quits")
	if err := r.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
	r.AssertRestored()
}

func TestCtrlDQuitsWhenEmptyOnly(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("x")
	r.Press("ctrl+d")
	r.WaitText("❯ x")
	r.Press("ctrl+u")
	r.WaitGone("❯ x")
	if err := r.Quit("ctrl+d"); err != nil {
		t.Error(err)
	}
}

func TestEscEscInterrupts(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.TurnStarted{Meta: event.Meta{Turn: "1"}, Text: "go"})
	r.WaitText("Esc Esc stop")
	r.Press("esc")
	r.Type("a") // the first press has arrived when this is shown
	r.WaitText("❯ a")
	r.Press("backspace", "esc")
	r.Type("b")
	r.WaitText("❯ b")
	if strings.Contains(r.log(), "interrupt") {
		t.Fatal("two presses with a key between them interrupted")
	}
	r.Press("esc", "esc")
	r.waitCall(t, "interrupt")
}

// Editing of queued messages (decision D42).
func TestQueueIsEdited(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.bus.Emit(event.TurnStarted{Meta: event.Meta{Turn: "1"}, Text: "go"})
	r.bus.Emit(event.Queued{ID: "q1", Text: "and push it"})
	r.bus.Emit(event.Queued{ID: "q2", Text: "then open a PR"})
	r.WaitText("queued 2: and push it · then open a PR   (↑ edit)")
	r.Type("draft")
	r.Press("up")
	r.WaitText("❯ then open a PR", "Enter keep")
	r.waitCall(t, "hold true")
	r.Press("up")
	r.WaitText("❯ and push it")
	r.Type(" now")
	r.Press("enter")
	r.waitCall(t, `edit q1 "and push it now"`)
	r.waitCall(t, "hold false")
	r.WaitText("❯ draft")
	r.Press("up", "ctrl+x")
	r.waitCall(t, `edit q2 ""`)
	r.bus.Emit(event.Dequeued{ID: "q2", Dropped: true})
	r.WaitText("queued 1:")
	r.Press("up")
	r.WaitText("❯ and push it")
	r.Press("esc")
	r.WaitText("❯ draft")
	if strings.Contains(r.log(), "submit") {
		t.Errorf("something was sent:\n%s", r.log())
	}
}
