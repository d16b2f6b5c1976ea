package demo

import (
	"encoding/json"
	"strings"
)

// filler finds values in a clause for the parameters of one tool.
type filler struct {
	t      *offered
	c      *clause
	all    []*clause // of the whole prompt, in case the clause points back
	args   *object
	quotes int          // quotations used
	nums   map[int]bool // number tokens used
	places []string
}

// fitText finds how t can be called for a clause that asks for no calculation.
// More than one call comes of it when the clause names several places. missing
// is the required parameter that the prompt says nothing about.
func (t *offered) fitText(c *clause, all []*clause) (calls []*object, filled map[string]bool, missing string) {
	f := &filler{t: t, c: c, all: all, args: &object{}, nums: map[int]bool{}}
	for _, p := range t.params {
		if p.required || f.central(p) {
			f.fill(p, true)
		}
	}
	filled = map[string]bool{}
	for _, k := range f.args.keys {
		filled[k] = true
	}
	for _, p := range t.params {
		if _, ok := f.args.vals[p.name]; !ok && !p.required {
			f.fill(p, false)
		}
	}
	if !t.complete(f.args) {
		name, isMissing := t.missing(f.args)
		if !isMissing {
			name = ""
			if len(t.params) > 0 {
				name = t.params[0].name
			}
		}
		return nil, nil, name
	}
	return f.spread(), filled, ""
}

// central reports whether an optional parameter is what the tool is about, as
// in a tool that declares nothing as required.
func (f *filler) central(p param) bool {
	if len(f.t.root.required) > 0 || f.t.concepts().has(conceptTodo) {
		return false
	}
	return p.roles&(roleText|roleQuery|rolePlace|rolePath|roleExpr) != 0 && p.s.is("string") && len(p.s.enum) == 0
}

// spread makes one call for every place that the clause names.
func (f *filler) spread() []*object {
	calls := []*object{f.args}
	if len(f.places) < 2 {
		return calls
	}
	for _, p := range f.t.params {
		if f.args.vals[p.name] != any(f.places[0]) {
			continue
		}
		for _, place := range f.places[1:] {
			next := &object{}
			for _, k := range f.args.keys {
				next.set(k, f.args.vals[k])
			}
			next.set(p.name, place)
			if f.t.accepts(next) {
				calls = append(calls, next)
			}
		}
		break
	}
	return calls
}

// fill sets p when the clause holds a value for it. An optional parameter is
// set only on clear evidence.
func (f *filler) fill(p param, needed bool) {
	v, ok := f.value(p, needed)
	if ok && !needed && p.s.def != nil && encode(v) == encode(p.s.def) {
		return // what the tool does anyway need not be said
	}
	if ok && p.s.accepts(v) {
		f.args.set(p.name, v)
	}
}

func (f *filler) value(p param, needed bool) (any, bool) {
	switch {
	case len(p.s.enum) > 0:
		return f.choice(p)
	case p.s.declares("boolean"):
		return f.flag(p, needed)
	case p.s.numeric():
		return f.number(p, needed)
	case p.s.declares("array"):
		return f.array(p, needed)
	case p.s.declares("object"):
		return nil, false
	case p.s.is("string"):
		s, ok := f.text(p, needed)
		return s, ok && s != ""
	}
	return nil, false
}

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
	case r&(roleQuery) != 0 && f.t.concepts().has(conceptSearch|conceptList|conceptWeb|conceptNews):
		return f.query()
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
	return "", false
}

// query is what is searched for; a request to list takes everything.
func (f *filler) query() (string, bool) {
	if g := f.c.globs(); len(g) > 0 && len(f.c.quotes) == 0 {
		return g[0], true
	}
	q := f.c.query()
	if f.c.concepts.has(conceptList) && (q == "" || f.c.concepts.has(conceptFile)) && len(f.c.quotes) == 0 {
		return "*", true
	}
	return q, q != ""
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
	low := strings.ToLower(s)
	for _, w := range []string{" into ", " to ", " in ", "翻译成", "翻译为", "译成", "成"} {
		if i := strings.LastIndex(low, w); i > 0 && len(low) == len(s) {
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
	if f.t.onlyString(p) {
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

// flag sets a boolean that the clause speaks of.
func (f *filler) flag(p param, needed bool) (any, bool) {
	words := strings.ToLower(strings.Join(p.words, " ") + " " + p.s.desc)
	if f.t.concepts().has(conceptTodo) && f.c.concepts.has(conceptAdd) && (strings.Contains(words, "merge") || strings.Contains(words, "append") || strings.Contains(words, "keep")) {
		return true, true
	}
	for i, t := range f.c.tokens {
		for _, w := range p.words {
			if len(w) > 2 && t.text == w {
				no := i > 0 && inWords("no not without 不 不要 别", f.c.tokens[i-1].text)
				return !no, true
			}
		}
	}
	if needed {
		return false, true
	}
	return nil, false
}

// number takes a number that stands with the name of the parameter, else, when
// one is needed, the next unused number.
func (f *filler) number(p param, needed bool) (any, bool) {
	for i, t := range f.c.tokens {
		if t.kind != tokNum || f.nums[i] {
			continue
		}
		if f.nameNear(p, i) {
			f.nums[i] = true
			return json.Number(sign(f.c.tokens, i) + t.text), true
		}
	}
	if !needed {
		return nil, false
	}
	for i, t := range f.c.tokens {
		if t.kind == tokNum && !f.nums[i] {
			v := json.Number(sign(f.c.tokens, i) + t.text)
			if p.s.accepts(v) {
				f.nums[i] = true
				return v, true
			}
		}
	}
	return nil, false
}

// nameNear reports whether the number at i stands with a word of p's name, or
// is the limit or the offset that p is.
func (f *filler) nameNear(p param, i int) bool {
	near := func(j int, words string) bool {
		return j >= 0 && j < len(f.c.tokens) && inWords(words, f.c.tokens[j].text)
	}
	for _, w := range p.words {
		if len(w) < 3 && !ideographic(w) {
			continue
		}
		forms := w + " " + w + "s " + strings.TrimSuffix(w, "s") + " " + w + "d"
		if near(i-1, forms) || near(i+1, forms) || near(i-2, forms) && near(i-1, "= : is of to 是 为") || near(i+2, forms) && near(i+1, "- 个") {
			return true
		}
	}
	if p.roles&roleLimit != 0 && p.roles&roleFirst == 0 {
		return near(i-1, "first top limit max maximum most 前 最多 只 头")
	}
	if p.roles&roleOffset != 0 {
		return near(i-1, "line from offset 第 从") && !near(i-2, "first") && !near(i+1, "lines")
	}
	return false
}
