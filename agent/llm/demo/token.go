package demo

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokKind is what a token of a prompt is.
type tokKind uint8

const (
	tokNum  tokKind = iota // text: a decimal literal without separators
	tokWord                // Latin (or other alphabetic) word, lower case
	tokHan                 // a Chinese word of the lexicon, or one character
	tokSym                 // operator or bracket, in its ASCII form
	tokStop                // end of a sentence or other punctuation
)

// token is one token; start and end are byte offsets in the prompt.
type token struct {
	kind       tokKind
	text       string
	start, end int
	glued      bool // no space between it and the token before
}

// maxTokens bounds what is read of a prompt for numbers and units. Sums and
// conversions are short; a megabyte of text is not searched for them.
const maxTokens = 2000

// tokenize cuts s into tokens. Chinese is cut by the longest word that the
// lexicon knows.
func (l *lexiconData) tokenize(s string) []token {
	s = l.simplify(s)
	var out []token
	lastEnd := -1
	for i := 0; i < len(s) && len(out) < maxTokens; {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' {
			i += size
			continue
		}
		t := l.nextToken(s, i, out)
		if t.end <= i {
			t.end = i + size
		}
		t.start, t.glued = i, lastEnd == i
		out = append(out, t)
		i = t.end
		lastEnd = i
	}
	return out
}

func (l *lexiconData) nextToken(s string, i int, before []token) token {
	r, size := utf8.DecodeRuneInString(s[i:])
	f := fold(r)
	switch {
	case f >= '0' && f <= '9', f == '.' && digitAt(s, i+size):
		text, n := literal(s[i:])
		return token{kind: tokNum, text: text, end: i + n}
	case isHan(r):
		return l.hanToken(s, i)
	case unicode.IsLetter(r):
		n := wordLen(s[i:])
		// "2x3": the letter between two glued numbers is the sign.
		if len(before) > 0 && before[len(before)-1].kind == tokNum && before[len(before)-1].end == i &&
			(r == 'x' || r == 'X') && digitAt(s, i+size) {
			n = size
		}
		return token{kind: tokWord, text: strings.ToLower(foldAll(s[i : i+n])), end: i + n}
	}
	return symbol(s, i, r, size)
}

// symbol reads punctuation, giving every spelling of an operator one form.
func symbol(s string, i int, r rune, size int) token {
	t := token{kind: tokSym, end: i + size}
	switch f := fold(r); f {
	case '*':
		t.text = "*"
		if strings.HasPrefix(s[i+size:], "*") {
			t.text, t.end = "**", i+size+1
		}
	case '/':
		t.text = "/"
		if strings.HasPrefix(s[i+size:], "/") {
			t.text, t.end = "//", i+size+1
		}
	case '+', '-', '^', '%', '(', ')', '=', '!', '°', '√', ',', '$', '>':
		t.text = string(f)
	case '[':
		t.text = "("
	case ']':
		t.text = ")"
	case 'π':
		t.kind, t.text = tokWord, "pi"
	case '²':
		t.kind, t.text = tokWord, "squared"
	case '³':
		t.kind, t.text = tokWord, "cubed"
	case '½':
		t.kind, t.text = tokNum, "0.5"
	case '¼':
		t.kind, t.text = tokNum, "0.25"
	case '¾':
		t.kind, t.text = tokNum, "0.75"
	case '→':
		t.kind, t.text = tokWord, "to"
	case '、':
		t.text = ","
	case '℃':
		t.kind, t.text = tokHan, "摄氏度"
	case '℉':
		t.kind, t.text = tokHan, "华氏度"
	default:
		t.kind, t.text = tokStop, string(f)
	}
	return t
}

// fold gives a character the form that the lexicon is written in: half-width,
// one sign for each operator.
func fold(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		r = r - '！' + '!'
	}
	switch r {
	case '×', '✕', '✖', '·', '∙', '⋅':
		return '*'
	case '÷', '∕':
		return '/'
	case '−', '–', '﹣':
		return '-'
	case '∗':
		return '*'
	case 'º', '˚':
		return '°'
	case '⇒', '➔', '➡':
		return '→'
	case '’':
		return '\''
	case '{':
		return '('
	case '}':
		return ')'
	}
	return r
}

func foldAll(s string) string { return strings.Map(fold, s) }

func digitAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	f := fold(r)
	return f >= '0' && f <= '9'
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) || r == '〇' }

// wordLen is the length of the word that s begins with: letters, then letters,
// digits and apostrophes or underscores inside it ("what's", "log2").
func wordLen(s string) int {
	end := 0
	for i, r := range s {
		inner := r == '\'' || r == '’' || r == '_'
		if isHan(r) || (!unicode.IsLetter(r) && !unicode.IsMark(r) && !inner && (i == 0 || !unicode.IsDigit(r))) {
			break
		}
		if inner {
			next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(r):])
			if !unicode.IsLetter(next) || isHan(next) {
				break
			}
		}
		end = i + utf8.RuneLen(r)
		if r == utf8.RuneError {
			break
		}
	}
	return min(end, len(s))
}

// hanToken reads a Chinese numeral or the longest known word, whichever is
// longer; an unknown character stands alone.
func (l *lexiconData) hanToken(s string, i int) token {
	num, n := hanNumber(s[i:])
	word, w := l.hanPrefix(s[i:])
	if n > 0 && n >= w {
		return token{kind: tokNum, text: num, end: i + n}
	}
	if w > 0 {
		return token{kind: tokHan, text: word, end: i + w}
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return token{kind: tokHan, text: s[i : i+size], end: i + size}
}
