package app

import (
	"context"

	"hermes/agent/event"
	"hermes/tui"
)

// The view's Backend: every call returns at once.
var _ tui.Backend = (*Runtime)(nil)

// goRun runs f on a goroutine that Close waits for.
func (rt *Runtime) goRun(f func(context.Context)) {
	rt.wg.Go(func() { f(rt.ctx) })
}

// Submit starts or queues a turn, with the pictures that were attached.
func (rt *Runtime) Submit(text string) {
	if list := rt.pictures.take(); list != nil {
		rt.agent.SubmitWith(text, list)
		return
	}
	rt.agent.Submit(text)
}

// EditQueued changes or drops a queued text.
func (rt *Runtime) EditQueued(id, text string) { rt.agent.EditQueued(id, text) }

// HoldQueue stops the queue while an entry is edited.
func (rt *Runtime) HoldQueue(hold bool) { rt.agent.HoldQueue(hold) }

// Interrupt cancels the running turn.
func (rt *Runtime) Interrupt() { rt.agent.Interrupt() }

// EnablePlugin loads a plugin into the running program and remembers it.
func (rt *Runtime) EnablePlugin(key string) { rt.switchRunning(key, true) }

// DisablePlugin takes a plugin's registrations back and remembers it.
func (rt *Runtime) DisablePlugin(key string) { rt.switchRunning(key, false) }

func (rt *Runtime) switchRunning(key string, on bool) {
	rt.goRun(func(ctx context.Context) {
		m := rt.manager.Load()
		if m == nil {
			return
		}
		change := m.Disable
		if on {
			change = m.Enable
		}
		if err := change(ctx, key); err != nil {
			rt.notice(event.LevelError, "plugins", localised(err, rt.Lang()))
		}
	})
}

// ReloadPlugins loads a second host beside the first and swaps.
func (rt *Runtime) ReloadPlugins() {
	rt.goRun(func(ctx context.Context) {
		m := rt.manager.Load()
		if m == nil {
			return
		}
		if err := m.Reload(ctx); err != nil {
			rt.notice(event.LevelError, "plugins", localised(err, rt.Lang()))
		}
		if !rt.agent.Busy() {
			m.TurnBoundary()
		}
	})
}

// SkipHook gives up waiting for the hook callback that runs now.
func (rt *Runtime) SkipHook() {
	if m := rt.manager.Load(); m != nil {
		m.SkipHook()
	}
}

// watchTurns tells the parts that follow the conversation what happens in it,
// until sub is closed: the plugin manager of every turn's end, where a reload
// swaps the hosts; the commands of turns that begin and of sessions that end.
func (rt *Runtime) watchTurns(sub *event.Subscription) {
	host := 0 // process id of the plugin host
	for batch := sub.Next(context.Background()); batch != nil; batch = sub.Next(context.Background()) {
		for _, e := range batch {
			switch e := e.(type) {
			case event.TurnStarted:
				rt.warmShell()
			case event.SessionReset:
				rt.sessionReset(e.Old, e.Session)
			case event.Usage:
				rt.usage.Store(&e)
			case event.HostState:
				if e.Pid != 0 && e.Pid != host {
					if host != 0 {
						rt.agent.ForgetTasks() // whoever took them on is gone
					}
					host = e.Pid
				}
			case event.TurnDone:
				if m := rt.manager.Load(); m != nil {
					m.TurnBoundary()
				}
			}
		}
	}
}
