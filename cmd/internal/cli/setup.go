package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// newSetup connects a model: provider, key, model. With --provider (and --key
// on standard input where one is needed) it asks nothing.
func newSetup(io IO, lang locale.Lang, g *global) *cobra.Command {
	var keyIn bool
	var base string
	cmd := &cobra.Command{
		Use: "setup", Short: locale.SetupShort.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := configs{io, lang, g}
			return c.with(func(opt app.Options, cfg *config.Config) error {
				s := setup{c, opt, cfg, bufio.NewReader(io.In)}
				return s.run(cmd.Context(), g.provider, g.model, base, keyIn)
			})
		},
	}
	cmd.Flags().BoolVar(&keyIn, "key-stdin", false, locale.SetupKeyIn.In(lang))
	cmd.Flags().StringVar(&base, "base-url", "", locale.ModelBase.In(lang))
	return cmd
}

type setup struct {
	configs
	opt app.Options
	cfg *config.Config
	in  *bufio.Reader
}

func (s *setup) run(ctx context.Context, provider, model, base string, keyIn bool) error {
	if provider == "" && !s.io.InTTY {
		return usageError{errors.New(locale.SetupNeeds.In(s.lang))}
	}
	p, err := s.provider(provider)
	if err != nil {
		return err
	}
	if p.ID == "custom" && base == "" {
		if base, err = s.ask(locale.SetupBase.In(s.lang), ""); err != nil {
			return err
		}
	}
	if err := s.key(p, keyIn); err != nil {
		return err
	}
	if model == "" {
		if model, err = s.ask(locale.SetupModel.In(s.lang), p.Model); err != nil {
			return err
		}
	}
	if model == "" {
		return usageError{errors.New(locale.SetupNoModel.In(s.lang))}
	}
	if err := config.SetModel(s.opt.Home, model, p.ID, base); err != nil {
		return inLang(err, s.lang)
	}
	fmt.Fprintln(s.io.Out, locale.ModelKept.In(s.lang, model, p.ID, s.opt.Home.Config()))
	return ctx.Err()
}

// provider finds the one that was named, or asks.
func (s *setup) provider(name string) (config.Provider, error) {
	list := slices.DeleteFunc(s.cfg.Providers(), func(p config.Provider) bool { return p.Login })
	if name == "" {
		for i, p := range list {
			fmt.Fprintf(s.io.Err, "%3d. %s\n", i+1, p.Name)
		}
		var err error
		if name, err = s.ask(locale.SetupProvider.In(s.lang), ""); err != nil {
			return config.Provider{}, err
		}
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(list) {
			return list[n-1], nil
		}
	}
	for _, p := range list {
		if p.ID == name || slices.Contains(p.Aliases, name) || strings.EqualFold(p.Name, name) {
			return p, nil
		}
	}
	if name == "custom" {
		return config.Provider{ID: "custom", Name: "custom", Local: true}, nil
	}
	return config.Provider{}, usageError{errors.New(locale.FallbackUnknown.In(s.lang, name))}
}

// key stores the provider's key where one is needed and none is set. It is
// never shown.
func (s *setup) key(p config.Provider, keyIn bool) error {
	if len(p.Keys) == 0 || (p.Ready && !keyIn) {
		return nil
	}
	var key string
	var err error
	switch {
	case keyIn || !s.io.InTTY:
		key, err = s.in.ReadString('\n')
		if strings.TrimSpace(key) != "" {
			err = nil // a last line without its end
		}
	default:
		if p.Signup != "" {
			fmt.Fprintln(s.io.Err, p.Signup)
		}
		fmt.Fprint(s.io.Err, locale.SetupKey.In(s.lang, p.Keys[0])+" ")
		var b []byte
		b, err = term.ReadPassword(s.io.InFile.Fd())
		key = string(b)
		fmt.Fprintln(s.io.Err)
	}
	key = strings.TrimSpace(key)
	if err != nil || key == "" {
		return usageError{errors.New(locale.SetupNoKey.In(s.lang, p.Keys[0]))}
	}
	if err := config.SetEnv(s.opt.Home, p.Keys[0], key); err != nil {
		return inLang(err, s.lang)
	}
	fmt.Fprintln(s.io.Out, locale.ConfigSetEnv.In(s.lang, p.Keys[0], s.opt.Home.Env()))
	return nil
}

// ask asks for a line; without a terminal the default is taken.
func (s *setup) ask(question, def string) (string, error) {
	if !s.io.InTTY {
		return def, nil
	}
	if def != "" {
		question += " [" + def + "]"
	}
	fmt.Fprint(s.io.Err, question+": ")
	line, err := s.in.ReadString('\n')
	if line = strings.TrimSpace(line); line != "" {
		return line, nil
	}
	if err != nil {
		return "", context.Canceled
	}
	return def, nil
}
