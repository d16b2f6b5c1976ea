package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/locale"
	"hermes/tui/composer/slash"
)

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
	m.mention.open = false
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
	actionCopy    = "copy"
	actionMouse   = "mouse"
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
	case actionCopy:
		_, args, _ := slash.Parse(line)
		return m.copyCommand(args)
	case actionMouse:
		_, args, _ := slash.Parse(line)
		m.mouseCommand(args)
	case actionBanner:
		m.addBanner()
	default:
		m.backend.Command(line)
	}
	return nil
}

// mouseCommand is /mouse on|off: off gives the mouse back to the terminal.
func (m *model) mouseCommand(args string) {
	switch strings.TrimSpace(args) {
	case "on":
		m.screen.SetMouse(true)
		m.say(m.look.T(locale.UIMouseOn))
	case "off":
		m.screen.SetMouse(false)
		m.say(m.look.T(locale.UIMouseOff))
	default:
		m.warn(m.look.T(locale.UIMouseUsage))
	}
}
