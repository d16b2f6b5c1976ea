package plugins

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/safe"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/manifest"
)

// drainLimit is how long calls of the old host may still run after a swap
// (architecture §10).
const drainLimit = 30 * time.Second

// generation is a set of hosts that is loaded beside the one that serves.
type generation struct {
	found   []manifest.Found
	units   []*unit
	procs   map[*unit]*host.Process
	results map[string]loadResult // by key
}

// loadResult is what a load in a new host came to. One that cost the host says
// so in reason and failure, and has no unit.
type loadResult struct {
	unit    *unit
	proc    *host.Process
	res     bridge.Loaded
	state   string
	reason  string
	failure *event.PluginError
}

// Reload looks at the disk again and loads everything in new hosts beside the
// running ones. It returns when they are loaded; the swap is made by the next
// TurnBoundary. Plugins lose what they kept in memory. When the new hosts
// cannot load what the old ones had, the old ones stay and the user is told.
func (m *Manager) Reload(ctx context.Context) error {
	m.changing.Lock()
	g, err := m.nextGeneration(ctx)
	if err != nil {
		m.changing.Unlock()
		g.end(ctx)
		return err
	}
	lost := m.lost(g)
	m.changing.Unlock()
	if len(lost) > 0 {
		g.end(ctx)
		m.notice(event.LevelWarn, m.text(locale.PluginReloadKept, strings.Join(lost, ", ")))
		return nil
	}
	m.mu.Lock()
	before := m.next
	m.next = g
	m.mu.Unlock()
	if before != nil {
		before.end(ctx) // asked for again before the turn ended
	}
	return nil
}

// TurnBoundary says that no turn runs at the moment: what waits for that is
// done now, unless plugins are being loaded; then it waits for the next.
func (m *Manager) TurnBoundary() {
	if !m.changing.TryLock() {
		return
	}
	defer m.changing.Unlock()
	m.mu.Lock()
	next, stuck := m.next, m.toRestart
	m.next, m.toRestart = nil, nil
	m.mu.Unlock()
	for _, proc := range stuck {
		proc.Kill() // its unit starts another
	}
	if next != nil {
		m.swap(next)
	}
}

// nextGeneration starts hosts and loads every plugin that is to be loaded now;
// m.changing is held. The generation is returned with an error, too: what runs
// of it must be ended.
func (m *Manager) nextGeneration(ctx context.Context) (*generation, error) {
	g := &generation{found: m.discover(), procs: map[*unit]*host.Process{}, results: map[string]loadResult{}}
	for i := 0; i < len(g.found); {
		f := g.found[i]
		i++
		if _, done := g.results[f.Key]; done || !f.Load {
			continue
		}
		if err := ctx.Err(); err != nil {
			return g, err
		}
		u, proc, err := g.place(m, f.Key)
		if err != nil {
			return g, err
		}
		number := g.number(m, f.Key)
		res, err := m.loadOnce(proc, f, number)
		if err == nil {
			g.results[f.Key] = loadResult{unit: u, proc: proc, res: res}
			continue
		}
		if m.ctx.Err() != nil {
			return g, err
		}
		// The process is gone with it: what it held is loaded again, without f.
		lost := m.fatalLoad(proc, f, number, err)
		g.without(ctx, u)
		g.results[f.Key] = lost
		i = 0
	}
	return g, nil
}

// fatalLoad says how loading f made its host unusable.
func (m *Manager) fatalLoad(proc *host.Process, f manifest.Found, number int, err error) loadResult {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e := m.hungReport(proc, f, number)
		return loadResult{state: event.PluginFailed, reason: e.Message, failure: e}
	case isHostGone(err):
		reason, e := m.crashReport(f.Code, number, proc.Exit())
		return loadResult{state: event.PluginCrashed, reason: reason, failure: e}
	}
	e := &event.PluginError{Type: "HostError", Message: err.Error(), Where: "import"}
	return loadResult{state: event.PluginFailed, reason: e.Message, failure: e}
}

// without ends a unit of g and forgets what had been loaded in it.
func (g *generation) without(ctx context.Context, gone *unit) {
	gone.close(ctx)
	g.units = slices.DeleteFunc(g.units, func(u *unit) bool { return u == gone })
	delete(g.procs, gone)
	maps.DeleteFunc(g.results, func(_ string, r loadResult) bool { return r.unit == gone })
}

// place returns the unit for a plugin and its running process.
func (g *generation) place(m *Manager, key string) (*unit, *host.Process, error) {
	name := ""
	m.mu.Lock()
	if r := m.byKey[key]; m.settings.Entries[key].Isolate || r != nil && r.quarantined {
		name = key
	}
	m.mu.Unlock()
	for _, u := range g.units {
		if u.name == name {
			return u, g.procs[u], nil
		}
	}
	u := newUnit(m, name)
	u.setAside(true)
	proc, err := u.start()
	if err != nil {
		return nil, nil, err
	}
	g.units = append(g.units, u)
	g.procs[u] = proc
	return u, proc, nil
}

// number is the plugin's name in the flight recorder.
func (g *generation) number(m *Manager, key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.byKey[key]; r != nil {
		return r.number
	}
	m.numbers++ // addRecord will count on
	return m.numbers
}

// lost names the plugins that run now and would not in g.
func (m *Manager) lost(g *generation) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for _, f := range g.found {
		r := m.byKey[f.Key]
		if r == nil || r.proc == nil || !f.Load {
			continue
		}
		if got, ok := g.results[f.Key]; !ok || !got.res.OK {
			names = append(names, f.Name)
		}
	}
	return names
}

// end kills the processes of a generation that is not wanted.
func (g *generation) end(ctx context.Context) {
	for _, u := range g.units {
		u.close(ctx)
	}
}

// swap puts g in the place of what runs; m.changing is held.
func (m *Manager) swap(g *generation) {
	m.mu.Lock()
	old := m.units
	m.units = g.units
	gone := m.replaceRecords(g)
	records := append([]*record(nil), m.records...)
	m.mu.Unlock()
	for _, r := range gone {
		m.dropRegistrations(r)
		m.opt.Bus.Emit(event.PluginGone{Key: r.key})
	}
	for _, r := range records {
		got, ok := g.results[r.key]
		if !ok {
			m.dropRegistrations(r)
			r.set(func(*event.Plugin) {})
			continue
		}
		if got.failure != nil {
			m.dropRegistrations(r)
			r.set(func(p *event.Plugin) { p.State, p.Reason, p.Error = got.state, got.reason, got.failure })
			continue
		}
		m.apply(got.proc, r, got.res)
	}
	for _, u := range old {
		u.setAside(true)
	}
	if len(g.units) == 0 {
		m.opt.Bus.Emit(event.HostState{State: event.HostOff})
	}
	for _, u := range g.units {
		u.setAside(false)
		m.task("run the plugin host", func() {
			u.ready(g.procs[u])
			if u.outlive(g.procs[u]) {
				u.run(func() {})
			}
		}, u.broken)
	}
	for _, u := range old {
		m.task("drain the plugin host", u.drain, func(*safe.PanicError) { u.kill() })
	}
}

// replaceRecords brings the records in line with what was found and returns
// those that are gone; m.mu is held.
func (m *Manager) replaceRecords(g *generation) []*record {
	before := m.byKey
	m.records, m.byKey = nil, map[string]*record{}
	for _, f := range g.found {
		r := before[f.Key]
		if r == nil {
			m.numbers++
			r = newRecord(m, f, m.numbers)
		}
		delete(before, f.Key)
		r.found = f
		r.info = r.fresh()
		r.proc, r.unit = nil, nil
		if got, ok := g.results[f.Key]; ok {
			r.unit = got.unit
		}
		m.records = append(m.records, r)
		m.byKey[r.key] = r
	}
	var gone []*record
	for _, r := range before {
		gone = append(gone, r)
	}
	return gone
}

// drain lets the calls of an old host end, then closes it.
func (u *unit) drain() {
	proc := u.live()
	if proc != nil {
		limit := time.NewTimer(drainLimit)
		defer limit.Stop()
		select {
		case <-proc.Peer.Idle():
		case <-limit.C:
		case <-u.m.ctx.Done():
		}
	}
	u.close(context.Background())
}
