package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/tui/transcript"
)

// wheelRows is how far one notch of the wheel moves.
const wheelRows = 3

// Times of the mouse: within clickWithin another press at the same place makes
// a double or triple click; every dragEvery the window moves by a row while the
// pointer is held at its edge.
const (
	clickWithin = 400 * time.Millisecond
	dragEvery   = 40 * time.Millisecond
)

// pointer is what the mouse is doing.
type pointer struct {
	down   bool // the left button, since it went down on the conversation
	moved  bool
	x, y   int // where it went down
	clicks int
	at     time.Time // of the last press
	edge   int       // the window scrolls towards it while the button is held
	drags  int       // of the drag, so that an old timer does not move a new one
}

// dragMsg moves the window on while the pointer is held at its edge.
type dragMsg struct{ drag int }

func (m *model) mouse(e tea.MouseMsg) tea.Cmd {
	switch {
	case m.pages.open() && !m.dialog.Open():
		m.pages.mouse(e)
	case e.Button == tea.MouseButtonWheelUp:
		m.transcript.Scroll(-wheelRows)
	case e.Button == tea.MouseButtonWheelDown:
		m.transcript.Scroll(wheelRows)
	case e.Action == tea.MouseActionPress && e.Button == tea.MouseButtonLeft:
		m.pressed(e)
	case e.Action == tea.MouseActionMotion && m.pointer.down:
		return m.dragged(e)
	case e.Action == tea.MouseActionRelease && m.pointer.down:
		m.dirty = true
		return m.released(e)
	default:
		return nil
	}
	m.dirty = true
	return nil
}

func (m *model) pressed(e tea.MouseMsg) {
	p := &m.pointer
	m.quit.arms, m.flash = false, ""
	again := p.x == e.X && p.y == e.Y && m.at.Sub(p.at) < clickWithin && !p.at.IsZero()
	*p = pointer{x: e.X, y: e.Y, clicks: p.clicks, at: m.at, drags: p.drags + 1}
	if !again || p.clicks >= 3 {
		p.clicks = 0
	}
	p.clicks++
	units := [...]transcript.Unit{transcript.Letters, transcript.Words, transcript.Rows}
	if l := divide(m.w, m.h, m.panel); e.X >= l.left {
		m.transcript.Deselect()
		return
	}
	p.down = m.transcript.Press(e.X, e.Y, units[p.clicks-1])
}

func (m *model) dragged(e tea.MouseMsg) tea.Cmd {
	p := &m.pointer
	m.dirty, p.moved = true, true
	was := p.edge
	p.edge = m.transcript.Drag(e.X, e.Y)
	if p.edge == 0 || was == p.edge {
		return nil
	}
	p.drags++
	return m.later(dragEvery, dragMsg{p.drags})
}

// dragOn scrolls while the button is held at an edge.
func (m *model) dragOn(msg dragMsg) tea.Cmd {
	p := &m.pointer
	if !p.down || p.edge == 0 || msg.drag != p.drags {
		return nil
	}
	m.dirty = true
	m.transcript.DragOn(p.edge)
	return m.later(dragEvery, msg)
}

// released copies what was marked; without a move it is a click.
func (m *model) released(e tea.MouseMsg) tea.Cmd {
	p := &m.pointer
	p.down, p.edge = false, 0
	if m.transcript.Selected() {
		return m.copySelection()
	}
	m.transcript.Deselect()
	if !p.moved && p.clicks == 1 {
		m.transcript.Click(e.Y)
	}
	return nil
}

// copySelection copies what is marked; it stays marked until the next key.
func (m *model) copySelection() tea.Cmd { return m.copy(m.transcript.SelectedText()) }
