package term

import (
	"errors"
	"fmt"
	"time"
)

// ErrNoJobControl says that there is no shell to go back to.
var ErrNoJobControl = errors.New("no job control here")

// stopTicks and stopTick are how long the process may take to be stopped by its
// own signal. Where it is not, nobody would continue it. Ticks are counted, not
// the time, which goes on while the process is stopped: then at most one tick
// waits for it, and the rest is left to notice that it was continued.
const (
	stopTicks = 10
	stopTick  = 20 * time.Millisecond
)

// Suspend gives the terminal back, stops the process group until it is
// continued, and takes the terminal again (Ctrl+Z). It returns after that. It
// must not be called from Update: use a tea.Cmd. Where job control is missing
// it takes the terminal again at once and returns ErrNoJobControl.
func (t *Terminal) Suspend() error {
	if !canStop || !t.tty.raw() {
		return ErrNoJobControl
	}
	t.mu.Lock()
	if t.state != stateOpen || !t.started {
		t.mu.Unlock()
		return ErrNoJobControl
	}
	t.state = stateSuspended
	resumed := make(chan struct{})
	t.resumed = resumed
	t.mu.Unlock()

	err := t.writeOut(t.leave)
	t.tty.restore(false)
	if err == nil {
		err = stopSelf()
	}
	if err != nil {
		t.resume()
		return fmt.Errorf("suspend: %w", err)
	}
	tick := time.NewTicker(stopTick)
	defer tick.Stop()
	for range stopTicks {
		select {
		case <-resumed:
			return nil
		case <-t.stop:
			return nil
		case <-tick.C:
		}
	}
	if t.resume() {
		return ErrNoJobControl
	}
	return nil
}

// resume takes the terminal again. It is called after a suspension, and when
// the process was stopped and continued by others; then modes that are counted
// are undone first. It reports whether there was a suspension to end.
func (t *Terminal) resume() bool {
	t.mu.Lock()
	if t.state == stateClosed {
		t.mu.Unlock()
		return false
	}
	suspended := t.state == stateSuspended
	t.mu.Unlock()

	t.tty.makeRaw()
	_ = t.writeOut(func() string {
		if suspended {
			return t.enter()
		}
		return t.leave() + t.enter()
	})

	t.mu.Lock()
	if t.state == stateSuspended {
		t.state = stateOpen
	}
	t.full, t.entered = true, true
	if t.resumed != nil {
		close(t.resumed)
		t.resumed = nil
	}
	t.mu.Unlock()
	t.poke()
	return suspended
}

// enter returns what sets the modes again; the pen is held.
func (t *Terminal) enter() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.dialect.enter(t.mouse)
	if t.set2027 {
		s += clustersOn
	}
	return s
}
