package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// newModel shows, lists and sets the model. It asks nothing: the screen has a
// picker.
func newModel(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := configs{io, lang, g}
	var base string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "model [NAME]", Short: locale.ModelShort.In(lang), Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && g.provider == "" && base == "" {
				return c.modelNow(asJSON)
			}
			name := g.model
			if len(args) > 0 {
				name = args[0]
			}
			return c.modelSet(name, base)
		},
	}
	cmd.Flags().StringVar(&base, "base-url", "", locale.ModelBase.In(lang))
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	cmd.AddCommand(c.modelList())
	return cmd
}

// modelView is the model that would answer.
type modelView struct {
	Model    string `json:"model"`
	Provider string `json:"provider"`
	BaseURL  string `json:"base_url"`
	APIMode  string `json:"api_mode"`
	Key      string `json:"key"` // where it comes from, never the key
	Demo     bool   `json:"demo"`
}

func (c configs) resolved(opt app.Options, cfg *config.Config) (modelView, error) {
	m, ok, err := config.ResolveModel(cfg, cfg.Environ(), config.ModelFlags{Provider: opt.Provider, Model: opt.Model})
	if err != nil {
		return modelView{}, usageError{inLang(err, c.lang)}
	}
	if !ok {
		return modelView{Provider: app.DemoProvider, Demo: true}, nil
	}
	return modelView{Model: m.Model, Provider: m.Provider, BaseURL: m.BaseURL, APIMode: m.APIMode, Key: m.Source}, nil
}

func (c configs) modelNow(asJSON bool) error {
	return c.with(func(opt app.Options, cfg *config.Config) error {
		v, err := c.resolved(opt, cfg)
		if err != nil {
			return err
		}
		if asJSON {
			return writeJSON(c.io, v)
		}
		if v.Demo {
			fmt.Fprintln(c.io.Out, locale.ModelNothing.In(c.lang))
			return nil
		}
		fmt.Fprintf(c.io.Out, "model:    %s\nprovider: %s\nbase URL: %s\napi mode: %s\nkey:      %s\n", v.Model, v.Provider, v.BaseURL, v.APIMode, orDash(v.Key))
		fmt.Fprintln(c.io.Out, locale.ModelHow.In(c.lang))
		return nil
	})
}

// modelSet writes the choice to config.yaml once it is known to resolve.
func (c configs) modelSet(name, base string) error {
	opt, err := c.g.options(c.io, c.lang)
	if err != nil {
		return err
	}
	before, err := config.Load(opt.Home, opt.Environ)
	if err != nil {
		return usageError{inLang(err, c.lang)}
	}
	provider := c.g.provider
	if base != "" && provider == "" {
		provider = "custom"
	}
	m, ok, err := config.ResolveModel(before, before.Environ(), config.ModelFlags{Provider: provider, Model: name})
	switch {
	case base != "":
		// The address is not in the settings yet, so nothing resolves.
	case err != nil:
		return usageError{inLang(err, c.lang)}
	case !ok:
		return errors.New(locale.ModelNoKey.In(c.lang, name))
	}
	if name == "" {
		name = m.Model
	}
	if provider == "" && base == "" {
		provider = m.Provider
	}
	if err := config.SetModel(opt.Home, name, provider, base); err != nil {
		return inLang(err, c.lang)
	}
	fmt.Fprintln(c.io.Out, locale.ModelKept.In(c.lang, name, provider, opt.Home.Config()))
	return nil
}

// providerRow is a line of hermes model list.
type providerRow struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Ready   bool     `json:"ready"`
	Keys    []string `json:"keys"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
}

func (c configs) modelList() *cobra.Command {
	var asJSON, refresh bool
	cmd := &cobra.Command{
		Use: "list [PROVIDER]", Aliases: []string{"ls"}, Short: locale.ModelList.In(c.lang), Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				if len(args) > 0 {
					return c.modelsOf(cmd.Context(), opt, cfg, args[0], refresh, asJSON)
				}
				rows := []providerRow{}
				for _, p := range cfg.Providers() {
					rows = append(rows, providerRow{p.ID, p.Name, p.Ready, append([]string{}, p.Keys...), p.BaseURL, append([]string{}, p.Models...)})
				}
				if asJSON {
					return writeJSON(c.io, rows)
				}
				for _, r := range rows {
					state, key := "✗", strings.Join(r.Keys, ", ")
					if r.Ready {
						state = "✓"
					}
					fmt.Fprintf(c.io.Out, "%s %-20s %-28s %s\n", state, r.ID, r.Name, key)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	cmd.Flags().BoolVar(&refresh, "refresh", false, locale.ModelRefresh.In(c.lang))
	return cmd
}

// modelsOf prints the models of one provider: its own list where it gives one.
func (c configs) modelsOf(ctx context.Context, opt app.Options, cfg *config.Config, provider string, refresh, asJSON bool) error {
	names, err := app.ListModels(ctx, opt, cfg, provider, refresh)
	if err != nil && len(names) == 0 {
		return inLang(err, c.lang)
	}
	if err != nil {
		fmt.Fprintf(c.io.Err, "hermes: %v\n", inLang(err, c.lang))
	}
	if asJSON {
		return writeJSON(c.io, append([]string{}, names...))
	}
	for _, n := range names {
		fmt.Fprintln(c.io.Out, n)
	}
	return nil
}
