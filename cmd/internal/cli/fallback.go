package cli

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

func newFallback(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := configs{io, lang, g}
	cmd := group("fallback", locale.FallbackShort.In(lang))
	cmd.AddCommand(c.fallbackList(), c.fallbackAdd(), c.fallbackRemove(), c.fallbackClear())
	return cmd
}

func (c configs) fallbackList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: locale.FallbackList.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(_ app.Options, cfg *config.Config) error {
				list := config.FallbackEntries(cfg)
				if asJSON {
					return writeJSON(c.io, list)
				}
				if len(list) == 0 {
					fmt.Fprintln(c.io.Out, locale.FallbackNone.In(c.lang))
					return nil
				}
				for i, f := range list {
					fmt.Fprintf(c.io.Out, "%d. %s  %s  %s\n", i+1, f.Model, f.Provider, f.BaseURL)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func (c configs) fallbackAdd() *cobra.Command {
	var base string
	cmd := &cobra.Command{
		Use: "add MODEL --provider NAME", Short: locale.FallbackAdd.In(c.lang), Args: exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f := config.Fallback{Provider: c.g.provider, Model: args[0], BaseURL: base}
			if f.Provider == "" && base != "" {
				f.Provider = "custom"
			}
			if f.Provider == "" {
				return usageError{errors.New(locale.FallbackNeeds.In(c.lang))}
			}
			return c.with(func(opt app.Options, cfg *config.Config) error {
				if !knownProvider(cfg, f.Provider) {
					return errors.New(locale.FallbackUnknown.In(c.lang, f.Provider))
				}
				if err := config.AddFallback(opt.Home, f); err != nil {
					return inLang(err, c.lang)
				}
				fmt.Fprintln(c.io.Out, locale.FallbackAdded.In(c.lang, f.Model, f.Provider))
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&base, "base-url", "", locale.ModelBase.In(c.lang))
	return cmd
}

func knownProvider(cfg *config.Config, name string) bool {
	for _, p := range cfg.Providers() {
		if p.ID == name {
			return true
		}
		for _, a := range p.Aliases {
			if a == name {
				return true
			}
		}
	}
	return name == "custom"
}

func (c configs) fallbackRemove() *cobra.Command {
	return &cobra.Command{
		Use: "remove N", Aliases: []string{"rm"}, Short: locale.FallbackRemove.In(c.lang), Args: exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return usageError{errors.New(locale.FallbackNumber.In(c.lang, args[0]))}
			}
			return c.with(func(opt app.Options, _ *config.Config) error {
				err := config.RemoveFallback(opt.Home, n)
				if errors.Is(err, config.ErrNotSet) {
					return errors.New(locale.FallbackNumber.In(c.lang, args[0]))
				}
				if err == nil {
					fmt.Fprintln(c.io.Out, locale.FallbackRemoved.In(c.lang, n))
				}
				return inLang(err, c.lang)
			})
		},
	}
}

func (c configs) fallbackClear() *cobra.Command {
	return &cobra.Command{
		Use: "clear", Short: locale.FallbackClear.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(opt app.Options, _ *config.Config) error {
				err := config.UnsetKey(opt.Home, []string{"fallback_providers"})
				if err != nil && !errors.Is(err, config.ErrNotSet) {
					return inLang(err, c.lang)
				}
				fmt.Fprintln(c.io.Out, locale.FallbackCleared.In(c.lang))
				return nil
			})
		},
	}
}
