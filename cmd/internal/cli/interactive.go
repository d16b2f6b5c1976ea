package cli

import (
	"context"
	"errors"

	"hermes/agent/locale"
	"hermes/cmd/internal/app"
	"hermes/tui"
)

// runInteractive opens the full-screen interface.
func runInteractive(ctx context.Context, io IO, g global) error {
	lang := startLang(io)
	if !io.InTTY || !io.OutTTY {
		return usageError{errors.New(locale.CLINoTerminal.In(lang))}
	}
	if errors.Is(tui.Usable(io.InFile, io.OutFile, io.Getenv), tui.ErrDumb) {
		return usageError{errors.New(locale.CLIDumbTerminal.In(lang))}
	}
	opt, err := g.options(io, lang)
	if err != nil {
		return err
	}
	if err := g.resuming.apply(ctx, io, lang, &opt); err != nil {
		return err
	}
	endWorktree, err := inWorktree(ctx, io, lang, g.worktree, &opt)
	if err != nil {
		return err
	}
	defer endWorktree()
	opt.Interactive = true
	opt.Debug = nil // the screen has the terminal; the panel shows the lines
	// The terminal layer takes the signals from here on: it must give the
	// terminal back before anything else, and says which one ended it.
	ctx = context.WithoutCancel(ctx)
	session := ""
	opt.Ended = func(id string) { session = id }
	err = app.RunScreen(ctx, opt, app.TTY{In: io.InFile, Out: io.OutFile})
	farewell(ctx, io.Out, lang, opt, session)
	return configError(err)
}
