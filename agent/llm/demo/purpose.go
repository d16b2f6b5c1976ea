package demo

import (
	"strings"
	"unicode/utf8"
)

// Weights of what a clause and a tool have in common. A tool competes from
// enough on.
const (
	weightNameConcept = 6
	weightDescConcept = 4
	weightNameWord    = 2
	weightDescWord    = 1
	weightWholeName   = 3
	enough            = 4
)

// asked are concepts that a clause asks for; the others only say more about it.
const asked = conceptMath | conceptCalc | conceptConvert | conceptSay | conceptWeather | conceptSearch | conceptRead | conceptTime | conceptTodo | conceptTranslate | conceptRandom |
	conceptWrite | conceptDelete | conceptRun | conceptList | conceptWeb | conceptRemember | conceptSend | conceptJoke | conceptNews | conceptPrice |
	conceptSummarise | conceptReverse | conceptCount | conceptHash | conceptPassword | conceptImage | conceptMusic | conceptGreet | conceptCase

// textTasks serves a clause with tools that take texts, names and choices.
func (c *clause) textTasks(all []*clause, tools []*offered, named bool) []task {
	var cands []candidate
	out := task{kind: taskText, text: c.text}
	nearest := 0
	extra := map[*offered][]*object{}
	for _, t := range tools {
		fit := c.purpose(t)
		if named {
			fit.score += weightNameConcept
		}
		if fit.score < enough {
			continue
		}
		calls, filled, missing := t.fitText(c, all)
		if len(calls) == 0 {
			if fit.score > nearest && fit.score >= weightNameConcept && missing != "" && (named || !t.inName.has(acting)) {
				nearest, out.lacksTool, out.lacksParam = fit.score, t.name, missing
			}
			continue
		}
		if len(calls[0].keys) == 0 && c.hasContent() && !t.inName.has(c.wants()) && !named && fit.score < 2*enough {
			continue // nothing of what was said would reach a tool that only sounds near
		}
		fit.rank += c.conveyed(t, calls[0])
		cands = append(cands, candidate{tool: t, steps: []step{{t, calls[0]}}, class: fit.rank, filled: filled})
		extra[t] = calls[1:]
	}
	if len(cands) == 0 {
		if out.lacksTool == "" && !c.question && !named {
			return nil
		}
		return []task{out}
	}
	out = choose(out, cands)
	out.lacksTool, out.lacksParam = "", ""
	tasks := []task{out}
	for _, args := range extra[out.steps[0].tool] {
		tasks = append(tasks, task{kind: taskText, text: c.text, steps: []step{{out.steps[0].tool, args}}, also: out.also})
	}
	return tasks
}

// fitness is how near a tool's purpose is to what a clause asks for.
type fitness struct {
	score int // whether the tool competes at all
	rank  int // how it stands among those that do
}

// Ranks of the ways in which a tool can be meant, far enough apart that shared
// words decide only among tools that are meant in the same way.
const (
	rankNameConcept = 200
	rankDescConcept = 100
)

// purpose scores how much of what the clause speaks of is what t is for.
func (c *clause) purpose(t *offered) fitness {
	wants := c.wants()
	if wants.has(conceptConvert) && len(c.quotes) == 0 && len(findMentions(c.tokens)) > 0 && !t.aboutUnits() {
		wants &^= conceptConvert // units are not made into speech
	}
	var f fitness
	switch {
	case t.inName.has(wants):
		f = fitness{weightNameConcept, rankNameConcept}
	case t.inDesc.has(wants):
		f = fitness{weightDescConcept, rankDescConcept}
	}
	if things := wants & objects; things != 0 && !t.concepts().has(things) {
		f.rank -= rankDescConcept / 2 // it shares the verb, not the thing
	}
	if also := c.concepts &^ (asked | acting); also != 0 && t.concepts().has(also) {
		f.score += weightNameWord
		f.rank += weightNameWord
	}
	o := c.overlap(t)
	f = fitness{f.score + o.score, f.rank + o.rank}
	// What changes something is done only when its verb is used.
	if t.inName.has(acting) && !c.asksToAct(t) {
		f.score -= weightNameConcept
		f.rank -= rankDescConcept
	}
	return f
}

// asksToAct reports whether the clause uses the verb of a tool that changes
// something, in its own language or in Chinese.
func (c *clause) asksToAct(t *offered) bool {
	lex := lexicon()
	for _, w := range t.nameWords {
		act := lex.wordConcepts(w) & acting
		if act == 0 {
			continue
		}
		for _, tok := range c.tokens {
			if tok.kind == tokWord && inStems([]string{w}, tok.text) || tok.kind == tokHan && lex.concepts[tok.text].has(act) {
				return true
			}
		}
	}
	// The name alone may be in another language: the description then is too.
	return t.inName&acting == conceptSend && c.concepts.has(conceptSend)
}

// objects are the concepts of things; the others are what is done with them.
const objects = conceptWeather | conceptTime | conceptTodo | conceptRandom | conceptJoke | conceptNews | conceptPrice | conceptPassword | conceptImage | conceptMusic

// acting are the concepts of tools that change something.
const acting = conceptAct | conceptDelete | conceptSend | conceptWrite | conceptRun

// wants is what the clause asks for. "show", "content" and the name of a file
// ask to read; the name of a file alone does too.
func (c *clause) wants() conceptSet {
	if !c.wantsGot {
		c.wanted, c.wantsGot = c.findWants(), true
	}
	return c.wanted
}

func (c *clause) findWants() conceptSet {
	w := c.concepts & asked
	lead := c.leading() & asked
	if w.has(conceptTodo) && w.has(conceptSearch) && strings.Contains(c.masked, "TODO") && !c.concepts.has(conceptAdd|conceptList) {
		w &^= conceptTodo // the mark in source code
	}
	if c.readable() && w&^(conceptRead|conceptWeb) == 0 {
		w |= conceptRead
	}
	if w.has(conceptRead) && !c.readable() && len(c.urls()) == 0 && !c.concepts.has(conceptFile) {
		w &^= conceptRead
	}
	if c.concepts.has(conceptFile) && (w.has(conceptList) || w == 0 && c.question) {
		w |= conceptSearch | conceptList // "what files are here"
	}
	if w.has(conceptSearch) && w.has(conceptWeather) {
		w &^= conceptSearch // 查天气 looks nothing up
	}
	if lead.has(conceptSay|conceptTranslate|conceptTodo) && w.has(lead) {
		w = lead
	}
	return w
}

// conveyed scores how much of what the clause says the call passes on: values
// of a kind that was recognised count most, any text counts, and a call that
// leaves out everything is further from the request.
func (c *clause) conveyed(t *offered, args *object) int {
	const typed, content = 5, 3
	if len(args.keys) == 0 {
		if c.hasContent() {
			return -weightNameWord
		}
		return 0
	}
	n := 0
	for _, k := range args.keys {
		p := t.param(k)
		if p == nil || len(p.s.enum) > 0 {
			continue
		}
		switch v := args.vals[k].(type) {
		case string:
			if p.roles&(rolePath|rolePlace|roleURL|roleLang) != 0 && p.roles&roleDesc == 0 {
				n += typed
			} else if p.roles&(roleText|roleQuery) != 0 {
				n += content
			}
		case []any:
			n += min(content, len(v)*content)
		}
	}
	return min(n, 2*typed)
}

// hasContent reports whether the clause says more than what it asks for.
func (c *clause) hasContent() bool {
	if len(c.quotes) > 0 {
		return true
	}
	lex := lexicon()
	for _, t := range c.tokens {
		if t.kind == tokNum {
			return true
		}
		if (t.kind == tokWord && lex.wordConcepts(t.text) == 0 || t.kind == tokHan && lex.concepts[t.text] == 0) && !lex.stop[t.text] && !inWords(notPlaces, t.text) {
			return true
		}
	}
	return false
}

// readable reports whether the clause names a file, not just a folder.
func (c *clause) readable() bool {
	for _, p := range c.paths() {
		if p != "." && !strings.HasSuffix(p, "/") {
			return true
		}
	}
	return false
}

// overlap counts the words of the clause that stand in the tool's name and
// description.
func (c *clause) overlap(t *offered) fitness {
	lex := lexicon()
	var f fitness
	matched, desc := 0, 0
	seen := map[string]bool{}
	for _, tok := range c.tokens {
		if lex.stop[tok.text] || seen[tok.text] || tok.kind == tokStop || tok.kind == tokSym || tok.kind == tokNum {
			continue
		}
		seen[tok.text] = true
		switch {
		case inStems(t.nameWords, tok.text):
			f.score += weightNameWord
			matched++
			f.rank += weightNameWord
		case tok.kind == tokWord && len(tok.text) > 3 && inTokens(t.descTokens, tok.text):
			desc += weightDescWord
		}
	}
	desc = min(desc+hanOverlap(c, t), 3)
	if matched > 0 && matched >= len(t.nameWords)-t.genericWords() {
		f.score += weightWholeName
		f.rank += weightWholeName
	}
	f.score += desc
	return f
}

// genericWords counts the words of the name that most tools could have.
func (t *offered) genericWords() int {
	n := 0
	for _, w := range t.nameWords {
		if inWords("get set make do run create the a of tool current my fetch", w) {
			n++
		}
	}
	return n
}

// hanOverlap counts pairs of Chinese characters that the clause shares with
// the first sentence of the description or with the name.
func hanOverlap(c *clause, t *offered) int {
	text := firstSentence(t.desc) + " " + t.name
	n := 0
	prev := token{}
	seen := map[string]bool{}
	for _, tok := range c.tokens {
		if tok.kind != tokHan || lexicon().stop[tok.text] {
			prev = token{}
			continue
		}
		word := tok.text
		if utf8.RuneCountInString(word) == 1 {
			if prev.kind != tokHan || prev.end != tok.start || utf8.RuneCountInString(prev.text) != 1 {
				prev = tok
				continue
			}
			word = prev.text + tok.text
		}
		prev = tok
		if !seen[word] && strings.Contains(text, word) {
			n += 2 * weightDescWord
		}
		seen[word] = true
	}
	return n
}

// inStems reports whether w is one of words, give or take an ending.
func inStems(words []string, w string) bool {
	for _, x := range words {
		if x == w || x == w+"s" || w == x+"s" || len(x) > 4 && len(w) > 4 && (strings.HasPrefix(x, w) || strings.HasPrefix(w, x)) {
			return true
		}
	}
	return false
}

func inTokens(ts []token, w string) bool {
	for _, t := range ts {
		if t.text == w || t.text == w+"s" || t.text+"s" == w {
			return true
		}
	}
	return false
}
