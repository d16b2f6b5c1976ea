package files

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// span is a part of a text, in bytes.
type span struct{ from, to int }

// rung is one way to find a text that the model may have written a little
// differently (contract/core §2.5).
type rung struct {
	name string
	find func(text, old string) []span
	// inexact: what replaces the match is indented as the file is.
	inexact bool
	// rewrite changes the new text as old was changed to be found.
	rewrite func(string) string
}

// ladder is tried from the strictest on; the first rung that finds something
// decides.
func ladder() []rung {
	return []rung{
		{name: "exact", find: findExact},
		{name: "trimmed lines", find: byLines(sameTrimmed), inexact: true},
		{name: "whitespace", find: byLines(sameCollapsed), inexact: true},
		{name: "escapes", find: func(text, old string) []span {
			if plain := unescape(old); plain != old {
				return findExact(text, plain)
			}
			return nil
		}, rewrite: unescape},
		{name: "outer lines trimmed", find: findTrimmedEnds, inexact: true},
		{name: "Unicode punctuation", find: byLines(samePunctuation), inexact: true},
		{name: "first and last line", find: findAnchored, inexact: true},
		{name: "similar lines", find: findSimilar, inexact: true},
	}
}

// errNoMatch says that no rung found the text.
var errNoMatch = errors.New("Could not find a match for old_string in the file") //nolint:revive // the reference's sentence

// manyError says that the text stands in several places.
type manyError struct{ n int }

func (e *manyError) Error() string {
	return fmt.Sprintf("Found %d matches for old_string. Provide more context to make it unique, or use replace_all=True.", e.n)
}

// replaced puts fresh in the place of old; of every old when all is set. from
// is where to look first when there are several, -1 when that is an error. It
// returns how old was found.
func replaced(text, old, fresh string, all bool, from int) (out, how string, err error) {
	for _, r := range ladder() {
		spans := r.find(text, old)
		if len(spans) == 0 {
			continue
		}
		if len(spans) > 1 && !all {
			if from < 0 {
				return "", r.name, &manyError{len(spans)}
			}
			spans = nearest(spans, from)
		}
		if r.rewrite != nil {
			fresh = r.rewrite(fresh)
		}
		var b strings.Builder
		at := 0
		for _, s := range spans {
			b.WriteString(text[at:s.from])
			part := fresh
			if r.inexact {
				part = indented(old, text[s.from:s.to], fresh)
			}
			b.WriteString(part)
			at = s.to
		}
		b.WriteString(text[at:])
		return b.String(), r.name, nil
	}
	return "", "", errNoMatch
}

// nearest is the first span at or after from, else the last.
func nearest(spans []span, from int) []span {
	for _, s := range spans {
		if s.from >= from {
			return []span{s}
		}
	}
	return spans[len(spans)-1:]
}

func findExact(text, old string) []span {
	if old == "" {
		return nil
	}
	var out []span
	for at := 0; at <= len(text); {
		i := strings.Index(text[at:], old)
		if i < 0 {
			break
		}
		out = append(out, span{at + i, at + i + len(old)})
		at += i + len(old)
	}
	return out
}

// textLine is a line of a text without its end.
type textLine struct {
	text     string
	from, to int
}

func linesOf(text string) []textLine {
	var out []textLine
	at := 0
	for line := range strings.Lines(text) {
		t := strings.TrimSuffix(line, "\n")
		out = append(out, textLine{t, at, at + len(t)})
		at += len(line)
	}
	return out
}

// byLines finds the runs of lines that are each the same as those of old.
func byLines(same func(a, b string) bool) func(text, old string) []span {
	return func(text, old string) []span {
		return runs(text, old, func(have, want []string) bool {
			for i := range want {
				if !same(have[i], want[i]) {
					return false
				}
			}
			return true
		})
	}
}

// runs finds the runs of as many lines as old has that fit it. Runs do not
// overlap. A text of blanks only fits nothing.
func runs(text, old string, fits func(have, want []string) bool) []span {
	want := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	if strings.TrimSpace(old) == "" {
		return nil
	}
	lines := linesOf(text)
	have := make([]string, len(lines))
	for i, l := range lines {
		have[i] = l.text
	}
	var out []span
	for i := 0; i+len(want) <= len(lines); i++ {
		if !fits(have[i:i+len(want)], want) {
			continue
		}
		end := lines[i+len(want)-1].to
		if strings.HasSuffix(old, "\n") && end < len(text) {
			end++ // old took the end of its last line with it
		}
		out = append(out, span{lines[i].from, end})
		i += len(want) - 1
	}
	return out
}

func sameTrimmed(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

func sameCollapsed(a, b string) bool { return collapse(a) == collapse(b) }

func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r")

func unescape(s string) string { return escapes.Replace(s) }

// findTrimmedEnds wants the lines between the first and the last as they are.
func findTrimmedEnds(text, old string) []span {
	return runs(text, old, func(have, want []string) bool {
		last := len(want) - 1
		if !sameTrimmed(have[0], want[0]) || !sameTrimmed(have[last], want[last]) {
			return false
		}
		for i := 1; i < last; i++ {
			if have[i] != want[i] {
				return false
			}
		}
		return true
	})
}

var punctuation = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'", "‚", "'", "–", "-", "—", "-", "−", "-", "…", "...", "\u00a0", " ", "\u202f", " ")

func samePunctuation(a, b string) bool {
	return collapse(punctuation.Replace(a)) == collapse(punctuation.Replace(b))
}

// Similarities from 0 to 1 that a match needs. Below them a block is another
// block.
const (
	anchoredAlone = 0.5 // of the lines between, when only one block has the ends
	anchoredMany  = 0.7
	similarLine   = 0.8
	similarBlock  = 0.85
	leastAnchored = 3
)

// findAnchored finds the block that begins and ends as old does.
func findAnchored(text, old string) []span {
	if strings.Count(strings.TrimSuffix(old, "\n"), "\n")+1 < leastAnchored {
		return nil
	}
	ends := runs(text, old, func(have, want []string) bool {
		last := len(want) - 1
		return sameTrimmed(have[0], want[0]) && sameTrimmed(have[last], want[last]) && strings.TrimSpace(want[0]) != ""
	})
	need := anchoredAlone
	if len(ends) > 1 {
		need = anchoredMany
	}
	var out []span
	for _, s := range ends {
		if likeness(text[s.from:s.to], old) >= need {
			out = append(out, s)
		}
	}
	return out
}

// findSimilar finds the one block whose lines are nearly those of old.
func findSimilar(text, old string) []span {
	best, second := 0.0, 0.0
	var at span
	for _, s := range runs(text, old, func(have, want []string) bool {
		for i := range want {
			if ratio(strings.TrimSpace(have[i]), strings.TrimSpace(want[i])) < similarLine {
				return false
			}
		}
		return true
	}) {
		l := likeness(text[s.from:s.to], old)
		if l > best {
			best, second, at = l, best, s
		} else {
			second = max(second, l)
		}
	}
	if best < similarBlock || best == second {
		return nil
	}
	return []span{at}
}

// likeness is the mean similarity of two blocks line by line.
func likeness(a, b string) float64 {
	x, y := strings.Split(strings.TrimSuffix(a, "\n"), "\n"), strings.Split(strings.TrimSuffix(b, "\n"), "\n")
	if len(x) != len(y) {
		return 0
	}
	sum := 0.0
	for i := range x {
		sum += ratio(strings.TrimSpace(x[i]), strings.TrimSpace(y[i]))
	}
	return sum / float64(len(x))
}

// longLine is from how many characters on lines are only compared for being
// the same: similarity takes time that grows with the square.
const longLine = 400

// ratio is twice the length of the longest common subsequence by the length of
// both, from 0 to 1.
func ratio(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := []rune(a), []rune(b)
	if len(x) == 0 || len(y) == 0 || len(x) > longLine || len(y) > longLine {
		return 0
	}
	if 2*min(len(x), len(y))*10 < 8*(len(x)+len(y)) {
		return 0 // too different in length to reach any bound above
	}
	row := make([]int, len(y)+1)
	for _, r := range x {
		diagonal := 0
		for j, s := range y {
			above := row[j+1]
			if r == s {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return 2 * float64(row[len(y)]) / float64(len(x)+len(y))
}

// indented gives fresh the indentation of the file: what old and the text that
// was found for it differ by.
func indented(old, found, fresh string) string {
	was, is := indentOf(old), indentOf(found)
	if was == is {
		return fresh
	}
	lines := strings.Split(fresh, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		lines[i] = is + line[common(line, was):]
	}
	return strings.Join(lines, "\n")
}

// indentOf is the blanks before the first line that is not blank.
func indentOf(text string) string {
	for line := range strings.Lines(text) {
		if t := strings.TrimLeftFunc(line, func(r rune) bool { return r != '\n' && unicode.IsSpace(r) }); strings.TrimSpace(t) != "" {
			return line[:len(line)-len(t)]
		}
	}
	return ""
}

// common is how many bytes line begins with of indent.
func common(line, indent string) int {
	n := 0
	for n < len(line) && n < len(indent) && line[n] == indent[n] {
		n++
	}
	return n
}
