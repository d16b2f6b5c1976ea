package tui

import (
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// batch takes events in: into the live state first, then into the parts that
// keep something of their own.
func (m *model) batch(events []event.Event) tea.Cmd {
	rev := m.state.Rev
	for _, e := range events {
		m.before(e)
		m.state.Apply(e)
		m.transcript.Apply(e)
		m.after(e)
	}
	m.dirty = true
	if m.state.Rev != rev {
		m.banner()
	}
	m.remember(events)
	return nil
}

// before notes what the state forgets when it takes e in.
func (m *model) before(e event.Event) {
	p, ok := e.(event.PluginState)
	if !ok || !m.state.Settled {
		return
	}
	was := event.PluginFound
	if q := m.state.Plugins.Get(p.Plugin.Key); q != nil {
		was = q.State
	}
	if was == p.Plugin.State {
		return
	}
	// Only what matters to a turn is told in the conversation.
	switch p.Plugin.State {
	case event.PluginFailed, event.PluginCrashed, event.PluginPaused:
		name, why := render.Line(p.Plugin.Name), render.Line(p.Plugin.Reason)
		state := look.HealthOf(p.Plugin.State)
		m.transcript.Note(func(l *look.Look) string {
			text := l.T(locale.UIPluginTurned, name, stateWord(l, state))
			if why != "" {
				text += ": " + why
			}
			return text + " (F2)"
		})
	}
}

func stateWord(l *look.Look, h look.Health) string {
	switch h {
	case look.Failed:
		return l.T(locale.UIStateFailed)
	case look.Crashed:
		return l.T(locale.UIStateCrashed)
	}
	return l.T(locale.UIStatePaused)
}

// after lets the parts follow the state.
func (m *model) after(e event.Event) {
	switch e := e.(type) {
	case event.CommandsChanged:
		m.menu.SetCommands(m.state.Commands, true)
	case event.FilesListed:
		m.filesListed(e)
	case event.Dequeued:
		m.queueMoved()
	case event.ConfigLoaded:
		m.configured(e)
	case event.CommandDone:
		how := m.look.T(locale.UIMenuLastOK, look.Millis(e.Ms))
		if e.Err != "" {
			how = m.look.T(locale.UIMenuLastFailed)
		}
		m.menu.Ran(commandName(e.Line), how)
	case event.PluginState:
		m.offers.see(e.Plugin)
	case event.Ask, event.AskClosed:
		m.asked(e)
	case event.SessionReset, event.SessionOpened:
		m.banner()
	case event.HistoryUndone:
		if m.composer.Empty() { // the text can be changed and sent again
			m.composer.SetText(e.Text)
			m.recalled = e.Text
		}
	case event.TurnStarted:
		if e.Source == "retry" && m.composer.Text() == m.recalled {
			m.composer.SetText("")
		}
		m.recalled = ""
	}
}

// asked opens or closes a question; what was answered stays as a line.
func (m *model) asked(e event.Event) {
	closed, answer := m.dialog.Apply(e, m.at)
	if closed == nil {
		return
	}
	title, label, text := render.Line(closed.Title), "", render.Line(answer.Text)
	for _, c := range closed.Choices {
		if c.ID == answer.Choice {
			label = render.Line(c.Label)
		}
	}
	m.transcript.Note(func(l *look.Look) string {
		if label == "" {
			return l.T(locale.UIAskDropped, title)
		}
		if text != "" {
			return l.T(locale.UIAskWithText, title, label, text)
		}
		return l.T(locale.UIAskAnswered, title, label)
	})
}

func commandName(line string) string {
	for i, r := range line {
		if i > 0 && (r == ' ' || r == '\n') {
			return line[1:i]
		}
	}
	return line[min(1, len(line)):]
}

// configured follows the language and the theme of the configuration.
func (m *model) configured(e event.ConfigLoaded) {
	if e.Theme != "" && e.Theme != m.look.Theme.Name {
		m.readTheme(e.Theme, filepath.Join(filepath.Dir(e.Path), "skins"))
	}
	if lang, ok := locale.Parse(e.Lang); ok && lang != m.opts.Lang {
		m.opts.Lang = lang
		m.setLook(m.newLook(m.look.Background, m.look.Rev+1))
	}
}

// remember hands on what the next run may show at once, when it has settled.
func (m *model) remember(events []event.Event) {
	if m.opts.Remember == nil || !m.state.Settled || !m.state.ToolsKnown {
		return
	}
	for _, e := range events {
		switch e.(type) {
		case event.PluginsSettled, event.ToolsChanged, event.CommandsChanged, event.ModelChanged:
			facts, remember := factsOf(m.state), m.opts.Remember
			m.work.do(func() tea.Msg { remember(facts); return nil })
			return
		}
	}
}
