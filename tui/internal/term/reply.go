package term

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Answers of the terminal, as the decoder hands them to the loop. They go no
// further than this package; CapsMsg and BackgroundMsg are made from them.
type (
	// modeReport answers a mode query: value 0 means that the mode is not
	// known, 1 set, 2 reset, 3 and 4 the same for good.
	modeReport struct{ mode, value int }
	// kittyReport answers with the flags of the keyboard protocol.
	kittyReport struct{ flags int }
	// nameReport answers with the terminal's name.
	nameReport struct{ name string }
	// classReport answers with the terminal's class: the last answer.
	classReport struct{}
	// themeReport says that the theme has changed.
	themeReport struct{}
)

// report emits the meaning of a control sequence with a prefix or an
// intermediate byte; most of them need no more than being taken.
func (d *decoder) report(c csi) {
	switch {
	case c.prefix == '?' && c.inter == '$' && c.final == 'y':
		d.emit(modeReport{c.param(0, 0), c.param(1, 0)})
	case c.prefix == '?' && c.final == 'u':
		d.emit(kittyReport{c.param(0, 0)})
	case c.prefix == '?' && c.final == 'c':
		d.emit(classReport{})
	case c.prefix == '?' && c.final == 'n' && c.param(0, 0) == 997:
		d.emit(themeReport{})
	}
}

// stringReply emits the meaning of a control string.
func (d *decoder) stringReply(intro byte, text []byte) {
	switch s := string(text); {
	case intro == ']' && strings.HasPrefix(s, "11;"):
		if m, ok := parseBackground(s[3:]); ok {
			d.emit(m)
		}
	case intro == 'P' && strings.HasPrefix(s, ">|"):
		d.emit(nameReport{strings.Map(printable, s[2:])})
	}
}

func printable(r rune) rune {
	if r < 0x20 || r >= del && r < 0xa0 || r == utf8.RuneError {
		return -1
	}
	return r
}

// parseBackground reads a colour as X11 writes it: rgb:R/G/B with one to four
// hexadecimal digits each, rgba: with one more, or #RRGGBB.
func parseBackground(s string) (BackgroundMsg, bool) {
	var parts []string
	if hex, ok := strings.CutPrefix(s, "#"); ok && len(hex)%3 == 0 && hex != "" {
		n := len(hex) / 3
		parts = []string{hex[:n], hex[n : 2*n], hex[2*n:]}
	} else if _, rest, ok := strings.Cut(s, ":"); ok && strings.HasPrefix(s, "rgb") {
		parts = strings.Split(rest, "/")
	}
	if len(parts) < 3 {
		return BackgroundMsg{}, false
	}
	var v [3]uint8
	for i := range v {
		n, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil || len(parts[i]) > 4 {
			return BackgroundMsg{}, false
		}
		top := uint64(1)<<(4*len(parts[i])) - 1
		v[i] = uint8((n*255 + top/2) / top)
	}
	m := BackgroundMsg{R: v[0], G: v[1], B: v[2]}
	// Rec. 601 luma, in thousandths.
	m.Dark = 299*int(m.R)+587*int(m.G)+114*int(m.B) < 128*1000
	return m, true
}

// verdict is what the bytes after a late ESC are.
type verdict uint8

const (
	reportNot verdict = iota
	reportCut
	reportWhole
)

// lateReport judges bytes that came after an ESC was already taken for the
// key. Only what terminals send by themselves counts: text that a person types
// after Esc must stay text.
func lateReport(b []byte) verdict {
	switch b[0] {
	case '[':
		return lateCSI(b)
	case ']':
		return lateOSC(b)
	case 'P':
		return latePrefix(b, "P>|", "P0+r", "P1+r", "P0$r", "P1$r", "P!|")
	case '_':
		return latePrefix(b, "_G")
	}
	return reportNot
}

func lateCSI(b []byte) verdict {
	c, n, ok := parseCSI(append([]byte{esc}, b...))
	switch {
	case n == 0:
		return reportCut
	case !ok:
		return reportNot
	}
	n--
	switch {
	case c.prefix != 0 || strings.IndexByte("~Ruynct", c.final) >= 0 && c.params != "":
		return reportWhole
	case n == len(b) && strings.IndexByte("ABCDFHIOPQRSM", c.final) >= 0:
		return reportWhole // one read: a person types one letter at a time
	}
	return reportNot
}

// lateOSC accepts answers about colours and the clipboard.
func lateOSC(b []byte) verdict {
	for _, code := range [...]string{"]4;", "]10;", "]11;", "]12;", "]52;"} {
		if len(b) <= len(code) && strings.HasPrefix(code, string(b)) {
			return reportCut
		}
		if strings.HasPrefix(string(b), code) {
			if bytes.IndexFunc(b[len(code):], notInAnswer) == 0 {
				return reportNot
			}
			return reportWhole
		}
	}
	return reportNot
}

// notInAnswer reports whether r cannot stand in a colour or base64 text.
func notInAnswer(r rune) bool {
	return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') && !strings.ContainsRune(":/;?#+=", r)
}

func latePrefix(b []byte, prefixes ...string) verdict {
	for _, p := range prefixes {
		if len(b) < len(p) && strings.HasPrefix(p, string(b)) {
			return reportCut
		}
		if strings.HasPrefix(string(b), p) {
			return reportWhole
		}
	}
	return reportNot
}
