package wire

import (
	"strings"
	"unicode/utf8"
)

// AppendString appends s as a JSON string with nothing escaped without need.
// Bytes that are no UTF-8 become U+FFFD: services refuse a body with them. It
// is written out because a long conversation is encoded at every request.
func AppendString(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.Map(func(r rune) rune { return r }, s) // U+FFFD for each broken byte
	}
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			b = append(b, s[from:i]...)
			b = appendEscape(b, c)
			from = i + 1
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// Content is a text as it is sent: without blanks around it (contract/core
// §1.1 rule 5), and without NUL, which some services refuse a whole request
// for.
func Content(s string) string {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, 0) < 0 {
		return s
	}
	return strings.ReplaceAll(s, "\x00", "")
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
