package tui

import (
	"strings"

	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// find is the search through the conversation (Ctrl+F). Its row stands in the
// place of the composer, whose draft stays.
type find struct {
	open   bool
	browse bool // letters are keys: the query is entered
	query  string
}

func (m *model) openFind() {
	f := &m.find
	if !f.open {
		*f = find{open: true}
		m.transcript.Find("")
	}
	f.browse = false
	m.menu.Close(m.composer.Text())
}

// closeFind ends the search; without stay the reader is back at the old place.
func (m *model) closeFind(stay bool) {
	m.find.open = false
	m.transcript.EndFind(stay)
	m.complete()
}

// findKey takes a key; false gives it to those that act everywhere.
func (m *model) findKey(name string, runes []rune) bool {
	f := &m.find
	switch name {
	case "esc":
		m.closeFind(false)
		return true
	case "tab":
		m.closeFind(true)
		return true
	case "enter", "up":
		f.browse = name == "enter" || f.browse
		m.transcript.FindNext(-1)
		return true
	case "shift+enter", "alt+enter", "down":
		f.browse = name != "down" || f.browse
		m.transcript.FindNext(1)
		return true
	case "backspace", "ctrl+h":
		if r := []rune(f.query); len(r) > 0 {
			f.query = string(r[:len(r)-1])
		}
	case "ctrl+u":
		f.query = ""
	default:
		if len(runes) == 0 || strings.HasPrefix(name, "alt+") {
			return false
		}
		if f.browse {
			return m.browseKey(name)
		}
		f.query += render.StripAll(string(runes))
	}
	f.browse = false
	m.transcript.Find(f.query)
	return true
}

// browseKey is a letter once the query was entered.
func (m *model) browseKey(name string) bool {
	switch name {
	case "n":
		m.transcript.FindNext(-1)
	case "N":
		m.transcript.FindNext(1)
	case "/":
		m.find.browse = false
	}
	return true
}

func (m *model) findPaste(text string) {
	line, _, _ := strings.Cut(text, "\n")
	m.find.query += render.StripAll(line)
	m.find.browse = false
	m.transcript.Find(m.find.query)
}

// findRow is the row of the search and the column of its caret.
func (m *model) findRow(l *look.Look, width int) (row string, x int) {
	title := l.Style.Accent.Render(render.Truncate(l.Glyph.Prompt, 1, "")) + " " + l.Style.Muted.Render(l.T(locale.UIFind)+": ")
	at, n := m.transcript.Found()
	count := ""
	switch {
	case n > 0:
		count = l.T(locale.UIFindCount, at, n)
	case strings.TrimSpace(m.find.query) != "":
		count = l.T(locale.UIFindNone)
	}
	room := max(width-render.Width(title)-render.Width(count)-3, 4)
	query := m.find.query
	for render.Width(query) > room { // its end is what is typed
		_, query = render.Next(query)
	}
	lead := title + query
	x = render.Width(lead)
	style := l.Style.Muted
	if n == 0 {
		style = l.Style.Warn
	}
	if gap := width - x - render.Width(count) - 1; count != "" && gap > 0 {
		lead += strings.Repeat(" ", gap) + style.Render(count)
	}
	return render.Truncate(lead, width, ""), min(x, width-1)
}
