package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// ErrGone says that the terminal was closed under the program.
var ErrGone = errors.New("the terminal is gone")

// Run opens the terminal, runs the model that build returns for it, and gives
// the terminal back in every case: at a normal end, when ctx ends, at a signal
// that ends programs (the error is then a SignalError, also when that signal
// ended ctx, too), when the terminal is gone (ErrGone), and after a panic of
// the update loop or of a goroutine that defers Terminal.Recover (PanicError).
// It returns the last model.
//
// started is called with the program before it runs, for those who send
// messages to it; it may be nil.
func Run(ctx context.Context, o Options, build func(*Terminal) tea.Model, started func(*tea.Program)) (last tea.Model, err error) {
	t, err := Open(o)
	if err != nil {
		return nil, err
	}
	defer t.Close() //nolint:errcheck // the error of the second call is nil
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t.onPanic(func(e PanicError) { cancel(e) })

	sig := watchSignals(t.theirs, func(s os.Signal) {
		// The terminal first: the update loop may be the one that hangs.
		_ = t.Close()
		cancel(SignalError{s})
	})
	defer func() {
		if r := recover(); r != nil {
			_ = t.Close()
			err = newPanicError(r)
		}
		if s := sig.end(); s != nil {
			err = SignalError{s}
		}
	}()

	p := tea.NewProgram(build(t), tea.WithContext(ctx), tea.WithoutRenderer(), tea.WithInput(nil),
		tea.WithOutput(io.Discard), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	if started != nil {
		started(p)
	}
	t.Start(func(m tea.Msg) {
		if gone, ok := m.(ClosedMsg); ok {
			cancel(fmt.Errorf("%w: %w", ErrGone, gone.Err))
			return
		}
		p.Send(m)
	})
	last, err = p.Run()
	if err = endOf(ctx, err); err != nil {
		_ = t.Close()
		return last, err
	}
	return last, t.Close()
}

// endOf returns why the program ended, when that was not its own decision.
func endOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, tea.ErrProgramKilled) {
		return cause
	}
	return err
}
