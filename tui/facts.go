package tui

import (
	"hermes/agent/event"
	"hermes/tui/internal/live"
)

// Facts are what is known before anything is loaded: what the last run saw.
// They are small, hold no secret and can be kept as JSON. The zero value is a
// first run: what is not known reads "…" on the first frame.
type Facts struct {
	Model    string `json:"model,omitempty"`
	Provider string `json:"provider,omitempty"`
	Demo     bool   `json:"demo,omitempty"`
	Window   int    `json:"window,omitempty"` // tokens

	Tools    []FactTool   `json:"tools,omitempty"`
	Plugins  []FactPlugin `json:"plugins,omitempty"`
	Commands []FactCmd    `json:"commands,omitempty"`
	Lang     string       `json:"lang,omitempty"`
}

// FactTool is a tool by name, set and the plugin that it belongs to.
type FactTool struct {
	Toolset string `json:"toolset"`
	Name    string `json:"name"`
	Owner   string `json:"owner,omitempty"`
}

// FactPlugin is a plugin and the state it was in.
type FactPlugin struct {
	Key     string `json:"key"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	State   string `json:"state"`
	Example bool   `json:"example,omitempty"`
	Bundled bool   `json:"bundled,omitempty"`
}

// FactCmd is a slash command.
type FactCmd struct {
	Name        string   `json:"name"`
	Aliases     []string `json:"aliases,omitempty"`
	Args        string   `json:"args,omitempty"`
	Description string   `json:"description,omitempty"`
	Owner       string   `json:"owner,omitempty"`
	Group       string   `json:"group,omitempty"`
	UI          string   `json:"ui,omitempty"`
}

// seed puts the facts into a state. Plugins are shown as starting: whether
// they still load is not known yet.
func (f Facts) seed(s *live.State) {
	s.Model = live.Model{Name: f.Model, Provider: f.Provider, Demo: f.Demo, Window: f.Window}
	for _, t := range f.Tools {
		s.Tools = append(s.Tools, event.ToolInfo{Name: t.Name, Toolset: t.Toolset, Owner: t.Owner})
	}
	for _, c := range f.Commands {
		s.Commands = append(s.Commands, event.Command{Name: c.Name, Aliases: c.Aliases, Args: c.Args, Description: c.Description, Owner: c.Owner, Group: c.Group, UI: c.UI})
	}
	for _, p := range f.Plugins {
		state := p.State
		switch state {
		case event.PluginFound, event.PluginDisabled, event.PluginNeedsKey, event.PluginSkipped:
		default:
			state = event.PluginStarting
		}
		s.Plugins.Remember(event.Plugin{Key: p.Key, Name: p.Name, Version: p.Version, State: state, Example: p.Example, Bundled: p.Bundled})
	}
}

// factsOf is the opposite: what the next run may show at once.
func factsOf(s *live.State) Facts {
	f := Facts{Model: s.Model.Name, Provider: s.Model.Provider, Demo: s.Model.Demo, Window: s.Model.Window, Lang: s.Lang}
	for _, t := range s.Tools {
		if !t.Hidden {
			f.Tools = append(f.Tools, FactTool{t.Toolset, t.Name, t.Owner})
		}
	}
	for _, c := range s.Commands {
		f.Commands = append(f.Commands, FactCmd{c.Name, c.Aliases, c.Args, c.Description, c.Owner, c.Group, c.UI})
	}
	for _, p := range s.Plugins.Sorted() {
		f.Plugins = append(f.Plugins, FactPlugin{Key: p.Key, Name: p.Name, Version: p.Version, State: p.State, Example: p.Example, Bundled: p.Bundled})
	}
	return f
}
