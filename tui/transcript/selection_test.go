package transcript

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever is dragged over, the text is a part of what was said, word by word,
// and marking changes no width.
func TestAnySelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newModel()
		m.SetSize(rapid.IntRange(12, 120).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height"))
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"one", "柏林", "**bold**", "`x`", "(a)", "é", "👩‍👩‍👧", "\n\n", "- item", "[l](http://h/p)"}), 1, 60)
		q, a := strings.Join(words.Draw(t, "question"), " "), strings.Join(words.Draw(t, "answer"), " ")
		say(m, "t", q, a)
		tool(m, "c", 3)
		before := plain(m)
		x := rapid.IntRange(-3, 130)
		y := rapid.IntRange(-3, 35)
		unit := rapid.SampledFrom([]Unit{Letters, Words, Rows}).Draw(t, "unit")
		if !m.Press(x.Draw(t, "x"), y.Draw(t, "y"), unit) {
			return
		}
		m.Drag(x.Draw(t, "x2"), y.Draw(t, "y2"))
		if rapid.Bool().Draw(t, "scroll") {
			m.DragOn(-1)
			m.DragOn(1)
		}
		after := plain(m)
		text := m.SelectedText()
		m.Deselect()
		if got := plain(m); strings.Join(got, "\n") != strings.Join(after, "\n") || len(before) != len(after) {
			t.Fatalf("marking changed the text:\n%s\n---\n%s", strings.Join(got, "\n"), strings.Join(after, "\n"))
		}
		shown := strings.Join(whole(m), " ") + q + a
		for _, w := range tokens(text) {
			if isWord(w) && !strings.Contains(shown, w) {
				t.Fatalf("%q was never there", w)
			}
		}
	})
}
