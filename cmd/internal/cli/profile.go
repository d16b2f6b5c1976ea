package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/locale"
)

// profiles are the subcommands of hermes profile.
type profiles struct {
	io   IO
	lang locale.Lang
	g    *global
}

func newProfile(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := profiles{io, lang, g}
	cmd := group("profile", locale.ProfileShort.In(lang))
	cmd.AddCommand(c.list(), c.use(), c.create(), c.delete(), c.show(), c.rename())
	return cmd
}

// with runs f with the profiles and the name of the one in use.
func (c profiles) with(f func(p config.Profiles, current string) error) error {
	p, own, err := config.FindProfiles(c.io.Getenv)
	if err != nil {
		return usageError{err}
	}
	current := c.g.profile
	if current == "" {
		current = own
	}
	if current == "" {
		current = p.Active()
	}
	return c.explain(f(p, current))
}

func (c profiles) explain(err error) error {
	for _, known := range []struct {
		err error
		msg locale.Msg
	}{
		{config.ErrNoProfile, locale.ProfileMissing},
		{config.ErrProfileName, locale.ProfileBadName},
		{config.ErrHasProfile, locale.ProfileExists},
		{config.ErrIsDefault, locale.ProfileDefault},
	} {
		if errors.Is(err, known.err) {
			return errors.New(known.msg.In(c.lang))
		}
	}
	return err
}

// profileRow is what is told of a profile.
type profileRow struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Active  bool   `json:"active"`
	Model   string `json:"model"`
	Env     bool   `json:"env"`     // has a .env
	Soul    bool   `json:"soul"`    // has a SOUL.md
	Plugins int    `json:"plugins"` // folders of plugins
}

func (c profiles) row(p config.Profiles, name, current string) (profileRow, error) {
	home, err := p.Home(name)
	if err != nil {
		return profileRow{}, err
	}
	r := profileRow{Name: name, Path: home.Dir(), Active: name == current, Env: exists(home.Env()), Soul: exists(home.Soul())}
	if cfg, err := config.Load(home, c.io.Environ); err == nil {
		r.Model = cfg.String("model.default")
		if r.Model == "" {
			r.Model = cfg.String("model")
		}
	}
	if entries, err := os.ReadDir(home.Plugins()); err == nil {
		r.Plugins = len(entries)
	}
	return r, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (c profiles) list() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: locale.ProfileList.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(p config.Profiles, current string) error {
				names, err := p.List()
				if err != nil {
					return err
				}
				rows := []profileRow{}
				for _, name := range names {
					r, err := c.row(p, name, current)
					if err != nil {
						return err
					}
					rows = append(rows, r)
				}
				if asJSON {
					return writeJSON(c.io, rows)
				}
				for _, r := range rows {
					mark := " "
					if r.Active {
						mark = "◆"
					}
					fmt.Fprintf(c.io.Out, "%s %-20s %-28s %s\n", mark, r.Name, orDash(r.Model), config.Short(r.Path))
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

func (c profiles) show() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show [NAME]", Short: locale.ProfileShow.In(c.lang), Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.with(func(p config.Profiles, current string) error {
				name := current
				if len(args) > 0 {
					name = args[0]
				}
				r, err := c.row(p, name, current)
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(c.io, r)
				}
				has := func(b bool) string {
					if b {
						return locale.YesWord.In(c.lang)
					}
					return locale.NoWord.In(c.lang)
				}
				fmt.Fprintf(c.io.Out, "Profile: %s\nPath:    %s\nModel:   %s\nPlugins: %d\n.env:    %s\nSOUL.md: %s\n",
					r.Name, r.Path, orDash(r.Model), r.Plugins, has(r.Env), has(r.Soul))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func (c profiles) use() *cobra.Command {
	return &cobra.Command{
		Use: "use NAME", Short: locale.ProfileUse.In(c.lang), Args: exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.with(func(p config.Profiles, _ string) error {
				if err := p.Use(args[0]); err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, locale.ProfileUsed.In(c.lang, args[0]))
				return nil
			})
		},
	}
}

func (c profiles) create() *cobra.Command {
	var clone bool
	var from string
	cmd := &cobra.Command{
		Use: "create NAME", Short: locale.ProfileCreate.In(c.lang), Args: exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.with(func(p config.Profiles, current string) error {
				if from == "" && clone {
					from = current
				}
				home, err := p.Create(args[0], from)
				if err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, locale.ProfileCreated.In(c.lang, args[0], home.Dir()))
				fmt.Fprintln(c.io.Out, locale.ProfileNext.In(c.lang, args[0], args[0]))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&clone, "clone", false, locale.ProfileClone.In(c.lang))
	cmd.Flags().StringVar(&from, "clone-from", "", locale.ProfileCloneFrom.In(c.lang))
	cmd.Flags().Bool("no-alias", true, "")
	_ = cmd.Flags().MarkHidden("no-alias") // defined one line above; nothing is written outside the home in any case
	return cmd
}

func (c profiles) delete() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "delete NAME", Short: locale.ProfileDelete.In(c.lang), Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(func(p config.Profiles, _ string) error {
				home, err := p.Home(args[0])
				if err != nil {
					return err
				}
				if !yes {
					if ok, err := confirm(c.io, c.lang, locale.ProfileAskDelete.In(c.lang, args[0], home.Dir())); err != nil || !ok {
						return err
					}
				}
				if err := p.Delete(args[0]); err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, locale.ProfileDeleted.In(c.lang, args[0]))
				return nil
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, locale.CLIFlagYes.In(c.lang))
	return cmd
}

func (c profiles) rename() *cobra.Command {
	return &cobra.Command{
		Use: "rename NAME NEW", Short: locale.ProfileRename.In(c.lang), Args: exactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			return c.with(func(p config.Profiles, _ string) error {
				if err := p.Rename(args[0], args[1]); err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, locale.ProfileRenamed.In(c.lang, args[0], args[1]))
				return nil
			})
		},
	}
}
