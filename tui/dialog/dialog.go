// Package dialog asks the user: a question above the composer with its
// choices. Several questions wait in line. Keys that were in flight when a
// question appeared do not answer it: they go to the draft.
package dialog

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// A question takes no key until it has been open for grace and no key came for
// pause.
const (
	grace = 400 * time.Millisecond
	pause = 250 * time.Millisecond
)

// Model holds the open questions, the one in front first.
type Model struct {
	look    *look.Look
	asks    []event.Ask
	pick    int
	opened  time.Time
	lastKey time.Time
	ready   bool
}

// New returns no question.
func New(l *look.Look) *Model { return &Model{look: l} }

// SetLook changes how questions are drawn.
func (m *Model) SetLook(l *look.Look) { m.look = l }

// Open tells whether a question waits.
func (m *Model) Open() bool { return len(m.asks) > 0 }

// Apply takes a question in or away; it returns the question that was closed.
func (m *Model) Apply(e event.Event, now time.Time) (closed *event.Ask, answer string) {
	switch e := e.(type) {
	case event.Ask:
		if len(e.Choices) == 0 {
			return nil, ""
		}
		m.asks = append(m.asks, e)
		if len(m.asks) == 1 {
			m.front(now)
		}
	case event.AskClosed:
		for i := range m.asks {
			if m.asks[i].ID != e.ID {
				continue
			}
			gone := m.asks[i]
			m.asks = append(m.asks[:i:i], m.asks[i+1:]...)
			if i == 0 {
				m.front(now)
			}
			return &gone, e.Answer
		}
	}
	return nil, ""
}

// front begins with the question that is first in line now.
func (m *Model) front(now time.Time) {
	m.opened, m.lastKey, m.ready = now, time.Time{}, false
	if len(m.asks) > 0 {
		m.pick = m.safe()
	}
}

func (m *Model) safe() int {
	a := m.asks[0]
	return max(min(a.Default, len(a.Choices)-1), 0)
}

// Answer is the choice for a question.
type Answer struct{ Ask, Choice string }

// Key takes a key. handled is false when it belongs to the draft; answer is
// set when the key decided.
func (m *Model) Key(name string, printable bool, now time.Time) (answer *Answer, handled bool) {
	if !m.settled(now) {
		m.lastKey = now
		return nil, !printable // what is not text is dropped
	}
	a := m.asks[0]
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(a.Choices) {
		return m.choose(n - 1), true
	}
	switch name {
	case "up", "shift+tab":
		m.pick = (m.pick + len(a.Choices) - 1) % len(a.Choices)
	case "down", "tab":
		m.pick = (m.pick + 1) % len(a.Choices)
	case "enter":
		return m.choose(m.pick), true
	case "esc":
		return m.choose(m.safe()), true
	default:
		return nil, false
	}
	return nil, true
}

// settled tells whether the question takes keys by now.
func (m *Model) settled(now time.Time) bool {
	if !m.ready {
		m.ready = now.Sub(m.opened) >= grace && (m.lastKey.IsZero() || now.Sub(m.lastKey) >= pause)
	}
	return m.ready
}

// Cancel answers with the safe choice.
func (m *Model) Cancel() *Answer { return m.choose(m.safe()) }

func (m *Model) choose(i int) *Answer {
	return &Answer{m.asks[0].ID, m.asks[0].Choices[i].ID}
}

// Render draws the question in front in at most height rows; the choices are
// always among them.
func (m *Model) Render(width, height int) []string {
	if !m.Open() || width < 10 || height < 1 {
		return nil
	}
	a, l := m.asks[0], m.look
	inner := width - 4
	var choices []string
	for i, c := range a.Choices {
		lead := "  "
		if i == m.pick {
			lead = l.Style.Accent.Render(l.Glyph.Pick) + " "
		}
		for n, row := range render.Wrap(render.Line(c.Label), max(inner-5, 1)) {
			if n == 0 {
				choices = append(choices, fmt.Sprintf("%s%d  %s", lead, i+1, row))
			} else {
				choices = append(choices, "     "+row)
			}
		}
	}
	text := render.Wrap(render.StripAll(strings.TrimRight(a.Text, "\n")), inner)
	text = m.shorten(text, max(height-len(choices)-3, 1))
	var rows []string
	rows = append(rows, text...)
	if height >= len(rows)+len(choices)+3 {
		rows = append(rows, "")
	}
	rows = append(rows, choices...)
	return m.box(a, rows, width)
}

// shorten keeps head and tail of a text that does not fit.
func (m *Model) shorten(rows []string, room int) []string {
	if len(rows) <= room {
		return rows
	}
	if room < 3 {
		return rows[:room]
	}
	head := (room - 1 + 1) / 2
	tail := room - 1 - head
	note := m.look.Style.Muted.Render(m.look.Glyph.More + " " + m.look.N(len(rows)-head-tail, locale.UIMoreLine1, locale.UIMoreLines))
	return append(append(rows[:head:head], note), rows[len(rows)-tail:]...)
}

func (m *Model) box(a event.Ask, rows []string, width int) []string {
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
	note := render.Truncate(" "+l.T(locale.UIAskGrace)+" ", width-4, render.Ellipsis)
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
	safe := m.asks[0].Choices[m.safe()].Label
	return m.look.T(locale.UIAskKeys, len(m.asks[0].Choices), render.Line(safe))
}
