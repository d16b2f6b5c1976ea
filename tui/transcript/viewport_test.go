package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"hermes/agent/event"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

func newModel() *Model { return New(look.New(look.Options{Still: true}, 1)) }

// plain returns the rows of the window without styles.
func plain(m *Model) []string {
	var out []string
	for _, row := range m.Render() {
		out = append(out, strings.TrimRight(ansi.Strip(row), " "))
	}
	return out
}

// say runs a whole turn in the model.
func say(m *Model, id, question, answer string) {
	meta := event.Meta{Turn: id}
	m.Apply(event.TurnStarted{Meta: meta, Text: question})
	m.Apply(event.Delta{Meta: meta, Msg: id, Kind: event.KindText, Text: answer})
	m.Apply(event.MessageDone{Meta: meta, Msg: id, Content: answer})
	m.Apply(event.TurnDone{Meta: meta, Outcome: event.OutcomeDone})
}

// tool runs a call with a result of n rows.
func tool(m *Model, id string, n int) {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s row %d\n", id, i)
	}
	m.Apply(event.ToolStarted{Call: id, Name: "read_file", Args: `{"path":"x"}`})
	m.Apply(event.ToolDone{Call: id, Name: "read_file", Args: `{"path":"x"}`, Status: event.StatusOK, Preview: b.String(), Size: b.Len(), Ms: 12})
}

// whole returns every row of the conversation.
func whole(m *Model) []string {
	var out []string
	for i := range m.entries {
		for _, row := range m.rowsOf(i) {
			out = append(out, strings.TrimRight(ansi.Strip(row), " "))
		}
	}
	return out
}

// conversation makes one of many short messages and a few long results.
func conversation(m *Model, turns int) {
	for i := range turns {
		say(m, fmt.Sprint("t", i), fmt.Sprintf("question %d", i), fmt.Sprintf("answer %d\n\nwith a second paragraph %d", i, i))
		if i%20 == 7 {
			m.Apply(event.TurnStarted{Meta: event.Meta{Turn: "x"}, Text: "read"})
			tool(m, fmt.Sprint("c", i), 300)
			m.entries[len(m.entries)-1].item.toggle()
			m.Apply(event.TurnDone{Meta: event.Meta{Turn: "x"}, Outcome: event.OutcomeDone})
		}
	}
}

// Every step up shows exactly the row before (property U022).
func TestEveryScrollStepMovesByOneRow(t *testing.T) {
	m := newModel()
	m.SetSize(100, 30)
	conversation(m, 100)
	all := whole(m)
	first := len(all) - 30
	for step := range 1500 {
		got := plain(m)[0]
		if want := all[first]; got != want {
			t.Fatalf("after %d steps the top row is %q, want %q", step, got, want)
		}
		m.Scroll(-1)
		first = max(first-1, 0)
	}
	for range 1500 {
		m.Scroll(1)
		first = min(first+1, len(all)-30)
		if got := plain(m)[0]; got != all[first] {
			t.Fatalf("going down: top row %q, want %q", got, all[first])
		}
	}
	if !m.Following() {
		t.Error("at the end the window does not follow")
	}
}

// Whatever happens below and however the window is moved: it always shows a
// contiguous part of the conversation, and what is held stays.
func TestWindowShowsOnePiece(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		height := rapid.IntRange(1, 20).Draw(t, "height")
		width := rapid.IntRange(20, 90).Draw(t, "width")
		m.SetSize(width, height)
		n := 0
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			before, held := plain(m), !m.Following()
			switch rapid.IntRange(0, 6).Draw(t, "what") {
			case 0:
				n++
				say(m, fmt.Sprint(n), "question", strings.Repeat("word ", rapid.IntRange(1, 60).Draw(t, "words")))
			case 1:
				n++
				tool(m, fmt.Sprint("c", n), rapid.IntRange(0, 30).Draw(t, "rows"))
			case 2:
				m.Scroll(rapid.IntRange(-25, 25).Draw(t, "by"))
				held = false
			case 3:
				m.Page(-1)
				held = false
			case 4:
				m.End()
				held = false
			case 5:
				m.Apply(event.Notice{Text: "note"})
			case 6:
				m.Home()
				held = false
			}
			got := plain(m)
			if len(got) != height {
				t.Fatalf("%d rows, want %d", len(got), height)
			}
			if held && strings.Join(before, "\n") != strings.Join(got, "\n") && full(before) {
				t.Fatalf("what was held moved from\n%s\nto\n%s", strings.Join(before, "\n"), strings.Join(got, "\n"))
			}
			all := strings.Join(whole(m), "\n") + strings.Repeat("\n", height)
			if !strings.Contains("\n"+all, "\n"+strings.TrimRight(strings.Join(got, "\n"), "\n")) {
				t.Fatalf("the window is no piece of the conversation:\n%s", strings.Join(got, "\n"))
			}
			for _, row := range m.Render() {
				if render.Width(row) > width {
					t.Fatalf("row of %d cells in %d: %q", render.Width(row), width, row)
				}
			}
		}
	})
}

// full tells whether a window has rows of the conversation down to its end.
func full(rows []string) bool { return rows[len(rows)-1] != "" }

// The message at the top stays at the top through any widths, and going back
// gives the same screen (property U014).
func TestResizeKeepsThePlace(t *testing.T) {
	m := newModel()
	m.SetSize(120, 36)
	for i := range 60 {
		say(m, fmt.Sprint(i), fmt.Sprintf("message %d of the user", i), strings.Repeat(fmt.Sprintf("word%d ", i), 60))
	}
	for plain(m)[0] != " you   message 20 of the user" {
		m.Scroll(-1)
	}
	before := plain(m)
	for _, size := range [][2]int{{70, 16}, {30, 8}, {200, 40}, {45, 30}} {
		m.SetSize(size[0], size[1])
		if got := strings.Join(strings.Fields(plain(m)[0]), " "); !strings.Contains(got, "message 20") {
			t.Errorf("at %dx%d the top row is %q", size[0], size[1], got)
		}
	}
	m.SetSize(120, 36)
	if got := plain(m); strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("after going back:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
	}
}

// A place in the middle of a long answer is kept by its text.
func TestResizeKeepsTheWordAtTheTop(t *testing.T) {
	m := newModel()
	m.SetSize(100, 10)
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	say(m, "1", "q", b.String())
	m.Scroll(-8)
	word := strings.Fields(plain(m)[0])[0]
	for _, w := range []int{60, 40, 90} {
		m.SetSize(w, 10)
		if row := plain(m)[0]; !strings.Contains(row+" ", word+" ") {
			t.Errorf("at width %d the top row %q has no %s", w, row, word)
		}
	}
}

func TestNewRowsAreCounted(t *testing.T) {
	m := newModel()
	m.SetSize(80, 10)
	conversation(m, 10)
	m.Page(-1)
	if n := m.News(); n != 0 {
		t.Errorf("%d new rows before anything came", n)
	}
	rows := len(whole(m))
	say(m, "n", "question", "answer")
	tool(m, "c", 3)
	if got, want := m.News(), len(whole(m))-rows; got != want {
		t.Errorf("%d new rows, want %d", got, want)
	}
	m.End()
	if n := m.News(); n != 0 {
		t.Errorf("%d new rows at the end", n)
	}
}

// Streaming, the end of the turn and folding of what is above and below do not
// move what the reader looks at (properties U019, U020).
func TestStreamDoesNotMoveTheReader(t *testing.T) {
	m := newModel()
	m.SetSize(80, 12)
	conversation(m, 6)
	meta := event.Meta{Turn: "live"}
	m.Apply(event.TurnStarted{Meta: meta, Text: "go"})
	for i := range 3 {
		tool(m, fmt.Sprint("a", i), 20)
	}
	m.Apply(event.Delta{Meta: meta, Msg: "m", Kind: event.KindText, Text: strings.Repeat("first part. ", 80)})
	m.Render()
	m.Page(-1)
	before := plain(m)
	for range 50 {
		m.Apply(event.Delta{Meta: meta, Msg: "m", Kind: event.KindText, Text: "more text\n\n- and a list\n"})
		m.Apply(event.HookRun{Meta: meta, Hook: "h", Plugin: "p", Callback: "c"})
		if got := plain(m); strings.Join(got, "\n") != strings.Join(before, "\n") {
			t.Fatalf("moved while streaming:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
		}
	}
	m.Apply(event.TurnDone{Meta: meta, Outcome: event.OutcomeDone})
	if got := plain(m); strings.Join(got, "\n") != strings.Join(before, "\n") {
		t.Errorf("moved at the end of the turn:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(before, "\n"))
	}
}
