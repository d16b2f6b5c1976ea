package agent

import (
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/safe"
)

// phase is a state of a turn.
type phase int

const (
	phasePrepare phase = iota // wait for plugins, fire the first hooks, take the message
	phaseRequest              // make the next request
	phaseStream               // send it and read the answer
	phaseAnswer               // decide what the answer means
	phaseTools                // run the calls of the answer
	phaseSummary              // the budget is used up: ask for a summary
	phaseFinish               // transform and tell the answer, fire the last hooks
	phaseEnd
)

// turn is one user message and everything until the final answer.
type turn struct {
	a      *Agent
	s      *session
	c      *control
	entry  *entry
	id     string
	task   string // in the terminal the session id
	set    Settings
	lang   locale.Lang
	client llm.Client
	info   llm.Info
	// fallbacks are the models that have not been tried in this turn; system is
	// the system prompt that names the one that was, empty for the first.
	fallbacks []llm.Client
	system    string
	learned   int // the window that a refusal named, 0: none did
	began     time.Time
	offer     *offer
	guard     guard

	// Of the request under way.
	req       llm.Request
	reply     *llm.Response
	msg       string // message id of the answer that streams
	msgs      int    // messages so far, for ids
	streamed  strings.Builder
	maxTokens int // 0: the client's default

	// Counters of the turn (contract/core §1.5, §1.6).
	apiCalls   int
	empties    int
	thinkOnly  int
	lengths    int
	cuts       int
	capRetries int
	unknowns   int // replies in a row that only named unknown tools
	nudged     bool

	compactions int
	poor        int // compressions in a row that saved little
	refunds     int // requests that do not count against the limit

	parts   []string     // of an answer that came in several pieces
	scratch map[int]bool // history entries that are dropped when the turn ends

	mutations mutations

	// Outcome.
	outcome string
	err     string
	answer  string
	tokens  event.Tokens
	uses    []event.ToolUse
	result  event.TurnDone
}

func newTurn(a *Agent, e *entry, c *control) *turn {
	s := a.session
	t := &turn{
		a: a, s: s, c: c, entry: e, task: s.id,
		id:  s.id + ":" + s.id + ":" + hexID(8),
		set: a.o.Settings().withDefaults(), lang: a.o.Lang(),
		began: time.Now(), scratch: map[int]bool{}, outcome: event.OutcomeDone,
	}
	t.c.ctx, t.c.hard = hook.WithTurn(t.c.ctx, t.id), hook.WithTurn(t.c.hard, t.id)
	return t
}

// adopt takes the model and the settings for the turn: after the wait, because
// the configuration may have been read meanwhile.
func (t *turn) adopt() {
	t.set, t.lang = t.a.o.Settings().withDefaults(), t.a.o.Lang()
	t.guard.hardStop = t.set.HardStop
	if t.client = t.a.o.Client(); t.client != nil {
		t.info = t.client.Info()
	}
	if t.a.o.Fallbacks != nil {
		t.fallbacks = t.a.o.Fallbacks()
	}
}

// run takes the turn from state to state. It returns when the only thing left
// to do is to tell t.result.
func (t *turn) run() {
	t.a.emit(event.TurnStarted{Meta: t.meta(), Text: t.entry.text, Source: t.source()})
	safe.Run(t.a.o.Log, "turn", func() {
		for p := phasePrepare; p != phaseEnd; {
			p = t.step(p)
		}
	}, func(bug *safe.PanicError) { t.fail(locale.TurnBug.In(t.lang, fmt.Sprint(bug.Value))) })
	t.conclude()
}

// crashed ends a turn whose own end failed.
func (t *turn) crashed(bug *safe.PanicError) {
	t.fail(locale.TurnBug.In(t.lang, fmt.Sprint(bug.Value)))
	t.setResult()
}

func (t *turn) step(p phase) phase {
	switch p {
	case phasePrepare:
		return t.prepare()
	case phaseRequest:
		return t.request()
	case phaseStream:
		return t.stream()
	case phaseAnswer:
		return t.judge()
	case phaseTools:
		return t.tools()
	case phaseSummary:
		return t.summary()
	default:
		return t.finish()
	}
}

func (t *turn) meta() event.Meta { return event.Meta{Session: t.s.id, Turn: t.id} }

func (t *turn) source() string {
	if t.entry.queued && t.entry.source == "user" {
		return "queue"
	}
	return t.entry.source
}

// interrupted reports whether the turn was asked to end.
func (t *turn) interrupted() bool { return t.c.ctx.Err() != nil }

// prepare waits for plugins, begins the session at its first turn, and takes
// the user's message into the history, with what hooks add to it.
func (t *turn) prepare() phase {
	t.awaitReady()
	t.adopt()
	user := llm.Message{Role: llm.RoleUser, Content: t.entry.text, Synthetic: t.entry.source == "process"}
	if len(t.entry.images) > 0 {
		user.Parts = []llm.Part{{Text: t.entry.text}}
		for i := range t.entry.images {
			user.Parts = append(user.Parts, llm.Part{Image: &t.entry.images[i]})
		}
	}
	t.s.history = append(t.s.history, user)
	first := t.s.turns == 0
	t.s.turns++
	if t.client == nil {
		return t.fail(locale.TurnNoModel.In(t.lang))
	}
	t.offer = t.a.newOffer(t.c.ctx, t.s, t.set, t.window())
	t.tellSmall()
	t.buildSystem()
	if t.interrupted() {
		return t.stopHere()
	}
	t.logStart()
	if !t.s.started {
		t.s.started = true
		t.a.fire(t.c.ctx, hook.OnSessionStart, func() any {
			return hook.SessionStart{SessionID: t.s.id, Model: t.info.Model, Platform: t.a.o.Platform}
		})
	}
	t.inject(first)
	t.save()
	if t.interrupted() {
		return t.stopHere()
	}
	return phaseRequest
}

// tellSmall says once that a small window has fewer tools.
func (t *turn) tellSmall() {
	if t.s.toldSmall || !t.offer.small || t.offer.left == 0 {
		return
	}
	t.s.toldSmall = true
	t.a.emit(event.Notice{
		Meta: t.meta(), Level: event.LevelInfo, Source: "agent",
		Text: locale.SmallWindow.In(t.lang, t.info.Model, t.window(), t.offer.left),
	})
}

// awaitReady waits for plugins that still load, for a limited time.
func (t *turn) awaitReady() {
	reason, wait := t.a.o.Ready(t.c.ctx)
	if wait == nil {
		return
	}
	select {
	case <-wait:
		return
	default:
	}
	t.a.emit(event.TurnWaiting{Meta: t.meta(), Reason: reason})
	limit := time.NewTimer(t.set.ReadyTimeout)
	defer limit.Stop()
	select {
	case <-wait:
	case <-t.c.ctx.Done():
	case <-limit.C:
		t.a.emit(event.Notice{
			Meta: t.meta(), Level: event.LevelWarn, Source: "agent",
			Text: locale.WaitTooLong.In(t.lang, reason, int(t.set.ReadyTimeout.Seconds())),
		})
	}
	t.a.emit(event.TurnWaiting{Meta: t.meta()})
}

// conclude fires the last hooks and makes the turn's last event.
func (t *turn) conclude() {
	t.dropScratch()
	t.save()
	t.a.mu.Lock()
	closing := t.c.closing
	t.a.mu.Unlock()
	if !closing {
		t.a.fire(t.c.hard, hook.OnSessionEnd, func() any {
			return hook.SessionEnd{
				SessionID: t.s.id, TaskID: t.task, TurnID: t.id,
				Completed:   t.outcome == event.OutcomeDone,
				Interrupted: t.outcome == event.OutcomeInterrupted,
				Model:       t.info.Model, Platform: t.a.o.Platform,
			}
		})
	}
	t.nameSession()
	t.setResult()
	t.logEnd()
}

func (t *turn) setResult() {
	t.result = event.TurnDone{
		Meta: t.meta(), Outcome: t.outcome, Err: t.err, Answer: t.answer, APICalls: t.apiCalls,
		Tools: t.uses, Tokens: t.tokens, Duration: time.Since(t.began), Demo: t.info.Demo,
	}
}

// dropScratch takes notes to the model that only served this turn out of the
// history: the store never had them.
func (t *turn) dropScratch() {
	if len(t.scratch) == 0 {
		return
	}
	kept, saved := t.s.history[:0:0], t.s.saved
	for i, m := range t.s.history {
		switch {
		case !t.scratch[i]:
			kept = append(kept, m)
		case i < t.s.saved:
			saved--
		}
	}
	t.s.history, t.s.saved = kept, saved
	t.scratch = map[int]bool{}
}

// save stores what the turn added since the last call, but not what will be
// dropped when the turn ends.
func (t *turn) save() { t.a.save(t.s, t.scratch) }

// fail ends the turn with a sentence for the user.
func (t *turn) fail(err string) phase {
	t.outcome, t.err = event.OutcomeFailed, t.a.o.Redact(err)
	return phaseEnd
}

// stopHere ends an interrupted turn and leaves a valid history behind.
func (t *turn) stopHere() phase {
	t.outcome, t.err = event.OutcomeInterrupted, locale.TurnInterrupted.In(t.lang)
	if n := len(t.s.history); n > 0 && t.s.history[n-1].Role == llm.RoleTool {
		t.say(llm.Message{Role: llm.RoleAssistant, Content: closingNote, Synthetic: true})
	}
	return phaseEnd
}

func (t *turn) say(m llm.Message) { t.s.history = append(t.s.history, m) }

// note appends a message of the program's own to the model.
func (t *turn) note(text string) {
	t.say(llm.Message{Role: llm.RoleUser, Content: text, Synthetic: true})
}

// apiRequestID is the id of the request under way.
func (t *turn) apiRequestID() string { return fmt.Sprintf("%s:api:%d", t.id, t.apiCalls) }
