package plugins

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// reserved are the reference's built-in commands and their aliases (contract:
// plugins §8.4), the only ones that a plugin cannot take (decision D43).
var reserved = newSet(`agents approve background bg blueprint bp branch browser btw bundles busy
	clear codex-runtime codex_runtime commands compact compose compress config copy cron curator
	debug deny exit fast footer fork gateway generate-pet goal handoff hatch help history
	image indicator insights journey kanban learn learning memory memory-graph moa model
	new paste personality pet platform platforms plugins profile prompt q queue quit
	reasoning redraw reload reload-mcp reload-skills reload_mcp reload_skills reset restart resume retry rollback
	save sb sessions set-home sethome skills skin snap snapshot start status statusbar steer stop subgoal subscription
	suggest suggestions tasks timestamps title tools toolsets topic topup ts
	undo update upgrade usage v verbose version voice whoami yolo`)

func newSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// admitCommands leaves out what a plugin may not take.
func (m *Manager) admitCommands(r *record, list []bridge.Command, refused *refusals) []bridge.Command {
	var in []bridge.Command
	for _, c := range list {
		if reserved[c.Name] {
			m.log.Warn(fmt.Sprintf("Plugin '%s' tried to register command '/%s' which conflicts with a built-in command. Skipping.",
				r.found.Name, c.Name))
			note := m.text(locale.PluginCommandConflict, c.Name)
			refused.add(note, &event.PluginError{Type: "CommandConflict", Message: note, Where: "register"})
			continue
		}
		in = append(in, c)
	}
	return in
}

// command is c as lists show it.
func (r *record) command(c bridge.Command) event.Command {
	return event.Command{Name: c.Name, Args: c.ArgsHint, Description: c.Description, Owner: r.key, Group: r.info.Name}
}

// Commands returns the slash commands of all plugins, sorted by name. Where
// two plugins have one name, the later one has it.
func (m *Manager) Commands() []event.Command {
	m.mu.Lock()
	byName := map[string]event.Command{}
	for _, r := range m.records {
		for _, c := range r.commands {
			byName[c.Name] = r.command(c)
		}
	}
	m.mu.Unlock()
	out := make([]event.Command, 0, len(byName))
	for _, c := range byName {
		out = append(out, c)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// CommandLine returns the names of the commands that plugins have for the
// command line, sorted.
func (m *Manager) CommandLine() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := map[string]bool{}
	for _, r := range m.records {
		for _, c := range r.regs.CLI {
			names[c.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// owner returns the plugin that has a command, nil when none has.
func (m *Manager) owner(name string) *record {
	m.mu.Lock()
	defer m.mu.Unlock()
	var found *record
	for _, r := range m.records {
		for _, c := range r.commands {
			if c.Name == name {
				found = r
			}
		}
	}
	return found
}

// RunCommand calls the handler of a slash command and waits for it; rawArgs is
// what follows the command word. found is false when no plugin has the
// command.
func (m *Manager) RunCommand(ctx context.Context, session, name, rawArgs string) (result CommandResult, found bool) {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), "/"))
	r := m.owner(name)
	if r == nil {
		return CommandResult{}, false
	}
	out := CommandResult{Owner: r.key}
	var id uint64
	var res bridge.CommandResult
	proc, err := m.call(ctx, r, m.onBehalf(subject{Session: session}), rpc.Call{
		Method: bridge.MethodCommand, Lane: bridge.LaneInput(session),
		Params: bridge.CommandCall{Plugin: r.key, Name: name, Args: strings.TrimSpace(rawArgs)},
		Sent:   func(n uint64) { id = n },
	}, &res)
	if err != nil {
		if proc != nil && ctx.Err() != nil {
			m.giveUp(proc, r, id, "/"+name, false)
		}
		out.Err = commandError(err.Error())
		return out, true
	}
	if res.Missing {
		return CommandResult{}, false
	}
	out.Output = m.redact(ansi.Strip(res.Output))
	if res.Error != nil {
		e := m.failure(res.Error)
		m.log.Warn(fmt.Sprintf("Plugin command '/%s' failed: %s", name, e.Message), "plugin", r.key, "exc", e.Traceback)
		r.noteError(e)
		out.Err = commandError(e.Message)
		return out, true
	}
	if out.Text, err = proc.Fetch(res.Content, res.File); err != nil {
		out.Err = commandError(err.Error())
	}
	return out, true
}

// commandError is the reference's text (contract: plugins §8.2).
func commandError(text string) string { return "Plugin command error: " + text }
