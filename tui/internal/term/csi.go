package term

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// csi is a control sequence without its introducer.
type csi struct {
	prefix byte // one of < = > ? or 0
	params string
	inter  byte // the last intermediate byte, or 0
	final  byte
}

// param returns parameter i (its first part, before any colon), or def.
func (c csi) param(i, def int) int { return c.sub(i, 0, def) }

// sub returns part j of parameter i, or def where it is missing.
func (c csi) sub(i, j, def int) int {
	for k, p := range strings.Split(c.params, ";") {
		if k != i {
			continue
		}
		for l, q := range strings.Split(p, ":") {
			if l == j {
				if n, err := strconv.Atoi(q); err == nil {
					return n
				}
			}
		}
	}
	return def
}

// mod returns the modifiers of parameter i, which counts from 1. Caps lock and
// num lock are left out.
func (c csi) mod(i int) Mod { return Mod((c.param(i, 1) - 1) & 0x3f) }

// stepCSI decodes ESC [ …; it returns 0 when that is not complete.
func (d *decoder) stepCSI() int {
	c, n, ok := parseCSI(d.buf)
	switch {
	case n == 0:
		d.held = holdSequence
		if len(d.buf) > maxCSI {
			return len(d.buf)
		}
		return 0
	case !ok:
		return n // broken off: what follows is decoded by itself
	}
	switch {
	case c.final == '[' && c.params == "": // Linux console: ESC [ [ A is F1
		if len(d.buf) == n {
			d.held = holdSequence
			return 0
		}
		if k := d.buf[n]; k >= 'A' && k <= 'E' {
			d.key("f"+string('1'+k-'A'), 0)
			return n + 1
		}
		return n
	case c.final == 'M' && c.prefix == 0 && c.params == "": // X10 mouse
		if len(d.buf) < n+3 {
			d.held = holdSequence
			return 0
		}
		d.mouse(int(d.buf[n])-32, int(d.buf[n+1])-32, int(d.buf[n+2])-32, false)
		return n + 3
	case c.final == '~' && c.prefix == 0 && c.param(0, 0) == 200:
		return d.beginPaste(n)
	}
	d.dispatch(c)
	return n
}

// parseCSI splits a control sequence off b, which begins with ESC [. n is 0
// when it is not complete; ok is false when it is broken after n bytes.
func parseCSI(b []byte) (c csi, n int, ok bool) {
	i := 2
	if i < len(b) && b[i] >= '<' && b[i] <= '?' {
		c.prefix = b[i]
		i++
	}
	start := i
	for i < len(b) && b[i] >= 0x30 && b[i] < 0x40 {
		i++
	}
	c.params = string(b[start:i])
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x30 {
		c.inter = b[i]
		i++
	}
	// rxvt ends shifted keys with $, which is no final byte elsewhere.
	if c.inter == '$' && c.prefix == 0 && c.params != "" {
		c.inter, c.final = 0, '$'
		return c, i, true
	}
	switch {
	case i == len(b):
		return c, 0, false
	case b[i] < 0x40 || b[i] >= del:
		return c, i, false
	}
	c.final = b[i]
	return c, i + 1, true
}

// dispatch emits what a complete control sequence means: a key, a mouse or
// focus report, an answer. What is not known is dropped.
func (d *decoder) dispatch(c csi) {
	switch {
	case c.prefix == '<' && (c.final == 'M' || c.final == 'm'):
		d.mouse(c.param(0, 0), c.param(1, 1), c.param(2, 1), c.final == 'm')
	case c.prefix != 0 || c.inter != 0:
		d.report(c)
	case c.final == 'I' && c.params == "":
		d.emit(tea.FocusMsg{})
	case c.final == 'O' && c.params == "":
		d.emit(tea.BlurMsg{})
	case c.final == 'M': // rxvt mouse
		d.mouse(c.param(0, 32)-32, c.param(1, 1), c.param(2, 1), false)
	case c.final == 'u':
		d.kittyKey(c)
	case c.final == '~' && c.param(0, 0) == 27:
		d.otherKey(c)
	case c.final == '~':
		d.key(tildeKey(c.param(0, 0)), c.mod(1))
	case c.final == '^':
		d.key(tildeKey(c.param(0, 0)), Ctrl)
	case c.final == '$':
		d.key(tildeKey(c.param(0, 0)), Shift)
	case c.final == '@':
		d.key(tildeKey(c.param(0, 0)), Ctrl|Shift)
	case c.final == 'Z':
		d.key("tab", c.mod(1)|Shift)
	case c.final == 'R' && (c.param(0, 1) != 1 || c.param(1, 1) > 64):
		// A cursor position report. F3 with modifiers has the same form, in
		// row 1 and a column that is a modifier.
	case c.final >= 'a' && c.final <= 'd': // rxvt: shifted arrows
		d.key(letterKeys[c.final-'a'+'A'], Shift)
	default:
		if c.param(1, 1) > 0 && !released(c) {
			d.key(letterKeys[c.final], c.mod(1))
		}
	}
}

// released reports whether a key report is about letting go.
func released(c csi) bool { return c.sub(1, 1, 1) == 3 }

// stepSS3 decodes ESC O and a letter.
func (d *decoder) stepSS3() int {
	i := 2
	for i < len(d.buf) && d.buf[i] >= '0' && d.buf[i] <= '9' && i < 4 {
		i++
	}
	if i == len(d.buf) {
		d.held = holdIntro
		if i > 2 {
			d.held = holdSequence
		}
		return 0
	}
	c := d.buf[i]
	if c < 0x40 || c >= del {
		d.runeKey('O', Alt)
		return 2
	}
	mod := csi{params: string(d.buf[2:i])}.mod(0)
	switch {
	case c >= 'a' && c <= 'd': // rxvt: arrows with Ctrl
		d.key(letterKeys[c-'a'+'A'], Ctrl)
	case c >= 'j' && c <= 'y': // keypad in application mode
		d.text([]rune{rune(c - 'j' + '*')})
	case c == 'X':
		d.text([]rune{'='})
	case c == 'M':
		d.key("enter", mod)
	case c == 'I':
		d.key("tab", mod)
	case letterKeys[c] != "":
		d.key(letterKeys[c], mod)
	default:
		d.runeKey('O', Alt)
		return 2
	}
	return i + 1
}

// letterKeys are the keys of sequences that end in a letter.
var letterKeys = [128]string{
	'A': "up", 'B': "down", 'C': "right", 'D': "left", 'E': "begin", 'F': "end", 'H': "home",
	'P': "f1", 'Q': "f2", 'R': "f3", 'S': "f4",
}

// tildeKey is the key of a sequence that ends in a tilde, by its number.
func tildeKey(n int) string {
	if n < 0 || n >= len(tildeKeys) {
		return ""
	}
	return tildeKeys[n]
}

var tildeKeys = [...]string{
	1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pgup", 6: "pgdown", 7: "home", 8: "end",
	11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9",
	21: "f10", 23: "f11", 24: "f12", 25: "f13", 26: "f14", 28: "f15", 29: "f16", 31: "f17",
	32: "f18", 33: "f19", 34: "f20",
}
