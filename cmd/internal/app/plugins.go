package app

import (
	"context"
	"errors"
	"time"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/plugins"
	"hermes/plugins/manifest"
)

// Status words of `hermes plugins list` (contract/plugins §10.4).
const (
	StatusEnabled    = "enabled"
	StatusNotEnabled = "not enabled"
	StatusDisabled   = "disabled"
)

// PluginRow is one line of `hermes plugins list`. The first five fields are
// the reference's.
type PluginRow struct {
	Name        string `json:"name"`
	Status      string `json:"status"`
	Version     string `json:"version"`
	Description string `json:"description"`
	Source      string `json:"source"`
	Key         string `json:"key"`
	Problem     string `json:"problem,omitempty"`
}

// ErrNoPlugin says that no plugin of that name was found.
var ErrNoPlugin = errors.New("no such plugin")

// discover finds every plugin without running any.
func discover(opt Options) ([]manifest.Found, *config.Config, error) {
	cfg, err := loadFor(opt)
	if err != nil {
		return nil, nil, err
	}
	found, err := plugins.Discover(plugins.Options{
		Home: opt.Home.Dir(), Dir: opt.Dir, Env: cfg.Environ(), Settings: pluginSettings(cfg, opt.SafeMode),
		Version: opt.Version, Lang: func() locale.Lang { return opt.Lang },
	})
	return found, cfg, err
}

func loadFor(opt Options) (*config.Config, error) {
	if opt.SafeMode || opt.NoConfig {
		return config.Safe(opt.Home, opt.Environ), nil
	}
	cfg, err := config.Load(opt.Home, opt.Environ)
	if err != nil {
		return nil, &ConfigError{err}
	}
	return cfg, nil
}

// ListPlugins lists every plugin without starting Python.
func ListPlugins(opt Options) ([]PluginRow, error) {
	found, _, err := discover(opt)
	if err != nil {
		return nil, err
	}
	rows := make([]PluginRow, 0, len(found))
	for _, f := range found {
		rows = append(rows, PluginRow{
			Name: f.Name, Status: manifest.StatusWord(f), Version: f.Version, Description: f.Description,
			Source: manifest.SourceWord(f), Key: f.Key, Problem: f.Reason,
		})
	}
	return rows, nil
}

// SwitchPlugin writes the choice to config.yaml. name may be a key, a manifest
// name, or the last part of a nested key when only one plugin has it. It
// returns ErrNoPlugin when nothing of that name exists.
func SwitchPlugin(opt Options, name string, on bool) (key string, changed bool, err error) {
	found, _, err := discover(opt)
	if err != nil {
		return "", false, err
	}
	key, ok := manifest.Resolve(found, name)
	if !ok {
		return "", false, ErrNoPlugin
	}
	want := StatusDisabled
	if on {
		want = StatusEnabled
	}
	for _, f := range found {
		if f.Key != key {
			continue
		}
		if manifest.StatusWord(f) == want {
			return key, false, nil
		}
		name = f.Name
	}
	return key, true, config.SetPluginEnabled(opt.Home, key, on, name)
}

// savePlugin writes the choice to config.yaml. A list may name a plugin by its
// key or by its name; both are settled.
func (rt *Runtime) savePlugin(key string, on bool) error {
	name := key
	if p, ok := rt.Plugin(key); ok {
		name = p.Name
	}
	return config.SetPluginEnabled(rt.opt.Home, key, on, name)
}

// Plugin returns the record of the plugin that name means.
func (rt *Runtime) Plugin(name string) (event.Plugin, bool) {
	m := rt.manager.Load()
	if m == nil {
		return event.Plugin{}, false
	}
	return m.Get(name)
}

// listWait is how long /plugins waits for plugins that still load: what they
// register is what it is asked for. After that it shows them as starting.
const listWait = 5 * time.Second

// cmdPlugins prints the list of decision D12.
func (rt *Runtime) cmdPlugins(ctx context.Context, _ string) (commandOutput, error) {
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	_ = rt.WaitSettled(ctx) // what is wrong with the configuration was said at the start
	m := rt.manager.Load()
	if m == nil {
		return commandOutput{}, errors.New(locale.StillLoading.In(rt.Lang()))
	}
	return commandOutput{text: manifest.Lines(m.List(), rt.opt.Home.Plugins()), pre: true}, nil
}
