// Package app wires the program: it builds the configuration, the tools, the
// agent and the plugin manager, in that order and in the background, and
// stops them in the reverse. It is the only place that knows all parts; the
// screen, -z and chat -q stand on the same Runtime.
package app

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"hermes/agent"
	"hermes/agent/approval"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/openai"
	"hermes/agent/locale"
	"hermes/agent/logfile"
	"hermes/agent/secret"
	"hermes/agent/store"
	"hermes/agent/tool"
	"hermes/plugins"
)

// Options says what to build. Everything in it is fixed for the run.
type Options struct {
	Home        config.Home
	Environ     []string
	Dir         string // working directory, absolute
	Version     string
	Lang        locale.Lang // until config.yaml says otherwise
	Provider    string      // --provider
	Model       string      // --model
	SafeMode    bool        // --safe-mode
	Yolo        bool        // --yolo: what asks for approval runs
	Interactive bool        // a user can be asked
	MaxTurns    int         // --max-turns, 0 for the configured number
	Toolsets    []string    // --toolsets; nil for the configured ones
	NoConfig    bool        // --ignore-user-config: no config.yaml
	NoRules     bool        // --ignore-rules: no AGENTS.md and the like, no SOUL.md, no memories
	ToolChoice  string      // --tool-choice; empty for the configured one
	Source      string      // what the store calls the session (--source); empty: cli
	// Ended is told the session that was open when the screen closed; may be nil.
	Ended func(session string)
	// PassSessionID tells the model the session's id (--pass-session-id).
	PassSessionID bool
	Resume        string    // id of the stored session to go on with
	Checkpoints   bool      // --checkpoints: keep snapshots whatever the configuration says
	Debug         io.Writer // where HERMES_PLUGINS_DEBUG prints; nil for the log alone
}

// Runtime is the running program without a view. New starts nothing; Start
// returns at once; Close ends everything. Methods are safe for concurrent use.
type Runtime struct {
	opt   Options
	bus   *event.Bus
	tools *tool.Registry
	store *store.Store // opened by its first use, or beside the first frame
	agent *agent.Agent

	lang          atomic.Uint32
	cfg           atomic.Pointer[config.Config]
	client        atomic.Pointer[clientBox]
	others        atomic.Pointer[otherModels] // nil until the configuration is known
	effort        atomic.Pointer[string]      // /reasoning; nil: as the configuration says
	usage         atomic.Pointer[event.Usage] // of the last request; nil before the first
	http          *http.Client                // of every model client; keeps connections
	manager       atomic.Pointer[plugins.Manager]
	skillWarnings skillWarnings
	redact        atomic.Pointer[secret.Redactor]
	env           atomic.Pointer[[]string] // for plugins and models
	log           *lateHandler

	configured chan struct{} // closed when config and model are known
	settled    chan struct{} // closed when the plugins have loaded, too
	configErr  error         // written before configured is closed
	unreadEnv  string        // likewise
	noticed    int           // settings notices shown; the loading goroutine's

	ctx    context.Context // ends when Close begins
	cancel context.CancelFunc
	wg     sync.WaitGroup // the loading goroutine and commands that run

	asks        asks
	pictures    pictures // that go with the next text
	checkpoints checkpoints
	commands    commands // what runs shell commands
	gate        *approval.Gate
	commandN    atomic.Int64  // numbers the slash commands that ran
	listing     atomic.Bool   // the files of the project are being listed
	toolsDirty  chan struct{} // holds a token after the registry changed
	closed      sync.Once
	closeErr    error
}

// clientBox lets an interface live in an atomic pointer.
type clientBox struct{ llm.Client }

// New builds the parts that need no file: after it, Submit and Subscribe work,
// and a submitted text waits for what Start loads.
func New(opt Options) *Runtime {
	rt := &Runtime{
		opt: opt, bus: event.NewBus(nil), log: newLateHandler(), http: openai.NewHTTP(),
		configured: make(chan struct{}), settled: make(chan struct{}),
		toolsDirty: make(chan struct{}, 1),
	}
	rt.ctx, rt.cancel = context.WithCancel(context.Background())
	rt.lang.Store(uint32(opt.Lang))
	rt.redact.Store(secret.NewRedactor(opt.Environ))
	rt.client.Store(&clientBox{}) // of the first session nobody knows yet who answers
	rt.tools = tool.NewRegistry(rt.toolsChanged)
	rt.store = store.Open(opt.Home.State(), store.Options{Log: rt.logger("sessions")})
	rt.commands.procs, rt.gate = rt.newProcesses(), rt.newGate()
	rt.agent = agent.New(rt.agentOptions())
	rt.client.Store(&clientBox{rt.demoClient()})
	return rt
}

// Subscribe returns a subscription to every event from now on.
func (rt *Runtime) Subscribe() *event.Subscription { return rt.bus.Subscribe() }

// Lang is the language of texts made from now on.
func (rt *Runtime) Lang() locale.Lang { return locale.Lang(rt.lang.Load()) }

// Demo reports whether the built-in demo model answers.
func (rt *Runtime) Demo() bool { return rt.client.Load().Info().Demo }

// UnreadEnv names a .env of the working directory that holds keys but was not
// read because nobody can be asked (decision D37); empty when there is none.
func (rt *Runtime) UnreadEnv() string { return rt.unreadEnv }

// Ask runs one turn, with pictures when there are any, and waits for its end.
func (rt *Runtime) Ask(ctx context.Context, text string, images ...llm.Image) (event.TurnDone, error) {
	return rt.agent.AskWith(ctx, text, images)
}

// WaitConfigured waits until configuration and model are known and returns
// what was wrong with them.
func (rt *Runtime) WaitConfigured(ctx context.Context) error {
	select {
	case <-rt.configured:
		return rt.configErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WaitSettled waits until the plugins have loaded or failed, too.
func (rt *Runtime) WaitSettled(ctx context.Context) error {
	if err := rt.WaitConfigured(ctx); err != nil {
		return err
	}
	select {
	case <-rt.settled:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// closeLimit bounds the whole way out: interrupt, plugin hooks, host, log
// (design: two seconds each for turn, hooks and host).
const closeLimit = 7 * time.Second

// Close ends the turn, then the plugins, the store and the log. It may be called more
// than once.
func (rt *Runtime) Close() error {
	rt.closed.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		rt.cancel()
		rt.agent.Close(ctx)
		rt.wg.Wait()
		if m := rt.manager.Load(); m != nil {
			m.Close(ctx)
		}
		rt.commands.close()
		rt.http.CloseIdleConnections()
		_ = rt.log.close() // told when it happened: logFailed
		rt.closeErr = rt.store.Close()
	})
	return rt.closeErr
}

// logger returns the logger of a component, which may be used before the log
// is open.
func (rt *Runtime) logger(component string) *slog.Logger {
	return slog.New(rt.log).With(logfile.Component, component)
}

// environ is the environment that plugins and models see.
func (rt *Runtime) environ() []string {
	if e := rt.env.Load(); e != nil {
		return *e
	}
	return rt.opt.Environ
}
