package event

import (
	"context"
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
	mu   sync.Mutex
	seq  uint64
	subs []*Subscription
	now  func() time.Time
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
	for _, s := range b.subs {
		s.push(e)
	}
}

// Subscribe returns a subscription that sees every event from now on, until
// Close.
func (b *Bus) Subscribe() *Subscription {
	s := &Subscription{bus: b, ready: make(chan struct{}, 1)}
	b.mu.Lock()
	b.subs = append(b.subs, s)
	b.mu.Unlock()
	return s
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
