package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

func newStatus(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: locale.StatusShort.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			s, err := app.ReadStatus(cmd.Context(), opt)
			if err != nil {
				return configError(err)
			}
			if asJSON {
				return writeJSON(io, s)
			}
			showStatus(io, lang, s)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

func showStatus(io IO, lang locale.Lang, s app.Status) {
	field := func(name locale.Msg, value string) {
		label := name.In(lang)
		fmt.Fprintf(io.Out, "%s%s %s\n", label, strings.Repeat(" ", max(1, 12-ansi.StringWidth(label))), orDash(value))
	}
	field(locale.StatusVersion, s.Version+" ("+s.OS+")")
	field(locale.StatusHome, config.Short(s.Home))
	field(locale.StatusProfile, s.Profile)
	model := s.Model
	if s.Provider != "" {
		model = strings.TrimSpace(model + " (" + s.Provider + ")")
	}
	if s.Problem != "" {
		model = s.Problem
	}
	field(locale.StatusModel, model)
	if s.BaseURL != "" {
		field(locale.StatusURL, s.BaseURL)
	}
	var set []string
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		if s.Keys[name] {
			set = append(set, name)
		}
	}
	field(locale.StatusKeys, strings.Join(set, ", "))
	field(locale.StatusPython, s.Python)
	on := 0
	for _, p := range s.Plugins {
		if p.Status == app.StatusEnabled {
			on++
		}
	}
	field(locale.StatusPlugins, locale.StatusPluginsN.In(lang, on, len(s.Plugins)))
	field(locale.StatusSessions, locale.StatusSessionsN.In(lang, s.Sessions, s.Messages))
}

// newDump prints a summary that can be pasted into a bug report; it is the same
// in every language.
func newDump(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "dump", Short: locale.DumpShort.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			s, err := app.ReadStatus(cmd.Context(), opt)
			if err != nil {
				return configError(err)
			}
			cfg, err := config.Load(opt.Home, opt.Environ)
			if err != nil {
				return usageError{inLang(err, lang)}
			}
			s.Set = map[string]any{}
			for _, key := range config.KnownKeys() {
				path, err := config.SplitKey(key)
				if err != nil {
					return err
				}
				if v, ok := cfg.Resolved(path); ok && cfg.Has(key) {
					s.Set[key] = masked(path[len(path)-1], v)
				}
			}
			if asJSON {
				return writeJSON(io, s)
			}
			showDump(io, s)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

func showDump(io IO, s app.Status) {
	w := io.Out
	fmt.Fprintln(w, "--- hermes dump ---")
	for _, f := range [][2]string{
		{"version", s.Version},
		{"os", s.OS},
		{"go", s.Go},
		{"profile", s.Profile},
		{"hermes_home", config.Short(s.Home)},
		{"model", s.Model},
		{"provider", s.Provider},
		{"problem", s.Problem},
		{"python", s.Python},
	} {
		if f[1] != "" {
			fmt.Fprintf(w, "%-17s %s\n", f[0]+":", f[1])
		}
	}
	fmt.Fprintln(w, "\napi_keys:")
	for _, name := range slices.Sorted(maps.Keys(s.Keys)) {
		if s.Keys[name] {
			fmt.Fprintf(w, "  %-20s set\n", name)
		}
	}
	fmt.Fprintln(w, "\nplugins:")
	for _, p := range s.Plugins {
		fmt.Fprintf(w, "  %-20s %s %s %s\n", p.Name, p.Version, p.Status, p.Problem)
	}
	fmt.Fprintf(w, "\nsessions: %d (%d messages)\n", s.Sessions, s.Messages)
	fmt.Fprintln(w, "\nconfig:")
	for _, key := range slices.Sorted(maps.Keys(s.Set)) {
		fmt.Fprintf(w, "  %s: %v\n", key, s.Set[key])
	}
	fmt.Fprintln(w, "--- end dump ---")
}

func newDoctor(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON, fix, deep bool
	cmd := &cobra.Command{
		Use: "doctor", Short: locale.DoctorShort.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			found := app.Doctor(cmd.Context(), opt, fix, deep)
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(io, found)
			} else {
				showChecks(io, lang, found)
			}
			if err == nil && slices.ContainsFunc(found, func(c app.Check) bool { return c.State == app.CheckBad }) {
				err = errSilent
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	f.BoolVar(&fix, "fix", false, locale.DoctorFix.In(lang))
	f.BoolVar(&deep, "deep", false, locale.DoctorDeep.In(lang))
	return cmd
}

func showChecks(io IO, lang locale.Lang, found []app.Check) {
	area, bad := "", 0
	for _, c := range found {
		if c.Area != area {
			area = c.Area
			fmt.Fprintf(io.Out, "%s\n", area)
		}
		mark := map[string]string{app.CheckOK: "✓", app.CheckWarn: "▲", app.CheckBad: "✗"}[c.State]
		fmt.Fprintln(io.Out, strings.TrimRight(fmt.Sprintf("  %s %s  %s", mark, c.Name, c.Detail), " "))
		switch {
		case c.Fixed:
			fmt.Fprintf(io.Out, "      %s\n", locale.DoctorMended.In(lang))
		case c.Fix != "":
			fmt.Fprintf(io.Out, "      → %s\n", c.Fix)
		}
		if c.State != app.CheckOK {
			bad++
		}
	}
	if bad == 0 {
		fmt.Fprintln(io.Out, locale.DoctorSound.In(lang))
	} else {
		fmt.Fprintln(io.Out, locale.DoctorFound.In(lang, bad))
	}
}
