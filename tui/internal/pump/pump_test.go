package pump

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"go.uber.org/goleak"

	"hermes/agent/event"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a pump with a clock that the test moves.
type bench struct {
	bus     *event.Bus
	batches chan Batch
	asked   chan time.Duration // waits that the pump asked for
	resume  chan time.Time     // ends a wait

	mu  sync.Mutex
	now time.Time
}

func (b *bench) at() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bench) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func start(t *testing.T) *bench {
	t.Helper()
	b := &bench{bus: event.NewBus(nil), batches: make(chan Batch), asked: make(chan time.Duration), resume: make(chan time.Time), now: time.Unix(1000, 0)}
	sub := b.bus.Subscribe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		Run(ctx, sub, func(m tea.Msg) {
			select {
			case b.batches <- m.(Batch):
			case <-ctx.Done():
			}
		}, Clock{
			Now: b.at,
			After: func(d time.Duration) <-chan time.Time {
				select {
				case b.asked <- d:
				case <-ctx.Done():
				}
				return b.resume
			},
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return b
}

func texts(b Batch) string {
	var out []string
	for _, e := range b.Events {
		out = append(out, e.(event.Notice).Text)
	}
	return strings.Join(out, " ")
}

func TestIdleEventsAreSentAtOnce(t *testing.T) {
	b := start(t)
	b.bus.Emit(event.Notice{Text: "a"})
	if got := texts(<-b.batches); got != "a" {
		t.Errorf("got %q", got)
	}
}

func TestWhatComesWithinAFrameGoesTogether(t *testing.T) {
	b := start(t)
	b.bus.Emit(event.Notice{Text: "first"})
	<-b.batches
	for i := range 100 {
		b.bus.Emit(event.Notice{Text: fmt.Sprint(i)})
	}
	if d := <-b.asked; d != Frame {
		t.Errorf("waits %v, want a frame", d)
	}
	b.bus.Emit(event.Notice{Text: "last"})
	b.pass(Frame)
	b.resume <- b.at()
	got := <-b.batches
	if len(got.Events) != 101 || !strings.HasSuffix(texts(got), "99 last") {
		t.Errorf("%d events: %s", len(got.Events), texts(got))
	}
}

func TestAfterAPauseThereIsNoWait(t *testing.T) {
	b := start(t)
	for i := range 5 {
		b.bus.Emit(event.Notice{Text: fmt.Sprint(i)})
		for {
			select {
			case got := <-b.batches:
				if texts(got) != fmt.Sprint(i) {
					t.Errorf("got %q", texts(got))
				}
			case d := <-b.asked:
				// A token of the batch before may wake it early; it asks for
				// what is left of that frame, never for more.
				if d > Frame {
					t.Errorf("waits %v", d)
				}
				b.pass(d)
				b.resume <- b.at()
				continue
			}
			break
		}
		b.pass(2 * Frame)
	}
}
