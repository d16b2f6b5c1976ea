package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// stream is an answer of which a test decides how far it has come.
type stream struct {
	t    *testing.T
	gate chan struct{}
}

// streamed returns a step that sends text in pieces of n characters.
func streamed(t *testing.T, text string, n int) (*stream, llmtest.Step) {
	s := &stream{t, make(chan struct{})}
	return s, llmtest.Step{Text: text, ChunkChars: n, Gate: s.gate}
}

// pieces lets n pieces go.
func (s *stream) pieces(n int) {
	s.t.Helper()
	for range n {
		select {
		case s.gate <- struct{}{}:
		case <-time.After(tuitest.Deadline):
			s.t.Fatal("the answer is not read any more")
		}
	}
}

// rest lets the rest go.
func (s *stream) rest() { close(s.gate) }

// words is a text of n paragraphs of nine characters each, which is longer than
// any screen.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%03d\n\n", i)
	}
	return b.String()
}

func userTexts(q llmtest.Request) (out []string) {
	for _, m := range q.Body.Messages {
		if m.Role == "user" {
			out = append(out, m.Content)
		}
	}
	return out
}

func TestInterruptKeepsWhatWasSaid(t *testing.T) {
	for name, keys := range map[string][]string{"Esc Esc": {"esc", "esc"}, "Ctrl+C": {"ctrl+c"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, step := streamed(t, "Once upon a time there was a long answer.", 5)
			r := startApp(t, 80, 24, withModel(step, llmtest.Say("Another one.")))
			r.send("tell me")
			s.pieces(3)
			r.WaitText("Once upon a tim")
			r.Type("a draft")
			r.WaitText("❯ a draft")
			r.Press(keys...)
			snap := r.waitIdle("⊘ interrupted", "Once upon a tim")
			if !snap.Contains("❯ a draft") {
				t.Errorf("the draft is gone\n%s", snap.Dump())
			}
			r.Press("ctrl+u")
			r.WaitGone("a draft")
			r.send("go on")
			r.waitIdle("Another one.", "Once upon a tim")
			if got := r.requests(2)[1]; !strings.Contains(string(got.Raw), "Once upon a tim") {
				t.Errorf("the model does not know what it said: %s", got.Raw)
			}
		})
	}
}

func TestInterruptATool(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	r := startApp(t, 80, 24, g.open(), withPlugin("gate"), withModel(
		llmtest.Use("call_1", "wait", `{"name":"one"}`), llmtest.Say("Another answer."),
	))
	r.send("wait for it")
	g.wait("one")
	r.WaitText("wait", "Esc Esc stop")
	r.Press("esc", "esc")
	r.waitIdle("⊘ interrupted", "cancelled  gate")
	r.send("again")
	r.waitIdle("Another answer.")
}

// Enter queues while a turn runs; entries can be changed until they are sent,
// and are sent in their order.
func TestQueue(t *testing.T) {
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			s, step := streamed(t, "The first answer.", 8)
			r := startApp(t, size.w, size.h, withModel(step, llmtest.Say("The second."), llmtest.Say("The third.")))
			r.send("is it going to rain?")
			s.pieces(1)
			r.WaitText("The firs")
			r.send("and push it")
			r.WaitText("queued 1: and push it")
			r.send("then open a PR")
			if size.w >= 80 {
				r.WaitText("  queued 2: and push it · then open a PR   (↑ edit)")
			} else {
				r.WaitText("  queued 2: and push it")
			}
			r.Type("a draft")
			r.Press("up")
			r.WaitText("❯ then open a PR")
			r.Press("backspace", "backspace", "backspace")
			r.Type("n issue")
			r.Press("enter")
			r.WaitText("❯ a draft") // comes back when the entry is kept
			if size.w >= 80 {
				r.WaitText("queued 2: and push it · then open an issue")
			}
			s.rest()
			snap := r.waitIdle("The third.", "❯ a draft")
			if snap.Contains("queued") {
				t.Errorf("the queue is still shown\n%s", snap.Dump())
			}
			got := userTexts(r.requests(3)[2])
			if want := []string{"is it going to rain?", "and push it", "then open an issue"}; strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("the model was asked %q, want %q", got, want)
			}
			if size.h >= 24 {
				r.WaitText("The second.", "you   and push it", "you   then open an issue")
			}
		})
	}
}

// An entry that is edited holds the queue; Ctrl+X drops it.
func TestEditedEntryHoldsTheQueue(t *testing.T) {
	t.Parallel()
	s, step := streamed(t, "The first answer.", 8)
	r := startApp(t, 120, 40, withModel(step, llmtest.Say("The second.")))
	r.send("question")
	s.pieces(1)
	r.send("keep me")
	r.send("drop me")
	r.WaitText("─ Queue ───", " 1 keep me", " 2 drop me")
	r.Press("up")
	r.WaitText("❯ drop me", "Ctrl+X remove")
	s.rest()
	r.waitIdle("The first answer.", "queued 2: keep me · drop me")
	r.Press("ctrl+x")
	r.waitIdle("The second.")
	got := userTexts(r.requests(2)[1])
	if strings.Join(got, "|") != "question|keep me" {
		t.Errorf("the model was asked %q", got)
	}
}

// Ctrl+C stops the turn, then clears the draft, then quits; any other key in
// between disarms (decision D22).
func TestControlCLadder(t *testing.T) {
	t.Parallel()
	s, step := streamed(t, "An answer that is stopped.", 5)
	r := startApp(t, 80, 24, withModel(step))
	r.send("question")
	s.pieces(2)
	r.WaitText("An answer")
	r.Type("a draft")
	r.Press("ctrl+c")
	r.waitIdle("⊘ interrupted", "❯ a draft")
	r.Press("ctrl+c")
	snap := r.WaitText("Ctrl+C again quits")
	if snap.Contains("a draft") {
		t.Errorf("the draft was not cleared\n%s", snap.Dump())
	}
	r.Press("up")
	snap = r.waitIdle("❯ a draft")
	if snap.Contains("again quits") {
		t.Errorf("another key did not disarm\n%s", snap.Dump())
	}
	r.Press("ctrl+c")
	r.WaitText("Ctrl+C again quits")
	if err := r.Quit("ctrl+c"); err != nil {
		t.Errorf("quitting: %v", err)
	}
}

// The rows that a reader has scrolled to stay, whatever arrives and when the
// turn ends.
func TestScrollingHoldsItsPlace(t *testing.T) {
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			s, step := streamed(t, words(300)+"\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end.", 9)
			r := startApp(t, size.w, size.h, withPlugin("weather"), withModel(llmtest.Use("call_1", "get_weather", `{"city":"Berlin"}`), step))
			r.send("a long one")
			s.pieces(200)
			r.WaitText("word199")
			r.Press("pgup")
			place := readerRows(r.WaitGone("word199"))
			if !strings.Contains(place, "word1") {
				t.Fatalf("no page above the end:\n%s", place)
			}
			marker := ""
			for range 5 {
				s.pieces(10)
				snap := r.WaitFor(func(s tuitest.Snapshot) bool {
					row, _, ok := rowOf(s, "new rows (End)")
					return ok && row != marker
				})
				if got := readerRows(snap); got != place {
					t.Fatalf("the place moved to\n%s\nfrom\n%s", got, place)
				}
				marker, _, _ = rowOf(snap, "new rows (End)")
			}
			s.rest()
			snap := r.WaitFor(idle)
			if got := readerRows(snap); got != place {
				t.Errorf("the place moved at the end of the turn to\n%s\nfrom\n%s", got, place)
			}
			r.Press("ctrl+end")
			r.waitIdle("The end.")
		})
	}
}

// readerRows are the rows of the conversation but the last, which may carry
// the marker of new rows.
func readerRows(s tuitest.Snapshot) string {
	rows := pane(s)
	for y, row := range rows {
		if strings.HasPrefix(row, "───") {
			return strings.Join(rows[:y-1], "\n")
		}
	}
	return strings.Join(rows, "\n")
}
