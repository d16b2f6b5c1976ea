package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hermes/agent/config"
	"hermes/agent/locale"
)

// cmdUse sends a prompt that the model has to answer with a call of one tool.
func (rt *Runtime) cmdUse(ctx context.Context, args string) (commandOutput, error) {
	lang := rt.Lang()
	name, prompt, _ := strings.Cut(args, " ")
	if prompt = strings.TrimSpace(prompt); name == "" || prompt == "" {
		return commandOutput{}, errors.New(locale.UseHow.In(lang))
	}
	select { // a plugin may still bring it
	case <-rt.settled:
	case <-ctx.Done():
		return commandOutput{}, ctx.Err()
	}
	var near []string
	for _, t := range rt.Tools(ctx) {
		switch {
		case t.Name == name && t.Hidden:
			return commandOutput{}, errors.New(locale.UseHidden.In(lang, name, t.Why))
		case t.Name == name:
			rt.agent.Use(name, prompt)
			return commandOutput{}, nil
		case strings.Contains(t.Name, strings.ToLower(name)):
			near = append(near, t.Name)
		}
	}
	if len(near) > 0 {
		return commandOutput{}, errors.New(locale.UseNear.In(lang, name, strings.Join(near, ", ")))
	}
	return commandOutput{}, errors.New(locale.UseUnknown.In(lang, name))
}

// cmdReasoning shows or sets how hard the model thinks: for this session, with
// --global for good.
func (rt *Runtime) cmdReasoning(_ context.Context, args string) (commandOutput, error) {
	lang := rt.Lang()
	level, global := "", false
	for _, w := range strings.Fields(strings.ToLower(args)) {
		switch {
		case w == "--global":
			global = true
		case level == "" && slices.Contains(config.Efforts(), w):
			level = w
		default:
			return commandOutput{}, errors.New(locale.ReasoningBad.In(lang, w))
		}
	}
	if level == "" {
		return commandOutput{text: locale.ReasoningNow.In(lang, rt.effortText())}, nil
	}
	if global {
		if err := rt.saveSetting(level, "agent", "reasoning_effort"); err != nil {
			return commandOutput{}, err
		}
	}
	rt.effort.Store(&level)
	if global {
		return commandOutput{text: locale.ReasoningSaved.In(lang, level, rt.opt.Home.Config())}, nil
	}
	return commandOutput{text: locale.ReasoningSet.In(lang, level)}, nil
}

// saveSetting writes a value into config.yaml.
func (rt *Runtime) saveSetting(value string, path ...string) error {
	v, err := config.ParseSetting(value)
	if err != nil {
		return err
	}
	return config.SetKey(rt.opt.Home, path, v)
}

func (rt *Runtime) effortText() string {
	if e := rt.effort.Load(); e != nil {
		return *e
	}
	if cfg := rt.cfg.Load(); cfg != nil {
		if e := config.Effort(cfg, rt.client.Load().Info().Model); e != "" {
			return e
		}
	}
	return locale.ReasoningService.In(rt.Lang())
}
