package demo

import (
	"encoding/json"
	"fmt"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// turn is the part of a conversation that one prompt began.
type turn struct {
	prompt  string
	tools   []*offered
	offered []string // names, as offered
	rounds  []round
	at      int // messages before this request, to make ids
}

// round is one answer with calls, and what came of them.
type round struct {
	calls   []llm.ToolCall
	results map[string]result // by call id
}

// outcome is one call with its result.
type outcome struct {
	name string
	res  result
	have bool
}

// readTurn takes the last message of the user and the rounds behind it. The text
// that was typed counts, not what hooks added to it or the program wrote.
func readTurn(r llm.Request) turn {
	t := turn{tools: readTools(r.Tools), at: len(r.Messages)}
	for _, d := range r.Tools {
		t.offered = append(t.offered, d.Name)
	}
	last := -1
	for i, m := range r.Messages {
		if m.Role == llm.RoleUser && !m.Synthetic {
			last = i
		}
	}
	if last < 0 {
		return t
	}
	t.prompt = strings.ToValidUTF8(r.Messages[last].Content, "\uFFFD")
	for _, m := range r.Messages[last+1:] {
		switch m.Role {
		case llm.RoleAssistant:
			if len(m.ToolCalls) > 0 {
				t.rounds = append(t.rounds, round{calls: m.ToolCalls, results: map[string]result{}})
			}
		case llm.RoleTool:
			if n := len(t.rounds); n > 0 {
				t.rounds[n-1].results[m.ToolCallID] = readResult(m.Content)
			}
		}
	}
	return t
}

// next says how the turn goes on: with calls or with the answer. The plan is
// made anew from the prompt each time and the rounds are laid against it, so a
// round that does not fit it (tools came or went) ends the turn with an answer
// instead of being repeated.
func (t turn) next(lang locale.Lang) (text string, calls []llm.ToolCall) {
	plan := understand(t.prompt, t.tools)
	done := make([][]outcome, len(plan)) // per task, per step
	stopped := false
	for i := 0; ; i++ {
		want, unusable := t.pending(plan, done)
		stopped = stopped || unusable
		if i < len(t.rounds) {
			if !t.record(t.rounds[i], want, done) {
				return t.report(lang, nil, false), nil
			}
			continue
		}
		if len(want) == 0 {
			return t.report(lang, plan, stopped), nil
		}
		for k, w := range want {
			calls = append(calls, llm.ToolCall{
				ID:        fmt.Sprintf("call_%d_%d", t.at, k),
				Name:      w.step.tool.name,
				Arguments: encode(w.args),
			})
		}
		return "", calls
	}
}

// planned is a call that is due.
type planned struct {
	task int
	step step
	args *object
}

// pending returns the calls that are due: of every task the first step that has
// no result yet. unusable says that a step could not be made because an
// earlier result held no number.
func (t turn) pending(plan []task, done [][]outcome) (due []planned, unusable bool) {
	for i, task := range plan {
		n := len(done[i])
		if n >= len(task.steps) || n > 0 && (!done[i][n-1].have || done[i][n-1].res.failed) {
			continue
		}
		s := task.steps[n]
		args, ok := s.resolve(done[i])
		if !ok {
			unusable = true
			continue
		}
		due = append(due, planned{i, s, args})
	}
	return due, unusable
}

// resolve puts the numbers of earlier results in place of the refs.
func (s step) resolve(done []outcome) (*object, bool) {
	if !s.args.hasRef() {
		return s.args, true
	}
	out := &object{}
	for _, k := range s.args.keys {
		v, ok := resolveValue(s.args.vals[k], done)
		if !ok {
			return nil, false
		}
		if n, isNum := v.(json.Number); isNum {
			if p := s.tool.param(k); p != nil && !p.s.is("number") && !p.s.is("integer") {
				v = n.String()
			}
		}
		out.set(k, v)
	}
	return out, s.tool.accepts(out)
}

func resolveValue(v any, done []outcome) (any, bool) {
	switch v := v.(type) {
	case ref:
		if int(v) >= len(done) {
			return nil, false
		}
		n, ok := done[v].res.number()
		return json.Number(n), ok
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			r, ok := resolveValue(e, done)
			if !ok {
				return nil, false
			}
			out[i] = r
		}
		return out, true
	}
	return v, true
}

// record lays a round against the calls that were due and reports whether they
// are the same. Results of other calls are kept too, for the answer.
func (t turn) record(r round, want []planned, done [][]outcome) bool {
	if len(r.calls) == 0 {
		return false
	}
	for i, c := range r.calls {
		if i >= len(want) || want[i].step.tool.name != c.Name {
			return false
		}
	}
	if len(r.calls) != len(want) {
		return false
	}
	for i, c := range r.calls {
		res, have := r.results[c.ID]
		done[want[i].task] = append(done[want[i].task], outcome{c.Name, res, have})
	}
	return true
}

// outcomes lists every call of the turn with its result, in order.
func (t turn) outcomes() []outcome {
	var out []outcome
	for _, r := range t.rounds {
		for _, c := range r.calls {
			res, have := r.results[c.ID]
			out = append(out, outcome{c.Name, res, have})
		}
	}
	return out
}

// others names further tools that fitted, in order, each once.
func others(plan []task) string {
	var names []string
	seen := map[string]bool{}
	for _, t := range plan {
		for _, s := range t.steps {
			seen[s.tool.name] = true
		}
	}
	for _, t := range plan {
		for _, n := range t.also {
			if !seen[n] {
				seen[n] = true
				names = append(names, code(n))
			}
		}
	}
	return strings.Join(names, ", ")
}
