// Package popup draws a list to choose from above the composer: a title at the
// left of its frame, what the keys do at the right, one row per item.
package popup

import (
	"strings"

	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// listRows is how many items are in view at most.
const listRows = 10

// Item is a row.
type Item struct {
	Label string
	At    []int  // byte offsets of the letters in Label that matched
	Kind  string // second column, may be empty
	About string // the rest of the row
}

// List is what is drawn.
type List struct {
	Title, Keys string
	Items       []Item
	Empty       string // in the place of items when there are none
	Pick        int
}

// Move moves the highlight, around at the ends.
func (p *List) Move(by int) {
	if n := len(p.Items); n > 0 {
		p.Pick = ((p.Pick+by)%n + n) % n
	}
}

// Render draws the list in at most height rows, none where there is no room.
func (p *List) Render(l *look.Look, width, height int) []string {
	if height < 3 || width < 12 {
		return nil
	}
	s, g, inner := l.Style, l.Glyph, width-2
	title := render.Truncate(" "+p.Title+" ", width-5, render.Ellipsis)
	keys := " " + p.Keys + " "
	if render.Width(title)+render.Width(keys)+6 > width {
		keys = ""
	}
	fill := max(width-4-render.Width(title)-render.Width(keys), 0)
	out := []string{s.Border.Render(g.TL+g.H) + s.Title.Render(title) + s.Border.Render(strings.Repeat(g.H, fill)) + s.Muted.Render(keys) + s.Border.Render(g.H+g.TR)}
	v := s.Border.Render(g.V)
	rows := min(len(p.Items), listRows, height-2)
	if rows == 0 {
		out = append(out, v+render.Fit(" "+s.Muted.Render(render.Truncate(p.Empty, inner-1, render.Ellipsis)), inner)+v)
	}
	first := min(max(0, p.Pick-rows/2), len(p.Items)-rows)
	label, kind := p.columns(first, rows, inner)
	for i := first; i < first+rows; i++ {
		lead := "   "
		if i == p.Pick {
			lead = " " + s.Accent.Render(g.Pick) + " "
		}
		it := p.Items[i]
		row := lead + render.Fit(mark(l, it), label)
		if kind > 0 {
			row += "  " + s.Muted.Render(render.Fit(render.Line(it.Kind), kind))
		}
		if it.About != "" {
			row += "  " + render.Line(it.About)
		}
		out = append(out, v+render.Fit(row, inner)+v)
	}
	return append(out, s.Border.Render(g.BL+strings.Repeat(g.H, inner)+g.BR))
}

// columns are the widths of label and kind for the rows in view.
func (p *List) columns(first, rows, inner int) (label, kind int) {
	about := false
	for _, it := range p.Items[first : first+rows] {
		label, kind = max(label, render.Width(render.Line(it.Label))), max(kind, render.Width(render.Line(it.Kind)))
		about = about || it.About != ""
	}
	const narrow = 48
	if inner < narrow {
		kind = 0
	}
	kind = min(kind, max(inner/4, 6))
	room := inner - 3
	if kind > 0 {
		room -= kind + 2
	}
	if about {
		room = max(room/2, min(room, 12))
	}
	return min(label, room), kind
}

// mark shows the letters that matched in bold and underlined.
func mark(l *look.Look, it Item) string {
	if len(it.At) == 0 || render.Line(it.Label) != it.Label {
		return render.Line(it.Label)
	}
	hit := make(map[int]bool, len(it.At))
	for _, at := range it.At {
		hit[at] = true
	}
	var b, run strings.Builder
	flush := func() {
		b.WriteString(l.Style.Match.Render(run.String()))
		run.Reset()
	}
	for i, r := range it.Label {
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
