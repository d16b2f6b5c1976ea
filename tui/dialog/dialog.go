// Package dialog asks the user: a question above the composer with its
// choices. Several questions wait in line. Keys that were in flight when a
// question appeared do not answer it: they go to the draft.
package dialog

import (
	"strconv"
	"time"

	"hermes/agent/event"
	"hermes/tui/composer"
	"hermes/tui/internal/look"
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

	field *composer.Model // takes the text of a choice; nil while none is open
	view  bool            // the whole body is being read
	from  int             // first row of the body that is shown in view
	page  int             // rows of the body that fit, from the last Render

	away    time.Time // since when the terminal has no focus; zero: it has
	touched bool      // a key came since the question opened
}

// New returns no question.
func New(l *look.Look) *Model { return &Model{look: l} }

// SetLook changes how questions are drawn.
func (m *Model) SetLook(l *look.Look) {
	m.look = l
	if m.field != nil {
		m.field.SetLook(l)
	}
}

// Open tells whether a question waits.
func (m *Model) Open() bool { return len(m.asks) > 0 }

// Writing tells whether a text is being typed into the question.
func (m *Model) Writing() bool { return m.field != nil }

// Apply takes a question in or away; it returns the question that was closed
// with its answer.
func (m *Model) Apply(e event.Event, now time.Time) (closed *event.Ask, answer event.Answer) {
	switch e := e.(type) {
	case event.Ask:
		if len(e.Choices) == 0 {
			return nil, answer
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
			return &gone, event.Answer{Choice: e.Answer, Text: e.Text}
		}
	}
	return nil, answer
}

// front begins with the question that is first in line now.
func (m *Model) front(now time.Time) {
	m.opened, m.lastKey, m.ready = now, time.Time{}, false
	m.field, m.view, m.from, m.touched = nil, false, 0, false
	if !m.Open() {
		return
	}
	m.pick = m.safe()
	// A question that has nothing to choose opens its field at once.
	if a := m.asks[0]; a.Kind == event.AskSecret || len(a.Choices) == 1 {
		for i, c := range a.Choices {
			if c.Input {
				m.pick = i
				m.write()
				return
			}
		}
	}
}

func (m *Model) write() { m.field = composer.New(m.look) }

func (m *Model) safe() int {
	a := m.asks[0]
	return max(min(a.Default, len(a.Choices)-1), 0)
}

// Answer is the answer to a question.
type Answer struct {
	Ask string
	event.Answer
}

// Key takes a key. handled is false when it belongs to the draft; answer is
// set when the key decided.
func (m *Model) Key(name string, runes []rune, now time.Time) (answer *Answer, handled bool) {
	m.touched = true
	if !m.settled(now) {
		m.lastKey = now
		// What is not text is dropped, and so is what may be a password.
		return nil, len(runes) == 0 || m.asks[0].Kind == event.AskSecret
	}
	if m.field != nil {
		return m.fieldKey(name, runes), true
	}
	a := m.asks[0]
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(a.Choices) {
		return m.take(n - 1), true
	}
	if m.view && m.viewKey(name) {
		return nil, true
	}
	switch name {
	case "up", "shift+tab":
		m.pick = (m.pick + len(a.Choices) - 1) % len(a.Choices)
	case "down", "tab":
		m.pick = (m.pick + 1) % len(a.Choices)
	case "v":
		m.view, m.from = true, 0
	case "enter":
		return m.take(m.pick), true
	case "esc":
		return m.Cancel(), true
	default:
		return nil, false
	}
	return nil, true
}

// Touch keeps the question in front from expiring.
func (m *Model) Touch(now time.Time) { m.touched, m.lastKey = true, now }

// fieldKey is a key for the text beside a choice.
func (m *Model) fieldKey(name string, runes []rune) *Answer {
	a := m.asks[0]
	switch name {
	case "enter":
		if m.field.Empty() && a.Kind != event.AskApproval {
			return nil
		}
		return &Answer{a.ID, event.Answer{Choice: a.Choices[m.pick].ID, Text: m.field.Text()}}
	case "esc":
		if a.Kind == event.AskSecret || len(a.Choices) == 1 {
			return m.Cancel()
		}
		m.field = nil
		return nil
	}
	m.field.Key(name, runes)
	return nil
}

// viewKey moves through the whole body.
func (m *Model) viewKey(name string) bool {
	switch name {
	case "up", "k":
		m.from--
	case "down", "j":
		m.from++
	case "pgup":
		m.from -= max(m.page-1, 1)
	case "pgdown", " ":
		m.from += max(m.page-1, 1)
	case "home":
		m.from = 0
	case "end":
		m.from = 1 << 30 // Render knows the end
	case "v", "esc":
		m.view = false
	default:
		return false
	}
	return true
}

// Paste puts pasted text into the open field; false gives it to the draft.
func (m *Model) Paste(text string, now time.Time) bool {
	if m.field == nil || !m.settled(now) {
		return m.field != nil && m.asks[0].Kind == event.AskSecret
	}
	m.field.Insert(text)
	return true
}

// Ready tells whether the question in front takes keys by now.
func (m *Model) Ready(now time.Time) bool { return m.Open() && m.settled(now) }

// settled is Ready of an open question.
func (m *Model) settled(now time.Time) bool {
	if !m.ready {
		m.ready = now.Sub(m.opened) >= grace && (m.lastKey.IsZero() || now.Sub(m.lastKey) >= pause)
	}
	return m.ready
}

// Cancel answers with the safe choice. A question of the model's has none, and
// where the only choice takes a text there is none either: they are left without
// an answer.
func (m *Model) Cancel() *Answer {
	c := m.asks[0].Choices[m.safe()]
	if m.asks[0].Kind == event.AskClarify || (c.Input && m.asks[0].Kind != event.AskApproval) {
		return &Answer{Ask: m.asks[0].ID}
	}
	return &Answer{m.asks[0].ID, event.Answer{Choice: c.ID}}
}

// take chooses i, or opens its field.
func (m *Model) take(i int) *Answer {
	m.pick = i
	if m.asks[0].Choices[i].Input {
		m.write()
		return nil
	}
	return &Answer{m.asks[0].ID, event.Answer{Choice: m.asks[0].Choices[i].ID}}
}

// Command is what the question in front asks about, for the clipboard.
func (m *Model) Command() string {
	if !m.Open() {
		return ""
	}
	a := m.asks[0]
	switch {
	case a.Command != "":
		return a.Command
	case a.Diff != "":
		return a.Diff
	}
	return a.Text
}

// Focus tells that the terminal got or lost the focus.
func (m *Model) Focus(has bool, now time.Time) {
	if m.away = now; has {
		m.away = time.Time{}
	}
}

// left is how long the question in front still waits; counts is false while it
// waits without end: nothing expires while the terminal has the focus or the
// question was touched (decision D23).
func (m *Model) left(now time.Time) (d time.Duration, counts bool) {
	if !m.Open() || m.asks[0].Expires <= 0 || m.touched || m.away.IsZero() {
		return 0, false
	}
	since := m.away
	if m.opened.After(since) {
		since = m.opened
	}
	return since.Add(m.asks[0].Expires).Sub(now), true
}

// Counts tells whether a count-down is shown.
func (m *Model) Counts(now time.Time) bool {
	_, counts := m.left(now)
	return counts
}

// Expired is the end of a question that nobody answered in time, else nil.
func (m *Model) Expired(now time.Time) *Answer {
	if d, counts := m.left(now); counts && d <= 0 {
		return &Answer{Ask: m.asks[0].ID}
	}
	return nil
}
