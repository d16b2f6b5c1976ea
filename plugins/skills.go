package plugins

import (
	"hermes/agent/event"
	"hermes/plugins/internal/bridge"
)

// skillsOf are the skills of a plugin as its row shows them.
func skillsOf(list []bridge.Skill) []event.Skill {
	var out []event.Skill
	for _, s := range list {
		out = append(out, event.Skill{Name: s.Name, Description: s.Description, Path: s.Path})
	}
	return out
}
