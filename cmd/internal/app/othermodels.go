package app

import (
	"fmt"

	"hermes/agent"
	"hermes/agent/compress"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
)

// auxSection is the section below auxiliary for the agent's side work, "" for
// work that has none.
func auxSection(task string) string {
	switch task {
	case "compression":
		return "compression"
	case "title":
		return "title_generation"
	}
	return ""
}

// otherModels are the models beside the one that answers. They are made once,
// when the configuration is known; none is asked before it has work.
type otherModels struct {
	fallbacks []llm.Client
	aux       map[string]llm.Client // by task; a task without an entry is the main model's
}

// loadOtherModels reads fallback_providers and auxiliary. What cannot be used
// is said, and left out.
func (rt *Runtime) loadOtherModels(cfg *config.Config, environ []string) {
	others := &otherModels{aux: map[string]llm.Client{}}
	defer rt.others.Store(others)
	bad := func(err error) {
		rt.notice(event.LevelWarn, "model", locale.ModelLeftOut.In(rt.Lang(), localised(err, rt.Lang())))
	}
	chain, errs := config.Fallbacks(cfg, environ)
	for _, err := range errs {
		bad(err)
	}
	for _, m := range chain {
		c, err := rt.newClient(m)
		if err != nil {
			bad(err)
			continue
		}
		others.fallbacks = append(others.fallbacks, c)
	}
	for _, task := range []string{"compression", "title"} {
		section := auxSection(task)
		m, ok, err := config.ModelAt(cfg, environ, "auxiliary", section)
		var c llm.Client
		if ok && err == nil {
			c, err = rt.newClient(m)
		}
		switch {
		case err != nil:
			bad(fmt.Errorf("auxiliary.%s: %w", section, err))
		case ok:
			others.aux[task] = c
		}
	}
}

// fallbacks are the models that stand in for the one that answers. The demo
// model needs none.
func (rt *Runtime) fallbacks() []llm.Client {
	if o := rt.others.Load(); o != nil && !rt.Demo() {
		return o.fallbacks
	}
	return nil
}

// aux is the model for side work, nil for the one that answers.
func (rt *Runtime) aux(task string) llm.Client {
	if o := rt.others.Load(); o != nil {
		return o.aux[task] // nil when it has no entry
	}
	return nil
}

// modelSettings reads what config.yaml and the flags say about requests.
func (rt *Runtime) modelSettings(cfg *config.Config, s *agent.Settings) {
	s.ToolChoice = rt.opt.ToolChoice
	if s.ToolChoice == "" {
		s.ToolChoice = cfg.String("model", "tool_choice")
	}
	if e := rt.effort.Load(); e != nil {
		s.Effort = *e
	}
	// One question from the command line is over before a title could come.
	s.Titles = rt.opt.Interactive && cfg.Bool("auxiliary.title_generation.enabled")
	s.NoMutationFooter = !cfg.Bool("display.file_mutation_verifier")
	s.Compression = agent.Compression{
		Settings: compress.Settings{
			Threshold: cfg.Float("compression.threshold"), TargetRatio: cfg.Float("compression.target_ratio"),
			ProtectFirst: cfg.Int("compression.protect_first_n"), ProtectLast: cfg.Int("compression.protect_last_n"),
		},
		Off: !cfg.Bool("compression.enabled"), AbortOnFailure: cfg.Bool("compression.abort_on_summary_failure"),
	}
}
