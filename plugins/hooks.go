package plugins

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/safe"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// hookTable maps a hook to the plugins that have callbacks on it, in load
// order, which is the order of the calls. It is never changed once published.
type hookTable map[string][]*record

func (t hookTable) add(name string, r *record) {
	if !slices.Contains(t[name], r) {
		t[name] = append(t[name], r)
	}
}

// invoker is the hook side of a Manager.
type invoker struct{ m *Manager }

// Has reports whether any plugin has a callback on name.
func (i invoker) Has(name string) bool { return len((*i.m.hooks.Load())[name]) > 0 }

// Invoke runs the callbacks of name in order.
func (i invoker) Invoke(ctx context.Context, name string, payload any) (hook.Outcome, error) {
	records := (*i.m.hooks.Load())[name]
	if len(records) == 0 {
		return hook.Outcome{}, nil
	}
	raw, err := json.Marshal(payload)
	if err != nil {
		return hook.Outcome{}, err
	}
	run := &invocation{m: i.m, name: name, payload: raw, subject: subjectOf(payload, raw), skip: make(chan struct{}, 1)}
	i.m.active.add(run)
	defer i.m.active.remove(run)
	return run.do(ctx, records)
}

// SkipHook gives up waiting for the hook callback that runs now.
func (m *Manager) SkipHook() { m.active.skip() }

// invocations are the hook calls that run now.
type invocations struct {
	mu  sync.Mutex
	set map[*invocation]bool
}

func (a *invocations) add(i *invocation) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.set == nil {
		a.set = map[*invocation]bool{}
	}
	a.set[i] = true
}

func (a *invocations) remove(i *invocation) {
	a.mu.Lock()
	delete(a.set, i)
	a.mu.Unlock()
}

func (a *invocations) skip() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.set {
		select {
		case i.skip <- struct{}{}:
		default: // asked already
		}
	}
}

// subject is what a hook call is about, for its lane and its events.
type subject struct {
	Session string `json:"session_id"`
	Turn    string `json:"turn_id"`
	Call    string `json:"tool_call_id"`
}

// subjectOf takes the ids out of a payload. The payload types of the guide's
// hooks spare the decoding of what may be megabytes of history.
func subjectOf(payload any, raw json.RawMessage) subject {
	switch p := payload.(type) {
	case hook.LLMCall:
		return subject{p.SessionID, p.TurnID, ""}
	case hook.LLMDone:
		return subject{p.SessionID, p.TurnID, ""}
	case hook.ToolCall:
		return subject{p.SessionID, p.TurnID, p.ToolCallID}
	case hook.ToolDone:
		return subject{p.SessionID, p.TurnID, p.ToolCallID}
	}
	var s struct {
		Session *string `json:"session_id"`
		Turn    string  `json:"turn_id"`
		Call    string  `json:"tool_call_id"`
	}
	if json.Unmarshal(raw, &s) != nil || s.Session == nil {
		return subject{Turn: s.Turn, Call: s.Call}
	}
	return subject{*s.Session, s.Turn, s.Call}
}

// invocation is one hook call on its way through the hosts.
type invocation struct {
	m       *Manager
	name    string
	payload json.RawMessage
	subject subject
	skip    chan struct{} // the user does not want to wait
	shown   string        // payload for events, made when first needed
}

// do runs the callbacks, host by host: consecutive plugins of one host go in
// one call, and edits of arguments travel to the next host.
func (i *invocation) do(ctx context.Context, records []*record) (hook.Outcome, error) {
	out := hook.Outcome{}
	var firstErr error
	for len(records) > 0 {
		proc, n, err := i.segment(ctx, records)
		if err == nil {
			err = i.ask(ctx, proc, records[:n], &out)
		}
		if err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			firstErr = errors.Join(firstErr, err)
			i.unreachable(records[:n], err, &out)
		}
		records = records[n:]
	}
	if len(out.Returns) > 0 || out.Failed != "" {
		firstErr = nil // what came back counts
	}
	return out, firstErr
}

// segment returns the process of the first record and how many of records it
// holds in a row.
func (i *invocation) segment(ctx context.Context, records []*record) (*host.Process, int, error) {
	proc, err := records[0].await(ctx)
	if err != nil {
		return nil, 1, err
	}
	n := 1
	i.m.mu.Lock()
	defer i.m.mu.Unlock()
	for n < len(records) && records[n].proc == proc {
		n++
	}
	return proc, n, nil
}

// ask runs the callbacks of records in proc.
func (i *invocation) ask(ctx context.Context, proc *host.Process, records []*record, out *hook.Outcome) error {
	call := bridge.HookCall{Name: i.name, Payload: i.payload, Skip: i.m.pausedFor(records, i.name)}
	if all := (*i.m.hooks.Load())[i.name]; len(records) < len(all) {
		for _, r := range records {
			call.Only = append(call.Only, r.key)
		}
	}
	type answer struct {
		res bridge.HookResult
		err error
	}
	sent := make(chan uint64, 1)
	done := make(chan answer, 1)
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	safe.Go(i.m.log, "hook "+i.name, func() {
		var a answer
		a.err = i.m.askFor(callCtx, proc, records[0].key, i.m.onBehalf(i.subject), rpc.Call{
			Method: bridge.MethodHook, Lane: bridge.LaneTurn(i.subject.Session), Params: call,
			Sent: func(id uint64) { sent <- id },
		}, &a.res)
		done <- a
	}, func(bug *safe.PanicError) { done <- answer{err: bug} })
	watch := newHookWatch(i, proc)
	defer watch.stop()
	var id uint64
	for {
		select {
		case a := <-done:
			if a.err != nil {
				if ctx.Err() != nil && id != 0 {
					i.m.giveUp(proc, records[0], id, "hook "+i.name, false)
				}
				return a.err
			}
			i.take(a.res, out)
			return nil
		case id = <-sent:
			watch.id = id
		case <-watch.timer.C:
			watch.look(ctx)
		case <-i.skip:
			watch.skipNow(ctx)
		}
	}
}

// take turns what a host did into the outcome, events and counts.
func (i *invocation) take(res bridge.HookResult, out *hook.Outcome) {
	out.Returns = append(out.Returns, res.Returns...)
	if len(res.Changed) > 0 {
		i.payload = withChanges(i.payload, res.Changed)
		if out.Changed == nil {
			out.Changed = map[string]json.RawMessage{}
		}
		for name, v := range res.Changed {
			out.Changed[name] = v
		}
	}
	for _, t := range res.Trace {
		i.m.note(i, t, res.Returns, out)
	}
}

// withChanges puts edited arguments into a payload for the next host.
func withChanges(payload json.RawMessage, changed map[string]json.RawMessage) json.RawMessage {
	var all map[string]json.RawMessage
	if json.Unmarshal(payload, &all) != nil {
		return payload
	}
	for name, v := range changed {
		all[name] = v
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return payload
	}
	return raw
}

// slowAfter is when a callback becomes visible (decision D10).
const slowAfter = time.Second

// hookWatch looks after one running hook call: it tells of slow callbacks and
// skips those over their limit.
type hookWatch struct {
	i     *invocation
	proc  *host.Process
	id    uint64
	timer *time.Timer
	told  int // index of the callback that was told of as slow, -1 for none
}

func newHookWatch(i *invocation, proc *host.Process) *hookWatch {
	return &hookWatch{i: i, proc: proc, timer: time.NewTimer(slowAfter), told: -1}
}

func (w *hookWatch) stop() { w.timer.Stop() }

// where asks the host which callback runs.
func (w *hookWatch) where(ctx context.Context) (bridge.HookWhere, bool) {
	var at bridge.HookWhere
	ctx, cancel := context.WithTimeout(ctx, w.i.m.patience.answer)
	defer cancel()
	raw, err := w.proc.Peer.Call(ctx, rpc.Call{Method: bridge.MethodWhere, Params: map[string]uint64{"id": w.id}})
	if errors.Is(err, context.DeadlineExceeded) {
		w.i.m.log.Warn("The plugin host does not answer; it is ended", "hook", w.i.name)
		w.proc.KillHung()
	}
	if err != nil || json.Unmarshal(raw, &at) != nil {
		return at, false
	}
	return at, at.Running
}

// look is called when something may be slow.
func (w *hookWatch) look(ctx context.Context) {
	at, running := w.where(ctx)
	if !running {
		w.timer.Reset(slowAfter)
		return
	}
	s := w.i.m.currentSettings()
	limit := s.hookLimit(at.Plugin, w.i.name)
	elapsed := time.Duration(at.Ms * float64(time.Millisecond))
	if limit > 0 && elapsed >= limit {
		w.give(ctx, at, "timeout", 0)
		return
	}
	if elapsed >= slowAfter && w.told != at.Index {
		w.told = at.Index
		w.i.m.opt.Bus.Emit(event.HookSlow{
			Meta: w.i.meta(), Hook: w.i.name, Plugin: at.Plugin, Callback: at.Callback, Elapsed: elapsed, Limit: limit,
		})
	}
	next := slowAfter
	if elapsed < slowAfter {
		next = slowAfter - elapsed
	}
	if limit > 0 {
		next = min(next, limit-elapsed)
	}
	w.timer.Reset(next + time.Millisecond)
}

func (w *hookWatch) skipNow(ctx context.Context) {
	if at, running := w.where(ctx); running {
		w.give(ctx, at, "user", w.left(at))
	}
}

// left is how long a callback that the user does not wait for may go on, in
// seconds: until its limit, -1 for as long as it likes.
func (w *hookWatch) left(at bridge.HookWhere) float64 {
	s := w.i.m.currentSettings()
	limit := s.hookLimit(at.Plugin, w.i.name)
	if limit <= 0 {
		return -1
	}
	return max(limit.Seconds()-at.Ms/1000, 0)
}

// give skips the callback at; the rest of the hook goes on. The callback itself
// is broken off after leave seconds.
func (w *hookWatch) give(ctx context.Context, at bridge.HookWhere, reason string, leave float64) {
	ctx, cancel := context.WithTimeout(ctx, w.i.m.patience.answer)
	defer cancel()
	_, err := w.proc.Peer.Call(ctx, rpc.Call{
		Method: bridge.MethodSkip,
		Params: map[string]any{"id": w.id, "index": at.Index, "reason": reason, "leave": leave},
	})
	if err != nil {
		w.i.m.log.Warn("A hook callback could not be skipped", "hook", w.i.name, "error", err)
	}
	w.timer.Reset(slowAfter)
}
