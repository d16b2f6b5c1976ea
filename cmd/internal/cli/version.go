package cli

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/tui"
)

func newVersion(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: locale.CLIFlagVersion.In(lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, err := g.options(io, lang); err != nil {
				return err
			}
			if asJSON {
				return writeJSON(io, map[string]string{"version": version, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH})
			}
			fmt.Fprintf(io.Out, "hermes %s\n", version)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

// newResetTerminal undoes the modes that a program which was killed left set.
func newResetTerminal(io IO, lang locale.Lang) *cobra.Command {
	return &cobra.Command{
		Use: "reset-terminal", Short: locale.ResetTerminal.In(lang), Args: noArgs, Hidden: true,
		RunE: func(*cobra.Command, []string) error {
			if !io.OutTTY || io.OutFile == nil {
				return usageError{errors.New(locale.ResetNoTerminal.In(lang))}
			}
			return tui.Reset(io.InFile, io.OutFile, io.Getenv)
		},
	}
}
