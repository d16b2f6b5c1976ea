package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"hermes/agent/locale"
	"hermes/agent/logfile"
	"hermes/themes"
	"hermes/tui"
)

// TTY is the terminal of RunScreen. Size and Resized stand in for the real
// ones in tests.
type TTY struct {
	In      *os.File
	Out     *os.File
	Options func(*tui.Options) // changes what the view is started with; nil for nothing
}

// RunScreen shows the full-screen interface until the user quits. The first
// frame is made of what the last run saw; everything is loaded behind it.
func RunScreen(ctx context.Context, opt Options, tty TTY) error {
	facts := readFacts(opt.Home)
	if l, ok := locale.Parse(facts.Lang); ok {
		opt.Lang = l
	}
	rt := New(opt)
	o := tui.Options{
		In: tty.In, Out: tty.Out, Lang: opt.Lang, Facts: facts, Dir: opt.Dir, Version: opt.Version,
		HistoryFile: opt.Home.History(), Remember: rt.remember,
		Getenv: func(name string) string { return lookup(opt.Environ, name) },
		Theme:  themes.Default(),
	}
	if tty.Options != nil {
		tty.Options(&o)
	}
	painted, started := make(chan struct{}), make(chan struct{})
	paint := sync.OnceFunc(func() { close(painted) })
	o.Painted = paint
	go func() {
		// Loading begins behind the first frame: both want the processor, and
		// the frame is what the user waits for.
		defer close(started)
		<-painted
		rt.Start(ctx)
	}()
	err := tui.Run(ctx, rt, o)
	paint() // the terminal may have been gone before the first frame
	<-started
	if opt.Ended != nil {
		opt.Ended(rt.agent.Session())
	}
	err = rt.logPanic(err)
	return errors.Join(err, rt.Close())
}

// logPanic writes the stack of a defect of the view to the log, and says where.
func (rt *Runtime) logPanic(err error) error {
	var p tui.PanicError
	if !errors.As(err, &p) {
		return err
	}
	rt.logger("hermes.screen").Error("the interface ended", logfile.Traceback, string(p.Stack))
	return fmt.Errorf("%w (%s)", err, filepath.Join(rt.opt.Home.Logs(), "errors.log"))
}
