// Package transcript shows the conversation: what the user said, answers as
// they stream, tool calls as cards, slow hooks, notices and what commands
// printed. It keeps the reader's place while anything above or below changes.
//
// The conversation is a list of items. Each caches its rows; only items that
// can be seen are rendered. The package takes events in and draws rows; it
// reads no clock and does no IO.
package transcript

import (
	"time"

	"hermes/agent/event"
	"hermes/tui/internal/look"
	"hermes/tui/internal/markdown"
)

// Model is the conversation and the window on it.
type Model struct {
	canvas  canvas
	entries []*entry
	view    viewport
	turn    turn
	focus   int // entry that has the focus, -1 for none
	mark    int // entry from which on a range is marked to the focus, -1 for none
	sel     selection
	find    finder
	folded  bool

	shrinking *line // tells of the compression that runs
}

// entry is an item with its cached rows.
type entry struct {
	item  item
	cache []string
	key   cacheKey
	valid bool
	gap   bool // a blank row stands before it
}

type cacheKey struct{ rev, look, width int }

// turn is what the events of the running turn refer to.
type turn struct {
	id      string
	demo    bool
	headed  bool
	answers map[string]*answer
	thought map[string]*reasoning
	cards   map[string]*card
	slow    []*hookLine
	hooks   hookSum
	retry   *line
}

// New returns an empty conversation.
func New(l *look.Look) *Model {
	m := &Model{focus: -1, mark: -1, folded: true}
	m.view.follow = true
	m.SetLook(l)
	m.turn = newTurn("")
	return m
}

func newTurn(id string) turn {
	return turn{id: id, answers: map[string]*answer{}, thought: map[string]*reasoning{}, cards: map[string]*card{}}
}

// SetLook changes how everything is drawn.
func (m *Model) SetLook(l *look.Look) {
	m.canvas.Look = l
	m.canvas.md = markdown.NewRenderer(l)
}

// SetNow tells the time and the spinner's frame for what moves.
func (m *Model) SetNow(now time.Time, frame int) { m.canvas.now, m.canvas.frame = now, frame }

// SetDemo tells whether the demo model answers from now on.
func (m *Model) SetDemo(demo bool) { m.turn.demo = demo }

// Block appends an item that the caller draws. touch makes it be drawn again.
func (m *Model) Block(draw func(l *look.Look, width int) []string) (touch func()) {
	b := &block{draw: draw}
	m.add(b)
	return b.touch
}

// Clear drops everything but the first n items.
func (m *Model) Clear(keep int) {
	m.entries = m.entries[:min(keep, len(m.entries))]
	m.turn = newTurn("")
	m.Blur()
	m.Deselect()
	m.find = finder{}
	m.view = viewport{width: m.view.width, height: m.view.height, follow: true}
}

// Len is how many items there are.
func (m *Model) Len() int { return len(m.entries) }

// Moves tells whether something that is shown changes with time.
func (m *Model) Moves() bool {
	for i := len(m.entries) - 1; i >= 0 && i >= len(m.entries)-liveWithin; i-- {
		if m.entries[i].item.live() {
			return true
		}
	}
	return false
}

// liveWithin is how far from the end a running call can stand: a turn's calls
// and hook lines are the newest items.
const liveWithin = 64

func (m *Model) add(it item) {
	e := &entry{item: it}
	m.entries = append(m.entries, e)
}

// Apply takes one event in.
func (m *Model) Apply(e event.Event) {
	if turn := e.Envelope().Turn; turn != "" && turn != m.turn.id {
		switch e.(type) {
		case event.TurnStarted, event.ToolSettled, event.SubagentProgress, event.SubagentDone, event.ProcessStarted, event.ProcessExited:
			// These may come after their turn.
		default:
			return // of a turn that is over
		}
	}
	switch e := e.(type) {
	case event.TurnStarted:
		demo := m.turn.demo
		m.turn = newTurn(e.Turn)
		m.turn.demo = demo
		m.add(&user{text: e.Text})
	case event.Delta:
		m.delta(e)
	case event.MessageDone:
		m.messageDone(e)
	case event.ToolStarted:
		m.toolStarted(e)
	case event.ToolProgress:
		if c := m.turn.cards[e.Call]; c != nil {
			c.text = e.Text
			c.touch()
		}
	case event.ToolDone:
		m.toolDone(e)
	case event.Retry:
		m.retry(e)
	case event.HookSlow:
		m.hookSlow(e)
	case event.HookRun:
		m.hookRun(e)
	case event.TurnDone:
		m.turnDone(e)
	case event.CommandStarted, event.CommandDone:
		m.command(e)
	case event.Notice:
		m.notice(e)
	case event.ModelChanged:
		m.turn.demo = e.Demo
	case event.HistoryRestored:
		m.restored(e)
	case event.HistoryUndone:
		m.undone(e)
	case event.Compress:
		m.compress(e)
	case event.ToolSettled:
		m.settled(e)
	case event.SubagentStarted, event.SubagentProgress, event.SubagentDone:
		m.subagent(e)
	case event.ProcessStarted, event.ProcessExited:
		m.process(e)
	}
}

// speak makes sure that the name of the model stands before what it does.
func (m *Model) speak() {
	if !m.turn.headed {
		m.turn.headed = true
		m.add(&head{demo: m.turn.demo})
	}
}
