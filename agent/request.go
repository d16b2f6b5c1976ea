package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/catalog"
	"hermes/agent/locale"
)

// Texts to the model (contract/core-observed §2 and contract/core §1.15).
const (
	continueCut    = "[System: The previous response was cut off by a network error mid-stream. Continue exactly where you left off. Do not restart or repeat prior text. Finish the answer directly.]"
	continueLength = "[System: Your previous response was truncated by the output length limit. Continue exactly where you left off. Do not restart or repeat prior text. Finish the answer directly.]"
	steerOpen      = "[OUT-OF-BAND USER MESSAGE — a direct message from the user, delivered mid-turn; not tool output]"
	steerClose     = "[/OUT-OF-BAND USER MESSAGE]"
)

// request makes the next request, or ends the turn when its budget is used up.
func (t *turn) request() phase {
	if t.interrupted() {
		return t.stopHere()
	}
	if t.apiCalls-t.refunds >= t.set.MaxTurns {
		return phaseSummary
	}
	if limit := t.set.MaxCost; limit > 0 && t.s.cost.USD >= limit {
		t.outcome, t.err = event.OutcomeLimit, locale.TurnCost.In(t.lang, limit)
		return phaseEnd
	}
	t.takeSteer()
	t.save()
	t.offer.refresh(t.a, t.s, t.set)
	t.compactIfFull()
	if t.interrupted() {
		return t.stopHere()
	}
	t.apiCalls++
	t.req = llm.Request{Messages: t.messages(), Tools: t.offer.defs, MaxTokens: t.maxTokens, Session: t.s.id, ToolChoice: t.choose(), Effort: t.set.Effort}
	if len(t.parts) == 0 {
		t.newMessage()
	}
	return phaseStream
}

// messages is the conversation as it is sent.
func (t *turn) messages() []llm.Message {
	system := llm.Message{Role: llm.RoleSystem, Content: t.s.system}
	if t.system != "" {
		system.Content = t.system
	}
	if t.set.Ephemeral != "" {
		system.Content += "\n\n" + t.set.Ephemeral
	}
	return append([]llm.Message{system}, sendable(t.s.history)...)
}

// newMessage begins a message for the view.
func (t *turn) newMessage() {
	t.msgs++
	t.msg = fmt.Sprintf("%s:m%d", t.id, t.msgs)
	t.streamed.Reset()
}

// takeSteer adds what the user wrote meanwhile to the last tool result. Texts
// that find none stay, and become the next turn.
func (t *turn) takeSteer() {
	n := len(t.s.history)
	if n == 0 || t.s.history[n-1].Role != llm.RoleTool {
		return
	}
	t.a.mu.Lock()
	texts := t.a.steer
	t.a.steer = nil
	t.a.mu.Unlock()
	for _, text := range texts {
		t.s.history[n-1].Content += "\n\n" + steerOpen + "\n" + text + "\n" + steerClose + "\n\n"
	}
}

// stream sends the request and reads the answer, as often as it takes.
func (t *turn) stream() phase {
	resp, err := t.exchange(t.req)
	if err == nil {
		t.reply = resp
		return phaseAnswer
	}
	if t.interrupted() {
		t.keepPartial(resp)
		return t.stopHere()
	}
	var e *llm.Error
	if errors.As(err, &e) && resumable(e, resp) {
		t.cuts++
		if t.cuts <= 3 {
			t.a.emit(event.Retry{Meta: t.meta(), N: t.cuts, Max: 3, Reason: locale.RetryCutText.In(t.lang)})
			return t.resume(resp, continueCut)
		}
		t.keepPartial(resp)
		return t.fail(locale.TurnCut.In(t.lang, t.cuts))
	}
	t.keepPartial(nil)
	return t.fail(t.explain(err))
}

// resumable reports whether text arrived that the model can go on from.
func resumable(e *llm.Error, resp *llm.Response) bool {
	return e.Partial && resp != nil && resp.Message.Content != "" && len(resp.Message.ToolCalls) == 0
}

// resume keeps a part of the answer and asks for the rest.
func (t *turn) resume(resp *llm.Response, note string) phase {
	m := resp.Message
	m.ToolCalls = nil
	t.parts = append(t.parts, m.Content)
	t.say(m)
	t.note(note)
	return phaseRequest
}

// keepPartial keeps what was streamed of an answer that does not go on.
func (t *turn) keepPartial(resp *llm.Response) {
	text := strings.Join(t.parts, "")
	if resp != nil && strings.TrimSpace(resp.Message.Content) != "" {
		m := resp.Message
		m.ToolCalls = nil
		t.say(m)
		text += m.Content
	}
	if text != "" || t.streamed.Len() > 0 {
		t.answer = t.tell(text)
	}
}

// send makes one attempt and tells of it as it goes.
func (t *turn) send(r llm.Request) (*llm.Response, error) {
	began := time.Now()
	resp, err := t.client.Stream(t.c.ctx, r, func(d llm.Delta) {
		kind := event.KindText
		if d.Kind == llm.DeltaReasoning {
			kind = event.KindReasoning
		} else {
			t.streamed.WriteString(d.Text)
		}
		t.a.emit(event.Delta{Meta: t.meta(), Msg: t.msg, Kind: kind, Text: d.Text})
	})
	if resp != nil && resp.Usage != nil {
		t.count(*resp.Usage)
	}
	if resp != nil {
		for _, note := range resp.CallNotes(llm.WholeAnswer, t.lang) {
			t.a.emit(event.Notice{Meta: t.meta(), Level: event.LevelWarn, Source: "model", Text: note})
		}
	}
	t.logCall(resp, err, time.Since(began))
	return resp, err
}

func (t *turn) count(u llm.Usage) {
	n := event.Tokens{In: u.In, Out: u.Out, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Reasoning: u.Reasoning}
	t.tokens = t.tokens.Add(n)
	t.a.count(t.s, t.info, u)
	t.s.addCost(catalog.CostOf(t.info.Provider, t.info.Model, u))
	size := u.In + u.CacheRead + u.CacheWrite + u.Out
	t.s.counted = counted{size, len(t.s.history) + 1} // the answer is added next
	t.a.emit(event.Usage{
		Meta: t.meta(), Tokens: n, Window: t.window(), Context: size,
		Cost: t.s.cost.USD, CostStatus: t.s.cost.Status,
	})
}

// unsay takes back what was streamed of an attempt that is repeated as a
// whole: its message becomes empty, and what was there before the attempt
// begins another. The view must not show anything twice.
func (t *turn) unsay() {
	text := strings.Join(t.parts, "")
	if t.streamed.Len() <= len(text) {
		return
	}
	t.a.emit(event.MessageDone{Meta: t.meta(), Msg: t.msg, Replaced: true, Demo: t.info.Demo})
	t.newMessage()
	if text != "" {
		t.streamed.WriteString(text)
		t.a.emit(event.Delta{Meta: t.meta(), Msg: t.msg, Kind: event.KindText, Text: text})
	}
}

// explain turns a failure into a sentence with the next step.
func (t *turn) explain(err error) string {
	var final *finalError
	words := err.Error()
	if errors.As(err, &final) {
		words = locale.ReqFailed.In(t.lang, final.attempts, final.cause.Error())
	}
	var e *llm.Error
	if !errors.As(err, &e) {
		if errors.Is(err, context.Canceled) {
			return locale.TurnInterrupted.In(t.lang)
		}
		return words
	}
	words = strings.TrimRight(words, ". ")
	switch e.Kind {
	case llm.ErrAuth:
		return locale.ReqAuth.In(t.lang, words, t.info.Provider)
	case llm.ErrBilling:
		return locale.ReqBilling.In(t.lang, words, t.info.Provider)
	case llm.ErrNotFound:
		return locale.ReqNotFound.In(t.lang, words, t.info.Model, t.info.BaseURL)
	case llm.ErrContextOverflow:
		return locale.ReqContext.In(t.lang, words)
	case llm.ErrTooLarge:
		return locale.ReqTooLarge.In(t.lang, words)
	case llm.ErrTLS:
		return locale.ReqTLS.In(t.lang, words)
	case llm.ErrRateLimit:
		return locale.ReqRateLimit.In(t.lang, words, t.info.Provider)
	case llm.ErrOverloaded, llm.ErrServer:
		return locale.ReqServer.In(t.lang, words, t.info.Provider)
	case llm.ErrConnection:
		return locale.ReqConnection.In(t.lang, words)
	case llm.ErrFormat:
		return locale.ReqFormat.In(t.lang, words)
	}
	return words
}
