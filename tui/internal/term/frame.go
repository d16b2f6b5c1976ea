package term

import (
	"fmt"

	"hermes/tui/internal/render"
)

// Frame is a whole screen.
type Frame struct {
	// Lines are the rows from the top, each with SGR and OSC 8 sequences only
	// and beginning in the default style. Missing rows are blank; what is
	// wider or longer than the screen is cut. Present takes the slice over.
	Lines []string
	// Cursor is the hardware cursor.
	Cursor Cursor
	// Title of the window; empty leaves it alone.
	Title string
	// W and H are the size that the frame was made for; 0 when that is not
	// said. They serve Check only.
	W, H int
}

// Cursor is a place on the screen, with 0, 0 at the top left.
type Cursor struct {
	X, Y    int
	Visible bool
}

// Check reports what of the frame does not fit the size that it was made for:
// a row that is too wide, too many rows, a cursor off the screen. The terminal
// cuts such frames; tests do not let them pass.
func (f Frame) Check() error {
	if f.W <= 0 || f.H <= 0 {
		return nil
	}
	if len(f.Lines) > f.H {
		return fmt.Errorf("frame of %dx%d has %d rows", f.W, f.H, len(f.Lines))
	}
	for y, line := range f.Lines {
		if w := render.Width(line); w > f.W {
			return fmt.Errorf("row %d of a frame of %dx%d is %d cells wide: %q", y, f.W, f.H, w, render.StripAll(line))
		}
	}
	if c := f.Cursor; c.Visible && (c.X < 0 || c.X >= f.W || c.Y < 0 || c.Y >= f.H) {
		return fmt.Errorf("cursor of a frame of %dx%d is at %d,%d", f.W, f.H, c.X, c.Y)
	}
	return nil
}

// Inspector is an output that wants to know of frames that do not fit. Test
// terminals implement it; on others frames are not checked.
type Inspector interface {
	BadFrame(err error)
}
