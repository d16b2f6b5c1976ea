package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hermes/agent"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/themes"
)

// cmdConfig shows the settings that matter most, and where to change them.
func (rt *Runtime) cmdConfig(context.Context, string) (commandOutput, error) {
	lang, cfg := rt.Lang(), rt.cfg.Load()
	if cfg == nil {
		return commandOutput{}, errors.New(locale.LoadingConfig.In(lang))
	}
	i := rt.client.Load().Info()
	key := locale.ConfigKeyNone.In(lang)
	if m, ok, err := config.ResolveModel(cfg, rt.environ(), config.ModelFlags{Provider: rt.opt.Provider, Model: rt.opt.Model}); err == nil && ok && m.APIKey != "" {
		key = locale.ConfigKeySet.In(lang, m.Source)
	}
	set := rt.agentSettings()
	lines := []string{
		row(locale.ConfigFile, lang, config.Short(rt.opt.Home.Config())),
		row(locale.ConfigSecrets, lang, config.Short(rt.opt.Home.Env())),
		row(locale.StatusModel, lang, strings.TrimSpace(i.Model+" ("+i.Provider+")")),
		row(locale.StatusURL, lang, i.BaseURL),
		row(locale.ConfigKey, lang, key),
	}
	for _, k := range []string{"agent.max_turns", "approvals.mode", "terminal.timeout", "display.skin", "display.busy_input_mode", "compression.enabled"} {
		lines = append(lines, fmt.Sprintf("%-28s %s", k, cfg.String(k)))
	}
	var on []string
	for _, s := range rt.Toolsets() {
		if s.Enabled {
			on = append(on, s.Name)
		}
	}
	lines = append(lines, row(locale.ConfigToolsets, lang, strings.Join(on, ", ")))
	if set.MaxTurns != cfg.Int("agent.max_turns") {
		lines = append(lines, fmt.Sprintf("%-28s %d", "--max-turns", set.MaxTurns))
	}
	return commandOutput{strings.Join(append(lines, locale.ConfigHow.In(lang)), "\n"), true}, nil
}

// cmdBusy shows or sets what Enter does while a turn runs; it is kept.
func (rt *Runtime) cmdBusy(_ context.Context, args string) (commandOutput, error) {
	lang, cfg := rt.Lang(), rt.cfg.Load()
	switch args {
	case "", "status":
		if cfg == nil {
			return commandOutput{}, errors.New(locale.LoadingConfig.In(lang))
		}
		return commandOutput{text: locale.BusyNow.In(lang, busyMode(cfg))}, nil
	case agent.BusyQueue, agent.BusySteer, agent.BusyInterrupt:
	default:
		return commandOutput{}, errors.New(locale.BusyBad.In(lang, args))
	}
	if err := rt.saveSetting(args, "display", "busy_input_mode"); err != nil {
		return commandOutput{}, err
	}
	if err := rt.reloadConfig(); err != nil {
		return commandOutput{}, errors.New(localised(err, lang))
	}
	return commandOutput{text: locale.BusyNow.In(lang, args)}, nil
}

// cmdSkin lists the skins, or switches and keeps one.
func (rt *Runtime) cmdSkin(_ context.Context, name string) (commandOutput, error) {
	lang, cfg := rt.Lang(), rt.cfg.Load()
	if cfg == nil {
		return commandOutput{}, errors.New(locale.LoadingConfig.In(lang))
	}
	list := rt.skins()
	if name == "" {
		lines := []string{}
		for _, s := range list {
			mark := "  "
			if s == cfg.String("display.skin") {
				mark = "▸ "
			}
			lines = append(lines, mark+s)
		}
		return commandOutput{strings.Join(lines, "\n"), true}, nil
	}
	if !slices.Contains(list, name) {
		return commandOutput{}, errors.New(locale.SkinUnknown.In(lang, name, strings.Join(list, ", ")))
	}
	if err := rt.saveSetting(name, "display", "skin"); err != nil {
		return commandOutput{}, err
	}
	if err := rt.reloadConfig(); err != nil {
		return commandOutput{}, errors.New(localised(err, lang))
	}
	return commandOutput{text: locale.SkinNow.In(lang, name)}, nil
}

// skins are the names of the built-in skins, then those of the user's files.
func (rt *Runtime) skins() []string {
	out := themes.Names()
	entries, err := os.ReadDir(rt.opt.Home.Skins())
	if err != nil {
		return out // most homes have none
	}
	for _, e := range entries {
		name, yaml := strings.CutSuffix(e.Name(), ".yaml")
		if yaml && !slices.Contains(out, name) {
			out = append(out, filepath.Base(name))
		}
	}
	return out
}

func (rt *Runtime) cmdToolsets(context.Context, string) (commandOutput, error) {
	var b strings.Builder
	for _, s := range rt.Toolsets() {
		mark := "   "
		if s.Enabled {
			mark = "(*)"
		}
		fmt.Fprintf(&b, "%s %s [%s] - %s\n", mark, s.Name, locale.ToolsCount.In(rt.Lang(), len(s.Tools)), strings.Join(s.Tools, ", "))
	}
	return commandOutput{strings.TrimRight(b.String(), "\n"), true}, nil
}

// cmdReload reads config.yaml and .env again. Plugins keep the environment
// that their host began with.
func (rt *Runtime) cmdReload(context.Context, string) (commandOutput, error) {
	if err := rt.reloadConfig(); err != nil {
		return commandOutput{}, errors.New(localised(err, rt.Lang()))
	}
	return commandOutput{text: locale.ReloadDone.In(rt.Lang())}, nil
}

// reloadConfig takes over what the files say now, for everything that asks the
// settings at each turn, and tells the view. A broken file changes nothing.
func (rt *Runtime) reloadConfig() error {
	old := rt.cfg.Load()
	if old == nil {
		return nil
	}
	cfg, err := old.Reload()
	if err != nil {
		return err
	}
	rt.cfg.Store(cfg)
	rt.toolsChanged()
	rt.loadOtherModels(cfg, rt.environ())
	rt.bus.Emit(event.ConfigLoaded{
		Path: rt.opt.Home.Config(), Lang: rt.Lang().String(), Theme: cfg.String("display", "skin"), BusyMode: busyMode(cfg),
	})
	return nil
}

// switchTools carries out /tools enable|disable NAME…: kept, and in force from
// the next turn on.
func (rt *Runtime) switchTools(words []string) (commandOutput, error) {
	lang := rt.Lang()
	if len(words) < 2 || (words[0] != "enable" && words[0] != "disable") {
		return commandOutput{}, errors.New(locale.ToolsHow.In(lang))
	}
	done, on := locale.ToolsOnDone, words[0] == "enable"
	if !on {
		done = locale.ToolsOffDone
	}
	changed, err := rt.SwitchToolsets(words[1:], on)
	if errors.Is(err, ErrNoToolset) {
		_, names, _ := strings.Cut(err.Error(), ": ")
		return commandOutput{}, errors.New(locale.ToolsNoSet.In(lang, names))
	}
	if err != nil {
		return commandOutput{}, err
	}
	if len(changed) == 0 {
		return commandOutput{text: locale.ToolsAlready.In(lang, strings.Join(words[1:], ", "))}, nil
	}
	if err := rt.reloadConfig(); err != nil {
		return commandOutput{}, errors.New(localised(err, lang))
	}
	return commandOutput{text: done.In(lang, strings.Join(changed, ", "))}, nil
}
