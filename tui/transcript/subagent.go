package transcript

import (
	"strings"

	"hermes/agent/event"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// sub is a sub-agent on the card of the call that began it.
type sub struct {
	started event.SubagentStarted
	word    string
	done    *event.SubagentDone
}

func (m *Model) subagent(e event.Event) {
	switch e := e.(type) {
	case event.SubagentStarted:
		if c := m.turn.cards[e.Call]; c != nil {
			c.subs = append(c.subs, &sub{started: e})
			c.touch()
		}
	case event.SubagentProgress:
		m.withSub(e.ID, func(s *sub) { s.word = e.Text })
	case event.SubagentDone:
		m.withSub(e.ID, func(s *sub) { s.done = &e })
	}
}

func (m *Model) withSub(id string, change func(*sub)) {
	for i := len(m.entries) - 1; i >= 0; i-- {
		c, ok := m.entries[i].item.(*card)
		if !ok {
			continue
		}
		for _, s := range c.subs {
			if s.started.ID == id {
				change(s)
				c.touch()
				return
			}
		}
	}
}

// subRows are the sub-agents of a card, one row each.
func (c *card) subRows(cv *canvas, width int) []string {
	var out []string
	for _, s := range c.subs {
		sign, tail, word := cv.Style.Accent.Render(spinner(cv)), "", s.word
		if s.done != nil {
			tail = "  " + look.Millis(float64(s.done.Duration.Milliseconds()))
			word = s.done.Summary
			sign = cv.Style.OK.Render(cv.Glyph.OK)
			if s.done.Status != "completed" {
				sign = cv.Style.Error.Render(cv.Glyph.Failed)
				word = s.done.Status + " " + word
			}
		}
		goal := render.Line(s.started.Goal)
		room := max(width-render.Width(tail)-2, 1)
		left := render.Truncate(goal, max(room/2, 1), render.Ellipsis)
		if word = render.Line(word); word != "" {
			left += " " + cv.Style.Muted.Render(render.Truncate(cv.Glyph.Dash+" "+word, max(room-render.Width(left)-1, 1), render.Ellipsis))
		}
		out = append(out, sign+" "+left+strings.Repeat(" ", max(room-render.Width(left), 0))+cv.Style.Muted.Render(tail))
	}
	return out
}
