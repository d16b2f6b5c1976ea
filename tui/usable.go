package tui

import (
	"io"

	"hermes/tui/internal/term"
)

// Reasons that Usable gives, for errors.Is.
var (
	// ErrNotTerminal says that input or output is a file, a pipe or nothing.
	ErrNotTerminal = term.ErrNotTerminal
	// ErrDumb says that the terminal cannot move its cursor.
	ErrDumb = term.ErrDumb
)

// Usable returns why the interface cannot run on in and out, or nil. It writes
// nothing, so that the command line can refuse before anything is drawn.
func Usable(in io.Reader, out io.Writer, getenv func(string) string) error {
	return term.Usable(in, out, getenv)
}

// Reset gives a terminal back that a program which was killed left in its
// modes: it undoes whatever the interface could have set.
func Reset(in io.Reader, out io.Writer, getenv func(string) string) error {
	return term.Reset(in, out, getenv)
}
