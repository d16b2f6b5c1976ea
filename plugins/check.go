package plugins

import (
	"context"
	"sync"
	"time"

	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// How long the answer of a check_fn counts, and how long a good one covers a
// bad one (contract: plugins §7.6).
const (
	checkFresh = 30 * time.Second
	checkGrace = 60 * time.Second
)

// checkKey names a check_fn: tools that share one share its answer.
type checkKey struct {
	proc *host.Process
	fn   uint64
}

// checks remembers the answers of check_fns.
type checks struct {
	mu    sync.Mutex
	known map[checkKey]*checkAnswer
}

// checkAnswer is the last answer, and the question that is being asked.
type checkAnswer struct {
	at, goodAt time.Time     // of the last answer, of the last good one
	why        string        // empty when good
	asking     chan struct{} // closed when the answer is there, nil when nobody asks
}

// Available asks the tool's check_fn, at most every 30 seconds. Whoever comes
// while it is asked waits for the same answer.
func (t *pluginTool) Available(ctx context.Context) (bool, string) {
	if t.check == 0 {
		return true, ""
	}
	proc, err := t.r.await(ctx)
	if err != nil {
		return false, err.Error()
	}
	c := &t.m.checks
	key := checkKey{proc, t.check}
	for {
		c.mu.Lock()
		a := c.answer(key)
		if !a.at.IsZero() && time.Since(a.at) < checkFresh {
			defer c.mu.Unlock()
			return a.why == "", a.why
		}
		wait := a.asking
		if wait == nil {
			a.asking = make(chan struct{})
			c.mu.Unlock()
			return t.askCheck(ctx, key)
		}
		c.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return false, context.Cause(ctx).Error()
		}
	}
}

// answer returns the memory of key, and forgets those of hosts that are gone;
// c.mu is held.
func (c *checks) answer(key checkKey) *checkAnswer {
	a := c.known[key]
	if a != nil {
		return a
	}
	for k := range c.known {
		if k.proc.Gone() {
			delete(c.known, k)
		}
	}
	if c.known == nil {
		c.known = map[checkKey]*checkAnswer{}
	}
	a = &checkAnswer{}
	c.known[key] = a
	return a
}

// askCheck calls the check_fn and writes the answer down.
func (t *pluginTool) askCheck(ctx context.Context, key checkKey) (bool, string) {
	var res bridge.CheckResult
	err := t.m.ask(ctx, key.proc, t.r.key, rpc.Call{
		Method: bridge.MethodCheck, Lane: bridge.LaneCheck,
		Params: bridge.ToolCall{Plugin: t.r.key, Name: t.spec.Name, Nth: t.nth},
	}, &res)
	why := ""
	switch {
	case err != nil:
		why = err.Error()
	case res.Error != nil:
		why = "check_fn " + res.Check + " raised " + res.Error.Type + ": " + t.m.redact(res.Error.Message)
	case !res.OK:
		why = "check_fn " + res.Check + " returned False"
	}
	c := &t.m.checks
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.answer(key)
	now := time.Now()
	if err == nil {
		a.at, a.why = now, why
	}
	if a.asking != nil {
		close(a.asking)
		a.asking = nil
	}
	switch {
	case err != nil:
		return false, why // no answer, nothing to remember
	case why == "":
		a.goodAt = now
	case now.Sub(a.goodAt) < checkGrace:
		a.why = ""
		t.m.log.Warn(why+"; it succeeded a moment ago, so its tools stay", "logger", "tools.registry", "plugin", t.r.key)
	default:
		t.m.log.Warn(why+"; dependent tools will be unavailable this turn", "logger", "tools.registry", "plugin", t.r.key)
	}
	return a.why == "", a.why
}
