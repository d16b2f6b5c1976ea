package tui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/tui/internal/render"
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
		if m.pages.open() && !k.Alt { // there each letter is a key of its own
			var cmds []tea.Cmd
			for _, r := range k.Runes {
				cmds = append(cmds, m.key(string(r), []rune{r}))
			}
			return tea.Batch(cmds...)
		}
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
	m.quit.arms, m.flash = false, ""
	if name != "esc" {
		m.quit.esc = time.Time{}
	}
	if m.dialog.Open() {
		if cmd, ok := m.dialogKey(name, runes); ok {
			return cmd
		}
	}
	if m.pages.open() {
		if cmd, ok := m.pages.key(name, runes); ok {
			return cmd
		}
	}
	if m.palette.open && !m.pages.open() {
		return m.paletteKey(name, runes)
	}
	if m.find.open && !m.pages.open() && m.findKey(name, runes) {
		return nil
	}
	if cmd, ok := m.global(name); ok {
		return cmd
	}
	if m.pages.open() || m.find.open {
		return nil
	}
	if m.transcript.Selected() {
		m.transcript.Deselect()
		if name == "esc" {
			return nil
		}
	}
	if m.reading {
		if cmd, ok := m.readingKey(name); ok {
			return cmd
		}
		m.stopReading()
	}
	return m.compositionKey(name, runes)
}

// dialogKey offers a key to the question in front; false when it belongs to
// the draft. A page gives way to the question.
func (m *model) dialogKey(name string, runes []rune) (tea.Cmd, bool) {
	m.pages.close()
	if name == "y" && m.dialog.Ready(m.at) && !m.dialog.Writing() {
		m.dialog.Touch(m.at)
		return m.copy(m.dialog.Command()), true
	}
	answer, handled := m.dialog.Key(name, runes, m.at)
	return m.answer(answer), handled
}

// compositionKey is a key for the composer and its menu.
func (m *model) compositionKey(name string, runes []rune) tea.Cmd {
	if m.composer.Searching() {
		m.composer.Key(name, runes)
		return nil
	}
	if m.mention.open && m.mentionKey(name) {
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
	m.mentioned(!m.menu.Open() && !m.composer.Recalled())
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
	case is(name, k.Sessions) && !m.queue.editing():
		m.pages.toggle(pageSessions)
	case is(name, k.SkipHook):
		m.backend.SkipHook()
	case is(name, k.SearchHistory) && !m.pages.open() && !m.find.open && !m.composer.Searching():
		m.composer.Search()
	case is(name, k.Palette) && !m.pages.open() && !m.menu.Open() && !m.mention.open && !m.composer.Searching() && !m.find.open:
		m.openPalette()
	case is(name, k.Find) && !m.pages.open() && !m.composer.Searching():
		m.openFind()
	case is(name, k.Editor) && !m.pages.open() && !m.dialog.Open() && !m.composer.Searching():
		return m.edit(), true
	case !m.pages.open() && m.offer(name):
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
func (m *model) readingKey(name string) (tea.Cmd, bool) {
	switch name {
	case "up", "k", "shift+tab":
		m.transcript.FocusMove(-1)
	case "down", "j":
		if !m.transcript.FocusMove(1) {
			m.transcript.End()
		}
	case "enter", " ":
		m.transcript.Toggle()
	case "v":
		m.transcript.Mark()
	case "y":
		text := m.transcript.Source()
		if m.transcript.Marking() {
			m.transcript.Mark()
		}
		return m.copy(text), true
	case "esc":
		if m.transcript.Marking() {
			m.transcript.Mark()
			break
		}
		m.stopReading()
	case "tab":
		m.stopReading()
	default:
		return nil, false
	}
	return nil, true
}

func (m *model) stopReading() {
	m.reading = false
	m.transcript.Blur()
}

func (m *model) paste(text string) tea.Cmd {
	m.dirty = true
	m.quit.arms = false
	if m.dialog.Open() && m.dialog.Paste(text, m.at) {
		return nil
	}
	if m.pages.open() {
		m.pages.paste(text)
		return nil
	}
	switch {
	case m.palette.open:
		line, _, _ := strings.Cut(text, "\n")
		m.palette.query += render.StripAll(line)
		m.filterPalette()
		return nil
	case m.find.open:
		m.findPaste(text)
		return nil
	}
	m.stopReading()
	m.composer.Paste(text)
	m.complete()
	return nil
}
