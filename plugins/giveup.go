package plugins

import (
	"context"
	"errors"
	"time"

	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// patience is how long the manager waits for hosts that may be stuck
// (architecture §10).
type patience struct {
	answer time.Duration // for an answer that no plugin code is needed for
	stuck  time.Duration // until the thread of a call that was given up counts as stuck
}

// usual is the patience of a program; tests have less.
var usual = patience{answer: 10 * time.Second, stuck: 10 * time.Second}

// stuckLimit is how many stuck threads are worth a restart.
const stuckLimit = 2

// giveUp tells the host that nobody waits for a call any more, without
// waiting for it. late says that the call ran into its limit: where it was
// becomes the plugin's last error.
func (m *Manager) giveUp(proc *host.Process, r *record, id uint64, what string, late bool) {
	m.task("give up "+what, func() {
		ctx, cancel := context.WithTimeout(m.ctx, m.patience.answer)
		defer cancel()
		var was bridge.Cancelled
		err := m.ask(ctx, proc, r.key, rpc.Call{Method: bridge.MethodCancel, Params: map[string]uint64{"id": id}}, &was)
		m.log.Info("Gave up a plugin call", "plugin", r.key, "call", what)
		if errors.Is(err, context.DeadlineExceeded) && m.ctx.Err() == nil {
			m.hung(proc, r)
			return
		}
		if was.At != nil && late {
			e := m.failure(was.At)
			e.Where = what
			r.noteError(e)
		}
		m.countStuck(proc)
	}, nil)
}

// countStuck looks, some time after a call was given up, whether its thread
// came back; with several that did not, the host is started again between two
// turns.
func (m *Manager) countStuck(proc *host.Process) {
	t := time.NewTimer(m.patience.stuck)
	defer t.Stop()
	select {
	case <-t.C:
	case <-proc.Done():
		return
	case <-m.ctx.Done():
		return
	}
	ctx, cancel := context.WithTimeout(m.ctx, m.patience.answer)
	defer cancel()
	var s bridge.Status
	err := m.ask(ctx, proc, "", rpc.Call{Method: bridge.MethodStatus}, &s)
	if errors.Is(err, context.DeadlineExceeded) && m.ctx.Err() == nil {
		proc.KillHung()
	}
	if err != nil || s.Stuck < stuckLimit {
		return
	}
	m.log.Warn("Threads of plugins are stuck; the plugin host is started again after this turn", "threads", s.Stuck)
	m.mu.Lock()
	m.toRestart = append(m.toRestart, proc)
	m.mu.Unlock()
}
