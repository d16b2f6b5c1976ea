package plugins

import (
	"context"
	"errors"
	"fmt"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
	"hermes/plugins/manifest"
)

// loadAll loads the unit's plugins one after the other; false when the process
// did not survive it.
func (u *unit) loadAll(proc *host.Process) bool {
	u.m.changing.Lock()
	defer u.m.changing.Unlock()
	for _, r := range u.members() {
		if err := u.m.loadInto(proc, r); err != nil {
			return false
		}
	}
	return true
}

// loadInto loads one plugin. An error means that the process is gone; what the
// plugin did wrong shows in its record. The caller holds m.changing.
func (m *Manager) loadInto(proc *host.Process, r *record) error {
	r.set(func(p *event.Plugin) { p.State, p.Reason = event.PluginStarting, "" })
	f := r.found
	res, err := m.loadOnce(proc, f, r.number)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		m.loadHung(proc, r)
		return err
	case isHostGone(err):
		return err // blame finds the plugin in the flight recorder
	case err != nil && m.ctx.Err() != nil:
		return err
	case err != nil:
		m.log.Error("Plugin host refused to load", "plugin", r.key, "error", err)
		r.set(func(p *event.Plugin) {
			p.State, p.Reason = event.PluginFailed, err.Error()
			p.Error = &event.PluginError{Type: "HostError", Message: err.Error(), Where: "import"}
		})
		return nil
	}
	m.apply(proc, r, res)
	return nil
}

// loadOnce asks proc to load a plugin, within the limit.
func (m *Manager) loadOnce(proc *host.Process, f manifest.Found, number int) (bridge.Loaded, error) {
	s := m.currentSettings()
	ctx := m.ctx
	if limit := s.loadLimit(); limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	var res bridge.Loaded
	err := m.ask(ctx, proc, f.Key, rpc.Call{
		Method: bridge.MethodLoad, Lane: bridge.LaneMain,
		Params: bridge.Load{
			Key: f.Key, Name: f.Name, Module: f.Module, Entry: f.Entry, Dir: f.Code, EntryPoint: f.EntryPoint,
			Number: number, Manifest: f.Ctx,
		},
	}, &res)
	return res, err
}

// loadHung gives a plugin up whose import or register does not come back. Its
// host cannot be used any more: the main thread is in it.
func (m *Manager) loadHung(proc *host.Process, r *record) {
	e := m.hungReport(proc, r.found, r.number)
	m.dropRegistrations(r)
	m.log.Warn(fmt.Sprintf("Failed to load plugin '%s': %s", r.found.Name, e.Message))
	m.mu.Lock()
	defer m.mu.Unlock()
	r.unit = nil // the next start goes without it
	r.info.State, r.info.Reason, r.info.Error = event.PluginFailed, e.Message, e
	m.emitRecord(r)
}

// hungReport ends a host whose main thread does not come back from loading f,
// and says where it was.
func (m *Manager) hungReport(proc *host.Process, f manifest.Found, number int) *event.PluginError {
	s := m.currentSettings()
	frame, _ := frameIn(proc.Abort(), f.Code)
	where, _, _ := placeOf(proc.Exit(), number)
	return &event.PluginError{
		Type: "TimeoutError", Message: m.text(locale.PluginLoadTimeout, f.Name, s.loadLimit()),
		File: frame.File, Line: frame.Line, Func: frame.Func, Where: where,
	}
}

// apply puts the result of a load into effect.
func (m *Manager) apply(proc *host.Process, r *record, res bridge.Loaded) {
	if !res.OK {
		m.dropRegistrations(r)
		m.loadFailed(proc, r, res)
		return
	}
	refused := m.register(r, res.Registrations)
	m.mu.Lock()
	r.proc = proc
	p := &r.info
	p.State, p.Reason = event.PluginOK, "" // an earlier crash stays as its last error
	p.LoadMs, p.ImportMs = res.LoadMs, res.ImportMs
	refused.show(p)
	m.emitRecord(r)
	n := r.counts()
	m.mu.Unlock()
	m.log.Debug("  registered: " + n)
	m.publish()
}

// counts is the reference's summary of registrations; m.mu is held.
func (r *record) counts() string {
	return fmt.Sprintf("%d tool(s), %d hook(s), 0 middleware, %d slash command(s), %d CLI command(s)",
		len(r.info.Tools), len(r.info.Hooks), len(r.info.Commands), len(r.regs.CLI))
}

func (m *Manager) loadFailed(proc *host.Process, r *record, res bridge.Loaded) {
	e := m.failure(res.Error)
	if e == nil {
		e = &event.PluginError{Message: "unknown"}
	}
	if hint := m.hint(proc, res.Error); hint != "" {
		e.Message += " (" + hint + ")"
	}
	text := fmt.Sprintf("Failed to load plugin '%s': %s", r.found.Name, e.Message)
	if res.Error != nil && res.Error.Hint == "no_register" {
		text = fmt.Sprintf("Plugin '%s' has no register() function", r.found.Name) // the reference's text
	}
	m.log.Warn(text, "plugin", r.key, "exc", e.Traceback)
	r.set(func(p *event.Plugin) {
		p.State, p.Reason, p.Error = event.PluginFailed, e.Message, e
		p.LoadMs, p.ImportMs = res.LoadMs, res.ImportMs
		p.Notices = m.notices(r, res.Notices)
	})
}

// hint says what the author or the user most likely has to do.
func (m *Manager) hint(proc *host.Process, f *bridge.Failure) string {
	if f == nil {
		return ""
	}
	switch f.Hint {
	case "sibling_import":
		return m.text(locale.HintSibling, f.HintArg)
	case "missing_module":
		return m.text(locale.HintMissing, proc.Hello.Executable, f.HintArg)
	case "hermes_module":
		return m.text(locale.HintHermes, f.HintArg)
	case "did_you_mean":
		return m.text(locale.HintMeant, f.HintArg)
	}
	return ""
}
