package plugins

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"hermes/agent/event"
	"hermes/plugins/internal/bridge"
)

// link takes what a host says by itself. Its methods run on the reader's
// goroutine and only hand over: to the bus, the log, a goroutine.
type link struct{ u *unit }

func (l *link) notify(method string, params json.RawMessage) {
	m := l.u.m
	switch method {
	case bridge.NoteOutput:
		var o bridge.Output
		if json.Unmarshal(params, &o) == nil {
			m.opt.Bus.Emit(event.PluginOutput{
				Key: o.Plugin, Stream: o.Stream, Line: m.redact(o.Line), Dropped: o.Dropped,
			})
		}
	case bridge.NoteLog:
		var r bridge.Log
		if json.Unmarshal(params, &r) == nil {
			m.logRecord(r)
		}
	case bridge.NoteLate:
		var late bridge.HookLate
		if json.Unmarshal(params, &late) == nil {
			m.late(late)
		}
	case bridge.NoteChanged:
		var regs bridge.Registrations
		if json.Unmarshal(params, &regs) == nil {
			l.u.reregister(regs)
		}
	}
}

// logRecord passes a record of Python's logging on.
func (m *Manager) logRecord(r bridge.Log) {
	text := m.redact(r.Message)
	m.opt.Bus.Emit(event.PluginOutput{Key: r.Plugin, Stream: "log", Level: r.Level, Line: text, Dropped: r.Dropped})
	attrs := []any{"logger", r.Logger}
	if r.Exc != "" {
		attrs = append(attrs, "exc", m.redact(r.Exc))
	}
	m.opt.Log.Log(context.Background(), slogLevel(r.Level), text, attrs...)
}

func slogLevel(name string) slog.Level {
	switch name {
	case "DEBUG":
		return slog.LevelDebug
	case "INFO":
		return slog.LevelInfo
	case "WARNING":
		return slog.LevelWarn
	}
	return slog.LevelError
}

// reregister takes over what a plugin registered after it had been loaded. Each
// report holds everything, so only the latest counts, whichever goroutine
// comes first.
func (u *unit) reregister(regs bridge.Registrations) {
	m := u.m
	u.mu.Lock()
	if u.latest == nil {
		u.latest = map[string]bridge.Registrations{}
	}
	u.latest[regs.Key] = regs
	u.mu.Unlock()
	m.task("take over registrations of "+regs.Key, func() {
		m.changing.Lock()
		defer m.changing.Unlock()
		u.mu.Lock()
		regs, ok := u.latest[regs.Key]
		delete(u.latest, regs.Key)
		u.mu.Unlock()
		if !ok {
			return // taken with a later report
		}
		m.mu.Lock()
		r := m.byKey[regs.Key]
		stale := r == nil || r.unit != u || r.proc == nil
		m.mu.Unlock()
		if stale {
			return
		}
		refused := m.register(r, regs)
		r.set(func(p *event.Plugin) { refused.show(p) })
		m.publish()
	}, nil)
}

// raw takes a line that bypassed Python's streams: the C library, a child
// process, the fault handler. Whose it is can be told when one plugin runs.
func (l *link) raw(line string) {
	m := l.u.m
	pass, dropped := m.raw.admit(len(line))
	if !pass {
		return
	}
	m.opt.Bus.Emit(event.PluginOutput{Key: l.u.running(), Stream: "stderr", Line: m.redact(line), Dropped: dropped})
}

// running is the plugin whose code runs in the unit's process, empty when it
// is none or several.
func (u *unit) running() string {
	proc := u.live()
	if u.name != "" || proc == nil {
		return u.name
	}
	number := 0
	for _, running := range proc.Running() {
		if number != 0 && running.Number != number {
			return ""
		}
		number = running.Number
	}
	u.m.mu.Lock()
	defer u.m.mu.Unlock()
	for _, r := range u.m.records {
		if r.number == number {
			return r.key
		}
	}
	return ""
}

// Rates of raw output that are passed on each second; the rest is counted.
const (
	rawLines = 500
	rawBytes = 1 << 20
)

// limiter lets a bounded number of lines through each second.
type limiter struct {
	mu                    sync.Mutex
	second                int64
	lines, bytes, dropped int
}

func (l *limiter) admit(size int) (pass bool, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now().Unix(); now != l.second {
		l.second, l.lines, l.bytes = now, 0, 0
	}
	if l.lines >= rawLines || l.bytes+size > rawBytes {
		l.dropped++
		return false, 0
	}
	l.lines++
	l.bytes += size
	dropped, l.dropped = l.dropped, 0
	return true, dropped
}
