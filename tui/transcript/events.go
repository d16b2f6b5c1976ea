package transcript

import (
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/look"
)

func (m *Model) delta(e event.Delta) {
	m.retryOver()
	if e.Kind == event.KindReasoning {
		r := m.turn.thought[e.Msg]
		if r == nil {
			m.speak()
			r = &reasoning{}
			m.turn.thought[e.Msg] = r
			m.add(r)
		}
		r.text.WriteString(e.Text)
		r.touch()
		return
	}
	a := m.answerTo(e.Msg, e.Text)
	if a == nil {
		return
	}
	a.stream.Append(e.Text)
	a.touch()
}

// answerTo returns the item of a message. Blank text makes none: models send
// line ends before they call a tool.
func (m *Model) answerTo(msg, text string) *answer {
	a := m.turn.answers[msg]
	if a == nil {
		if strings.TrimSpace(text) == "" {
			return nil
		}
		m.thought(msg)
		m.speak()
		a = &answer{}
		m.turn.answers[msg] = a
		m.add(a)
	}
	return a
}

func (m *Model) thought(msg string) {
	if r := m.turn.thought[msg]; r != nil && !r.done {
		r.done = true
		r.touch()
	}
}

func (m *Model) messageDone(e event.MessageDone) {
	m.thought(e.Msg)
	if e.Demo {
		m.markDemo()
	}
	a := m.answerTo(e.Msg, e.Content)
	if a == nil {
		return
	}
	if e.Replaced || a.stream.Text() == "" {
		a.stream.Set(e.Content)
	}
	a.stream.Finish()
	a.touch()
}

// markDemo labels the answer that is being given.
func (m *Model) markDemo() {
	m.turn.demo = true
	for i := len(m.entries) - 1; i >= 0; i-- {
		if h, ok := m.entries[i].item.(*head); ok {
			if !h.demo {
				h.demo = true
				h.touch()
			}
			return
		}
	}
}

func (m *Model) toolStarted(e event.ToolStarted) {
	m.retryOver()
	m.speak()
	c := &card{call: e, started: e.At, open: !m.folded}
	m.turn.cards[e.Call] = c
	m.add(c)
}

func (m *Model) toolDone(e event.ToolDone) {
	c := m.turn.cards[e.Call]
	if c == nil { // it never started: blocked, unknown, bad arguments
		m.speak()
		c = &card{open: !m.folded}
		m.turn.cards[e.Call] = c
		m.add(c)
	}
	c.call.Call, c.call.Name, c.call.Owner, c.call.Toolset = e.Call, e.Name, e.Owner, e.Toolset
	if e.Args != "" || c.call.Args == "" {
		c.call.Args = e.Args
	}
	c.done = &e
	c.touch()
}

func (m *Model) retry(e event.Retry) {
	if m.turn.retry == nil {
		m.turn.retry = &line{style: warn, glyph: func(*look.Look) string { return "↻" }}
		m.add(m.turn.retry)
	}
	m.turn.retry.text = func(l *look.Look) string {
		return l.T(locale.UIRetry, e.Reason, look.Millis(float64(e.After.Milliseconds())), e.N, e.Max)
	}
	m.turn.retry.touch()
}

// retryOver makes the next retry a line of its own.
func (m *Model) retryOver() { m.turn.retry = nil }

func (m *Model) hookSlow(e event.HookSlow) {
	for _, h := range m.turn.slow {
		if h.done == nil && h.is(e.Hook, e.Plugin, e.Callback) {
			h.slow = e
			h.touch()
			return
		}
	}
	if e.Elapsed < slowFrom {
		return
	}
	h := &hookLine{slow: e, since: e.At.Add(-e.Elapsed)}
	m.turn.slow = append(m.turn.slow, h)
	m.add(h)
}

func (m *Model) hookRun(e event.HookRun) {
	for _, h := range m.turn.slow {
		if h.done == nil && h.is(e.Hook, e.Plugin, e.Callback) {
			h.done = &e
			h.touch()
			break
		}
	}
	late := e.Effect == "late" && !e.Timeout // its run was counted when it was given up
	if e.Turn == "" || e.Turn != m.turn.id || late {
		return
	}
	s := &m.turn.hooks
	s.runs += 1 + e.Dropped
	if e.Ms > s.slowestMs {
		s.slowestMs, s.slowest = e.Ms, e.Plugin+"."+e.Callback
	}
	switch {
	case e.Timeout:
		s.timeouts++
	case e.Err != nil:
		s.errors++
	}
}

func (m *Model) turnDone(e event.TurnDone) {
	for _, a := range m.turn.answers {
		a.stream.Finish()
		a.touch()
	}
	for msg := range m.turn.thought {
		m.thought(msg)
	}
	for _, c := range m.turn.cards {
		if c.done == nil { // the turn was left behind
			c.done = &event.ToolDone{Status: event.StatusCancelled, Ms: float64(e.At.Sub(c.started).Milliseconds())}
			c.touch()
		}
	}
	for _, h := range m.turn.slow {
		if h.done == nil {
			h.done = &event.HookRun{Effect: "late", Ms: float64(e.At.Sub(h.since).Milliseconds())}
			h.touch()
		}
	}
	if e.Demo {
		m.markDemo()
	}
	m.outcome(e)
	if m.turn.hooks.runs > 0 {
		sum := m.turn.hooks
		m.add(&sum)
	}
	demo := m.turn.demo
	m.turn = newTurn("")
	m.turn.demo = demo
}

func (m *Model) outcome(e event.TurnDone) {
	l := &line{style: warn, glyph: func(l *look.Look) string { return l.Glyph.Blocked }}
	switch e.Outcome {
	case event.OutcomeInterrupted:
		l.text = func(l *look.Look) string { return l.T(locale.UIInterrupted) }
	case event.OutcomeLimit:
		l.text = func(l *look.Look) string { return orText(e.Err, l.T(locale.UILimit, e.APICalls)) }
	case event.OutcomeFailed:
		l.style, l.glyph = bad, func(l *look.Look) string { return l.Glyph.Failed }
		l.text = func(l *look.Look) string { return orText(e.Err, l.T(locale.UITurnFailed)) }
	default:
		return
	}
	m.add(l)
}

func orText(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (m *Model) notice(e event.Notice) {
	l := &line{style: muted, text: static(e.Text), glyph: func(l *look.Look) string { return l.Glyph.Bullet }}
	switch e.Level {
	case event.LevelWarn:
		l.style, l.glyph = warn, func(*look.Look) string { return "!" }
	case event.LevelError:
		l.style, l.glyph = bad, func(l *look.Look) string { return l.Glyph.Failed }
	}
	m.add(l)
}

// Note appends a dim line of the view's own.
func (m *Model) Note(text func(l *look.Look) string) {
	m.add(&line{style: muted, text: text, glyph: func(l *look.Look) string { return l.Glyph.Bullet }})
}

func (m *Model) command(e event.Event) {
	switch e := e.(type) {
	case event.CommandStarted:
		m.add(&output{line: e.Line, running: true})
	case event.CommandDone:
		o := m.running(e.Line)
		if o == nil {
			o = &output{line: e.Line}
			m.add(o)
		}
		o.text, o.err, o.pre, o.running = e.Text, e.Err, e.Pre, false
		o.touch()
	}
}

// running finds the newest unfinished output of a command line.
func (m *Model) running(line string) *output {
	for i := len(m.entries) - 1; i >= 0; i-- {
		if o, ok := m.entries[i].item.(*output); ok && o.running && o.line == line {
			return o
		}
	}
	return nil
}
