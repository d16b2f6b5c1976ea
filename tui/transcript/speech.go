package transcript

import (
	"fmt"
	"strings"

	"hermes/agent/locale"
	"hermes/tui/internal/markdown"
	"hermes/tui/internal/render"
)

// foldFrom is from how many rows on a user's message is folded: a pasted file
// must not push the answer out of view.
const foldFrom = 16

// user is what the user said.
type user struct {
	base
	text string
	open bool
	long bool // set by rows
}

func (u *user) spacing() spacing { return spaceBlock }

func (u *user) toggle() bool {
	if !u.long {
		return false
	}
	u.open = !u.open
	u.touch()
	return true
}

func (u *user) fold(folded bool) {
	if u.long && u.open == folded {
		u.open = !folded
		u.touch()
	}
}

func (u *user) rows(c *canvas, width int) []string {
	text, _, _ := margins(width)
	label := " " + c.Glyph.Said // the prompt's sign is the composer's
	if text == labelWidth {
		label = " " + c.T(locale.UIYou)
	}
	said, room := render.StripAll(u.text), max(width-text-1, 1)
	rows := render.Wrap(said, room)
	u.long = len(rows) > foldFrom
	if u.long && !u.open {
		lines := strings.Split(said, "\n")
		hidden := len(lines) - wholeLines(lines, render.Wrap, room, foldFrom)
		rows = append(rows[:foldFrom:foldFrom], c.Style.Muted.Render(more(c, hidden)))
	}
	rows = indent(rows, text)
	lead := render.Pad(c.Style.Label.Render(label), text)
	if len(rows) == 0 || rows[0] == "" {
		return append([]string{lead}, rows[min(1, len(rows)):]...)
	}
	rows[0] = lead + rows[0][text:]
	return rows
}

// head names who answers.
type head struct {
	base
	demo bool
}

func (h *head) spacing() spacing { return spaceHead }

func (h *head) rows(c *canvas, _ int) []string {
	name := c.Theme.Branding.ResponseLabel
	if name == "" {
		name = "hermes"
	}
	row := " " + c.Style.Label.Render(strings.TrimSpace(render.Line(name)))
	if h.demo {
		row += c.Style.Warn.Render(" " + c.Glyph.Bullet + " " + c.T(locale.UIDemoModel))
	}
	return []string{row}
}

// answer is a message of the model.
type answer struct {
	base
	stream markdown.Stream
}

func (a *answer) spacing() spacing { return spaceText }

func (a *answer) rows(c *canvas, width int) []string {
	text, _, _ := margins(width)
	if strings.TrimSpace(a.stream.Text()) == "" {
		return nil
	}
	return a.stream.Rows(c.md, max(width-text-1, 1), text)
}

// reasoning is what the model thought before it answered, folded to one row.
type reasoning struct {
	base
	text strings.Builder
	done bool
	open bool
}

func (r *reasoning) spacing() spacing { return spaceLine }

func (r *reasoning) toggle() bool {
	r.open = !r.open
	r.touch()
	return true
}

func (r *reasoning) fold(folded bool) {
	if r.open == folded {
		r.toggle()
	}
}

func (r *reasoning) rows(c *canvas, width int) []string {
	text, card, _ := margins(width)
	s := r.text.String()
	if strings.TrimSpace(s) == "" {
		return nil
	}
	mark := c.Glyph.Folded
	if r.open {
		mark = c.Glyph.Open
	}
	title := c.T(locale.UIThinking)
	if r.done {
		title = c.T(locale.UIThought)
	}
	// Four bytes to a token is the usual rule of thumb; the ~ says so.
	row := fmt.Sprintf("%s %s  ~%s", mark, title, c.T(locale.UITokens, (len(s)+3)/4))
	out := []string{strings.Repeat(" ", card) + c.Style.Muted.Render(render.Truncate(row, max(width-card, 1), render.Ellipsis))}
	if !r.open {
		return out
	}
	for _, row := range indent(render.Wrap(strings.TrimSpace(render.StripAll(s)), max(width-text-1, 1)), text) {
		out = append(out, c.Style.Muted.Render(row))
	}
	return out
}

// output is what a slash command printed.
type output struct {
	base
	line    string
	text    string
	err     string
	pre     bool
	running bool
}

func (o *output) spacing() spacing { return spaceBlock }

func (o *output) rows(c *canvas, width int) []string {
	text, _, _ := margins(width)
	out := []string{" " + c.Style.Accent.Render(c.Glyph.Prompt) + " " + render.Truncate(render.Line(o.line), max(width-3, 1), render.Ellipsis)}
	if o.running {
		return append(out, c.Style.Muted.Render(strings.Repeat(" ", text)+c.T(locale.UIRunning)))
	}
	body := strings.TrimRight(o.text, "\n")
	switch {
	case body == "":
	case o.pre:
		out = append(out, render.WrapHang(render.Sanitize(body, render.KeepSGR|render.Overwrite), width)...)
	default:
		out = append(out, indent(render.WrapHang(render.Sanitize(body, render.KeepSGR|render.Overwrite), max(width-text-1, 1)), text)...)
	}
	if o.err != "" {
		for _, row := range render.Wrap(render.StripAll(o.err), max(width-text-3, 1)) {
			out = append(out, strings.Repeat(" ", text)+c.Style.Error.Render(c.Glyph.Failed+" "+row))
		}
	}
	return out
}
