package edit

import (
	"cmp"
	"slices"
	"strings"
)

// fitter fits the new text to the passage that it replaces.
type fitter struct {
	old, next  string
	asIs       bool // the passage stands where old does: nothing is to be fitted
	typography bool // the passage differs in quotes and dashes
}

// fit is what goes in the place of region, which follows before.
func (f fitter) fit(before, region string) string {
	if f.asIs {
		return f.next
	}
	next := f.next
	if f.typography {
		next = typeset(region, f.old, next)
	}
	lead := before[strings.LastIndexByte(before, '\n')+1:]
	if lead == "" {
		return reindent(region, f.old, next)
	}
	// The passage begins inside a line: that line stays where it is.
	first, rest, more := strings.Cut(next, "\n")
	if !more {
		return next
	}
	_, have, _ := strings.Cut(region, "\n")
	_, told, several := strings.Cut(f.old, "\n")
	if !several && strings.TrimSpace(lead) == "" {
		have, told = lead+"x", "x" // the quote left out the indentation
	}
	return first + "\n" + reindent(have, told, rest)
}

// controls takes \t and \r in the new text for the characters where the file
// has those and the quote does not: then the call was escaped once too often.
// \n is left alone: line ends are what models get right. The reference does so
// whatever the quote, and thereby turns "a\tb" in a source with tabs into
// something else than was asked for.
func controls(text string, found []span, old, next string) string {
	for _, c := range [][2]string{{`\t`, "\t"}, {`\r`, "\r"}} {
		if !strings.Contains(next, c[0]) || strings.Contains(old, c[1]) {
			continue
		}
		if slices.ContainsFunc(found, func(s span) bool { return strings.Contains(text[s.from:s.to], c[1]) }) {
			next = strings.ReplaceAll(next, c[0], c[1])
		}
	}
	return next
}

// escaped reports quotes that carry a backslash in both strings and not in the
// file.
func escaped(text string, found []span, old, next string) error {
	for _, quote := range []string{"'", `"`} {
		mark := `\` + quote
		if !strings.Contains(old, mark) || !strings.Contains(next, mark) {
			continue
		}
		inFile := slices.ContainsFunc(found, func(s span) bool { return strings.Contains(text[s.from:s.to], mark) })
		if !inFile {
			return &EscapedError{quote}
		}
	}
	return nil
}

// reindent moves the new text as far to the right as the passage stands right
// of old.
func reindent(region, old, next string) string {
	have, some := indentOf(region)
	told, other := indentOf(old)
	if !some || !other || have == told {
		return next
	}
	list := strings.Split(next, "\n")
	for i, s := range list {
		if strings.TrimSpace(s) == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(s, told); ok {
			list[i] = have + rest
		} else {
			list[i] = have + strings.TrimLeft(s, " \t")
		}
	}
	return strings.Join(list, "\n")
}

// indentOf is the indentation of the first line that is not blank; ok is false
// when all are.
func indentOf(s string) (indent string, ok bool) {
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(line) != "" {
			return line[:len(line)-len(strings.TrimLeft(line, " \t"))], true
		}
	}
	return "", false
}

// typeset gives the parts of next that it shares with old the quotes and
// dashes that the passage has there.
func typeset(region, old, next string) string {
	m := spelled(region, plain)
	want := spelled(old, plain).text
	if m.text != want || m.text == region {
		return next
	}
	a, b := []rune(want), []rune(next)
	at := offsets(want) // of characters, in bytes
	list := blocks(a, b)
	slices.SortFunc(list, func(x, y block) int { return cmp.Compare(x.b, y.b) })
	var out strings.Builder
	done := 0
	for _, k := range list {
		out.WriteString(string(b[done:k.b]))
		s := m.span(span{at[k.a], at[k.a+k.size]})
		out.WriteString(region[s.from:s.to])
		done = k.b + k.size
	}
	out.WriteString(string(b[done:]))
	return out.String()
}

// offsets are where the characters of s begin, and its length.
func offsets(s string) []int {
	var at []int
	for i := range s {
		at = append(at, i)
	}
	return append(at, len(s))
}
