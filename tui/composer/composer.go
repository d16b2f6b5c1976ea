// Package composer is the input: a text of several lines with a caret, the
// usual editing keys, pastes that are shown as one chip, and the history of
// what was sent. It does no IO: the history file is read and written by the
// commands in history.go, which the caller runs.
package composer

import (
	"strings"

	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// A paste becomes a chip from these sizes on, as in the reference.
const (
	chipNewlines = 5
	chipBytes    = 2000
)

// promptWidth is the room of the prompt sign and its blank.
const promptWidth = 2

// Model is the input line.
type Model struct {
	look    *look.Look
	buf     buffer
	width   int
	maxRows int
	first   int // first row shown
	wanted  int // column that Up and Down keep, -1 for none
	pastes  int
	killed  string
	history history
	search  *search
	edited  bool // since a recall
}

// New returns an empty input.
func New(l *look.Look) *Model {
	m := &Model{look: l, width: 80, maxRows: 8, wanted: -1}
	m.history.at = -1
	return m
}

// SetLook changes how it is drawn.
func (m *Model) SetLook(l *look.Look) { m.look = l }

// SetSize sets the width in cells and how many rows it may grow to.
func (m *Model) SetSize(width, maxRows int) {
	m.width, m.maxRows = max(width, promptWidth+2), max(maxRows, 1)
}

// Text is the draft, chips expanded.
func (m *Model) Text() string { return m.buf.String() }

// Empty tells whether there is no draft.
func (m *Model) Empty() bool { return len(m.buf.atoms) == 0 }

// SetText replaces the draft; the caret goes to its end.
func (m *Model) SetText(s string) {
	m.buf.set(s)
	m.wanted, m.edited = -1, true
}

// Take returns the draft and empties the input, in one step.
func (m *Model) Take() string {
	s := m.Text()
	m.buf = buffer{}
	m.first, m.wanted, m.pastes = 0, -1, 0
	m.history.leave()
	return s
}

// Recalled tells whether the draft is an entry of the history that was not
// changed: completion stays shut then.
func (m *Model) Recalled() bool { return m.history.at >= 0 && !m.edited }

// CaretAtEnd tells whether the caret is behind the last letter.
func (m *Model) CaretAtEnd() bool { return m.buf.caret == len(m.buf.atoms) }

// Paste puts pasted text at the caret; a big one as a chip.
func (m *Model) Paste(s string) {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	m.changed()
	if strings.Count(s, "\n") < chipNewlines && len(s) < chipBytes {
		m.buf.insert(s)
		return
	}
	m.pastes++
	lines := strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1
	m.buf.insertChip(s, m.look.T(locale.UIPasted, m.pastes, lines))
}

// Insert puts text at the caret as if typed.
func (m *Model) Insert(s string) {
	m.changed()
	m.buf.insert(s)
}

func (m *Model) changed() { m.wanted, m.edited = -1, true }

// Key takes a key, by its name and as text. It returns false when the key is
// not one of the input's; then the caller may use it.
func (m *Model) Key(name string, runes []rune) bool {
	if m.search != nil {
		return m.searchKey(name, runes)
	}
	if m.edit(name) || m.move(name) {
		return true
	}
	if len(runes) > 0 && !strings.HasPrefix(name, "alt+") && !strings.HasPrefix(name, "ctrl+") {
		m.Insert(clean(string(runes)))
		return true
	}
	return false
}

// clean drops what must not stand in a draft.
func clean(s string) string { return render.StripAll(s) }

// edit handles keys that change the text.
func (m *Model) edit(name string) bool {
	b := &m.buf
	from, to := b.caret, b.caret
	switch name {
	case "backspace", "ctrl+h", "shift+backspace":
		from = max(from-1, 0)
	case "delete", "ctrl+d":
		to = min(to+1, len(b.atoms))
		if from == to {
			return name == "delete"
		}
	case "ctrl+w":
		from = b.blankLeft()
	case "alt+backspace", "ctrl+backspace":
		from = b.wordLeft()
	case "alt+d", "ctrl+delete":
		to = b.wordRight()
	case "ctrl+u":
		if from = b.lineStart(); from == b.caret && from > 0 {
			from--
		}
	case "ctrl+k":
		if to = b.lineEnd(); to == b.caret && to < len(b.atoms) {
			to++
		}
	case "ctrl+y":
		m.Insert(m.killed)
		return true
	case "shift+enter", "alt+enter", "ctrl+j", "ctrl+enter":
		m.Insert("\n")
		return true
	default:
		return false
	}
	if from == to {
		return true
	}
	gone := b.cut(from, to)
	if name == "ctrl+w" || name == "ctrl+u" || name == "ctrl+k" {
		m.killed = gone
	}
	m.changed()
	return true
}

// move handles keys that move the caret within the text.
func (m *Model) move(name string) bool {
	b := &m.buf
	switch name {
	case "left", "ctrl+b":
		b.caret = max(b.caret-1, 0)
	case "right", "ctrl+f":
		b.caret = min(b.caret+1, len(b.atoms))
	case "ctrl+left", "alt+left", "alt+b":
		b.caret = b.wordLeft()
	case "ctrl+right", "alt+right", "alt+f":
		b.caret = b.wordRight()
	case "home", "ctrl+a":
		b.caret = b.lineStart()
	case "end", "ctrl+e":
		b.caret = b.lineEnd()
	default:
		return false
	}
	m.wanted = -1
	return true
}

// Vertical moves the caret by a row, up when dir is negative; it returns false
// at the first or last row, where the caller goes on to the queue or the
// history.
func (m *Model) Vertical(dir int) bool {
	l := m.buf.wrap(m.textWidth())
	row, col := l.at(&m.buf)
	if m.wanted < 0 {
		m.wanted = col
	}
	if row+dir < 0 || row+dir >= len(l.rows) {
		return false
	}
	m.buf.caret = l.seek(&m.buf, row+dir, m.wanted)
	return true
}

// Backslash turns a backslash before the caret into a line end, as in shells;
// it returns false when there is none.
func (m *Model) Backslash() bool {
	if c := m.buf.caret; c > 0 && m.buf.atoms[c-1].text == "\\" {
		m.buf.cut(c-1, c)
		m.Insert("\n")
		return true
	}
	return false
}

func (m *Model) textWidth() int { return m.width - promptWidth }

// Height is how many rows Render returns.
func (m *Model) Height() int {
	if m.search != nil {
		return 1
	}
	l := m.buf.wrap(m.textWidth())
	return min(len(l.rows), m.maxRows)
}

// Render returns the rows and the cell of the caret.
func (m *Model) Render() (rows []string, x, y int) {
	prompt := m.look.Style.Accent.Render(render.Truncate(m.look.Glyph.Prompt, 1, "")) + " "
	if m.search != nil {
		return m.renderSearch(prompt)
	}
	l := m.buf.wrap(m.textWidth())
	row, col := l.at(&m.buf)
	h := min(len(l.rows), m.maxRows)
	m.first = min(max(m.first, row-h+1), row, len(l.rows)-h)
	for i := m.first; i < m.first+h; i++ {
		lead := strings.Repeat(" ", promptWidth)
		if i == m.first { // also of a draft whose first row is out of view
			lead = prompt
		}
		rows = append(rows, lead+l.row(&m.buf, i, func(s string) string {
			return m.look.Style.Accent.Render(render.Truncate(s, m.textWidth(), render.Ellipsis))
		}))
	}
	return rows, promptWidth + min(col, m.textWidth()), row - m.first
}
