package transcript

import (
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// restored shows a stored conversation: what was said and done, as it looked.
func (m *Model) restored(e event.HistoryRestored) {
	kept := m.turn
	m.turn = newTurn("")
	users := 0
	for _, r := range e.Messages {
		if r.Synthetic {
			continue // written by the program, never shown
		}
		switch r.Role {
		case "user":
			users++
			m.turn = newTurn("")
			m.add(&user{text: r.Text})
		case "assistant":
			m.said(r)
		case "tool":
			m.answered(r)
		}
	}
	for _, c := range m.turn.cards {
		if c.done == nil {
			c.done = &event.ToolDone{Status: event.StatusCancelled}
		}
	}
	m.turn = kept
	n, repaired := len(e.Messages), e.Repaired
	m.Note(func(l *look.Look) string {
		text := l.T(locale.UIResumed, users, n)
		if repaired > 0 {
			text += "; " + l.N(repaired, locale.UIRepaired1, locale.UIRepaired)
		}
		return text
	})
}

func (m *Model) said(r event.Restored) {
	m.speak()
	if r.Reasoning != "" {
		t := &reasoning{done: true}
		t.text.WriteString(r.Reasoning)
		m.add(t)
	}
	if strings.TrimSpace(r.Text) != "" {
		a := &answer{}
		a.stream.Set(r.Text)
		a.stream.Finish()
		m.add(a)
	}
	for _, call := range r.Calls {
		c := &card{call: event.ToolStarted{Call: call.Call, Name: call.Name, Args: call.Args}, open: !m.folded, past: true}
		m.turn.cards[call.Call] = c
		m.add(c)
	}
}

func (m *Model) answered(r event.Restored) {
	c := m.turn.cards[r.Call]
	if c == nil {
		return
	}
	text := r.Text
	if len(text) > event.PreviewLimit {
		text = strings.ToValidUTF8(text[:event.PreviewLimit], "")
	}
	status := event.StatusOK
	if cutOff(r.Text) {
		status = event.StatusCancelled
	}
	c.done = &event.ToolDone{Call: r.Call, Name: r.Name, Status: status, Preview: text, Size: len(r.Text)}
}

// cutOff tells a result that the program wrote in the place of one that never
// came, by the words it begins with.
func cutOff(text string) bool {
	return strings.HasPrefix(text, "[Tool execution was interrupted") || strings.HasPrefix(text, "[Tool execution cancelled")
}

// undone takes the last turns off the screen, as they are off the history.
func (m *Model) undone(e event.HistoryUndone) {
	left := e.Turns
	for i := len(m.entries) - 1; i >= 0 && left > 0; i-- {
		if _, ok := m.entries[i].item.(*user); !ok {
			continue
		}
		if left--; left == 0 {
			m.drop(i)
		}
	}
	m.turn = newTurn("")
	m.Note(func(l *look.Look) string { return l.T(locale.UIUndone, e.Turns, e.Messages) })
}

// drop takes away the entries from the one at i on, but keeps what the user
// asked of the program itself.
func (m *Model) drop(i int) {
	kept := m.entries[:i:i]
	for _, e := range m.entries[i:] {
		switch e.item.(type) {
		case *output, *block:
			kept = append(kept, e)
		}
	}
	m.entries = kept
	m.Blur()
	m.Deselect()
	m.find.hits, m.find.opened, m.find.at, m.find.spans = nil, nil, -1, map[int]spanCache{}
	m.End()
}

// compress tells of the conversation being shortened, in one line that changes.
func (m *Model) compress(e event.Compress) {
	if m.shrinking == nil || e.Phase == event.CompressStarted {
		m.shrinking = &line{style: muted, glyph: func(*look.Look) string { return "⟳" }}
		m.add(m.shrinking)
	}
	l := m.shrinking
	switch e.Phase {
	case event.CompressStarted:
		l.text = func(l *look.Look) string { return l.T(locale.UICompressing, look.Count(e.Before)) }
	case event.CompressFailed:
		l.style = warn
		l.text = func(l *look.Look) string { return l.T(locale.UINotCompressed, render.Line(e.Reason)) }
	default:
		l.text = func(l *look.Look) string {
			text := l.T(locale.UICompressed, look.Count(e.Before), look.Count(e.After), e.Messages)
			if e.Fallback {
				text += " " + l.T(locale.UIFallbackSummary)
			}
			return text
		}
		m.shrinking = nil
	}
	l.touch()
}

// settled ends the card of a call that was handed over, in whatever turn it was.
func (m *Model) settled(e event.ToolSettled) {
	for i := len(m.entries) - 1; i >= 0; i-- {
		if c, ok := m.entries[i].item.(*card); ok && c.call.Call == e.Call && c.done != nil {
			c.settled = &e
			c.touch()
			return
		}
	}
}

// process tells of a command in the background.
func (m *Model) process(e event.Event) {
	switch e := e.(type) {
	case event.ProcessStarted:
		m.Note(func(l *look.Look) string { return l.T(locale.UIProcessStarted, e.ID, render.Line(e.Command)) })
	case event.ProcessExited:
		m.Note(func(l *look.Look) string { return l.T(locale.UIProcessExited, e.ID, e.Code, render.Line(e.Command)) })
	}
}
