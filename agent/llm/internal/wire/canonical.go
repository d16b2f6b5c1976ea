package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"unicode/utf16"
)

// Canonical rewrites the arguments of a call as every later request repeats
// them: keys sorted, no blanks, everything outside ASCII as \uXXXX
// (contract/core-observed §1). Numbers stay as written. Text that is not JSON
// becomes an empty object, because strict services refuse the whole
// conversation for it; what was wrong stands in the call's answer.
func Canonical(args string) string {
	dec := json.NewDecoder(bytes.NewReader([]byte(args)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "{}"
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "{}"
	}
	return string(appendCanonical(nil, v))
}

func appendCanonical(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return fmt.Append(b, v)
	case json.Number:
		return append(b, v...)
	case string:
		return appendASCII(b, v)
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, e)
		}
		return append(b, ']')
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		b = append(b, '{')
		for i, k := range keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendASCII(b, k)
			b = append(b, ':')
			b = appendCanonical(b, v[k])
		}
		return append(b, '}')
	}
	panic(fmt.Sprintf("bug: %T in decoded JSON", v))
}

// appendASCII appends s as a JSON string in pure ASCII, as Python writes it.
func appendASCII(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\b':
			b = append(b, `\b`...)
		case r == '\f':
			b = append(b, `\f`...)
		case r >= ' ' && r <= '~':
			b = append(b, byte(r))
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}
