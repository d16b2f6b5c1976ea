package markdown

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/tui/internal/look"
)

// What was kept from another width changes nothing of what is shown.
func TestWidthsDoNotDisturbEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := draw(t)
		r := renderer(look.Options{})
		var s Stream
		s.Append(text)
		s.Finish()
		for _, width := range rapid.SliceOfN(rapid.IntRange(2, 90), 2, 5).Draw(t, "widths") {
			want := wholeRows(renderer(look.Options{}), text, width)
			if diff := cmp.Diff(want, slices.Clone(s.Rows(r, width, 0))); diff != "" {
				t.Fatalf("at width %d, after others, %q differs:\n%s", width, text, diff)
			}
		}
	})
}

func TestMemoMakesFinishedBlocksOnce(t *testing.T) {
	made := 0
	get := func(m *memo, src string) {
		m.get(src, func() []string { made++; return []string{src} })
	}
	m := &memo{}
	get(m, "open")
	if get(m, "open"); made != 2 {
		t.Errorf("a block that still grows was made %d times, not at every frame", made)
	}
	m.on, made = true, 0
	for range 3 {
		get(m, "finished")
	}
	if made != 1 {
		t.Errorf("a finished block was made %d times", made)
	}
	// What is used stays, however much else comes; what is not, goes.
	big := strings.Repeat("x", memoSize/5)
	for i := range 40 {
		get(m, big+strconv.Itoa(i))
		get(m, "finished")
	}
	if made != 41 {
		t.Errorf("%d blocks were made, not 41", made)
	}
	if n := len(m.young) + len(m.old); n > 12 {
		t.Errorf("%d blocks are kept", n)
	}
}
