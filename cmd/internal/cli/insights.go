package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

func newInsights(io IO, lang locale.Lang, g *global) *cobra.Command {
	var days int
	var source string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "insights", Short: locale.InsightsShort.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if days <= 0 {
				return usagef("--days %d", days)
			}
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			in, err := readInsights(cmd.Context(), opt, days, source)
			if err != nil {
				return sessions{io, lang, g}.explain(err)
			}
			switch {
			case asJSON:
				return writeJSON(io, in)
			case in.Sessions == 0:
				fmt.Fprintln(io.Out, locale.InsightsNone.In(lang, days))
				return nil
			}
			showInsights(io, lang, in)
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&days, "days", 30, locale.InsightsDays.In(lang))
	f.StringVar(&source, "source", "", locale.InsightsSource.In(lang))
	f.BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

func readInsights(ctx context.Context, opt app.Options, days int, source string) (app.Insights, error) {
	s, exists := app.OpenSessions(opt)
	defer s.Close() // it was only read
	if !exists {
		return app.Insights{Days: days, Models: []app.InsightCount{}, Tools: []app.InsightCount{}, Daily: []app.InsightCount{}}, nil
	}
	return app.ReadInsights(ctx, s, time.Now(), days, source)
}

func showInsights(io IO, lang locale.Lang, in app.Insights) {
	w := io.Out
	fmt.Fprintln(w, locale.InsightsHead.In(lang, in.Days))
	fmt.Fprintln(w, "  "+locale.InsightsTotals.In(lang, in.Sessions, in.Messages, in.ToolCalls))
	fmt.Fprintln(w, "  "+locale.InsightsTokens.In(lang, in.Input, in.Output, in.CacheRead))
	fmt.Fprintf(w, "  ~$%.4f\n", in.Cost)
	for _, part := range []struct {
		head locale.Msg
		rows []app.InsightCount
	}{{locale.InsightsModels, in.Models}, {locale.InsightsTools, in.Tools}, {locale.InsightsDaily, in.Daily}} {
		if len(part.rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", part.head.In(lang))
		for _, r := range part.rows {
			fmt.Fprintf(w, "  %-32s %d\n", r.Name, r.N)
		}
	}
}
