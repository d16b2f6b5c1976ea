package dialog

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// Drawn is a question as rows, and the cell of the caret while a text is being
// typed; X is -1 otherwise.
type Drawn struct {
	Rows []string
	X, Y int
}

// Render draws the question in front in at most height rows; the choices are
// always among them.
func (m *Model) Render(width, height int, now time.Time) Drawn {
	d := Drawn{X: -1}
	if !m.Open() || width < 10 || height < 1 {
		return d
	}
	a, inner := m.asks[0], width-4
	foot, x, y := m.foot(a, inner, max(height/2, 1))
	body := m.body(a, inner)
	m.page = max(height-len(foot)-3, 1)
	body = m.window(body, m.page)
	rows := body
	if height >= len(rows)+len(foot)+3 {
		rows = append(rows, "")
	}
	if x >= 0 {
		d.X, d.Y = x+2, len(rows)+1+y
	}
	d.Rows = m.box(a, append(rows, foot...), width, now)
	return d
}

// foot is what answers: the choices, or the field of the one that takes a text.
func (m *Model) foot(a event.Ask, inner, height int) (rows []string, x, y int) {
	if m.field == nil {
		return m.choices(a, inner), -1, -1
	}
	label := m.look.Style.Accent.Render(m.look.Glyph.Pick) + " " + render.Truncate(render.Line(a.Choices[m.pick].Label), inner-2, render.Ellipsis)
	if a.Kind == event.AskSecret {
		n := len([]rune(m.field.Text()))
		dot := "•"
		if m.look.ASCII {
			dot = "*"
		}
		shown := strings.Repeat(dot, min(n, max(inner-10, 1)))
		row := m.look.Glyph.Prompt + " " + shown
		return []string{label, row + m.look.Style.Muted.Render(fmt.Sprintf("  %d", n))}, render.Width(row), 1
	}
	m.field.SetSize(inner, max(height-1, 1))
	field, x, y := m.field.Render()
	return append([]string{label}, field...), x, y + 1
}

func (m *Model) choices(a event.Ask, inner int) []string {
	var out []string
	for i, c := range a.Choices {
		lead := "  "
		if i == m.pick {
			lead = m.look.Style.Accent.Render(m.look.Glyph.Pick) + " "
		}
		label := render.Line(c.Label)
		if c.Input && !strings.HasSuffix(label, render.Ellipsis) {
			label += " " + render.Ellipsis
		}
		for n, row := range render.Wrap(label, max(inner-5, 1)) {
			if n == 0 {
				out = append(out, fmt.Sprintf("%s%d  %s", lead, i+1, row))
			} else {
				out = append(out, "     "+row)
			}
		}
	}
	return out
}

// body is what the question is about: words, the command, the change.
func (m *Model) body(a event.Ask, inner int) []string {
	s := m.look.Style
	var parts [][]string
	if text := strings.TrimRight(a.Text, "\n"); text != "" {
		parts = append(parts, render.Wrap(render.StripAll(text), inner))
	}
	if a.Command != "" {
		parts = append(parts, styled(render.WrapHard(visible(a.Command), inner), func(string) look.Style { return s.Code }))
	}
	if diff := strings.TrimRight(a.Diff, "\n"); diff != "" {
		parts = append(parts, diffRows(s, diff, inner))
	}
	var out []string
	for i, p := range parts {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, p...)
	}
	return out
}

func diffRows(s look.Styles, diff string, inner int) []string {
	var out []string
	for line := range strings.SplitSeq(diff, "\n") {
		style := s.Muted
		switch {
		case strings.HasPrefix(line, "+"):
			style = s.OK
		case strings.HasPrefix(line, "-"):
			style = s.Error
		case strings.HasPrefix(line, "@@"):
			style = s.Accent
		}
		out = append(out, styled(render.WrapHard(visible(line), inner), func(string) look.Style { return style })...)
	}
	return out
}

func styled(rows []string, style func(string) look.Style) []string {
	for i := range rows {
		rows[i] = style(rows[i]).Render(rows[i])
	}
	return rows
}

// visible shows what would not be seen: a command must not look harmless
// because a terminal hides a part of it.
func visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < ' ':
			b.WriteString("^" + string(r+'@'))
		case r < 0x10000:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			fmt.Fprintf(&b, "\\U%08x", r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	const joiner = '\u200d' // inside emoji
	return r != '\n' && r != '\t' && r != joiner && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// window is the part of the body that fits: head and tail, or where the reader
// is in view.
func (m *Model) window(rows []string, room int) []string {
	if len(rows) <= room {
		m.from = 0
		return rows
	}
	muted := m.look.Style.Muted
	if m.view && room >= 2 {
		m.from = max(min(m.from, len(rows)-(room-1)), 0)
		shown := rows[m.from : m.from+room-1]
		note := muted.Render(m.look.T(locale.UIAskRows, m.from+1, m.from+len(shown), len(rows)))
		return append(append([]string(nil), shown...), note)
	}
	if room < 3 {
		return rows[:room]
	}
	head := room / 2
	tail := room - 1 - head
	note := m.look.N(len(rows)-head-tail, locale.UIMoreLine1, locale.UIMoreLines)
	note = muted.Render(m.look.Glyph.More + " " + note + " (" + m.look.T(locale.UIAskView) + ")")
	return append(append(rows[:head:head], note), rows[len(rows)-tail:]...)
}

func (m *Model) box(a event.Ask, rows []string, width int, now time.Time) []string {
	l, s := m.look, m.look.Style
	h, v, tl, tr, bl, br := "═", "║", "╔", "╗", "╚", "╝"
	if l.ASCII {
		h, v, tl, tr, bl, br = "=", "|", "+", "+", "+", "+"
	}
	title := " " + render.Line(a.Title) + " "
	if n := len(m.asks); n > 1 {
		title += " (" + l.T(locale.UIAskWaiting, n) + ") "
	}
	title = render.Truncate(title, width-4, render.Ellipsis)
	note := l.T(locale.UIAskGrace)
	if left, counts := m.left(now); counts {
		note = l.T(locale.UIAskExpires, int(max(left, 0).Round(time.Second).Seconds()))
	}
	note = render.Truncate(" "+note+" ", width-4, render.Ellipsis)
	line := func(left, text, right string, style look.Style) string {
		fill := max(width-3-render.Width(text), 0)
		return s.Warn.Render(left+h) + style.Render(text) + s.Warn.Render(strings.Repeat(h, fill)+right)
	}
	out := []string{line(tl, title, tr, s.Title)}
	for _, row := range rows {
		out = append(out, s.Warn.Render(v)+" "+render.Fit(row, width-4)+" "+s.Warn.Render(v))
	}
	return append(out, line(bl, note, br, s.Muted))
}

// Keys is the hint for the row below.
func (m *Model) Keys() string {
	if !m.Open() {
		return ""
	}
	if m.field != nil {
		return m.look.T(locale.UIAskFieldKeys)
	}
	if m.view {
		return m.look.T(locale.UIAskViewKeys)
	}
	a := m.asks[0]
	keys := m.look.T(locale.UIAskKeys, len(a.Choices), render.Line(a.Choices[m.safe()].Label))
	if a.Command != "" || a.Diff != "" {
		keys += m.look.T(locale.UIAskMoreKeys)
	}
	return keys
}
