package term

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/muesli/cancelreader"
)

// ErrNotLent says that the terminal cannot be handed to another program now:
// it is none, it is handed over already, or the program ends.
var ErrNotLent = errors.New("the terminal cannot be handed over")

// loan is the time in which another program has the terminal.
type loan struct {
	paused chan struct{} // closed when the reader reads no more
	back   chan struct{} // closed when it may read again
}

// Lend gives the terminal back, lets run use it, and takes it again when run
// returns: with an error, too, and whatever state run left the terminal in.
// Nothing that is typed meanwhile is read here. run's context ends when the
// terminal is closed. It must not be called from Update: use a tea.Cmd.
//
// The program that run starts belongs in our process group, as an editor's
// does: Ctrl+C and Ctrl+\ in it are its own (see lent), and Ctrl+Z stops both.
func (t *Terminal) Lend(run func(ctx context.Context, in, out *os.File) error) error {
	if !t.tty.raw() || t.tty.out == nil {
		return ErrNotLent
	}
	l := &loan{paused: make(chan struct{}), back: make(chan struct{})}
	t.mu.Lock()
	if t.state != stateOpen || !t.started {
		t.mu.Unlock()
		return ErrNotLent
	}
	t.state, t.loan = stateSuspended, l
	in := t.input
	t.mu.Unlock()

	if !in.Cancel() {
		t.endLoan(l)
		t.mu.Lock()
		if t.state == stateSuspended {
			t.state = stateOpen
		}
		t.mu.Unlock()
		t.poke()
		return ErrNotLent
	}
	select {
	case <-l.paused:
	case <-t.loopDone:
		return ErrNotLent
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-t.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := t.writeOut(t.leave)
	t.tty.restore(false)
	if err == nil {
		err = run(ctx, t.tty.in, t.tty.out)
	}
	cancel()
	<-watched
	t.endLoan(l)
	if err != nil { // it may have left modes set
		_ = t.writeOut(func() string { return mouseAlien + t.dialect.leave(false) })
	}
	t.resume()
	return err
}

// endLoan lets the reader and the loop have the terminal again.
func (t *Terminal) endLoan(l *loan) {
	t.mu.Lock()
	t.loan, t.returned = nil, time.Now()
	t.mu.Unlock()
	close(l.back)
}

// lateSignal is how long after a loan a signal of its keys may still arrive:
// it is sent to both programs at once, but noticed here a moment later.
const lateSignal = 250 * time.Millisecond

// lent tells whether another program has the terminal. The keys that send
// signals are meant for it then, although the signals reach us, too.
func (t *Terminal) lent() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.loan != nil
}

// theirs tells whether a signal is one that the terminal sends for a key that
// is meant for the program that has it now.
func (t *Terminal) theirs(s os.Signal) bool {
	if s != os.Interrupt && s != syscall.SIGQUIT {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.loan != nil || !t.returned.IsZero() && time.Since(t.returned) < lateSignal
}

// renew returns the reader to go on with after err ended a read: a fresh one
// when it was cancelled for a loan that is over by now, nil when there is
// nothing to go on with.
func (t *Terminal) renew(err error) input {
	if !errors.Is(err, cancelreader.ErrCanceled) {
		return nil
	}
	t.mu.Lock()
	l := t.loan
	t.mu.Unlock()
	if l != nil {
		close(l.paused)
		select {
		case <-l.back:
		case <-t.stop:
			return nil
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == stateClosed {
		return nil
	}
	in, err := newInput(t.o.In)
	if err != nil {
		return brokenInput{fmt.Errorf("take the terminal again: %w", err)}
	}
	t.input = in
	return in
}

// brokenInput is an input that could not be opened again: reading it ends.
type brokenInput struct{ err error }

func (b brokenInput) Read([]byte) (int, error) { return 0, b.err }
func (b brokenInput) Close() error             { return nil }
func (b brokenInput) Cancel() bool             { return true }

// cancelInput ends the read that waits, and every later one.
func (t *Terminal) cancelInput() {
	t.mu.Lock()
	in := t.input
	t.mu.Unlock()
	in.Cancel()
}
