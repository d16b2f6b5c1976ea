package term

import (
	"fmt"
	"io"
	"os"

	xterm "github.com/charmbracelet/x/term"
)

// tty is the device behind input and output, as far as they are one; without
// a device its methods do nothing.
type tty struct {
	in, out *os.File // terminals, or nil
	saved   *xterm.State
	console consoleState
}

// openTTY sets raw mode where in and out are terminals.
func openTTY(in io.Reader, out io.Writer) (*tty, error) {
	t := &tty{in: terminalFile(in), out: terminalFile(out)}
	if t.in != nil {
		saved, err := xterm.MakeRaw(t.in.Fd())
		if err != nil {
			return nil, fmt.Errorf("set raw mode: %w", err)
		}
		t.saved = saved
	}
	if err := t.console.open(t.out); err != nil {
		t.restore(false)
		return nil, err
	}
	return t, nil
}

// terminalFile returns v when it is a file that is a terminal.
func terminalFile(v any) *os.File {
	if f, ok := v.(*os.File); ok && xterm.IsTerminal(f.Fd()) {
		return f
	}
	return nil
}

// raw reports whether the input is a terminal.
func (t *tty) raw() bool { return t.in != nil }

// makeRaw sets raw mode again after a stop.
func (t *tty) makeRaw() {
	if t.in != nil {
		_, _ = xterm.MakeRaw(t.in.Fd())
	}
	_ = t.console.open(t.out)
}

// restore undoes raw mode; flush drops input that nobody read.
func (t *tty) restore(flush bool) {
	t.console.close(t.out)
	if t.in == nil || t.saved == nil {
		return
	}
	if flush {
		flushInput(t.in)
	}
	_ = xterm.Restore(t.in.Fd(), t.saved)
}

// size asks the output, then the input; 0 is an unknown size.
func (t *tty) size() (w, h int) {
	for _, f := range []*os.File{t.out, t.in} {
		if f == nil {
			continue
		}
		if w, h, err := xterm.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
			return w, h
		}
	}
	return 0, 0
}
