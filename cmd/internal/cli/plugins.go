package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

func newPlugins(io IO, lang locale.Lang, g *global) *cobra.Command {
	cmd := group("plugins", locale.CLIPlugins.In(lang))
	cmd.AddCommand(newPluginsList(io, lang, g), newPluginsShow(io, lang, g),
		newPluginsSwitch(io, lang, g, true), newPluginsSwitch(io, lang, g, false))
	return cmd
}

func newPluginsList(io IO, lang locale.Lang, g *global) *cobra.Command {
	var f struct{ json, plain, enabled, user bool }
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: locale.CLIPluginsList.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if config.Truthy(io.Getenv("HERMES_PLUGINS_DEBUG")) {
				// A real discovery, loading included, prints as it goes (D13).
				nothing := func(context.Context, *app.Runtime) error { return nil }
				if err := withRuntime(cmd.Context(), io, lang, *g, nothing); err != nil {
					return err
				}
			}
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			rows, err := app.ListPlugins(opt)
			if err != nil {
				return configError(err)
			}
			rows = filterRows(rows, f.enabled, f.user)
			switch {
			case f.json:
				return writeJSON(io, rows)
			case len(rows) == 0:
				fmt.Fprintln(io.Out, locale.CLINoPlugins.In(lang))
			case f.plain:
				for _, r := range rows {
					fmt.Fprintf(io.Out, "%-12s %-8s %-8s %s\n", r.Status, r.Source, r.Version, r.Name)
				}
			default:
				printTable(io, rows)
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.json, "json", false, locale.CLIFlagJSON.In(lang))
	fl.BoolVar(&f.plain, "plain", false, locale.CLIFlagPlain.In(lang))
	fl.BoolVar(&f.enabled, "enabled", false, locale.CLIFlagEnabled.In(lang))
	fl.BoolVar(&f.user, "user", false, locale.CLIFlagUser.In(lang))
	fl.BoolVar(&f.user, "no-bundled", false, locale.CLIFlagUser.In(lang))
	return cmd
}

func filterRows(rows []app.PluginRow, enabled, user bool) []app.PluginRow {
	out := []app.PluginRow{}
	for _, r := range rows {
		if (enabled && r.Status != app.StatusEnabled) || (user && r.Source == "bundled") {
			continue
		}
		out = append(out, r)
	}
	return out
}

// printTable prints the rows in columns as wide as their content; a reason
// follows its row, indented.
func printTable(io IO, rows []app.PluginRow) {
	name, ver := len("Name"), len("Version")
	for _, r := range rows {
		name, ver = max(name, len([]rune(r.Name))), max(ver, len([]rune(r.Version)))
	}
	fmt.Fprintf(io.Out, "%-*s  %-11s  %-*s  %-10s  %s\n", name, "Name", "Status", ver, "Version", "Source", "Description")
	for _, r := range rows {
		line := fmt.Sprintf("%-*s  %-11s  %-*s  %-10s  %s", name, r.Name, r.Status, ver, r.Version, r.Source, firstLine(r.Description))
		fmt.Fprintln(io.Out, strings.TrimRight(line, " "))
		if r.Problem != "" {
			fmt.Fprintf(io.Out, "    %s\n", r.Problem)
		}
	}
}

func newPluginsShow(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: locale.CLIPluginsShow.In(lang), Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRuntime(cmd.Context(), io, lang, *g, func(_ context.Context, rt *app.Runtime) error {
				p, ok := rt.Plugin(args[0])
				if !ok {
					return errors.New(locale.CLINoPlugin.In(lang, args[0]))
				}
				if asJSON {
					return writeJSON(io, p)
				}
				showPlugin(io, p)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

func showPlugin(io IO, p event.Plugin) {
	w := io.Out
	fmt.Fprintf(w, "%s %s\n", p.Name, p.Version)
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %-12s %s\n", name, value)
		}
	}
	field("description", p.Description)
	field("author", p.Author)
	field("key", p.Key)
	field("kind", p.Kind)
	field("source", p.Source)
	field("path", p.Path)
	field("state", p.State)
	field("reason", p.Reason)
	field("provides", strings.Join(append(slices.Clone(p.ProvidesTools), p.ProvidesHooks...), ", "))
	for _, v := range p.RequiresEnv {
		set := "not set"
		if v.Set {
			set = "set"
		}
		field("requires", v.Name+" ("+set+")")
	}
	for _, n := range p.Notices {
		field("notice", n)
	}
	for _, t := range p.Tools {
		fmt.Fprintf(w, "\ntool %s  (toolset %s)\n  %s\n  %s\n", t.Name, t.Toolset, t.Description, t.Schema)
	}
	if len(p.Callbacks) > 0 {
		fmt.Fprintln(w)
	}
	for _, c := range p.Callbacks {
		fmt.Fprintf(w, "hook %s  %s\n", c.Hook, c.Name)
	}
	if len(p.Commands) > 0 {
		fmt.Fprintln(w)
	}
	for _, c := range p.Commands {
		fmt.Fprintf(w, "command /%s %s  %s\n", c.Name, c.Args, c.Description)
	}
	if len(p.Skills) > 0 {
		fmt.Fprintln(w)
	}
	for _, s := range p.Skills {
		fmt.Fprintf(w, "skill %s  %s\n", s.Name, s.Description)
	}
	if p.Error != nil && p.Error.Traceback != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimRight(p.Error.Traceback, "\n"))
	}
}

func newPluginsSwitch(io IO, lang locale.Lang, g *global, on bool) *cobra.Command {
	use, short := "enable NAME", locale.CLIPluginsOn
	done, already := locale.CLIEnabled, locale.CLIEnabledTwice
	if !on {
		use, short = "disable NAME", locale.CLIPluginsOff
		done, already = locale.CLIDisabled, locale.CLIDisabledNow
	}
	var asJSON bool
	cmd := &cobra.Command{
		Use: use, Short: short.In(lang), Args: exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			key, changed, err := app.SwitchPlugin(opt, args[0], on)
			switch {
			case errors.Is(err, app.ErrNoPlugin):
				return errors.New(locale.CLINoPlugin.In(lang, args[0]))
			case err != nil:
				return configError(err)
			case asJSON:
				return writeJSON(io, map[string]any{"key": key, "enabled": on, "changed": changed})
			case changed:
				fmt.Fprintln(io.Out, done.In(lang, key))
			default:
				fmt.Fprintln(io.Out, already.In(lang, key))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}
