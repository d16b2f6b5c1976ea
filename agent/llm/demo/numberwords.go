package demo

import (
	"math/big"
	"strings"
	"unicode/utf8"
)

// smallNumbers are the English number words with the number that each stands for.
const smallNumbers = `zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10
eleven 11 twelve 12 thirteen 13 fourteen 14 fifteen 15 sixteen 16 seventeen 17 eighteen 18 nineteen 19
twenty 20 thirty 30 forty 40 fourty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90`

// ordinals name powers, roots and parts (the third power, two thirds).
const ordinals = `second 2 third 3 fourth 4 fifth 5 sixth 6 seventh 7 eighth 8 ninth 9 tenth 10
eleventh 11 twelfth 12 sixteenth 16 twentieth 20 hundredth 100 half 2 quarter 4
thirds 3 fourths 4 quarters 4 fifths 5 sixths 6 sevenths 7 eighths 8 ninths 9 tenths 10 halves 2`

// scaleZeros are the zeros that a word of magnitude adds.
const scaleZeros = "hundred 2 thousand 3 million 6 billion 9 trillion 12"

// joinNumbers replaces spelled English numbers (two hundred and fifty-six,
// one point five, 1.5 million, a dozen) by number tokens.
func joinNumbers(ts []token) []token {
	lex := lexicon()
	out := make([]token, 0, len(ts))
	for i := 0; i < len(ts); {
		if zeros, ok := hanScaleWord(ts, i); ok && len(out) > 0 && out[len(out)-1].kind == tokNum {
			last := &out[len(out)-1]
			last.text, last.end = shift(last.text, zeros), ts[i].end
			i++
			continue
		}
		t, n := lex.spelled(ts[i:])
		if n == 0 {
			out = append(out, ts[i])
			i++
			continue
		}
		out = append(out, t)
		i += n
	}
	return out
}

// hanScaleWord reads 万 in "100 万": a multiplier that stands off from its
// number and belongs to no unit.
func hanScaleWord(ts []token, i int) (zeros int, ok bool) {
	r, size := utf8.DecodeRuneInString(ts[i].text)
	if ts[i].kind != tokHan || size != len(ts[i].text) {
		return 0, false
	}
	zeros, ok = hanScale(r)
	return zeros, ok && zeros >= 3
}

// spelled reads a number at the start of ts that has at least one word in it;
// n is the number of tokens, 0 when there is none.
func (l *lexiconData) spelled(ts []token) (t token, n int) {
	total, group := "0", ""
	words := false
	i := 0
loop:
	for i < len(ts) {
		cur := ts[i]
		switch {
		case cur.kind == tokNum && i == 0:
			group = cur.text
		case cur.kind != tokWord && !(cur.text == "-" && cur.glued && i > 0):
			break loop
		case cur.text == "-" || cur.text == "and":
			if i == 0 || i+1 >= len(ts) || (cur.text == "and" && !scaled(ts[i-1])) || l.small[ts[i+1].text] == "" {
				break loop
			}
		case l.small[cur.text] != "":
			v := l.small[cur.text]
			if !fits(group, v) {
				break loop
			}
			group, words = addWord(group, v), true
		case (cur.text == "a" || cur.text == "an") && i == 0 && len(ts) > 1 && (l.scale[ts[1].text] > 0 || ts[1].text == "dozen"):
			group = "1"
		case cur.text == "dozen" && group != "":
			return token{kind: tokNum, text: dozens(group), start: ts[0].start, end: cur.end, glued: ts[0].glued}, i + 1
		case cur.text == "point" && group != "" && i+1 < len(ts) && l.small[ts[i+1].text] != "":
			frac := ""
			for i++; i < len(ts) && len(l.small[ts[i].text]) == 1; i++ {
				frac += l.small[ts[i].text]
			}
			group, words = group+"."+frac, true
			continue
		case l.scale[cur.text] > 0 && group != "":
			words = true
			if l.scale[cur.text] == 2 {
				group = shift(group, 2)
			} else {
				total, group = addParts(total, shift(group, l.scale[cur.text])), ""
				if next := i + 1; next < len(ts) && ts[next].kind == tokNum {
					i++
					break loop
				}
			}
		default:
			break loop
		}
		i++
	}
	if !words || i == 0 {
		return token{}, 0
	}
	return token{kind: tokNum, text: addParts(total, group), start: ts[0].start, end: ts[i-1].end, glued: ts[0].glued}, i
}

func scaled(t token) bool { return lexicon().scale[t.text] > 0 }

// fits reports whether the number word v can follow group: twenty five, two
// hundred five, but not five six.
func fits(group, v string) bool {
	if group == "" {
		return true
	}
	if strings.Contains(group, ".") {
		return false
	}
	zeros := len(group) - len(strings.TrimRight(group, "0"))
	return v != "0" && zeros >= len(v) && group != "0" && group != "10"
}

func addWord(group, v string) string {
	if group == "" {
		return v
	}
	return add(group, v)
}

func addParts(total, group string) string {
	switch {
	case group == "":
		return total
	case total == "0":
		return group
	}
	return add(total, group)
}

// dozens reads "three dozen": what the word means, not a sum to work out.
func dozens(n string) string {
	count, ok := new(big.Int).SetString(n, 10)
	if !ok {
		return n
	}
	return count.Mul(count, big.NewInt(12)).String()
}
