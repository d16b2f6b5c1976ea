package agent

import (
	"fmt"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm"
)

// The log keeps the reference's useful lines (contract/core §8.4).

func (t *turn) logStart() {
	t.a.o.Log.Info(fmt.Sprintf("Turn started: model=%s provider=%s history=%d tools=%d chars=%d",
		t.info.Model, t.info.Provider, len(t.s.history), len(t.offer.defs), len(t.entry.text)), "session", t.s.id)
}

func (t *turn) logCall(resp *llm.Response, err error, took time.Duration) {
	if err != nil {
		t.a.o.Log.Warn(fmt.Sprintf("API call #%d failed: model=%s latency=%.1fs: %s", t.apiCalls, t.info.Model, took.Seconds(), t.a.o.Redact(err.Error())), "session", t.s.id)
		return
	}
	var u llm.Usage
	if resp.Usage != nil {
		u = *resp.Usage
	}
	in := u.In + u.CacheRead + u.CacheWrite
	t.a.o.Log.Info(fmt.Sprintf("API call #%d: model=%s in=%d out=%d total=%d latency=%.1fs", t.apiCalls, t.info.Model, in, u.Out, in+u.Out, took.Seconds()), "session", t.s.id)
}

func (t *turn) logEnd() {
	attrs := []any{"session", t.s.id}
	msg := fmt.Sprintf("Turn ended: reason=%s api_calls=%d/%d tools=%d took=%.1fs", t.outcome, t.apiCalls, t.set.MaxTurns, len(t.uses), time.Since(t.began).Seconds())
	if t.outcome == event.OutcomeFailed {
		t.a.o.Log.Warn(msg, append(attrs, "error", t.err)...)
		return
	}
	t.a.o.Log.Info(msg, attrs...)
}
