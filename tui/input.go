package tui

import (
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/composer"
	"hermes/tui/composer/slash"
	"hermes/tui/internal/term"
)

// keyMsg names a key; several runes typed at once are text.
func (m *model) keyMsg(k tea.KeyMsg) tea.Cmd {
	switch k.Type {
	case tea.KeySpace:
		if k.Alt {
			return m.key("alt+ ", nil)
		}
		return m.key(" ", []rune{' '})
	case tea.KeyRunes:
		return m.key(k.String(), k.Runes)
	}
	return m.key(k.String(), nil)
}

// key gives one key to the first that wants it: the page in front, the menu,
// the keys that act everywhere, the composer.
func (m *model) key(name string, runes []rune) tea.Cmd {
	m.dirty = true
	if is(name, m.keys.Stop) {
		return m.stop()
	}
	m.quit.arms = false
	if name != "esc" {
		m.quit.esc = time.Time{}
	}
	if m.dialog.Open() && m.dialogKey(name, runes) {
		return nil
	}
	if m.pages.open() {
		if cmd, ok := m.pages.key(name, runes); ok {
			return cmd
		}
	}
	if cmd, ok := m.global(name); ok {
		return cmd
	}
	if m.pages.open() {
		return nil
	}
	if m.reading {
		if m.readingKey(name) {
			return nil
		}
		m.reading = false
		m.transcript.Blur()
	}
	return m.compositionKey(name, runes)
}

// dialogKey offers a key to the question in front; false when it belongs to
// the draft. A page gives way to the question.
func (m *model) dialogKey(name string, runes []rune) bool {
	m.pages.close()
	answer, handled := m.dialog.Key(name, len(runes) > 0, m.at)
	if answer != nil {
		m.backend.Answer(answer.Ask, answer.Choice)
	}
	return handled
}

// compositionKey is a key for the composer and its menu.
func (m *model) compositionKey(name string, runes []rune) tea.Cmd {
	if m.composer.Searching() {
		m.composer.Key(name, runes)
		return nil
	}
	if m.menu.Open() {
		if cmd, ok := m.menuKey(name); ok {
			return cmd
		}
	}
	switch name {
	case "enter":
		if m.composer.Backslash() {
			return nil
		}
		return m.submit()
	case "esc":
		return m.escape()
	case "up":
		m.up()
	case "down":
		m.down()
	case "tab", "shift+tab":
		m.reading = m.transcript.FocusMove(-1)
	case "?":
		if m.composer.Empty() {
			m.pages.show(pageHelp)
			return nil
		}
		m.composer.Key(name, runes)
	default:
		if is(name, m.keys.DropQueued) && m.queue.editing() {
			m.dropQueued()
			return nil
		}
		if name == "ctrl+d" && m.composer.Empty() {
			return m.leave()
		}
		m.composer.Key(name, runes)
	}
	m.complete()
	return nil
}

// complete opens, filters or shuts the menu for the draft.
func (m *model) complete() {
	m.menu.Update(m.composer.Text(), !m.composer.Recalled() && !m.queue.editing())
}

// global handles the keys that act whatever has the focus.
func (m *model) global(name string) (tea.Cmd, bool) {
	k := m.keys
	switch {
	case is(name, k.Repaint):
		m.screen.Repaint()
	case is(name, k.Suspend):
		return m.suspend(), true
	case is(name, k.Help):
		m.pages.toggle(pageHelp)
	case is(name, k.Plugins):
		m.pages.toggle(pagePlugins)
	case is(name, k.Panel):
		m.panel = !m.panel
	case is(name, k.Hooks):
		m.pages.toggle(pageHooks)
	case is(name, k.Tools):
		m.pages.toggle(pageTools)
	case is(name, k.SkipHook):
		m.backend.SkipHook()
	case is(name, k.SearchHistory) && !m.pages.open() && !m.composer.Searching():
		m.composer.Search()
	case m.offer(name):
	default:
		return nil, !m.pages.open() && m.scroll(name)
	}
	return nil, true
}

// scroll handles the keys that move the conversation.
func (m *model) scroll(name string) bool {
	k, t := m.keys, m.transcript
	switch {
	case is(name, k.PageUp):
		t.Page(-1)
	case is(name, k.PageDown):
		t.Page(1)
	case is(name, k.LineUp):
		t.Scroll(-1)
	case is(name, k.LineDown):
		t.Scroll(1)
	case is(name, k.Top):
		t.Home()
	case is(name, k.End), name == "end" && !t.Following() && m.composer.CaretAtEnd():
		t.End()
	case is(name, k.FoldAll):
		t.FoldAll()
	default:
		return false
	}
	return true
}

// readingKey is a key while the conversation has the focus; false gives the
// focus and the key back to the composer.
func (m *model) readingKey(name string) bool {
	switch name {
	case "up", "k", "shift+tab":
		m.transcript.FocusMove(-1)
	case "down", "j":
		if !m.transcript.FocusMove(1) {
			m.transcript.End()
		}
	case "enter", " ":
		m.transcript.Toggle()
	case "tab", "esc":
		m.reading = false
		m.transcript.Blur()
	default:
		return false
	}
	return true
}

func (m *model) paste(text string) tea.Cmd {
	m.dirty = true
	m.quit.arms = false
	if m.pages.open() {
		m.pages.paste(text)
		return nil
	}
	m.reading = false
	m.transcript.Blur()
	m.composer.Paste(text)
	m.complete()
	return nil
}

// wheelRows is how far one notch of the wheel moves.
const wheelRows = 3

func (m *model) mouse(e tea.MouseMsg) tea.Cmd {
	l := divide(m.w, m.h, m.panel)
	switch {
	case m.pages.open():
		m.pages.mouse(e)
	case e.Button == tea.MouseButtonWheelUp:
		m.transcript.Scroll(-wheelRows)
	case e.Button == tea.MouseButtonWheelDown:
		m.transcript.Scroll(wheelRows)
	case e.Action == tea.MouseActionPress && e.Button == tea.MouseButtonLeft && e.X < l.left:
		m.transcript.Click(e.Y)
	default:
		return nil
	}
	m.dirty = true
	return nil
}

// menuKey is a key while the menu is open.
func (m *model) menuKey(name string) (tea.Cmd, bool) {
	switch name {
	case "up", "ctrl+p":
		m.menu.Move(-1)
	case "down", "ctrl+n":
		m.menu.Move(1)
	case "tab", "right":
		if name == "right" && !m.composer.CaretAtEnd() {
			return nil, false
		}
		m.take()
	case "esc":
		m.menu.Close(m.composer.Text())
	case "enter":
		return m.runPicked(), true
	default:
		return nil, false
	}
	return nil, true
}

// take puts the highlighted command into the draft.
func (m *model) take() {
	if c, ok := m.menu.Picked(); ok {
		m.composer.SetText("/" + c.Name + " ")
		m.complete()
	}
}

// runPicked runs what is typed if it is a whole command, else the highlighted
// one; one that needs an argument is completed and waits for it.
func (m *model) runPicked() tea.Cmd {
	name, _, _ := slash.Parse(m.composer.Text())
	c, ok := slash.Find(m.menu.Commands(), name)
	if !ok {
		if c, ok = m.menu.Picked(); !ok {
			return m.submit()
		}
		name = c.Name
	}
	if slash.NeedsArgument(c) {
		m.composer.SetText("/" + name + " ")
		m.complete()
		return nil
	}
	m.composer.SetText("/" + name)
	return m.submit()
}

// submit sends the draft: one change of state, so that nothing is sent twice.
func (m *model) submit() tea.Cmd {
	if m.queue.editing() {
		return m.saveQueued()
	}
	if blank(m.composer.Text()) {
		return nil
	}
	text := m.composer.Take()
	m.menu.Update("", true)
	m.transcript.End()
	if m.composer.Remember(text) {
		m.writeHistory(text)
	}
	if name, _, ok := slash.Parse(text); ok {
		c, found := slash.Find(m.menu.Commands(), name)
		if found && c.UI != "" {
			return m.action(c.UI, text)
		}
		m.backend.Command(text)
		return nil
	}
	m.backend.Submit(text)
	return nil
}

func blank(s string) bool {
	for _, r := range s {
		if r != ' ' && r != '\n' && r != '\t' {
			return false
		}
	}
	return true
}

// Actions that the view carries out itself (event.Command.UI).
const (
	actionClear   = "clear"
	actionHooks   = "hooks"
	actionPlugins = "plugins"
	actionTools   = "tools"
	actionHelp    = "help"
	actionQuit    = "quit"
	actionBanner  = "banner"
)

func (m *model) action(name, line string) tea.Cmd {
	switch name {
	case actionClear:
		m.transcript.Clear(1)
		m.backend.Command("/new")
	case actionHooks:
		m.pages.show(pageHooks)
	case actionPlugins:
		m.pages.show(pagePlugins)
	case actionTools:
		m.pages.show(pageTools)
	case actionHelp:
		m.pages.show(pageHelp)
	case actionQuit:
		return tea.Quit
	case actionBanner:
		m.addBanner()
	default:
		m.backend.Command(line)
	}
	return nil
}

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

// failed shows an error of the view's own; the same one in a row once.
func (m *model) failed(msg failedMsg) {
	text := m.look.T(msg.what, msg.err)
	if text == m.lastFailure {
		return
	}
	m.lastFailure = text
	m.transcript.Apply(event.Notice{Level: event.LevelWarn, Text: text})
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
