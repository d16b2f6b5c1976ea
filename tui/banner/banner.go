// Package banner draws the first thing in the conversation: which model
// answers, which tools it has, how the plugins fared, and what to press next.
package banner

import (
	"fmt"
	"sort"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Info is what the banner shows besides the live state.
type Info struct {
	Version string
	Dir     string // shortened
	Rows    int    // of the screen: they decide how much is listed
	// Offers are the plugins that a key enables, with that key.
	Offers []Offer
}

// Offer is a plugin that was found but is not enabled.
type Offer struct {
	Plugin *live.Plugin
	Key    string
}

// Rows of the screen from which on the banner lists more.
const (
	smallRows = 20
	tallRows  = 40
)

// labelWidth is the room of the labels in front of the rows.
const labelWidth = 9

// Render returns the banner at a width.
func Render(l *look.Look, s *live.State, info Info, width int) []string {
	b := &builder{look: l, s: s, info: info, inner: max(width-4, 1)}
	if width < 20 {
		return []string{render.Truncate(l.Agent()+" "+info.Version, width, render.Ellipsis)}
	}
	b.top(width)
	if info.Rows < smallRows {
		b.oneToolset()
		b.row(l.T(locale.UIPlugins), b.countsAndOffers())
	} else {
		b.model()
		sets, troubles := 4, 3
		if info.Rows >= tallRows {
			sets, troubles = 8, 5
		}
		b.toolsets(sets)
		b.plugins(troubles)
		b.offers()
	}
	g := l.Glyph
	b.out = append(b.out, l.Style.Border.Render(g.BL+strings.Repeat(g.H, width-2)+g.BR))
	if info.Rows >= smallRows {
		b.out = append(b.out, "", " "+l.Style.Muted.Render(render.Truncate(Keys(l), width-1, render.Ellipsis)))
	}
	return b.out
}

// Keys is the line that tells a newcomer where things are.
func Keys(l *look.Look) string {
	return strings.Join([]string{
		"F1 " + l.T(locale.UIHelp), "/ " + l.T(locale.UIKeyCommands), "@ " + l.T(locale.UIKeyFilesShort),
		"Ctrl+R " + l.T(locale.UIHistory), "Ctrl+P " + l.T(locale.UIKeyPaletteShort),
		"F2 " + l.T(locale.UIPlugins),
	}, " "+l.Glyph.Bullet+" ")
}

type builder struct {
	look  *look.Look
	s     *live.State
	info  Info
	inner int
	out   []string
}

// top is the upper border: name and version at the left, directory at the
// right.
func (b *builder) top(width int) {
	g, st := b.look.Glyph, b.look.Style
	left := render.Truncate(" "+render.Line(b.look.Agent()+" "+b.info.Version)+" ", width-4, render.Ellipsis)
	right := ""
	if dir := render.Line(b.info.Dir); dir != "" {
		room := width - 4 - render.Width(left) - 3
		if n := render.Width(dir); n > room && room > 4 {
			dir = render.Ellipsis + render.Cut(dir, n-room+1, n)
		}
		if render.Width(dir) <= room {
			right = " " + dir + " "
		}
	}
	fill := max(width-4-render.Width(left)-render.Width(right), 0)
	b.out = append(b.out, st.Border.Render(g.TL+g.H)+st.Title.Render(left)+st.Border.Render(strings.Repeat(g.H, fill))+st.Muted.Render(right)+st.Border.Render(g.H+g.TR))
}

// row adds a row with its label, or without one.
func (b *builder) row(label, text string) {
	v := b.look.Style.Border.Render(b.look.Glyph.V)
	lead := b.look.Style.Muted.Render(render.Fit(label, labelWidth))
	b.out = append(b.out, v+" "+render.Fit(lead+text, b.inner)+" "+v)
}

func (b *builder) room() int { return max(b.inner-labelWidth, 1) }

func (b *builder) model() {
	l, m := b.look, b.s.Model
	text := l.Glyph.More
	switch {
	case m.Demo:
		text = l.Style.Warn.Render(l.T(locale.UIDemoModel)) + " " + l.T(locale.UIDemoAbout)
	case m.Name != "":
		text = render.Line(m.Name)
		if m.Provider != "" {
			text += " (" + render.Line(m.Provider) + ")"
		}
	}
	right := ""
	if id := sessionID(b.s.Session); id != "" {
		right = l.T(locale.UISession, id)
		switch title := render.Line(b.s.Title); {
		case title != "":
			right += " " + l.Glyph.Bullet + " " + render.Truncate(title, max(b.room()/3, 8), render.Ellipsis)
		case b.s.Resumed:
		case b.s.Turn.ID == "":
			right += l.T(locale.UISessionNew)
		}
	}
	b.row(l.T(locale.UIModel), sides(text, right, b.room()))
}

// sides puts one text at the left and one at the right of a row; the left one
// is cut first, the right one dropped when there is no room at all.
func sides(left, right string, width int) string {
	room := width - render.Width(right) - 2
	if right == "" || room < 12 {
		return render.Truncate(left, width, render.Ellipsis)
	}
	return render.Pad(render.Truncate(left, room, render.Ellipsis), room+2) + right
}

// sessionID shortens an id to its last part, which tells sessions apart.
func sessionID(id string) string {
	id = render.Line(id)
	if i := strings.LastIndexAny(id, "_-"); i >= 0 && len(id) > 12 && len(id)-i > 4 {
		return id[i+1:]
	}
	return id
}

// Toolset is a row of the list: its tools and the plugin they come from.
type Toolset struct {
	Name  string
	Tools []string
	Owner string
}

// Toolsets groups tools as the banner prints them: built-in sets first, then
// those of plugins, each sorted; the ending _tools is dropped.
func Toolsets(tools []event.ToolInfo) []Toolset {
	type key struct{ name, owner string }
	at := map[key]int{}
	var out []Toolset
	for _, t := range tools {
		if t.Hidden {
			continue
		}
		k := key{strings.TrimSuffix(render.Line(t.Toolset), "_tools"), t.Owner}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, Toolset{Name: k.name, Owner: t.Owner})
		}
		out[i].Tools = append(out[i].Tools, render.Line(t.Name))
	}
	for i := range out {
		sort.Strings(out[i].Tools)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if (a.Owner == "") != (b.Owner == "") {
			return a.Owner == ""
		}
		return a.Name < b.Name
	})
	return out
}

func (b *builder) toolsets(limit int) {
	l := b.look
	label := l.T(locale.UIToolsets)
	sets := Toolsets(b.s.Tools)
	builtin := 0
	for _, t := range sets {
		if t.Owner == "" {
			builtin++
		}
	}
	// Plugins' sets are never cut: built-in ones make room for them.
	show := min(builtin, max(limit-(len(sets)-builtin), 1))
	for i, t := range sets {
		if t.Owner == "" && i >= show {
			continue
		}
		for _, row := range b.toolset(t) {
			b.row(label, row)
			label = ""
		}
	}
	switch hidden := builtin - show; {
	case len(sets) == 0:
		b.row(label, l.Glyph.More)
	case hidden > 0:
		text := l.T(locale.UIMoreSets, hidden, len(b.s.Tools))
		if hidden == 1 {
			text = l.T(locale.UIMoreSet1, hidden, len(b.s.Tools))
		}
		b.row("", l.Style.Muted.Render(l.Glyph.More+" "+text))
	case !b.s.ToolsKnown:
		b.row("", l.Style.Muted.Render(l.Glyph.More))
	}
}

// oneToolset is the toolset line of small screens: what the plugins brought,
// which is never cut, or else the first set.
func (b *builder) oneToolset() {
	label := b.look.T(locale.UIToolsets)
	sets := Toolsets(b.s.Tools)
	if len(sets) == 0 {
		b.row(label, b.look.Glyph.More)
		return
	}
	own := sets[:1]
	for i, t := range sets {
		if t.Owner != "" {
			own = sets[i:]
			break
		}
	}
	for _, t := range own {
		for _, row := range b.toolset(t) {
			b.row(label, row)
			label = ""
		}
	}
}

// countsAndOffers is the plugin line of small screens: the counts, and the
// keys of as many offers as there is room for.
func (b *builder) countsAndOffers() string {
	text := b.counts()
	for _, o := range b.info.Offers {
		more := " " + b.look.Glyph.Bullet + " " + b.look.Style.Accent.Render(o.Key) + " " + render.Line(o.Plugin.Name)
		if render.Width(text)+render.Width(more) > b.room() {
			break
		}
		text += more
	}
	return text
}

// toolset returns the rows of one set: one for a built-in set, as many as it
// takes for a plugin's.
func (b *builder) toolset(t Toolset) []string {
	text := t.Name + ": " + strings.Join(t.Tools, ", ")
	if t.Owner == "" {
		return []string{render.Truncate(text, b.room(), render.Ellipsis)}
	}
	mark := ""
	if owner := b.name(t.Owner); owner != t.Name {
		mark = "(" + owner + ")"
	}
	rows := render.Wrap(text, b.room())
	last := rows[len(rows)-1]
	// The bracket has its own column at three quarters, or a row below.
	switch column := b.room() - render.Width(mark) - 9; {
	case mark == "":
	case render.Width(last) < column:
		rows[len(rows)-1] = render.Pad(last, column) + b.look.Style.Accent.Render(mark)
	case render.Width(last)+2+render.Width(mark) <= b.room():
		rows[len(rows)-1] = last + "  " + b.look.Style.Accent.Render(mark)
	default:
		rows = append(rows, "  "+b.look.Style.Accent.Render(mark))
	}
	return rows
}

// name is a plugin's name; its key while nothing more is known.
func (b *builder) name(key string) string {
	if p := b.s.Plugins.Get(key); p != nil && p.Name != "" {
		return render.Line(p.Name)
	}
	return render.Line(key)
}

func (b *builder) plugins(limit int) {
	l := b.look
	b.row(l.T(locale.UIPlugins), b.counts())
	var bad []*live.Plugin
	for _, p := range b.s.Plugins.Sorted() {
		switch p.Health() {
		case look.Failed, look.Crashed, look.NeedsKey, look.Partial:
			bad = append(bad, p)
		}
	}
	if limit > 0 && 2*len(bad) > b.s.Plugins.Len() {
		limit = max(limit, 5)
	}
	for i, p := range bad {
		if i == limit {
			if limit > 0 {
				b.row("", l.Style.Muted.Render(l.Glyph.More+" "+l.T(locale.UIMorePlugins, len(bad)-limit)))
			}
			return
		}
		b.row("", b.trouble(p))
	}
}

func (b *builder) trouble(p *live.Plugin) string {
	l := b.look
	text, keys := Reason(l, p), " (F2)"
	if p.State == event.PluginNeedsKey && len(p.Missing) > 0 {
		keys = " (F2, k)"
	}
	if h := p.Health(); h != look.NeedsKey {
		text = render.Pad(render.Line(p.Name), 10) + " " + text
	}
	room := max(b.room()-render.Width(l.State(p.Health()))-1-1-render.Width(keys), 1)
	return l.State(p.Health()) + " " + render.Truncate(text, room, render.Ellipsis) + l.Style.Muted.Render(keys)
}

// Reason says in one line why a plugin is not well.
func Reason(l *look.Look, p *live.Plugin) string {
	switch {
	case p.State == event.PluginNeedsKey && len(p.Missing) > 0:
		return l.T(locale.PluginMissingEnv, render.Line(p.Name), render.Line(strings.Join(p.Missing, ", ")))
	case p.Plugin.Error != nil:
		e := p.Plugin.Error
		if e.Type == "" {
			return render.Line(e.Message)
		}
		return render.Line(e.Type + ": " + e.Message)
	case p.Reason != "":
		return render.Line(p.Reason)
	case len(p.Notices) > 0:
		return render.Line(p.Notices[0])
	}
	return ""
}

// counts is the plugin line: 4 ok · 1 disabled · 1 FAILED.
func (b *builder) counts() string {
	l := b.look
	n := b.s.Plugins.Counts()
	if b.s.Plugins.Len() == 0 {
		if b.s.Settled {
			return l.T(locale.UINoPlugins)
		}
		return l.Glyph.More
	}
	var parts []string
	for _, p := range []struct {
		text  locale.Msg
		n     int
		style look.Style
	}{
		{locale.UICountOK, n[look.OK] + n[look.Failing] + n[look.SlowHooks], l.Style.OK},
		{locale.UICountPartial, n[look.Partial], l.Style.Warn},
		{locale.UICountStarting, n[look.Starting], l.Style.Muted},
		{locale.UICountPaused, n[look.Paused], l.Style.Warn},
		{locale.UICountNeedsKey, n[look.NeedsKey], l.Style.Warn},
		{locale.UICountFailed, n[look.Failed] + n[look.Crashed], l.Style.Error},
		{locale.UICountOff, n[look.Off], l.Style.Muted},
		{locale.UICountSkipped, n[look.Skipped], l.Style.Muted},
	} {
		if p.n > 0 {
			parts = append(parts, p.style.Render(fmt.Sprintf(l.T(p.text), p.n)))
		}
	}
	return strings.Join(parts, " "+l.Glyph.Bullet+" ")
}

// offers names what was found and is not enabled, with the key that does it.
func (b *builder) offers() {
	l := b.look
	for _, o := range b.info.Offers {
		p := o.Plugin
		about := l.T(locale.UIOfferFound)
		if p.Example {
			about = l.T(locale.UIOfferExample)
		}
		text := l.State(look.Off) + " " + render.Pad(render.Line(p.Name), 10) + " " + about
		if d := render.Line(p.Description); d != "" {
			text += ": " + d
		}
		key := l.T(locale.UIOfferKey, o.Key)
		room := max(b.room()-render.Width(key)-2, 1)
		b.row("", render.Pad(render.Truncate(text, room, render.Ellipsis), room)+"  "+l.Style.Accent.Render(key))
	}
}
