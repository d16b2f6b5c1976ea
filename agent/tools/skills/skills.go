// Package skills are the tools with which the model lists, reads and keeps
// skills: skills_list, skill_view, skill_manage (contract/core §2.5, §9).
package skills

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"hermes/agent/event"
	"hermes/agent/skill"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Deps are what the tools need of the program.
type Deps struct {
	// Library returns where skills are found, as the settings say now.
	Library func() skill.Library
	// Plugin returns the skills of the plugin with this namespace, named
	// plugin:skill; nil means that no plugin has any.
	Plugin func(namespace string) []event.Skill
	// Expand fills in what a skill's text refers to; nil leaves it as it is.
	Expand func(ctx context.Context, s, dir, session string) string
	// Found is told of every skill that was seen, for warnings; nil means
	// nobody wants to know.
	Found func([]skill.Skill)

	writing *sync.Mutex
}

// Register adds the tools to reg.
func Register(reg *tool.Registry, d Deps) error {
	d.writing = new(sync.Mutex)
	if d.Plugin == nil {
		d.Plugin = func(string) []event.Skill { return nil }
	}
	if d.Expand == nil {
		d.Expand = func(_ context.Context, s, _, _ string) string { return s }
	}
	if d.Found == nil {
		d.Found = func([]skill.Skill) {}
	}
	for _, s := range []struct {
		name, description, parameters string
		parallel                      bool
		run                           func(Deps, context.Context, tool.Call) tool.Result
	}{
		{"skills_list", listDescription, listParameters, true, Deps.list},
		{"skill_view", viewDescription, viewParameters, true, Deps.view},
		{"skill_manage", manageDescription, manageParameters, false, Deps.manage},
	} {
		t := &one{spec: tool.Spec{
			Name: s.name, Toolset: "skills", Description: s.description, Emoji: "📚",
			Parameters: json.RawMessage(s.parameters), ParallelSafe: s.parallel,
		}, d: d, run: s.run}
		if _, err := reg.Add(t, false); err != nil {
			return fmt.Errorf("register %s: %w", s.name, err)
		}
	}
	return nil
}

type one struct {
	spec tool.Spec
	d    Deps
	run  func(Deps, context.Context, tool.Call) tool.Result
}

func (t *one) Spec() tool.Spec                          { return t.spec }
func (t *one) Available(context.Context) (bool, string) { return true, "" }

func (t *one) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	return t.run(t.d, ctx, c), nil
}

// refusal is how these tools say no.
type refusal struct {
	Success   bool     `json:"success"`
	Reason    string   `json:"error"`
	Available []string `json:"available_skills,omitempty"`
	Matches   []string `json:"matches,omitempty"`
	Files     any      `json:"available_files,omitempty"`
	Preview   string   `json:"file_preview,omitempty"`
	Hint      string   `json:"hint,omitempty"`
	Readiness string   `json:"readiness_status,omitempty"`
}

func refuse(format string, args ...any) tool.Result {
	return result.JSON(refusal{Reason: fmt.Sprintf(format, args...)})
}

func unmarshal(c tool.Call, into any) error {
	if err := json.Unmarshal(c.Args, into); err != nil {
		return fmt.Errorf("invalid arguments for %s: %w", c.Name, err)
	}
	return nil
}
