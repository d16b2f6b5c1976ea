package demo

import (
	"sort"
	"strings"
)

// task is one thing that the prompt asks for, and how it will be done.
type task struct {
	kind  taskKind
	text  string // the clause
	steps []step // nil when no tool fits
	also  []string
	// lacks names the tool that would fit and the parameter that the prompt
	// says nothing about.
	lacksTool, lacksParam string
}

type taskKind uint8

const (
	taskText taskKind = iota
	taskCalculation
	taskConversion
)

// maxTasks bounds how many calls one prompt can lead to at once.
const maxTasks = 12

// understand turns a prompt into tasks for the tools offered. It depends on
// nothing else, so that the same prompt gives the same plan in every round of
// the loop.
func understand(prompt string, tools []*offered) []task {
	cs := clauses(prompt)
	var out []task
	numeric := false
	for _, c := range cs {
		ts := c.tasks(cs, tools)
		for _, t := range ts {
			numeric = numeric || t.kind != taskText
		}
		out = append(out, ts...)
	}
	if !numeric && len(cs) > 1 {
		out = acrossSentences(out, cs, tools)
	}
	return distinct(out)
}

// acrossSentences looks for what only several sentences together say: "150 a
// day", then "three days"; a quantity, then the unit wanted.
func acrossSentences(out []task, cs []*clause, tools []*offered) []task {
	var all []token
	for _, c := range cs {
		if c.isAboutText(tools) {
			return out
		}
		all = append(all, c.tokens...)
	}
	last := cs[len(cs)-1].text
	var found []task
	if n, ok := findRate(all); ok {
		found = []task{calculationTask(n, last, tools)}
	} else {
		for _, v := range findConversions(all) {
			found = append(found, conversionTask(v, last, tools))
		}
	}
	if len(found) == 0 {
		return out
	}
	kept := out[:0]
	for _, t := range out {
		if t.steps != nil {
			kept = append(kept, t)
		}
	}
	return append(kept, found...)
}

// distinct drops calls that would be made twice, and what goes beyond the bound.
func distinct(in []task) []task {
	seen := map[string]bool{}
	var out []task
	for _, t := range in {
		key := ""
		for _, s := range t.steps {
			key += s.tool.name + encode(s.args) + "\n"
		}
		if key != "" && seen[key] || len(out) >= maxTasks {
			continue
		}
		seen[key] = true
		out = append(out, t)
	}
	return out
}

// tasks reads one clause.
func (c *clause) tasks(all []*clause, tools []*offered) []task {
	named := c.named(tools)
	pool := tools
	if len(named) > 0 {
		pool = named
		if spoken := c.speaks(all, named); spoken != nil {
			return spoken
		}
	}
	if !c.isAboutText(pool) {
		if out := c.numeric(pool); len(out) > 0 {
			if len(named) > 0 && out[0].steps == nil {
				return c.numeric(tools)
			}
			return out
		}
	}
	return c.textTasks(all, pool, len(named) > 0)
}

// speaks serves a tool that is named and passes text on: whatever the text
// is, a sum too, it is to be said.
func (c *clause) speaks(all []*clause, named []*offered) []task {
	for _, t := range named {
		if t.concepts().has(conceptSay) && !t.concepts().has(conceptMath|conceptConvert) {
			return c.textTasks(all, named, true)
		}
	}
	return nil
}

// numeric returns the conversions and calculations of the clause.
func (c *clause) numeric(tools []*offered) []task {
	tokens := c.tokens
	if n, ok := findRate(tokens); ok && saysTotal(tokens) {
		return []task{calculationTask(n, c.text, tools)}
	}
	if n, ok := findShape(tokens); ok {
		return []task{calculationTask(n, c.text, tools)}
	}
	var out []task
	convs := findConversions(tokens)
	for _, v := range convs {
		out = append(out, conversionTask(v, c.text, tools))
	}
	calcs := findCalculations(tokens)
	if len(calcs) == 0 && len(convs) == 0 && len(c.quotes) > 0 && c.concepts.has(conceptCalc|conceptMath) {
		// calculate "2+3*4"
		calcs = findCalculations(joinNumbers(lexicon().tokenize(c.quotes[0])))
	}
	for _, k := range calcs {
		if len(convs) > 0 && mentionsIn(tokens, k.start, k.end) {
			continue
		}
		out = append(out, calculationTask(k.n, c.text, tools))
	}
	if len(out) == 0 {
		if n, ok := findRate(tokens); ok {
			out = append(out, calculationTask(n, c.text, tools))
		}
	}
	return out
}

// mentionsIn reports whether a unit stands among the tokens [start, end].
func mentionsIn(ts []token, start, end int) bool {
	for _, m := range findMentions(ts) {
		if m.at >= start && m.at <= end {
			return true
		}
	}
	return false
}

// isAboutText reports whether numbers in the clause are part of a text that is
// to be said, looked for or kept, rather than something to work out.
func (c *clause) isAboutText(pool []*offered) bool {
	lead := c.leading()
	const texts = conceptSay | conceptTodo | conceptTranslate | conceptRemember | conceptSend | conceptRun | conceptReverse |
		conceptHash | conceptWrite | conceptDelete | conceptSummarise
	switch {
	case lead.has(conceptCalc | conceptMath | conceptConvert):
		return false
	case lead.has(texts):
		return true
	case c.concepts.has(conceptTodo | conceptTranslate):
		return true
	case lead.has(conceptSearch):
		return c.concepts.has(conceptFile|conceptWeb) || len(c.quotes) > 0 || len(c.paths()) > 0 || len(c.globs()) > 0 || strings.Contains(strings.ToLower(c.masked), "search for")
	case lead.has(conceptRead | conceptList):
		return len(c.paths()) > 0
	}
	return false
}

func conversionTask(v conversion, text string, tools []*offered) task {
	var cands []candidate
	for _, t := range tools {
		if k, ok := t.fitConversion(v); ok {
			cands = append(cands, k)
		}
	}
	return choose(task{kind: taskConversion, text: text}, cands)
}

func calculationTask(n *node, text string, tools []*offered) task {
	var cands []candidate
	for _, t := range tools {
		if k, ok := t.fitCalculation(n); ok {
			cands = append(cands, k)
		}
	}
	if len(cands) == 0 {
		// Tools for one operation each may do it together.
		if steps, ok := flatten(n, byOthers(tools)); ok {
			cands = append(cands, candidate{tool: steps[0].tool, steps: steps})
		}
	}
	return choose(task{kind: taskCalculation, text: text}, cands)
}

// byOthers orders tools as choose would.
func byOthers(tools []*offered) []*offered {
	out := append([]*offered(nil), tools...)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].others(nil), out[j].others(nil)
		if a != b {
			return a < b
		}
		return out[i].name < out[j].name
	})
	return out
}

// choose takes, of the tools whose required parameters the prompt fills, the
// one with the fewest other parameters, then the first by name, and keeps the
// names of the rest.
func choose(t task, cands []candidate) task {
	if len(cands) == 0 {
		return t
	}
	best := cands[0].class
	for _, c := range cands {
		best = max(best, c.class)
	}
	kept := cands[:0]
	for _, c := range cands {
		if c.class == best {
			kept = append(kept, c)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool {
		a, b := kept[i], kept[j]
		if oa, ob := a.tool.others(a.filled), b.tool.others(b.filled); oa != ob {
			return oa < ob
		}
		return a.tool.name < b.tool.name
	})
	t.steps = kept[0].steps
	for _, c := range kept[1:] {
		t.also = append(t.also, c.tool.name)
	}
	return t
}
