package edit

import (
	"strings"
	"unicode/utf8"
)

// mapped is a text in another spelling, and where its bytes come from.
type mapped struct {
	text string
	// from[i] is where in the original the character begins that byte i of
	// text belongs to; from[len(text)] is the original's length.
	from []int
}

// spelled writes text anew: one maps the rest of the text to the characters
// that stand for its beginning, and says how many bytes those replace.
func spelled(text string, one func(rest string) (with string, n int)) mapped {
	var b strings.Builder
	m := mapped{from: make([]int, 0, len(text)+1)}
	for at := 0; at < len(text); {
		with, n := one(text[at:])
		b.WriteString(with)
		for range len(with) {
			m.from = append(m.from, at)
		}
		at += n
	}
	m.text = b.String()
	m.from = append(m.from, len(text))
	return m
}

// span is the passage of the original that a passage of the spelling stands
// for; a character that is only partly in it counts whole.
func (m mapped) span(s span) span {
	to := s.to
	for to > s.from && to < len(m.text) && m.from[to] == m.from[to-1] {
		to++
	}
	return span{m.from[s.from], m.from[to]}
}

// collapsed takes every run of blanks for one.
func collapsed(text, old string) []span {
	want := spelled(old, oneBlank).text
	m := spelled(text, oneBlank)
	found := exact(m.text, want)
	for i, f := range found {
		found[i] = m.span(f)
	}
	return found
}

func oneBlank(rest string) (string, int) {
	n := 0
	for n < len(rest) && (rest[n] == ' ' || rest[n] == '\t') {
		n++
	}
	if n > 0 {
		return " ", n
	}
	return char(rest)
}

func char(rest string) (string, int) {
	_, n := utf8.DecodeRuneInString(rest)
	return rest[:n], n
}

// plainChars are the typographic characters and what people type for them.
var plainChars = map[rune]string{
	'\u201c': `"`, '\u201d': `"`, '\u2018': "'", '\u2019': "'",
	'\u2014': "--", '\u2013': "-", '\u2026': "...", '\u00a0': " ",
}

func plain(rest string) (string, int) {
	r, n := utf8.DecodeRuneInString(rest)
	if p, ok := plainChars[r]; ok {
		return p, n
	}
	return rest[:n], n
}

// typographic takes curly quotes, dashes and the like for plain ones.
func typographic(text, old string) []span {
	m, want := spelled(text, plain), spelled(old, plain).text
	if m.text == text && want == old {
		return nil
	}
	found := exact(m.text, want)
	if len(found) == 0 {
		found = windows(split(m.text), split(want), strings.TrimSpace)
	}
	for i, f := range found {
		found[i] = m.span(f)
	}
	return found
}
