package demo

import (
	"encoding/json"
	"strings"
)

// choice picks the value of an enumeration that the clause speaks of: by the
// word itself, by what the word stands for, or by how the description explains
// each value. Two values with equal claim leave the choice to the tool.
func (f *filler) choice(p param) (any, bool) {
	best, top, tie := any(nil), 0, false
	for i, e := range p.s.enum {
		s, ok := e.(string)
		if !ok {
			continue
		}
		score := f.claim(p, s, i)
		switch {
		case score > top:
			best, top, tie = e, score, false
		case score == top && score > 0:
			tie = true
		}
	}
	if top > 0 && !tie {
		return best, true
	}
	return nil, false
}

// claim scores one value of an enumeration.
func (f *filler) claim(p param, value string, index int) int {
	lex := lexicon()
	words := splitName(value)
	score := 0
	if f.saysAll(words) {
		score++
	}
	for _, t := range f.c.tokens {
		if op := lex.synonyms[t.text]; op != "" && op == operationOf(value) {
			score++
		}
	}
	if f.meansContent(value) {
		score += 8
	}
	if f.meansName(value) {
		score += 6
	}
	for _, u := range unitsNamed(value) {
		for _, m := range findMentions(f.c.tokens) {
			for _, v := range m.units {
				if u == v {
					return score + 3
				}
			}
		}
	}
	return score + 2*f.explained(p, index)
}

// saysAll reports whether every word of a value stands in the clause.
func (f *filler) saysAll(words []string) bool {
	for _, w := range words {
		found := false
		for _, t := range f.c.tokens {
			found = found || t.text == w && !lexicon().stop[w]
		}
		if !found {
			return false
		}
	}
	return len(words) > 0
}

// meansContent and meansName tell searching inside files from searching for
// files by their names.
func (f *filler) meansContent(value string) bool {
	if !inWords("content contents text body grep inside 内容 正文", strings.ToLower(value)) {
		return false
	}
	for _, t := range f.c.tokens {
		if inWords("containing contains contain inside mention mentions mentioning 包含 含有 含 内容 提到", t.text) {
			return true
		}
	}
	return strings.Contains(f.c.masked, "包含") || strings.Contains(f.c.masked, "提到")
}

func (f *filler) meansName(value string) bool {
	if !inWords("files file filename filenames name names 文件 文件名", strings.ToLower(value)) {
		return false
	}
	if len(f.c.globs()) > 0 || f.c.wants().has(conceptList) && f.c.concepts.has(conceptFile) && f.c.marked(0) == "" {
		return true
	}
	for _, t := range f.c.tokens {
		if inWords("named called name list 名为 名叫 叫 叫做 列出 文件名", t.text) {
			return true
		}
	}
	return strings.Contains(f.c.masked, "名为") || strings.Contains(f.c.masked, "列出")
}

// explained counts words of the clause that the description uses to explain
// value number index and no other value.
func (f *filler) explained(p param, index int) int {
	parts := explanations(p)
	if index >= len(parts) {
		return 0
	}
	n := 0
	for _, w := range f.tellingWords() {
		if !strings.Contains(parts[index], w) {
			continue
		}
		unique := true
		for i, other := range parts {
			unique = unique && (i == index || !strings.Contains(other, w))
		}
		if unique {
			n++
		}
	}
	return n
}

// tellingWords are the longer words of the clause, and every name of the units
// it mentions: the description may be in another language.
func (f *filler) tellingWords() []string {
	var out []string
	for _, t := range f.c.tokens {
		if len(t.text) >= 4 && !lexicon().stop[t.text] && !inStems(f.t.nameWords, t.text) {
			out = append(out, t.text)
		}
	}
	for _, m := range findMentions(f.c.tokens) {
		if m.clear() || m.cued {
			out = append(out, m.units[0].names[0], m.units[0].zh)
		}
	}
	return out
}

// indexQuoted finds a value in a description: in quotation marks if it stands
// in such, else as a word.
func indexQuoted(desc, value string) int {
	for _, q := range quoted(desc) {
		if desc[q.start:q.end] == value {
			return q.start
		}
	}
	return indexWord(desc, value)
}

// explanations cuts a description into what it says behind each value.
func explanations(p param) []string {
	desc := strings.ToLower(cut(p.s.desc, maxDesc))
	at := make([]int, len(p.s.enum))
	for i, e := range p.s.enum {
		at[i] = -1
		if s, ok := e.(string); ok && s != "" {
			at[i] = indexQuoted(desc, strings.ToLower(s))
		}
	}
	out := make([]string, len(at))
	for i, from := range at {
		if from < 0 {
			continue
		}
		end := len(desc)
		for _, o := range at {
			if o > from && o < end {
				end = o
			}
		}
		out[i] = desc[from:end]
	}
	return out
}

// array collects a list: numbers, texts, or objects that hold a text each.
func (f *filler) array(p param, needed bool) (any, bool) {
	items := p.s.items
	switch {
	case items == nil || items.is("string") && len(items.props) == 0 && !items.numeric():
		if !needed {
			return nil, false
		}
		return asArray(f.entries())
	case items.numeric():
		var out []any
		for i, t := range f.c.tokens {
			if t.kind == tokNum && needed {
				out = append(out, json.Number(sign(f.c.tokens, i)+t.text))
			}
		}
		return out, len(out) > 0
	case len(items.props) > 0:
		if !needed && !(f.t.concepts().has(conceptTodo) && (f.c.concepts.has(conceptAdd|conceptWrite) || strings.ContainsAny(f.c.masked, ":："))) && !f.reminds() {
			return nil, false
		}
		var out []any
		for _, e := range f.entries() {
			if o, ok := f.entry(items, e); ok {
				out = append(out, o)
			}
		}
		return out, len(out) > 0
	}
	return nil, false
}

// reminds reports whether the clause asks to be reminded of something.
func (f *filler) reminds() bool {
	for _, t := range f.c.tokens {
		if strings.HasPrefix(t.text, "remind") || t.text == "提醒" {
			return f.t.concepts().has(conceptTodo)
		}
	}
	return false
}

func asArray(list []string) (any, bool) {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out, len(out) > 0
}

// entry builds one object of a list around its text.
func (f *filler) entry(s *schema, text string) (*object, bool) {
	o := &object{}
	placed := false
	for _, p := range s.props {
		q := param{name: p.name, s: p.s, required: s.required[p.name], words: splitName(p.name)}
		roles := lexicon().rolesOf(q)
		switch {
		case len(p.s.enum) > 0:
			if q.required {
				o.set(p.name, p.s.enum[0])
			}
		case p.s.is("string") && roles&roleID != 0:
			if q.required {
				o.set(p.name, slug(text))
			}
		case p.s.is("string") && !placed && (q.required || roles&(roleText|roleName) != 0):
			o.set(p.name, text)
			placed = true
		}
	}
	return o, placed && s.acceptsObject(o)
}

// slug makes a short identifier of a text.
func slug(text string) string {
	words := runs(strings.ToLower(text), func(r rune) bool { return wordRune(r) || isHan(r) })
	if len(words) == 0 {
		return "item"
	}
	return cut(strings.Join(words[:min(len(words), 4)], "-"), 40)
}

// entries are the things that the clause lists: quotations, what follows a
// colon, what stands between "add" and "to my list".
func (f *filler) entries() []string {
	if len(f.c.quotes) > 0 {
		return f.c.quotes
	}
	text := ""
	if i := strings.IndexAny(f.c.text, ":："); i > 0 {
		text = f.c.text[i:]
	} else {
		text = f.listed()
	}
	text = strings.Trim(text, trimmed)
	for _, sep := range []string{" and ", ", ", "，", "、", "；", ";", "\n", " 和 "} {
		text = strings.ReplaceAll(text, sep, "\x00")
	}
	if len([]rune(text)) < 40 && strings.Contains(text, "\x00") {
		text = strings.ReplaceAll(text, "和", "\x00")
	}
	var out []string
	for _, e := range strings.Split(text, "\x00") {
		e = strings.TrimPrefix(strings.Trim(e, trimmed+"-"), "and ")
		if e != "" && len(out) < 50 {
			out = append(out, e)
		}
	}
	return out
}

// listed is the text around the words of adding and of the list.
func (f *filler) listed() string {
	s := f.c.text
	low := lower(s)
	for _, w := range []string{" to my ", " to the ", " on my ", " in my ", "添加到", "加到", "加入到", "加入", "放到", "放进", "写进", "到我的", "到待办", "到清单"} {
		if i := strings.LastIndex(low, w); i > 0 {
			s, low = s[:i], low[:i]
		}
	}
	for _, w := range []string{"remind me to ", "remind me ", "add a todo to ", "add a todo ", "add a task to ", "add todo ", "add ", "put ", "create a todo to ", "create a task to ", "提醒我", "添加待办", "增加待办", "新建待办", "添加", "增加", "请把", "帮我把", "把", "将"} {
		if i := strings.Index(low, w); i >= 0 {
			return s[i+len(w):]
		}
	}
	return ""
}
