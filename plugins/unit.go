package plugins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/safe"
	"hermes/agent/tool"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// unit is one plugin host and the plugins assigned to it: the shared one, or
// the quarantine of a single plugin. Its goroutine starts the process, loads
// the plugins, waits for its end and starts it again (architecture §10).
type unit struct {
	m    *Manager
	name string // "" for the shared host, else the plugin's key

	mu       sync.Mutex // guards the rest
	state    string     // event.Host*
	proc     *host.Process
	restarts int
	deaths   []time.Time
	closed   bool
	aside    bool                            // of a reload: loaded beside the one that serves, or replaced by it
	again    chan struct{}                   // ends the wait before the next start
	latest   map[string]bridge.Registrations // reported after loading, not yet taken over
}

// Limits of supervision (decision D45).
var backoffs = [...]time.Duration{0, time.Second, 5 * time.Second}

const deathWindow = time.Minute

func newUnit(m *Manager, name string) *unit {
	return &unit{m: m, name: name, state: event.HostOff, again: make(chan struct{}, 1)}
}

// coming reports whether the process runs or will be started by itself.
func (u *unit) coming() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch u.state {
	case event.HostStarting, event.HostReady, event.HostCrashed, event.HostBackoff:
		return !u.closed
	}
	return false
}

// live returns the running process, nil when there is none.
func (u *unit) live() *host.Process {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.proc
}

// run owns the process until the manager is closed or the unit gives up.
// loaded is called once, when the first load has come to its end.
func (u *unit) run(loaded func()) {
	once := sync.OnceFunc(loaded)
	defer once()
	safe.Run(u.m.log, "run the plugin host", func() { u.supervise(once) }, func(bug *safe.PanicError) {
		safe.Run(u.m.log, "stop the plugin host", func() { u.broken(bug) }, nil)
	})
}

// supervise starts processes until one of them is the last.
func (u *unit) supervise(loaded func()) {
	for u.m.ctx.Err() == nil && !u.isClosed() { // a reload may have come while it waited
		u.enter(event.HostStarting, func(s *event.HostState) {})
		proc, err := u.start()
		if err != nil {
			u.failed(err)
			return
		}
		if u.loadAll(proc) {
			u.ready(proc)
			loaded()
		}
		if !u.outlive(proc) {
			return
		}
	}
}

// outlive waits for the end of the process and reports whether to start
// another.
func (u *unit) outlive(proc *host.Process) bool {
	select {
	case <-proc.Done():
		return u.died(proc)
	case <-u.m.ctx.Done():
		return false // close ends the process
	}
}

// enter changes the state and tells.
func (u *unit) enter(state string, fill func(*event.HostState)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.state = state
	s := event.HostState{State: state, Restarts: u.restarts}
	if u.proc != nil {
		s.Pid, s.Python, s.Exe = u.proc.Hello.Pid, u.proc.Hello.Python, u.proc.Hello.Executable
	}
	fill(&s)
	if u.name == "" && !u.aside { // a quarantine shows in its plugin's row
		u.m.opt.Bus.Emit(s)
	}
}

func (u *unit) isClosed() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.closed
}

// setAside says whether another unit serves in the place of u: then nobody hears
// of its process.
func (u *unit) setAside(aside bool) {
	u.mu.Lock()
	u.aside = aside
	u.mu.Unlock()
}

// start runs a process and completes the handshake.
func (u *unit) start() (*host.Process, error) {
	m := u.m
	link := &link{u: u}
	proc, err := m.startHost(m.ctx, func(spec *host.Spec) {
		spec.Notify, spec.Raw, spec.Handle = link.notify, link.raw, link.serve
	})
	if err != nil {
		return nil, err
	}
	u.mu.Lock()
	u.proc = proc
	closed := u.closed
	u.mu.Unlock()
	if closed {
		proc.Kill()
		<-proc.Done()
		return nil, context.Canceled
	}
	return proc, nil
}

// startHost starts an interpreter with the program's host; wire says who hears
// of it.
func (m *Manager) startHost(ctx context.Context, wire func(*host.Spec)) (*host.Process, error) {
	m.mu.Lock()
	root, s := m.root, m.settings
	m.mu.Unlock()
	if root == "" {
		return nil, errors.New("the host's files could not be unpacked")
	}
	env := m.environ()
	env = append(env, "HERMES_HOME="+m.opt.Home)
	spec := host.Spec{
		Root: root, Env: env, Dir: m.opt.Dir, Cache: m.cache(),
		Init: bridge.Init{
			Home: m.opt.Home, Cwd: m.opt.Dir, Platform: m.opt.Platform, Profile: profile(m.opt.Home),
			Version: m.opt.Version, LogLevel: s.LogLevel, Debug: s.Debug, MemoryLimit: memoryLimit(s.MemoryLimit),
			Spool: filepath.Join(m.cache(), fmt.Sprintf("results-%d-%d", os.Getpid(), time.Now().UnixNano())),
		},
		Log: m.log,
	}
	wire(&spec)
	proc, err := host.StartAny(ctx, m.search(), spec)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	m.python, m.sites = proc.Command(), proc.Hello.Site
	m.mu.Unlock()
	return proc, nil
}

// failed says why there is no process.
func (u *unit) failed(err error) {
	m := u.m
	if m.ctx.Err() != nil || u.isClosed() {
		return
	}
	state, why := event.HostStopped, m.text(locale.HostStartFailed, err)
	if nf, ok := host.IsNotFound(err); ok {
		state, why = event.HostAbsent, m.text(locale.HostNoPython)
		if nf.Asked != "" && len(nf.Tried) > 0 {
			why = m.text(locale.HostPythonUnusable, nf.Asked, nf.Tried[0].Why)
		}
		for _, t := range nf.Tried {
			m.log.Info("Python cannot run plugins", "path", t.Path, "reason", t.Why)
		}
	}
	m.log.Warn("No plugin host", "error", err)
	u.enter(state, func(s *event.HostState) { s.Err = why })
	if u.name == "" {
		m.notice(event.LevelWarn, why)
	}
	for _, r := range u.members() {
		m.dropRegistrations(r)
		// Enabled, and not running against the user's will: that is a failure.
		r.set(func(p *event.Plugin) { p.State, p.Reason = event.PluginFailed, why })
	}
}

// ready says that every plugin has had its turn.
func (u *unit) ready(proc *host.Process) {
	u.enter(event.HostReady, func(*event.HostState) {})
	if v := proc.Hello.Python; !host.Preferred(v) && u.name == "" && u.restartCount() == 0 {
		u.m.notice(event.LevelInfo, u.m.text(locale.HostOddPython, v))
	}
}

func (u *unit) restartCount() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.restarts
}

// members returns the plugins assigned to this unit, in load order.
func (u *unit) members() []*record {
	u.m.mu.Lock()
	defer u.m.mu.Unlock()
	var out []*record
	for _, r := range u.m.records {
		if r.unit == u {
			out = append(out, r)
		}
	}
	return out
}

// died is called when the process has ended; it reports whether to start
// another. It waits as long as the backoff says.
func (u *unit) died(proc *host.Process) bool {
	exit := proc.Exit()
	u.mu.Lock()
	u.proc = nil
	closed := u.closed
	u.mu.Unlock()
	if closed || u.m.ctx.Err() != nil {
		return false
	}
	how := u.m.howEnded(exit)
	u.m.log.Warn("The plugin host ended", "how", how, "unit", u.name)
	u.m.blame(u, exit)
	if len(u.members()) == 0 {
		u.enter(event.HostOff, func(*event.HostState) {})
		return false
	}
	if exit.Asked {
		return true // planned: a new one without what hung, or at the user's wish
	}
	wait, ok := u.countDeath()
	if !ok {
		u.stop(how, u.m.text(locale.HostGaveUp))
		return false
	}
	u.enter(event.HostCrashed, func(s *event.HostState) { s.Err = how })
	if wait == 0 {
		return true
	}
	u.enter(event.HostBackoff, func(s *event.HostState) { s.Err, s.Next = how, wait })
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-u.again:
	case <-u.m.ctx.Done():
		return false
	}
	return true
}

// hurry ends the wait before the next start, if there is one.
func (u *unit) hurry() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.state != event.HostBackoff {
		return
	}
	select {
	case u.again <- struct{}{}:
	default: // asked already
	}
}

// countDeath notes a death; the wait before the next start, false when there
// were too many.
func (u *unit) countDeath() (time.Duration, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := time.Now()
	kept := u.deaths[:0]
	for _, d := range u.deaths {
		if now.Sub(d) < deathWindow {
			kept = append(kept, d)
		}
	}
	u.deaths = append(kept, now)
	u.restarts++
	if len(u.deaths) > len(backoffs) {
		return 0, false
	}
	return backoffs[len(u.deaths)-1], true
}

// broken stops a unit after a panic of ours in its goroutine.
func (u *unit) broken(bug *safe.PanicError) {
	u.kill()
	why := u.m.text(locale.HostBug, bug.Value)
	u.stop(why, why)
}

// kill ends the process at once, if one runs.
func (u *unit) kill() {
	u.mu.Lock()
	proc := u.proc
	u.proc = nil
	u.mu.Unlock()
	if proc != nil {
		proc.Kill()
		<-proc.Done()
	}
}

// stop gives the unit up until the user asks for it again. how is the state's
// cause, why the sentence for the user.
func (u *unit) stop(how, why string) {
	m := u.m
	u.enter(event.HostStopped, func(s *event.HostState) { s.Err = how })
	m.notice(event.LevelError, why)
	for _, r := range u.members() {
		m.dropRegistrations(r)
		r.set(func(p *event.Plugin) {
			if p.State != event.PluginCrashed {
				p.State, p.Reason = event.PluginFailed, why
			}
		})
	}
}

// close ends the process for good.
func (u *unit) close(ctx context.Context) {
	u.mu.Lock()
	u.closed = true
	proc := u.proc
	u.mu.Unlock()
	if proc != nil {
		u.enter(event.HostDraining, func(*event.HostState) {})
		proc.Close(ctx)
		u.enter(event.HostOff, func(*event.HostState) {})
	}
}

// call asks the process of r something on behalf of from and decodes the answer
// into out.
func (m *Manager) call(ctx context.Context, r *record, from tool.Call, c rpc.Call, out any) (*host.Process, error) {
	proc, err := r.await(ctx)
	if err != nil {
		return nil, err
	}
	return proc, m.askFor(ctx, proc, r.key, from, c, out)
}

// ask calls proc on behalf of the plugin key.
func (m *Manager) ask(ctx context.Context, proc *host.Process, key string, c rpc.Call, out any) error {
	c.Parent = parentIn(ctx, proc)
	proc.Begin(key)
	raw, err := proc.Peer.Call(ctx, c)
	if errors.Is(err, rpc.ErrClosed) {
		<-proc.Done()
		return &hostGoneError{key, m.howEnded(proc.Exit())}
	}
	proc.End(key)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("%s: unexpected answer of the plugin host: %w", c.Method, err)
	}
	return nil
}

// howEnded says in a few words how a host ended.
func (m *Manager) howEnded(e host.Exit) string {
	switch {
	case e.Hung:
		return m.text(locale.HostHung)
	case e.Protocol != nil:
		return m.text(locale.HostProtocol)
	case e.Signal == "SIGKILL" && !e.Asked:
		return m.text(locale.HostKilled)
	case e.Signal != "":
		return m.text(locale.HostSignal, e.Signal)
	}
	return m.text(locale.HostExit, e.Code)
}
