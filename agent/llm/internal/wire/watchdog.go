package wire

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// Causes with which the watchdog ends a request.
var (
	errNoByte  = errors.New("the service sent nothing in time")
	errStale   = errors.New("the service stopped sending")
	errTooLong = errors.New("the answer took too long")
)

// watchdog ends a request that says nothing for too long, or takes too long
// as a whole. Its timers belong to one request; stop ends them.
type watchdog struct {
	cancel      context.CancelCauseFunc
	read, stale time.Duration

	mu     sync.Mutex // guards the timers: the body is read on another goroutine than stop
	timers [3]*time.Timer
}

const (
	timerRead = iota
	timerStale
	timerTotal
)

// newWatchdog returns a watchdog and the context that it ends.
func newWatchdog(ctx context.Context, l limits) (*watchdog, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{cancel: cancel, read: l.read, stale: l.stale}
	w.set(timerRead, l.read, errNoByte)
	w.set(timerStale, l.stale, errStale)
	w.set(timerTotal, l.total, errTooLong)
	return w, ctx
}

func (w *watchdog) set(i int, d time.Duration, cause error) {
	if d > 0 {
		w.timers[i] = time.AfterFunc(d, func() { w.cancel(cause) })
	}
}

func (w *watchdog) sawByte()  { w.reset(timerRead, w.read) }
func (w *watchdog) sawEvent() { w.reset(timerStale, w.stale) }

func (w *watchdog) reset(i int, d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.timers[i]; t != nil {
		t.Reset(d)
	}
}

// endWithin ends the request after d, whatever it does.
func (w *watchdog) endWithin(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t := w.timers[timerTotal]; t != nil {
		t.Stop()
	}
	w.timers[timerTotal] = time.AfterFunc(d, func() { w.cancel(errTooLong) })
}

// stop ends the timers and the request's context.
func (w *watchdog) stop() {
	w.mu.Lock()
	for i, t := range w.timers {
		if t != nil {
			t.Stop()
			w.timers[i] = nil
		}
	}
	w.mu.Unlock()
	w.cancel(nil)
}

// watched tells the watchdog of every byte.
type watched struct {
	r io.Reader
	w *watchdog
}

func (r watched) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if n > 0 {
		r.w.sawByte()
	}
	return n, err
}
