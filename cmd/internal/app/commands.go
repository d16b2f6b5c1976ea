package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
)

// builtin is a slash command of our own.
type builtin struct {
	name    string
	aliases []string
	group   string
	args    locale.Msg
	desc    locale.Msg
	// ui names what the view does itself; run is nil then.
	ui string
	// own marks a name that the reference does not have: a plugin's command
	// of that name wins, and ours stays reachable as /hermes-<name> (D43).
	own bool
	run func(rt *Runtime, ctx context.Context, args string) (commandOutput, error)
}

// commandOutput is what a slash command shows. pre keeps it verbatim.
type commandOutput struct {
	text string
	pre  bool
}

// Groups of the command list, as the reference names them.
const (
	groupSession = "Session"
	groupConfig  = "Configuration"
	groupTools   = "Tools & Skills"
	groupInfo    = "Info"
	groupExit    = "Exit"
)

func builtins() []builtin {
	return append(append(sessionCommands(), infoCommands()...), []builtin{
		{name: "help", group: groupInfo, desc: locale.CmdHelp, run: (*Runtime).cmdHelp},
		{name: "plugins", group: groupTools, desc: locale.CmdPlugins, run: (*Runtime).cmdPlugins},
		{name: "tools", group: groupTools, args: locale.CmdArgsTools, desc: locale.CmdTools, run: (*Runtime).cmdTools},
		{name: "skills", group: groupTools, desc: locale.CmdSkills, run: (*Runtime).cmdSkills},
		{name: "model", group: groupConfig, args: locale.CmdArgsModel, desc: locale.CmdModel, run: (*Runtime).cmdModel},
		{name: "reasoning", group: groupConfig, args: locale.CmdArgsReasoning, desc: locale.CmdReasoning, run: (*Runtime).cmdReasoning},
		{name: "use", group: groupTools, args: locale.CmdArgsUse, desc: locale.CmdUse, own: true, run: (*Runtime).cmdUse},
		{name: "yolo", group: groupConfig, desc: locale.CmdYolo, run: (*Runtime).cmdYolo},
		{name: "new", aliases: []string{"reset"}, group: groupSession, desc: locale.CmdNew, run: (*Runtime).cmdNew},
		{name: "rollback", group: groupSession, args: locale.CmdArgsRollback, desc: locale.CmdRollback, run: (*Runtime).cmdRollback},
		{name: "stop", group: groupSession, desc: locale.CmdStop, run: (*Runtime).cmdStop},
		{name: "clear", group: groupSession, desc: locale.CmdClear, ui: "clear"},
		{name: "copy", group: groupInfo, args: locale.UICmdCopyArgs, desc: locale.UICmdCopy, ui: "copy"},
		{name: "mouse", group: groupConfig, args: locale.UICmdMouseArgs, desc: locale.UICmdMouse, ui: "mouse", own: true},
		{name: "banner", group: groupInfo, desc: locale.UICmdBanner, ui: "banner", own: true},
		{name: "hooks", group: groupTools, desc: locale.CmdHooks, ui: "hooks", own: true},
		{name: "quit", aliases: []string{"exit"}, group: groupExit, desc: locale.CmdQuit, ui: "quit"},
	}...)
}

// allCommands returns every slash command, sorted by name, as completion shows them.
func (rt *Runtime) allCommands() []event.Command {
	lang := rt.Lang()
	var fromPlugins []event.Command
	if m := rt.manager.Load(); m != nil {
		fromPlugins = m.Commands()
	}
	taken := map[string]bool{}
	for _, c := range fromPlugins {
		taken[c.Name] = true
	}
	out := slices.Clone(fromPlugins)
	for _, b := range builtins() {
		name := b.name
		if b.own && taken[name] {
			name = "hermes-" + name
		}
		c := event.Command{Name: name, Aliases: b.aliases, Description: b.desc.In(lang), Group: b.group, UI: b.ui}
		if b.args != (locale.Msg{}) {
			c.Args = b.args.In(lang)
		}
		out = append(out, c)
	}
	for _, c := range out {
		taken[c.Name] = true
		for _, a := range c.Aliases {
			taken[a] = true
		}
	}
	out = append(out, rt.skillCommands(taken)...)
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func (rt *Runtime) publishCommands() {
	rt.bus.Emit(event.CommandsChanged{Commands: rt.allCommands()})
}

// Command runs a slash command line on a goroutine of its own; what it prints
// arrives as CommandDone.
func (rt *Runtime) Command(line string) {
	rt.goRun(func(ctx context.Context) { rt.runCommand(ctx, line) })
}

func (rt *Runtime) runCommand(ctx context.Context, line string) event.CommandDone {
	name, args, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "/"), " ")
	id := "cmd-" + strconv.FormatInt(rt.commandN.Add(1), 10)
	meta := event.Meta{Session: rt.agent.Session()}
	rt.bus.Emit(event.CommandStarted{Meta: meta, ID: id, Line: line})
	start := time.Now()
	out, owner, err := rt.dispatch(ctx, strings.ToLower(name), strings.TrimSpace(args))
	done := event.CommandDone{Meta: meta, ID: id, Line: line, Owner: owner, Text: out.text, Pre: out.pre, Ms: ms(time.Since(start))}
	if err != nil {
		done.Err = err.Error()
	}
	rt.bus.Emit(done)
	return done
}

// dispatch finds and runs a command: ours by name or alias, then a plugin's.
func (rt *Runtime) dispatch(ctx context.Context, name, args string) (out commandOutput, owner string, err error) {
	m := rt.manager.Load()
	for _, b := range builtins() {
		mine := name == b.name || slices.Contains(b.aliases, name) || (b.own && name == "hermes-"+b.name)
		if !mine || (b.own && name == b.name && m != nil && hasCommand(m.Commands(), name)) {
			continue
		}
		if b.run == nil {
			// The view carries it out; without a view there is nothing to do.
			return commandOutput{}, "", nil
		}
		out, err := b.run(rt, ctx, args)
		return out, "", err
	}
	if m != nil {
		if res, found := m.RunCommand(ctx, rt.agent.Session(), name, args); found {
			text := res.Output
			if text != "" && res.Text != "" && !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			out := commandOutput{text: text + res.Text}
			if res.Err != "" {
				return out, res.Owner, errors.New(res.Err)
			}
			return out, res.Owner, nil
		}
	}
	if rt.invokeSkill(name, args) {
		return commandOutput{}, "", nil
	}
	return commandOutput{}, "", rt.unknownCommand(name)
}

func hasCommand(list []event.Command, name string) bool {
	return slices.ContainsFunc(list, func(c event.Command) bool { return c.Name == name })
}

// unknownCommand never runs a near match: it names them.
func (rt *Runtime) unknownCommand(name string) error {
	var near []string
	for _, c := range rt.allCommands() {
		if name != "" && strings.HasPrefix(c.Name, name) {
			near = append(near, "/"+c.Name)
		}
	}
	if len(near) > 0 {
		return errors.New(locale.AmbiguousCmd.In(rt.Lang(), name, strings.Join(near, ", ")))
	}
	return errors.New(locale.UnknownCmd.In(rt.Lang(), name))
}

func (rt *Runtime) cmdHelp(context.Context, string) (commandOutput, error) {
	lang := rt.Lang()
	var b strings.Builder
	section := func(title string, keep func(event.Command) bool) {
		n := 0
		for _, c := range rt.allCommands() {
			if !keep(c) {
				continue
			}
			if n++; n == 1 {
				fmt.Fprintf(&b, "%s\n", title)
			}
			use := "/" + strings.TrimSpace(c.Name+" "+c.Args)
			from := ""
			if c.Owner != "" {
				from = "  (" + c.Owner + ")"
			}
			fmt.Fprintf(&b, "  %s%s%s\n", column(use, 29), c.Description, from)
		}
		if n == 0 {
			fmt.Fprintf(&b, "%s\n  %s\n", title, locale.HelpNoPlugin.In(lang))
		}
	}
	section(locale.HelpCommands.In(lang), func(c event.Command) bool { return c.Owner == "" })
	section(locale.HelpPlugins.In(lang), func(c event.Command) bool { return c.Owner != "" })
	b.WriteString(locale.HelpKeys.In(lang))
	return commandOutput{b.String(), true}, nil
}

func (rt *Runtime) cmdTools(ctx context.Context, args string) (commandOutput, error) {
	lang := rt.Lang()
	if words := strings.Fields(args); len(words) > 0 && words[0] != "list" {
		return rt.switchTools(words)
	}
	tools := rt.Tools(ctx)
	if len(tools) == 0 {
		return commandOutput{}, errors.New(locale.ToolsNone.In(lang))
	}
	var b strings.Builder
	sets, n := []string{}, 0
	bySet := map[string][]event.ToolInfo{}
	for _, t := range tools {
		if bySet[t.Toolset] == nil {
			sets = append(sets, t.Toolset)
		}
		bySet[t.Toolset] = append(bySet[t.Toolset], t)
		n++
	}
	fmt.Fprintf(&b, "%s\n", locale.ToolsHead.In(lang, n, len(sets)))
	for _, s := range sets {
		owner := ""
		if o := bySet[s][0].Owner; o != "" {
			owner = "  (" + locale.CmdPluginOf.In(lang, o) + ")"
		}
		fmt.Fprintf(&b, "  %s%s\n", s, owner)
		for _, t := range bySet[s] {
			desc := firstSentence(t.Description)
			if t.Hidden {
				desc = "[" + locale.ToolsHidden.In(lang, t.Why) + "] " + desc
			}
			fmt.Fprintf(&b, "    %-18s %s\n", t.Name, desc)
		}
	}
	return commandOutput{strings.TrimRight(b.String(), "\n"), true}, nil
}

// firstSentence is what a list shows of a description.
func firstSentence(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if i := strings.Index(s, ". "); i >= 0 {
		s = s[:i+1]
	}
	return s
}

// cmdNew begins a fresh session. The agent does that when the running turn
// has ended; the new id is known only then.
func (rt *Runtime) cmdNew(ctx context.Context, _ string) (commandOutput, error) {
	old := rt.agent.Session()
	sub := rt.bus.Subscribe()
	defer sub.Close()
	rt.agent.NewSession("")
	for batch := sub.Next(ctx); batch != nil; batch = sub.Next(ctx) {
		for _, e := range batch {
			if r, ok := e.(event.SessionReset); ok && r.Old == old {
				return commandOutput{text: locale.NewSession.In(rt.Lang(), r.Session)}, nil
			}
		}
	}
	return commandOutput{}, ctx.Err()
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
