package result

import "bytes"

// spell writes compact JSON of encoding/json as Python's json.dumps does: a
// space after commas and colons between values, and no character escaped that
// need not be.
func spell(compact []byte) []byte {
	out := make([]byte, 0, len(compact)+len(compact)/16)
	inString := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		switch {
		case c == '"':
			inString = !inString
			out = append(out, c)
		case inString && c == '\\':
			n, raw := escape(compact[i:])
			out = append(out, raw...)
			i += n - 1
		case !inString && (c == ',' || c == ':'):
			out = append(out, c, ' ')
		default:
			out = append(out, c)
		}
	}
	return out
}

// escape reads the escape sequence at the beginning of s: its length in bytes
// and what is written for it. Characters that encoding/json escapes without
// need are two line ends of JavaScript, and what stands for bytes that are no
// UTF-8.
func escape(s []byte) (n int, raw []byte) {
	n = 2
	if bytes.HasPrefix(s, []byte(`\u`)) {
		n = 6
	}
	n = min(n, len(s))
	switch seq := s[:n]; string(seq) {
	case `\u2028`:
		return n, []byte("\u2028")
	case `\u2029`:
		return n, []byte("\u2029")
	case `\ufffd`:
		return n, []byte("\ufffd")
	default:
		return n, seq
	}
}
