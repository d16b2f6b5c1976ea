package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// armedFor is how long a second Ctrl+C (or Ctrl+D while a turn runs) quits,
// and escapeWithin how close two presses of Esc must be.
const (
	armedFor     = 2 * time.Second
	escapeWithin = time.Second
)

// quitState is where the user is on the ladder of Ctrl+C (decision D22).
type quitState struct {
	arms bool // the next Ctrl+C quits
	id   int  // of the arming, so that an old timer does not disarm a new one
	esc  time.Time
}

// disarmMsg ends the time in which another Ctrl+C quits.
type disarmMsg struct{ id int }

// stop is Ctrl+C: dialog, selection, running turn, draft, quit.
func (m *model) stop() tea.Cmd {
	switch {
	case m.quit.arms:
		return tea.Quit
	case m.dialog.Open():
		return m.answer(m.dialog.Cancel())
	case m.transcript.Selected() && !m.pages.open():
		cmd := m.copySelection()
		m.transcript.Deselect()
		return cmd
	case m.palette.open && !m.pages.open():
		m.palette.open = false
	case m.find.open && !m.pages.open():
		m.closeFind(false)
	case m.composer.Searching():
		m.composer.EndSearch(false)
	case m.state.Turn.Running:
		m.backend.Interrupt()
	case m.pages.open():
		m.pages.close()
	default:
		m.clearDraft()
		return m.arm()
	}
	return nil
}

// clearDraft empties the composer; Up brings the text back.
func (m *model) clearDraft() {
	if m.queue.editing() {
		m.cancelQueued()
		return
	}
	m.composer.Remember(m.composer.Take())
	m.complete()
}

func (m *model) arm() tea.Cmd {
	m.quit.arms = true
	m.quit.id++
	return m.later(armedFor, disarmMsg{m.quit.id})
}

func (m *model) disarm(msg disarmMsg) {
	if msg.id == m.quit.id && m.quit.arms {
		m.quit.arms = false
		m.dirty = true
	}
}

// leave is Ctrl+D on an empty composer: at once, or at the second press while
// a turn runs.
func (m *model) leave() tea.Cmd {
	if m.state.Turn.Running && !m.quit.arms {
		return m.arm()
	}
	return tea.Quit
}

// escape closes the top layer; twice it interrupts the running turn, or brings
// the last message back when none runs.
func (m *model) escape() tea.Cmd {
	if m.queue.editing() {
		m.cancelQueued()
		return nil
	}
	twice := !m.quit.esc.IsZero() && m.at.Sub(m.quit.esc) <= escapeWithin
	m.quit.esc = m.at
	if !twice {
		return nil
	}
	m.quit.esc = time.Time{}
	if m.state.Turn.Running {
		m.backend.Interrupt()
	} else if m.composer.Empty() {
		m.composer.Older()
	}
	return nil
}
