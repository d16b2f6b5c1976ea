package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// memoryFile is what hermes memory status tells of a file.
type memoryFile struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Enabled bool   `json:"enabled"`
	Chars   int    `json:"chars"`
	Limit   int    `json:"limit"`
}

func newMemory(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := configs{io, lang, g}
	cmd := group("memory", locale.MemoryShort.In(lang))
	cmd.AddCommand(c.memoryStatus(), c.memoryReset(), c.memoryOff())
	return cmd
}

func memoryFiles(opt app.Options, cfg *config.Config) ([]memoryFile, error) {
	out := []memoryFile{
		{Name: "MEMORY.md", Enabled: !offSetting(cfg, "memory.memory_enabled"), Limit: orElse(cfg.Int("memory.memory_char_limit"), 2200)},
		{Name: "USER.md", Enabled: !offSetting(cfg, "memory.user_profile_enabled"), Limit: orElse(cfg.Int("memory.user_char_limit"), 1375)},
	}
	for i := range out {
		out[i].Path = filepath.Join(opt.Home.Memories(), out[i].Name)
		data, err := os.ReadFile(out[i].Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the memory: %w", err)
		}
		out[i].Chars = utf8.RuneCount(data)
	}
	return out, nil
}

// offSetting reports whether a switch that is on by default was turned off.
func offSetting(cfg *config.Config, key string) bool { return cfg.Has(key) && !cfg.Bool(key) }

func orElse(n, other int) int {
	if n > 0 {
		return n
	}
	return other
}

func (c configs) memoryStatus() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: locale.MemoryStatus.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				files, err := memoryFiles(opt, cfg)
				if err != nil {
					return err
				}
				provider := cfg.String("memory.provider")
				if asJSON {
					return writeJSON(c.io, map[string]any{"files": files, "provider": provider})
				}
				for _, f := range files {
					state := locale.OnWord.In(c.lang)
					if !f.Enabled {
						state = locale.OffWord.In(c.lang)
					}
					fmt.Fprintf(c.io.Out, "%-10s %s  %s  %s\n", f.Name, state, locale.MemoryChars.In(c.lang, f.Chars, f.Limit), config.Short(f.Path))
				}
				if provider == "" {
					provider = locale.MemoryBuiltin.In(c.lang)
				}
				fmt.Fprintf(c.io.Out, "%-10s %s\n", "provider", provider)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func (c configs) memoryReset() *cobra.Command {
	var yes bool
	var target string
	cmd := &cobra.Command{
		Use: "reset", Short: locale.MemoryReset.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if target != "all" && target != "memory" && target != "user" {
				return usageError{errors.New(locale.MemoryBadTarget.In(c.lang, target))}
			}
			return c.with(func(opt app.Options, cfg *config.Config) error {
				files, err := memoryFiles(opt, cfg)
				if err != nil {
					return err
				}
				if !yes {
					if ok, err := confirm(c.io, c.lang, locale.MemoryAskReset.In(c.lang, config.Short(opt.Home.Memories()))); err != nil || !ok {
						return err
					}
				}
				for i, f := range files {
					if (target == "memory" && i != 0) || (target == "user" && i != 1) {
						continue
					}
					switch err := os.Remove(f.Path); {
					case err == nil:
						fmt.Fprintln(c.io.Out, locale.MemoryErased.In(c.lang, f.Name))
					case !errors.Is(err, fs.ErrNotExist):
						return fmt.Errorf("erase the memory: %w", err)
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, locale.CLIFlagYes.In(c.lang))
	cmd.Flags().StringVar(&target, "target", "all", locale.MemoryTarget.In(c.lang))
	return cmd
}

func (c configs) memoryOff() *cobra.Command {
	return &cobra.Command{
		Use: "off", Short: locale.MemoryOff.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				if err := config.SetKey(opt.Home, []string{"memory", "provider"}, config.TextNode("")); err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, locale.MemoryOffDone.In(c.lang))
				return nil
			})
		},
	}
}
