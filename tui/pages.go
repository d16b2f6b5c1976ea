package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"hermes/tui/internal/term"
	"hermes/tui/panel"
)

// pageID names a full-screen page.
type pageID uint8

const (
	pageNone pageID = iota
	pageHelp
	pagePlugins
	pageHooks
	pageTools
	pageSessions
)

// pages holds the pages and which of them is in front of the conversation.
type pages struct {
	m   *model
	cur pageID
	all map[pageID]panel.Page
}

func newPages(m *model) pages {
	return pages{m: m, all: map[pageID]panel.Page{
		pageHelp:     panel.NewHelp(m.helpSections),
		pagePlugins:  panel.NewPlugins(),
		pageHooks:    panel.NewHooks(),
		pageTools:    panel.NewTools(),
		pageSessions: panel.NewSessions(),
	}}
}

func (p *pages) open() bool { return p.cur != pageNone }

func (p *pages) show(id pageID) { p.cur = id }

func (p *pages) close() { p.cur = pageNone }

// toggle opens a page, or closes it when it is in front.
func (p *pages) toggle(id pageID) {
	if p.cur == id {
		id = pageNone
	}
	p.cur = id
	if id == pageSessions {
		p.m.backend.ListSessions()
	}
}

// key gives a key to the page in front. Esc that the page does not want closes
// it.
func (p *pages) key(name string, runes []rune) (tea.Cmd, bool) {
	action, ok := p.all[p.cur].Key(p.m.state, name, runes)
	if !ok {
		if name == "esc" {
			p.close()
			return nil, true
		}
		return nil, false
	}
	return p.m.act(action), true
}

func (p *pages) paste(text string) { p.all[p.cur].Paste(p.m.state, text) }

func (p *pages) mouse(e tea.MouseMsg) { p.all[p.cur].Mouse(p.m.state, e) }

// compose draws the page in front over the whole screen, with the status line
// at the bottom.
func (p *pages) compose(f *term.Frame, l layout) {
	m := p.m
	v := panel.View{Look: m.look, State: m.state, Width: l.w, Height: max(l.h-1, 1), Now: m.at}
	rows, caret := p.all[p.cur].Render(v)
	for len(rows) < v.Height {
		rows = append(rows, "")
	}
	rows = rows[:v.Height]
	if l.h > 1 {
		rows = append(rows, m.statusLine(l, l.w, false, p.cur == pagePlugins))
	}
	f.Lines = rows
	if caret != nil {
		f.Cursor.X, f.Cursor.Y, f.Cursor.Visible = min(caret.X, l.w-1), min(caret.Y, l.h-1), true
	}
}

// act carries out what a page asks for.
func (m *model) act(a panel.Action) tea.Cmd {
	switch a.Do {
	case panel.Enable:
		m.backend.EnablePlugin(a.Plugin)
	case panel.Disable:
		m.backend.DisablePlugin(a.Plugin)
	case panel.Reload:
		m.backend.ReloadPlugins()
	case panel.ShowHooks:
		if h, ok := m.pages.all[pageHooks].(*panel.Hooks); ok {
			h.SetFilter(a.Filter)
		}
		m.pages.show(pageHooks)
	case panel.ShowPlugin:
		if p, ok := m.pages.all[pagePlugins].(*panel.Plugins); ok {
			p.Select(a.Plugin)
		}
		m.pages.show(pagePlugins)
	case panel.Resume:
		m.pages.close()
		m.backend.Command("/resume " + a.Session)
	case panel.NewSession:
		m.pages.close()
		m.backend.Command("/new")
	case panel.AskKey:
		m.askKey(a.Plugin, a.Env)
	case panel.Close:
		m.pages.close()
	}
	return nil
}
