package cli

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/checkpoint"
	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

func newCheckpoints(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := configs{io, lang, g}
	cmd := group("checkpoints", locale.CheckpointsShort.In(lang))
	cmd.AddCommand(c.checkpointsStatus("status"), c.checkpointsStatus("list"), c.checkpointsPrune(), c.checkpointsClear())
	return cmd
}

// openCheckpoints opens the store of kept states for looking at and tidying.
func openCheckpoints(opt app.Options, cfg *config.Config) *checkpoint.Manager {
	return checkpoint.New(checkpoint.Options{
		Dir: opt.Home.Checkpoints(), Retention: time.Duration(cfg.Int("checkpoints.retention_days")) * 24 * time.Hour,
	})
}

func (c configs) checkpointsStatus(use string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: use, Short: locale.CheckpointsState.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				s, err := openCheckpoints(opt, cfg).Status(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(c.io, s)
				}
				c.showCheckpoints(opt, s)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func (c configs) showCheckpoints(opt app.Options, s checkpoint.Status) {
	fmt.Fprintln(c.io.Out, locale.CheckpointsBase.In(c.lang, opt.Home.Checkpoints(), bytesText(s.Size), len(s.Folders)))
	for _, f := range s.Folders {
		when := locale.Ago(c.lang, time.Now(), f.Touched)
		if !f.Exists {
			when = locale.CheckpointsGone.In(c.lang)
		}
		fmt.Fprintln(c.io.Out, locale.CheckpointsRow.In(c.lang, f.Snapshots, config.Short(f.Dir), when))
	}
}

func (c configs) checkpointsPrune() *cobra.Command {
	return &cobra.Command{
		Use: "prune", Short: locale.CheckpointsPrune.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(func(opt app.Options, cfg *config.Config) error {
				done, err := openCheckpoints(opt, cfg).Prune(cmd.Context())
				if err != nil {
					return err
				}
				fmt.Fprintln(c.io.Out, locale.CheckpointsPruned.In(c.lang, done.Folders, bytesText(done.Freed)))
				return nil
			})
		},
	}
}

func (c configs) checkpointsClear() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "clear", Short: locale.CheckpointsClear.In(c.lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			opt, err := c.g.options(c.io, c.lang)
			if err != nil {
				return err
			}
			dir := opt.Home.Checkpoints()
			if !yes {
				if ok, err := confirm(c.io, c.lang, locale.CheckpointsAsk.In(c.lang, config.Short(dir))); err != nil || !ok {
					return err
				}
			}
			if err := os.RemoveAll(dir); err != nil {
				return fmt.Errorf("remove the checkpoints: %w", err)
			}
			fmt.Fprintln(c.io.Out, locale.CheckpointsDone.In(c.lang, dir))
			return nil
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, locale.CLIFlagYes.In(c.lang))
	return cmd
}
