package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Repair is one thing that was put right in a model's arguments.
type Repair string

// Repairs. None of them invents a value (decision D54).
const (
	RepairFence    Repair = "code fence removed"
	RepairUnquoted Repair = "JSON in a string unpacked"
	RepairComma    Repair = "trailing comma removed"
	RepairControl  Repair = "control characters escaped"
	RepairClose    Repair = "missing brackets added"
	RepairSurplus  Repair = "surplus closing brackets removed"
	RepairLiteral  Repair = "Python literals rewritten"
	RepairQuotes   Repair = "single quotes rewritten"
)

// ArgsError says why arguments are no JSON and where.
type ArgsError struct {
	Reason            string
	Line, Column, Pos int  // 1-based line and column in characters, 0-based character
	Cut               bool // the text ends in the middle of a value
}

func (e *ArgsError) Error() string {
	return fmt.Sprintf("%s: line %d column %d (char %d)", e.Reason, e.Line, e.Column, e.Pos)
}

// RepairArgs reads the arguments that a model wrote. Valid JSON comes back as
// it is, nothing as an empty object. What can be put right without guessing a
// value is, and named; else the error is an *ArgsError for the text as
// written.
func RepairArgs(s string) (json.RawMessage, []Repair, error) {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" || trimmed == "null" {
		return json.RawMessage("{}"), nil, nil
	}
	if json.Valid([]byte(trimmed)) {
		return unpack(trimmed, nil)
	}
	r := repairer{in: unfence(trimmed)}
	if r.in != trimmed {
		r.note(RepairFence)
		if json.Valid([]byte(r.in)) {
			return unpack(r.in, r.notes)
		}
	}
	if r.run() && json.Valid(r.out.Bytes()) {
		return unpack(r.out.String(), r.notes)
	}
	return nil, nil, argsError(trimmed)
}

// unpack takes arguments that were encoded twice out of their string.
func unpack(s string, notes []Repair) (json.RawMessage, []Repair, error) {
	if s[0] != '"' {
		return json.RawMessage(s), notes, nil
	}
	var inner string
	if json.Unmarshal([]byte(s), &inner) != nil {
		return json.RawMessage(s), notes, nil
	}
	inner = strings.TrimSpace(inner)
	if strings.HasPrefix(inner, "{") && json.Valid([]byte(inner)) {
		return json.RawMessage(inner), append(notes, RepairUnquoted), nil
	}
	return json.RawMessage(s), notes, nil
}

// unfence removes a Markdown fence around the whole text.
func unfence(s string) string {
	if !strings.HasPrefix(s, "```") {
		return s
	}
	_, body, ok := strings.Cut(s, "\n")
	if !ok {
		return s
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "```"))
}

// argsError finds the place where s stops being JSON.
func argsError(s string) *ArgsError {
	var v any
	err := json.Unmarshal([]byte(s), &v)
	e := &ArgsError{Reason: "not JSON"}
	off := len(s)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		e.Reason = syntax.Error()
		off = int(syntax.Offset)
		if strings.HasPrefix(e.Reason, "unexpected end") {
			e.Cut = true
		} else {
			off--
		}
	}
	off = min(max(off, 0), len(s))
	before := s[:off]
	e.Pos = utf8.RuneCountInString(before)
	e.Line = 1 + strings.Count(before, "\n")
	e.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	return e
}

// repairer copies almost-JSON and puts right what is unambiguous.
type repairer struct {
	in    string
	out   bytes.Buffer
	i     int
	stack []byte // closing brackets that are owed
	notes []Repair
}

func (r *repairer) note(n Repair) {
	for _, have := range r.notes {
		if have == n {
			return
		}
	}
	r.notes = append(r.notes, n)
}

// run reports whether the text could be rewritten; the caller checks that the
// outcome is JSON.
func (r *repairer) run() bool {
	if r.in == "" || r.in[0] != '{' && r.in[0] != '[' {
		return false
	}
	for r.i < len(r.in) {
		switch c := r.in[r.i]; {
		case c == '"' || c == '\'':
			if !r.str(c) {
				return false
			}
			continue
		case c == '{':
			r.stack = append(r.stack, '}')
		case c == '[':
			r.stack = append(r.stack, ']')
		case c == '}' || c == ']':
			if len(r.stack) == 0 {
				return false
			}
			if r.stack[len(r.stack)-1] != c {
				return false
			}
			r.stack = r.stack[:len(r.stack)-1]
			if len(r.stack) == 0 {
				r.out.WriteByte(c)
				return r.tail(r.in[r.i+1:])
			}
		case c == ',':
			if r.commaBeforeEnd() {
				r.note(RepairComma)
				r.i++
				continue
			}
		case isWord(c):
			r.word()
			continue
		}
		r.out.WriteByte(r.in[r.i])
		r.i++
	}
	return r.closeAll()
}

// tail accepts nothing but blanks and surplus closing brackets after the end.
func (r *repairer) tail(rest string) bool {
	rest = strings.TrimSpace(rest)
	if strings.Trim(rest, "}] \n\t\r") != "" {
		return false
	}
	if rest != "" {
		r.note(RepairSurplus)
	}
	return true
}

// closeAll adds the brackets that are owed, unless the text ends in a value
// that more could follow: "12" may have been "128".
func (r *repairer) closeAll() bool {
	s := strings.TrimRight(r.out.String(), " \t\r\n")
	if s == "" || len(r.stack) == 0 {
		return false
	}
	if last := s[len(s)-1]; last >= '0' && last <= '9' || last == '.' || last == '-' || last == '+' {
		return false
	}
	r.note(RepairClose)
	for i := len(r.stack) - 1; i >= 0; i-- {
		r.out.WriteByte(r.stack[i])
	}
	return true
}

// commaBeforeEnd reports whether nothing but a closing bracket, or the end of
// the text, follows the comma at i.
func (r *repairer) commaBeforeEnd() bool {
	rest := strings.TrimLeft(r.in[r.i+1:], " \t\r\n")
	return rest == "" || rest[0] == '}' || rest[0] == ']'
}

// str copies a string that begins with quote.
func (r *repairer) str(quote byte) bool {
	if quote == '\'' {
		r.note(RepairQuotes)
	}
	r.out.WriteByte('"')
	r.i++
	for r.i < len(r.in) {
		c := r.in[r.i]
		switch {
		case c == quote:
			r.i++
			r.out.WriteByte('"')
			return quote == '"' || r.endsValue()
		case c == '\\' && r.i+1 < len(r.in):
			r.escape(r.in[r.i+1])
			r.i += 2
			continue
		case c == '"': // inside single quotes
			r.out.WriteString(`\"`)
		case c < ' ':
			r.note(RepairControl)
			fmt.Fprintf(&r.out, `\u%04x`, c)
		default:
			r.out.WriteByte(c)
		}
		r.i++
	}
	return false // the end of the string is missing: its value is unknown
}

// escape copies an escape; those that only Python knows are rewritten.
func (r *repairer) escape(c byte) {
	if c == '\'' {
		r.out.WriteByte('\'')
		return
	}
	r.out.WriteByte('\\')
	r.out.WriteByte(c)
}

// endsValue reports whether what follows a single-quoted string can follow a
// value; else the quote was an apostrophe, and where the string ends is a
// guess.
func (r *repairer) endsValue() bool {
	rest := strings.TrimLeft(r.in[r.i:], " \t\r\n")
	return rest == "" || strings.IndexByte(",:}]", rest[0]) >= 0
}

// word copies a bare word; Python's literals become JSON's.
func (r *repairer) word() {
	start := r.i
	for r.i < len(r.in) && isWord(r.in[r.i]) {
		r.i++
	}
	w := r.in[start:r.i]
	if j, ok := map[string]string{"True": "true", "False": "false", "None": "null"}[w]; ok {
		r.note(RepairLiteral)
		w = j
	}
	r.out.WriteString(w)
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
}
