package agent

import (
	"context"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/safe"
	"hermes/agent/store"
)

// loop runs what waits, one at a time, until the session is closed.
func (a *Agent) loop() {
	defer close(a.done)
	for {
		op, e, c := a.next()
		switch {
		case op != nil:
			safe.Run(a.o.Log, "session", op, nil)
		case e != nil:
			a.runTurn(e, c)
		case a.session == nil: // closed
			return
		default:
			select {
			case <-a.wake:
			case <-a.ctx.Done():
				return
			}
		}
	}
}

// next takes the next thing to do. An entry becomes the running turn under the
// same lock, so that nobody finds the agent idle in between.
func (a *Agent) next() (func(), *entry, *control) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.ops) > 0 {
		op := a.ops[0]
		a.ops = a.ops[1:]
		return op, nil, nil
	}
	if a.held || a.paused || len(a.queue) == 0 {
		return nil, nil, nil
	}
	e := a.queue[0]
	a.queue = a.queue[1:]
	if e.queued {
		a.emit(event.Dequeued{Meta: event.Meta{Session: a.id}, ID: e.id})
	}
	a.running = newControl(a.ctx)
	return nil, e, a.running
}

// runTurn runs one turn from its first to its last event.
func (a *Agent) runTurn(e *entry, c *control) {
	defer c.abandon()
	t := newTurn(a, e, c)
	safe.Run(a.o.Log, "turn", t.run, t.crashed)

	// The turn is over for others before its last event is told: who reacts to
	// TurnDone by submitting must not find the agent busy.
	a.mu.Lock()
	a.running = nil
	a.takeSteerBack()
	a.mu.Unlock()
	a.emit(t.result)
	close(c.ended)
	if e.done != nil {
		e.done <- t.result
	}
}

// resetSession ends the session for another (NewSession).
func (a *Agent) resetSession(reason string) {
	old := a.session
	a.boundary(a.ctx, hook.OnSessionFinalize, old.id, reason)
	a.endStored(old, store.EndNew)
	a.ForgetTasks()
	a.session = newSession(a.o.NewID())
	a.mu.Lock()
	a.id = a.session.id
	a.mu.Unlock()
	a.emit(event.SessionReset{Meta: event.Meta{Session: a.session.id}, Old: old.id})
	a.boundary(a.ctx, hook.OnSessionReset, a.session.id, "new_session")
}

// endGrace bounds the hooks that fire at the end of the program
// (design/architecture §4).
const endGrace = 2 * time.Second

// closeSession ends the session for good (Close). midTurn says that a turn was
// running when the end was asked for.
func (a *Agent) closeSession(midTurn bool) {
	ctx, cancel := context.WithTimeout(a.ctx, endGrace)
	defer cancel()
	s := a.session
	defer func() { // whatever the hooks do
		a.emit(event.SessionClosed{Meta: event.Meta{Session: s.id}, Reason: "shutdown"})
		a.session = nil
	}()
	a.fire(ctx, hook.OnSessionEnd, func() any {
		return hook.SessionEnd{
			SessionID: s.id, Completed: !midTurn, Interrupted: midTurn,
			Model: a.model(), Platform: a.o.Platform, Reason: "shutdown",
		}
	})
	a.boundary(ctx, hook.OnSessionFinalize, s.id, "shutdown")
	a.endStored(s, store.EndClosed)
}

func (a *Agent) boundary(ctx context.Context, name, session, reason string) {
	a.fire(ctx, name, func() any {
		return hook.SessionBoundary{SessionID: &session, Platform: a.o.Platform, Reason: reason}
	})
}

// model is the name of the model that would answer now.
func (a *Agent) model() string {
	if c := a.o.Client(); c != nil {
		return c.Info().Model
	}
	return ""
}
