package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/agent/locale"
	"hermes/themes"
	"hermes/tui/internal/pump"
	"hermes/tui/internal/term"
)

// Options are what the interface is started with.
type Options struct {
	// In and Out are the terminal. Size and Resized stand in for it in tests.
	In      io.Reader
	Out     io.Writer
	Size    func() (w, h int)
	Resized <-chan struct{}

	Lang        locale.Lang
	Theme       *themes.Theme // nil means the default theme
	Facts       Facts
	Dir         string // working directory, absolute
	Version     string
	HistoryFile string // empty: history of this session only
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// Remember is called with what the next run may show on its first frame,
	// whenever that has settled, and at the end. It may be slow: it is called
	// outside the event loop, one call at a time.
	Remember func(Facts)
	// Still turns off everything that moves by itself (display.reduced_motion).
	Still bool
	// ASCII avoids every sign outside ASCII; it is also on when the locale is
	// not UTF-8.
	ASCII bool
	// Painted is called once, when the first frame has been written to the
	// terminal; what competes with it for the processor begins then. It must
	// not block.
	Painted func()
}

// PanicError says that the interface ended because of a defect of its own. Its
// text is one line; the stack is for the log.
type PanicError = term.PanicError

// SignalError says that a signal ended the interface.
type SignalError = term.SignalError

// Run shows the interface until the user quits or ctx ends. The terminal is as
// before when it returns. The error is a SignalError after a signal, a
// PanicError after a panic, term.ErrGone when the terminal went away, and the
// cause of ctx when that ended.
func Run(ctx context.Context, b Backend, o Options) error { return run(ctx, b, o, time.Now) }

// run is Run with the clock as an argument.
func run(ctx context.Context, b Backend, o Options, now func() time.Time) error {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	sub := b.Subscribe()
	defer sub.Close()
	ctx, cancel := context.WithCancel(ctx)
	pumped := make(chan struct{})
	var m *model
	var t *term.Terminal
	build := func(opened *term.Terminal) tea.Model {
		t = opened
		m = newModel(b, t, o, now)
		m.done = ctx.Done()
		m.resize(t.Size())
		m.View() // the first frame does not wait for the event loop
		return m
	}
	started := func(p *tea.Program) {
		m.work = newWorker(p.Send, t.Recover)
		go func() {
			defer close(pumped)
			defer t.Recover()
			pump.Run(ctx, sub, p.Send, pump.Clock{})
		}()
	}
	_, err := term.Run(ctx, term.Options{In: o.In, Out: o.Out, Size: o.Size, Resized: o.Resized, Getenv: o.Getenv, Painted: o.Painted}, build, started)
	cancel()
	if m == nil || m.work == nil { // nothing was started that could be waited for
		return fmt.Errorf("start the interface: %w", err)
	}
	<-pumped
	m.work.close()
	if o.Remember != nil && m.state.ToolsKnown {
		o.Remember(factsOf(m.state))
	}
	return err
}
