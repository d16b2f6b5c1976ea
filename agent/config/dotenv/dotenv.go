// Package dotenv reads .env files as python-dotenv 1.2.2 does, because the reference
// and its plugins do: quotes, escapes, comments, export, values over several
// lines, and ${NAME} or ${NAME:-default} in values.
//
// It knows nothing of where such files are, and it does not touch the
// process environment.
package dotenv

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Binding is one statement of a file. Start and End delimit its text in the
// input, line end included, so that a writer can replace it and leave the rest
// as it is.
type Binding struct {
	Name   string // empty for comments, blank lines and what cannot be read
	Value  string // before expansion
	Set    bool   // false for a name without "="
	Broken bool   // the statement cannot be read; it ends with its line
	Line   int    // from 1
	Start  int
	End    int
}

// Decode turns the bytes of a file into text: a byte order mark is dropped,
// and what is not UTF-8 is read as Latin-1, as the reference does. latin1
// tells that this happened.
func Decode(data []byte) (text string, latin1 bool) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if utf8.Valid(data) {
		return string(data), false
	}
	var b strings.Builder
	for _, c := range data {
		b.WriteRune(rune(c))
	}
	return b.String(), true
}

// Parse splits text into bindings, which join to the text again.
func Parse(text string) []Binding {
	p := parser{s: text, line: 1}
	var out []Binding
	for p.at < len(p.s) {
		out = append(out, p.binding())
	}
	return out
}

// Expand resolves ${NAME} and ${NAME:-default} in the values of bindings, in
// order: names that the file set before win over lookup, as the reference asks
// python-dotenv to do. Unknown names are empty. A repeated name keeps its
// first place and its last value. Names without a value are left out.
func Expand(bindings []Binding, lookup func(string) (string, bool)) []Var {
	values := map[string]string{}
	set := map[string]bool{} // false: named without "=", which hides what lookup knows
	get := func(name string) (string, bool) {
		if _, named := set[name]; named {
			return values[name], true
		}
		return lookup(name)
	}
	var order []Var
	for _, b := range bindings {
		if b.Name == "" {
			continue
		}
		if _, named := set[b.Name]; !named {
			order = append(order, Var{Name: b.Name})
		}
		value := interpolate(b.Value, get)
		values[b.Name], set[b.Name] = value, b.Set
	}
	out := order[:0]
	for _, v := range order {
		if set[v.Name] {
			out = append(out, Var{v.Name, values[v.Name]})
		}
	}
	return out
}

// Var is a variable with its final value.
type Var struct{ Name, Value string }

// interpolate replaces ${NAME} and ${NAME:-default}; other dollars stay.
func interpolate(s string, get func(string) (string, bool)) string {
	var b strings.Builder
	for {
		start := strings.Index(s, "${")
		if start < 0 {
			b.WriteString(s)
			return b.String()
		}
		end := strings.IndexByte(s[start:], '}')
		if end < 0 {
			b.WriteString(s)
			return b.String()
		}
		body := s[start+2 : start+end]
		// A name ends at the first colon; only ":-" may follow.
		name, rest, colon := strings.Cut(body, ":")
		fallback, ok := strings.CutPrefix(rest, "-")
		if colon && !ok {
			b.WriteString(s[:start+2])
			s = s[start+2:]
			continue
		}
		b.WriteString(s[:start])
		if v, ok := get(name); ok {
			b.WriteString(v)
		} else {
			b.WriteString(fallback)
		}
		s = s[start+end+1:]
	}
}

type parser struct {
	s    string
	at   int
	line int
}

// binding reads one statement. Blank lines before it belong to it.
func (p *parser) binding() Binding {
	b := Binding{Start: p.at}
	p.skip(space)
	b.Line = p.line
	if p.at == len(p.s) {
		b.End = p.at
		return b
	}
	if !p.statement(&b) {
		b.Name, b.Value, b.Set, b.Broken = "", "", false, true
		p.restOfLine()
	}
	b.End = p.at
	return b
}

// statement reads [export] name [= value] [# comment], or a comment, up to the
// end of the line. False means that it cannot be read.
func (p *parser) statement(b *Binding) bool {
	if rest := p.s[p.at:]; strings.HasPrefix(rest, "export") && len(rest) > 6 && blank(rune(rest[6])) {
		p.at += 6
		p.skip(blank)
	}
	name, ok := p.name()
	if !ok {
		return false
	}
	b.Name = name
	p.skip(blank)
	if p.peek() == '=' {
		p.at++
		p.skip(blank)
		b.Set = true
		if b.Value, ok = p.value(); !ok {
			return false
		}
	}
	return p.endOfStatement()
}

func (p *parser) name() (string, bool) {
	switch p.peek() {
	case '#':
		return "", true
	case '\'':
		end := strings.IndexByte(p.s[p.at+1:], '\'')
		if end < 1 {
			return "", false
		}
		name := p.s[p.at+1 : p.at+1+end]
		p.line += strings.Count(name, "\n")
		p.at += end + 2
		return newlines(name), true
	}
	start := p.at
	p.skip(func(r rune) bool { return r != '=' && r != '#' && !space(r) })
	return p.s[start:p.at], p.at > start
}

func (p *parser) value() (string, bool) {
	switch p.peek() {
	case '\'':
		return p.quoted('\'', `\'`)
	case '"':
		return p.quoted('"', `\'"abfnrtv`)
	case 0, '\n', '\r':
		return "", true
	}
	line := p.s[p.at:]
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	p.at += len(line)
	return strings.TrimRightFunc(cutComment(line), space), true
}

// cutComment cuts an unquoted value at the first # that follows a blank.
func cutComment(s string) string {
	for i := 1; i < len(s); i++ {
		if s[i] != '#' {
			continue
		}
		if r, _ := utf8.DecodeLastRuneInString(s[:i]); space(r) {
			return s[:i]
		}
	}
	return s
}

// quoted reads up to the closing quote. A backslash protects the quote; escapes
// lists what it decodes.
func (p *parser) quoted(quote byte, escapes string) (string, bool) {
	i, protected := p.at+1, 0
	for i < len(p.s) && p.s[i] != quote {
		if p.s[i] == '\\' && i+1 < len(p.s) && p.s[i+1] == quote {
			i++
			protected = i
		}
		i++
	}
	if i >= len(p.s) {
		// Nothing closes the value: the last protected quote does, as in 'C:\'.
		if i = protected; i == 0 {
			return "", false
		}
	}
	raw := p.s[p.at+1 : i]
	p.line += strings.Count(raw, "\n")
	p.at = i + 1
	return unescape(newlines(raw), escapes), true
}

// newlines writes every line end as \n, as Python reads text files.
func newlines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

var controls = map[byte]byte{'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

func unescape(s, escapes string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) || strings.IndexByte(escapes, s[i+1]) < 0 {
			b.WriteByte(s[i])
			continue
		}
		i++
		if c, ok := controls[s[i]]; ok && len(escapes) > 2 {
			b.WriteByte(c)
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// endOfStatement takes a comment, blanks and the end of the line.
func (p *parser) endOfStatement() bool {
	p.skip(blank)
	if p.peek() == '#' {
		p.skip(func(r rune) bool { return r != '\n' && r != '\r' })
	}
	if p.at == len(p.s) {
		return true
	}
	return p.newline()
}

func (p *parser) restOfLine() {
	p.skip(func(r rune) bool { return r != '\n' && r != '\r' })
	p.newline()
}

func (p *parser) newline() bool {
	switch p.peek() {
	case '\n':
		p.at++
	case '\r':
		p.at++
		if p.peek() == '\n' {
			p.at++
		}
	default:
		return false
	}
	p.line++
	return true
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.s) {
		return p.s[p.at]
	}
	return 0
}

func (p *parser) skip(ok func(rune) bool) {
	for p.at < len(p.s) {
		r, size := utf8.DecodeRuneInString(p.s[p.at:])
		if !ok(r) {
			return
		}
		if r == '\n' {
			p.line++
		}
		p.at += size
	}
}

// space is what Python counts as white space.
func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func blank(r rune) bool { return space(r) && r != '\n' && r != '\r' }
