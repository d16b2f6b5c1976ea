package app

import (
	"context"

	"hermes/agent"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// agentOptions connects the agent to what may still be loading: it asks for
// the model, the hooks and the settings at each turn.
func (rt *Runtime) agentOptions() agent.Options {
	return agent.Options{
		Bus: rt.bus, Tools: rt.tools, Log: rt.logger("agent"), Lang: rt.Lang,
		Client:    func() llm.Client { return rt.client.Load().Client },
		Fallbacks: rt.fallbacks, Aux: rt.aux,
		Hooks:     rt.hooks,
		Settings:  rt.agentSettings,
		Ready:     rt.ready,
		Redact:    rt.redactText,
		Store:     rt.store,
		Ask:       rt.asker(),
		ChildOver: rt.childOver,
		Skills:    rt.skillIndex, BeforeTool: rt.beforeTool,
		Allowed: rt.allowedForGood,
		Allow:   func(rule string) error { return rt.gate.AllowAlways(rule) },
		Dir:     rt.opt.Dir, Home: rt.opt.Home.Dir(), Platform: platform, Source: rt.opt.Source,
	}
}

// asker is the way to the user; nil when nobody can answer.
func (rt *Runtime) asker() tool.AskFunc {
	if !rt.opt.Interactive {
		return nil
	}
	return rt.ask
}

func (rt *Runtime) hooks() hook.Invoker {
	if m := rt.manager.Load(); m != nil {
		return m.Hooks()
	}
	return hook.None{}
}

// ready says what a turn has to wait for.
func (rt *Runtime) ready(context.Context) (reason string, wait <-chan struct{}) {
	lang := rt.Lang()
	select {
	case <-rt.settled:
		return "", nil
	case <-rt.configured:
		return locale.LoadingPlugin.In(lang), rt.settled
	default:
		return locale.LoadingConfig.In(lang), rt.settled
	}
}
