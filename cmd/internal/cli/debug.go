package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/cmd/internal/drive"
)

// newDebug makes the commands for those who work on the program. They are not
// in the help; CONTRIBUTING.md tells of them.
func newDebug(io IO, lang locale.Lang, g *global) *cobra.Command {
	cmd := group("debug", locale.CLIDebug.In(lang))
	cmd.Hidden = true
	cmd.AddCommand(newDrive(io, lang, g))
	return cmd
}

func newDrive(io IO, lang locale.Lang, g *global) *cobra.Command {
	var inside bool
	cmd := &cobra.Command{
		Use: "drive JOB.json OBS.json", Short: locale.CLIDebugDrive.In(lang), Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if inside {
				opt, err := g.options(io, lang)
				if err != nil {
					return err
				}
				return drive.RunGroup(cmd.Context(), opt, args[0], args[1])
			}
			exe, err := os.Executable()
			if err != nil {
				return fmt.Errorf("find this program: %w", err)
			}
			return drive.Run(cmd.Context(), drive.Command{Path: exe, Environ: io.Environ, Dir: io.Dir}, args[0], args[1])
		},
	}
	cmd.Flags().BoolVar(&inside, "inside", false, "")
	if err := cmd.Flags().MarkHidden("inside"); err != nil {
		panic(err) // the flag is defined one line above
	}
	return cmd
}
