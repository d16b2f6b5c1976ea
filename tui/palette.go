package tui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"

	"hermes/agent/locale"
	"hermes/tui/composer/slash"
	"hermes/tui/internal/popup"
	"hermes/tui/internal/render"
	"hermes/tui/panel"
)

// palette is the list of everything that can be done (Ctrl+P): keys, commands,
// plugins, sessions. Its query stands in the title; the draft stays.
type palette struct {
	open  bool
	query string
	all   []entry
	shown []entry
	list  popup.List
}

// entry is one thing that can be done.
type entry struct {
	item popup.Item
	do   func() tea.Cmd
}

func (m *model) openPalette() {
	m.palette = palette{open: true, all: m.entries()}
	m.menu.Close(m.composer.Text())
	m.mention.open = false
	m.backend.ListSessions() // for the next time, should there be new ones
	m.filterPalette()
}

// entries collects what the palette offers.
func (m *model) entries() []entry {
	l := m.look
	var out []entry
	add := func(kind locale.Msg, label, about string, do func() tea.Cmd) {
		out = append(out, entry{popup.Item{Label: label, Kind: l.T(kind), About: about}, do})
	}
	for _, c := range m.menu.Commands() {
		add(locale.UIPaletteCmd, "/"+c.Name, c.Description, func() tea.Cmd {
			if slash.NeedsArgument(c) {
				m.composer.SetText("/" + c.Name + " ")
				m.complete()
				return nil
			}
			if c.UI != "" {
				return m.action(c.UI, "/"+c.Name)
			}
			m.backend.Command("/" + c.Name)
			return nil
		})
	}
	for _, s := range m.helpSections(l) {
		for _, k := range s.Keys {
			// The first of several keys for the same; what is more than one key
			// cannot be pressed for the user.
			name := keyName(strings.Fields(k[0])[0])
			if name == "" || name == "ctrl+p" || name == "ctrl+c" {
				continue
			}
			add(locale.UIPaletteKey, k[1], k[0], func() tea.Cmd { return m.key(name, nil) })
		}
	}
	for _, p := range m.state.Plugins.Sorted() {
		add(locale.UIPalettePlugin, p.Name, p.Description, func() tea.Cmd {
			return m.act(panel.Action{Do: panel.ShowPlugin, Plugin: p.Key})
		})
	}
	for _, s := range m.state.Sessions {
		add(locale.UIPaletteSess, s.Title, s.ID, func() tea.Cmd {
			return m.act(panel.Action{Do: panel.Resume, Session: s.ID})
		})
	}
	return out
}

// keyName is the name of a key as the help page writes it, empty for what is
// typed rather than pressed.
func keyName(key string) string {
	low := strings.ToLower(key)
	for _, p := range []string{"ctrl+", "alt+", "shift+"} {
		if strings.HasPrefix(low, p) && len(low) > len(p) {
			return low
		}
	}
	if len(low) > 1 && low[0] == 'f' && low[1] >= '1' && low[1] <= '4' {
		return low
	}
	return ""
}

func (m *model) filterPalette() {
	p := &m.palette
	p.list.Pick, p.shown, p.list.Items = 0, p.all, nil
	if query := strings.TrimSpace(p.query); query != "" {
		texts := make([]string, len(p.all))
		for i, e := range p.all {
			texts[i] = e.item.Label + " " + e.item.About
		}
		found := fuzzy.Find(query, texts)
		low := strings.ToLower(query)
		slices.SortStableFunc(found, func(a, b fuzzy.Match) int { return place(texts[a.Index], low) - place(texts[b.Index], low) })
		p.shown = make([]entry, len(found))
		for i, f := range found {
			p.shown[i] = p.all[f.Index]
			label := p.shown[i].item.Label
			p.shown[i].item.At = slices.DeleteFunc(slices.Clone(f.MatchedIndexes), func(at int) bool { return at >= len(label) })
		}
	}
	for _, e := range p.shown {
		p.list.Items = append(p.list.Items, e.item)
	}
}

// place sorts whole words before letters that are scattered.
func place(text, query string) int {
	switch i := strings.Index(strings.ToLower(text), query); {
	case i < 0:
		return 2
	case i <= 1: // behind the slash of a command, too
		return 0
	}
	return 1
}

// paletteKey takes every key while the palette is open but Ctrl+C.
func (m *model) paletteKey(name string, runes []rune) tea.Cmd {
	p := &m.palette
	switch name {
	case "esc", "ctrl+p":
		p.open = false
		m.complete()
		return nil
	case "up":
		p.list.Move(-1)
		return nil
	case "down", "ctrl+n", "tab":
		p.list.Move(1)
		return nil
	case "enter":
		if p.list.Pick >= len(p.shown) {
			return nil
		}
		do := p.shown[p.list.Pick].do
		p.open = false
		return do()
	case "backspace", "ctrl+h":
		if r := []rune(p.query); len(r) > 0 {
			p.query = string(r[:len(r)-1])
		}
	case "ctrl+u":
		p.query = ""
	default:
		if len(runes) == 0 || strings.HasPrefix(name, "alt+") {
			return nil
		}
		p.query += render.StripAll(string(runes))
	}
	m.filterPalette()
	return nil
}

func (m *model) paletteRows(width, height int) []string {
	p, l := &m.palette, m.look
	p.list.Title = l.T(locale.UIPalette, render.Line(p.query))
	p.list.Keys = l.T(locale.UIPaletteKeys, len(p.shown), len(p.all))
	p.list.Empty = l.T(locale.UIPaletteNone)
	return p.list.Render(l, width, height)
}
