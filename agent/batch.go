package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/safe"
	"hermes/agent/tool"
)

// maxParallel is how many calls run side by side (contract/core §1.3).
const maxParallel = 8

// maxUnknown is how many replies in a row may name nothing but unknown tools.
const maxUnknown = 3

// tools runs the calls of the answer and appends them and their results to the
// history.
func (t *turn) tools() phase {
	m := t.reply.Message
	if text := joinedText(t.parts, m.Content); text != "" || t.streamed.Len() > 0 {
		t.tell(text)
	}
	t.parts = nil
	calls := t.normalize(m.ToolCalls)
	m.ToolCalls = nil
	for _, c := range calls {
		m.ToolCalls = append(m.ToolCalls, c.asWritten())
	}
	t.say(m)
	t.save()
	p := t.pipeline()
	t.runAll(p, calls)
	t.appendResults(calls)
	t.tellContext()
	if onlyScripts(calls) {
		t.refunds++ // contract/core §1.3
	}
	switch {
	case t.interrupted():
		return t.stopHere()
	case !allUnknown(calls):
		t.unknowns = 0
	default:
		if t.unknowns++; t.unknowns == maxUnknown {
			return t.fail(locale.TurnBadTools.In(t.lang, calls[0].name))
		}
	}
	return phaseRequest
}

// onlyScripts reports whether a batch only called execute_code, which saves
// requests.
func onlyScripts(calls []*call) bool {
	for _, c := range calls {
		if c.name != "execute_code" || c.spec.Owner != "" || c.unknown {
			return false
		}
	}
	return true
}

func joinedText(parts []string, last string) string {
	text := ""
	for _, p := range parts {
		text += p
	}
	return text + last
}

func allUnknown(calls []*call) bool {
	for _, c := range calls {
		if !c.unknown {
			return false
		}
	}
	return true
}

func (t *turn) pipeline() *pipeline {
	return &pipeline{
		a: t.a, set: t.set, lang: t.lang, meta: t.meta(), task: t.task, api: t.apiRequestID(),
		hooks: t.c.hard, guard: &t.guard, interactive: true,
	}
}

// runAll answers every call, in call order. Runs of calls that are safe beside
// each other go together; every other call is a barrier.
func (t *turn) runAll(p *pipeline, calls []*call) {
	for i := 0; i < len(calls); {
		n := segment(calls[i:], t.a.o.Dir)
		if n >= 2 {
			t.together(p, calls[i:i+n])
			i += n
			continue
		}
		t.alone(p, calls[i])
		i++
	}
}

func (t *turn) alone(p *pipeline, c *call) {
	if t.interrupted() {
		p.skip(c)
	}
	p.ready(t.c.ctx, c)
	if c.answer == nil && t.interrupted() {
		p.skip(c)
	}
	if c.answer == nil {
		p.start(c)
		p.execute(t.c.ctx, t.c.hard, c, p.limit(c.spec, false))
	}
	p.settle(c)
}

// together runs calls side by side. The gates come first, in call order, on
// this goroutine; so do the hooks afterwards, as the answers come in.
func (t *turn) together(p *pipeline, calls []*call) {
	back := make(chan *call, len(calls))
	slots := make(chan struct{}, maxParallel)
	for _, c := range calls {
		if t.interrupted() {
			p.skip(c)
		}
		p.ready(t.c.ctx, c)
	}
	var wg sync.WaitGroup
	for _, c := range calls {
		if c.answer == nil {
			slots <- struct{}{} // given back by a call that ends
			if t.interrupted() {
				p.skip(c)
				<-slots
			}
		}
		if c.answer != nil {
			back <- c
			continue
		}
		p.start(c)
		wg.Go(func() {
			safe.Run(t.a.o.Log, "tool "+c.name, func() {
				p.execute(t.c.ctx, t.c.hard, c, p.limit(c.spec, true))
			}, func(bug *safe.PanicError) { c.answer = p.judge(c, answered{res: crashed(bug)}) })
			<-slots
			back <- c
		})
	}
	for range calls {
		p.settle(<-back)
	}
	wg.Wait()
}

// appendResults puts the answers into the history, in call order, within the
// budget of the context window.
func (t *turn) appendResults(calls []*call) {
	budget := tool.BudgetFor(t.window())
	dir := filepath.Join(os.TempDir(), "hermes-results")
	for _, c := range calls {
		t.uses = append(t.uses, t.use(c))
		t.mutations.observe(c)
		if !c.spec.NoBudget && utf8.RuneCountInString(c.answer.words()) > budget.Result {
			c.spill(dir)
		}
	}
	shrink(calls, budget.Turn, dir)
	for _, c := range calls {
		note := ""
		if !c.silent && c.answer.status != event.StatusCancelled {
			note = t.guard.observe(c, c.answer.result) + t.s.hints(t.a.o.Dir, c)
		}
		t.say(llm.Message{
			Role: llm.RoleTool, Name: c.name, ToolCallID: c.id,
			Content: wrap(c.name, c.answer.result) + note, Parts: c.sentParts(note),
		})
	}
}

// shrink spills the largest results until all fit together.
func shrink(calls []*call, limit int, dir string) {
	for {
		sum, largest := 0, -1
		size := 0
		for i, c := range calls {
			n := utf8.RuneCountInString(c.answer.words())
			sum += n
			if n > size && !c.spilled {
				largest, size = i, n
			}
		}
		if sum <= limit || largest < 0 {
			return
		}
		calls[largest].spill(dir)
	}
}

func (c *call) spill(dir string) {
	c.spilled = true
	words := c.answer.words()
	short := tool.Spill(dir, c.id, words)
	if len(short) < len(words) {
		c.answer.replaceWords(short)
	}
}

// use is the call in the summary of the turn.
func (t *turn) use(c *call) event.ToolUse {
	p := pipeline{a: t.a}
	args := json.RawMessage(p.shownArgs(c))
	if c.args == nil || !json.Valid(args) {
		quoted, err := json.Marshal(string(args))
		if err != nil {
			quoted = []byte("null") // a string always encodes
		}
		args = quoted
	}
	return event.ToolUse{
		Call: c.id, Name: c.name, Owner: c.spec.Owner, Args: args, Status: c.answer.status,
		Result: preview(visible(c.answer.result)), Ms: c.answer.ms,
	}
}
