package demo

import (
	"encoding/json"
	"strings"
)

// fitConversion finds how t can be asked for c.
func (t *offered) fitConversion(c conversion) (candidate, bool) {
	if (c.from.dim == "currency" || c.to.dim == "currency") != t.exchanges() {
		return candidate{}, false
	}
	for i, try := range []func(conversion) (*object, bool){t.convertByRoles, t.convertByName, t.convertAsText} {
		args, ok := try(c)
		if !ok || !t.complete(args) {
			continue
		}
		filled := map[string]bool{}
		for _, k := range args.keys {
			filled[k] = true
		}
		return candidate{tool: t, steps: []step{{t, args}}, class: -i / 2, filled: filled}, true
	}
	return candidate{}, false
}

// exchanges reports whether t is about money.
func (t *offered) exchanges() bool {
	text := strings.ToLower(t.name + " " + t.desc)
	for _, p := range t.params {
		text += " " + strings.ToLower(p.name+" "+p.s.desc)
	}
	for _, w := range []string{"currenc", "exchange rate", "forex", "währung", "divisa", "moneda", "devise", "汇率", "货币", "币种", "外汇", "通貨", "валют"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// convertByRoles fills value, source unit and target unit.
func (t *offered) convertByRoles(c conversion) (*object, bool) {
	value, from, to, ok := t.conversionParams()
	if !ok {
		return nil, false
	}
	args := &object{}
	if value.s.is("number") || value.s.is("integer") {
		args.set(value.name, json.Number(c.value))
	} else {
		args.set(value.name, c.value)
	}
	args.set(from.name, t.spell(from, c.from))
	args.set(to.name, t.spell(to, c.to))
	return args, true
}

// conversionParams finds the three parameters of a conversion: by their names
// and descriptions, else by type and position.
func (t *offered) conversionParams() (value, from, to param, ok bool) {
	var numbers, texts []param
	for _, p := range t.params {
		switch {
		case p.s.numeric():
			numbers = append(numbers, p)
		case p.s.is("string"):
			texts = append(texts, p)
		}
	}
	value, haveValue := pick(numbers, roleValue)
	if !haveValue && len(required(numbers)) == 1 {
		value, haveValue = required(numbers)[0], true
	}
	if !haveValue && len(numbers) == 0 {
		if value, haveValue = pick(texts, roleValue); haveValue {
			texts = without(texts, value.name)
		}
	}
	if !haveValue {
		return value, from, to, false
	}
	from, haveFrom := pick(texts, roleFrom)
	to, haveTo := pick(without(texts, from.name), roleTo)
	named := haveFrom && haveTo
	if !named {
		units := withRole(texts, roleUnit)
		if len(units) != 2 {
			units = required(texts)
		}
		if len(units) != 2 {
			return value, from, to, false
		}
		from, to = units[0], units[1]
	}
	return value, from, to, t.converts(named, from, to)
}

// converts reports whether t is meant for conversions, rather than for moving
// a number of things from one place to another.
func (t *offered) converts(named bool, from, to param) bool {
	if t.concepts().has(conceptConvert) || from.roles&roleUnit != 0 && to.roles&roleUnit != 0 {
		return true
	}
	purpose := t.concepts() &^ (conceptMath | conceptCalc)
	return purpose == 0 || named && purpose&(conceptSend|conceptRead|conceptSearch|conceptDelete|conceptWrite|conceptFile) == 0
}

func pick(ps []param, r roleSet) (param, bool) {
	for _, p := range ps {
		if p.roles&r != 0 {
			return p, true
		}
	}
	return param{}, false
}

func withRole(ps []param, r roleSet) []param {
	var out []param
	for _, p := range ps {
		if p.roles&r != 0 {
			out = append(out, p)
		}
	}
	return out
}

func required(ps []param) []param {
	var out []param
	for _, p := range ps {
		if p.required {
			out = append(out, p)
		}
	}
	return out
}

func without(ps []param, name string) []param {
	var out []param
	for _, p := range ps {
		if p.name != name {
			out = append(out, p)
		}
	}
	return out
}

// convertByName serves a tool that does one conversion and says which in its
// name: celsius_to_fahrenheit(value).
func (t *offered) convertByName(c conversion) (*object, bool) {
	lex := lexicon()
	var found []*unit
	for i := 0; i < len(t.nameTokens); {
		us, n := lex.unitAt(t.nameTokens, i)
		if n == 0 {
			i++
			continue
		}
		for _, u := range us {
			if u == c.from || u == c.to {
				found = append(found, u)
				break
			}
		}
		i += n
	}
	if len(found) != 2 || found[0] != c.from || found[1] != c.to {
		return nil, false
	}
	for _, p := range t.params {
		if p.s.is("number") {
			args := &object{}
			args.set(p.name, json.Number(c.value))
			return args, true
		}
	}
	return nil, false
}

// convertAsText serves a converter that takes the request as one text.
func (t *offered) convertAsText(c conversion) (*object, bool) {
	if !t.concepts().has(conceptConvert) || !t.aboutUnits() {
		return nil, false
	}
	for _, p := range t.params {
		if p.s.is("string") && len(p.s.enum) == 0 && t.onlyString(p) && p.roles&(rolePath|roleURL) == 0 {
			args := &object{}
			args.set(p.name, c.value+" "+c.from.symbol+" to "+c.to.symbol)
			return args, true
		}
	}
	return nil, false
}

// aboutUnits reports whether t speaks of units of measure or of money, so that
// its conversions are not those of files or speech.
func (t *offered) aboutUnits() bool {
	text := strings.ToLower(t.name + " " + t.desc)
	for _, p := range t.params {
		text += " " + strings.ToLower(p.name+" "+p.s.desc)
	}
	for _, w := range []string{"unit", "measure", "einheit", "单位", "單位", "度量", "unidad", "unité", "единиц", "単位", "단위"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	if t.exchanges() {
		return true
	}
	n := 0
	for _, k := range listed(text) {
		n += min(1, len(unitsNamed(k)))
	}
	return n > 1
}

// spell writes a unit as the tool spells it: as its enumeration or description
// lists it, else in the style of the units that are listed, else by symbol.
func (t *offered) spell(p param, u *unit) string {
	var known []string
	for _, e := range p.s.enum {
		if s, ok := e.(string); ok {
			known = append(known, s)
		}
	}
	closed := len(known) > 0
	if !closed {
		known = append(known, examplesOf(p)...)
		known = append(known, listed(p.s.desc)...)
		known = append(known, listed(t.desc)...)
	}
	if k, ok := listedAs(known, u); ok {
		return k
	}
	style := map[string]int{}
	for _, k := range known {
		if us := unitsNamed(k); len(us) > 0 {
			style[styleOf(us[0], k)]++
		}
	}
	switch {
	case closed:
		return u.symbol
	case style["name"] > style["symbol"] && style["name"] >= style["plural"]:
		return u.names[0]
	case style["plural"] > style["symbol"]:
		return u.plural
	case style["zh"] > style["symbol"] && u.zh != "":
		return u.zh
	}
	return u.symbol
}

// listedAs finds u among the spellings that a tool lists. Its symbol comes
// first, then a name that means u above all, then any name that can mean it:
// "g" is the gram where "GB" is listed too.
func listedAs(known []string, u *unit) (string, bool) {
	best, rank := "", 0
	for _, k := range known {
		r := 0
		for i, v := range unitsNamed(k) {
			switch {
			case v != u:
			case strings.EqualFold(k, u.symbol):
				r = 3
			case i == 0:
				r = 2
			default:
				r = max(r, 1)
			}
		}
		if r > rank {
			best, rank = k, r
		}
	}
	return best, rank > 0
}

// unitsNamed returns the units that k names, if it names a unit and nothing else.
func unitsNamed(k string) []*unit {
	lex := lexicon()
	ts := lex.tokenize(strings.ReplaceAll(cut(k, 40), "_", " "))
	us, n := lex.unitAt(ts, 0)
	if n == 0 || n != len(ts) {
		return nil
	}
	return us
}

func styleOf(u *unit, k string) string {
	low := strings.ToLower(k)
	switch {
	case low == strings.ToLower(u.symbol):
		return "symbol"
	case low == u.plural:
		return "plural"
	case ideographic(k):
		return "zh"
	case len(low) > 3:
		return "name"
	}
	return "symbol"
}
