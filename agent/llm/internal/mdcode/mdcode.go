// Package mdcode tells, byte by byte, whether a text that streams is inside
// Markdown code: there a marker is something the text talks about.
package mdcode

// State is the state of one text. The zero value is its beginning.
type State struct {
	fence, span bool
	ticks       int  // backticks in a row up to here
	text        bool // the line has something else already
}

// Open reports whether the next byte is inside code.
func (c *State) Open() bool { return c.fence || c.span || c.ticks > 0 }

// Add takes the next byte of the text.
func (c *State) Add(b byte) {
	if b == '`' {
		c.ticks++
		return
	}
	if c.ticks > 0 {
		switch {
		case c.ticks >= 3 && !c.text:
			c.fence = !c.fence
		case !c.fence:
			c.span = !c.span
		}
		c.ticks = 0
		c.text = true
	}
	switch b {
	case '\n':
		c.text, c.span = false, false
	case ' ', '\t':
	default:
		c.text = true
	}
}
