package plugins

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/agent/safe"
	"hermes/assets"
	"hermes/plugins/host"
	"hermes/plugins/manifest"
)

// logger is the name under which the reference logs about plugins.
const logger = "hermes_cli.plugins"

// Manager finds plugins, runs them and offers what they registered.
type Manager struct {
	opt    Options
	envMu  sync.Mutex // guards env and opt.Env
	env    map[string]string
	log    *slog.Logger
	redact func(string) string
	raw    limiter // of lines that bypass Python's streams
	checks checks

	patience patience

	ctx     context.Context // ends with Close
	cancel  context.CancelFunc
	tasks   sync.WaitGroup
	settled chan struct{}
	settle  func() // closes settled, once
	started atomic.Bool
	hooks   atomic.Pointer[hookTable]
	active  invocations // hook calls that run now
	errands errands     // calls into plugin code that run now

	// changing serialises what changes the set of plugins and their
	// registrations: loading, enable, disable, reload, swap.
	changing sync.Mutex

	mu       sync.Mutex // guards the rest; held for moments only
	settings Settings
	root     string   // unpacked files
	python   []string // what the last host ran on
	sites    []string // where it finds packages, nil before the first
	records  []*record
	byKey    map[string]*record
	units    []*unit
	numbers  int

	// What waits for the next turn boundary.
	next      *generation
	toRestart []*host.Process
}

// New returns a manager that has done nothing yet.
func New(opt Options) *Manager {
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	if opt.Bus == nil {
		opt.Bus = event.NewBus(nil)
	}
	if opt.Lang == nil {
		opt.Lang = func() locale.Lang { return locale.EN }
	}
	m := &Manager{
		opt: opt, env: map[string]string{}, settings: opt.Settings, settled: make(chan struct{}),
		byKey: map[string]*record{}, patience: usual, log: opt.Log.With("logger", logger),
	}
	for _, kv := range opt.Env {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			m.env[name] = value
		}
	}
	m.redact = opt.Redact
	if m.redact == nil {
		m.redact = byValue(m.env)
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	m.settle = sync.OnceFunc(func() { close(m.settled) })
	m.hooks.Store(&hookTable{})
	return m
}

// task runs f on a goroutine that Close waits for. A panic in it is logged, and
// caught, when not nil, says what becomes of what f looked after.
func (m *Manager) task(what string, f func(), caught func(*safe.PanicError)) {
	m.tasks.Go(func() {
		safe.Run(m.log, what, f, func(bug *safe.PanicError) {
			if caught != nil {
				safe.Run(m.log, what+", after a panic", func() { caught(bug) }, nil)
			}
		})
	})
}

// Start finds and loads plugins on goroutines of its own and returns at once.
// When ctx ends, loading is given up; Close ends what runs.
func (m *Manager) Start(ctx context.Context) {
	if !m.started.CompareAndSwap(false, true) {
		return
	}
	m.task("load plugins", func() {
		stop := context.AfterFunc(ctx, m.cancel)
		defer stop()
		m.begin()
	}, func(bug *safe.PanicError) {
		defer m.settle()
		why := m.text(locale.HostBug, bug.Value)
		m.opt.Bus.Emit(event.HostState{State: event.HostStopped, Err: why})
		m.notice(event.LevelError, why)
	})
}

// Settled is closed when every enabled plugin has loaded or failed.
func (m *Manager) Settled() <-chan struct{} { return m.settled }

// begin is the first discovery and the first load.
func (m *Manager) begin() {
	began := time.Now()
	m.survey()
	_, sure := m.siteDirs()
	var loads sync.WaitGroup
	for _, u := range m.allUnits() {
		loads.Add(1)
		m.task("run the plugin host", func() { u.run(loads.Done) }, nil)
	}
	if len(m.allUnits()) == 0 {
		m.opt.Bus.Emit(event.HostState{State: event.HostOff})
	}
	loads.Wait()
	if !sure {
		m.adoptPackages()
	}
	m.summary()
	m.settle()
	m.opt.Bus.Emit(event.PluginsSettled{Took: time.Since(began)})
	host.Sweep(m.cache(), filepath.Dir(m.examples()))
}

// survey finds plugins for the first time and gives each that is to be loaded
// its place.
func (m *Manager) survey() {
	m.changing.Lock()
	defer m.changing.Unlock()
	if err := m.unpack(); err != nil {
		m.log.Error("The plugin host's files cannot be unpacked", "error", err)
		m.notice(event.LevelError, m.text(locale.HostStartFailed, err))
	}
	if m.mayBePackages() {
		m.learnSites(m.ctx)
	}
	m.adopt(m.discover())
	m.assign()
}

// Restart starts hosts again that have been given up, and at once those that
// wait for their next attempt.
func (m *Manager) Restart() {
	for _, u := range m.allUnits() {
		if u.coming() {
			u.hurry()
			continue
		}
		u.mu.Lock()
		u.deaths, u.restarts = nil, 0
		u.mu.Unlock()
		m.runUnit(u)
	}
}

// cache is where files that can be made again are kept.
func (m *Manager) cache() string { return filepath.Join(m.opt.Home, "cache") }

func (m *Manager) unpack() error {
	root, err := host.Unpack(assets.FS, m.cache())
	if err != nil {
		return err
	}
	m.mu.Lock()
	m.root = root
	m.mu.Unlock()
	return nil
}

// examples is the folder of our own bundled plugins.
func (m *Manager) examples() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.root == "" {
		return ""
	}
	return filepath.Join(m.root, "plugins")
}

// discover looks for plugins by the settings of now.
func (m *Manager) discover() []manifest.Found { return m.discoverInto(m.log) }

func (m *Manager) discoverInto(log *slog.Logger) []manifest.Found {
	home, err := config.At(m.opt.Home)
	if err != nil {
		m.log.Error("HERMES_HOME cannot be used", "error", err)
		return nil
	}
	var bundled []string
	if dir := m.examples(); dir != "" {
		bundled = append(bundled, dir)
	}
	if dir := m.getenv("HERMES_BUNDLED_PLUGINS"); dir != "" {
		bundled = append(bundled, dir)
	}
	s := m.currentSettings()
	sites, _ := m.siteDirs()
	return manifest.Discover(manifest.Options{
		Home: home, Dir: m.opt.Dir, Bundled: bundled, Sites: sites,
		Enabled: s.Enabled, Disabled: s.Disabled,
		IgnoreRequiresEnv: func(key string) bool { return s.Entries[key].IgnoreRequiresEnv },
		Getenv:            m.getenv, SafeMode: s.SafeMode, Log: log, Lang: m.opt.Lang(),
	})
}

// adopt makes records of what was found. It is called once, before anything
// runs; later finds go through refresh.
func (m *Manager) adopt(found []manifest.Found) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range found {
		m.addRecord(f)
	}
}

// addRecord makes a record; m.mu is held.
func (m *Manager) addRecord(f manifest.Found) *record {
	m.numbers++
	r := newRecord(m, f, m.numbers)
	m.records = append(m.records, r)
	m.byKey[r.key] = r
	m.emitRecord(r)
	return r
}

// assign gives every plugin that is to be loaded a host: the shared one, or
// one of its own.
func (m *Manager) assign() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.records {
		if r.found.Load {
			m.join(r)
		}
	}
}

// join puts r into its unit; m.mu is held.
func (m *Manager) join(r *record) *unit {
	name := ""
	if m.settings.Entries[r.key].Isolate || r.quarantined {
		name = r.key
	}
	u := m.unitNamed(name)
	if u == nil {
		u = newUnit(m, name)
		m.units = append(m.units, u)
	}
	r.unit = u
	return u
}

func (m *Manager) unitNamed(name string) *unit {
	for _, u := range m.units {
		if u.name == name {
			return u
		}
	}
	return nil
}

func (m *Manager) allUnits() []*unit {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.units)
}

// List returns every plugin in load order.
func (m *Manager) List() []event.Plugin {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]event.Plugin, 0, len(m.records))
	for _, r := range m.records {
		out = append(out, r.info)
	}
	return out
}

// Get returns one plugin by its key, or by its name when only one has it.
func (m *Manager) Get(key string) (event.Plugin, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.find(key); r != nil {
		return r.info, true
	}
	return event.Plugin{}, false
}

// find looks a record up by key, then by name; m.mu is held.
func (m *Manager) find(key string) *record {
	if r := m.byKey[key]; r != nil {
		return r
	}
	var found *record
	for _, r := range m.records {
		if r.info.Name == key {
			if found != nil {
				return nil
			}
			found = r
		}
	}
	return found
}

// Hooks returns the callbacks of all plugins as the agent fires them.
func (m *Manager) Hooks() hook.Invoker { return invoker{m} }

// Configure takes new settings. What is loaded stays as it is; limits and
// rights count from the next call on.
func (m *Manager) Configure(s Settings) {
	m.mu.Lock()
	m.settings = s
	m.mu.Unlock()
}

func (m *Manager) currentSettings() Settings {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.settings
}

// Close ends every plugin host within the limits of the kill ladder, or at
// once when ctx ends.
func (m *Manager) Close(ctx context.Context) {
	m.cancel()
	m.mu.Lock()
	next := m.next
	m.next = nil
	m.mu.Unlock()
	if next != nil {
		next.end(ctx)
	}
	var closing sync.WaitGroup
	for _, u := range m.allUnits() {
		closing.Go(func() {
			safe.Run(m.log, "close the plugin host", func() { u.close(ctx) }, func(*safe.PanicError) { u.kill() })
		})
	}
	closing.Wait()
	m.tasks.Wait()
}

// emitRecord tells of r as it stands; m.mu is held, so that events of one
// plugin keep their order.
func (m *Manager) emitRecord(r *record) {
	m.opt.Bus.Emit(event.PluginState{Plugin: r.info})
	r.wake()
}

func (m *Manager) notice(level, text string) {
	m.opt.Bus.Emit(event.Notice{Level: level, Text: text, Source: "plugins"})
}

func (m *Manager) text(msg locale.Msg, args ...any) string { return msg.In(m.opt.Lang(), args...) }

// summary is the reference's last line of a discovery.
func (m *Manager) summary() {
	total, enabled := 0, 0
	for _, p := range m.List() {
		total++
		if p.State == event.PluginOK || p.State == event.PluginPartial {
			enabled++
		}
	}
	if total > 0 {
		m.log.Info(fmt.Sprintf("Plugin discovery complete: %d found, %d enabled", total, enabled))
	}
}

// errUnknown says that no plugin has that key.
var errUnknown = errors.New("unknown plugin")

// profile is ctx.profile_name (contract: plugins §5.1).
func profile(home string) string {
	user, err := os.UserHomeDir()
	if err != nil {
		return "default"
	}
	base := filepath.Join(user, ".hermes")
	clean := filepath.Clean(home)
	if clean == base {
		return "default"
	}
	if filepath.Dir(clean) == filepath.Join(base, "profiles") {
		return filepath.Base(clean)
	}
	return "custom"
}
