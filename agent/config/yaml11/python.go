package yaml11

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Str is Python's str() of the value.
func (v Value) Str() string {
	if v.Kind == Str {
		return v.Text
	}
	if v.Kind == Time {
		return v.iso(" ")
	}
	return v.Repr()
}

// Repr is Python's repr() of the value.
func (v Value) Repr() string {
	switch v.Kind {
	case Null:
		return "None"
	case Bool:
		if v.Bool {
			return "True"
		}
		return "False"
	case Int:
		return v.Int.String()
	case Float:
		return reprFloat(v.Float)
	case Str:
		return quote(v.Text)
	case Bytes:
		return "b" + quoteBytes(v.Data)
	case Time:
		return v.reprTime()
	case List:
		parts := make([]string, len(v.Items))
		for i, it := range v.Items {
			parts[i] = it.Repr()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		parts := make([]string, len(v.Pairs))
		for i, p := range v.Pairs {
			parts[i] = p.Key.Repr() + ": " + p.Value.Repr()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
}

// reprFloat writes the shortest form that reads back, with an exponent below
// 1e-4 and from 1e16 on, as Python does.
func reprFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote writes a text as a Python literal: single quotes unless only double
// ones avoid escapes, and escapes for what is not printable.
func quote(s string) string {
	q := '\''
	if strings.ContainsRune(s, '\'') && !strings.ContainsRune(s, '"') {
		q = '"'
	}
	var b strings.Builder
	b.WriteRune(q)
	for _, r := range s {
		switch {
		case r == q || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x7f || unicode.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(q)
	return b.String()
}

func quoteBytes(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, c := range []byte(s) {
		switch {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c >= 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// iso is isoformat() of a date or datetime.
func (v Value) iso(sep string) string {
	if v.DateOnly {
		return v.Time.Format("2006-01-02")
	}
	layout := "2006-01-02" + sep + "15:04:05"
	if v.Time.Nanosecond() != 0 {
		layout += ".000000"
	}
	if v.Time.Location() != Naive {
		layout += "-07:00"
	}
	return v.Time.Format(layout)
}

func (v Value) reprTime() string {
	t := v.Time
	if v.DateOnly {
		return fmt.Sprintf("datetime.date(%d, %d, %d)", t.Year(), t.Month(), t.Day())
	}
	s := fmt.Sprintf("datetime.datetime(%d, %d, %d, %d, %d", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute())
	if t.Second() != 0 || t.Nanosecond() != 0 {
		s += fmt.Sprintf(", %d", t.Second())
	}
	if t.Nanosecond() != 0 {
		s += fmt.Sprintf(", %d", t.Nanosecond()/1000)
	}
	return s + zoneRepr(v) + ")"
}

func zoneRepr(v Value) string {
	if v.Time.Location() == Naive {
		return ""
	}
	_, offset := v.Time.Zone()
	switch {
	case offset == 0:
		return ", tzinfo=datetime.timezone.utc"
	case offset > 0:
		return fmt.Sprintf(", tzinfo=datetime.timezone(datetime.timedelta(seconds=%d))", offset)
	default:
		return fmt.Sprintf(", tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=%d))", 24*3600+offset)
	}
}
