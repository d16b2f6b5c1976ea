package cli

import (
	"context"
	"errors"
	"fmt"

	"hermes/agent/locale"
)

// Exit codes, the same for every command.
const (
	ExitOK          = 0   // an answer, a listing
	ExitFailed      = 1   // the turn or the command failed
	ExitUsage       = 2   // wrong words on the command line, or configuration
	ExitInterrupted = 130 // Ctrl+C: 128 + SIGINT, as shells report it
)

// usageError is a mistake on the command line or in the configuration.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errSilent fails without a word: everything was said already.
var errSilent = errors.New("failed")

// report prints err once, on stderr, and returns the exit code. It is the
// only place that does either.
func report(io IO, lang locale.Lang, err error) int {
	var usage usageError
	var coded interface{ ExitCode() int }
	var ended commandExit
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, context.Canceled):
		return ExitInterrupted
	case errors.Is(err, errSilent):
		return ExitFailed
	case errors.As(err, &ended):
		return int(ended)
	case errors.As(err, &coded):
		fmt.Fprintf(io.Err, "hermes: %v\n", err)
		return coded.ExitCode()
	case errors.As(err, &usage):
		fmt.Fprintf(io.Err, "hermes: %v\n", err)
		fmt.Fprintln(io.Err, locale.CLISeeHelp.In(lang))
		return ExitUsage
	}
	fmt.Fprintf(io.Err, "hermes: %v\n", err)
	return ExitFailed
}
