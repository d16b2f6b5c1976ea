package plugins

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
	"hermes/plugins/manifest"
)

func (m *Manager) getenv(name string) string {
	m.envMu.Lock()
	defer m.envMu.Unlock()
	return m.env[name]
}

// environ is the environment of a host that starts now.
func (m *Manager) environ() []string {
	m.envMu.Lock()
	defer m.envMu.Unlock()
	return append([]string{}, m.opt.Env...)
}

// SetEnv sets a variable for the plugins and loads them in new hosts, as Reload
// does: a process cannot be given another environment from outside.
func (m *Manager) SetEnv(ctx context.Context, name, value string) error {
	m.envMu.Lock()
	m.env[name] = value
	env := slices.DeleteFunc(slices.Clone(m.opt.Env), func(kv string) bool { return strings.HasPrefix(kv, name+"=") })
	m.opt.Env = append(env, name+"="+value)
	m.envMu.Unlock()
	return m.Reload(ctx)
}

// Enable switches a plugin on: in the configuration, and in the running host
// (decision D44). It waits until the plugin has loaded or failed.
func (m *Manager) Enable(ctx context.Context, key string) error {
	key, err := m.keyOf(key)
	if err != nil {
		return err
	}
	if err := m.save(key, true); err != nil {
		return err
	}
	m.mu.Lock()
	m.settings.Enabled = with(m.settings.Enabled, key)
	m.settings.Disabled = without(m.settings.Disabled, key, m.byKey[key].info.Name)
	m.mu.Unlock()
	return m.loadNow(ctx, key)
}

// Disable switches a plugin off: in the configuration, and at once in the
// running program. Its module stays in memory until the next host.
func (m *Manager) Disable(ctx context.Context, key string) error {
	key, err := m.keyOf(key)
	if err != nil {
		return err
	}
	if err := m.save(key, false); err != nil {
		return err
	}
	m.changing.Lock()
	defer m.changing.Unlock()
	m.mu.Lock()
	m.settings.Disabled = with(m.settings.Disabled, key)
	m.settings.Enabled = without(m.settings.Enabled, key, m.byKey[key].info.Name)
	m.mu.Unlock()
	m.unload(ctx, key)
	m.refresh(key)
	return nil
}

// unload takes back what a plugin registered; the caller holds m.changing.
func (m *Manager) unload(ctx context.Context, key string) {
	m.mu.Lock()
	r := m.byKey[key]
	proc, u := r.proc, r.unit
	r.unit = nil
	m.mu.Unlock()
	m.dropRegistrations(r)
	if proc == nil {
		return
	}
	if u != nil && u.name != "" {
		u.close(ctx)
		m.removeUnit(u)
		return
	}
	// The host forgets its callbacks in a lane of its own, so that a load that
	// hangs does not hold this up.
	var found struct{}
	_ = m.ask(ctx, proc, key, rpc.Call{
		Method: bridge.MethodUnload, Lane: bridge.LaneCheck, Params: map[string]string{"key": key},
	}, &found) // a host that is gone has nothing to forget
}

func (m *Manager) removeUnit(u *unit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.units = slices.DeleteFunc(m.units, func(o *unit) bool { return o == u })
}

// loadNow loads a plugin that has just been enabled.
func (m *Manager) loadNow(ctx context.Context, key string) error {
	m.changing.Lock()
	r := m.refresh(key)
	if r == nil || !r.found.Load {
		m.changing.Unlock()
		return nil // its row says why
	}
	m.mu.Lock()
	r.off, r.crashes = false, nil
	for _, f := range r.failures {
		*f = hookFailures{}
	}
	u := m.join(r)
	m.mu.Unlock()
	proc := u.live()
	if proc == nil {
		m.changing.Unlock()
		if !u.coming() {
			m.runUnit(u)
		}
		return m.waitLoaded(ctx, r)
	}
	err := m.loadInto(proc, r)
	m.changing.Unlock()
	if err != nil && m.ctx.Err() == nil {
		return m.waitLoaded(ctx, r) // the supervisor starts the host again
	}
	return err
}

// waitLoaded waits until a plugin is no longer starting.
func (m *Manager) waitLoaded(ctx context.Context, r *record) error {
	for {
		m.mu.Lock()
		state, changed := r.info.State, r.changed
		m.mu.Unlock()
		if state != event.PluginStarting {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-m.ctx.Done():
			return context.Cause(m.ctx)
		}
	}
}

// refresh looks at the disk again and brings one record up to date; nil when
// the plugin is no longer there. The caller holds m.changing.
func (m *Manager) refresh(key string) *record {
	found := m.discover()
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.byKey[key]
	i := slices.IndexFunc(found, func(f manifest.Found) bool { return f.Key == key })
	switch {
	case i < 0 && r == nil:
		return nil
	case i < 0:
		delete(m.byKey, key)
		m.records = slices.DeleteFunc(m.records, func(o *record) bool { return o == r })
		m.opt.Bus.Emit(event.PluginGone{Key: key})
		return nil
	case r == nil:
		return m.addRecord(found[i])
	}
	r.found = found[i]
	r.info = r.fresh()
	m.emitRecord(r)
	return r
}

// keyOf finds the key of a plugin that is named by key or name.
func (m *Manager) keyOf(name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.find(name); r != nil {
		return r.key, nil
	}
	return "", fmt.Errorf("%w: %s", errUnknown, m.text(locale.PluginUnknown, name))
}

func (m *Manager) save(key string, on bool) error {
	if m.opt.SaveEnabled == nil {
		return nil
	}
	if err := m.opt.SaveEnabled(key, on); err != nil {
		// Whoever asked waits for news of the plugin: it is as it was.
		m.mu.Lock()
		m.emitRecord(m.byKey[key])
		m.mu.Unlock()
		return &notSavedError{key, on, err}
	}
	return nil
}

// notSavedError says that a plugin stays as it is, because the choice could not
// be written down.
type notSavedError struct {
	key string
	on  bool
	err error
}

// Error is for the log; In is what the user reads.
func (e *notSavedError) Error() string {
	return e.message().In(locale.EN, e.key, e.err)
}

func (e *notSavedError) Unwrap() error { return e.err }

// In is the text in a language, with the cause in the same where it has one.
func (e *notSavedError) In(l locale.Lang) string {
	why := e.err.Error()
	var cause interface{ In(l locale.Lang) string }
	if errors.As(e.err, &cause) {
		why = cause.In(l)
	}
	return e.message().In(l, e.key, why)
}

func (e *notSavedError) message() locale.Msg {
	if e.on {
		return locale.PluginNotEnabled
	}
	return locale.PluginNotDisabled
}

func with(list []string, key string) []string {
	if slices.Contains(list, key) {
		return list
	}
	return append(slices.Clone(list), key)
}

func without(list []string, keys ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(keys, s) })
}
