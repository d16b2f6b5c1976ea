package agent

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Bounds of contract/core §1.6.
const (
	backoffBase = 2 * time.Second
	backoffMax  = 60 * time.Second
	quietPause  = 500 * time.Millisecond // before a silent repetition
	askedMax    = 600 * time.Second      // of a wait that the service asks for
	smallAnswer = 8192                   // tokens that small models write, when the service does not say
)

// tries counts what was done about the failures of one request.
type tries struct {
	attempt   int // of the model that is asked now, from 1
	quiet     int // silent repetitions
	overloads int
	capMended bool
}

// exchange sends r until it is answered, the failure is final, or text of the
// answer has arrived. Beside an error it returns what arrived.
func (t *turn) exchange(r llm.Request) (*llm.Response, error) {
	done := tries{attempt: 1}
	for ; ; done.attempt++ {
		resp, err := t.send(r)
		var e *llm.Error
		if err == nil || t.interrupted() || !errors.As(err, &e) {
			return resp, err
		}
		if resumable(e, resp) {
			return resp, err
		}
		t.unsay()
		n := done.attempt
		wait, reason, ok := t.remedy(e, resp, &done, &r)
		if !ok {
			if e.Retryable && n > 1 {
				err = &finalError{attempts: n, cause: e}
			}
			return nil, err
		}
		t.a.emit(event.Retry{Meta: t.meta(), N: n, Max: t.set.APIMaxRetries, After: wait, Reason: t.a.o.Redact(reason)})
		t.a.o.Log.Warn("API call is sent again", "session", t.s.id, "attempt", n, "after", wait, "reason", t.a.o.Redact(reason))
		if err := t.a.o.Sleep(t.c.ctx, wait); err != nil {
			return nil, err
		}
	}
}

// remedy does what can be done about a failure: it changes r or the model, or
// says how long to wait. ok is false when the failure is final.
func (t *turn) remedy(e *llm.Error, resp *llm.Response, done *tries, r *llm.Request) (wait time.Duration, reason string, ok bool) {
	reason = e.Message
	switch e.Kind {
	case llm.ErrOutputCap:
		if done.capMended {
			return 0, "", false
		}
		done.capMended = true
		done.attempt--
		t.maxTokens = e.Limit
		if t.maxTokens <= 0 {
			t.maxTokens = smallAnswer
		}
		r.MaxTokens = t.maxTokens
		return 0, reason, true
	case llm.ErrContextOverflow, llm.ErrTooLarge:
		if !t.lowerCap(e, done) && !t.makeRoom(e) {
			return 0, "", false
		}
		done.attempt--
		r.Messages, r.MaxTokens = t.messages(), t.maxTokens
		return 0, reason, true
	case llm.ErrCut:
		if done.quiet < t.set.StreamRetries {
			done.quiet++
			done.attempt--
			if resp != nil && len(resp.Message.ToolCalls) > 0 {
				reason = locale.RetryCutCall.In(t.lang)
			}
			return quietPause, reason, true
		}
	case llm.ErrOverloaded:
		if done.overloads++; done.overloads >= 2 && t.fallBack(e, done, r) {
			return 0, reason, true
		}
	case llm.ErrRateLimit:
		if t.fallBack(e, done, r) {
			return 0, reason, true
		}
	}
	if e.Retryable && done.attempt < t.set.APIMaxRetries {
		return backoff(done.attempt, e.RetryAfter), reason, true
	}
	if e.Kind != llm.ErrFormat && e.Kind != llm.ErrTLS && t.fallBack(e, done, r) {
		return 0, reason, true
	}
	return 0, "", false
}

// lowerCap leaves less room for the answer where that is what does not fit:
// some services count it into the length that they refuse. It is tried once.
func (t *turn) lowerCap(e *llm.Error, done *tries) bool {
	if e.Kind != llm.ErrContextOverflow || e.Limit <= 0 || done.capMended {
		return false
	}
	room := e.Limit - t.contextTokens() - e.Limit/20
	if room < e.Limit/4 || t.answerCap() > 0 && t.answerCap() <= room {
		return false
	}
	done.capMended = true
	t.learn(e.Limit)
	t.maxTokens = room
	return true
}

// learn takes over the context window that a service named.
func (t *turn) learn(window int) {
	t.learned = window
	if l, ok := t.client.(interface{ Learn(tokens int) }); ok {
		l.Learn(window)
	}
}

// fallBack lets the next model of the chain answer for the rest of the turn;
// the next turn begins with the first one again. It reports false when there
// is none.
func (t *turn) fallBack(e *llm.Error, done *tries, r *llm.Request) bool {
	if !t.nextModel(e.Error()) {
		return false
	}
	*done = tries{}
	r.Messages, r.MaxTokens = t.messages(), min(r.MaxTokens, 0)
	return true
}

// nextModel goes on with the next model of the chain; why says what the one
// before did.
func (t *turn) nextModel(why string) bool {
	chain := t.fallbacks
	if len(chain) == 0 {
		return false
	}
	from := t.info
	t.client, t.fallbacks = chain[0], chain[1:]
	t.info = t.client.Info()
	t.maxTokens, t.learned = 0, 0
	t.system = relabel(t.s.system, t.info.Model, t.info.Provider)
	why = t.a.o.Redact(why)
	t.a.o.Log.Warn("Another model answers", "session", t.s.id, "from", from.Model, "to", t.info.Model, "provider", t.info.Provider, "reason", why)
	why = locale.FellBack.In(t.lang, from.Model, why, t.info.Model, t.info.Provider)
	t.a.emit(event.ModelChanged{
		Meta: t.meta(), Model: t.info.Model, Provider: t.info.Provider, BaseURL: t.info.BaseURL,
		Demo: t.info.Demo, Window: t.info.Window, Reason: why,
	})
	t.a.emit(event.Notice{Meta: t.meta(), Level: event.LevelWarn, Source: "model", Text: why})
	return true
}

// finalError is a failure that repetition did not cure.
type finalError struct {
	attempts int
	cause    *llm.Error
}

func (e *finalError) Error() string {
	return fmt.Sprintf("API call failed after %d retries: %v", e.attempts, e.cause)
}
func (e *finalError) Unwrap() error { return e.cause }

// backoff is the wait before the attempt after n: doubling, with up to half on
// top; what the service asks for wins.
func backoff(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return min(asked, askedMax)
	}
	d := min(backoffBase<<min(n-1, 10), backoffMax)
	return d + time.Duration(rand.Int64N(int64(d/2)+1))
}
