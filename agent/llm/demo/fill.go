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
	// Booleans come last: what they say depends on what else is set.
	for _, flags := range []bool{false, true} {
		for _, p := range t.params {
			if _, ok := f.args.vals[p.name]; !ok && !p.required && p.s.declares("boolean") == flags {
				f.fill(p, false)
			}
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

// addsItems reports whether the call writes items of a list: those that are
// there already should stay.
func (f *filler) addsItems() bool {
	for _, v := range f.args.vals {
		if _, ok := v.([]any); ok && f.t.concepts().has(conceptTodo) {
			return true
		}
	}
	return false
}

// flag sets a boolean that the clause speaks of.
func (f *filler) flag(p param, needed bool) (any, bool) {
	words := strings.ToLower(strings.Join(p.words, " ") + " " + p.s.desc)
	if f.addsItems() && (strings.Contains(words, "merge") || strings.Contains(words, "append") || strings.Contains(words, "keep")) {
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
