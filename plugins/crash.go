package plugins

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/plugins/host"
)

// Rules for plugins that end their host (architecture §10).
const (
	crashWindow     = 10 * time.Minute
	quarantineAfter = 2 // deaths within the window
	offAfter        = 4
)

// blame finds out which plugin's code ended the host and decides what becomes
// of it. Everything else of the unit waits for the next process.
func (m *Manager) blame(u *unit, exit host.Exit) {
	m.changing.Lock()
	defer m.changing.Unlock()
	fault := host.ParseFault(exit.Tail)
	var ended []*record
	var alone []*unit
	m.mu.Lock()
	suspects := m.suspects(u, exit, fault)
	for _, r := range m.records {
		if r.unit != u {
			continue
		}
		loading := r.info.State == event.PluginStarting && r.proc == nil
		r.proc = nil
		if exit.Asked || !slices.Contains(suspects, r) {
			continue
		}
		m.crashed(r, exit, loading)
		switch r.unit {
		case u:
		case nil:
			ended = append(ended, r)
		default:
			alone = append(alone, r.unit)
		}
	}
	m.mu.Unlock()
	for _, r := range ended {
		m.dropRegistrations(r)
	}
	for _, u := range alone {
		m.runUnit(u)
	}
}

// suspects are the plugins of u whose code ran when the host ended: the one on
// the stack of the fault, else the one that ended it on purpose, else those of
// the flight recorder, else the only one that was being called; m.mu is held.
func (m *Manager) suspects(u *unit, exit host.Exit, fault []host.Frame) []*record {
	var onStack, meant, recorded, called []*record
	for _, r := range m.records {
		if r.unit != u {
			continue
		}
		if _, ok := frameIn(fault, r.found.Code); ok {
			onStack = append(onStack, r)
		}
		_, frame, ran := placeOf(exit, r.number)
		if frame.File != "" {
			meant = append(meant, r)
		}
		if ran {
			recorded = append(recorded, r)
		}
		if slices.Contains(exit.Waiting, r.key) {
			called = append(called, r)
		}
	}
	switch {
	case len(onStack) > 0:
		return onStack
	case len(meant) > 0:
		return meant
	case len(recorded) > 0:
		return recorded
	case len(called) == 1:
		return called
	}
	return nil
}

// placeOf is where the code of a plugin was when its host ended; ran says
// whether any of it ran.
func placeOf(exit host.Exit, number int) (where string, frame host.Frame, ran bool) {
	var places []string
	for _, running := range exit.Running {
		if running.Number != number {
			continue
		}
		ran = true
		if running.Frame.File != "" { // that thread ended it
			return running.Where, running.Frame, true
		}
		if running.Where != "" && !slices.Contains(places, running.Where) {
			places = append(places, running.Where)
		}
	}
	return strings.Join(places, ", "), host.Frame{}, ran
}

// crashReport says how the plugin with that code ended its host: in one sentence
// for its row, and in full.
func (m *Manager) crashReport(code string, number int, exit host.Exit) (reason string, e *event.PluginError) {
	how := m.howEnded(exit)
	where, frame, _ := placeOf(exit, number)
	if frame.File != "" {
		if filepath.Ext(code) == ".py" { // a module alone
			code = filepath.Dir(code)
		}
		frame.File = filepath.Join(code, frame.File)
	} else {
		frame, _ = frameIn(host.ParseFault(exit.Tail), code)
	}
	file := filepath.Base(frame.File)
	switch {
	case where != "" && frame.File != "":
		reason = m.text(locale.PluginCrashedInAt, where, file, frame.Line, how)
	case where != "":
		reason = m.text(locale.PluginCrashedIn, where, how)
	case frame.File != "":
		reason = m.text(locale.PluginCrashedAt, file, frame.Line, how)
	default:
		reason = m.text(locale.PluginCrashed, how)
	}
	return reason, &event.PluginError{
		Type: "HostCrash", Message: m.text(locale.PluginCrashed, how),
		File: frame.File, Line: frame.Line, Func: frame.Func, Where: where,
	}
}

// crashed notes a death that r caused; m.mu is held.
func (m *Manager) crashed(r *record, exit host.Exit, loading bool) {
	reason, e := m.crashReport(r.found.Code, r.number, exit)
	r.info.Error = e
	now := time.Now()
	r.crashes = append(slices.DeleteFunc(r.crashes, func(t time.Time) bool { return now.Sub(t) > crashWindow }), now)
	switch {
	case loading:
		// It would do the same again: the next start goes without it.
		r.unit = nil
		r.info.State, r.info.Reason = event.PluginCrashed, reason
	case len(r.crashes) >= offAfter:
		r.unit, r.off = nil, true
		r.info.State, r.info.Reason = event.PluginCrashed, m.text(locale.PluginOffForSession, r.info.Name)
		m.notice(event.LevelError, r.info.Reason)
	case len(r.crashes) >= quarantineAfter && !r.quarantined:
		r.quarantined = true
		m.join(r).enter(event.HostStarting, func(*event.HostState) {}) // calls wait for it from now on
		m.notice(event.LevelWarn, m.text(locale.PluginQuarantine, r.info.Name))
	default:
		r.info.Reason = reason
	}
	m.emitRecord(r)
}

// runUnit starts the goroutine of a unit that was added after the start.
func (m *Manager) runUnit(u *unit) {
	m.task("run the plugin host", func() { u.run(func() {}) }, nil)
}

// hung ends a host that no longer answers.
func (m *Manager) hung(proc *host.Process, r *record) {
	m.log.Warn("The plugin host does not answer; it is ended", "plugin", r.key)
	proc.KillHung()
}

// frameIn returns the innermost frame of a fault inside dir.
func frameIn(fault []host.Frame, dir string) (host.Frame, bool) {
	for _, f := range fault {
		if within(f.File, dir) {
			return f, true
		}
	}
	return host.Frame{}, false
}

func within(file, dir string) bool {
	return dir != "" && (file == dir || strings.HasPrefix(file, dir+string(filepath.Separator)))
}
