package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a piece of a text; start and end are byte offsets.
type span struct{ start, end int }

// closing pairs an opening quotation mark with its closing one.
func closing(r rune) rune {
	switch r {
	case '"', '`', '\'', '＂':
		return r
	case '“':
		return '”'
	case '‘':
		return '’'
	case '„':
		return '“'
	case '«':
		return '»'
	case '「':
		return '」'
	case '『':
		return '』'
	case '《':
		return '》'
	}
	return 0
}

// fence opens and closes a block of code, which is quoted as a whole.
const fence = "```"

// quoted finds what stands in quotation marks, without the marks. A mark that
// is not closed, and the apostrophe inside a word, quote nothing.
func quoted(s string) []span {
	var out []span
	skip := map[rune]int{} // marks that are known not to close before that offset
	prev := rune(' ')
	for i := 0; i < len(s); {
		if strings.HasPrefix(s[i:], fence) {
			if k := strings.Index(s[i+len(fence):], fence); k >= 0 {
				out = append(out, span{i + len(fence), i + len(fence) + k})
				prev, i = ' ', i+2*len(fence)+k
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		c := closing(r)
		if c == 0 || (c == '\'' && wordRune(prev)) || skip[r] > i {
			prev, i = r, i+size
			continue
		}
		end := closeAt(s, i+size, c)
		if end < 0 {
			skip[r] = len(s)
			prev, i = r, i+size
			continue
		}
		out = append(out, span{i + size, end})
		prev, i = c, end+utf8.RuneLen(c)
	}
	return out
}

// closeAt finds the closing mark c from i on; a straight apostrophe closes only
// at the end of a word.
func closeAt(s string, i int, c rune) int {
	for from := i; from < len(s); {
		k := strings.IndexRune(s[from:], c)
		if k < 0 {
			return -1
		}
		k += from
		next, _ := utf8.DecodeRuneInString(s[k+utf8.RuneLen(c):])
		if c != '\'' && c != '’' || k+utf8.RuneLen(c) >= len(s) || !wordRune(next) || isHan(next) {
			return k
		}
		from = k + utf8.RuneLen(c)
	}
	return -1
}

func wordRune(r rune) bool { return unicode.IsLetter(r) && !isHan(r) || unicode.IsDigit(r) }

// quotedSpans returns the quoted texts of s.
func quotedSpans(s string) []string {
	var out []string
	for _, q := range quoted(s) {
		if t := strings.TrimSpace(s[q.start:q.end]); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// mask blanks quoted text and keeps every offset.
func mask(s string, qs []span) string {
	if len(qs) == 0 {
		return s
	}
	b := []byte(s)
	for _, q := range qs {
		for i := q.start; i < q.end; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}
