package app

import (
	"context"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/secret"
)

// SetEnv keeps a variable in ~/.hermes/.env, whose other lines stay, and loads
// the plugins anew with it.
func (rt *Runtime) SetEnv(name, value string) {
	rt.goRun(func(ctx context.Context) {
		if err := config.SetEnv(rt.opt.Home, name, value); err != nil {
			rt.notice(event.LevelError, "config", locale.UIKeyNotSaved.In(rt.Lang(), name, err))
			return
		}
		// From here on the value is one that nothing prints.
		if cfg, err := config.Load(rt.opt.Home, rt.opt.Environ); err == nil {
			rt.redact.Store(secret.NewRedactor(append(cfg.Environ(), name+"="+value)))
		}
		rt.notice(event.LevelInfo, "config", locale.UIKeySaved.In(rt.Lang(), name, rt.opt.Home.Env()))
		m := rt.manager.Load()
		if m == nil {
			return
		}
		if err := m.SetEnv(ctx, name, value); err != nil {
			rt.notice(event.LevelError, "plugins", localised(err, rt.Lang()))
			return
		}
		if !rt.agent.Busy() {
			m.TurnBoundary()
		}
	})
}
