package panel

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// View is what a page is drawn with.
type View struct {
	Look          *look.Look
	State         *live.State
	Width, Height int
	Now           time.Time
}

// Point is a cell, 0, 0 at the top left.
type Point struct{ X, Y int }

// Page is a screen in front of the conversation. It keeps what the user chose
// (selection, filter); everything else comes from the live state.
type Page interface {
	// Key takes a key; false when the page has no use for it.
	Key(s *live.State, name string, runes []rune) (Action, bool)
	Paste(s *live.State, text string)
	Mouse(s *live.State, e tea.MouseMsg)
	// Render returns at most v.Height rows, and the caret when text is typed.
	Render(v View) ([]string, *Point)
}

// Verb is something that only the caller can do.
type Verb uint8

// What pages ask for.
const (
	Nothing Verb = iota
	Enable
	Disable
	Reload
	ShowHooks
	ShowPlugin
	Resume
	NewSession
	Close
	AskKey // for Env of Plugin
)

// Action is what a key on a page asks for.
type Action struct {
	Do      Verb
	Plugin  string // key
	Filter  string
	Session string // id
	Env     event.EnvVar
}

// list is the part that the pages share: a selection, a window on the rows
// that follows it, and a filter that is typed into.
type list struct {
	pick   int
	first  int
	filter string
	typing bool
	saved  string // filter before typing began
}

// key handles the keys of every list; n is how many rows there are.
func (l *list) key(name string, runes []rune, n, page int) bool {
	if l.typing {
		return l.typeKey(name, runes)
	}
	switch name {
	case "up", "k":
		l.pick--
	case "down", "j":
		l.pick++
	case "pgup":
		l.pick -= page
	case "pgdown":
		l.pick += page
	case "home", "g":
		l.pick = 0
	case "end", "G":
		l.pick = n - 1
	case "/":
		l.typing, l.saved = true, l.filter
		return true
	default:
		return false
	}
	l.clamp(n)
	return true
}

// typeKey handles a key while the filter is typed.
func (l *list) typeKey(name string, runes []rune) bool {
	switch name {
	case "enter", "tab", "down", "up":
		l.typing = false
	case "esc":
		l.typing, l.filter = false, l.saved
	case "backspace", "ctrl+h":
		if r := []rune(l.filter); len(r) > 0 {
			l.filter = string(r[:len(r)-1])
		}
	case "ctrl+u":
		l.filter = ""
	default:
		if len(runes) == 0 || strings.HasPrefix(name, "alt+") {
			return false
		}
		l.filter += render.Line(string(runes))
		if runes[len(runes)-1] == ' ' {
			l.filter += " "
		}
	}
	return true
}

func (l *list) paste(text string) {
	if l.typing {
		l.filter += render.Line(text)
	}
}

func (l *list) clamp(n int) { l.pick = max(min(l.pick, n-1), 0) }

// window returns the range of rows that is shown in height rows.
func (l *list) window(n, height int) (from, to int) {
	l.clamp(n)
	l.first = min(max(l.first, l.pick-height+1), max(l.pick, 0))
	l.first = max(min(l.first, n-height), 0)
	return l.first, min(l.first+height, n)
}

// wheel moves the selection by what the mouse wheel says.
func (l *list) wheel(e tea.MouseMsg, n int) {
	switch e.Button {
	case tea.MouseButtonWheelUp:
		l.pick -= 3
	case tea.MouseButtonWheelDown:
		l.pick += 3
	}
	l.clamp(n)
}

// title is the first row of a page: what it shows, the filter, something at
// the right. It returns where the caret of the filter is.
func (l *list) title(v View, left, filterLabel, right string) (string, *Point) {
	row := " " + left
	var caret *Point
	if filterLabel != "" && (l.typing || l.filter != "" || render.Width(row)+20 < v.Width) {
		row += "   " + v.Look.Style.Muted.Render(filterLabel+": ") + l.filter
		if l.typing {
			caret = &Point{X: render.Width(row), Y: 0}
		}
	}
	if n := render.Width(row) + 2 + render.Width(right); right != "" && n < v.Width {
		row = render.Pad(row, v.Width-render.Width(right)-1) + right
	}
	return render.Truncate(row, v.Width, render.Ellipsis), caret
}

// keyRows are the last rows of a page: a rule, the key hints, and the way back
// at the right of the last of them. Hints stand apart by two blanks or more;
// one that has no room in at most most rows is left out rather than cut. Small
// screens have no hints (design: below 20 rows).
func keyRows(v View, hints, back string, most int) []string {
	if v.Height < hintRowsFrom {
		return nil
	}
	width := v.Width - 2
	back = "Esc " + back
	rows := []string{""}
	for hint := range strings.SplitSeq(hints, "  ") {
		hint = strings.TrimSpace(hint)
		if hint == "" {
			continue
		}
		last := &rows[len(rows)-1]
		text := hint
		if *last != "" {
			text = *last + "  " + hint
		}
		room := width
		if len(rows) == most {
			room -= render.Width(back) + 2
		}
		switch {
		case render.Width(text) <= room:
			*last = text
		case len(rows) < most && render.Width(hint) <= width:
			rows = append(rows, hint)
		}
	}
	if n := len(rows); render.Width(rows[n-1])+2+render.Width(back) > width && n < most {
		rows = append(rows, "")
	}
	last := &rows[len(rows)-1]
	*last = render.Fit(*last, max(width-render.Width(back), 0)) + back
	out := []string{rule(v)}
	for _, row := range rows {
		out = append(out, " "+v.Look.Style.Muted.Render(render.Truncate(row, v.Width-1, render.Ellipsis)))
	}
	return out
}

// hintRowsFrom is from how many rows on a page, one less than the screen, shows
// key hints.
const hintRowsFrom = 19

func rule(v View) string {
	return v.Look.Style.Border.Render(strings.Repeat(v.Look.Glyph.H, v.Width))
}

func dots(v View, width int) string {
	return v.Look.Style.Border.Render(strings.Repeat(v.Look.Glyph.Dots, max(width, 0)))
}

// matches applies a filter: every word must stand somewhere in the text; ! before a
// word means that it must not.
func matches(filter, text string) bool {
	text = strings.ToLower(text)
	for word := range strings.FieldsSeq(strings.ToLower(filter)) {
		neg := strings.HasPrefix(word, "!") && len(word) > 1
		if strings.Contains(text, strings.TrimPrefix(word, "!")) == neg && (neg || word != "!") {
			return false
		}
	}
	return true
}
