package yaml11

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Short tags of the types that the safe loader makes.
const (
	tagNull   = "!!null"
	tagBool   = "!!bool"
	tagInt    = "!!int"
	tagFloat  = "!!float"
	tagStr    = "!!str"
	tagTime   = "!!timestamp"
	tagBinary = "!!binary"
	tagMerge  = "!!merge"
)

// plain resolves a plain (unquoted) scalar by the implicit rules of PyYAML.
// A text that a rule takes and Python then cannot convert (2024-13-45, 0x_)
// stays text; PyYAML raises there.
func plain(text string) Value {
	v := Value{Kind: Str, Text: text}
	if text == "" {
		v.Kind = Null
		return v
	}
	switch c := text[0]; c {
	case '~', 'n', 'N', 'y', 'Y', 't', 'T', 'f', 'F', 'o', 'O':
		return word(v)
	default:
		if c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' {
			return number(v)
		}
	}
	return v
}

func word(v Value) Value {
	switch v.Text {
	case "~", "null", "Null", "NULL":
		v.Kind = Null
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		v.Kind, v.Bool = Bool, true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		v.Kind = Bool
	}
	return v
}

// number tries float, then int, then timestamp: the order in which PyYAML
// registers them. No text matches two of them.
func number(v Value) Value {
	if f, ok := float(v.Text); ok {
		v.Kind, v.Float = Float, f
	} else if i, ok := integer(v.Text); ok {
		v.Kind, v.Int = Int, i
	} else if t, hasTime, ok := timestamp(v.Text); ok {
		v.Kind, v.Time, v.DateOnly = Time, t, !hasTime
	}
	return v
}

// sign splits off one leading sign.
func sign(s string) (negative bool, rest string) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[0] == '-', s[1:]
	}
	return false, s
}

// span returns the length of the head of s whose bytes all satisfy ok.
func span(s string, ok func(byte) bool) int {
	i := 0
	for i < len(s) && ok(s[i]) {
		i++
	}
	return i
}

func digit(c byte) bool       { return c >= '0' && c <= '9' }
func digitUnder(c byte) bool  { return digit(c) || c == '_' }
func octalUnder(c byte) bool  { return c >= '0' && c <= '7' || c == '_' }
func binaryUnder(c byte) bool { return c == '0' || c == '1' || c == '_' }
func hexUnder(c byte) bool {
	return digitUnder(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// float reads
//
//	[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?
//	\.[0-9][0-9_]*([eE][-+][0-9]+)?
//	[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*
//	[-+]?\.(inf|Inf|INF)   \.(nan|NaN|NAN)
func float(s string) (float64, bool) {
	switch s {
	case ".nan", ".NaN", ".NAN":
		return math.NaN(), true
	}
	negative, rest := sign(s)
	switch rest {
	case ".inf", ".Inf", ".INF":
		if negative {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	n := span(rest, digitUnder)
	if n > 0 && !digit(rest[0]) || n == 0 && rest != s {
		return 0, false // a sign is allowed before a digit only
	}
	whole, tail := rest[:n], rest[n:]
	if strings.HasPrefix(tail, ":") {
		return sexagesimalFloat(rest, negative)
	}
	if !strings.HasPrefix(tail, ".") || n == 0 && (len(tail) < 2 || !digit(tail[1])) {
		return 0, false
	}
	m := 1 + span(tail[1:], digitUnder)
	frac, exp := tail[:m], tail[m:]
	if exp != "" && !exponent(exp) {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(whole+frac, "_", "")+exp, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	if negative {
		f = -f
	}
	return f, true
}

// exponent reports whether s is [eE][-+][0-9]+, whole.
func exponent(s string) bool {
	return len(s) > 2 && (s[0] == 'e' || s[0] == 'E') && (s[1] == '-' || s[1] == '+') &&
		span(s[2:], digit) == len(s)-2
}

func sexagesimalFloat(s string, negative bool) (float64, bool) {
	dot := strings.IndexByte(s, '.')
	if dot < 0 || span(s[dot+1:], digitUnder) != len(s)-dot-1 || !sexagesimal(s[:dot]) {
		return 0, false
	}
	value := 0.0
	for part := range strings.SplitSeq(strings.ReplaceAll(s, "_", ""), ":") {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0, false
		}
		value = value*60 + f
	}
	if negative {
		value = -value
	}
	return value, true
}

// sexagesimal reports whether s is [0-9][0-9_]*(:[0-5]?[0-9])+, whole.
func sexagesimal(s string) bool {
	n := span(s, digitUnder)
	if n == 0 || !digit(s[0]) || n == len(s) {
		return false
	}
	for part := range strings.SplitSeq(s[n+1:], ":") {
		if len(part) == 0 || len(part) > 2 || span(part, digit) != len(part) || len(part) == 2 && part[0] > '5' {
			return false
		}
	}
	return s[n] == ':'
}

// integer reads
//
//	[-+]?0b[0-1_]+   [-+]?0[0-7_]+   [-+]?(0|[1-9][0-9_]*)   [-+]?0x[0-9a-fA-F_]+
//	[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+
func integer(s string) (*big.Int, bool) {
	negative, rest := sign(s)
	base, digits := 10, rest
	switch {
	case rest == "0":
	case strings.HasPrefix(rest, "0b"):
		base, digits = 2, rest[2:]
		if digits == "" || span(digits, binaryUnder) != len(digits) {
			return nil, false
		}
	case strings.HasPrefix(rest, "0x"):
		base, digits = 16, rest[2:]
		if digits == "" || span(digits, hexUnder) != len(digits) {
			return nil, false
		}
	case strings.HasPrefix(rest, "0"):
		base = 8
		if span(rest, octalUnder) != len(rest) {
			return nil, false
		}
	case rest == "" || !digit(rest[0]):
		return nil, false
	case span(rest, digitUnder) != len(rest):
		if !sexagesimal(rest) {
			return nil, false
		}
		base = 60
	}
	n, ok := convert(strings.ReplaceAll(digits, "_", ""), base)
	if ok && negative {
		n.Neg(n)
	}
	return n, ok
}

func convert(digits string, base int) (*big.Int, bool) {
	// Longer numbers are text to Python as well: it refuses to convert more
	// than 4300 decimal digits, and nobody means such a number.
	if len(digits) > 4300 {
		return nil, false
	}
	if base != 60 {
		return new(big.Int).SetString(digits, base)
	}
	n, sixty := new(big.Int), big.NewInt(60)
	for part := range strings.SplitSeq(digits, ":") {
		d, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return nil, false
		}
		n.Mul(n, sixty).Add(n, d)
	}
	return n, true
}

// scalar resolves a scalar node with its style and tag.
func scalar(n *yaml.Node) (Value, error) {
	text := n.Value
	quoted := Value{Kind: Str, Text: text, Line: n.Line}
	if n.Style&yaml.TaggedStyle == 0 {
		if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			return quoted, nil
		}
		v := plain(text)
		v.Line = n.Line
		return v, nil
	}
	return tagged(n, quoted)
}

// zone parses the zone of a timestamp: "", Z, or [-+]h[h][:mm].
func zone(s string) (loc *time.Location, ok bool) {
	switch s {
	case "":
		return nil, true
	case "Z":
		return time.UTC, true
	}
	hours, minutes, _ := strings.Cut(s[1:], ":")
	h, err := strconv.Atoi(hours)
	if err != nil {
		return nil, false
	}
	m := 0
	if minutes != "" {
		if m, err = strconv.Atoi(minutes); err != nil {
			return nil, false
		}
	}
	offset := (h*60 + m) * 60
	if s[0] == '-' {
		offset = -offset
	}
	if offset <= -24*3600 || offset >= 24*3600 {
		return nil, false
	}
	return time.FixedZone("", offset), true
}
