package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Rows of a result that a folded card shows. Of a failure the last ones are
// kept, since that is where the reason stands.
const (
	previewRows = 8
	failureHead = 2
)

// card is one tool call.
type card struct {
	base
	call    event.ToolStarted
	done    *event.ToolDone
	text    string // progress
	started time.Time
	open    bool
	hidden  bool // something is folded away; set by rows
	past    bool // of a stored conversation: its time is not known
	settled *event.ToolSettled
	subs    []*sub
}

func (c *card) spacing() spacing { return spaceLine }
func (c *card) live() bool       { return c.done == nil }

func (c *card) toggle() bool {
	if !c.hidden && !c.open {
		return false
	}
	c.open = !c.open
	c.touch()
	return true
}

func (c *card) fold(folded bool) {
	if c.open == folded {
		c.open = !folded
		c.touch()
	}
}

func (c *card) rows(cv *canvas, width int) []string {
	text, margin, right := margins(width)
	body := c.body(cv, max(width-text-1, 1))
	out := []string{c.title(cv, width, margin, right)}
	return append(out, indent(body, text)...)
}

// title is the line of a card: state, name and arguments at the left; what
// happened, owner, time and fold mark at the right.
func (c *card) title(cv *canvas, width, margin, right int) string {
	s := cv.Style
	glyph, word := c.state(cv)
	tail := c.tail(cv, word)
	name := render.Line(c.call.Name)
	if e := cv.Theme.ToolEmojis[c.call.Name]; e != "" && !cv.ASCII {
		name = render.Line(e) + " " + name
	}
	room := width - margin - right - render.Width(tail) - render.Width(glyph) - 1
	left := render.Truncate(name, max(room-1, 1), render.Ellipsis)
	styled := s.Bold.Render(left)
	if args := mainArgument(c.call); args != "" && room-render.Width(left)-2 > 3 {
		a := render.Truncate(args, room-render.Width(left)-2, render.Ellipsis)
		left += " " + a
		styled += " " + s.Muted.Render(a)
	}
	gap := max(room-render.Width(left), 1)
	return strings.Repeat(" ", margin) + glyph + " " + styled + strings.Repeat(" ", gap) + tail
}

// state returns the sign of the call's state, coloured, and a word for what a
// sign does not say.
func (c *card) state(cv *canvas) (glyph, word string) {
	s, g := cv.Style, cv.Glyph
	if c.done == nil {
		return s.Accent.Render(spinner(cv)), ""
	}
	switch c.done.Status {
	case event.StatusOK:
		return s.OK.Render(g.OK), ""
	case event.StatusBlocked:
		return s.Warn.Render(g.Blocked), cv.T(locale.UIBlocked)
	case event.StatusDenied:
		return s.Warn.Render(g.Blocked), cv.T(locale.UIDenied)
	case event.StatusCancelled:
		return s.Muted.Render(g.Blocked), cv.T(locale.UICancelled)
	case event.StatusTimeout:
		return s.Error.Render(g.Failed), cv.T(locale.UITimeout)
	case event.StatusHandedOver:
		switch {
		case c.settled == nil:
			return s.Accent.Render(g.Bullet), cv.T(locale.UIHandedOver)
		case c.settled.Status == event.SettledNoAnswer:
			return s.Warn.Render(g.Blocked), cv.T(locale.UINoAnswer)
		}
		return s.OK.Render(g.OK), ""
	}
	return s.Error.Render(g.Failed), cv.T(locale.UIFailed)
}

func spinner(cv *canvas) string {
	frames := cv.Glyph.Spinner
	if cv.Still {
		return frames[0]
	}
	return frames[cv.frame%len(frames)]
}

func (c *card) tail(cv *canvas, word string) string {
	s := cv.Style
	var parts []string
	if word != "" {
		parts = append(parts, word)
	}
	if owner := render.Line(c.call.Owner); owner != "" {
		parts = append(parts, s.Accent.Render(render.Truncate(owner, 24, render.Ellipsis)))
	}
	switch {
	case c.past:
	case c.done != nil:
		if plus, minus, ok := changed(c.done.Diff); ok {
			parts = append(parts, s.OK.Render("+"+strconv.Itoa(plus))+" "+s.Error.Render(cv.Glyph.Minus+strconv.Itoa(minus)))
		}
		parts = append(parts, s.Muted.Render(look.Millis(c.done.Ms)))
	case !c.started.IsZero() && cv.now.After(c.started):
		parts = append(parts, s.Muted.Render(look.Millis(float64(cv.now.Sub(c.started).Milliseconds()))))
	}
	mark := cv.Glyph.Folded
	if c.open {
		mark = cv.Glyph.Open
	}
	return strings.Join(parts, "  ") + " " + s.Muted.Render(mark)
}

// body is what stands below the line: notes, the error, the result.
func (c *card) body(cv *canvas, width int) []string {
	var out []string
	note := c.call.Note
	if c.done != nil && c.done.Note != "" {
		note = c.done.Note
	}
	if note != "" {
		out = append(out, styled(cv.Style.Muted.Render, render.Wrap(render.StripAll(note), width))...)
	}
	if c.open {
		out = append(out, c.arguments(cv, width)...)
	}
	out = append(out, c.subRows(cv, width)...)
	if c.done == nil {
		if t := render.Line(c.text); t != "" {
			out = append(out, cv.Style.Muted.Render(render.Truncate(t, width, render.Ellipsis)))
		}
		return out
	}
	if c.settled != nil && c.settled.Text != "" {
		out = append(out, render.Wrap(render.StripAll(c.settled.Text), width)...)
	}
	if c.done.Diff != "" {
		return append(out, c.diff(cv, width)...)
	}
	if c.done.Err != "" {
		out = append(out, styled(cv.Style.Error.Render, render.Wrap(render.StripAll(c.done.Err), width))...)
	}
	return append(out, c.result(cv, width)...)
}

// arguments are shown in full in an open card only.
func (c *card) arguments(cv *canvas, width int) []string {
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(c.call.Args), "", "  ") != nil || pretty.Len() <= 2 {
		return nil
	}
	return styled(cv.Style.Muted.Render, render.WrapHard(render.StripAll(pretty.String()), width))
}

func (c *card) result(cv *canvas, width int) []string {
	preview := strings.TrimRight(c.done.Preview, "\n")
	if preview == "" {
		c.hidden = c.call.Args != "" && c.call.Args != "{}"
		return nil
	}
	cut := c.done.Size > len(c.done.Preview)
	if cut {
		preview = cutAt(preview)
	}
	text := render.Sanitize(preview, render.KeepSGR|render.Overwrite)
	rows := render.WrapHard(text, width)
	c.hidden = len(rows) > previewRows || len(c.call.Args) > 2
	if !c.open && len(rows) > previewRows {
		return c.folded(cv, rows, strings.Split(text, "\n"), width)
	}
	if cut && len(rows) > 0 {
		rows = append(rows, cv.Style.Muted.Render(cutNote(cv, len(preview), c.done.Size)))
	}
	return rows
}

// folded keeps the first rows of a result; of a failure the last ones, too.
func (c *card) folded(cv *canvas, rows, lines []string, width int) []string {
	head, tail := previewRows, 0
	if c.done.Status != event.StatusOK {
		head, tail = failureHead, previewRows-failureHead
	}
	hidden := len(lines) - wholeLines(lines, render.WrapHard, width, head) - wholeLastLines(lines, render.WrapHard, width, tail)
	note := more(cv, max(hidden, 1))
	if c.done.Size > len(c.done.Preview) { // nobody here knows how many lines
		note = cv.Glyph.More + " " + cv.T(locale.UIMoreOf, look.Bytes(c.done.Size))
	}
	out := append(rows[:head:head], cv.Style.Muted.Render(note))
	return append(out, rows[len(rows)-tail:]...)
}

func styled(f func(string) string, rows []string) []string {
	for i := range rows {
		rows[i] = f(rows[i])
	}
	return rows
}

// Gist is what the status line says of a running call besides its name: the
// first words of what a built-in tool does.
func Gist(call event.ToolStarted) string {
	if call.Owner != "" {
		return ""
	}
	words := strings.Fields(mainArgument(call))
	if len(words) == 0 || strings.HasPrefix(words[0], "{") {
		return ""
	}
	const enough = 2
	return render.Truncate(strings.Join(words[:min(len(words), enough)], " "), 20, render.Ellipsis)
}

// mainArgument is what a card shows of the arguments: of built-in tools the
// one that says it all, of plugins' tools the JSON as sent.
func mainArgument(call event.ToolStarted) string {
	raw := strings.TrimSpace(call.Args)
	if raw == "" || raw == "{}" || raw == "null" {
		return ""
	}
	if call.Owner == "" {
		var args map[string]json.RawMessage
		if json.Unmarshal([]byte(raw), &args) == nil {
			for _, name := range []string{"command", "path", "pattern", "query", "url", "name"} {
				var v string
				if json.Unmarshal(args[name], &v) == nil && v != "" {
					return render.Line(v)
				}
			}
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(raw)) == nil {
		raw = compact.String()
	}
	const enough = 400 // no screen shows more of it in one row
	return render.Line(strings.ToValidUTF8(raw[:min(len(raw), enough)], ""))
}
