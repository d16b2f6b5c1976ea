package tui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/tui/dialog"
)

// ownAsks are the questions of the view itself; those of the program are the
// backend's.
type ownAsks struct {
	n    int
	wait map[string]func(event.Answer) tea.Cmd
}

// askHere puts a question of the view's own; then takes the answer, which has
// no choice when the user gave none.
func (m *model) askHere(ask event.Ask, then func(event.Answer) tea.Cmd) {
	m.own.n++
	ask.ID = "view-" + strconv.Itoa(m.own.n)
	if m.own.wait == nil {
		m.own.wait = map[string]func(event.Answer) tea.Cmd{}
	}
	m.own.wait[ask.ID] = then
	m.dialog.Apply(ask, m.at)
	m.dirty = true
}

// answer hands on what a question was answered with, if it was.
func (m *model) answer(a *dialog.Answer) tea.Cmd {
	if a == nil {
		return nil
	}
	then, own := m.own.wait[a.Ask]
	if !own {
		m.backend.Answer(a.Ask, a.Answer)
		return nil
	}
	delete(m.own.wait, a.Ask)
	m.dialog.Apply(event.AskClosed{ID: a.Ask}, m.at)
	m.dirty = true
	return then(a.Answer)
}
