package agent

import (
	"encoding/json"
	"strings"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Texts to the model (contract/core-observed §2).
const (
	emptyAnswer = "(empty)"
	emptyNudge  = "You just executed tool calls but returned an empty response. Please process the tool results above and continue with the task."
	summaryAsk  = "You have used all requests of this turn. Do not call any tool. Sum up for the user what was done, what was found, and what is still open."
)

// Bounds of contract/core §1.5.
const (
	maxEmpty      = 3
	maxThinkOnly  = 2
	maxLengths    = 3
	maxCapRetries = 4
	minCapRetry   = 32768
)

// judge decides what the answer means.
func (t *turn) judge() phase {
	m := &t.reply.Message
	if len(m.ToolCalls) > 0 {
		if t.reply.FinishReason == "length" && anyCut(m.ToolCalls) {
			return t.retryLargerCap()
		}
		t.empties, t.thinkOnly = 0, 0
		return phaseTools
	}
	text := strings.TrimSpace(m.Content)
	switch {
	case t.reply.FinishReason == "content_filter" && t.nextModel(locale.RetryRefused.In(t.lang)):
		t.unsay()
		return phaseRequest
	case t.reply.FinishReason == "content_filter":
		t.say(*m)
		t.answer = t.tell(strings.Join(t.parts, "") + m.Content)
		return t.fail(locale.TurnRefused.In(t.lang))
	case text == "" && t.reply.FinishReason == "length" && m.Reasoning != "":
		return t.fail(locale.TurnThinking.In(t.lang))
	case text == "" && len(t.parts) == 0:
		return t.empty(*m)
	case t.reply.FinishReason == "length" && t.lengths < maxLengths:
		t.lengths++
		t.a.emit(event.Retry{Meta: t.meta(), N: t.lengths, Max: maxLengths, Reason: locale.RetryLength.In(t.lang)})
		return t.resume(t.reply, continueLength)
	case t.reply.FinishReason == "length":
		t.a.emit(event.Notice{Meta: t.meta(), Level: event.LevelWarn, Source: "agent", Text: locale.TurnLength.In(t.lang)})
	}
	t.say(*m)
	t.parts = append(t.parts, m.Content)
	return phaseFinish
}

// anyCut reports whether a call's arguments are not whole.
func anyCut(calls []llm.ToolCall) bool {
	for _, c := range calls {
		if !json.Valid([]byte(c.Arguments)) {
			return true
		}
	}
	return false
}

// retryLargerCap sends the same request again with more room for the answer.
func (t *turn) retryLargerCap() phase {
	if t.capRetries == maxCapRetries {
		t.keepPartial(nil)
		return t.fail(locale.TurnCallLength.In(t.lang, t.capRetries+1))
	}
	t.capRetries++
	if t.maxTokens == 0 {
		t.maxTokens = t.info.MaxTokens
	}
	t.maxTokens = max(t.maxTokens*2, minCapRetry)
	t.a.emit(event.Retry{Meta: t.meta(), N: t.capRetries, Max: maxCapRetries, Reason: locale.RetryCap.In(t.lang)})
	t.unsay()
	return phaseRequest
}

// empty handles an answer without text and without calls.
func (t *turn) empty(m llm.Message) phase {
	if m.Reasoning != "" && t.thinkOnly < maxThinkOnly {
		// Thoughts alone: ask again, with them in the conversation.
		t.thinkOnly++
		t.sayScratch(m)
		return phaseRequest
	}
	if !t.nudged && t.afterTools() {
		t.nudged = true
		t.sayScratch(llm.Message{Role: llm.RoleAssistant, Content: emptyAnswer, Synthetic: true})
		t.sayScratch(llm.Message{Role: llm.RoleUser, Content: emptyNudge, Synthetic: true})
		return phaseRequest
	}
	if t.empties < maxEmpty {
		t.empties++
		t.a.emit(event.Retry{Meta: t.meta(), N: t.empties, Max: maxEmpty, Reason: locale.RetryEmpty.In(t.lang)})
		return phaseRequest
	}
	if t.nextModel(locale.RetryEmpty.In(t.lang)) {
		t.empties, t.thinkOnly = 0, 0
		return phaseRequest
	}
	t.say(llm.Message{Role: llm.RoleAssistant, Content: emptyAnswer, Synthetic: true})
	return t.fail(locale.TurnEmpty.In(t.lang, t.apiCalls))
}

// afterTools reports whether tool results are what the model just saw.
func (t *turn) afterTools() bool {
	n := len(t.s.history)
	return n > 0 && t.s.history[n-1].Role == llm.RoleTool
}

func (t *turn) sayScratch(m llm.Message) {
	t.scratch[len(t.s.history)] = true
	t.say(m)
}

// summary asks for a last word when the budget is used up.
func (t *turn) summary() phase {
	t.a.emit(event.Notice{Meta: t.meta(), Level: event.LevelWarn, Source: "agent", Text: locale.TurnLimit.In(t.lang, t.set.MaxTurns)})
	t.note(summaryAsk)
	t.parts = nil
	t.newMessage()
	resp, err := t.exchange(llm.Request{Messages: t.messages(), Plain: true, MaxTokens: -1, Session: t.s.id})
	t.outcome = event.OutcomeLimit
	switch {
	case t.interrupted():
		t.keepPartial(resp)
		return t.stopHere()
	case err != nil:
		t.err = t.a.o.Redact(locale.TurnNoSummary.In(t.lang, t.set.MaxTurns, t.explain(err)))
		return phaseEnd
	}
	m := resp.Message
	m.ToolCalls = nil // none were offered
	t.say(m)
	t.parts = []string{m.Content}
	t.err = locale.TurnLimit.In(t.lang, t.set.MaxTurns)
	return phaseFinish
}

// finish gives the answer to the hooks and to the user.
func (t *turn) finish() phase {
	text := strings.TrimSpace(strings.Join(t.parts, ""))
	if text != "" {
		out := t.a.fire(t.c.ctx, hook.TransformLLMOutput, func() any {
			return llmOutput{text, t.s.id, t.info.Model, t.a.o.Platform}
		})
		if s, ok := firstString(out.Returns, false); ok {
			text = s
		}
	}
	shown := text
	if foot := t.mutations.footer(t.lang); foot != "" && !t.set.NoMutationFooter {
		shown = strings.TrimSpace(text + "\n\n" + foot)
	}
	t.answer = t.tell(shown)
	if t.interrupted() {
		return t.stopHere()
	}
	if text == "" || t.outcome != event.OutcomeDone {
		return phaseEnd
	}
	out := t.a.fire(t.c.ctx, hook.PostLLMCall, func() any {
		return hook.LLMDone{
			SessionID: t.s.id, TaskID: t.task, TurnID: t.id, UserMessage: t.entry.text, AssistantResponse: text,
			History: historyJSON(t.s.history), Model: t.info.Model, Platform: t.a.o.Platform,
		}
	})
	t.s.takeEdits(out)
	return phaseEnd
}

// llmOutput goes with transform_llm_output (contract/plugins §6.3).
type llmOutput struct {
	ResponseText string `json:"response_text"`
	SessionID    string `json:"session_id"`
	Model        string `json:"model"`
	Platform     string `json:"platform"`
}

// tell ends the message that was streamed and returns its text as shown:
// secrets are masked here as they are everywhere else.
func (t *turn) tell(text string) string {
	shown := t.a.o.Redact(strings.TrimSpace(text))
	replaced := shown != strings.TrimSpace(t.streamed.String())
	t.a.emit(event.MessageDone{Meta: t.meta(), Msg: t.msg, Content: shown, Replaced: replaced, Demo: t.info.Demo})
	return shown
}
