package tui

import (
	"fmt"
	"strings"
	"testing"

	"hermes/agent/event"
)

// Of a result that is too large for an event, the card says in words how much
// there is, and ends with a whole line.
func TestLargeResultSaysItsSize(t *testing.T) {
	var all strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&all, "row number %d\n", i)
	}
	whole := all.String()
	const words = "the first 16 kB of 159 kB are shown"
	for _, opt := range [][]option{nil, {inChinese}} {
		r := startLoaded(t, 80, 24, opt...)
		r.begin("go")
		r.bus.Emit(event.ToolDone{Meta: turn1, Call: "c", Name: "list", Owner: "weather", Status: event.StatusOK, Preview: whole[:event.PreviewLimit], Size: len(whole), Ms: 7})
		folded, open := "… more, 159 kB in all", "… "+words
		if opt != nil {
			folded, open = "还有更多，共 159 kB", "仅显示前 16 kB，共 159 kB"
		}
		r.WaitText("row number 7", folded)
		r.Press("ctrl+o", "ctrl+end")
		s := r.WaitText(open)
		_, y, _ := s.Find(open)
		last := strings.TrimSpace(s.Row(y - 1))
		if !strings.Contains(whole, "\n"+last+"\n") {
			t.Errorf("the last row is cut: %q", last)
		}
	}
}

// What is folded away of a message is counted in lines of the message, not in
// rows of the screen.
func TestFoldedMessageCountsItsLines(t *testing.T) {
	var all []string
	for i := range 1200 {
		all = append(all, fmt.Sprintf("%d %s", i, strings.Repeat("word ", 20)))
	}
	for _, width := range []int{40, 80, 200} {
		r := startLoaded(t, width, 30)
		r.begin(strings.Join(all, "\n"))
		// Sixteen rows show as many whole lines as fit.
		want := map[int]string{40: "… 1195 more lines", 80: "… 1192 more lines", 200: "… 1192 more lines"}[width]
		r.WaitText(want)
	}
}
