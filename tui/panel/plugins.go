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

// Plugins is the page of all plugins: a list with the worst on top, and the
// detail of the selected one below it, beside it from wideFrom columns on, or
// alone after Enter.
type Plugins struct {
	list
	keep    string // of the selected plugin, so that sorting does not move it
	bundled bundledShown
	order   order
	alone   bool // the detail fills the page
	tab     tab
	scroll  int
	pending map[string]int // plugin -> reports seen when its toggle was asked for
}

// bundledShown is which of the plugins that come with the program and are not
// enabled are listed.
type bundledShown uint8

const (
	bundledExamples bundledShown = iota // the examples, for newcomers
	bundledAll
	bundledNone
)

func (b bundledShown) lists(q *live.Plugin) bool {
	return b == bundledAll || b == bundledExamples && q.Example
}

// canHide tells whether the key for bundled plugins hides q.
func canHide(q *live.Plugin) bool { return q.Bundled && q.Health() == look.Off }

// hideable counts the plugins that the key for bundled ones shows and hides.
func hideable(s *live.State) int {
	n := 0
	for _, q := range s.Plugins.Sorted() {
		if canHide(q) {
			n++
		}
	}
	return n
}

// hidden counts those of them that are not listed.
func (p *Plugins) hidden(s *live.State) int {
	n := 0
	for _, q := range s.Plugins.Sorted() {
		if canHide(q) && !p.bundled.lists(q) {
			n++
		}
	}
	return n
}

// wideFrom is from how many columns on the detail stands beside the list, and
// listWidth how wide the list is then.
const (
	wideFrom  = 110
	listWidth = 58
)

// NewPlugins returns the page.
func NewPlugins() *Plugins { return &Plugins{pending: map[string]int{}} }

// Select moves the selection to a plugin.
func (p *Plugins) Select(key string) { p.keep, p.filter = key, "" }

// rows are the plugins that are listed.
func (p *Plugins) rows(s *live.State) []*live.Plugin {
	var out []*live.Plugin
	for _, q := range s.Plugins.Sorted() {
		if canHide(q) && !p.bundled.lists(q) {
			continue
		}
		if matches(p.filter, q.Name+" "+q.Key+" "+q.State+" "+q.Source) {
			out = append(out, q)
		}
	}
	p.order.sort(out)
	return out
}

// selected follows the plugin, not the row.
func (p *Plugins) selected(s *live.State) (rows []*live.Plugin, cur *live.Plugin) {
	rows = p.rows(s)
	for i, q := range rows {
		if q.Key == p.keep {
			p.pick = i
		}
	}
	p.clamp(len(rows))
	if len(rows) == 0 {
		return rows, nil
	}
	cur = rows[p.pick]
	p.keep = cur.Key
	return rows, cur
}

// Key handles a key.
func (p *Plugins) Key(s *live.State, name string, runes []rune) (Action, bool) {
	rows, cur := p.selected(s)
	if !p.typing && cur != nil {
		if a, ok := p.act(s, cur, name); ok {
			return a, true
		}
		if p.alone && p.scrollKey(name) {
			return Action{}, true
		}
	}
	if !p.typing && !p.alone && p.listKey(s, name) {
		return Action{}, true
	}
	before := p.pick
	if !p.key(name, runes, len(rows), 10) {
		return Action{}, false
	}
	if p.pick != before && p.pick < len(rows) {
		p.keep, p.scroll = rows[p.pick].Key, 0
	}
	return Action{}, true
}

// act handles the keys that act on the selected plugin.
func (p *Plugins) act(s *live.State, cur *live.Plugin, name string) (Action, bool) {
	switch name {
	case " ":
		p.pending[cur.Key] = cur.Reports
		if cur.State == event.PluginFound || cur.State == event.PluginDisabled {
			return Action{Do: Enable, Plugin: cur.Key}, true
		}
		return Action{Do: Disable, Plugin: cur.Key}, true
	case "r":
		return Action{Do: Reload}, true
	case "e":
		p.alone, p.tab, p.scroll = true, tabErrors, 0
	case "l":
		p.alone, p.tab, p.scroll = true, tabLog, 0
	case "k":
		if e, ok := p.wantedKey(cur); ok {
			return Action{Do: AskKey, Plugin: cur.Key, Env: e}, true
		}
		return Action{}, false
	case "h":
		return Action{Do: ShowHooks, Filter: "plugin:" + cur.Key}, true
	case "enter":
		p.alone = !p.alone
	case "left", "right", "tab", "shift+tab":
		p.turn(name)
	case "esc":
		if !p.alone {
			return Action{}, false
		}
		p.alone = false
	default:
		if t, ok := tabByKey(name); ok {
			p.tab, p.scroll = t, 0
			return Action{}, true
		}
		return Action{}, false
	}
	return Action{}, true
}

// wantedKey is the variable that k asks for: the first one that is not set; on
// the tab of variables also one that is, to change it.
func (p *Plugins) wantedKey(cur *live.Plugin) (event.EnvVar, bool) {
	for _, e := range cur.RequiresEnv {
		if !e.Set {
			return e, true
		}
	}
	if p.alone && p.tab == tabEnv && len(cur.RequiresEnv) > 0 {
		return cur.RequiresEnv[0], true
	}
	return event.EnvVar{}, false
}

// wants tells whether k has something to ask for.
func (p *Plugins) wants(cur *live.Plugin) bool {
	if cur == nil {
		return false
	}
	_, ok := p.wantedKey(cur)
	return ok
}

// listKey handles the keys that change what is listed.
func (p *Plugins) listKey(s *live.State, name string) bool {
	switch name {
	case "b":
		if p.hidden(s) > 0 {
			p.bundled = bundledAll
		} else {
			p.bundled = bundledNone
		}
	case "s":
		p.order = p.order.next()
	default:
		return false
	}
	return true
}

func (p *Plugins) turn(name string) {
	p.scroll = 0
	n := len(tabs())
	at := tabIndex(p.tab)
	if name == "left" || name == "shift+tab" {
		at--
	} else {
		at++
	}
	p.tab = tabs()[(at+n)%n].id
}

func (p *Plugins) scrollKey(name string) bool {
	switch name {
	case "up", "k":
		p.scroll = max(p.scroll-1, 0)
	case "down", "j":
		p.scroll++
	case "pgup":
		p.scroll = max(p.scroll-10, 0)
	case "pgdown":
		p.scroll += 10
	case "home", "g":
		p.scroll = 0
	case "end", "G":
		p.scroll = 1 << 20 // bounded when drawn
	default:
		return false
	}
	return true
}

// Paste goes to the filter.
func (p *Plugins) Paste(_ *live.State, text string) { p.paste(text) }

// Mouse moves the selection.
func (p *Plugins) Mouse(s *live.State, e tea.MouseMsg) {
	rows, _ := p.selected(s)
	p.wheel(e, len(rows))
	if p.pick < len(rows) {
		p.keep = rows[p.pick].Key
	}
}

// Render draws the page.
func (p *Plugins) Render(v View) ([]string, *Point) {
	rows, cur := p.selected(v.State)
	if p.alone && cur != nil {
		return p.renderAlone(v, cur), nil
	}
	l := v.Look
	user, bundled := origins(v.State.Plugins.Sorted())
	head := l.Style.Title.Render(l.T(locale.UIPluginsTitle)) + "   " + l.T(locale.UIPluginsHead, user, bundled)
	switch {
	case p.hidden(v.State) > 0:
		head += l.T(locale.UIBundledShow)
	case hideable(v.State) > 0:
		head += l.T(locale.UIBundledHide)
	}
	title, caret := p.title(v, head, l.T(locale.UIFilter), p.order.title(l))
	out := []string{title, rule(v)}
	keys := p.keys(v, cur)
	height := max(v.Height-len(out)-len(keys), 1)
	if v.Width >= wideFrom {
		out = append(out, p.wide(v, rows, cur, height)...)
	} else {
		out = append(out, p.narrow(v, rows, cur, height)...)
	}
	return append(out, keys...), caret
}

// keys are the last rows: what can be pressed here.
func (p *Plugins) keys(v View, cur *live.Plugin) []string {
	l := v.Look
	hints := l.T(locale.UIPluginsKeys) + "  " + l.T(locale.UIPluginsKeys2)
	if hideable(v.State) > 0 {
		hints += "  " + l.T(locale.UIPluginsKeyB)
	}
	if p.wants(cur) {
		hints = l.T(locale.UIPluginsKeyK) + "  " + hints
	}
	return keyRows(v, hints, l.T(locale.UIBack), 2)
}

// narrow puts the detail of the selected plugin below the list.
func (p *Plugins) narrow(v View, rows []*live.Plugin, cur *live.Plugin, height int) []string {
	table := p.table(v, rows, v.Width)
	below := []string{}
	switch {
	case cur == nil || height < 6:
	case height < 10: // why it is as it is, in a row or two
		below = preview(v, cur, v.Width, p.reports(cur))[1:]
		below = below[:min(len(below), height/3)]
	default:
		below = preview(v, cur, v.Width, p.reports(cur))
	}
	// The preview gets what the list leaves, at least half.
	room := height
	if len(below) > 0 {
		room = max(height-len(below)-1, min(len(rows)+3, (height+1)/2))
		below = append([]string{dots(v, v.Width)}, below...)
	}
	out := p.listed(v, table, rows, room, v.Width)
	for len(out) < room {
		out = append(out, "")
	}
	out = append(out, below...)
	for len(out) < height {
		out = append(out, "")
	}
	return out[:height]
}

// wide puts the detail beside the list.
func (p *Plugins) wide(v View, rows []*live.Plugin, cur *live.Plugin, height int) []string {
	left := p.listed(v, p.table(v, rows, listWidth), rows, height, listWidth)
	if free := height - len(left) - 1; free > 4 {
		left = append(left, dots(v, listWidth))
		left = append(left, loadTimes(v, rows, listWidth)...)
		left = append(left, chains(v, listWidth)...)
	}
	var right []string
	width := v.Width - listWidth - 2
	if cur != nil {
		right = append(right, heading(v, cur, width), tabRow(v, cur, p.tab, width), dots(v, width))
		body := p.body(v, cur, width)
		p.scroll = max(min(p.scroll, len(body)-(height-len(right))), 0)
		right = append(right, body[p.scroll:]...)
	}
	border := v.Look.Style.Border.Render(v.Look.Glyph.V)
	out := make([]string, height)
	at := func(rows []string, i int) string {
		if i < len(rows) {
			return rows[i]
		}
		return ""
	}
	for i := range out {
		out[i] = render.Fit(at(left, i), listWidth) + border + " " + render.Truncate(at(right, i), width, render.Ellipsis)
	}
	return out
}

// renderAlone draws the detail over the whole page.
func (p *Plugins) renderAlone(v View, cur *live.Plugin) []string {
	l := v.Look
	head := " " + l.T(locale.UIPluginsTitle) + " › " + heading(v, cur, v.Width-12)
	out := []string{head, rule(v), " " + tabRow(v, cur, p.tab, v.Width-1), dots(v, v.Width)}
	keys := p.detailKeys(v, cur)
	height := max(v.Height-len(out)-len(keys), 1)
	body := p.body(v, cur, v.Width-2)
	p.scroll = max(min(p.scroll, len(body)-height), 0)
	shown := body[p.scroll:min(p.scroll+height, len(body))]
	for _, row := range shown {
		out = append(out, " "+row)
	}
	for len(out) < v.Height-len(keys) {
		out = append(out, "")
	}
	return append(out, keys...)
}

func (p *Plugins) detailKeys(v View, cur *live.Plugin) []string {
	keys := v.Look.T(locale.UIPluginKeys)
	if p.wants(cur) {
		keys = v.Look.T(locale.UIPluginsKeyK) + "  " + keys
	}
	return keyRows(v, keys, v.Look.T(locale.UIBackToList), 2)
}

// reports tells whether an asked-for toggle has not been answered yet.
func (p *Plugins) reports(q *live.Plugin) bool {
	seen, ok := p.pending[q.Key]
	if ok && seen != q.Reports {
		delete(p.pending, q.Key)
		return false
	}
	return ok
}

// table returns the header and one row per plugin.
func (p *Plugins) table(v View, rows []*live.Plugin, width int) []string {
	l := v.Look
	cols := columnsOf(l, width, rows)
	out := []string{l.Style.Muted.Render(cols.head(l))}
	for i, q := range rows {
		out = append(out, cols.row(l, i, q, p.state(l, q)))
	}
	for i := range out {
		out[i] = render.Truncate(out[i], width, render.Ellipsis)
	}
	return out
}

// state is the word of a plugin's state, or what is being done to it.
func (p *Plugins) state(l *look.Look, q *live.Plugin) string {
	if p.reports(q) {
		if q.State == event.PluginFound || q.State == event.PluginDisabled {
			return l.T(locale.UIEnabling)
		}
		return l.T(locale.UIDisabling)
	}
	return word(l, q.Health())
}

// listed puts header and visible rows together, with the selection marked.
func (p *Plugins) listed(v View, table []string, rows []*live.Plugin, height, width int) []string {
	out := []string{table[0]}
	if height > 8 {
		out = append(out, dots(v, width))
	}
	if len(rows) == 0 {
		return append(out, emptyPlugins(v, p.filter != "")...)
	}
	from, to := p.window(len(rows), max(height-len(out), 1))
	for i := from; i < to; i++ {
		row := table[i+1]
		if i == p.pick {
			row = v.Look.Style.Accent.Render(v.Look.Glyph.Pick) + render.Cut(row, 1, width)
		}
		out = append(out, row)
	}
	return out
}

func emptyPlugins(v View, filtered bool) []string {
	l := v.Look
	if filtered {
		return []string{" " + l.Style.Muted.Render(l.T(locale.UINothingMatches))}
	}
	if !v.State.Settled {
		return []string{" " + l.Style.Muted.Render(l.T(locale.UIScanning))}
	}
	var out []string
	for row := range strings.SplitSeq(l.T(locale.UIPluginsEmpty), "\n") {
		out = append(out, " "+l.Style.Muted.Render(row))
	}
	return out
}

// tableColumns are the columns of the plugin table.
type tableColumns struct {
	sign, name, ver, state int
	full                   bool // every figure
	figures                numbers
	cells                  [][]string // one row per plugin
}

func columnsOf(l *look.Look, width int, rows []*live.Plugin) tableColumns {
	c := tableColumns{sign: signWidth(l), name: 13, ver: 6, state: 12}
	calls, errs := l.T(locale.UIColCalls), l.T(locale.UIColErrors)
	switch {
	case width >= 78:
		c.name, c.state, c.full = 14, 10, true
		c.figures = numbers{
			{l.T(locale.UIColTools), 7, 7},
			{l.T(locale.UIColHooks), 6, 6},
			{l.T(locale.UIColCommands), 5, 5},
			{calls, 7, 7},
			{errs, 4, 4},
			{l.T(locale.UIColHookP95), 10, 8},
			{l.T(locale.UIColLoad), 6, 7},
		}
	case width < 54: // name, state and calls have to do
		c.ver, c.state = 0, 10
		c.figures = numbers{{calls, 6, 6}, {errs, 4, 4}}
	default:
		c.figures = numbers{{calls, 6, 6}, {errs, 5, 5}, {l.T(locale.UIColHookP95), 9, 7}}
	}
	for _, q := range rows {
		c.cells = append(c.cells, c.cellsOf(l, q))
	}
	const least = 8 // cells of a name that can still be told from others
	c.name -= c.figures.fit(c.cells)
	if over := c.width() - width; over > 0 {
		c.name -= over
	}
	if c.name < least && c.ver > 0 {
		c.name += c.ver + 1
		c.ver = 0
	}
	c.name = max(c.name, least)
	return c
}

// width is how wide a row is.
func (c tableColumns) width() int {
	n := c.sign + 2 + c.name + 1 + c.state
	if c.ver > 0 {
		n += c.ver + 1
	}
	heads, cells := 0, 0
	for _, f := range c.figures {
		heads, cells = heads+f.head, cells+f.width
	}
	return n + max(heads, cells)
}

// cellsOf are the figures of a plugin.
func (c tableColumns) cellsOf(l *look.Look, q *live.Plugin) []string {
	dash := l.Glyph.Dash
	active := q.Health() != look.Off && q.Health() != look.NeedsKey && q.Health() != look.Skipped
	n := func(i int) string {
		if !active {
			return dash
		}
		return fmt.Sprint(i)
	}
	ms := func(x float64, any bool) string {
		if !any {
			return dash
		}
		return look.Millis(x)
	}
	errs := errorsOf(q)
	errText := n(errs)
	if errs > 0 {
		errText = fmt.Sprint(errs)
	}
	p95 := ms(q.Hooks.P(95), q.Hooks.N > 0)
	out := []string{n(q.Calls.N), errText, p95}[:min(len(c.figures), 3)]
	if !c.full {
		return out
	}
	if p95 == dash {
		p95 += " " // below the middle of the figures
	}
	return []string{
		n(len(q.Plugin.Tools)), n(len(q.Plugin.Hooks)), n(len(q.Commands)),
		n(q.Calls.N), errText, p95, ms(q.LoadMs, q.LoadMs > 0),
	}
}

// lead is the left part of a row: name, version, state.
func (c tableColumns) lead(name, version, state string) string {
	row := render.Fit(name, c.name) + " "
	if c.ver > 0 {
		row += render.Fit(version, c.ver) + " "
	}
	return row + render.Fit(state, c.state)
}

func (c tableColumns) head(l *look.Look) string {
	return strings.Repeat(" ", c.sign+2) + c.lead(l.T(locale.UIColName), l.T(locale.UIColVersion), l.T(locale.UIColState)) + c.figures.titles()
}

func (c tableColumns) row(l *look.Look, i int, q *live.Plugin, state string) string {
	sign := render.Pad(l.State(q.Health()), c.sign)
	return " " + sign + " " + c.lead(render.Line(q.Name), render.Line(q.Version), state) + c.figures.row(c.cells[i])
}

// num right-aligns a figure.
func num(s string, width int) string { return render.PadLeft(s, width) }
