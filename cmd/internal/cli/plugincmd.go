package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/cmd/internal/app"
	"hermes/plugins"
)

// commandExit is the exit code of a plugin's command, which has said everything
// itself.
type commandExit int

func (e commandExit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// setApart puts "--" before the first word that no command of ours has: what
// follows belongs to a plugin's command, options included.
func setApart(args []string, root *cobra.Command) []string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return args
		case !strings.HasPrefix(a, "-") || a == "-":
			if slices.Contains(commandNames(root), a) || strings.HasPrefix(a, cobra.ShellCompRequestCmd) {
				return args
			}
			return slices.Insert(slices.Clone(args), i, "--")
		case takesValue(a, root):
			i++
		}
	}
	return args
}

// takesValue reports whether the word after a flag is its value.
func takesValue(flag string, root *cobra.Command) bool {
	name, long := strings.CutPrefix(flag, "--")
	if long {
		f := root.Flags().Lookup(name)
		if f == nil {
			f = root.PersistentFlags().Lookup(name)
		}
		return f != nil && f.NoOptDefVal == ""
	}
	if len(flag) != 2 {
		return false
	}
	f := root.Flags().ShorthandLookup(flag[1:])
	if f == nil {
		f = root.PersistentFlags().ShorthandLookup(flag[1:])
	}
	return f != nil && f.NoOptDefVal == ""
}

// runPluginCommand runs `hermes <command of a plugin> ...` with the terminal.
func runPluginCommand(ctx context.Context, std IO, lang locale.Lang, g global, root *cobra.Command, argv []string) error {
	opt, err := g.options(std, lang)
	if err != nil {
		return err
	}
	code, found, err := app.RunPluginCommand(ctx, opt, argv, streamsOf(std))
	switch {
	case err != nil:
		return err
	case !found:
		return usagef("argument command: invalid choice: '%s' (choose from %s)", argv[0], strings.Join(visible(root), ", "))
	case code != 0:
		return commandExit(code)
	}
	return nil
}

// streamsOf are the files behind std where there are any: a command that gets
// them as they are has the terminal.
func streamsOf(std IO) plugins.Streams {
	s := plugins.Streams{In: std.In, Out: std.Out, Err: std.Err}
	if std.InFile != nil {
		s.In = std.InFile
	}
	if std.OutFile != nil {
		s.Out = io.Writer(std.OutFile)
	}
	return s
}
