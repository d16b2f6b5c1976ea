package slash

import (
	"fmt"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Rows of the menu at full height: the list, then the explanation.
const (
	listRows    = 8
	explainRows = 3
	minList     = 3
)

// Model is the menu.
type Model struct {
	look    *look.Look
	cmds    []event.Command
	known   bool
	query   string
	matches []match
	pick    int
	open    bool
	shut    string // draft for which the user closed it
	lastRun map[string]string
}

// New returns a closed menu.
func New(l *look.Look) *Model { return &Model{look: l, lastRun: map[string]string{}} }

// SetLook changes how it is drawn.
func (m *Model) SetLook(l *look.Look) { m.look = l }

// SetCommands replaces the catalogue; known is false while it is a memory of
// the last run.
func (m *Model) SetCommands(cmds []event.Command, known bool) {
	m.cmds, m.known = cmds, known
	if m.open {
		m.refresh(m.query)
	}
}

// Commands is the catalogue.
func (m *Model) Commands() []event.Command { return m.cmds }

// Ran notes how a command's last run went, for the explanation.
func (m *Model) Ran(name, how string) { m.lastRun[name] = how }

// Update opens, filters or closes the menu for a draft. The menu stays shut
// for a draft that was closed with Esc, until it changes.
func (m *Model) Update(draft string, allowed bool) {
	name, _, ok := Parse(draft)
	if !ok || !allowed || draft == m.shut || len(name)+1 != len(draft) {
		m.open = false
		if draft != m.shut {
			m.shut = ""
		}
		return
	}
	m.shut = ""
	if !m.open || name != m.query {
		m.refresh(name)
		m.pick = 0
	}
	m.open = len(m.matches) > 0
}

func (m *Model) refresh(query string) {
	keep := ""
	if m.pick < len(m.matches) {
		keep = m.matches[m.pick].cmd.Name
	}
	m.query, m.matches = query, rank(m.cmds, query)
	if query == "" {
		m.matches = group(m.matches)
	}
	m.pick = 0
	for i := range m.matches {
		if m.matches[i].cmd.Name == keep {
			m.pick = i
		}
	}
}

// Open tells whether the menu is shown.
func (m *Model) Open() bool { return m.open }

// Close shuts it for this draft.
func (m *Model) Close(draft string) { m.open, m.shut = false, draft }

// Move moves the highlight, around at the ends.
func (m *Model) Move(by int) {
	if n := len(m.matches); n > 0 {
		m.pick = ((m.pick+by)%n + n) % n
	}
}

// Picked is the highlighted command.
func (m *Model) Picked() (event.Command, bool) {
	if !m.open || m.pick >= len(m.matches) {
		return event.Command{}, false
	}
	return m.matches[m.pick].cmd, true
}

// groups is the order of the built-in groups in the menu of an empty query.
func groups() []string {
	return []string{"Session", "Model", "Configuration", "Tools & Skills", "Info", "Exit"}
}

// group puts the commands of one group together, built-in ones first, then
// one group per plugin.
func group(ms []match) []match {
	seen := map[string][]match{}
	var order []string
	for _, m := range ms {
		g := groupOf(m.cmd)
		if seen[g] == nil {
			order = append(order, g)
		}
		seen[g] = append(seen[g], m)
	}
	var out []match
	take := func(g string) {
		out = append(out, seen[g]...)
		delete(seen, g)
	}
	for _, g := range groups() {
		take(g)
	}
	for _, owned := range []bool{false, true} {
		for _, g := range order {
			if len(seen[g]) > 0 && (seen[g][0].cmd.Owner != "") == owned {
				take(g)
			}
		}
	}
	return out
}

func groupOf(c event.Command) string {
	if c.Group != "" {
		return c.Group
	}
	return c.Owner
}

// Render returns the menu in at most height rows of the width, none when it is
// shut or there is no room.
func (m *Model) Render(width, height int) []string {
	if !m.open || height < 3 || width < 12 {
		return nil
	}
	s, g := m.look.Style, m.look.Glyph
	rows := min(len(m.matches), listRows, max(height-2, 1))
	explain := 0
	if left := height - 2 - rows; left >= explainRows+1 || rows > minList && height-2-minList >= explainRows+1 {
		explain = explainRows
		rows = min(rows, height-2-explain-1)
	}
	inner := width - 2
	var out []string
	out = append(out, m.top(width))
	first := min(max(0, m.pick-rows/2), len(m.matches)-rows)
	cols := m.columns(first, rows, inner)
	for i := first; i < first+rows; i++ {
		out = append(out, m.frame(m.row(i, cols, inner), inner))
	}
	if explain > 0 {
		out = append(out, s.Border.Render(g.V+strings.Repeat(g.Dots, inner)+g.V))
		for _, row := range m.explain() {
			out = append(out, m.frame(row, inner))
		}
	}
	out = append(out, s.Border.Render(g.BL+strings.Repeat(g.H, inner)+g.BR))
	return out
}

func (m *Model) frame(row string, inner int) string {
	v := m.look.Style.Border.Render(m.look.Glyph.V)
	return v + render.Fit(row, inner) + v
}

// top is the upper border: what is typed at the left, what keys do at the
// right.
func (m *Model) top(width int) string {
	l, s, g := m.look, m.look.Style, m.look.Glyph
	left := " /" + render.Line(m.query) + " "
	right := ""
	for _, r := range []string{
		" " + l.T(locale.UIMenuTitle, len(m.matches), len(m.cmds)) + " ",
		" " + l.T(locale.UIMenuTitleShort, len(m.matches), len(m.cmds)) + " ",
	} {
		if render.Width(left)+render.Width(r)+6 <= width {
			right = r
			break
		}
	}
	left = render.Truncate(left, max(width-5-render.Width(right), 1), render.Ellipsis)
	fill := width - 4 - render.Width(left) - render.Width(right)
	return s.Border.Render(g.TL+g.H) + s.Title.Render(left) + s.Border.Render(strings.Repeat(g.H, max(fill, 0))) + s.Muted.Render(right) + s.Border.Render(g.H+g.TR)
}

// columns are the widths of name and owner for the rows in view.
type columns struct{ name, owner int }

func (m *Model) columns(first, rows, inner int) columns {
	var c columns
	for i := first; i < first+rows; i++ {
		name, owner := m.label(m.matches[i].cmd), m.owner(m.matches[i].cmd)
		c.name = max(c.name, render.Width(name))
		c.owner = max(c.owner, render.Width(owner))
	}
	c.name = min(c.name, max(inner/3, 12))
	c.owner = min(c.owner, max(inner/4, 6))
	if inner < 48 {
		c.owner = 0
	}
	return c
}

func (m *Model) label(c event.Command) string {
	s := "/" + render.Line(c.Name)
	if c.Args != "" {
		s += " " + render.Line(c.Args)
	}
	return s
}

// owner names whose command it is: built-in ones by their group.
func (m *Model) owner(c event.Command) string {
	if c.Owner != "" {
		return m.look.T(locale.UIMenuPlugin, render.Line(c.Owner))
	}
	return m.look.T(locale.UIMenuBuiltin)
}

func (m *Model) row(i int, c columns, inner int) string {
	s := m.look.Style
	mt := m.matches[i]
	lead := "   "
	if i == m.pick {
		lead = " " + s.Accent.Render(m.look.Glyph.Pick) + " "
	}
	name := "/" + m.mark(mt)
	if mt.cmd.Args != "" {
		name += " " + s.Muted.Render(render.Line(mt.cmd.Args))
	}
	row := lead + render.Fit(name, c.name) + "   "
	if c.owner > 0 {
		row += s.Muted.Render(render.Fit(m.owner(mt.cmd), c.owner)) + "   "
	}
	room := max(inner-render.Width(row), 0)
	about := render.Line(mt.cmd.Description)
	switch {
	case mt.tier == description:
		about = m.look.T(locale.UIMenuInText, m.query) + " " + about
	case mt.alias != "":
		about = m.look.T(locale.UIMenuAlias, mt.alias) + " " + m.look.Glyph.Bullet + " " + about
	}
	return row + render.Truncate(about, room, render.Ellipsis)
}

// mark shows the letters of the name that matched in bold and underlined.
func (m *Model) mark(mt match) string {
	hit := map[int]bool{}
	for _, at := range mt.at {
		hit[at] = true
	}
	var b strings.Builder
	var run strings.Builder
	flush := func() {
		b.WriteString(m.look.Style.Match.Render(run.String()))
		run.Reset()
	}
	for i, r := range mt.cmd.Name {
		if hit[i] {
			run.WriteRune(r)
			continue
		}
		flush()
		b.WriteRune(r)
	}
	flush()
	return b.String()
}

// explain is the lower part: usage, owner, what the keys do next.
func (m *Model) explain() []string {
	l := m.look
	c := m.matches[m.pick].cmd
	head := func(msg locale.Msg) string { return " " + l.Style.Muted.Render(render.Pad(l.T(msg), 8)) + " " }
	owner := l.T(locale.UIMenuBuiltinLong)
	if c.Owner != "" {
		owner = l.T(locale.UIMenuPlugin, render.Line(c.Owner))
	}
	if how := m.lastRun[c.Name]; how != "" {
		owner += " " + l.Glyph.Bullet + " " + how
	}
	next := l.T(locale.UIMenuNextRun, "/"+c.Name)
	if NeedsArgument(c) {
		next = l.T(locale.UIMenuNextArg, "/"+c.Name+" ", c.Args)
	}
	return []string{
		head(locale.UIMenuUsage) + m.label(c) + aliases(l, c),
		head(locale.UIMenuOwner) + owner,
		head(locale.UIMenuNext) + render.Line(next),
	}
}

func aliases(l *look.Look, c event.Command) string {
	if len(c.Aliases) == 0 {
		return ""
	}
	return fmt.Sprintf("  (%s)", l.T(locale.UIMenuAliases, "/"+strings.Join(c.Aliases, ", /")))
}
