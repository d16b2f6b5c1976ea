package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A search text is read as people write one: words that must all be there,
// "phrases", word*, OR, NOT and AND in capitals. Everything else is looked for
// as it stands. The query that SQLite gets is built anew from that, so no
// text is a syntax error.

// term is a word or phrase.
type term struct {
	text   string
	prefix bool // word*
}

// clause is one alternative: all of must, none of not.
type clause struct {
	must, not []term
}

// maxQuery bounds a search text, in bytes, as the reference does.
const maxQuery = 2048

// parseQuery reads a search text. Clauses without anything to look for are
// left out.
func parseQuery(q string) []clause {
	if len(q) > maxQuery {
		q = strings.ToValidUTF8(q[:maxQuery], "")
	}
	q = strings.ReplaceAll(q, "\x00", " ") // ends a text in SQLite
	var out []clause
	var c clause
	flush := func() {
		if len(c.must) > 0 {
			out = append(out, c)
		}
		c = clause{}
	}
	negate := false
	for _, w := range words(q) {
		switch {
		case w.text == "OR" && !w.quoted:
			flush()
			negate = false
			continue
		case w.text == "AND" && !w.quoted:
			continue
		case w.text == "NOT" && !w.quoted:
			negate = true
			continue
		}
		t := term{text: w.text}
		if !w.quoted && strings.HasSuffix(t.text, "*") {
			t.text, t.prefix = strings.TrimRight(t.text, "*"), true
		}
		if !searchable(t.text) {
			continue
		}
		if negate {
			c.not = append(c.not, t)
		} else {
			c.must = append(c.must, t)
		}
		negate = false
	}
	flush()
	return out
}

// searchable says that there is a letter or digit to look for.
func searchable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) >= 0
}

type word struct {
	text   string
	quoted bool
}

// words splits at blanks and brackets; a quotation mark that is never closed
// ends with the text.
func words(q string) []word {
	var out []word
	for q != "" {
		q = strings.TrimLeftFunc(q, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(){}", r) })
		if rest, ok := strings.CutPrefix(q, `"`); ok {
			text, after, _ := strings.Cut(rest, `"`)
			if text = strings.TrimSpace(text); text != "" {
				out = append(out, word{text, true})
			}
			q = after
			continue
		}
		end := strings.IndexFunc(q, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`(){}"`, r) })
		if end < 0 {
			end = len(q)
		}
		if end > 0 {
			out = append(out, word{strings.ToValidUTF8(q[:end], ""), false})
		}
		q = q[end:]
	}
	return out
}

// cjk says that r belongs to a script that is written without blanks: the word
// index takes a whole run of it for one word.
func cjk(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo)
}

func hasCJK(clauses []clause) bool {
	return anyTerm(clauses, func(t term) bool { return strings.IndexFunc(t.text, cjk) >= 0 })
}

// allLong says that every term has the three letters that the trigram index
// needs.
func allLong(clauses []clause) bool {
	return !anyTerm(clauses, func(t term) bool { return utf8.RuneCountInString(t.text) < 3 })
}

func anyTerm(clauses []clause, is func(term) bool) bool {
	for _, c := range clauses {
		for _, t := range append(append([]term{}, c.must...), c.not...) {
			if is(t) {
				return true
			}
		}
	}
	return false
}

// match writes the clauses in SQLite's query language. Every term is a quoted
// string there, in which nothing has a meaning.
func match(clauses []clause, alternatives func(term) []string) string {
	var or []string
	for _, c := range clauses {
		var b strings.Builder
		for i, t := range c.must {
			if i > 0 {
				b.WriteString(" AND ")
			}
			b.WriteString(quote(t, alternatives))
		}
		for _, t := range c.not {
			b.WriteString(" NOT " + quote(t, alternatives))
		}
		or = append(or, "("+b.String()+")")
	}
	return strings.Join(or, " OR ")
}

func quote(t term, alternatives func(term) []string) string {
	var out []string
	for _, s := range alternatives(t) {
		s = `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		if t.prefix {
			s += "*"
		}
		out = append(out, s)
	}
	return "(" + strings.Join(out, " OR ") + ")"
}

// asWritten looks for a term as it stands.
func asWritten(t term) []string { return []string{t.text} }

// orEscaped also looks for it the way that arguments of calls hold it: \uXXXX.
func orEscaped(t term) []string {
	if escaped := pySpell([]byte(t.text)); escaped != t.text && strings.IndexFunc(t.text, cjk) >= 0 {
		return []string{t.text, escaped}
	}
	return []string{t.text}
}

// like writes the clauses as conditions on a text column: slow, for terms that
// are too short for an index.
func like(clauses []clause, column string) (string, []any) {
	var or []string
	var args []any
	for _, c := range clauses {
		var and []string
		cond := func(t term, not string) {
			var alt []string
			for _, s := range orEscaped(t) {
				alt = append(alt, column+` LIKE ? ESCAPE '\'`)
				args = append(args, "%"+likeLiteral(s)+"%")
			}
			and = append(and, not+"("+strings.Join(alt, " OR ")+")")
		}
		for _, t := range c.must {
			cond(t, "")
		}
		for _, t := range c.not {
			cond(t, "NOT ")
		}
		or = append(or, "("+strings.Join(and, " AND ")+")")
	}
	return "(" + strings.Join(or, " OR ") + ")", args
}
