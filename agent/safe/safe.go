// Package safe keeps a panic in one goroutine from ending the program: a bug
// in one tool or one turn must not lose a conversation or leave a terminal
// behind in raw mode. Every go statement of the agent goes through it.
package safe

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// PanicError is a panic that was caught.
type PanicError struct {
	What  string // what was being done
	Value any    // what panic was called with
	Stack string // of the goroutine that panicked
}

func (e *PanicError) Error() string { return fmt.Sprintf("%s: panic: %v", e.What, e.Value) }

// Do calls f and returns its error, or a *PanicError when f panicked.
func Do(what string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{what, v, string(debug.Stack())}
		}
	}()
	return f()
}

// Go runs f on a goroutine. A panic in it is logged with its stack, and then
// given to caught when that is not nil: who waits for the goroutine must get
// its answer all the same. log may be nil.
func Go(log *slog.Logger, what string, f func(), caught func(*PanicError)) {
	go Run(log, what, f, caught)
}

// Run is Go on the caller's own goroutine, for sync.WaitGroup.Go and for loops
// that have to go on.
func Run(log *slog.Logger, what string, f func(), caught func(*PanicError)) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		e := &PanicError{what, v, string(debug.Stack())}
		Report(log, e)
		if caught != nil {
			caught(e)
		}
	}()
	f()
}

// Report writes a panic to the log, its stack under exc, where the log's
// readers look for tracebacks.
func Report(log *slog.Logger, e *PanicError) {
	if log != nil {
		log.Error("A bug was caught", "in", e.What, "panic", fmt.Sprint(e.Value), "exc", e.Stack)
	}
}
