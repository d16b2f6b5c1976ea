package transcript

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"hermes/tui/internal/render"
)

// spot is a cell of the conversation: an entry, a row of it, and a column.
type spot struct{ entry, row, col int }

func (s spot) compare(o spot) int {
	return cmp.Or(cmp.Compare(s.entry, o.entry), cmp.Compare(s.row, o.row), cmp.Compare(s.col, o.col))
}

// selection is what the mouse marks. It holds for one width: another one puts
// other text into its cells.
type selection struct {
	on       bool
	width    int
	anchor   spot // where the button went down
	last     spot // the unit there ends before it: a letter, a word or a row
	from, to spot // to is exclusive
	unit     Unit
	dragged  bool // something is marked
	lastX    int  // of the pointer, while the window moves under it
}

// Unit is what a selection grows by.
type Unit uint8

// Units: one click, two, three.
const (
	Letters Unit = iota
	Words
	Rows
)

// Press begins a selection at a cell of the window; with Words or Rows the
// unit there is marked at once. It returns false where there is nothing.
func (m *Model) Press(x, y int, unit Unit) bool {
	m.Deselect()
	if y < 0 || y >= len(m.view.shown) {
		return false
	}
	at := m.spotAt(x, y)
	from, to := m.unitAt(at, unit)
	m.sel = selection{on: true, width: m.view.width, anchor: from, last: to, from: from, to: to, unit: unit, dragged: unit != Letters}
	return true
}

// Drag moves the end of the selection to a cell, which may lie outside of the
// window. It returns -1 or 1 when the window has to be scrolled for more, else 0.
func (m *Model) Drag(x, y int) int {
	s := &m.sel
	if !s.on || len(m.view.shown) == 0 {
		return 0
	}
	m.extend(m.spotAt(x, y), x)
	switch {
	case y <= 0:
		return -1
	case y >= m.view.height:
		return 1
	}
	return 0
}

// DragOn scrolls by a row towards dir and takes the row that came into view in.
func (m *Model) DragOn(dir int) {
	if !m.sel.on {
		return
	}
	m.Scroll(dir)
	m.Render()
	y := 0
	if dir > 0 {
		y = len(m.view.shown) - 1
	}
	if len(m.view.shown) > 0 {
		m.extend(m.spotAt(m.sel.lastX, y), m.sel.lastX)
	}
}

func (m *Model) extend(at spot, x int) {
	s := &m.sel
	from, to := m.unitAt(at, s.unit)
	if from.compare(s.anchor) < 0 {
		s.from, s.to = from, s.last
	} else {
		s.from, s.to = s.anchor, to
		if s.last.compare(to) > 0 {
			s.to = s.last
		}
	}
	s.lastX = x
	s.dragged = s.dragged || s.from != s.anchor || s.to != s.last
}

// Selected tells whether something is marked.
func (m *Model) Selected() bool { return m.sel.on && m.sel.dragged && m.sel.width == m.view.width }

// Deselect unmarks.
func (m *Model) Deselect() { m.sel = selection{} }

// spotAt returns the place of a cell of the window, the nearest one there is.
func (m *Model) spotAt(x, y int) spot {
	shown := m.view.shown
	switch {
	case y < 0:
		x, y = 0, 0
	case y >= len(shown):
		x, y = m.view.width, len(shown)-1
	}
	p := shown[y]
	return spot{p.entry, p.row, max(x, 0)}
}

// unitAt returns the unit that a place lies in.
func (m *Model) unitAt(at spot, unit Unit) (from, to spot) {
	row := ""
	if rows := m.rowsOf(at.entry); at.row < len(rows) {
		row = ansi.Strip(rows[at.row])
	}
	from, to = at, at
	if unit == Rows {
		from.col, to.col = 0, max(render.Width(row), 1)
		return from, to
	}
	col, run, class := 0, 0, -1
	for len(row) > 0 {
		var seg render.Segment
		seg, row = render.Next(row)
		if c := classOf(seg.Text); unit == Letters || c != class || c == otherClass {
			if col > at.col {
				break
			}
			run, class = col, c
		}
		if col+seg.Width > at.col && unit == Letters {
			from.col, to.col = col, col+seg.Width
			return from, to
		}
		col += seg.Width
	}
	if unit == Letters || col <= at.col { // behind the text
		from.col, to.col = at.col, at.col+1
		return from, to
	}
	from.col, to.col = run, col
	return from, to
}

const otherClass = 3

// classOf sorts letters for the selection of words.
func classOf(s string) int {
	switch r, _ := utf8.DecodeRuneInString(s); {
	case unicode.IsSpace(r):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return 2
	case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("_-./~", r):
		return 1
	}
	return otherClass
}

// columns returns the cells of a row that are marked.
func (s *selection) columns(entry, row, width int) (from, to int, ok bool) {
	at := spot{entry: entry, row: row}
	if at.compare(spot{entry: s.from.entry, row: s.from.row}) < 0 || at.compare(spot{entry: s.to.entry, row: s.to.row}) > 0 {
		return 0, 0, false
	}
	from, to = 0, width
	if entry == s.from.entry && row == s.from.row {
		from = s.from.col
	}
	if entry == s.to.entry && row == s.to.row {
		to = s.to.col
	}
	return from, to, from < to
}

// marked draws the cells of a row that are selected in reverse.
func (m *Model) marked(text string, entry, row int) string {
	from, to, ok := m.sel.columns(entry, row, m.view.width)
	if !ok {
		return text
	}
	width := render.Width(text)
	to = min(to, width)
	if from >= to {
		return text
	}
	return render.Cut(text, 0, from) + m.canvas.Style.Reverse.Render(ansi.Strip(render.Cut(text, from, to))) + render.Cut(text, to, width)
}

// SelectedText is the text that is marked, as it was before it was laid out:
// without margins and line breaks of the screen, with the marks of Markdown.
// What has no such source is taken from the screen.
func (m *Model) SelectedText() string {
	if !m.Selected() {
		return ""
	}
	s := m.sel
	var out strings.Builder
	for i := s.from.entry; i <= s.to.entry && i < len(m.entries); i++ {
		rows := m.rowsOf(i)
		first, last := 0, len(rows)-1
		if i == s.from.entry {
			first = s.from.row
		}
		if i == s.to.entry {
			last = min(last, s.to.row)
		}
		if first > last {
			continue
		}
		text := m.sourceOf(i, rows, first, last)
		if text == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
			if m.entries[i].gap {
				out.WriteString("\n")
			}
		}
		out.WriteString(text)
	}
	return out.String()
}
