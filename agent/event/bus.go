package event

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// RingLimit is how many PluginOutput and how many HookRun events a subscriber
// that does not read may have waiting; the oldest go first. It is the size of
// the event list of the interface (design: a ring of 5,000).
const RingLimit = 5000

// Bus hands events to subscribers. The zero value is ready. All methods may be
// called from any goroutine.
type Bus struct {
	mu    sync.Mutex
	seq   uint64
	subs  []*Subscription
	state map[string]Event // the latest of each kind that describes a state
	now   func() time.Time
}

// NewBus returns a bus with its own clock; nil means time.Now.
func NewBus(now func() time.Time) *Bus { return &Bus{now: now} }

// Emit stamps e and queues it for every subscriber. It never blocks.
func (b *Bus) Emit(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seq++
	at := time.Now()
	if b.now != nil {
		at = b.now()
	}
	e = e.stamp(b.seq, at)
	b.keep(e)
	for _, s := range b.subs {
		s.push(e)
	}
}

// Subscribe returns a subscription that sees every event from now on, until
// Close. It begins with the events that describe the present state: the
// session, the model, the tools, the commands, the host and each plugin.
func (b *Bus) Subscribe() *Subscription {
	s := &Subscription{bus: b, ready: make(chan struct{}, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := make([]Event, 0, len(b.state))
	for _, e := range b.state {
		now = append(now, e)
	}
	slices.SortFunc(now, func(x, y Event) int { return cmp.Compare(x.Envelope().Seq, y.Envelope().Seq) })
	for _, e := range now {
		s.push(e)
	}
	b.subs = append(b.subs, s)
	return s
}

// keep remembers e for later subscribers when it describes a state; b.mu is
// held.
func (b *Bus) keep(e Event) {
	key := ""
	switch e := e.(type) {
	case SessionOpened, SessionReset:
		key = "session"
	case SessionClosed:
		delete(b.state, "session")
	case ModelChanged:
		key = "model"
	case ConfigLoaded:
		key = "config"
	case ToolsChanged:
		key = "tools"
	case CommandsChanged:
		key = "commands"
	case HostState:
		key = "host"
	case PluginsSettled:
		key = "settled"
	case PluginState:
		key = "plugin " + e.Plugin.Key
	case PluginGone:
		delete(b.state, "plugin "+e.Key)
	case Ask:
		key = "ask " + e.ID
	case AskClosed:
		delete(b.state, "ask "+e.ID)
	}
	if key == "" {
		return
	}
	if b.state == nil {
		b.state = map[string]Event{}
	}
	b.state[key] = e
}

// Subscription is one reader's queue.
type Subscription struct {
	bus   *Bus
	ready chan struct{} // holds a token while the queue is not empty

	mu     sync.Mutex
	q      queue
	closed bool
}

// Next waits until something is queued and returns all of it, oldest first.
// It returns nil when ctx ends or the subscription is closed and empty.
func (s *Subscription) Next(ctx context.Context) []Event {
	for {
		if batch := s.Take(); batch != nil {
			return batch
		}
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-s.ready:
		}
	}
}

// Take returns what is queued without waiting, nil when nothing is.
func (s *Subscription) Take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.q.take()
}

// Ready is signalled when something was queued.
func (s *Subscription) Ready() <-chan struct{} { return s.ready }

// Close ends the subscription; Next returns what is left, then nil.
func (s *Subscription) Close() {
	s.bus.mu.Lock()
	for i, o := range s.bus.subs {
		if o == s {
			s.bus.subs = append(s.bus.subs[:i:i], s.bus.subs[i+1:]...)
			break
		}
	}
	s.bus.mu.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.signal()
}

func (s *Subscription) push(e Event) {
	s.mu.Lock()
	if !s.closed {
		s.q.push(e)
	}
	s.mu.Unlock()
	s.signal()
}

func (s *Subscription) signal() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}
