package plugins

import (
	"hermes/agent/event"
	"hermes/plugins/internal/bridge"
)

// SkillSet is what one plugin brings along, as skill_view serves it.
type SkillSet struct {
	Plugin string // the namespace: the plugin's name, not its key
	// Disabled says that the plugin is there and switched off.
	Disabled bool
	Skills   []event.Skill // in the order of their registration
}

// Skills returns the skills of the plugins of that name; found is false when
// there is no such plugin. One that registered none has an empty set.
func (m *Manager) Skills(namespace string) (set SkillSet, found bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	set.Plugin = namespace
	disabled := true
	for _, r := range m.records {
		if r.info.Name != namespace {
			continue
		}
		found = true
		disabled = disabled && r.info.State == event.PluginDisabled
		set.Skills = append(set.Skills, r.info.Skills...)
	}
	set.Disabled = found && disabled
	return set, found
}

func skillsOf(list []bridge.Skill) []event.Skill {
	var out []event.Skill
	for _, s := range list {
		out = append(out, event.Skill{Name: s.Name, Description: s.Description, Path: s.Path})
	}
	return out
}
