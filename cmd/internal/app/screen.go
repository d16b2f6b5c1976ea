package app

import (
	"context"
	"errors"
	"os"
	"sync"

	"hermes/agent/locale"
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
	return errors.Join(err, rt.Close())
}
