package panel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
	"hermes/tui/transcript"
)

// Hooks is the page of hook events: what ran, for how long, what it did to the
// turn. The newest run is at the bottom and the list follows it, until the
// user moves the selection or freezes the list.
type Hooks struct {
	list
	follow bool
	frozen bool
	upTo   int  // runs shown while frozen, by Ring.Total
	whole  bool // the detail shows whole payloads
	scroll int

	// The filtered list is kept while nothing changed: five thousand runs are
	// not filtered for every key.
	kept    []int // indexes into the ring
	keptFor keptKey
}

type keptKey struct {
	filter      string
	total, upTo int
}

// NewHooks returns the page.
func NewHooks() *Hooks { return &Hooks{follow: true} }

// SetFilter shows what a filter selects.
func (h *Hooks) SetFilter(filter string) { h.filter, h.follow = filter, true }

// runs returns the indexes of the listed runs, oldest first.
func (h *Hooks) runs(s *live.State) []int {
	ring := &s.Hooks
	key := keptKey{h.filter, ring.Total, -1}
	if h.frozen {
		key.total, key.upTo = ring.Total, h.upTo
	}
	if h.kept != nil && h.keptFor == key {
		return h.kept
	}
	f := parseFilter(h.filter)
	out := make([]int, 0, ring.Len())
	n := ring.Len()
	if h.frozen {
		n = max(n-(ring.Total-h.upTo), 0)
	}
	for i := range n {
		e := ring.At(i)
		text := ""
		if h.filter != "" {
			text = strings.ToLower(e.Hook + " " + e.Plugin + "." + e.Callback + " " + e.Effect + " " + e.Detail + errText(e))
		}
		if f.match(e, text) {
			out = append(out, i)
		}
	}
	h.kept, h.keptFor = out, key
	return out
}

func errText(e *event.HookRun) string {
	if e.Err == nil {
		return ""
	}
	return " " + e.Err.Type + " " + e.Err.Message
}

// Key handles a key.
func (h *Hooks) Key(s *live.State, name string, runes []rune) (Action, bool) {
	rows := h.runs(s)
	if h.follow {
		h.pick = max(len(rows)-1, 0)
	}
	if !h.typing {
		if a, ok := h.act(s, rows, name); ok {
			return a, true
		}
	}
	typing := h.typing
	if !h.key(name, runes, len(rows), 10) {
		return Action{}, false
	}
	if !typing && !h.typing {
		h.follow = h.pick >= len(rows)-1
		h.scroll = 0
	}
	if typing {
		h.follow = true
	}
	return Action{}, true
}

func (h *Hooks) act(s *live.State, rows []int, name string) (Action, bool) {
	switch name {
	case " ":
		h.frozen, h.upTo = !h.frozen, s.Hooks.Total
	case "e":
		h.SetFilter("result:error,timeout")
	case "s":
		h.SetFilter("dur>1s")
	case "b":
		h.SetFilter("result:block,changed")
	case "a":
		h.SetFilter("")
	case "enter":
		h.whole, h.scroll = !h.whole, 0
	case "p":
		if h.pick < len(rows) {
			return Action{Do: ShowPlugin, Plugin: s.Hooks.At(rows[h.pick]).Plugin}, true
		}
	case "esc":
		if !h.whole {
			return Action{}, false
		}
		h.whole = false
	case "up", "k", "down", "j", "pgup", "pgdown":
		if !h.whole {
			return Action{}, false
		}
		h.scroll = max(h.scroll+map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10}[name], 0)
	default:
		return Action{}, false
	}
	return Action{}, true
}

// Paste goes to the filter.
func (h *Hooks) Paste(_ *live.State, text string) { h.paste(text) }

// Mouse moves the selection.
func (h *Hooks) Mouse(s *live.State, e tea.MouseMsg) {
	n := len(h.runs(s))
	if h.follow {
		h.pick = n - 1
	}
	h.wheel(e, n)
	h.follow = h.pick >= n-1
}

// Render draws the page.
func (h *Hooks) Render(v View) ([]string, *Point) {
	l, s := v.Look, v.State
	rows := h.runs(s)
	if h.follow {
		h.pick = len(rows) - 1
	}
	h.clamp(len(rows))
	title, caret := h.title(v, h.head(v), l.T(locale.UIFilter), "")
	out := []string{title, rule(v)}
	keys := h.keys(v)
	height := max(v.Height-len(out)-len(keys), 1)
	var below []string
	if len(rows) > 0 && height >= 6 {
		below = h.detail(v, s, rows, v.Width)
		room := min(len(below), max(height/3, 4))
		if height < 12 && !h.whole { // who in full, and what came of it
			below = runInShort(l, s.Hooks.At(rows[h.pick]), v.Width)
			room = min(len(below), height/3)
		}
		if h.whole {
			room = max(height-5, 3)
			below = h.detail(v, s, rows, v.Width)
		}
		h.scroll = max(min(h.scroll, len(below)-room), 0)
		below = below[h.scroll:min(h.scroll+room, len(below))]
		below = append([]string{dots(v, v.Width)}, below...)
	}
	out = append(out, h.table(v, s, rows, height-len(below))...)
	for len(out) < v.Height-len(keys)-len(below) {
		out = append(out, "")
	}
	out = append(out, below...)
	return append(out, keys...), caret
}

func (h *Hooks) head(v View) string {
	l, ring := v.Look, &v.State.Hooks
	state := l.Style.OK.Render(l.T(locale.UILive) + " " + l.Glyph.Live)
	if h.frozen {
		state = l.Style.Warn.Render(l.T(locale.UIFrozen, ring.Total-h.upTo))
	}
	sep := " " + l.Glyph.Bullet + " "
	return l.Style.Title.Render(l.T(locale.UIHooksTitle)) + "  " + state + "   " +
		l.N(ring.Total, locale.UIEvent1, locale.UIEventCount) + sep + l.T(locale.UISlowCount, ring.Slow) + sep + l.N(ring.Failed, locale.UIError1, locale.UIErrors)
}

func (h *Hooks) keys(v View) []string {
	l := v.Look
	return keyRows(v, l.T(locale.UIHooksKeys)+"  "+l.T(locale.UIHooksKeys2), l.T(locale.UIBack), 2)
}

// runColumns are the places of the columns of the table.
type runColumns struct {
	hook, who int
	timeless  bool // no time: the list is in its order, and the preview tells it
	tight     bool // no blanks around the bullet
}

func runColumnsOf(width int) runColumns {
	switch {
	case width >= 70:
		return runColumns{hook: 16, who: 27}
	case width >= 56:
		return runColumns{hook: 14, who: width - 44, tight: true}
	}
	// Took needs six cells, a result at least eight.
	hook := max(min(width-26, 14), 6)
	return runColumns{hook: hook, who: max(width-hook-17, 6), timeless: true, tight: true}
}

// runTime is the column of the time, or nothing where there is no room for it.
func (c runColumns) runTime(text string) string {
	if c.timeless {
		return ""
	}
	return render.Fit(text, 8) + "  "
}

func (h *Hooks) table(v View, s *live.State, rows []int, height int) []string {
	l := v.Look
	c := runColumnsOf(v.Width)
	head := " " + c.runTime(l.T(locale.UIColTime)) + render.Fit(l.T(locale.UIColHook), c.hook) + " " +
		cell(l.T(locale.UIColPluginCallback), c.who) + num(l.T(locale.UIColTook), 5) + "  " + l.T(locale.UIColResult)
	out := []string{l.Style.Muted.Render(render.Truncate(head, v.Width, ""))}
	if height > 6 {
		out = append(out, dots(v, v.Width))
	}
	if len(rows) == 0 {
		return append(out, h.empty(v)...)
	}
	from, to := h.window(len(rows), max(height-len(out), 1))
	for i := from; i < to; i++ {
		row := runRow(l, s.Hooks.At(rows[i]), c, v.Width)
		if i == h.pick {
			row = l.Style.Accent.Render(l.Glyph.Pick) + render.Cut(row, 1, v.Width)
		}
		out = append(out, row)
	}
	return out
}

func runRow(l *look.Look, e *event.HookRun, c runColumns, width int) string {
	took := num(look.Millis(e.Ms), 5)
	if slow(e) {
		took = l.Style.Warn.Render(took + "!")
	} else {
		took += " "
	}
	bullet := " " + l.Glyph.Bullet + " "
	if c.tight {
		bullet = l.Glyph.Bullet
	}
	who := render.Line(e.Plugin + bullet + e.Callback)
	row := " " + c.runTime(look.Clock(e.At)) + render.Fit(render.Line(e.Hook), c.hook) + " " + cell(who, c.who) + took + " " + effectStyled(l, e)
	return render.Truncate(row, width, render.Ellipsis)
}

func effectStyled(l *look.Look, e *event.HookRun) string {
	text := transcript.Effect(l, e)
	switch {
	case e.Timeout || e.Err != nil:
		return l.Style.Error.Render(text)
	case e.Effect == "block":
		return l.Style.Warn.Render(text)
	case e.Effect == "":
		return l.Style.Muted.Render(text)
	}
	return text
}

// empty says why there is nothing to see.
func (h *Hooks) empty(v View) []string {
	l := v.Look
	if h.filter != "" && v.State.Hooks.Len() > 0 {
		return []string{" " + l.Style.Muted.Render(l.T(locale.UINothingMatches))}
	}
	var out []string
	for _, q := range v.State.Plugins.Sorted() {
		if len(q.Plugin.Hooks) > 0 {
			out = append(out, " "+render.Fit(render.Line(q.Name), 14)+" "+render.Line(strings.Join(q.Plugin.Hooks, ", ")))
		}
	}
	if len(out) == 0 {
		text := locale.UIHooksNone
		if v.State.Settled {
			text = locale.UIHooksUnused
		}
		return []string{" " + l.Style.Muted.Render(l.T(text))}
	}
	return append([]string{" " + l.Style.Muted.Render(l.T(locale.UIHooksWaiting)), ""}, out...)
}

// detail is what is known about the selected run.
func (h *Hooks) detail(v View, s *live.State, rows []int, width int) []string {
	e := s.Hooks.At(rows[h.pick])
	return runDetail(v, s, e, width, h.whole)
}

func runDetail(v View, s *live.State, e *event.HookRun, width int, whole bool) []string {
	l := v.Look
	sep := " " + l.Glyph.Bullet + " "
	head := []string{render.Line(e.Hook), render.Line(e.Plugin + "." + e.Callback)}
	if e.Turn != "" {
		head = append(head, l.T(locale.UITurnID, shortID(e.Turn)))
	}
	if e.Call != "" {
		head = append(head, render.Line(e.Call))
	}
	head = append(head, e.At.Local().Format("15:04:05.000"))
	out := []string{" " + render.Truncate(strings.Join(head, sep), width-1, render.Ellipsis)}
	label := func(m locale.Msg) string { return " " + l.Style.Muted.Render(render.Pad(l.T(m), 5)) + " " }
	out = append(out, payloadRows(label(locale.UIIn), e.Payload, width, whole)...)
	result := transcript.Effect(l, e)
	if e.Err != nil {
		result = l.T(locale.UIRaised, render.Line(errorText(*e.Err)))
		if e.Err.File != "" {
			result += "   " + strings.TrimSpace(place(v, *e.Err)[0])
		}
	}
	out = append(out, wrapped(label(locale.UIOut), result, width)...)
	if whole && e.Detail != "" && e.Err == nil {
		out = append(out, wrapped(strings.Repeat(" ", 7), render.StripAll(e.Detail), width)...)
	}
	if whole && e.Err != nil && e.Err.Traceback != "" {
		if q := s.Plugins.Get(e.Plugin); q != nil {
			out = append(out, traceback(v, strings.TrimRight(e.Err.Traceback, "\n"), q, width)...)
		}
	}
	if others := othersOn(v, s, e); others != "" {
		out = append(out, wrapped(strings.Repeat(" ", 7), others, width)...)
	}
	return out
}

// runInShort tells of a run what the table of a small screen cuts.
func runInShort(l *look.Look, e *event.HookRun, width int) []string {
	sep := " " + l.Glyph.Bullet + " "
	result := effectStyled(l, e)
	if e.Err != nil {
		result = l.Style.Error.Render(render.Line(errorText(*e.Err)))
	}
	out := wrapped(" ", look.Clock(e.At)+sep+render.Line(e.Plugin+"."+e.Callback), width)
	return append(out, wrapped(" ", look.Millis(e.Ms)+sep+result, width)...)
}

// shortID is the end of an id, which tells turns apart.
func shortID(id string) string {
	id = render.Line(id)
	const enough = 8
	if n := render.Width(id); n > enough {
		return render.Cut(id, n-enough, n)
	}
	return id
}

// payloadRows shows the arguments in one row, or all of them.
func payloadRows(lead, payload string, width int, whole bool) []string {
	text := render.StripAll(payload)
	if !whole {
		return []string{lead + render.Truncate(render.Line(text), max(width-render.Width(lead), 1), render.Ellipsis)}
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(payload), "", "  ") == nil {
		text = render.StripAll(b.String())
	}
	var out []string
	for i, row := range render.WrapHard(text, max(width-render.Width(lead), 1)) {
		if i == 0 {
			out = append(out, lead+row)
		} else {
			out = append(out, strings.Repeat(" ", render.Width(lead))+row)
		}
	}
	return out
}

// othersOn names what else ran at the same point of the turn.
func othersOn(v View, s *live.State, e *event.HookRun) string {
	var parts []string
	for i := range s.Hooks.Len() {
		o := s.Hooks.At(i)
		if o.Seq != e.Seq && o.Hook == e.Hook && o.Turn == e.Turn && o.Call == e.Call && o.Turn != "" {
			parts = append(parts, fmt.Sprintf("%s.%s %s %s", render.Line(o.Plugin), render.Line(o.Callback), look.Millis(o.Ms), transcript.Effect(v.Look, o)))
		}
	}
	if len(parts) == 0 || len(parts) > 8 {
		return ""
	}
	return v.Look.T(locale.UIOthersRan, strings.Join(parts, ", "))
}
