package panel

import (
	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// HelpSection is a group of keys.
type HelpSection struct {
	Title string
	Keys  [][2]string // keys, what they do
}

// Help lists the keys.
type Help struct {
	list
	sections func(l *look.Look) []HelpSection
	rows     int
}

// NewHelp returns the page; sections are asked for when it is drawn.
func NewHelp(sections func(l *look.Look) []HelpSection) *Help { return &Help{sections: sections} }

// Key scrolls.
func (h *Help) Key(_ *live.State, name string, runes []rune) (Action, bool) {
	if name == "q" || name == "?" {
		return Action{Do: Close}, true
	}
	return Action{}, h.key(name, runes, h.rows, 10)
}

// Paste goes to the filter.
func (h *Help) Paste(_ *live.State, text string) { h.paste(text) }

// Mouse scrolls.
func (h *Help) Mouse(_ *live.State, e tea.MouseMsg) { h.wheel(e, h.rows) }

// Render draws the page.
func (h *Help) Render(v View) ([]string, *Point) {
	l := v.Look
	head, caret := h.title(v, l.Style.Title.Render(l.T(locale.UIHelpTitle)), l.T(locale.UIFilter), "Esc "+l.T(locale.UIBack))
	const keyWidth, leastText = 26, 40
	var rows []string
	for _, s := range h.sections(l) {
		var part []string
		for _, k := range s.Keys {
			if !matches(h.filter, k[0]+" "+k[1]) {
				continue
			}
			if v.Width < 2+keyWidth+1+leastText { // the text goes below its keys
				part = append(part, "  "+l.Style.Accent.Render(render.Truncate(k[0], v.Width-2, render.Ellipsis)))
				part = append(part, wrapped("      ", k[1], v.Width)...)
				continue
			}
			part = append(part, wrapped("  "+l.Style.Accent.Render(render.Pad(k[0], keyWidth))+" ", k[1], v.Width)...)
		}
		if len(part) > 0 {
			if len(rows) > 0 {
				rows = append(rows, "")
			}
			rows = append(rows, " "+l.Style.Title.Render(s.Title))
			rows = append(rows, part...)
		}
	}
	h.rows = len(rows)
	height := max(v.Height-2, 1)
	from := max(min(h.pick, len(rows)-height), 0)
	h.pick = from
	return append([]string{head, rule(v)}, rows[from:min(from+height, len(rows))]...), caret
}
