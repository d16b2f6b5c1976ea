package demo

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// text finds a string by what the parameter is for.
func (f *filler) text(p param, needed bool) (string, bool) {
	r := p.roles
	switch {
	case f.t.takesExpression(p):
		return "", false // a calculation that could be read has been served
	case f.t.concepts().has(conceptConvert) && r&(roleFrom|roleTo|roleUnit) != 0 && !f.t.concepts().has(conceptTranslate):
		return f.unit(p)
	case r&roleURL != 0:
		return firstOf(f.c.urls())
	case r&rolePlace != 0 && !f.t.concepts().has(conceptFile):
		return f.place()
	case r&roleLang != 0 && r&roleText == 0, f.t.concepts().has(conceptTranslate) && r&roleTo != 0:
		return f.c.targetLanguage(p)
	case r&rolePath != 0 && r&roleQuery == 0:
		return f.path()
	case !needed:
		return "", false
	case f.t.concepts().has(conceptTranslate):
		return f.translated()
	case r&roleQuery != 0 && f.t.concepts().has(conceptSearch|conceptList|conceptWeb|conceptNews):
		return f.query(p)
	case r&roleDate != 0:
		return f.date()
	case r&(roleText|roleQuery) != 0:
		return f.said()
	}
	return f.named(p)
}

// unit finds the unit of a conversion that the clause only half names.
func (f *filler) unit(p param) (string, bool) {
	for _, m := range findMentions(f.c.tokens) {
		if m.valued == (p.roles&roleFrom != 0) && (m.valued || m.cued) {
			return f.t.spell(p, m.units[0]), true
		}
	}
	return "", false
}

func firstOf(list []string) (string, bool) {
	if len(list) == 0 {
		return "", false
	}
	return list[0], true
}

// place takes the place of the clause, else of another sentence of the prompt.
func (f *filler) place() (string, bool) {
	found := f.c.places()
	for _, other := range f.all {
		if len(found) == 0 && other != f.c {
			found = other.placesElsewhere()
		}
	}
	if len(found) == 0 {
		return "", false
	}
	f.places = found[:min(len(found), 5)]
	return found[0], true
}

// path takes a path that no other parameter has.
func (f *filler) path() (string, bool) {
	for _, p := range f.c.paths() {
		taken := false
		for _, v := range f.args.vals {
			taken = taken || v == any(p)
		}
		if !taken {
			return p, true
		}
	}
	name := f.c.folder()
	return name, name != ""
}

// query is what is searched for; a request to list takes everything.
func (f *filler) query(p param) (string, bool) {
	if g := f.c.globs(); len(g) > 0 && len(f.c.quotes) == 0 {
		return g[0], true
	}
	if f.c.wants().has(conceptList) && f.c.concepts.has(conceptFile) && len(f.c.quotes) == 0 && f.c.marked(0) == "" {
		return "*", true
	}
	q := f.c.query()
	if _, err := syntax.Parse(q, syntax.Perl); err != nil && takesPattern(p) {
		q = regexp.QuoteMeta(q) // typed as plain text: "panic("
	}
	return q, q != ""
}

// takesPattern reports whether p is a regular expression.
func takesPattern(p param) bool {
	low := strings.ToLower(p.s.desc + " " + p.name)
	return strings.Contains(low, "regular expression") || strings.Contains(low, "regex") || strings.Contains(low, "正则")
}

// said takes the next quotation, else what the clause wants said.
func (f *filler) said() (string, bool) {
	if s, ok := f.nextQuote(); ok {
		return s, true
	}
	if s := f.c.said(); s != "" {
		return s, true
	}
	return f.object()
}

func (f *filler) nextQuote() (string, bool) {
	if f.quotes < len(f.c.quotes) {
		f.quotes++
		return f.c.quotes[f.quotes-1], true
	}
	return "", false
}

// object is what follows the word that made the tool fit.
func (f *filler) object() (string, bool) {
	i := f.c.first(f.t.concepts())
	for j, t := range f.c.tokens {
		for _, w := range f.t.nameWords {
			if t.text == w && j > i {
				i = j
			}
		}
	}
	if i < 0 {
		return "", false
	}
	for i+1 < len(f.c.tokens) && inWords("tool plugin function 工具 插件 to for that : 一下", f.c.tokens[i+1].text) {
		i++
	}
	s := dropLead(f.c.after(i))
	return s, s != ""
}

// translated is the text to translate: a quotation, else what stands between
// the verb and the language.
func (f *filler) translated() (string, bool) {
	if s, ok := f.nextQuote(); ok {
		return s, true
	}
	s := f.c.said()
	if s == "" {
		s, _ = f.object()
	}
	low := lower(s)
	for _, w := range []string{" into ", " to ", " in ", "翻译成", "翻译为", "译成", "成"} {
		if i := strings.LastIndex(low, w); i > 0 {
			s = s[:i]
			break
		}
	}
	for _, w := range []string{"把", "将"} {
		s = strings.TrimPrefix(s, w)
	}
	s = strings.Trim(s, trimmed)
	return s, s != ""
}

// date takes a date as it is written, or the word for a day.
func (f *filler) date() (string, bool) {
	for _, w := range runs(f.c.text, func(r rune) bool { return r >= '0' && r <= '9' || r == '-' }) {
		if len(w) == 10 && w[4] == '-' && w[7] == '-' {
			return w, true
		}
	}
	for _, t := range f.c.tokens {
		if inWords("today tomorrow yesterday 今天 明天 后天 昨天", t.text) {
			return t.text, true
		}
	}
	return "", false
}

// named finds "title: Dinner", "set theme to dark", else a quotation, else, for
// the only string of the tool, what follows the verb.
func (f *filler) named(p param) (string, bool) {
	for i, t := range f.c.tokens {
		for _, w := range p.words {
			if t.text != w || i+1 >= len(f.c.tokens) {
				continue
			}
			j := i
			for j+1 < len(f.c.tokens) && inWords("is = : to as named 是 为 叫 设为", f.c.tokens[j+1].text) {
				j++
			}
			if s := f.c.after(j); s != "" && (j > i || len(s) < 60) {
				return firstPhrase(s), true
			}
		}
	}
	if k, v, ok := f.pair(); ok && len(f.c.quotes) == 0 {
		switch {
		case p.roles&(roleKey|roleID) != 0:
			return k, true
		case p.roles&roleValue != 0:
			return v, true
		}
	}
	if s, ok := f.nextQuote(); ok {
		return s, true
	}
	if f.t.onlyString(p) && p.roles&(roleID|roleKey) == 0 {
		return f.said()
	}
	return "", false
}

// pair reads "set my theme to dark", 把主题设为深色, "theme = dark".
func (f *filler) pair() (key, value string, ok bool) {
	for i, t := range f.c.tokens {
		if i == 0 || !inWords("to = as 为 设为 设置为 设成 改为 改成", t.text) {
			continue
		}
		prev := f.c.tokens[i-1]
		if value = f.c.after(i); value != "" && (prev.kind == tokWord || prev.kind == tokHan) {
			j := i - 1
			for j > 0 && f.c.tokens[j-1].kind == tokHan && f.c.tokens[j].kind == tokHan && !lexicon().stop[f.c.tokens[j-1].text] {
				j--
			}
			return f.c.source(j, i), value, true
		}
	}
	return "", "", false
}

// firstPhrase cuts s at the first comma or conjunction.
func firstPhrase(s string) string {
	for i, r := range s {
		if strings.ContainsRune(",，;；", r) {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}
