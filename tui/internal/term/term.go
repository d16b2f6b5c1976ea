package term

import (
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"
)

// Options say what the terminal is. Only In and Out are needed.
type Options struct {
	// In and Out are the two directions of the terminal. When they are files
	// that are terminals, raw mode is set and undone.
	In  io.Reader
	Out io.Writer
	// Size returns the current size in cells; nil asks the terminal.
	Size func() (w, h int)
	// Resized tells that Size has changed; nil means the signal of the system.
	Resized <-chan struct{}
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// NoQueries leaves out every question to the terminal.
	NoQueries bool
}

// Frame is a whole screen.
type Frame struct {
	// Lines are the rows from the top, each with SGR and OSC 8 sequences only
	// and beginning in the default style. Missing rows are blank; what is
	// wider or longer than the screen is cut.
	Lines []string
	// Cursor is the hardware cursor, with 0, 0 at the top left.
	Cursor struct {
		X, Y    int
		Visible bool
	}
	// Title of the window; empty leaves it alone.
	Title string
}

// Terminal is an open terminal. All methods may be called from any goroutine.
type Terminal struct {
	o Options
}

// Open puts the terminal into the modes of the program, with one write that
// does not wait for any answer.
func Open(o Options) (*Terminal, error) {
	if o.In == nil || o.Out == nil {
		return nil, errors.New("open terminal: no input or output")
	}
	return &Terminal{o: o}, nil
}

// Start starts reading and writing. Everything that arrives is passed to send,
// which may block (tea.Program.Send).
func (t *Terminal) Start(send func(tea.Msg)) {}

// Present shows f. It never blocks; when the terminal is slow, the latest
// frame wins.
func (t *Terminal) Present(f Frame) {}

// Size returns the current size in cells.
func (t *Terminal) Size() (w, h int) { return 80, 24 }

// Profile returns how many colours the terminal shows.
func (t *Terminal) Profile() Profile { return TrueColor }

// Caps returns what the terminal said about itself so far.
func (t *Terminal) Caps() Caps { return Caps{} }

// Repaint draws the whole screen again with the next frame or at once, as
// Ctrl+L does.
func (t *Terminal) Repaint() {}

// SetMouse turns mouse reports on or off; they are on after Open.
func (t *Terminal) SetMouse(on bool) {}

// Suspend gives the terminal back, stops the process group until it is
// continued, and takes the terminal again (Ctrl+Z). It returns after that. It
// must not be called from Update: use a tea.Cmd. Where job control is missing
// it returns ErrNoJobControl at once.
func (t *Terminal) Suspend() error { return ErrNoJobControl }

// ErrNoJobControl says that there is no shell to go back to.
var ErrNoJobControl = errors.New("no job control here")

// Close gives the terminal back as it was. It can be called more than once,
// from any goroutine, in a signal handler's goroutine and while a panic
// unwinds; it does not wait for a terminal that takes no output.
func (t *Terminal) Close() error { return nil }
