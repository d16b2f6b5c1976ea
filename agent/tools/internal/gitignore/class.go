package gitignore

import (
	"fmt"
	"strings"
)

// span is a range of bytes, both ends included.
type span struct{ lo, hi byte }

// posix are the named classes.
var posix = map[string][]span{
	"alnum": {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, "alpha": {{'A', 'Z'}, {'a', 'z'}},
	"blank": {{' ', ' '}, {'\t', '\t'}}, "cntrl": {{0, 0x1f}, {0x7f, 0x7f}}, "digit": {{'0', '9'}},
	"graph": {{'!', '~'}}, "lower": {{'a', 'z'}}, "print": {{' ', '~'}},
	"punct": {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}, "space": {{'\t', '\r'}, {' ', ' '}},
	"upper": {{'A', 'Z'}}, "xdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
}

// class writes the bracket expression that s begins with and returns its
// length, 0 when it is none: then the pattern matches nothing.
func class(b *strings.Builder, s string, paths bool) int {
	i := 1
	negate := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negate {
		i++
	}
	var set []span
	prev := -1 // the character that a range may begin with
	for first := true; ; first = false {
		if i >= len(s) {
			return 0
		}
		switch {
		case s[i] == ']' && !first:
			writeSet(b, set, negate, paths)
			return i + 1
		case s[i] == '-' && prev >= 0 && i+1 < len(s) && s[i+1] != ']':
			hi, n := char(s[i+1:])
			if n == 0 {
				return 0
			}
			if int(hi) >= prev {
				set = append(set, span{byte(prev), hi})
			}
			i += 1 + n
			prev = -1
			continue
		case strings.HasPrefix(s[i:], "[:"):
			spans, n := named(s[i:])
			if n < 0 {
				return 0
			}
			if n > 0 {
				set = append(set, spans...)
				i += n
				prev = -1
				continue
			}
		}
		c, n := char(s[i:])
		if n == 0 {
			return 0
		}
		set = append(set, span{c, c})
		prev = int(c)
		i += n
	}
}

// named reads a class such as [:alpha:]; n is 0 when s begins with no such
// thing, -1 when there is no class of that name.
func named(s string) (set []span, n int) {
	end := strings.IndexByte(s[2:], ']')
	if end < 0 {
		return nil, -1
	}
	if end == 0 || s[2+end-1] != ':' {
		return nil, 0
	}
	set, ok := posix[s[2:2+end-1]]
	if !ok {
		return nil, -1
	}
	return set, 2 + end + 1
}

// char reads one character of a set, possibly escaped.
func char(s string) (byte, int) {
	if s[0] != '\\' {
		return s[0], 1
	}
	if len(s) == 1 {
		return 0, 0
	}
	return s[1], 2
}

// writeSet writes a set as a regular expression. In a path, no set matches the
// slash, negated or not.
func writeSet(b *strings.Builder, set []span, negate, paths bool) {
	var has [256]bool
	for _, s := range set {
		for c := int(s.lo); c <= int(s.hi); c++ {
			has[c] = true
		}
	}
	b.WriteByte('[')
	some := false
	for c := range has {
		if has[c] != negate && !(paths && c == '/') {
			fmt.Fprintf(b, `\x{%x}`, c)
			some = true
		}
	}
	if !some {
		b.WriteString(`^\x00-\x{10FFFF}`) // matches nothing
	}
	b.WriteByte(']')
}
