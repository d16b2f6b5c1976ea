package term

import (
	"errors"
	"fmt"
	"io"
)

// Reasons why there is no full screen; the program then reads and writes lines.
var (
	// ErrNotTerminal says that input or output is a file, a pipe or nothing.
	ErrNotTerminal = errors.New("not a terminal")
	// ErrDumb says that the terminal cannot move its cursor.
	ErrDumb = errors.New("a terminal that cannot move its cursor (TERM=dumb)")
)

// Usable returns why a full-screen program cannot run on in and out, or nil.
func Usable(in io.Reader, out io.Writer, getenv func(string) string) error {
	switch {
	case terminalFile(in) == nil:
		return fmt.Errorf("standard input is %w", ErrNotTerminal)
	case terminalFile(out) == nil:
		return fmt.Errorf("standard output is %w", ErrNotTerminal)
	case getenv("TERM") == "dumb":
		return ErrDumb
	}
	return nil
}

// Reset undoes every mode that a program which was killed may have left set,
// and the line settings of in where it is a terminal. It serves the command
// that gives a terminal back after SIGKILL.
func Reset(in io.Reader, out io.Writer, getenv func(string) string) error {
	if f := terminalFile(in); f != nil {
		if err := sane(f); err != nil {
			return fmt.Errorf("reset terminal: %w", err)
		}
	}
	if _, err := io.WriteString(out, detectDialect(getenv).leave(true)); err != nil {
		return fmt.Errorf("reset terminal: %w", err)
	}
	return nil
}
