package term

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// consoleState is the mode of the output, which has its own on Windows.
type consoleState struct {
	mode  uint32
	saved bool
}

// open lets the console understand escape sequences and keep the cursor in its
// column at a newline.
func (c *consoleState) open(out *os.File) error {
	if out == nil {
		return nil
	}
	h := windows.Handle(out.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(h, &mode); err != nil {
		return fmt.Errorf("read console mode: %w", err)
	}
	if !c.saved {
		*c = consoleState{mode, true}
	}
	mode |= windows.ENABLE_PROCESSED_OUTPUT | windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING | windows.DISABLE_NEWLINE_AUTO_RETURN
	if err := windows.SetConsoleMode(h, mode); err != nil {
		return fmt.Errorf("console does not understand escape sequences: %w", err)
	}
	return nil
}

func (c *consoleState) close(out *os.File) {
	if out != nil && c.saved {
		_ = windows.SetConsoleMode(windows.Handle(out.Fd()), c.mode)
	}
}

// sizePoll is how often the size is read: the console sends no signal.
const sizePoll = 250 * time.Millisecond

// watchSize returns a channel that tells of new sizes, and its end.
func (t *Terminal) watchSize() (<-chan struct{}, func()) {
	if t.o.Resized != nil {
		return t.o.Resized, func() {}
	}
	out, done, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	tick := time.NewTicker(sizePoll)
	go func() {
		defer close(ended)
		defer tick.Stop()
		w, h := t.measure()
		for {
			select {
			case <-tick.C:
			case <-done:
				return
			}
			nw, nh := t.measure()
			if nw == w && nh == h {
				continue
			}
			w, h = nw, nh
			select {
			case out <- struct{}{}:
			case <-done:
				return
			}
		}
	}()
	return out, func() { close(done); <-ended }
}

func notifyContinued(chan os.Signal) {}

// canStop tells that Windows has no stopped processes.
const canStop = false

func stopSelf() error { return ErrNoJobControl }

// sane does nothing: the console goes back to its own mode with the program.
func sane(*os.File) error { return nil }

// flushInput does nothing: Windows answers no questions after the program.
func flushInput(*os.File) {}
