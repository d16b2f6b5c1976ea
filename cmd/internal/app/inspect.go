package app

import (
	"context"
	"slices"
	"strings"

	"hermes/agent"
	"hermes/agent/event"
	"hermes/agent/tool"
)

// What follows lets commands look into a running program; the screen learns
// the same from events.

// Plugins returns the record of every plugin, in load order.
func (rt *Runtime) Plugins() []event.Plugin {
	if m := rt.manager.Load(); m != nil {
		return m.List()
	}
	return nil
}

// Commands returns every slash command, as completion lists them.
func (rt *Runtime) Commands() []event.Command { return rt.allCommands() }

// CommandLine returns the names of the commands that plugins have for the
// command line.
func (rt *Runtime) CommandLine() []string {
	if m := rt.manager.Load(); m != nil {
		return m.CommandLine()
	}
	return nil
}

// Specs returns every tool that is registered, in the registry's order.
func (rt *Runtime) Specs() []tool.Spec {
	all := rt.tools.All()
	out := make([]tool.Spec, 0, len(all))
	for _, t := range all {
		out = append(out, t.Spec())
	}
	return out
}

// RunCommand runs a slash command line and waits for what it prints.
func (rt *Runtime) RunCommand(ctx context.Context, line string) event.CommandDone {
	return rt.runCommand(ctx, line)
}

// Redact takes secrets out of a text, as it is done before one is shown.
func (rt *Runtime) Redact(text string) string { return rt.redactText(text) }

// Environ is the environment that the plugin host is started with.
func (rt *Runtime) Environ() []string { return slices.Clone(rt.environ()) }

// FlushLog waits until everything that was logged is in the files.
func (rt *Runtime) FlushLog(ctx context.Context) error { return rt.log.flush(ctx) }

// UnknownToolsets returns those of the toolsets asked for that do not exist.
// Toolsets of plugins are known once the plugins have loaded.
func (rt *Runtime) UnknownToolsets() []string {
	var out []string
	for _, name := range rt.opt.Toolsets {
		name = strings.TrimSpace(name)
		if name == "" || tool.BuiltinToolset(name) || slices.ContainsFunc(rt.Specs(), func(s tool.Spec) bool { return s.Toolset == name }) {
			continue
		}
		out = append(out, name)
	}
	return out
}

// Preview is what the next request would carry before the user's text.
func (rt *Runtime) Preview(ctx context.Context) (agent.Preview, error) { return rt.agent.Preview(ctx) }
