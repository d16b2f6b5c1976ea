package panel

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/render"
)

// Sessions is the page of the stored sessions, the newest first.
type Sessions struct{ list }

// NewSessions returns the page.
func NewSessions() *Sessions { return &Sessions{} }

func (p *Sessions) rows(s *live.State) []event.StoredSession {
	if p.filter == "" {
		return s.Sessions
	}
	var out []event.StoredSession
	for _, e := range s.Sessions {
		if matches(p.filter, e.Title+" "+e.ID+" "+e.Model+" "+e.Dir) {
			out = append(out, e)
		}
	}
	return out
}

// Key handles a key.
func (p *Sessions) Key(s *live.State, name string, runes []rune) (Action, bool) {
	rows := p.rows(s)
	p.clamp(len(rows))
	if !p.typing {
		switch name {
		case "enter":
			if len(rows) == 0 {
				return Action{}, true
			}
			return Action{Do: Resume, Session: rows[p.pick].ID}, true
		case "n":
			return Action{Do: NewSession}, true
		}
	}
	return Action{}, p.key(name, runes, len(rows), 10)
}

// Paste goes to the filter.
func (p *Sessions) Paste(_ *live.State, text string) { p.paste(text) }

// Mouse moves the selection.
func (p *Sessions) Mouse(s *live.State, e tea.MouseMsg) { p.wheel(e, len(p.rows(s))) }

// Widths of the columns at the right of the title.
const (
	activeWidth   = 14
	messagesWidth = 9
)

// Render draws the page.
func (p *Sessions) Render(v View) ([]string, *Point) {
	l, s := v.Look, v.State
	rows := p.rows(s)
	head := l.Style.Title.Render(l.T(locale.UISessionsTitle)) + "   " + l.T(locale.UISessionsStored, len(s.Sessions))
	title, caret := p.title(v, head, l.T(locale.UIFilter), "")
	out := []string{title, rule(v)}
	keys := keyRows(v, l.T(locale.UISessionsKeys), l.T(locale.UIBack), 1)
	name := max(v.Width-3-activeWidth-messagesWidth, 8)
	if v.Width >= smallList {
		columns := "   " + cell(l.T(locale.UIColSession), name) + cell(l.T(locale.UIColActive), activeWidth) + render.PadLeft(l.T(locale.UIColMessages), messagesWidth)
		out = append(out, l.Style.Muted.Render(render.Truncate(columns, v.Width, "")))
	}
	if why := p.empty(v, rows); why != "" {
		out = append(out, " "+why)
	}
	from, to := p.window(len(rows), max(v.Height-len(out)-len(keys), 1))
	for i := from; i < to; i++ {
		out = append(out, p.row(v, rows[i], i == p.pick, name))
	}
	for len(out) < v.Height-len(keys) {
		out = append(out, "")
	}
	return append(out, keys...), caret
}

// smallList is from how many columns on the list has its columns.
const smallList = 60

func (p *Sessions) empty(v View, rows []event.StoredSession) string {
	l, s := v.Look, v.State
	switch {
	case s.SessionsErr != "":
		return l.Style.Error.Render(l.Glyph.Failed + " " + render.Line(s.SessionsErr))
	case !s.SessionsKnown:
		return l.Style.Muted.Render(l.T(locale.UISessionsReading))
	case len(s.Sessions) == 0:
		return l.Style.Muted.Render(l.T(locale.UISessionsFirst))
	case len(rows) == 0:
		return l.Style.Muted.Render(l.T(locale.UINothingMatches))
	}
	return ""
}

func (p *Sessions) row(v View, e event.StoredSession, picked bool, name int) string {
	l := v.Look
	lead := "   "
	if picked {
		lead = l.Style.Accent.Render(l.Glyph.Pick) + "  "
	}
	title := render.Line(e.Title)
	if title == "" {
		title = render.Line(e.ID)
	}
	when := locale.Ago(l.Lang, v.Now, e.Active)
	if e.ID == v.State.Session {
		when = l.T(locale.UISessionsCurrent)
	}
	if v.Width < smallList {
		return render.Truncate(lead+title, v.Width, render.Ellipsis)
	}
	return lead + cell(title, name) + l.Style.Muted.Render(cell(when, activeWidth)) + render.PadLeft(strconv.Itoa(e.Messages), messagesWidth)
}
