package panel

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Tools is the page of the tools that the next request offers, by toolset.
type Tools struct {
	list
	shut  map[string]bool // folded toolsets
	whole bool            // the schema fills the lower part
}

// NewTools returns the page.
func NewTools() *Tools { return &Tools{shut: map[string]bool{}} }

// toolRow is a toolset, or one of its tools.
type toolRow struct {
	set   string
	tool  *event.ToolInfo // nil for the toolset itself
	count int
	owner string
}

// rows lists toolsets and the tools of those that are not folded.
func (t *Tools) rows(s *live.State) []toolRow {
	var out []toolRow
	at := -1
	for i := range s.Tools {
		tool := &s.Tools[i]
		if !matches(t.filter, tool.Name+" "+tool.Toolset+" "+tool.Owner) {
			continue
		}
		if at < 0 || out[at].set != tool.Toolset || out[at].owner != tool.Owner {
			at = len(out)
			out = append(out, toolRow{set: tool.Toolset, owner: tool.Owner})
		}
		out[at].count++
		if !t.shut[tool.Toolset] || t.filter != "" {
			out = append(out, toolRow{set: tool.Toolset, tool: tool, owner: tool.Owner})
		}
	}
	return out
}

// Key handles a key.
func (t *Tools) Key(s *live.State, name string, runes []rune) (Action, bool) {
	rows := t.rows(s)
	t.clamp(len(rows))
	if !t.typing && len(rows) > 0 {
		cur := rows[t.pick]
		switch {
		case name == "enter" && cur.tool == nil, name == "left" || name == "right":
			t.shut[cur.set] = name == "left" || name == "enter" && !t.shut[cur.set]
			return Action{}, true
		case name == "enter":
			t.whole = !t.whole
			return Action{}, true
		case name == "p" && cur.owner != "":
			return Action{Do: ShowPlugin, Plugin: cur.owner}, true
		case name == "esc" && t.whole:
			t.whole = false
			return Action{}, true
		}
	}
	return Action{}, t.key(name, runes, len(rows), 10)
}

// Paste goes to the filter.
func (t *Tools) Paste(_ *live.State, text string) { t.paste(text) }

// Mouse moves the selection.
func (t *Tools) Mouse(s *live.State, e tea.MouseMsg) { t.wheel(e, len(t.rows(s))) }

// Render draws the page.
func (t *Tools) Render(v View) ([]string, *Point) {
	l, s := v.Look, v.State
	rows := t.rows(s)
	t.clamp(len(rows))
	sets := map[string]bool{}
	for _, r := range rows {
		sets[r.set] = true
	}
	head := l.Style.Title.Render(l.T(locale.UIToolsTitle)) + "   " + l.T(locale.UIToolsHead, len(sets), len(s.Tools))
	title, caret := t.title(v, head, l.T(locale.UIFilter), "~"+l.T(locale.UISchemaTokens, look.Count(schemaTokens(s.Tools))))
	out := []string{title, rule(v)}
	keys := keyRows(v, l.T(locale.UIToolsKeys), l.T(locale.UIBack), 1)
	height := max(v.Height-len(out)-len(keys), 1)
	var below []string
	if len(rows) > 0 && rows[t.pick].tool != nil && height >= 10 {
		below = t.detail(v, rows[t.pick].tool)
		room := min(len(below), 5)
		if t.whole {
			room = min(len(below), max(height-6, 5))
		}
		below = append([]string{dots(v, v.Width)}, below[:room]...)
	}
	out = append(out, t.table(v, rows, height-len(below))...)
	for len(out) < v.Height-len(keys)-len(below) {
		out = append(out, "")
	}
	return append(append(out, below...), keys...), caret
}

func (t *Tools) table(v View, rows []toolRow, height int) []string {
	l := v.Look
	c := toolColumnsOf(v, rows)
	head := "   " + cell(l.T(locale.UIColToolset), 24) + cell(l.T(locale.UIColOn), c.on) + cell(l.T(locale.UIColFrom), 15) + cell(l.T(locale.UIColNeeds), c.needs) + c.figures.titles()
	out := []string{l.Style.Muted.Render(render.Truncate(head, v.Width, ""))}
	if height > 6 {
		out = append(out, dots(v, v.Width))
	}
	if len(rows) == 0 {
		text := locale.UINothingMatches
		if len(v.State.Tools) == 0 {
			text = locale.UINoTools
		}
		return append(out, " "+l.Style.Muted.Render(l.T(text)))
	}
	from, to := t.window(len(rows), max(height-len(out), 1))
	for i := from; i < to; i++ {
		row := t.row(v, c, i, rows[i])
		if i == t.pick {
			row = l.Style.Accent.Render(l.Glyph.Pick) + render.Cut(row, 1, v.Width)
		}
		out = append(out, row)
	}
	return out
}

// toolColumns are the columns of the table of tools.
type toolColumns struct {
	on, needs int
	figures   numbers
	cells     [][]string // one row per row of the table
}

func toolColumnsOf(v View, rows []toolRow) toolColumns {
	l := v.Look
	c := toolColumns{on: 4, needs: 14, figures: numbers{{l.T(locale.UIColCalls), 6, 6}, {l.T(locale.UIColErrors), 5, 5}, {l.T(locale.UIColTokens), 8, 8}}}
	for _, text := range []string{l.T(locale.UIColOn), l.State(look.OK), l.State(look.NeedsKey)} {
		c.on = max(c.on, render.Width(text)+1)
	}
	for _, r := range rows {
		figures := []string{"", "", ""}
		if r.tool != nil {
			figures = []string{"0", "0", "~" + look.Count(schemaTokens([]event.ToolInfo{*r.tool}))}
			if st := v.State.ByTool[r.tool.Name]; st != nil {
				figures[0], figures[1] = fmt.Sprint(st.N), fmt.Sprint(st.Errors)
			}
		}
		c.cells = append(c.cells, figures)
	}
	c.needs = max(c.needs-(c.on-4)-c.figures.fit(c.cells), 6)
	return c
}

// cell is a text in a column of width cells, the last of which stays blank.
func cell(text string, width int) string { return render.Fit(text, width-1) + " " }

func (t *Tools) row(v View, c toolColumns, i int, r toolRow) string {
	l, s := v.Look, v.State
	from := l.T(locale.UIMenuBuiltin)
	if r.owner != "" {
		from = render.Line(r.owner)
		if q := s.Plugins.Get(r.owner); q != nil {
			state := l.State(q.Health())
			from = render.Truncate(render.Line(q.Name), 13-render.Width(state), render.Ellipsis) + " " + state
		}
	}
	if r.tool == nil {
		mark := l.Glyph.Open
		if t.shut[r.set] && t.filter == "" {
			mark = l.Glyph.Folded
		}
		return render.Truncate(" "+mark+" "+l.Style.Bold.Render(cell(render.Line(strings.TrimSuffix(r.set, "_tools")), 24))+render.Fit("", c.on)+cell(from, 15)+l.Style.Muted.Render(l.N(r.count, locale.UITool1, locale.UITools2)), v.Width, render.Ellipsis)
	}
	on := l.State(look.OK)
	if r.tool.Hidden {
		on = l.State(look.NeedsKey)
	}
	return render.Truncate("     "+cell(render.Line(r.tool.Name), 22)+render.Fit(on, c.on)+cell(from, 15)+cell(render.Line(strings.Join(r.tool.RequiresEnv, " ")), c.needs)+c.figures.row(c.cells[i]), v.Width, render.Ellipsis)
}

// schemaTokens estimates what schemas cost in every request: four bytes to a
// token.
func schemaTokens(tools []event.ToolInfo) int {
	n := 0
	for _, t := range tools {
		if !t.Hidden {
			n += (len(t.Schema) + 3) / 4
		}
	}
	return n
}

func (t *Tools) detail(v View, tool *event.ToolInfo) []string {
	l := v.Look
	out := []string{" " + render.Truncate(l.Style.Title.Render(render.Line(tool.Name))+" "+l.Glyph.Dash+" "+render.Line(tool.Description), v.Width-1, render.Ellipsis)}
	var params []string
	for _, p := range parameters(tool.Schema) {
		text := render.Line(p.name) + ": " + render.Line(p.kind)
		if p.required {
			text += " (" + l.T(locale.UIRequired) + ")"
		}
		params = append(params, text)
	}
	if len(params) == 0 {
		params = []string{l.Glyph.Dash}
	}
	out = append(out, " "+render.Truncate(field(v, locale.UIParameters, strings.Join(params, " "+l.Glyph.Bullet+" ")), v.Width-1, render.Ellipsis))
	if tool.Hidden {
		out = append(out, " "+l.Style.Warn.Render(render.Line(l.T(locale.UIToolHidden, tool.Why))))
	}
	if st := v.State.ByTool[tool.Name]; st != nil {
		out = append(out, " "+render.Truncate(field(v, locale.UIToolsRan, figures(v, st, callsOf(), v.Width-12)), v.Width-1, render.Ellipsis))
	}
	if t.whole {
		return append(out, schemaRows(v, tool.Schema, v.Width, 2)...)
	}
	return append(out, " "+l.Style.Muted.Render(l.T(locale.UISchemaKey)))
}
