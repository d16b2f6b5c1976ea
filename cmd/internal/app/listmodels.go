package app

import (
	"context"
	"errors"
	"slices"

	"hermes/agent/config"
	"hermes/agent/llm"
	"hermes/agent/llm/service"
	"hermes/agent/locale"
)

// ListModels returns the models of a provider, the names that are known first.
// An error beside names says that they are not the service's own list.
func ListModels(ctx context.Context, opt Options, cfg *config.Config, provider string, refresh bool) ([]string, error) {
	var known config.Provider
	for _, p := range cfg.Providers() {
		if p.ID == provider || slices.Contains(p.Aliases, provider) {
			known = p
			break
		}
	}
	m, ok, err := config.ResolveModel(cfg, cfg.Environ(), config.ModelFlags{Provider: provider})
	if err != nil {
		return known.Models, err
	}
	if !ok {
		return known.Models, errors.New(locale.ModelNoKey.In(opt.Lang, provider))
	}
	rt := New(opt)
	defer rt.Close()
	c, err := rt.newClient(m)
	if err != nil {
		return known.Models, err
	}
	curated := append(m.Models, known.Models...)
	if m.NoDiscovery {
		return curated, nil
	}
	list, err := service.Lists{Dir: opt.Home.Cache()}.Models(ctx, c.Client, curated, true, refresh)
	return names(list), err
}

func names(list []llm.ModelInfo) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = m.ID
	}
	return out
}
