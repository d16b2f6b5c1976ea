package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Kind tells what a Segment is.
type Kind uint8

// Kinds of segments.
const (
	// Cluster is a printable grapheme cluster. Its width may be 0 (a lone
	// combining mark, a zero width space).
	Cluster Kind = iota
	// SGR is a style sequence; Segment.Text is the whole of it.
	SGR
	// Link is an OSC 8 sequence, opening or closing; Segment.Text is the whole.
	Link
	// Control is anything else that does not print: a control character, a
	// whole escape sequence, a byte that is not UTF-8.
	Control
)

// Segment is one element of a styled string.
type Segment struct {
	Kind Kind
	// Text is the element as it stands in the string.
	Text string
	// Width is the number of cells it covers: 0, 1 or 2.
	Width int
}

const (
	esc = 0x1b
	bel = 0x07
	del = 0x7f
)

// Next splits the first element off s, which must not be empty.
func Next(s string) (seg Segment, rest string) {
	c := s[0]
	switch {
	case c == esc:
		return nextEscape(s)
	case c < 0x20 || c == del:
		return Segment{Kind: Control, Text: s[:1]}, s[1:]
	case c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf):
		// No ASCII character extends the cluster before it, so two of them in
		// a row need no segmentation.
		return Segment{Kind: Cluster, Text: s[:1], Width: 1}, s[1:]
	}
	if isC1(s) {
		return Segment{Kind: Control, Text: s[:2]}, s[2:]
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if n := validLen(cluster); n == 0 {
		return Segment{Kind: Control, Text: s[:1]}, s[1:]
	} else if n < len(cluster) {
		// The segmenter judges broken UTF-8 by what stands after it.
		cluster, w = ansi.FirstGraphemeCluster(s[:n], ansi.GraphemeWidth)
	}
	return Segment{Kind: Cluster, Text: cluster, Width: min(w, 2)}, s[len(cluster):]
}

// validLen returns the length of the longest prefix of s that is UTF-8.
func validLen(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return len(s)
}

// isC1 reports whether s begins with a control character of U+0080 to U+009F.
func isC1(s string) bool {
	return len(s) > 1 && s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0
}

// nextEscape splits an escape sequence off s, which begins with ESC.
func nextEscape(s string) (Segment, string) {
	n, kind := escapeLen(s)
	return Segment{Kind: kind, Text: s[:n]}, s[n:]
}

// escapeLen returns the length of the escape sequence at the start of s, which
// begins with ESC. A sequence that is cut off or broken ends where the first
// byte stands that cannot belong to it.
func escapeLen(s string) (n int, kind Kind) {
	if len(s) == 1 {
		return 1, Control
	}
	switch s[1] {
	case '[':
		n, sgr := csiLen(s, 2)
		if sgr {
			return n, SGR
		}
		return n, Control
	case ']':
		n, ok := stringLen(s, 2)
		if ok && strings.HasPrefix(s[2:], "8;") {
			return n, Link
		}
		return n, Control
	case 'P', 'X', '^', '_':
		n, _ := stringLen(s, 2)
		return n, Control
	}
	// Intermediate bytes, then a final one: ESC ( B and its kind.
	i := 1
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x30 {
		i++
	}
	if i < len(s) && s[i] >= 0x30 && s[i] < del {
		i++
	}
	return i, Control
}

// csiLen returns where the control sequence ends whose parameters begin at
// from, and whether it is a well-formed SGR.
func csiLen(s string, from int) (n int, sgr bool) {
	i := from
	plain := true
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x40 {
		if c := s[i]; (c < '0' || c > '9') && c != ';' && c != ':' {
			plain = false
		}
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] < del {
		return i + 1, plain && s[i] == 'm'
	}
	return i, false
}

// stringLen returns where the control string ends whose content begins at
// from. Without a terminator before the next control character ok is false and
// only the introducer counts, so that the text after it is not lost.
func stringLen(s string, from int) (n int, ok bool) {
	for i := from; i < len(s); {
		switch c := s[i]; {
		case c == bel:
			return i + 1, true
		case c == esc:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2, true
			}
			return from, false
		case c < 0x20 || c == del:
			return from, false
		case c < utf8.RuneSelf:
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			r = rune(s[i]) // an 8-bit control character is not valid UTF-8
		}
		switch {
		case r == 0x9c: // ST
			return i + size, true
		case r >= 0x80 && r < 0xa0:
			return from, false
		}
		i += size
	}
	return from, false
}
