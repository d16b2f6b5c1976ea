package tool

import (
	"slices"
	"strings"
)

// defaultOff are the toolsets that are off until the user names them
// (contract/core §2.1).
var defaultOff = map[string]bool{
	"homeassistant": true, "spotify": true, "discord": true, "discord_admin": true,
	"video": true, "video_gen": true, "x_search": true,
}

// combined are the names that stand for several toolsets (contract/core §2.3).
var combined = map[string][]string{
	"debugging": {"terminal", "web", "file"},
	"safe":      {"web", "vision", "image_gen"},
	"search":    {"web"},
	"coding": {
		"file", "terminal", "web", "skills", "browser", "todo", "memory", "session_search", "clarify",
		"code_execution", "delegation", "vision",
	},
	"hermes-cli": {
		"terminal", "file", "code_execution", "web", "vision", "image_gen", "tts", "browser", "skills", "todo", "memory",
		"session_search", "clarify", "delegation", "cronjob", "computer_use", "kanban",
	},
}

// BuiltinToolset reports whether name is a toolset of ours, on its own or for
// several, or a word for all.
func BuiltinToolset(name string) bool {
	return name == "all" || name == "*" || combined[name] != nil || defaultOff[name] || slices.Contains(combined["hermes-cli"], name)
}

// DefaultToolsets are the built-in toolsets that are on without a choice of the
// user's, those that this program does not have included: the choice is shared
// with the reference, which has them.
func DefaultToolsets() []string { return slices.Clone(combined["hermes-cli"]) }

// ExpandToolsets replaces names that stand for several toolsets by those, and
// leaves out blanks around names and empty ones.
func ExpandToolsets(names []string) []string {
	out := []string{}
	for _, n := range names {
		n = strings.TrimSpace(n)
		switch list := combined[n]; {
		case n == "":
		case list != nil:
			out = append(out, list...)
		default:
			out = append(out, n)
		}
	}
	return out
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
