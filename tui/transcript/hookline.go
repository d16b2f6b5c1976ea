package transcript

import (
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// slowFrom is from when a running hook is shown in the conversation (the
// status line names it from one second on).
const slowFrom = 3 * time.Second

// hookLine is a callback that keeps the turn waiting.
type hookLine struct {
	base
	slow  event.HookSlow
	since time.Time
	done  *event.HookRun
}

func (h *hookLine) spacing() spacing { return spaceLine }
func (h *hookLine) live() bool       { return h.done == nil }

func (h *hookLine) is(hook, plugin, callback string) bool {
	return h.slow.Hook == hook && h.slow.Plugin == plugin && h.slow.Callback == callback
}

func (h *hookLine) rows(c *canvas, width int) []string {
	_, margin, _ := margins(width)
	name := render.Line(h.slow.Plugin + "." + h.slow.Callback)
	var row string
	if h.done == nil {
		row = fmt.Sprintf("%s %s %s  %s", spinner(c), c.T(locale.UIHook), name, look.Millis(float64(c.now.Sub(h.since).Milliseconds())))
		if h.slow.Limit > 0 {
			row += "/" + look.Elapsed(h.slow.Limit)
		}
		row += "  " + c.T(locale.UISkipKey)
	} else {
		row = fmt.Sprintf("%s %s %s  %s  %s", c.Glyph.Bullet, c.T(locale.UIHook), name, look.Millis(h.done.Ms), Effect(c.Look, h.done))
	}
	row = render.Truncate(row, max(width-margin, 1), render.Ellipsis)
	return []string{strings.Repeat(" ", margin) + c.Style.Muted.Render(row)}
}

// Effect says in a few words what a hook run did.
func Effect(l *look.Look, e *event.HookRun) string {
	switch {
	case e.Timeout:
		return l.T(locale.UIHookTimeout)
	case e.Err != nil:
		return render.Line(e.Err.Type)
	case e.Effect == "":
		return l.T(locale.UIHookOK)
	case e.Effect == "block":
		return l.T(locale.UIHookBlock, render.Line(e.Detail))
	case e.Effect == "context":
		return strings.TrimSpace(l.T(locale.UIHookContext) + " " + render.Line(e.Detail))
	case e.Effect == "changed":
		return strings.TrimSpace(l.T(locale.UIHookChanged) + " " + render.Line(e.Detail))
	case e.Effect == "late":
		return l.T(locale.UIHookLate)
	case e.Effect == "skipped":
		return l.T(locale.UIHookSkipped)
	}
	return render.Line(e.Effect + " " + e.Detail)
}

// hookSum is the line after a turn in which hooks ran.
type hookSum struct {
	base
	runs, errors, timeouts int
	slowest                string
	slowestMs              float64
}

func (h *hookSum) spacing() spacing { return spaceLine }

// worthNaming is from how many milliseconds on the slowest callback of a turn
// is named after it.
const worthNaming = 1000

func (h *hookSum) rows(c *canvas, width int) []string {
	_, margin, _ := margins(width)
	parts := []string{c.T(locale.UIHooksRan, h.runs)}
	if h.slowestMs >= worthNaming {
		parts = append(parts, render.Line(h.slowest)+" "+look.Apart(look.Millis(h.slowestMs)))
	}
	if h.timeouts > 0 {
		parts = append(parts, c.T(locale.UITimeouts, h.timeouts))
	}
	if h.errors > 0 {
		parts = append(parts, c.N(h.errors, locale.UIError1, locale.UIErrors))
	}
	sep := " " + c.Glyph.Bullet + " "
	row := strings.Join(parts, sep) + " " + c.Glyph.Dash + " F3"
	style := c.Style.Muted
	if h.errors+h.timeouts > 0 {
		style = c.Style.Warn
	}
	return []string{strings.Repeat(" ", margin) + style.Render(render.Truncate(row, max(width-margin, 1), render.Ellipsis))}
}
