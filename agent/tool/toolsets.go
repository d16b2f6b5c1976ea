package tool

import "strings"

// defaultOff are the toolsets that are off until the user names them
// (contract/core §2.1).
var defaultOff = map[string]bool{
	"homeassistant": true, "spotify": true, "discord": true, "discord_admin": true,
	"video": true, "video_gen": true, "x_search": true,
}

// Selection says which toolsets the model is offered.
type Selection struct {
	// Only, when not nil, names the toolsets of this session (--toolsets);
	// "all" and "*" mean every one. Nothing else counts then.
	Only []string
	// Platform, when not nil, is platform_toolsets.<platform>.
	Platform []string
	// Known is known_plugin_toolsets.<platform>: plugin toolsets that the user
	// has seen, and switched off when Platform lacks them.
	Known []string
	// Disabled is agent.disabled_toolsets.
	Disabled []string
}

// Offers reports whether the tools of a toolset are offered. plugin says that
// the tool belongs to a plugin: plugin toolsets are on by default
// (contract/plugins §7.6).
func (s Selection) Offers(toolset string, plugin bool) bool {
	if s.Only != nil {
		return named(s.Only, toolset)
	}
	if named(s.Disabled, toolset) {
		return false
	}
	if named(s.Platform, toolset) {
		return true
	}
	if defaultOff[toolset] {
		return false
	}
	if plugin {
		return !named(s.Known, toolset)
	}
	// Without a choice of the user's, or with the name that stands for the
	// default set, built-in toolsets are on.
	return s.Platform == nil || named(s.Platform, "hermes-cli")
}

func named(list []string, toolset string) bool {
	for _, n := range list {
		switch n = strings.TrimSpace(n); n {
		case toolset, "all", "*":
			return true
		}
	}
	return false
}
