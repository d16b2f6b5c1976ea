// Package gitignore decides which files git would ignore, from the ignore
// files of a folder tree. It is held against `git check-ignore` by a test.
package gitignore

import (
	"path"
	"regexp"
	"strings"
)

// List is the patterns of one ignore file. The nil List ignores nothing.
type List struct{ rules []rule }

type rule struct {
	re      *regexp.Regexp
	negate  bool
	dirOnly bool
	base    bool // matched against the last element only
}

// Parse reads an ignore file. Lines that git would never match are left out.
func Parse(text string) *List {
	l := &List{}
	text = strings.TrimPrefix(text, "\ufeff")
	for _, line := range strings.Split(text, "\n") {
		if r, ok := parseLine(strings.TrimSuffix(line, "\r")); ok {
			l.rules = append(l.rules, r)
		}
	}
	return l
}

func parseLine(line string) (rule, bool) {
	var r rule
	line = trimBlanks(line)
	if line == "" || line[0] == '#' {
		return r, false
	}
	if line[0] == '!' {
		r.negate, line = true, line[1:]
	}
	if strings.HasSuffix(line, "/") {
		r.dirOnly, line = true, line[:len(line)-1]
	}
	r.base = !strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return r, false
	}
	expr, ok := translate(line, !r.base)
	if !ok {
		return r, false
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return r, false
	}
	r.re = re
	return r, true
}

// trimBlanks removes trailing blanks that no backslash protects.
func trimBlanks(s string) string {
	for strings.HasSuffix(s, " ") {
		before := s[:len(s)-1]
		slashes := len(before) - len(strings.TrimRight(before, `\`))
		if slashes%2 == 1 {
			break
		}
		s = before
	}
	return s
}

// Match says what the list decides about a path relative to its folder, with
// slashes: decided is false when no pattern fits.
func (l *List) Match(rel string, dir bool) (ignored, decided bool) {
	if l == nil {
		return false, false
	}
	for i := len(l.rules) - 1; i >= 0; i-- {
		r := l.rules[i]
		if r.dirOnly && !dir {
			continue
		}
		s := rel
		if r.base {
			s = path.Base(rel)
		}
		if r.re.MatchString(bytewise(s)) {
			return !r.negate, true
		}
	}
	return false, false
}

// translate turns a pattern into a regular expression. ok is false for one
// that matches nothing.
func translate(p string, paths bool) (expr string, ok bool) {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for i := 0; i < len(p); {
		switch c := p[i]; c {
		case '*':
			n := len(p[i:]) - len(strings.TrimLeft(p[i:], "*"))
			i += star(&b, p, i, n, paths)
		case '?':
			b.WriteString(oneChar(paths))
			i++
		case '[':
			n := class(&b, p[i:], paths)
			if n == 0 {
				return "", false
			}
			i += n
		case '\\':
			if i+1 == len(p) {
				return "", false
			}
			b.WriteString(literal(p[i+1]))
			i += 2
		default:
			b.WriteString(literal(c))
			i++
		}
	}
	b.WriteString(`\z`)
	return b.String(), true
}

// star writes n stars at p[i:] and returns how much of p they take. Two stars
// between slashes stand for any number of folders.
func star(b *strings.Builder, p string, i, n int, paths bool) int {
	if !paths {
		b.WriteString(`.*`)
		return n
	}
	atStart := i == 0 || p[i-1] == '/'
	rest := p[i+n:]
	switch {
	case n >= 2 && atStart && rest == "":
		b.WriteString(`.*`)
		return n
	case n >= 2 && atStart && strings.HasPrefix(rest, "/"):
		b.WriteString(`(?:.*/)?`)
		return n + 1
	}
	b.WriteString(`[^/]*`)
	return n
}

func oneChar(paths bool) string {
	if paths {
		return `[^/]`
	}
	return `.`
}

// literal is one byte as an expression.
func literal(c byte) string { return regexp.QuoteMeta(string(rune(c))) }

// bytewise makes a text in which every byte is one character, because git
// matches bytes: its ? is no whole é.
func bytewise(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			out := make([]rune, len(s))
			for j := range len(s) {
				out[j] = rune(s[j])
			}
			return string(out)
		}
	}
	return s
}
