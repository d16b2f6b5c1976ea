package panel

import (
	"fmt"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
	"hermes/tui/transcript"
)

// toolsets lists the sets with how many tools they have.
func (p *side) toolsets(height int) []string {
	l := p.look
	out := []string{p.heading(l.T(locale.UIToolsetsTitle), "F4")}
	var parts []string
	at := map[string]int{}
	for _, t := range p.s.Tools {
		name := strings.TrimSuffix(render.Line(t.Toolset), "_tools")
		if _, ok := at[name]; !ok {
			at[name] = 0
			parts = append(parts, name)
		}
		at[name]++
	}
	for i, name := range parts {
		parts[i] = fmt.Sprintf("%s %d", name, at[name])
	}
	for _, row := range render.Wrap(strings.Join(parts, "   "), p.w-2) {
		out = append(out, p.row(" "+row))
	}
	if len(p.s.Tools) == 0 {
		out[len(out)-1] = p.row(" " + l.Glyph.More)
	} else {
		out = append(out, p.row(" "+l.N(len(p.s.Tools), locale.UITool1, locale.UITools2)+" "+l.Glyph.Bullet+" ~"+l.T(locale.UISchemaTokens, look.Count(schemaTokens(p.s.Tools)))))
	}
	for len(out) < height {
		out = append(out, p.row(""))
	}
	return out[:height]
}

// hooks lists the runs, newest last, in as many rows as fit.
func (p *side) hooks(height int) []string { return p.tailHooks(p.hookRows(), height) }

// hookRows are the rows of the runs, oldest first; a run is two rows, the
// first of which is left out while time and hook stay the same.
func (p *side) hookRows() []string {
	l, ring := p.look, &p.s.Hooks
	var out []string
	const enough = 60 // runs; no screen shows more
	last := ""
	for i := max(ring.Len()-enough, 0); i < ring.Len(); i++ {
		e := ring.At(i)
		head := look.Clock(e.At) + " " + render.Line(e.Hook)
		if head != last {
			out = append(out, p.row(" "+head))
			last = head
		}
		out = append(out, p.row(strings.Repeat(" ", 10)+p.run(e, p.w-10)))
	}
	if len(out) == 0 {
		text := l.T(locale.UIHooksNone)
		if p.s.Settled && !p.anyHooks() {
			text = l.T(locale.UIHooksUnused)
		}
		out = append(out, p.row(" "+l.Style.Muted.Render(text)))
	}
	return out
}

// run is the row of one run: who, how long, what came of it. Times stand below
// each other as far as the results let them.
func (p *side) run(e *event.HookRun, width int) string {
	took, effect := look.Millis(e.Ms), p.effect(e)
	if slow(e) {
		took += "!"
	}
	const usual = 3 // cells that a result takes as a rule
	right := took + " " + render.Pad(effect, usual)
	if render.Width(effect) > usual {
		right = took + " " + effect
	}
	return pair(render.Line(e.Plugin+"."+e.Callback)+" ", right, width)
}

func (p *side) anyHooks() bool {
	for _, q := range p.s.Plugins.Sorted() {
		if len(q.Plugin.Hooks) > 0 {
			return true
		}
	}
	return false
}

func (p *side) effect(e *event.HookRun) string {
	l := p.look
	switch {
	case e.Timeout || e.Err != nil:
		return l.Style.Error.Render(l.Glyph.Failed)
	case e.Effect == "skipped":
		return l.Style.Warn.Render(transcript.Effect(l, e))
	case e.Effect == "":
		return l.Style.Muted.Render(l.T(locale.UIHookOK))
	case e.Effect == "block":
		return l.Style.Warn.Render(l.Glyph.Blocked)
	case e.Effect == "context" && strings.HasPrefix(e.Detail, "+"):
		return render.Line(strings.Replace(e.Detail, " tok", "t", 1))
	}
	return render.Truncate(transcript.Effect(l, e), 10, render.Ellipsis)
}

// tailHooks puts the heading before as many of the newest rows as fit.
func (p *side) tailHooks(rows []string, height int) []string {
	head := p.heading(p.look.T(locale.UIHooksTitle), p.look.T(locale.UILive)+"  F3")
	n := height - 2
	if n < 1 {
		return []string{head, p.row("")}[:max(min(height, 2), 0)]
	}
	rows = rows[max(len(rows)-n, 0):]
	out := append([]string{head}, rows...)
	for len(out) < height {
		out = append(out, p.row(""))
	}
	return out
}

func (p *side) turn() []string {
	l, t := p.look, &p.s.Turn
	if t.ID == "" && t.Started.IsZero() {
		return nil
	}
	took := t.Duration
	if t.Running {
		took = p.now.Sub(t.Started)
	}
	row := func(msg locale.Msg, text string) string {
		return p.row(" " + l.Style.Muted.Render(render.Fit(l.T(msg), 12)) + " " + text)
	}
	out := []string{p.heading(l.T(locale.UIThisTurn), "")}
	out = append(out, row(locale.UIElapsed, look.Took(took)+"   "+l.N(t.Tools, locale.UITool1, locale.UITools2)))
	if t.Tokens.In+t.Tokens.Out > 0 {
		out = append(out, row(locale.UIInOut, look.Count(t.Tokens.In)+" / "+look.Count(t.Tokens.Out)))
	}
	if m := p.s.Model; m.Counted && m.Window > 0 {
		used := look.Count(m.Context)
		if m.Estimated {
			used = "~" + used
		}
		out = append(out, row(locale.UIContext, l.T(locale.UIOf, used, look.Count(m.Window))+fmt.Sprintf("   %d %%", m.Percent())))
	}
	if p.s.CostStatus == "actual" || p.s.CostStatus == "estimated" {
		about := ""
		if p.s.CostStatus == "estimated" {
			about = "~"
		}
		out = append(out, row(locale.UICost, fmt.Sprintf("%s$%.4f", about, p.s.Cost)))
	}
	if t.Hooks.Runs > 0 {
		out = append(out, row(locale.UIHookTime, l.T(locale.UIOf, look.Apart(look.Millis(t.Hooks.Ms)), look.Took(took))))
	}
	return append(out, p.row(""))
}

func (p *side) queue() []string {
	if len(p.s.Queue) == 0 {
		return nil
	}
	out := []string{p.heading(p.look.T(locale.UIQueue), "")}
	const shown = 4
	for i, q := range p.s.Queue {
		if i == shown {
			out = append(out, p.row(" "+p.look.Glyph.More+" "+p.look.N(len(p.s.Queue)-shown, locale.UIMoreLine1, locale.UIMoreLines)))
			break
		}
		out = append(out, p.row(fmt.Sprintf(" %d %s", i+1, render.Line(q.Text))))
	}
	return append(out, p.row(""))
}
