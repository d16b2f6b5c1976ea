package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/demo"
	"hermes/agent/llm/service"
	"hermes/agent/locale"
)

// DemoProvider is the name by which --provider asks for the demo model.
const DemoProvider = "demo"

func (rt *Runtime) demoClient() llm.Client { return demo.New(rt.Lang) }

// chooseModel picks the model that flags, configuration and keys name, and
// makes it the current one. Without any of them the demo model answers, which
// is no error. A mistake is returned and said; the demo model answers then.
func (rt *Runtime) chooseModel(cfg *config.Config, environ []string, provider, model string) error {
	if provider == DemoProvider {
		rt.setClient(rt.demoClient(), "")
		return nil
	}
	m, ok, err := config.ResolveModel(cfg, environ, config.ModelFlags{Provider: provider, Model: model})
	switch {
	case err != nil:
		rt.setClient(rt.demoClient(), err.Error())
		if rt.opt.Interactive {
			rt.notice(event.LevelError, "model", locale.ModelBroken.In(rt.Lang(), err))
		}
		return &ConfigError{err}
	case !ok:
		rt.setClient(rt.demoClient(), "")
		return nil
	}
	client, err := rt.newClient(m)
	if err != nil {
		return &ConfigError{err}
	}
	rt.setClient(client, m.Source)
	return nil
}

func (rt *Runtime) setClient(c llm.Client, reason string) {
	rt.client.Store(&clientBox{c})
	i := c.Info()
	rt.bus.Emit(event.ModelChanged{Model: i.Model, Provider: i.Provider, BaseURL: i.BaseURL, Demo: i.Demo, Window: i.Window, Reason: reason})
}

// cmdModel shows the model, or switches it for this session.
func (rt *Runtime) cmdModel(ctx context.Context, args string) (commandOutput, error) {
	lang := rt.Lang()
	if strings.TrimSpace(args) == "" {
		return commandOutput{rt.modelText(ctx), true}, nil
	}
	name, provider, keep, err := modelArgs(args, lang)
	if err != nil {
		return commandOutput{}, err
	}
	cfg := rt.cfg.Load()
	if cfg == nil {
		return commandOutput{}, errors.New(locale.LoadingConfig.In(lang))
	}
	before := rt.client.Load()
	if provider == "" && name != "" {
		// A name alone stays with the provider that answers now.
		if i := before.Info(); !i.Demo {
			provider = i.Provider
		}
	}
	if err := rt.chooseModel(cfg, rt.environ(), provider, name); err != nil {
		rt.setClient(before.Client, "")
		return commandOutput{}, err
	}
	i := rt.client.Load().Info()
	if i.Demo && provider != DemoProvider {
		rt.setClient(before.Client, "")
		return commandOutput{}, fmt.Errorf("%s", locale.ModelNoKey.In(lang, name))
	}
	if !keep && !cfg.Bool("model.persist_switch_by_default") {
		return commandOutput{text: rt.unlisted(ctx, locale.ModelSwitched.In(lang, i.Model, i.Provider))}, nil
	}
	if err := config.SetModel(rt.opt.Home, i.Model, i.Provider, ""); err != nil {
		return commandOutput{}, errors.New(localised(err, lang))
	}
	if err := rt.reloadConfig(); err != nil {
		return commandOutput{}, errors.New(localised(err, lang))
	}
	return commandOutput{text: rt.unlisted(ctx, locale.ModelKept.In(lang, i.Model, i.Provider, config.Short(rt.opt.Home.Config())))}, nil
}

// shownModels is how many names /model shows of a service's list.
const shownModels = 30

// modelText says which model answers, and which others its service has.
func (rt *Runtime) modelText(ctx context.Context) string {
	lang := rt.Lang()
	i := rt.client.Load().Info()
	lines := []string{locale.ModelNow.In(lang, i.Model, i.Provider)}
	if i.Demo {
		lines = append(lines, locale.ModelDemo.In(lang))
	}
	list := rt.serviceModels(ctx)
	for _, name := range list[:min(len(list), shownModels)] {
		mark := "  "
		if name == i.Model {
			mark = "▸ "
		}
		lines = append(lines, mark+name)
	}
	if more := len(list) - shownModels; more > 0 {
		lines = append(lines, locale.ModelMore.In(lang, more, i.Provider))
	}
	return strings.Join(append(lines, locale.ModelHowTo.In(lang, rt.opt.Home.Config())), "\n")
}

// modelArgs reads "[NAME] [--provider NAME] [--global]"; keep is --global.
func modelArgs(args string, lang locale.Lang) (name, provider string, keep bool, err error) {
	words := strings.Fields(args)
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch value, ok := strings.CutPrefix(w, "--provider="); {
		case w == "--global":
			keep = true
		case ok:
			provider = value
		case w == "--provider" && i+1 < len(words):
			i++
			provider = words[i]
		case strings.HasPrefix(w, "-") || name != "":
			return "", "", false, errors.New(locale.ModelBadFlag.In(lang, w))
		default:
			name = w
		}
	}
	return name, provider, keep, nil
}

// serviceModels is the list of the service that answers, nil when it gives
// none: not every service has one.
func (rt *Runtime) serviceModels(ctx context.Context) []string {
	c, ok := rt.client.Load().Client.(*service.Learning)
	if !ok {
		return nil
	}
	list, err := service.Lists{Dir: rt.opt.Home.Cache()}.Models(ctx, c.Client, nil, true, false)
	if err != nil {
		rt.logger("model").Info("the service gives no list of models: " + err.Error())
		return nil
	}
	return names(list)
}

// unlisted adds a warning to text when the service does not list the model.
func (rt *Runtime) unlisted(ctx context.Context, text string) string {
	i := rt.client.Load().Info()
	if list := rt.serviceModels(ctx); len(list) > 0 && !slices.Contains(list, i.Model) {
		text += "\n" + locale.ModelUnlisted.In(rt.Lang(), i.Provider, i.Model)
	}
	return text
}
