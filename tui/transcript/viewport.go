package transcript

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// viewport is where the reader is. While it follows, the end of the
// conversation is at the bottom. Otherwise the row at the top is held: it is
// named by its item and by how much text of the item stands before it, so that
// neither new items nor another width move it.
type viewport struct {
	width, height int
	follow        bool

	at    int  // entry of the top row
	row   int  // row within the entry
	text  int  // letters of the entry before that row
	blank bool // the row has none itself
	key   int  // width that row is valid for

	// end is where the conversation ended when following stopped.
	endEntry, endRows int

	shown []place // what stands in each row of the last Render
}

// place names a row.
type place struct{ entry, row int }

// SetSize sets the size of the window in cells.
func (m *Model) SetSize(width, height int) {
	m.view.width, m.view.height = max(width, 1), max(height, 0)
}

// rowsOf returns the rows of entry i, with the blank row before it.
func (m *Model) rowsOf(i int) []string {
	e := m.entries[i]
	key := cacheKey{e.item.rev(), m.canvas.Rev, m.view.width}
	if e.valid && e.key == key && !e.item.live() {
		return e.cache
	}
	rows := e.item.rows(&m.canvas, m.view.width)
	e.gap = len(rows) > 0 && m.gapBefore(i)
	if e.gap {
		rows = append([]string{""}, rows...)
	}
	e.cache, e.key, e.valid = rows, key, true
	return rows
}

// gapBefore decides whether a blank row stands between an entry and the one
// before it that shows something. It looks at kinds only, so the answer does
// not change when rows of other entries do.
func (m *Model) gapBefore(i int) bool {
	if i == 0 {
		return false
	}
	cur := m.entries[i].item.spacing()
	j := i - 1
	for j > 0 && m.entries[j].valid && len(m.entries[j].cache) == 0 {
		j--
	}
	prev := m.entries[j].item.spacing()
	switch {
	case prev == spaceHead:
		return false
	case cur == spaceLine && prev == spaceLine:
		return false
	}
	return true
}

// Render returns exactly height rows.
func (m *Model) Render() []string {
	v := &m.view
	out := make([]string, 0, v.height)
	v.shown = v.shown[:0]
	if v.height == 0 {
		return out
	}
	at, row := m.top()
	for i := at; i < len(m.entries) && len(out) < v.height; i++ {
		rows := m.rowsOf(i)
		for r := row; r < len(rows) && len(out) < v.height; r++ {
			text := rows[r]
			if (i == m.focus || m.mark >= 0 && between(i, m.mark, m.focus)) && !(m.entries[i].gap && r == 0) {
				text = m.focused(text, r, m.entries[i].gap)
			}
			if m.find.key != "" {
				text = m.highlighted(text, i, r)
			}
			if m.sel.dragged && m.Selected() {
				text = m.marked(text, i, r)
			}
			out = append(out, text)
			v.shown = append(v.shown, place{i, r})
		}
		row = 0
	}
	for len(out) < v.height {
		out = append(out, "")
	}
	return out
}

// focused marks the rows of the item that has the focus with a bar in the
// first column, and its first row with the pick sign.
func (m *Model) focused(text string, row int, gap bool) string {
	if !strings.HasPrefix(text, " ") {
		return text
	}
	mark := m.canvas.Glyph.V
	if row == 0 || gap && row == 1 {
		mark = m.canvas.Glyph.Pick
	}
	return m.canvas.Style.Accent.Render(mark) + text[1:]
}

// top returns the entry and row at the top of the window.
func (m *Model) top() (entry, row int) {
	v := &m.view
	if v.follow {
		return m.back(len(m.entries), 0, v.height)
	}
	if v.key != v.width && v.at < len(m.entries) {
		v.row, v.key = rowAt(m.rowsOf(v.at), v.text, v.blank), v.width
	}
	if v.at >= len(m.entries) {
		v.at, v.row = m.back(len(m.entries), 0, v.height)
	}
	if n := len(m.rowsOf(v.at)); v.row >= n {
		v.row = max(n-1, 0)
	}
	return v.at, v.row
}

// back walks n rows up from (entry, row) and stops at the very top.
func (m *Model) back(entry, row, n int) (int, int) {
	for n > row {
		if entry == 0 {
			return 0, 0
		}
		n -= row
		entry--
		row = len(m.rowsOf(entry))
	}
	return entry, row - n
}

// forth walks n rows down from (entry, row); it returns how many rows it could
// not go.
func (m *Model) forth(entry, row, n int) (e, r, left int) {
	for entry < len(m.entries) {
		rows := len(m.rowsOf(entry))
		if row+n < rows {
			return entry, row + n, 0
		}
		n -= rows - row
		entry++
		row = 0
		if n == 0 && entry < len(m.entries) {
			return entry, 0, 0
		}
	}
	return entry, 0, n
}

// Scroll moves the window by n rows, up when negative.
func (m *Model) Scroll(n int) {
	at, row := m.top()
	if n < 0 {
		at, row = m.back(at, row, -n)
	} else {
		at, row, _ = m.forth(at, row, n)
	}
	m.hold(at, row)
}

// hold puts a row at the top, or follows when the end is in the window then.
func (m *Model) hold(at, row int) {
	v := &m.view
	endAt, endRow := m.back(len(m.entries), 0, v.height)
	if at > endAt || at == endAt && row >= endRow {
		v.follow = true
		return
	}
	if v.follow {
		v.follow = false
		v.endEntry = len(m.entries) - 1
		v.endRows = len(m.rowsOf(v.endEntry))
	}
	v.at, v.row, v.key = at, row, v.width
	rows := m.rowsOf(at)
	v.text, v.blank = letters(rows[:row]), row < len(rows) && letters(rows[row:row+1]) == 0
}

// Page moves by a window less two rows of overlap, up when dir is negative.
func (m *Model) Page(dir int) { m.Scroll(dir * max(m.view.height-2, 1)) }

// Home shows the beginning.
func (m *Model) Home() {
	if len(m.entries) > 0 {
		m.hold(0, 0)
	}
}

// End follows again.
func (m *Model) End() { m.view.follow = true }

// Following tells whether the end is shown.
func (m *Model) Following() bool { return m.view.follow }

// News is how many rows came since following stopped.
func (m *Model) News() int {
	v := &m.view
	if v.follow || v.endEntry >= len(m.entries) {
		return 0
	}
	n := len(m.rowsOf(v.endEntry)) - v.endRows
	for i := v.endEntry + 1; i < len(m.entries); i++ {
		n += len(m.rowsOf(i))
	}
	return max(n, 0)
}

// letters counts what is not blank in rows.
func letters(rows []string) int {
	n := 0
	for _, row := range rows {
		for _, r := range ansi.Strip(row) {
			if !unicode.IsSpace(r) {
				n++
			}
		}
	}
	return n
}

// rowAt returns the row in which the letter after the first n stands, or the
// blank row before it.
func rowAt(rows []string, n int, blank bool) int {
	for i := range rows {
		n -= letters(rows[i : i+1])
		if n >= 0 {
			continue
		}
		if blank && i > 0 && letters(rows[i-1:i]) == 0 {
			return i - 1
		}
		return i
	}
	return max(len(rows)-1, 0)
}

// FocusMove moves the focus to the next item that has a source, towards the
// beginning when dir is negative; it returns false when there is none.
func (m *Model) FocusMove(dir int) bool {
	i := m.focus
	if i < 0 {
		i = len(m.entries)
		if dir > 0 {
			i = -1
		}
	}
	for i += dir; i >= 0 && i < len(m.entries); i += dir {
		switch m.entries[i].item.(type) {
		case *card, *reasoning, *user, *answer, *output:
			if len(m.rowsOf(i)) == 0 {
				continue
			}
			m.focus = i
			m.reveal(i)
			return true
		}
	}
	return false
}

// Blur takes the focus away.
func (m *Model) Blur() { m.focus, m.mark = -1, -1 }

// Mark begins a range of items at the focus, or ends it.
func (m *Model) Mark() {
	if m.mark >= 0 {
		m.mark = -1
		return
	}
	m.mark = m.focus
}

// Marking tells whether a range of items is marked.
func (m *Model) Marking() bool { return m.mark >= 0 }

func between(i, a, b int) bool { return i >= min(a, b) && i <= max(a, b) }

// reveal scrolls until the first row of an entry is in the window.
func (m *Model) reveal(i int) {
	at, row := m.top()
	if i < at || i == at && row > 0 {
		m.hold(i, 0)
		return
	}
	if len(m.view.shown) > 0 && i > m.view.shown[len(m.view.shown)-1].entry {
		m.hold(m.back(i, min(2, len(m.rowsOf(i))), m.view.height))
	}
}

// Toggle folds or unfolds the item that has the focus.
func (m *Model) Toggle() bool { return m.focus >= 0 && m.toggle(m.focus) }

// Click folds or unfolds the item in a row of the window, counted from 0.
func (m *Model) Click(row int) bool {
	if row < 0 || row >= len(m.view.shown) {
		return false
	}
	return m.toggle(m.view.shown[row].entry)
}

// toggle keeps the first row of the item where it is.
func (m *Model) toggle(i int) bool {
	if m.view.follow {
		at, row := m.top()
		if !m.entries[i].item.toggle() {
			return false
		}
		m.hold(at, row)
		return true
	}
	return m.entries[i].item.toggle()
}

// FoldAll folds everything, or unfolds it when it was folded.
func (m *Model) FoldAll() {
	m.folded = !m.folded
	for _, e := range m.entries {
		e.item.fold(m.folded)
	}
}
