package compress

import "hermes/agent/llm"

// Plan is where a conversation is cut: history[Head:Tail] is what a summary
// stands for, except the message at Ask, which stays behind the summary: what
// the user asked in the turn that still runs. Ask is negative when that message
// is not in the part that goes.
type Plan struct{ Head, Tail, Ask int }

// Middle is the part that goes.
func (p Plan) Middle(history []llm.Message) []llm.Message {
	if p.Ask < 0 {
		return history[p.Head:p.Tail]
	}
	out := append([]llm.Message(nil), history[p.Head:p.Ask]...)
	return append(out, history[p.Ask+1:p.Tail]...)
}

// Apply is the conversation with a summary in the place of the middle.
func (p Plan) Apply(history []llm.Message, summary string) []llm.Message {
	out := append([]llm.Message(nil), history[:p.Head]...)
	out = append(out, Message(summary, out))
	if p.Ask >= 0 {
		out = append(out, history[p.Ask])
	}
	return append(out, history[p.Tail:]...)
}

// minMiddle is the shortest middle that is worth a summary, in messages.
const minMiddle = 3

// Cut plans a compression that leaves the head and, as a tail, what is
// protected or fits its share of the threshold. When large messages fill the
// window the number of protected ones gives way. ok is false when nothing is
// gained. A call is never parted from its result.
func Cut(history []llm.Message, threshold int, s Settings) (Plan, bool) {
	s = s.withDefaults()
	budget := int(float64(threshold) * s.TargetRatio)
	for _, protect := range []Settings{s, {ProtectFirst: 1, ProtectLast: 1}} {
		head := whole(history, min(protect.ProtectFirst, len(history)))
		p := Plan{head, before(history, tailFrom(history, head, budget, protect.ProtectLast), head), -1}
		if keepAsk(history, &p, budget); len(p.Middle(history)) >= minMiddle {
			return p, true
		}
	}
	return Plan{}, false
}

// tailFrom is where the tail begins: at least the last protected messages, and
// more of them while they fit the budget.
func tailFrom(history []llm.Message, head, budget, protected int) int {
	size, tail := 0, len(history)
	for tail > head {
		size += MessageTokens(history[tail-1])
		if len(history)-tail >= protected && size > budget {
			break
		}
		tail--
	}
	return tail
}

// keepAsk keeps what the user asked last: the whole running turn where it is
// small, else the message alone.
func keepAsk(history []llm.Message, p *Plan, budget int) {
	ask := lastUser(history)
	if ask < p.Head || ask >= p.Tail {
		return
	}
	if ask-p.Head >= minMiddle && Tokens(history[ask:]) <= 2*budget {
		p.Tail = ask
		return
	}
	p.Ask = ask
}

// KeepTurns plans to keep the last n turns, the running one included, and
// nothing before them (/compress here N).
func KeepTurns(history []llm.Message, n int) (Plan, bool) {
	tail := len(history)
	for i := len(history) - 1; i >= 0 && n > 0; i-- {
		if asked(history[i]) {
			tail, n = i, n-1
		}
	}
	return Plan{0, tail, -1}, tail >= minMiddle
}

// whole moves the end of the head so that it does not lie between a call and
// its results.
func whole(history []llm.Message, n int) int {
	for n < len(history) && n > 0 && history[n].Role == llm.RoleTool {
		n++
	}
	return n
}

// before moves the beginning of the tail back to the call whose results it
// would begin with.
func before(history []llm.Message, n, least int) int {
	for n < len(history) && n > least && history[n].Role == llm.RoleTool {
		n--
	}
	return max(n, least)
}

func lastUser(history []llm.Message) int {
	for i := len(history) - 1; i >= 0; i-- {
		if asked(history[i]) {
			return i
		}
	}
	return -1
}

func asked(m llm.Message) bool { return m.Role == llm.RoleUser && !m.Synthetic }

// clearedResult stands for an old result that nothing short can be said of.
const clearedResult = "[Old tool output cleared to save context space]"

// pruneFrom is the length in characters from which an old result is replaced.
const pruneFrom = 200

// Prune replaces results of tools before the tail by one line each, and drops
// pictures there. It returns the new messages and how many tokens that saved;
// history itself is not changed.
func Prune(history []llm.Message, tail int) ([]llm.Message, int) {
	out := append([]llm.Message(nil), history...)
	saved := 0
	for i := range out[:min(tail, len(out))] {
		m := &out[i]
		was := MessageTokens(*m)
		m.Parts = nil
		if m.Role == llm.RoleTool && len(m.Content) > pruneFrom {
			m.Content = outline(*m)
		}
		saved += was - MessageTokens(*m)
	}
	return out, saved
}
