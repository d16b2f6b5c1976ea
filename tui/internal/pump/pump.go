// Package pump carries events from the bus to the event loop of the view. It
// takes everything that is queued at once and sends it as one Batch: at once
// when nothing was sent for a while, and no more often than a frame otherwise.
// One message per text delta would cost more than the text (Bubble Tea calls
// View for every message).
package pump

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/event"
)

// Frame is the least time between two batches while events keep coming.
const Frame = 33 * time.Millisecond

// Batch is what happened since the last one, oldest first.
type Batch struct{ Events []event.Event }

// Clock lets tests stand in for the passing of time.
type Clock struct {
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// Source is what the pump needs of a subscription.
type Source interface {
	Take() []event.Event
	Ready() <-chan struct{}
}

// Run sends batches until ctx ends. send may block; meanwhile events gather.
func Run(ctx context.Context, src Source, send func(tea.Msg), clock Clock) {
	if clock.Now == nil {
		clock.Now, clock.After = time.Now, time.After
	}
	var last time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-src.Ready():
		}
		if wait := Frame - clock.Now().Sub(last); !last.IsZero() && wait > 0 {
			select {
			case <-ctx.Done():
				return
			case <-clock.After(wait):
			}
		}
		if events := src.Take(); len(events) > 0 {
			send(Batch{events})
			last = clock.Now()
		}
	}
}
