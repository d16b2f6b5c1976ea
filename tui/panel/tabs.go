package panel

import (
	"fmt"
	"strings"

	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// bars draws the last ten runs of a callback, the longest as the highest; a
// run that failed is a cross.
func bars(l *look.Look, c *live.Callback) string {
	longest := 0.0
	for _, e := range c.Last {
		longest = max(longest, e.Ms)
	}
	var b strings.Builder
	for _, e := range c.Last {
		if e.Err != nil {
			b.WriteString(l.Style.Error.Render(l.Glyph.Failed))
			continue
		}
		i := 0
		if longest > 0 {
			i = int(e.Ms / longest * float64(len(l.Glyph.Bars)-1))
		}
		b.WriteString(l.Glyph.Bars[i])
	}
	return b.String()
}

func toolsTab(v View, q *live.Plugin, width int) []string {
	l := v.Look
	if len(q.Plugin.Tools) == 0 {
		return []string{l.Style.Muted.Render(l.T(locale.UIRegistersNothing))}
	}
	var out []string
	for _, t := range q.Plugin.Tools {
		out = append(out, l.Style.Title.Render(render.Line(t.Name))+"   "+figures(v, q.Tools[t.Name], callsOf(), width-render.Width(t.Name)-3))
		out = append(out, wrapped("  ", render.Line(t.Description), width)...)
		if t.Hidden {
			out = append(out, wrapped("  ", l.Style.Warn.Render(render.Line(l.T(locale.UIToolHidden, t.Why))), width)...)
		}
		out = append(out, schemaRows(v, t.Schema, width, 2)...)
		out = append(out, "")
	}
	return out
}

func hooksTab(v View, q *live.Plugin) []string {
	l := v.Look
	all := q.CallbackList()
	if len(all) == 0 {
		return []string{l.Style.Muted.Render(l.T(locale.UINoHooks))}
	}
	cell := func(s *live.Callback, p int) string {
		if s.N == 0 {
			return l.Glyph.Dash
		}
		return look.Millis(s.P(p))
	}
	out := []string{l.Style.Muted.Render(render.Fit(l.T(locale.UIColHook), 16) + num(l.T(locale.UIColRuns), 5) + num(l.T(locale.UIColErrors), 5) + num("t/o", 5) + num("p50", 7) + num("p95", 7) + num("max", 7) + "  " + l.T(locale.UIColLast))}
	for _, c := range all {
		last := l.Glyph.Dash
		if !c.LastAt.IsZero() {
			last = look.Clock(c.LastAt)
		}
		out = append(out, render.Fit(render.Line(c.Hook), 16)+num(fmt.Sprint(c.N), 5)+num(fmt.Sprint(c.Errors-c.Missed), 5)+num(fmt.Sprint(c.Missed), 5)+num(cell(c, 50), 7)+num(cell(c, 95), 7)+num(cell(c, 100), 7)+"  "+last)
		name := "  " + render.Line(q.Name+"."+c.Name)
		if c.Limit > 0 {
			name += "  " + l.T(locale.UILimitOf, look.Elapsed(c.Limit))
		}
		out = append(out, name+"  "+bars(l, c))
		if c.Context > 0 {
			out = append(out, "  "+l.Style.Muted.Render(l.T(locale.UIReturnedContext, c.Context, c.N)))
		}
	}
	return out
}

func commandsTab(v View, q *live.Plugin, width int) []string {
	l := v.Look
	if len(q.Commands) == 0 {
		return []string{l.Style.Muted.Render(l.T(locale.UINoCommands))}
	}
	var out []string
	for _, c := range q.Commands {
		out = append(out, l.Style.Title.Render("/"+render.Line(c.Name))+" "+render.Line(c.Args))
		out = append(out, wrapped("  ", render.Line(c.Description), width)...)
	}
	return out
}

func envTab(v View, q *live.Plugin, width int) []string {
	l := v.Look
	if len(q.RequiresEnv) == 0 {
		return []string{l.Style.Muted.Render(l.T(locale.UINoEnv))}
	}
	var out []string
	for _, e := range q.RequiresEnv {
		state := l.Style.OK.Render(l.Glyph.OK + " " + l.T(locale.UISet))
		if !e.Set {
			state = l.Style.Warn.Render(l.Glyph.Attention + " " + l.T(locale.UINotSet))
		}
		out = append(out, render.Pad(render.Line(e.Name), 24)+" "+state)
		for _, text := range nonEmpty(render.Line(e.Description), render.Line(e.URL)) {
			out = append(out, wrapped("  ", text, width)...)
		}
	}
	return out
}

func errorsTab(v View, q *live.Plugin, width int) []string {
	l := v.Look
	if len(q.Errors) == 0 {
		return []string{l.Style.Muted.Render(l.T(locale.UINoErrors))}
	}
	var out []string
	for i := len(q.Errors) - 1; i >= 0; i-- {
		t := q.Errors[i]
		head := look.Clock(t.At) + "  " + render.Line(t.Err.Where)
		if t.N > 1 {
			head += "  ×" + fmt.Sprint(t.N)
		}
		out = append(out, l.Style.Muted.Render(head))
		out = append(out, wrapped("", l.Style.Error.Render(render.Line(errorText(t.Err))), width)...)
		out = append(out, place(v, t.Err)...)
		if tb := strings.TrimRight(t.Err.Traceback, "\n"); tb != "" {
			out = append(out, traceback(v, tb, q, width)...)
		}
		out = append(out, "")
	}
	return out
}

// traceback shows the frames of the plugin bright, all others dim.
func traceback(v View, tb string, q *live.Plugin, width int) []string {
	var out []string
	own := false
	for line := range strings.SplitSeq(render.StripAll(tb), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "File \"") {
			own = q.Path != "" && strings.Contains(line, q.Path)
		} else if !strings.HasPrefix(line, " ") {
			own = true
		}
		for _, row := range render.WrapHard("  "+line, width) {
			if !own {
				row = v.Look.Style.Muted.Render(row)
			}
			out = append(out, row)
		}
	}
	return out
}

func logTab(v View, q *live.Plugin, width int) []string {
	l := v.Look
	if len(q.Log) == 0 {
		return []string{l.Style.Muted.Render(l.T(locale.UINoLog))}
	}
	var out []string
	if q.Lost > 0 {
		out = append(out, l.Style.Muted.Render(l.T(locale.UILogLost, q.Lost)))
	}
	for _, e := range q.Log {
		lead := l.Style.Muted.Render(look.Clock(e.At) + " " + render.Fit(render.Line(orElse(e.Level, e.Stream)), 7) + " ")
		out = append(out, wrapped(lead, render.Sanitize(strings.TrimRight(e.Line, "\n"), render.KeepSGR|render.Overwrite), width)...)
	}
	return out
}
