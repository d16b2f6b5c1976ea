package drive

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/agent/event"
	"hermes/agent/tool"
	"hermes/cmd/internal/app"
	"hermes/tui/composer/slash"
)

// RunGroup runs the steps of the job at jobPath in this process, on one
// runtime, and keeps the observation at obsPath up to date.
func RunGroup(ctx context.Context, opt app.Options, jobPath, obsPath string) error {
	job, err := readJob(jobPath)
	if err != nil {
		return err
	}
	g := &group{rt: app.New(opt), dir: opt.Dir}
	g.watch = newWatch(g.rt, opt.Home.Logs())
	g.rt.Start(ctx)
	obs := observation{}
	for _, s := range job.Drive {
		start := time.Now()
		f := g.step(ctx, s)
		f["do"], f["seconds"], f["warnings"] = s.Do, round(time.Since(start), 3), g.watch.since(ctx)
		obs.Steps = append(obs.Steps, f)
		if err := obs.write(obsPath); err != nil {
			return err
		}
	}
	err = g.rt.Close()
	obs.Alive = true
	if writeErr := obs.write(obsPath); err == nil {
		err = writeErr
	}
	return err
}

// group is a runtime that steps share.
type group struct {
	rt    *app.Runtime
	watch *watch
	dir   string
	noMCP bool // an mcp step came: what rests on it is not supported either
}

func (g *group) step(ctx context.Context, s Step) fields {
	kinds := map[string]func(context.Context, Step) fields{
		"load": g.load, "tool": g.tool, "slash": g.slash, "complete": g.complete, "skill": g.skill, "skills": g.skills,
		"env": g.env, "redact": g.redact, "sleep": g.sleep,
	}
	run := kinds[s.Do]
	if s.Do == "mcp" {
		g.noMCP = true
	}
	if run == nil || (g.noMCP && s.Do == "tool" && strings.HasPrefix(s.Name, "mcp__")) {
		return fields{"unsupported": true}
	}
	// What is wrong with the configuration is a warning of the step.
	_ = g.rt.WaitSettled(ctx)
	return run(ctx, s)
}

func (g *group) tool(ctx context.Context, s Step) fields {
	args := s.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	return toolFields(g.rt.CallTool(ctx, s.Name, args).Result, 20000)
}

// toolFields is the result of a tool call, of which kept characters are shown.
func toolFields(result string, kept int) fields {
	f := fields{"result": head(result, kept), "chars": utf8.RuneCountInString(result), "json": nil}
	var v any
	if len(result) < 200_000 && json.Unmarshal([]byte(result), &v) == nil {
		f["json"] = v
	}
	return f
}

func (g *group) slash(ctx context.Context, s Step) fields {
	done := g.rt.RunCommand(ctx, s.Line)
	out := done.Text
	if done.Err != "" {
		if out != "" {
			out += "\n"
		}
		out += done.Err
	}
	return fields{"output": out, "stdout": ""}
}

// maxCompletions is how many completions are observed.
const maxCompletions = 50

func (g *group) complete(_ context.Context, s Step) fields {
	items := []string{}
	if name, args, ok := slash.Parse(s.Text); ok && args == "" {
		for _, c := range slash.Complete(g.rt.Commands(), name) {
			items = append(items, c.Name)
		}
	}
	return fields{"items": items[:min(len(items), maxCompletions)]}
}

// has reports whether a built-in tool is there: without it, a step that rests
// on it is not supported.
func (g *group) has(name string) bool {
	for _, s := range g.rt.Specs() {
		if s.Name == name {
			return true
		}
	}
	return false
}

func (g *group) skill(ctx context.Context, s Step) fields {
	if !g.has("skill_view") {
		return fields{"unsupported": true}
	}
	in := map[string]string{"name": s.Name}
	if s.FilePath != "" {
		in["file_path"] = s.FilePath
	}
	args, err := json.Marshal(in)
	if err != nil {
		return fields{"raised": "error", "message": err.Error()}
	}
	f := toolFields(g.rt.CallTool(ctx, "skill_view", args).Result, 6000)
	if m, ok := f["json"].(map[string]any); ok {
		if text, ok := m["content"].(string); ok {
			m["content"] = head(text, 2000)
		}
	}
	return f
}

func (g *group) skills(ctx context.Context, _ Step) fields {
	if !g.has("skills_list") {
		return fields{"unsupported": true}
	}
	result := g.rt.CallTool(ctx, "skills_list", json.RawMessage("{}")).Result
	var list struct {
		Skills []struct {
			Name string `json:"name"`
		} `json:"skills"`
	}
	names := []string{}
	if json.Unmarshal([]byte(result), &list) == nil {
		for _, s := range list.Skills {
			names = append(names, s.Name)
		}
	}
	return fields{"names": names, "raw": head(result, 4000)}
}

func (g *group) env(_ context.Context, s Step) fields {
	environ := g.watch.hostEnviron()
	if environ == nil {
		environ = g.rt.Environ()
	}
	values := map[string]any{}
	for _, key := range s.Keys {
		values[key] = nil
		if v, ok := lookup(environ, key); ok {
			values[key] = v
		}
	}
	return fields{"values": values}
}

// lookup finds a variable; the last entry of a name wins.
func lookup(environ []string, name string) (string, bool) {
	for _, e := range slices.Backward(environ) {
		if len(e) > len(name) && e[len(name)] == '=' && e[:len(name)] == name {
			return e[len(name)+1:], true
		}
	}
	return "", false
}

func (g *group) redact(_ context.Context, s Step) fields { return fields{"text": g.rt.Redact(s.Text)} }

func (g *group) sleep(ctx context.Context, s Step) fields {
	t := time.NewTimer(seconds(s.Seconds))
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
	return fields{}
}

func (g *group) load(ctx context.Context, _ Step) fields {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = g.dir
	}
	plugins, bundled, skills := map[string]fields{}, map[string]bool{}, []string{}
	for _, p := range g.rt.Plugins() {
		if p.Bundled || p.Example {
			bundled[p.Key] = true
			continue
		}
		plugins[p.Key] = pluginFields(p)
		for _, skill := range p.Skills {
			skills = append(skills, skill.Name)
		}
	}
	tools, sent := g.offered(ctx, bundled)
	commands := map[string]fields{}
	for _, c := range g.rt.Commands() {
		if c.Owner != "" && !bundled[c.Owner] {
			commands[c.Name] = fields{"description": c.Description, "plugin": c.Owner}
		}
	}
	return fields{
		"plugins": plugins, "tools": tools, "sent": sent, "commands": commands,
		"cli_commands": append([]string{}, g.rt.CommandLine()...), "skills": skills, "cwd": cwd,
	}
}

func pluginFields(p event.Plugin) fields {
	tools, commands := []string{}, []string{}
	for _, t := range p.Tools {
		tools = append(tools, t.Name)
	}
	for _, c := range p.Commands {
		commands = append(commands, c.Name)
	}
	slices.Sort(tools)
	slices.Sort(commands)
	f := fields{
		"name": p.Name, "version": p.Version, "description": p.Description, "kind": p.Kind, "source": p.Source,
		"enabled": p.State == event.PluginOK || p.State == event.PluginPartial, "error": nil,
		"tools": tools, "hooks": append([]string{}, p.Hooks...), "commands": commands,
	}
	if why := reason(p); why != "" && p.State != event.PluginOK {
		f["error"] = why
	}
	return f
}

// reason is what the panel says about a plugin that is not loaded, or not whole.
func reason(p event.Plugin) string {
	why := p.Reason
	if e := p.Error; e != nil && !strings.HasPrefix(why, e.Message) {
		if why != "" {
			why += "\n"
		}
		why += e.Message
	}
	return why
}

// offered are the plugins' tools, and their definitions as a model gets them:
// of those that their check lets through.
func (g *group) offered(ctx context.Context, bundled map[string]bool) (tools map[string]fields, sent []any) {
	hidden := map[string]bool{}
	for _, t := range g.rt.Tools(ctx) {
		hidden[t.Name] = t.Hidden
	}
	tools, sent = map[string]fields{}, []any{}
	for _, s := range g.rt.Specs() {
		if s.Owner == "" || bundled[s.Owner] {
			continue
		}
		tools[s.Name] = fields{"toolset": s.Toolset, "description": s.Description}
		if !hidden[s.Name] {
			sent = append(sent, fields{"type": "function", "function": tool.Define(s).Schema})
		}
	}
	return tools, sent
}
