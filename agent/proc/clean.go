package proc

import (
	"bytes"
	"unicode/utf8"
)

// Cleaner makes plain text of what a program prints: control sequences of
// terminals are removed, bytes that are no UTF-8 become U+FFFD. It works on
// pieces, so that a sequence or a character may be cut anywhere. The zero
// value is ready; it is not safe for concurrent use.
type Cleaner struct {
	// TTY also turns the line ends of a terminal (CR LF) into LF.
	TTY bool

	state state
	cr    bool   // a CR that may belong to a line end
	tail  []byte // the beginning of a character
}

type state uint8

const (
	ground state = iota
	escape
	intermediate // ESC ( and the like, until the final byte
	csi          // ESC [
	str          // ESC ] P X ^ _ : a string until BEL or ST
	strEscape
)

// Append appends the text of p to dst.
func (c *Cleaner) Append(dst, p []byte) []byte {
	from := len(dst)
	if len(c.tail) > 0 {
		dst = append(dst, c.tail...)
		c.tail = c.tail[:0]
	}
	if c.state == ground && !c.TTY && bytes.IndexByte(p, 0x1b) < 0 {
		dst = append(dst, p...)
	} else {
		for _, b := range p {
			dst = c.step(dst, b)
		}
	}
	return c.valid(dst, from)
}

// Flush appends what was held back for more that did not come.
func (c *Cleaner) Flush(dst []byte) []byte {
	if len(c.tail) > 0 {
		dst = append(dst, "\ufffd"...)
		c.tail = c.tail[:0]
	}
	if c.cr {
		dst = append(dst, '\r')
		c.cr = false
	}
	return dst
}

func (c *Cleaner) step(dst []byte, b byte) []byte {
	switch c.state {
	case ground:
		return c.text(dst, b)
	case escape:
		switch {
		case b == '[':
			c.state = csi
		case b == ']' || b == 'P' || b == 'X' || b == '^' || b == '_':
			c.state = str
		case b >= 0x20 && b <= 0x2f:
			c.state = intermediate
		case b >= 0x30 && b <= 0x7e:
			c.state = ground
		default:
			return c.abort(dst, b)
		}
	case intermediate:
		if b >= 0x30 && b <= 0x7e {
			c.state = ground
		} else if b < 0x20 || b > 0x2f {
			return c.abort(dst, b)
		}
	case csi:
		if b >= 0x40 && b <= 0x7e {
			c.state = ground
		} else if b < 0x20 || b > 0x3f {
			return c.abort(dst, b)
		}
	case str:
		switch b {
		case 0x07:
			c.state = ground
		case 0x1b:
			c.state = strEscape
		case '\n':
			// No string of a terminal has a line end; one that is never closed
			// must not swallow all that follows.
			return c.abort(dst, b)
		}
	case strEscape:
		c.state = escape
		if b == '\\' {
			c.state = ground
		} else {
			return c.step(dst, b)
		}
	}
	return dst
}

// abort leaves a sequence that is none; b is text again, or begins another.
func (c *Cleaner) abort(dst []byte, b byte) []byte {
	c.state = ground
	return c.text(dst, b)
}

func (c *Cleaner) text(dst []byte, b byte) []byte {
	if c.cr {
		c.cr = false
		if b != '\n' {
			dst = append(dst, '\r')
		}
	}
	switch {
	case b == 0x1b:
		c.state = escape
		return dst
	case b == '\r' && c.TTY:
		c.cr = true
		return dst
	}
	return append(dst, b)
}

// valid replaces what is no UTF-8 in dst[from:] and holds an unfinished
// character at its end back.
func (c *Cleaner) valid(dst []byte, from int) []byte {
	added := dst[from:]
	for i := max(0, len(added)-utf8.UTFMax+1); i < len(added); i++ {
		if utf8.RuneStart(added[i]) && !utf8.FullRune(added[i:]) {
			c.tail = append(c.tail, added[i:]...)
			dst = dst[:from+i]
			break
		}
	}
	if added = dst[from:]; utf8.Valid(added) {
		return dst
	}
	return append(dst[:from], bytes.ToValidUTF8(bytes.Clone(added), []byte("\ufffd"))...)
}
