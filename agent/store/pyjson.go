package store

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The reference writes JSON columns as Python's json.dumps does: a blank after
// commas and colons, everything beyond ASCII escaped. Writing them the same
// way keeps rows comparable, and its search index finds the same.

// pyJSON is v in Python's spelling.
func pyJSON(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", err
	}
	return pySpell(bytes.TrimRight(b.Bytes(), "\n")), nil
}

const hexDigits = "0123456789abcdef"

// pySpell puts JSON that is valid and compact, or not, into Python's spelling.
func pySpell(src []byte) string {
	out := make([]byte, 0, len(src)+len(src)/8)
	inString := false
	for i := 0; i < len(src); {
		c := src[i]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(src[i:])
			out = appendEscaped(out, r)
			i += n
			continue
		case inString && c == '\\' && i+1 < len(src):
			out = append(out, c, src[i+1])
			i += 2
			continue
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			i++
			continue
		}
		out = append(out, c)
		if !inString && (c == ',' || c == ':') {
			out = append(out, ' ')
		}
		i++
	}
	return string(out)
}

// appendEscaped appends r as \uXXXX, beyond the first plane as two of them.
func appendEscaped(out []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return appendEscaped(appendEscaped(out, 0xd800+r>>10), 0xdc00+r&0x3ff)
	}
	return append(out, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
