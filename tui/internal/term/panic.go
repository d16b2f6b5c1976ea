package term

import (
	"fmt"
	"runtime/debug"

	"hermes/tui/internal/render"
)

// PanicError says that the program ended because of a defect of its own.
type PanicError struct {
	Value any    // what the panic was called with
	Stack []byte // of the goroutine, as runtime/debug prints it
}

// newPanicError is called by the deferred function that recovered value: the
// stack still holds the frames that panicked.
func newPanicError(value any) PanicError {
	return PanicError{Value: value, Stack: debug.Stack()}
}

// Error is one line, without the stack.
func (e PanicError) Error() string { return "panic: " + render.Line(fmt.Sprint(e.Value)) }

// onPanic sets what a panic in a goroutine that defers Recover is passed to.
func (t *Terminal) onPanic(end func(PanicError)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.panicked = end
}

// Recover gives the terminal back when the goroutine that defers it panics, and
// ends Run with a PanicError. Without Run it panics on, so that the report is
// seen.
func (t *Terminal) Recover() {
	r := recover()
	if r == nil {
		return
	}
	_ = t.Close()
	t.mu.Lock()
	end := t.panicked
	t.mu.Unlock()
	if end == nil {
		panic(r)
	}
	end(newPanicError(r))
}
