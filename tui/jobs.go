package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/themes"
	"hermes/tui/composer"
	"hermes/tui/internal/term"
)

// historyMsg brings the entries of earlier sessions.
type historyMsg struct{ entries []string }

// noticeMsg brings a sentence of the view's own.
type noticeMsg struct{ text locale.Msg }

// failedMsg brings an error of a command that has no other answer.
type failedMsg struct {
	what locale.Msg // takes the error
	err  error
}

func (m *model) readHistory() {
	path := m.opts.HistoryFile
	if path == "" {
		return
	}
	m.work.do(func() tea.Msg {
		entries, err := composer.ReadHistory(path)
		if err != nil {
			return failedMsg{locale.UIHistoryUnread, err}
		}
		return historyMsg{entries}
	})
}

func (m *model) writeHistory(text string) {
	path, at := m.opts.HistoryFile, m.at
	if path == "" {
		return
	}
	m.work.do(func() tea.Msg {
		if err := composer.AppendHistory(path, text, at); err != nil {
			return failedMsg{locale.UIHistoryUnsaved, err}
		}
		return nil
	})
}

// themeMsg brings the theme that the configuration names.
type themeMsg struct{ theme *themes.Theme }

// readTheme looks a theme up: a skin file of the user, else a built-in one.
func (m *model) readTheme(name, skins string) {
	m.work.do(func() tea.Msg {
		if filepath.Base(name) != name {
			return failedMsg{locale.UINoTheme, fmt.Errorf("%q", name)}
		}
		t, err := themes.Load(filepath.Join(skins, name+".yaml"))
		if err == nil {
			return themeMsg{t}
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return failedMsg{locale.UIThemeUnread, err}
		}
		if t, ok := themes.Builtin(name); ok {
			return themeMsg{t}
		}
		return failedMsg{locale.UINoTheme, fmt.Errorf("%q", name)}
	})
}

// failed shows an error of the view's own; the same one in a row once.
func (m *model) failed(msg failedMsg) {
	text := m.look.T(msg.what, msg.err)
	if text == m.lastFailure {
		return
	}
	m.lastFailure = text
	m.warn(text)
}

// warn and say put a sentence of the view's own into the conversation.
func (m *model) warn(text string) { m.tell(event.LevelWarn, text) }
func (m *model) say(text string)  { m.tell(event.LevelInfo, text) }

func (m *model) tell(level, text string) {
	m.transcript.Apply(event.Notice{Level: level, Text: text})
	m.dirty = true
}

func (m *model) suspend() tea.Cmd {
	return m.do(func() tea.Msg {
		err := m.screen.Suspend()
		switch {
		case errors.Is(err, term.ErrNoJobControl):
			return noticeMsg{locale.UINoSuspend}
		case err != nil:
			return failedMsg{locale.UISuspendFailed, err}
		}
		return nil
	})
}
