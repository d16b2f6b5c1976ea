package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// configs are the subcommands of hermes config.
type configs struct {
	io   IO
	lang locale.Lang
	g    *global
}

func newConfig(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := configs{io, lang, g}
	cmd := group("config", locale.ConfigShort.In(lang))
	cmd.AddCommand(c.show(), c.get(), c.set(), c.unset(), c.edit(), c.check(), c.migrate(),
		c.path("path", locale.ConfigPath, config.Home.Config), c.path("env-path", locale.ConfigEnvPath, config.Home.Env))
	return cmd
}

// with runs f with the home folder and the settings in it. A file that cannot
// be read ends the command.
func (c configs) with(f func(app.Options, *config.Config) error) error {
	opt, err := c.g.options(c.io, c.lang)
	if err != nil {
		return err
	}
	cfg, err := config.Load(opt.Home, opt.Environ)
	if err != nil {
		return usageError{inLang(err, c.lang)}
	}
	return f(opt, cfg)
}

// inLang is err with the sentence that it has in the user's language.
func inLang(err error, lang locale.Lang) error {
	var l interface {
		error
		In(locale.Lang) string
	}
	if errors.As(err, &l) {
		return errors.New(l.In(lang))
	}
	return err
}

func (c configs) path(use string, short locale.Msg, of func(config.Home) string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			opt, err := c.g.options(c.io, c.lang)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.io.Out, of(opt.Home))
			return nil
		},
	}
}

func (c configs) show() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show", Short: locale.ConfigShow.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				v, _ := cfg.Resolved(nil)
				v = masked("", v)
				if asJSON {
					return writeJSON(c.io, v)
				}
				fmt.Fprintf(c.io.Out, "# %s\n# %s\n", opt.Home.Config(), opt.Home.Env())
				return writeYAML(c.io, v)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func (c configs) get() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "get KEY", Short: locale.ConfigGet.In(c.lang), Args: exactArgs(1), ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := config.SplitKey(args[0])
			if err != nil {
				return usageError{err}
			}
			return c.with(func(_ app.Options, cfg *config.Config) error {
				v, ok := cfg.Resolved(path)
				if !ok {
					return errors.New(locale.ConfigNotSet.In(c.lang, args[0]))
				}
				switch v.(type) {
				case map[string]any, []any:
				default:
					if !asJSON {
						fmt.Fprintln(c.io.Out, v)
						return nil
					}
				}
				if asJSON {
					return writeJSON(c.io, v)
				}
				return writeYAML(c.io, v)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func completeKeys(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return config.KnownKeys(), cobra.ShellCompDirectiveNoFileComp
}

func writeYAML(io IO, v any) error {
	enc := yaml.NewEncoder(io.Out)
	enc.SetIndent(2)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return nil
}

// secretKey reports whether a setting's name says that its value is not shown.
func secretKey(name string) bool {
	name = strings.ToLower(name)
	for _, end := range []string{"api_key", "apikey", "token", "secret", "password"} {
		if name == end || strings.HasSuffix(name, "_"+end) {
			return true
		}
	}
	return false
}

// masked is v with secrets taken out: the values of keys that say so.
func masked(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, below := range v {
			v[k] = masked(k, below)
		}
	case []any:
		for i, below := range v {
			v[i] = masked(key, below)
		}
	case string:
		if v != "" && secretKey(key) && !strings.HasPrefix(v, "${") {
			return "***"
		}
	}
	return v
}

func (c configs) set() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "set KEY VALUE", Short: locale.ConfigSet.In(c.lang), Args: exactArgs(2), ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			key, value := args[0], args[1]
			opt, err := c.g.options(c.io, c.lang)
			if err != nil {
				return err
			}
			if config.EnvName(key) {
				if err := config.SetEnv(opt.Home, key, value); err != nil {
					return inLang(err, c.lang)
				}
				fmt.Fprintln(c.io.Out, locale.ConfigSetEnv.In(c.lang, key, opt.Home.Env()))
				return nil
			}
			path, err := config.SplitKey(key)
			if err != nil {
				return usageError{err}
			}
			node, err := config.ParseSetting(value)
			if err != nil {
				return usageError{err}
			}
			if err := config.SetKey(opt.Home, path, node); err != nil {
				return usageError{inLang(err, c.lang)}
			}
			c.said(path, masked(path[len(path)-1], value), opt, force)
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, locale.ConfigForce.In(c.lang))
	return cmd
}

// said tells what was set, and that nothing reads it when that is so.
func (c configs) said(path []string, value any, opt app.Options, force bool) {
	key := strings.Join(path, ".")
	fmt.Fprintln(c.io.Out, locale.ConfigDone.In(c.lang, key, value, opt.Home.Config()))
	if force || config.IsKnown(path) {
		return
	}
	fmt.Fprintln(c.io.Err, locale.ConfigUnknown.In(c.lang, key))
	if near := config.Similar(path); len(near) > 0 {
		fmt.Fprintln(c.io.Err, "  "+locale.ConfigNear.In(c.lang, strings.Join(near, ", ")))
	}
}

func (c configs) unset() *cobra.Command {
	return &cobra.Command{
		Use: "unset KEY", Short: locale.ConfigUnset.In(c.lang), Args: exactArgs(1), ValidArgsFunction: completeKeys,
		RunE: func(_ *cobra.Command, args []string) error {
			opt, err := c.g.options(c.io, c.lang)
			if err != nil {
				return err
			}
			file := opt.Home.Config()
			if config.EnvName(args[0]) {
				file = opt.Home.Env()
				err = config.UnsetEnv(opt.Home, args[0])
			} else {
				var path []string
				if path, err = config.SplitKey(args[0]); err != nil {
					return usageError{err}
				}
				err = config.UnsetKey(opt.Home, path)
			}
			switch {
			case errors.Is(err, config.ErrNotSet):
				return errors.New(locale.ConfigNotSet.In(c.lang, args[0]))
			case err != nil:
				return usageError{inLang(err, c.lang)}
			}
			fmt.Fprintln(c.io.Out, locale.ConfigUnsetDone.In(c.lang, args[0], file))
			return nil
		},
	}
}

func (c configs) edit() *cobra.Command {
	return &cobra.Command{
		Use: "edit", Short: locale.ConfigEdit.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := c.g.options(c.io, c.lang)
			if err != nil {
				return err
			}
			if _, err := os.Stat(opt.Home.Config()); err != nil {
				if err := config.WriteFile(opt.Home.Config(), []byte(locale.ConfigNewFile.In(c.lang)+"\n")); err != nil {
					return err
				}
			}
			if err := runEditor(cmd.Context(), c.io, c.lang, opt.Home.Config()); err != nil {
				return err
			}
			return c.with(func(_ app.Options, cfg *config.Config) error {
				for _, n := range cfg.Notices() {
					fmt.Fprintln(c.io.Err, n.In(c.lang))
				}
				return nil
			})
		},
	}
}

// runEditor opens a file in the user's editor and waits for its end.
func runEditor(ctx context.Context, io IO, lang locale.Lang, path string) error {
	if io.InFile == nil || !io.InTTY {
		return usageError{errors.New(locale.ConfigNoTerminal.In(lang, path))}
	}
	words := strings.Fields(io.Getenv("VISUAL"))
	if len(words) == 0 {
		words = strings.Fields(io.Getenv("EDITOR"))
	}
	for _, name := range []string{"nano", "vim", "vi", "notepad.exe"} {
		if _, err := exec.LookPath(name); len(words) == 0 && err == nil {
			words = []string{name}
		}
	}
	if len(words) == 0 {
		return errors.New(locale.ConfigNoEditor.In(lang, path))
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], path)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = io.InFile, io.OutFile, io.Err, io.Environ
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", words[0], err)
	}
	return nil
}

// configVersion is that of the reference's settings files that this program
// knows (contract/core §4.1).
const configVersion = 33

func (c configs) check() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check", Short: locale.ConfigCheck.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				found := app.CheckConfig(cfg, c.lang)
				if asJSON {
					return writeJSON(c.io, map[string]any{"file": opt.Home.Config(), "version": cfg.Int("_config_version"), "problems": found})
				}
				for _, text := range found {
					fmt.Fprintln(c.io.Out, "⚠ "+text)
				}
				if len(found) == 0 {
					fmt.Fprintln(c.io.Out, "✓ "+locale.ConfigSound.In(c.lang, opt.Home.Config()))
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

// migrate has nothing to change: every version of the settings is read as it
// is. Only the reference's own steps may raise the number, since each of them
// rests on it.
func (c configs) migrate() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: locale.ConfigMigrate.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(_ app.Options, cfg *config.Config) error {
				v := cfg.Int("_config_version")
				if v > configVersion {
					return errors.New(locale.ConfigNewer.In(c.lang, v, configVersion))
				}
				fmt.Fprintln(c.io.Out, locale.ConfigMigrated.In(c.lang, v))
				return nil
			})
		},
	}
}
