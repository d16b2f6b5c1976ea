package agent

import (
	"strings"

	"hermes/agent/prompt"
)

// buildSystem makes the system prompt: at the session's first turn, and again
// when another model answers.
func (t *turn) buildSystem() {
	model := t.info.Provider + "\x00" + t.info.Model
	if t.s.system != "" && t.s.model == "" && namesModel(t.s.system, t.info.Model, t.info.Provider) {
		t.s.model = model // stored by an earlier run, for the same model
	}
	if t.s.system != "" && t.s.model == model {
		return
	}
	if t.s.began.IsZero() {
		t.s.began = t.a.o.Now()
	}
	t.s.model = model
	t.s.system = t.a.o.SystemPrompt(prompt.Input{
		Home: t.a.o.Home, Dir: t.a.o.Dir, Model: t.info.Model, Provider: t.info.Provider,
		Platform: t.a.o.Platform, Started: t.s.began, Window: t.window(), HasTools: len(t.offer.defs) > 0,
		Custom: t.set.CustomPrompt, Enforce: t.set.Enforce, NoRules: t.set.NoRules,
	})
}

// window is the model's context window in tokens, 0 when unknown.
func (t *turn) window() int {
	if t.learned > 0 {
		return t.learned
	}
	if t.set.ContextWindow > 0 {
		return t.set.ContextWindow
	}
	return t.info.Window
}

// relabel is a system prompt with the names of another model in its last
// lines: the rest stays, byte for byte (contract/core §1.6).
func relabel(system, model, provider string) string {
	for _, l := range [][2]string{{"Model: ", model}, {"Provider: ", provider}} {
		i := strings.LastIndex("\n"+system, "\n"+l[0])
		if i < 0 {
			continue
		}
		_, rest, more := strings.Cut(system[i:], "\n")
		if more {
			rest = "\n" + rest
		}
		system = system[:i] + l[0] + l[1] + rest
	}
	return system
}
