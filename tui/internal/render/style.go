package render

import (
	"strconv"
	"strings"
)

// Color is a text colour: none (the terminal's default), one of the palette's
// 256, or 24 bits of red, green and blue.
type Color uint32

// Default is the terminal's own colour.
const Default Color = 0

const (
	colorIndexed Color = 1 << 24
	colorRGB     Color = 2 << 24
	colorKind    Color = 0xff << 24
)

// Indexed returns colour i of the palette; 0 to 15 are the basic ones.
func Indexed(i uint8) Color { return colorIndexed | Color(i) }

// RGB returns a colour of 24 bits.
func RGB(r, g, b uint8) Color {
	return colorRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// Index returns the place in the palette; ok is false for other colours.
func (c Color) Index() (i uint8, ok bool) {
	return uint8(c), c&colorKind == colorIndexed
}

// RGB returns the components; ok is false for other colours.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&colorKind == colorRGB
}

// Attr is a set of text attributes.
type Attr uint16

// Attributes. Concealed text (SGR 8) is missing on purpose: it would let
// foreign text hide from the reader what is there.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	Reverse
	Strike
	Overline
)

// Style is how a cell looks. The zero value is the terminal's default; styles
// can be compared with ==.
type Style struct {
	FG, BG Color
	// UL is the colour of the underline; Default follows the text.
	UL   Color
	Attr Attr
	// Line is the kind of underline: 0 none, 1 single, 2 double, 3 curly,
	// 4 dotted, 5 dashed.
	Line uint8
	// Link is the target of a hyperlink, or empty.
	Link string
}

// Apply returns the style after seq, an SGR or OSC 8 sequence as Next returns
// it. Parameters that are not known are ignored.
func (s Style) Apply(seq string) Style {
	if strings.HasPrefix(seq, "\x1b[") {
		return s.applySGR(seq[2 : len(seq)-1])
	}
	if rest, ok := strings.CutPrefix(seq, "\x1b]8;"); ok {
		rest = strings.TrimSuffix(strings.TrimSuffix(rest, "\x07"), "\x1b\\")
		_, s.Link, _ = strings.Cut(rest, ";")
	}
	return s
}

// params walks over SGR parameters; a colon binds a parameter to the one
// before it.
type params struct {
	s string
}

// next takes one parameter; sub tells that it was bound to the one before.
func (p *params) next() (v int, sub, ok bool) {
	if p.s == "" {
		return 0, false, false
	}
	sub = p.s[0] == ':'
	p.s = p.s[1:]
	for len(p.s) > 0 && p.s[0] >= '0' && p.s[0] <= '9' {
		v = min(v*10+int(p.s[0]-'0'), 1<<16)
		p.s = p.s[1:]
	}
	return v, sub, true
}

// peekSub reports whether the next parameter is bound to the one before.
func (p *params) peekSub() bool { return p.s != "" && p.s[0] == ':' }

func (s Style) applySGR(text string) Style {
	p := params{";" + text}
	for {
		v, sub, ok := p.next()
		if !ok {
			return s
		}
		if sub {
			continue // belongs to a parameter that is not known
		}
		s = s.applyParam(v, &p)
	}
}

func (s Style) applyParam(v int, p *params) Style {
	switch {
	case v == 0:
		return Style{Link: s.Link}
	case v >= 1 && v <= 9:
		return s.applyOn(v, p)
	case v == 21:
		s.Line = 2
	case v == 22:
		s.Attr &^= Bold | Faint
	case v == 23:
		s.Attr &^= Italic
	case v == 24:
		s.Line = 0
	case v == 25:
		s.Attr &^= Blink
	case v == 27:
		s.Attr &^= Reverse
	case v == 29:
		s.Attr &^= Strike
	case v >= 30 && v <= 37:
		s.FG = Indexed(uint8(v - 30))
	case v == 38:
		s.FG = p.color(s.FG)
	case v == 39:
		s.FG = Default
	case v >= 40 && v <= 47:
		s.BG = Indexed(uint8(v - 40))
	case v == 48:
		s.BG = p.color(s.BG)
	case v == 49:
		s.BG = Default
	case v == 53:
		s.Attr |= Overline
	case v == 55:
		s.Attr &^= Overline
	case v == 58:
		s.UL = p.color(s.UL)
	case v == 59:
		s.UL = Default
	case v >= 90 && v <= 97:
		s.FG = Indexed(uint8(v - 90 + 8))
	case v >= 100 && v <= 107:
		s.BG = Indexed(uint8(v - 100 + 8))
	}
	return s
}

func (s Style) applyOn(v int, p *params) Style {
	switch v {
	case 1:
		s.Attr |= Bold
	case 2:
		s.Attr |= Faint
	case 3:
		s.Attr |= Italic
	case 4:
		s.Line = 1
		if p.peekSub() {
			if n, _, _ := p.next(); n <= 5 {
				s.Line = uint8(n)
			}
		}
	case 5, 6:
		s.Attr |= Blink
	case 7:
		s.Attr |= Reverse
	case 9:
		s.Attr |= Strike
	}
	return s
}

// color reads what follows 38, 48 or 58; old stays when it makes no sense.
func (p *params) color(old Color) Color {
	colon := p.peekSub()
	kind, _, ok := p.next()
	if !ok {
		return old
	}
	var v [4]int
	want := 1
	if kind == 2 {
		want = 3
	} else if kind != 5 {
		return old
	}
	n := 0
	for n < len(v) && (n < want || (colon && p.peekSub())) && (!colon || p.peekSub()) {
		c, _, ok := p.next()
		if !ok {
			return old
		}
		v[n] = c
		n++
	}
	if n < want {
		return old
	}
	if kind == 5 {
		if v[0] > 255 {
			return old
		}
		return Indexed(uint8(v[0]))
	}
	// 38:2:<colour space>:r:g:b has one parameter more than 38:2:r:g:b.
	rgb := v[:3]
	if n == 4 {
		rgb = v[1:]
	}
	if rgb[0] > 255 || rgb[1] > 255 || rgb[2] > 255 {
		return old
	}
	return RGB(uint8(rgb[0]), uint8(rgb[1]), uint8(rgb[2]))
}

// AppendTransition appends the shortest sequences that change the style of a
// terminal from one to another.
func AppendTransition(b []byte, from, to Style) []byte {
	if from == to {
		return b
	}
	if from.Link != to.Link {
		b = append(b, "\x1b]8;;"...)
		b = append(b, to.Link...)
		b = append(b, "\x1b\\"...)
		from.Link = to.Link
	}
	if from == to {
		return b
	}
	if to == (Style{Link: to.Link}) {
		return append(b, "\x1b[m"...)
	}
	start := len(b)
	b = append(b, "\x1b["...)
	b = appendDelta(b, from, to)
	delta := len(b) - start
	b = append(b, "\x1b[0;"...)
	b = appendDelta(b, Style{Link: to.Link}, to)
	if full := len(b) - start - delta; full < delta {
		return append(b[:start], b[start+delta:]...)
	}
	return b[:start+delta]
}

// attrCodes are the SGR parameters that switch an attribute on and off, in the
// order in which they are written.
var attrCodes = [...]struct {
	attr    Attr
	on, off byte
}{
	{Bold, 1, 22},
	{Faint, 2, 22},
	{Italic, 3, 23},
	{Blink, 5, 25},
	{Reverse, 7, 27},
	{Strike, 9, 29},
	{Overline, 53, 55},
}

// appendDelta appends the parameters that lead from one style to another, and
// the final byte.
func appendDelta(b []byte, from, to Style) []byte {
	// Bold and faint share their off switch: what of them stays is set again.
	if gone := from.Attr &^ to.Attr; gone&(Bold|Faint) != 0 {
		from.Attr &^= Bold | Faint
		b = append(b, "22;"...)
	}
	for _, c := range attrCodes {
		switch {
		case to.Attr&c.attr != 0 && from.Attr&c.attr == 0:
			b = appendParam(b, int(c.on))
		case to.Attr&c.attr == 0 && from.Attr&c.attr != 0:
			b = appendParam(b, int(c.off))
		}
	}
	if from.Line != to.Line {
		b = appendUnderline(b, to.Line)
	}
	if from.FG != to.FG {
		b = appendColor(b, to.FG, 30)
	}
	if from.BG != to.BG {
		b = appendColor(b, to.BG, 40)
	}
	if from.UL != to.UL {
		b = appendColor(b, to.UL, 50)
	}
	b[len(b)-1] = 'm'
	return b
}

func appendParam(b []byte, v int) []byte {
	return append(strconv.AppendInt(b, int64(v), 10), ';')
}

func appendUnderline(b []byte, kind uint8) []byte {
	switch kind {
	case 0:
		return append(b, "24;"...)
	case 1:
		return append(b, "4;"...)
	}
	return append(b, '4', ':', '0'+kind, ';')
}

// appendColor appends the parameters of a colour; base is 30 for text, 40 for
// the background and 50 for the underline, which has no short forms.
func appendColor(b []byte, c Color, base int) []byte {
	if i, ok := c.Index(); ok {
		switch {
		case i < 8 && base < 50:
			return appendParam(b, base+int(i))
		case i < 16 && base < 50:
			return appendParam(b, base+60+int(i)-8)
		}
		return appendParam(append(appendParam(b, base+8), "5;"...), int(i))
	}
	if r, g, bl, ok := c.RGB(); ok {
		b = append(appendParam(b, base+8), "2;"...)
		return appendParam(appendParam(appendParam(b, int(r)), int(g)), int(bl))
	}
	return appendParam(b, base+9)
}
