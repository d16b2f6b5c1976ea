package demo

import "strings"

// conversion is one conversion that a text asks for. Where a name stands for
// several units, the pair has been made so that both measure the same.
type conversion struct {
	value    string // decimal literal, with its sign
	from, to *unit
}

// mention is a unit in a text.
type mention struct {
	units  []*unit
	at, n  int // tokens
	value  string
	valued bool
	cued   bool // a word in front makes it the unit wanted
	asked  bool // "how many X", 多少 X
}

// findConversions returns the conversions in ts: every quantity with every
// unit of its kind that stands without one.
func findConversions(ts []token) []conversion {
	ms := findMentions(ts)
	convert := false
	for _, t := range ts {
		convert = convert || lexicon().wordConcepts(t.text).has(conceptConvert)
	}
	var out []conversion
	used := make([]bool, len(ms))
	for i, src := range ms {
		if !src.valued {
			continue
		}
		for _, j := range targets(ms, i) {
			from, to, ok := pair(src, ms[j], convert)
			if ok && (ms[j].cued || ms[j].asked || ms[j].clear()) {
				out = append(out, conversion{src.value, from, to})
				used[j] = true
			}
		}
	}
	if len(out) == 0 {
		return implied(ms)
	}
	return out
}

// targets orders the units that src may be converted to: those up to the next
// quantity, or when there is none there, all others.
func targets(ms []mention, src int) []int {
	var near, all []int
	stop := false
	for j := src + 1; j < len(ms); j++ {
		stop = stop || ms[j].valued && len(near) > 0
		if !ms[j].valued {
			all = append(all, j)
			if !stop {
				near = append(near, j)
			}
		}
	}
	if len(near) > 0 {
		return near
	}
	for j := src - 1; j >= 0; j-- {
		if !ms[j].valued {
			all = append(all, j)
		}
	}
	return all
}

// implied reads "feet in mile" and 小时 等于 多少 分钟: one of the unit that is
// named without a number.
func implied(ms []mention) []conversion {
	if len(ms) != 2 || ms[0].valued || ms[1].valued {
		return nil
	}
	src, dst := ms[1], ms[0]
	if ms[1].asked {
		src, dst = ms[0], ms[1]
	} else if !ms[0].asked {
		return nil
	}
	from, to, ok := pair(src, dst, false)
	if !ok || !src.clear() {
		return nil
	}
	return []conversion{{"1", from, to}}
}

// pair chooses the meanings of two names that measure the same; any stands for
// whatever was asked when the kinds differ and the text says "convert".
func pair(src, dst mention, convert bool) (from, to *unit, ok bool) {
	for _, f := range src.units {
		for _, t := range dst.units {
			if f.dim == t.dim && f != t {
				return f, t, true
			}
		}
	}
	if !convert || !dst.cued {
		return nil, nil, false
	}
	for _, f := range src.units {
		for _, t := range dst.units {
			if f == t {
				return nil, nil, false
			}
		}
	}
	return src.units[0], dst.units[0], true
}

// clear reports whether the mention is a name that is hardly anything else
// than a unit: no single letter.
func (m mention) clear() bool { return m.n > 1 || !m.short() }

func (m mention) short() bool {
	for _, u := range m.units {
		if len(u.symbol) == 1 || u.symbol == "in" || u.symbol == "min" || u.symbol == "day" {
			return true
		}
	}
	return false
}

func findMentions(ts []token) []mention {
	lex := lexicon()
	var out []mention
	for i := 0; i < len(ts); {
		us, n := lex.unitAt(ts, i)
		if n == 0 || preposition(ts, i, n) {
			i++
			continue
		}
		m := mention{units: us, at: i, n: n}
		m.value, m.valued = valueBefore(ts, i)
		i += n
		// 华氏 100 度: the number stands inside the unit.
		if !m.valued && us[0].dim == "temperature" {
			if v, next, ok := valueInside(ts, i); ok {
				m.value, m.valued, i = v, true, next
			} else if i < len(ts) && (ts[i].text == "多少度" || ts[i].text == "几度") {
				m.asked, i = true, i+1
			}
		}
		m.cue(ts)
		if m.valued && i < len(ts) && ts[i].text == "半" {
			m.value, i = m.value+".5", i+1
		}
		out = append(out, m)
	}
	return out
}

// preposition tells "in" from the inch.
func preposition(ts []token, i, n int) bool {
	if n != 1 || ts[i].text != "in" {
		return ts[i].text == "'" || ts[i].text == `"`
	}
	if i == 0 {
		return true
	}
	prev := ts[i-1]
	if i+1 == len(ts) || ts[i+1].kind == tokStop {
		return prev.kind != tokNum && !cueWord(prev.text)
	}
	if prev.kind != tokNum {
		return true
	}
	_, unitNext := lexicon().unitAt(ts, i+1)
	return unitNext > 0 || !cueWord(ts[i+1].text)
}

// valueBefore reads the number in front of the token i: "1.5 TB", "a mile",
// "-40 °C", 一天.
func valueBefore(ts []token, i int) (string, bool) {
	j := i - 1
	for j >= 0 && (ts[j].text == "个" || ts[j].text == "of" && i > 1 && ts[j-1].kind == tokNum || ts[j].text == "an" && j > 0 && ts[j-1].text == "half" || ts[j].text == "a" && j > 0 && ts[j-1].text == "half") {
		j--
	}
	if j < 0 {
		return "", false
	}
	switch t := ts[j]; {
	case t.kind == tokNum:
		return sign(ts, j) + t.text, true
	case t.text == "half" && j > 1 && ts[j-1].text == "a" && ts[j-2].text == "and" && j > 2 && ts[j-3].kind == tokNum:
		return ts[j-3].text + ".5", true
	case t.text == "half" && j > 1 && ts[j-1].text == "a" && ts[j-2].text == "and":
		return "", false
	case t.text == "half", t.text == "半":
		if j > 1 && ts[j-1].text == "个" && ts[j-2].kind == tokNum {
			return ts[j-2].text + ".5", true
		}
		if j > 0 && ts[j-1].text == "一个" {
			return "1.5", true
		}
		return "0.5", true
	case t.text == "a", t.text == "an", t.text == "each", t.text == "every", t.text == "per", t.text == "每", t.text == "一个":
		return "1", true
	}
	return "", false
}

// sign reads the sign of the number at j.
func sign(ts []token, j int) string {
	if j == 0 {
		return ""
	}
	switch t := ts[j-1]; t.text {
	case "minus", "negative", "负", "零下":
		return "-"
	case "-":
		// Between two numbers or behind a word it is no sign, unless it
		// stands off from the word.
		if j == 1 || (!t.glued && ts[j].glued && ts[j-2].kind != tokNum) || ts[j-2].kind == tokHan {
			return "-"
		}
	}
	return ""
}

// valueInside reads the number in 华氏 100 度.
func valueInside(ts []token, i int) (value string, next int, ok bool) {
	j := i
	if j < len(ts) && (ts[j].text == "零下" || ts[j].text == "负" || ts[j].text == "-") {
		j++
	}
	if j+1 < len(ts) && ts[j].kind == tokNum && ts[j+1].text == "度" {
		return sign(ts, j) + ts[j].text, j + 2, true
	}
	return "", i, false
}

// cue looks at the word in front of the mention.
func (m *mention) cue(ts []token) {
	j := m.at - 1
	for j >= 0 && (ts[j].text == "the" || ts[j].text == "a" || ts[j].text == "个") {
		j--
	}
	if j < 0 || m.valued {
		return
	}
	m.cued = cueWord(ts[j].text)
	m.asked = m.asked || askWord(ts[j].text)
	if j > 0 && (ts[j].text == "and" || ts[j].text == "," || ts[j].text == "和") {
		m.cued = m.cued || !m.short()
	}
}

func cueWord(w string) bool {
	return strings.Contains(" to in into as 为 成 到 至 = 换 合 等于 是 用 ", " "+w+" ") || lexicon().wordConcepts(w).has(conceptConvert)
}

func askWord(w string) bool {
	return w == "many" || w == "much" || w == "多少" || w == "几" || w == "几个" || w == "多少个"
}
