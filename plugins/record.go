package plugins

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/tool"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/manifest"
)

// record is what is known of one plugin. Manager.mu guards it.
type record struct {
	m      *Manager
	key    string
	number int // its name in the flight recorder
	found  manifest.Found
	info   event.Plugin // what the rest of the program sees
	unit   *unit        // where it runs, nil when it does not

	proc    *host.Process // it is loaded in, nil when it cannot be called
	changed chan struct{} // closed at the next change

	regs     bridge.Registrations // as registered, refused ones among them
	tools    []*pluginTool        // those in the registry
	replaced map[string]tool.Tool // what they took the place of
	commands []bridge.Command     // those in effect

	crashes     []time.Time
	quarantined bool
	off         bool // for the session: it ended its own process too often

	failures map[string]*hookFailures // by hook
}

// hookFailures counts what went wrong in a row.
type hookFailures struct {
	timeouts, errors int
	paused           bool
}

func newRecord(m *Manager, f manifest.Found, number int) *record {
	r := &record{
		m: m, key: f.Key, number: number, found: f, changed: make(chan struct{}),
		replaced: map[string]tool.Tool{}, failures: map[string]*hookFailures{},
	}
	r.info = r.fresh()
	return r
}

// fresh is the record before anything ran.
func (r *record) fresh() event.Plugin {
	f := r.found
	state := f.State
	if f.Load {
		state = event.PluginStarting
	}
	bundled := f.Source == manifest.SourceBundled
	return event.Plugin{
		Key: f.Key, Name: f.Name, Version: f.Version, Description: f.Description, Author: f.Author,
		Kind: f.Kind, Source: f.Source, Path: f.Dir,
		State: state, Reason: f.Reason, Error: f.Error, Missing: f.Missing, RequiresEnv: f.RequiresEnv,
		ProvidesTools: f.ProvidesTools, ProvidesHooks: f.ProvidesHooks,
		Tools: []event.ToolInfo{}, Hooks: []string{}, Commands: []event.Command{},
		Notices: slices.Clone(f.Notices),
		Bundled: bundled,
		Example: bundled && r.m.root != "" && strings.HasPrefix(f.Dir, r.m.root),
	}
}

// wake tells whoever waits for a change of r; Manager.mu is held.
func (r *record) wake() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// set changes what is shown of r, and tells.
func (r *record) set(change func(p *event.Plugin)) {
	r.m.mu.Lock()
	defer r.m.mu.Unlock()
	change(&r.info)
	r.m.emitRecord(r)
}

// notRunningError says why a plugin cannot be called.
type notRunningError struct{ key, state, reason string }

func (e *notRunningError) Error() string {
	if e.reason != "" {
		return "plugin " + e.key + " is not running: " + e.reason
	}
	return "plugin " + e.key + " is not running (" + e.state + ")"
}

// await returns the process in which r is loaded. While its host is started
// again, it waits, at most as long as restartWait.
func (r *record) await(ctx context.Context) (*host.Process, error) {
	limit := time.NewTimer(restartWait)
	defer limit.Stop()
	for {
		r.m.mu.Lock()
		proc, state, reason, changed := r.proc, r.info.State, r.info.Reason, r.changed
		coming := r.unit != nil && r.unit.coming()
		r.m.mu.Unlock()
		if proc != nil && !proc.Gone() {
			return proc, nil
		}
		if !coming || ended(state) {
			return nil, &notRunningError{r.key, state, reason}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-limit.C:
			return nil, &notRunningError{r.key, state, reason}
		}
	}
}

// restartWait is how long a call waits for a host that is being started
// again: the reload of many slow plugins takes seconds, a dead one for ever.
const restartWait = 10 * time.Second

// ended reports whether a plugin in that state will not come back by itself.
func ended(state string) bool {
	switch state {
	case event.PluginStarting, event.PluginOK, event.PluginPartial, event.PluginPaused:
		return false
	}
	return true
}

// hostGoneError says that the host ended while a plugin's code ran.
type hostGoneError struct {
	key string
	how string
}

func (e *hostGoneError) Error() string {
	return "plugin host ended while running " + e.key + " (" + e.how + ")"
}

// isHostGone reports whether err says that the host ended in the middle.
func isHostGone(err error) bool {
	var g *hostGoneError
	return errors.As(err, &g)
}
