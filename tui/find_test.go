package tui

import (
	"fmt"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

// findable is a conversation with needles: two in a question far up, one in a
// result that is folded away, one across the end of a row, one in the last
// answer.
func findable(r *rig) {
	r.answered("a", "the Needle and a needle", "far above")
	for i := range 30 {
		r.answered(fmt.Sprint("f", i), "filler", fmt.Sprintf("filler answer %d", i))
	}
	r.bus.Emit(event.TurnStarted{Meta: meta("b"), Text: "read it"})
	result := strings.Repeat("row\n", 40) + "here is the NEEDLE\n" + strings.Repeat("row\n", 40)
	r.bus.Emit(event.ToolStarted{Meta: meta("b"), Call: "c", Name: "read_file", Args: `{"path":"x"}`})
	r.bus.Emit(event.ToolDone{Meta: meta("b"), Call: "c", Name: "read_file", Args: `{"path":"x"}`, Status: event.StatusOK, Preview: result, Size: len(result)})
	r.bus.Emit(event.TurnDone{Meta: meta("b"), Outcome: event.OutcomeDone})
	r.answered("c", "中文", strings.Repeat("天气很好，", 3)+strings.Repeat("我们明天去柏林旅行，", 12)+"再见。")
	r.answered("d", "last", "a **nee**dle at the end")
}

func TestFindInTheConversation(t *testing.T) {
	for _, size := range []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			r := startLoaded(t, size.w, size.h)
			findable(r)
			r.WaitText("needle at the end")
			r.Type("draft")
			before := r.WaitText("❯ draft")
			r.Press("ctrl+f")
			r.WaitText("❯ find: ")
			r.Type("needle")
			// The Markdown of the last answer has marks in the word: it is no match.
			s := r.WaitText("❯ find: needle", "3 of 3", "here is the NEEDLE")
			s.AssertSound(t)
			x, y, _ := s.Find("NEEDLE")
			if !reversed(s, x, y) || reversed(s, x-1, y) || reversed(s, x+6, y) {
				t.Errorf("the match is not marked\n%s", s.Dump())
			}
			r.Press("enter")
			s = r.WaitText("2 of 3", "the Needle and a needle")
			x, y, _ = s.Find("the Needle")
			if reversed(s, x+4, y) || !reversed(s, x+17, y) {
				t.Errorf("the second of the row is to be marked\n%s", s.Dump())
			}
			r.Type("n")
			s = r.WaitText("1 of 3")
			if !reversed(s, x+4, y) {
				t.Errorf("the first of the row is to be marked\n%s", s.Dump())
			}
			r.Type("n")
			r.WaitText("3 of 3", "here is the NEEDLE")
			r.Type("N")
			r.WaitText("1 of 3")
			r.Press("shift+enter")
			r.WaitText("2 of 3")
			r.Press("backspace")
			r.Type("zz")
			r.WaitText("needlzz", "not found")
			r.Press("esc")
			after := r.WaitText("❯ draft", "needle at the end")
			if after.String() != before.String() {
				t.Errorf("it is not as before\n%s\n%s", before.Dump(), after.Dump())
			}
			if r.log() != "" {
				t.Errorf("something was sent: %s", r.log())
			}
		})
	}
}

// A match may begin in one row and end in the next, as in texts without blanks.
func TestFindAcrossRows(t *testing.T) {
	r := startLoaded(t, 80, 24, inChinese)
	findable(r)
	r.WaitText("needle at the end")
	r.Press("ctrl+f")
	r.WaitText("❯ 查找: ")
	r.Type("明天去柏林旅行")
	s := r.WaitText("❯ 查找: 明天去柏林旅行  ", "12 / 12")
	split := false
	for range 12 {
		first, last := -1, -1
		for y := range s.H - 4 {
			for x := range s.W {
				if reversed(s, x, y) {
					if first < 0 {
						first = y
					}
					last = y
				}
			}
		}
		if first < 0 {
			t.Fatalf("nothing is marked\n%s", s.Dump())
		}
		split = split || last > first
		before := s.String()
		r.Press("up")
		s = r.WaitFor(func(s tuitest.Snapshot) bool { return s.String() != before })
	}
	if !split {
		t.Errorf("no match was in two rows\n%s", s.Dump())
	}
	s.AssertSound(t)
}

// Tab stays where the match is, a new answer does not move it, and Ctrl+C ends
// the search before it does anything else.
func TestFindAndStay(t *testing.T) {
	r := startLoaded(t, 80, 24)
	findable(r)
	r.WaitText("needle at the end")
	r.Press("ctrl+f")
	r.Type("and a needle")
	r.WaitText("find: and a needle  ", "1 of 1", "the Needle and a needle")
	r.answered("e", "more", "something new")
	r.WaitText("new rows")
	r.Press("tab")
	r.WaitGone("find:")
	s := r.WaitText("the Needle and a needle")
	if s.Contains("something new") {
		t.Errorf("it went to the end\n%s", s.Dump())
	}
	r.Press("ctrl+f")
	r.WaitText("find:")
	r.Paste("something\nnew")
	r.WaitText("find: something")
	r.Press("ctrl+c")
	r.WaitGone("find:")
	if r.log() != "" {
		t.Errorf("something was sent: %s", r.log())
	}
	r.Press("ctrl+f")
	r.Type("柏林")
	r.WaitText("1 of 12") // from the place on, which is above all of them
}
