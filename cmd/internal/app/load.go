package app

import (
	"context"
	"errors"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/logfile"
	"hermes/agent/secret"
	"hermes/agent/tools/files"
	"hermes/agent/tools/sessionsearch"
	"hermes/agent/tools/todo"
	"hermes/plugins"
)

// ConfigError is a mistake in config.yaml, .env or the flags that choose a
// model: the user must mend it, and the exit code says so.
type ConfigError struct{ Err error }

func (e *ConfigError) Error() string { return e.Err.Error() }
func (e *ConfigError) Unwrap() error { return e.Err }

// FindHome returns the home folder that environ names.
func FindHome(environ []string) (config.Home, error) {
	return config.FindHome(func(name string) string { return lookup(environ, name) })
}

func lookup(environ []string, name string) string {
	v := ""
	for _, e := range environ {
		if len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name {
			v = e[len(name)+1:]
		}
	}
	return v
}

// Start loads everything in the background and returns at once. ctx ends the
// loading and the plugins' start; Close ends what runs.
func (rt *Runtime) Start(ctx context.Context) {
	// Commands may have come before: they have the same end.
	context.AfterFunc(ctx, rt.cancel)
	ctx = rt.ctx
	turns := rt.bus.Subscribe()
	context.AfterFunc(ctx, turns.Close)
	rt.wg.Go(func() { rt.watchTurns(turns) })
	rt.wg.Go(func() { rt.watchTools(ctx) })
	rt.wg.Go(func() { rt.load(ctx) })
	rt.wg.Go(func() { rt.warmStore(ctx) })
}

// load runs the parts in order: configuration, log, built-in tools, model,
// plugins. What fails is said and the rest goes on.
func (rt *Runtime) load(ctx context.Context) {
	defer close(rt.settled)
	cfg := rt.loadConfig()
	rt.registerTools(cfg)
	rt.publishCommands()
	environ := rt.projectEnv(cfg)
	rt.env.Store(&environ)
	rt.configErr = rt.chooseModel(cfg, environ, rt.opt.Provider, rt.opt.Model)
	rt.loadOtherModels(cfg, environ)
	settings := pluginSettings(cfg, rt.opt.SafeMode)
	rt.sayNotices(cfg)
	rt.resumeAtStart(ctx)
	close(rt.configured)
	rt.agent.Warm()
	rt.startPlugins(ctx, settings, environ)
}

// loadConfig reads config.yaml and .env. A broken file is reported and the
// defaults are used.
func (rt *Runtime) loadConfig() *config.Config {
	cfg, err := config.Load(rt.opt.Home, rt.opt.Environ)
	if rt.opt.SafeMode || rt.opt.NoConfig {
		cfg, err = config.Safe(rt.opt.Home, rt.opt.Environ), nil
	}
	if tag := cfg.String("display", "language"); cfg.Has("display", "language") {
		if l, ok := locale.Parse(tag); ok {
			rt.lang.Store(uint32(l))
		}
	}
	rt.cfg.Store(cfg)
	rt.toolsChanged()
	rt.redact.Store(secret.NewRedactor(cfg.Environ()))
	rt.openLog(cfg)
	if err != nil {
		rt.notice(event.LevelError, "config", localised(err, rt.Lang()))
	}
	rt.bus.Emit(event.ConfigLoaded{
		Path: rt.opt.Home.Config(), Lang: rt.Lang().String(),
		Theme: cfg.String("display", "skin"), BusyMode: busyMode(cfg),
	})
	return cfg
}

// registerTools adds the built-in tools, before any plugin (decision D4).
func (rt *Runtime) registerTools(cfg *config.Config) {
	for _, register := range []func() error{
		func() error { return todo.Register(rt.tools) },
		func() error { return rt.registerMemory() },
		func() error { return rt.registerCommands(cfg) },
		func() error { return rt.registerDelegate(cfg) },
		rt.registerSkills,
		func() error { return sessionsearch.Register(rt.tools, sessionsearch.Deps{Store: rt.store}) },
		func() error {
			return files.Register(rt.tools, files.Deps{Dir: rt.opt.Dir, DirOf: rt.shellDir, Home: rt.opt.Home.Dir(), MaxChars: cfg.Int("file_read_max_chars"), Redact: rt.redactFile, Getenv: rt.getenv, CheckPython: rt.checkPython, Node: rt.node})
		},
	} {
		if err := register(); err != nil {
			rt.notice(event.LevelError, "tools", err.Error())
		}
	}
}

func (rt *Runtime) openLog(cfg *config.Config) {
	h, err := logfile.Open(logfile.Options{
		Dir: rt.opt.Home.Logs(), Redact: rt.redactText,
		Level: cfg.String("logging", "level"), Debug: config.Truthy(cfg.Getenv("HERMES_PLUGINS_DEBUG")),
		Failed: rt.logFailed,
	})
	if err != nil {
		rt.logFailed(err)
		return
	}
	if rt.opt.Debug != nil && config.Truthy(cfg.Getenv("HERMES_PLUGINS_DEBUG")) {
		rt.log.open(both{h, newDebugHandler(rt.opt.Debug)}, h)
		return
	}
	rt.log.open(h, h)
}

// logFailed says that the log cannot be written. Nothing else depends on it: a
// turn that gave an answer has not failed for that.
func (rt *Runtime) logFailed(err error) {
	rt.notice(event.LevelWarn, "log", locale.HomeNoLog.In(rt.Lang(), err))
}

// redactText takes secrets out of a text, unless security.redact_secrets is
// off.
func (rt *Runtime) redactText(s string) string {
	if cfg := rt.cfg.Load(); cfg != nil && !cfg.Bool("security", "redact_secrets") {
		return s
	}
	return rt.redact.Load().Redact(s)
}

func (rt *Runtime) notice(level, source, text string) {
	rt.bus.Emit(event.Notice{Level: level, Source: source, Text: text})
}

// startPlugins loads the plugins and waits for them.
func (rt *Runtime) startPlugins(ctx context.Context, settings plugins.Settings, environ []string) {
	m := plugins.New(plugins.Options{
		Home: rt.opt.Home.Dir(), Dir: rt.opt.Dir, Env: environ, Settings: settings,
		Bus: rt.bus, Tools: rt.tools, Lang: rt.Lang, Log: rt.logger(pluginLogger),
		Platform: platform, Version: rt.opt.Version, Redact: rt.redactText, Services: services{rt},
		SaveEnabled: func(key string, on bool) error {
			return rt.savePlugin(key, on)
		},
		OnCommandsChanged: rt.publishCommands,
	})
	rt.manager.Store(m)
	m.Start(ctx)
	select {
	case <-m.Settled():
	case <-ctx.Done():
	}
}

// platform is how plugins know the terminal program (contract: hooks get
// platform "cli").
const platform = "cli"

// localised returns the sentence of an error that has one in every language.
func localised(err error, lang locale.Lang) string {
	var l interface{ In(locale.Lang) string }
	if errors.As(err, &l) {
		return l.In(lang)
	}
	return err.Error()
}

// sayNotices shows the notices about settings that were found since the last call.
func (rt *Runtime) sayNotices(cfg *config.Config) {
	list := cfg.Notices()
	for _, n := range list[min(rt.noticed, len(list)):] {
		rt.notice(event.LevelWarn, "config", n.In(rt.Lang()))
	}
	rt.noticed = len(list)
}
