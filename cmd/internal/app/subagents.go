package app

import (
	"path/filepath"

	"hermes/agent"
	"hermes/agent/config"
	"hermes/agent/tools/delegate"
)

// registerDelegate adds the tool that runs sub-agents.
func (rt *Runtime) registerDelegate(cfg *config.Config) error {
	return delegate.Register(rt.tools, delegate.Deps{
		Agents: rt.agent, MaxChildren: cfg.Int("delegation", "max_concurrent_children"), MaxTurns: cfg.Int("delegation", "max_iterations"),
		Timeout: cfg.Duration("delegation", "child_timeout_seconds"), Dir: rt.opt.Home.Cached("delegation"), Log: rt.logger("delegate"),
	})
}

// childOver ends what a sub-agent left running.
func (rt *Runtime) childOver(session string) {
	rt.commands.procs.EndSession(session)
	rt.gate.Forget(session)
	if t := rt.commands.term.Load(); t != nil {
		t.Forget(session)
	}
}

// promptSettings reads what the system prompt depends on.
func (rt *Runtime) promptSettings(cfg *config.Config) agent.PromptSettings {
	off := func(path ...string) bool { return cfg.Has(path...) && !cfg.Bool(path...) }
	p := agent.PromptSettings{
		NoWorkspace:   cfg.String("agent", "coding_context") == "off" || off("agent", "coding_context"),
		NoFinish:      off("agent", "task_completion_guidance"),
		NoBatch:       off("agent", "parallel_tool_call_guidance"),
		MemoryLimit:   cfg.Int("memory", "memory_char_limit"),
		UserLimit:     cfg.Int("memory", "user_char_limit"),
		PassSessionID: rt.opt.PassSessionID,
		HintAdd:       cfg.String("platform_hints", platform, "append"),
		HintInstead:   cfg.String("platform_hints", platform, "replace"),
	}
	if off("memory", "memory_enabled") {
		p.MemoryLimit = -1
	}
	if off("memory", "user_profile_enabled") {
		p.UserLimit = -1
	}
	if dir := rt.opt.Home.Dir(); filepath.Base(filepath.Dir(dir)) == "profiles" {
		p.Profile = filepath.Base(dir)
	}
	return p
}
