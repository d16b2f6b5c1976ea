// Package cli is the command line: one file per command, flags in, exit code
// out. It decides nothing about conversations or plugins; that is
// cmd/internal/app's.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hermes/agent/config"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// version is set by the release build.
var version = "0.1.0"

// Main runs the command line and returns the exit code.
func Main(args []string, io IO) int {
	lang := startLang(io)
	ctx, stop := interruptible(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := &checkedWriter{w: io.Out}
	io.Out = out
	root := newRoot(io, lang)
	root.SetArgs(setApart(joinContinue(args, commandNames(root)), root))
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.failed()
	}
	return report(io, lang, err)
}

// startLang is the language before config.yaml was read: that of the
// environment, or the one that the last run ended with.
func startLang(io IO) locale.Lang {
	if home, err := app.FindHome(io.Environ); err == nil {
		if l, ok := app.CachedLang(home); ok {
			return l
		}
	}
	return locale.FromEnv(io.Getenv)
}

// global holds the flags that stand before any command.
type global struct {
	oneshot  string
	model    string
	provider string
	profile  string
	safe     bool
	yolo     bool
	// checkpoints is chat's --checkpoints.
	checkpoints bool
	version     bool
	toolsets    string
	choice      string // --tool-choice
	usage       string // --usage-file
	noConfig    bool
	noRules     bool
	passID      bool // --pass-session-id
	maxTurns    int
	source      string
	hooks       bool // --accept-hooks
	worktree    bool
	resuming
}

func newRoot(io IO, lang locale.Lang) *cobra.Command {
	var g global
	cmd := &cobra.Command{
		Use:               "hermes",
		Short:             locale.CLIShort.In(lang),
		Long:              locale.CLIShort.In(lang) + "\n\n" + locale.CLIRootLong.In(lang),
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs, // the command of a plugin
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return runPluginCommand(cmd.Context(), io, lang, g, cmd, args)
			case g.version:
				fmt.Fprintf(io.Out, "hermes %s\n", version)
				return nil
			case cmd.Flags().Changed("oneshot"):
				return runAsk(cmd.Context(), io, ask{prompt: g.oneshot, output: outputText, answerOnly: true, global: g})
			}
			return runInteractive(cmd.Context(), io, g)
		},
	}
	cmd.SetIn(io.In)
	cmd.SetOut(io.Out)
	cmd.SetErr(io.Err)
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cmd.SetUsageTemplate(usageTemplate(lang))
	f := cmd.PersistentFlags()
	f.StringVarP(&g.model, "model", "m", "", locale.CLIFlagModel.In(lang))
	f.StringVar(&g.provider, "provider", "", locale.CLIFlagProvider.In(lang))
	f.StringVarP(&g.profile, "profile", "p", "", locale.CLIFlagProfile.In(lang))
	f.BoolVar(&g.safe, "safe-mode", false, locale.CLIFlagSafe.In(lang))
	f.BoolVar(&g.yolo, "yolo", false, locale.CLIFlagYolo.In(lang))
	f.StringVarP(&g.toolsets, "toolsets", "t", "", locale.CLIFlagToolsets.In(lang))
	f.StringVar(&g.choice, "tool-choice", "", locale.CLIFlagChoice.In(lang))
	f.BoolVar(&g.noConfig, "ignore-user-config", false, locale.CLIFlagNoConfig.In(lang))
	f.BoolVar(&g.noRules, "ignore-rules", false, locale.CLIFlagNoRules.In(lang))
	f.BoolVar(&g.passID, "pass-session-id", false, locale.CLIFlagPassID.In(lang))
	f.BoolVar(&g.hooks, "accept-hooks", false, locale.CLIFlagHooks.In(lang))
	f.BoolVarP(&g.worktree, "worktree", "w", false, locale.CLIFlagWorktree.In(lang))
	f.StringVar(&g.source, "source", "", locale.CLIFlagSource.In(lang))
	g.resuming.register(cmd, lang)
	hideScreens(f)
	f.BoolP("help", "h", false, locale.CLIFlagHelp.In(lang))
	cmd.Flags().StringVarP(&g.oneshot, "oneshot", "z", "", locale.CLIFlagOneshot.In(lang))
	cmd.Flags().IntVar(&g.maxTurns, "max-turns", 0, locale.CLIFlagTurns.In(lang))
	cmd.Flags().StringVar(&g.usage, "usage-file", "", locale.CLIFlagUsage.In(lang))
	cmd.Flags().BoolVarP(&g.version, "version", "V", false, locale.CLIFlagVersion.In(lang))
	cmd.AddCommand(newChat(io, lang, &g), newPlugins(io, lang, &g), newTools(io, lang, &g), newSkills(io, lang, &g), newSessions(io, lang, &g),
		newConfig(io, lang, &g), newLogs(io, lang, &g), newModel(io, lang, &g), newFallback(io, lang, &g),
		newMemory(io, lang, &g), newProfile(io, lang, &g), newPromptSize(io, lang, &g), newInsights(io, lang, &g),
		newStatus(io, lang, &g), newDoctor(io, lang, &g), newDump(io, lang, &g), newSetup(io, lang, &g),
		newCheckpoints(io, lang, &g), newVersion(io, lang, &g), newResetTerminal(io, lang), newDebug(io, lang, &g))
	cmd.InitDefaultHelpCmd()
	cmd.InitDefaultCompletionCmd()
	localiseBuiltin(cmd, lang)
	return cmd
}

// hideScreens takes the flags by which the reference chooses between its two
// interfaces; there is one here.
func hideScreens(f *pflag.FlagSet) {
	for _, name := range []string{"tui", "cli"} {
		f.Bool(name, false, "")
		if err := f.MarkHidden(name); err != nil {
			panic(err) // the flag is defined one line above
		}
	}
}

// visible are the names of the commands that the help lists.
func visible(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			out = append(out, c.Name())
		}
	}
	return out
}

// commandNames are the words that begin a command.
func commandNames(root *cobra.Command) []string {
	var out []string
	for _, c := range root.Commands() {
		out = append(append(out, c.Name()), c.Aliases...)
	}
	return out
}

// localiseBuiltin translates the two commands that cobra brings.
func localiseBuiltin(root *cobra.Command, lang locale.Lang) {
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.Short = locale.CLIHelpCmd.In(lang)
		case "completion":
			c.Short = locale.CLICompletion.In(lang)
		}
	}
}

// noArgs, exactArgs are cobra's checks with our exit code.
func noArgs(cmd *cobra.Command, args []string) error {
	if err := cobra.NoArgs(cmd, args); err != nil {
		return usageError{err}
	}
	return nil
}

func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := cobra.ExactArgs(n)(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// someArgs requires at least one argument.
func someArgs(cmd *cobra.Command, args []string) error {
	if err := cobra.MinimumNArgs(1)(cmd, args); err != nil {
		return usageError{err}
	}
	return nil
}

// group makes a command that only has subcommands: alone it prints its help,
// with an unknown word it fails.
func group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return usagef("%s: invalid choice: '%s' (choose from %s)", cmd.Name(), args[0], strings.Join(names, ", "))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
}

// options turns the global flags into those of the runtime.
func (g global) options(io IO, lang locale.Lang) (app.Options, error) {
	home, err := config.SelectHome(io.Getenv, g.profile)
	switch {
	case errors.Is(err, config.ErrNoProfile):
		return app.Options{}, errors.New(locale.ProfileNone.In(lang, g.profile, g.profile))
	case err != nil:
		return app.Options{}, usageError{err}
	}
	return app.Options{
		Home: home, Environ: g.environ(io.Environ, home), Dir: io.Dir, Version: version, Lang: lang,
		Provider: g.provider, Model: g.model, SafeMode: g.safe, Yolo: g.yolo, Checkpoints: g.checkpoints, Debug: io.Err,
		Toolsets: listOf(g.toolsets), NoConfig: g.noConfig, NoRules: g.noRules, PassSessionID: g.passID, ToolChoice: g.choice, MaxTurns: g.maxTurns, Source: g.source,
	}, nil
}

// environ names the home folder to everything that is started: the profile
// that was chosen is theirs, too.
func (g global) environ(outer []string, home config.Home) []string {
	out := append(outer[:len(outer):len(outer)], "HERMES_HOME="+home.Dir())
	if g.hooks {
		out = append(out, "HERMES_ACCEPT_HOOKS=1")
	}
	return out
}

// listOf splits a list that is written with commas; nil when it is empty.
func listOf(text string) []string {
	var out []string
	for _, n := range strings.Split(text, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// configError marks what app calls a mistake in the configuration.
func configError(err error) error {
	var bad *app.ConfigError
	if errors.As(err, &bad) {
		return usageError{err}
	}
	return err
}

func usageTemplate(lang locale.Lang) string {
	return locale.CLIUsage.In(lang) + `:{{if .Runnable}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [command]

` + locale.CLICommands.In(lang) + `:{{range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

` + locale.CLIFlags.In(lang) + `:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

` + locale.CLIGlobal.In(lang) + `:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

` + fmt.Sprintf(locale.CLIMore.In(lang), "{{.CommandPath}}") + `{{end}}
`
}
