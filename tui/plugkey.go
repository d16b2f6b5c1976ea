package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/render"
)

// askKey asks for the value of a variable that a plugin needs. What is typed is
// never shown, and goes to the backend only.
func (m *model) askKey(plugin string, e event.EnvVar) {
	name := plugin
	if p := m.state.Plugins.Get(plugin); p != nil {
		name = p.Name
	}
	text := m.look.T(locale.UIKeyAskText)
	for _, part := range []string{e.URL, e.Description} {
		if part != "" {
			text = render.Line(part) + "\n" + text
		}
	}
	page := m.pages.cur
	m.askHere(event.Ask{
		Kind: event.AskSecret, Title: m.look.T(locale.UIKeyAsk, render.Line(e.Name), render.Line(name)), Text: text,
		Choices: []event.Choice{{ID: "give", Label: m.look.T(locale.UIKeyGive), Input: true}},
	}, func(a event.Answer) tea.Cmd {
		m.pages.show(page)
		if a.Choice != "" && a.Text != "" {
			m.backend.SetEnv(e.Name, a.Text)
		}
		return nil
	})
}
