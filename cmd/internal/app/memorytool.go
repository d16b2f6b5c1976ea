package app

import "hermes/agent/tools/memory"

// registerMemory adds the tool that keeps notes between sessions.
func (rt *Runtime) registerMemory() error {
	return memory.Register(rt.tools, memory.Deps{
		Dir: rt.opt.Home.Memories(), Lang: rt.Lang,
		Settings: func() memory.Settings {
			cfg := rt.cfg.Load()
			p := rt.promptSettings(cfg)
			return memory.Settings{NotesLimit: p.MemoryLimit, UserLimit: p.UserLimit, Ask: cfg.Bool("memory", "write_approval")}
		},
	})
}
