package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// toolSize is how much of a request one tool takes, in bytes.
type toolSize struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

func newPromptSize(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "prompt-size", Short: locale.PromptSize.In(lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withRuntime(cmd.Context(), io, lang, *g, func(ctx context.Context, rt *app.Runtime) error {
				p, err := rt.Preview(ctx)
				if err != nil {
					return err
				}
				tools, total := []toolSize{}, 0
				for _, d := range p.Tools {
					schema := []byte(d.Schema)
					if schema == nil {
						if schema, err = json.Marshal(d); err != nil {
							return fmt.Errorf("%s: %w", d.Name, err)
						}
					}
					tools = append(tools, toolSize{d.Name, len(schema)})
					total += len(schema)
				}
				if asJSON {
					return writeJSON(io, map[string]any{
						"model": p.Model.Model, "window": p.Window, "system_prompt_bytes": len(p.System),
						"tools_bytes": total, "tools": tools, "total_bytes": len(p.System) + total,
					})
				}
				fmt.Fprintf(io.Out, "%s\n\n", locale.PromptSizeOf.In(lang, p.Model.Model, p.Window))
				fmt.Fprintf(io.Out, "  %-28s %9d B  ~%d tokens\n", locale.PromptSystem.In(lang), len(p.System), len(p.System)/4)
				fmt.Fprintf(io.Out, "  %-28s %9d B  ~%d tokens\n", locale.PromptTools.In(lang, len(tools)), total, total/4)
				for _, t := range tools {
					fmt.Fprintf(io.Out, "    %-26s %9d B\n", t.Name, t.Bytes)
				}
				fmt.Fprintf(io.Out, "  %s\n", strings.Repeat("─", 44))
				fmt.Fprintf(io.Out, "  %-28s %9d B  ~%d tokens\n", locale.PromptTotal.In(lang), len(p.System)+total, (len(p.System)+total)/4)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}
