// Package panel shows what the plugins do: the side panel beside the
// conversation, and the pages with plugins, hook events and tools. Everything
// in it is drawn from the live state, so it changes in place while a turn runs.
package panel

import (
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
	"hermes/tui/status"
)

// Side draws the side panel: width cells wide, with the border at its left,
// and height rows high. Sections go from the bottom when there is no room.
func Side(l *look.Look, s *live.State, width, height int, now time.Time) []string {
	p := &side{look: l, s: s, w: width - 1, now: now}
	plugins, turn, queue := p.plugins(), p.turn(), p.queue()
	middle := p.hooks
	if p.w >= tableWidth { // the hook events have a column of their own there
		middle = p.toolsets
	}
	left := height - len(plugins)
	if left < 0 {
		plugins = p.cut(plugins, height)
		left = 0
	}
	fit := func(rows []string, least int) []string {
		if len(rows) == 0 || left < least {
			return nil
		}
		return rows
	}
	// What is fixed in size is placed first; the hook list takes the rest.
	const leastHooks = 4
	turn = fit(turn, leastHooks+len(turn))
	left -= len(turn)
	queue = fit(queue, leastHooks+len(queue))
	left -= len(queue)
	var rest []string
	if left >= 2 {
		rest = middle(left)
	}
	out := append(append(append(plugins, rest...), turn...), queue...)
	for len(out) < height {
		out = append(out, p.row(""))
	}
	return out[:height]
}

type side struct {
	look *look.Look
	s    *live.State
	w    int // without the border
	now  time.Time
}

// row frames one row.
func (p *side) row(text string) string {
	return p.look.Style.Border.Render(p.look.Glyph.V) + render.Fit(text, p.w)
}

// heading is the line between two sections: ├─ Hooks ──── live  F3 ──.
func (p *side) heading(title, right string) string {
	st, g := p.look.Style, p.look.Glyph
	left := " " + title + " "
	if right != "" {
		right = " " + right + " "
	}
	fill := p.w - 1 - render.Width(left) - render.Width(right) - 2
	return st.Border.Render(g.LT+g.H) + st.Title.Render(left) + st.Border.Render(strings.Repeat(g.H, max(fill, 0))) + st.Muted.Render(right) + st.Border.Render(g.H+g.H)
}

// pair puts a text at the left and one at the right of a row, with a blank
// between them.
func pair(left, right string, width int) string {
	n := render.Width(right)
	if n == 0 {
		return render.Fit(left, width)
	}
	room := max(width-n-1, 0)
	return render.Fit(left, room) + " " + right
}

func (p *side) plugins() []string {
	l := p.look
	right := status.Counts(l, p.s) + "   " + l.Style.Muted.Render("F2") + " "
	title := " " + l.Style.Title.Render(l.T(locale.UIPluginsTitle))
	all := p.s.Plugins.Sorted()
	if p.w >= tableWidth && len(all) > 0 {
		user, bundled := origins(all)
		title += "  " + l.T(locale.UIOrigins, user, bundled)
		out := []string{p.row(pair(title, l.Style.Muted.Render("F2")+" ", p.w))}
		return append(append(out, p.table(all)...), p.row(""))
	}
	out := []string{p.row(pair(title, right, p.w))}
	// Names share a column that the longest of them decides, up to a third.
	name := 8
	for _, q := range all {
		name = max(name, min(render.Width(render.Line(q.Name)), 12))
	}
	for _, q := range all {
		out = append(out, p.row(p.plugin(q, name)))
	}
	if len(all) == 0 {
		text := l.Glyph.More
		if p.s.Settled {
			text = l.T(locale.UINoPluginsShort)
		}
		out = append(out, p.row(" "+l.Style.Muted.Render(text)))
	}
	return append(out, p.row(""))
}

// signWidth is the room of the sign of a state: those in ASCII are words.
func signWidth(l *look.Look) int {
	if l.ASCII {
		return 6
	}
	return 1
}

// tableWidth is from how many columns on the panel shows a table.
const tableWidth = 43

// table lists the plugins with their figures in columns.
func (p *side) table(all []*live.Plugin) []string {
	l := p.look
	sign := signWidth(l)
	figures := make([][]string, len(all))
	for i, q := range all {
		calls, errs, p95 := fmt.Sprint(q.Calls.N), fmt.Sprint(q.Calls.Errors+q.Hooks.Errors), l.Glyph.Dash
		switch h := q.Health(); {
		case h == look.Off || h == look.Skipped:
			calls, errs = l.Glyph.Dash, l.Glyph.Dash
		case q.Hooks.N > 0:
			p95 = look.Millis(q.Hooks.P(95))
		case q.Calls.N > 0:
			p95 = look.Millis(q.Calls.P(95))
		}
		if q.Plugin.Error != nil && errs == "0" {
			errs = "1"
		}
		figures[i] = []string{calls, errs, p95}
	}
	cols := numbers{{l.T(locale.UIColCalls), 6, 6}, {l.T(locale.UIColErrors), 4, 4}, {"p95", 5, 5}}
	const least = 6 // cells of a name that can still be told from others
	name := max(p.w-sign-30-cols.fit(figures), least)
	line := func(sign, n, state, figures string) string {
		return p.row(" " + sign + " " + render.Fit(n, name) + " " + render.Fit(state, 11) + figures)
	}
	out := []string{p.row(l.Style.Muted.Render(strings.Repeat(" ", sign+2) + render.Fit(l.T(locale.UIColName), name) + " " + render.Fit(l.T(locale.UIColState), 11) + cols.titles()))}
	for i, q := range all {
		out = append(out, line(render.Pad(l.State(q.Health()), sign), render.Line(q.Name), word(l, q.Health()), cols.row(figures[i])))
	}
	return out
}

// plugin is one row: sign, name, and what matters most about it now.
func (p *side) plugin(q *live.Plugin, name int) string {
	return " " + render.Pad(p.look.State(q.Health()), signWidth(p.look)) + " " + render.Fit(render.Line(q.Name), name) + "  " + p.figure(q)
}

func (p *side) figure(q *live.Plugin) string {
	l := p.look
	switch h := q.Health(); h {
	case look.Failed, look.Crashed:
		return reason(l, q)
	case look.NeedsKey:
		return l.T(locale.UINeedsKeyShort, render.Line(strings.Join(q.Missing, ", ")))
	case look.SlowHooks:
		if c := slowest(q); c != nil {
			return render.Line(c.Hook) + " " + look.Millis(c.P(95))
		}
	case look.Starting, look.Off, look.Paused, look.Skipped:
		return l.Style.Muted.Render(word(l, h))
	}
	if q.Running > 0 {
		return l.Style.Accent.Render(l.T(locale.UIRunning))
	}
	if q.Calls.N == 0 && q.Hooks.N == 0 {
		return l.Style.Muted.Render(inventory(l, q))
	}
	ran := l.N(q.Calls.N, locale.UICall1, locale.UICalls)
	if q.Calls.N == 0 {
		ran = l.N(q.Hooks.N, locale.UIHookRun1, locale.UIHookRuns)
	}
	text := render.Pad(ran, 10)
	if n := q.Calls.Errors + q.Hooks.Errors; n > 0 {
		return text + " " + l.Style.Warn.Render(l.T(locale.UIErrShort, n))
	}
	if q.Calls.N > 0 {
		return text + " " + look.Millis(q.Calls.LastMs)
	}
	return ran + "  p95 " + look.Millis(q.Hooks.P(95))
}

// inventory is what a plugin registered: 2 tools 1 hook.
func inventory(l *look.Look, q *live.Plugin) string {
	var parts []string
	for _, p := range []struct {
		one, many locale.Msg
		n         int
	}{
		{locale.UITool1, locale.UITools2, len(q.Plugin.Tools)},
		{locale.UIHook1, locale.UIHooks2, len(q.Plugin.Hooks)},
		{locale.UICommand1, locale.UICommands2, len(q.Commands)},
	} {
		if p.n > 0 {
			parts = append(parts, l.N(p.n, p.one, p.many))
		}
	}
	if len(parts) == 0 {
		return l.T(locale.UIRegistersNothing)
	}
	return strings.Join(parts, " ")
}

func slowest(q *live.Plugin) *live.Callback {
	var worst *live.Callback
	for _, c := range q.CallbackList() {
		if c.N > 0 && (worst == nil || c.P(95) > worst.P(95)) {
			worst = c
		}
	}
	return worst
}

// cut keeps the heading and the worst plugins and says how many more there are.
func (p *side) cut(rows []string, height int) []string {
	if height <= 1 {
		return rows[:max(height, 0)]
	}
	hidden := len(rows) - 1 - height // the blank row at the end may go, too
	if hidden <= 0 {
		return rows[:height]
	}
	out := rows[: height-1 : height-1]
	return append(out, p.row(" "+p.look.Style.Muted.Render(p.look.Glyph.More+" "+p.look.T(locale.UIMorePlugins, hidden+1))))
}

// origins counts the plugins by where they come from.
func origins(all []*live.Plugin) (user, bundled int) {
	for _, q := range all {
		if q.Bundled {
			bundled++
		} else {
			user++
		}
	}
	return user, bundled
}

// slow tells whether a run counts as slow, as the status line does.
func slow(e *event.HookRun) bool { return e.Ms >= 1000 }

// word names a state.
func word(l *look.Look, h look.Health) string {
	switch h {
	case look.Failed:
		return l.T(locale.UIStateFailed)
	case look.Crashed:
		return l.T(locale.UIStateCrashed)
	case look.NeedsKey:
		return l.T(locale.UIStateNeedsKey)
	case look.Failing:
		return l.T(locale.UIStateFailing)
	case look.SlowHooks:
		return l.T(locale.UIStateSlow)
	case look.Partial:
		return l.T(locale.UIStatePartial)
	case look.Paused:
		return l.T(locale.UIStatePaused)
	case look.Starting:
		return l.T(locale.UIStateStarting)
	case look.OK:
		return l.T(locale.UIStateOK)
	case look.Skipped:
		return l.T(locale.UIStateSkipped)
	}
	return l.T(locale.UIStateOff)
}
