package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

func newTools(io IO, lang locale.Lang, g *global) *cobra.Command {
	cmd := group("tools", locale.CLITools.In(lang))
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: locale.CLIToolsList.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRuntime(cmd.Context(), io, lang, *g, func(ctx context.Context, rt *app.Runtime) error {
				return listTools(io, lang, rt.Tools(ctx), rt.Toolsets(), asJSON)
			})
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	call := &cobra.Command{
		Use: "call NAME '{…}'", Short: locale.CLIToolsCall.In(lang), Args: exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRuntime(cmd.Context(), io, lang, *g, func(ctx context.Context, rt *app.Runtime) error {
				return callTool(ctx, io, rt, args[0], args[1])
			})
		},
	}
	cmd.AddCommand(list, call, switchToolsets(io, lang, g, true), switchToolsets(io, lang, g, false), whyTool(io, lang, g))
	return cmd
}

func switchToolsets(io IO, lang locale.Lang, g *global, on bool) *cobra.Command {
	use, short, done := "enable TOOLSET...", locale.ToolsOn, locale.ToolsOnDone
	if !on {
		use, short, done = "disable TOOLSET...", locale.ToolsOff, locale.ToolsOffDone
	}
	return &cobra.Command{
		Use: use, Short: short.In(lang), Args: someArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRuntime(cmd.Context(), io, lang, *g, func(_ context.Context, rt *app.Runtime) error {
				changed, err := rt.SwitchToolsets(args, on)
				if errors.Is(err, app.ErrNoToolset) {
					_, names, _ := strings.Cut(err.Error(), ": ")
					return errors.New(locale.ToolsNoSet.In(lang, names))
				}
				for _, name := range changed {
					fmt.Fprintln(io.Out, done.In(lang, name))
				}
				if err == nil && changed == nil {
					fmt.Fprintln(io.Out, locale.ToolsAlready.In(lang, strings.Join(args, ", ")))
				}
				return err
			})
		},
	}
}

func whyTool(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "why NAME", Short: locale.ToolsWhy.In(lang), Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withRuntime(cmd.Context(), io, lang, *g, func(ctx context.Context, rt *app.Runtime) error {
				v, known := rt.WhyTool(ctx, args[0])
				switch {
				case !known:
					return errors.New(locale.ToolsNone1.In(lang, args[0]))
				case asJSON:
					return writeJSON(io, v)
				}
				head := locale.ToolsOffered
				if !v.Offered {
					head = locale.ToolsNotOffered
				}
				fmt.Fprintln(io.Out, head.In(lang, v.Name))
				for _, r := range v.Reasons {
					fmt.Fprintln(io.Out, "  - "+r)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

// withRuntime runs f with everything loaded, and closes it all afterwards.
func withRuntime(ctx context.Context, io IO, lang locale.Lang, g global, f func(context.Context, *app.Runtime) error) error {
	opt, err := g.options(io, lang)
	if err != nil {
		return err
	}
	rt := app.New(opt)
	end := sayTrouble(io, rt)
	rt.Start(ctx)
	err = rt.WaitSettled(ctx)
	if err == nil {
		err = f(ctx, rt)
	}
	if closeErr := rt.Close(); err == nil {
		err = closeErr
	}
	end()
	return configError(err)
}

// sayTrouble prints what the program has to say about its configuration, its
// home and its plugins to standard error: a listing made with the defaults
// because config.yaml is broken must not look like one that was asked for. end
// waits for the last word.
func sayTrouble(io IO, rt *app.Runtime) (end func()) {
	sub, done := rt.Subscribe(), make(chan struct{})
	go func() {
		defer close(done)
		for batch := sub.Next(context.Background()); batch != nil; batch = sub.Next(context.Background()) {
			for _, e := range batch {
				if n, ok := e.(event.Notice); ok && n.Level != event.LevelInfo {
					fmt.Fprintf(io.Err, "hermes: %s\n", n.Text)
				}
			}
		}
	}()
	return func() {
		sub.Close()
		<-done
	}
}

// listTools prints the toolsets, each with its tools below it.
func listTools(io IO, lang locale.Lang, tools []event.ToolInfo, sets []app.Toolset, asJSON bool) error {
	if asJSON {
		return writeJSON(io, tools)
	}
	for _, set := range sets {
		state := "✓ " + locale.ToolsEnabled.In(lang)
		if !set.Enabled {
			state = "✗ " + locale.ToolsDisabled.In(lang)
		}
		fmt.Fprintf(io.Out, "%s  %s\n", state, set.Name)
		listSet(io, tools, set)
	}
	return nil
}

func listSet(io IO, tools []event.ToolInfo, set app.Toolset) {
	for _, t := range tools {
		if t.Toolset != set.Name {
			continue
		}
		owner, why := "", ""
		if t.Owner != "" {
			owner = " (" + t.Owner + ")"
		}
		if t.Hidden && set.Enabled {
			why = "  [" + t.Why + "]"
		}
		fmt.Fprintf(io.Out, "  %-20s %s%s%s\n", t.Name, firstLine(t.Description), owner, why)
	}
}

// callTool runs one call through the whole pipeline. The result goes to
// standard output as the model would get it.
func callTool(ctx context.Context, io IO, rt *app.Runtime, name, args string) error {
	lang := rt.Lang()
	var obj map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &obj); err != nil {
		return usageError{errors.New(locale.CLIBadArgs.In(lang, name, err))}
	}
	out := rt.CallTool(ctx, name, json.RawMessage(args))
	if _, err := fmt.Fprintln(io.Out, out.Result); err != nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	switch {
	case ctx.Err() != nil:
		return context.Canceled
	case out.Status != event.StatusOK:
		if out.Err != "" {
			return errors.New(out.Err)
		}
		return errSilent
	}
	return nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 72 {
		return string(r[:71]) + "…"
	}
	return s
}

func writeJSON(io IO, v any) error {
	enc := json.NewEncoder(io.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return nil
}
