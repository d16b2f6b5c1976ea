package tui

import tea "github.com/charmbracelet/bubbletea"

// queueEdit is the editing of a queued message (decision D42): while it lasts
// nothing after the entry is sent.
type queueEdit struct {
	id    string // of the entry, empty when none is edited
	draft string // what stood in the composer before
}

func (q *queueEdit) editing() bool { return q.id != "" }

// up is the Up key: a row up, else the newest queued message, else history.
func (m *model) up() {
	if m.composer.Vertical(-1) {
		return
	}
	if i := m.queuedIndex(); m.queue.editing() && i > 0 {
		m.editQueued(i - 1)
		return
	} else if m.queue.editing() {
		return
	}
	if n := len(m.state.Queue); n > 0 && !m.composer.Recalled() {
		m.editQueued(n - 1)
		return
	}
	m.composer.Older()
}

// down is the way back.
func (m *model) down() {
	if m.composer.Vertical(1) {
		return
	}
	if m.queue.editing() {
		if i := m.queuedIndex(); i >= 0 && i+1 < len(m.state.Queue) {
			m.editQueued(i + 1)
		} else {
			m.cancelQueued()
		}
		return
	}
	m.composer.Newer()
}

// queuedIndex is the place of the edited entry, -1 when it is gone.
func (m *model) queuedIndex() int {
	for i, q := range m.state.Queue {
		if q.ID == m.queue.id {
			return i
		}
	}
	return -1
}

func (m *model) editQueued(i int) {
	if !m.queue.editing() {
		m.queue.draft = m.composer.Text()
		m.backend.HoldQueue(true)
	}
	m.queue.id = m.state.Queue[i].ID
	m.composer.SetText(m.state.Queue[i].Text)
}

func (m *model) saveQueued() tea.Cmd {
	id, text := m.queue.id, m.composer.Take()
	m.endQueued()
	m.backend.EditQueued(id, text)
	m.backend.HoldQueue(false)
	return nil
}

func (m *model) dropQueued() {
	id := m.queue.id
	m.endQueued()
	m.backend.EditQueued(id, "")
	m.backend.HoldQueue(false)
}

func (m *model) cancelQueued() {
	m.endQueued()
	m.backend.HoldQueue(false)
}

func (m *model) endQueued() {
	m.composer.SetText(m.queue.draft)
	m.queue = queueEdit{}
	m.complete()
}

// queueMoved ends the editing of an entry that is no longer there; its text
// stays in the composer as a draft.
func (m *model) queueMoved() {
	if m.queue.editing() && m.queuedIndex() < 0 {
		m.queue = queueEdit{}
		m.backend.HoldQueue(false)
	}
}
