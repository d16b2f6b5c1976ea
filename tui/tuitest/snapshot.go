package tuitest

import (
	"fmt"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// Cell is one place of the screen: Content, Width (0 for the second half of a
// wide character) and Style.
type Cell = uv.Cell

// Snapshot is what was on the screen at one moment. It does not change.
type Snapshot struct {
	W, H  int
	Title string
	// Alt tells that the alternate screen is shown.
	Alt bool

	rows             [][]Cell
	cursorX, cursorY int
	cursorVisible    bool
}

// settled returns the screen and whether it is outside of a synchronized
// update.
func (e *emulator) settled() (Snapshot, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.within {
		return Snapshot{}, false
	}
	return e.capture(), true
}

func (e *emulator) snapshot() Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.capture()
}

func (e *emulator) capture() Snapshot {
	s := Snapshot{W: e.vt.Width(), H: e.vt.Height(), Title: e.title, Alt: e.vt.IsAltScreen()}
	pos := e.vt.CursorPosition()
	s.cursorX, s.cursorY, s.cursorVisible = pos.X, pos.Y, !e.vt.CursorHidden()
	s.rows = make([][]Cell, s.H)
	for y := range s.rows {
		s.rows[y] = make([]Cell, s.W)
		for x := range s.rows[y] {
			if c := e.vt.CellAt(x, y); c != nil {
				s.rows[y][x] = *c
			}
		}
	}
	return s
}

// Cursor returns where the hardware cursor is.
func (s Snapshot) Cursor() (x, y int, visible bool) {
	return s.cursorX, s.cursorY, s.cursorVisible
}

// Cell returns what is at a place; a place off the screen is empty.
func (s Snapshot) Cell(x, y int) Cell {
	if y < 0 || y >= len(s.rows) || x < 0 || x >= len(s.rows[y]) {
		return Cell{}
	}
	return s.rows[y][x]
}

// Row returns row i as text, without blanks at its end.
func (s Snapshot) Row(i int) string {
	if i < 0 || i >= len(s.rows) {
		return ""
	}
	return strings.TrimRight(s.Text(0, i, s.W), " ")
}

// Text returns the text of w cells of a row from x on.
func (s Snapshot) Text(x, y, w int) string {
	var b strings.Builder
	for i := x; i < x+w; i++ {
		switch c := s.Cell(i, y); {
		case c.Content == "" && c.Width == 0 && s.Cell(i-1, y).Width == 2:
			// The second half of a wide character.
		case c.Content == "":
			b.WriteByte(' ')
		default:
			b.WriteString(c.Content)
		}
	}
	return b.String()
}

// Lines returns every row as Row does.
func (s Snapshot) Lines() []string {
	lines := make([]string, s.H)
	for y := range lines {
		lines[y] = s.Row(y)
	}
	return lines
}

// Region returns the rows of a rectangle, blanks at their ends trimmed: to be
// compared with a part of a mock-up.
func (s Snapshot) Region(x, y, w, h int) []string {
	lines := make([]string, h)
	for i := range lines {
		lines[i] = strings.TrimRight(s.Text(x, y+i, w), " ")
	}
	return lines
}

// String returns the rows, one a line.
func (s Snapshot) String() string { return strings.Join(s.Lines(), "\n") }

// Contains reports whether text stands within a row.
func (s Snapshot) Contains(text string) bool {
	_, _, ok := s.Find(text)
	return ok
}

// Find returns where text begins, searching rows from the top.
func (s Snapshot) Find(text string) (x, y int, ok bool) {
	for y := range s.H {
		row := s.Text(0, y, s.W)
		if i := strings.Index(row, text); i >= 0 {
			// Count the cells before it.
			for x, n := 0, 0; x < s.W; x++ {
				c := s.rows[y][x]
				if c.Content == "" && x > 0 && s.rows[y][x-1].Width == 2 {
					continue // the second half of a wide character
				}
				if n >= i {
					return x, y, true
				}
				n += max(len(c.Content), 1)
			}
			return 0, y, true
		}
	}
	return 0, 0, false
}

// Dump returns the screen with a frame, the cursor marked, for failures.
func (s Snapshot) Dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "screen %dx%d, title %q, cursor %d,%d visible=%v\n", s.W, s.H, s.Title, s.cursorX, s.cursorY, s.cursorVisible)
	edge := "+" + strings.Repeat("-", s.W) + "+\n"
	b.WriteString(edge)
	for y := range s.H {
		b.WriteString("|" + s.Text(0, y, s.W) + "|")
		if y == s.cursorY && s.cursorVisible {
			b.WriteString(" <")
		}
		b.WriteByte('\n')
	}
	b.WriteString(edge)
	return b.String()
}

// ComposerGlyph begins the composer's row.
const ComposerGlyph = "❯"

// AssertOneComposer fails the test unless exactly one row begins with the
// composer's glyph.
func (s Snapshot) AssertOneComposer(t testing.TB) {
	t.Helper()
	n := 0
	for y := range s.H {
		if strings.HasPrefix(s.Row(y), ComposerGlyph) {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d composers on the screen\n%s", n, s.Dump())
	}
}

// AssertCaret fails the test unless the visible cursor is at x, y.
func (s Snapshot) AssertCaret(t testing.TB, x, y int) {
	t.Helper()
	if s.cursorX != x || s.cursorY != y || !s.cursorVisible {
		t.Errorf("the cursor is not visible at %d,%d\n%s", x, y, s.Dump())
	}
}

// AssertSound fails the test when wide characters are torn: a second half
// without its first, or a first without its second.
func (s Snapshot) AssertSound(t testing.TB) {
	t.Helper()
	for y, row := range s.rows {
		for x, c := range row {
			wide := x > 0 && row[x-1].Width == 2
			torn := c.Width == 2 && (x+1 == s.W || row[x+1].Width != 0 || row[x+1].Content != "")
			if torn || (c.Width == 0 && !wide && c.Content != "") {
				t.Errorf("torn character %q at %d,%d\n%s", c.Content, x, y, s.Dump())
				return
			}
		}
	}
}
