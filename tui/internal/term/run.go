package term

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	tea "github.com/charmbracelet/bubbletea"
)

// SignalError says that a signal ended the program.
type SignalError struct{ Signal os.Signal }

// Error names the signal.
func (e SignalError) Error() string { return fmt.Sprintf("ended by signal: %v", e.Signal) }

// ExitCode is what a shell reports for a process that the signal ended.
func (e SignalError) ExitCode() int {
	if n, ok := e.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return 1
}

// ErrGone says that the terminal was closed under the program.
var ErrGone = errors.New("the terminal is gone")

// Run opens the terminal, runs the model that build returns for it, and gives
// the terminal back in every case: at a normal end, when ctx ends, at SIGINT,
// SIGTERM and SIGHUP (the error is then a SignalError), when the terminal is
// gone (ErrGone), and while a panic of the update loop unwinds. It returns the
// last model.
//
// started is called with the program before it runs, for those who send
// messages to it; it may be nil. A panic in another goroutine ends the process
// without passing here: goroutines of the program defer Terminal.Recover.
func Run(ctx context.Context, o Options, build func(*Terminal) tea.Model, started func(*tea.Program)) (tea.Model, error) {
	t, err := Open(o)
	if err != nil {
		return nil, err
	}
	defer t.Close() //nolint:errcheck // the error of the second call is nil
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)

	sig := make(chan os.Signal, 2)
	signal.Notify(sig, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(sig)
	go func() {
		select {
		case s := <-sig:
			// The terminal first: the update loop may be the one that hangs.
			_ = t.Close()
			cancel(SignalError{s})
			raiseAgain(sig)
		case <-ctx.Done():
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
	m, err := p.Run()
	if err = endOf(ctx, err); err != nil {
		_ = t.Close()
		return m, err
	}
	return m, t.Close()
}

// raiseAgain stops catching signals, so that the next one ends the process at
// once; one that came in the meantime does it now.
func raiseAgain(sig chan os.Signal) {
	signal.Stop(sig)
	select {
	case s := <-sig:
		if p, err := os.FindProcess(os.Getpid()); err == nil {
			_ = p.Signal(s)
		}
	default:
	}
}

// endOf returns why the program ended, when that was not its own decision.
func endOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, tea.ErrProgramKilled) {
		return cause
	}
	return err
}

// Recover gives the terminal back when the goroutine that defers it panics,
// and panics on, so that the report is seen.
func (t *Terminal) Recover() {
	if r := recover(); r != nil {
		_ = t.Close()
		panic(r)
	}
}
