package edit

import "strings"

// span is a passage, in bytes.
type span struct{ from, to int }

// strategy is one way of looking for a passage.
type strategy struct {
	name string
	find func(text, old string) []span
}

// ladder is the order in which the ways are tried: the first that finds
// something counts.
var ladder = []strategy{
	{"exact", exact},
	{"line_trimmed", byLines(strings.TrimSpace)},
	{"whitespace_normalized", collapsed},
	{"indentation_flexible", byLines(func(s string) string { return strings.TrimLeft(s, blanks) })},
	{"escape_normalized", unescaped},
	{"trimmed_boundary", boundaries},
	{"unicode_normalized", typographic},
	{"block_anchor", anchors},
	{"context_aware", resembling},
}

// blanks are the characters that indent.
const blanks = " \t\n\r\v\f"

// exact finds the passage as it is.
func exact(text, old string) []span {
	var found []span
	for at := 0; ; {
		i := strings.Index(text[at:], old)
		if i < 0 {
			return found
		}
		found = append(found, span{at + i, at + i + len(old)})
		at += i + len(old)
	}
}

// lines is a text split at its line ends, which are not part of the lines.
type lines struct {
	text []string
	at   []int // where each begins
	size int   // of the text
}

func split(text string) lines {
	l := lines{text: strings.Split(text, "\n"), size: len(text)}
	l.at = make([]int, len(l.text))
	n := 0
	for i, s := range l.text {
		l.at[i] = n
		n += len(s) + 1
	}
	return l
}

// span is the passage of the lines from up to, not including, to, without the
// last one's end.
func (l lines) span(from, to int) span {
	end := l.size
	if to < len(l.text) {
		end = l.at[to] - 1
	}
	return span{l.at[from], end}
}

// byLines compares line by line what norm leaves of them.
func byLines(norm func(string) string) func(text, old string) []span {
	return func(text, old string) []span {
		t, o := split(text), split(old)
		return windows(t, o, norm)
	}
}

func windows(t, o lines, norm func(string) string) []span {
	want := normed(o.text, norm)
	have := normed(t.text, norm)
	var found []span
	for i := 0; i+len(want) <= len(have); i++ {
		if equal(have[i:i+len(want)], want) {
			found = append(found, t.span(i, i+len(want)))
		}
	}
	return found
}

func normed(list []string, norm func(string) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = norm(s)
	}
	return out
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// unescaped takes \n, \t and \r for the characters that they stand for.
func unescaped(text, old string) []span {
	plain := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(old)
	if plain == old {
		return nil
	}
	return exact(text, plain)
}

// boundaries lets only the first and the last line differ, in what surrounds
// them.
func boundaries(text, old string) []span {
	t, o := split(text), split(old)
	n := len(o.text)
	trim := func(list []string) []string {
		out := append([]string(nil), list...)
		out[0] = strings.TrimSpace(out[0])
		out[n-1] = strings.TrimSpace(out[n-1])
		return out
	}
	want := trim(o.text)
	var found []span
	for i := 0; i+n <= len(t.text); i++ {
		if equal(trim(t.text[i:i+n]), want) {
			found = append(found, t.span(i, i+n))
		}
	}
	return found
}
