package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/agent/skill"
	"hermes/cmd/internal/app"
)

func newSkills(io IO, lang locale.Lang, g *global) *cobra.Command {
	cmd := group("skills", locale.CLISkills.In(lang))
	cmd.AddCommand(newSkillsList(io, lang, g), newSkillsShow(io, lang, g))
	return cmd
}

// skillRow is one line of `hermes skills list --json`.
type skillRow struct {
	Name        string `json:"name"`
	Category    string `json:"category"`
	Description string `json:"description"`
	Source      string `json:"source"` // local, external
	Status      string `json:"status"` // enabled, skipped
	Reason      string `json:"reason,omitempty"`
	Problem     string `json:"problem,omitempty"`
	Path        string `json:"path"`
}

func skillRowOf(s skill.Skill) skillRow {
	r := skillRow{s.Name, s.Category, s.Description, "local", "enabled", s.Off, s.Problem, s.Path()}
	if s.External {
		r.Source = "external"
	}
	if s.Off != "" {
		r.Status = "skipped"
	}
	return r
}

func newSkillsList(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON, enabled bool
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: locale.CmdSkills.In(lang), Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			all, err := app.ListSkills(opt)
			if err != nil {
				return configError(err)
			}
			rows := []skillRow{}
			for _, s := range all {
				if s.Off == "" || !enabled {
					rows = append(rows, skillRowOf(s))
				}
			}
			switch {
			case asJSON:
				return writeJSON(io, rows)
			case len(rows) == 0:
				fmt.Fprintln(io.Out, locale.SkillsNone.In(lang, opt.Home.Skills()))
			default:
				printSkills(io, rows)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	cmd.Flags().BoolVar(&enabled, "enabled-only", false, locale.CLIFlagEnabled.In(lang))
	return cmd
}

// printSkills prints the rows; a reason follows its row, indented.
func printSkills(io IO, rows []skillRow) {
	name, cat := len("Name"), len("Category")
	for _, r := range rows {
		name, cat = max(name, len([]rune(r.Name))), max(cat, len([]rune(r.Category)))
	}
	fmt.Fprintf(io.Out, "%-*s  %-*s  %-8s  %-8s  %s\n", name, "Name", cat, "Category", "Source", "Status", "Description")
	for _, r := range rows {
		line := fmt.Sprintf("%-*s  %-*s  %-8s  %-8s  %s", name, r.Name, cat, r.Category, r.Source, r.Status, firstLine(r.Description))
		fmt.Fprintln(io.Out, strings.TrimRight(line, " "))
		if r.Reason != "" {
			fmt.Fprintf(io.Out, "    %s\n", r.Reason)
		}
		if r.Problem != "" && r.Problem != r.Reason {
			fmt.Fprintf(io.Out, "    %s\n", r.Problem)
		}
	}
}

func newSkillsShow(io IO, lang locale.Lang, g *global) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: locale.CLISkillShow.In(lang), Args: exactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			all, err := app.ListSkills(opt)
			if err != nil {
				return configError(err)
			}
			var hits []skill.Skill
			for _, s := range all {
				if s.Name == args[0] || s.Rel == args[0] || s.Category+"/"+s.Name == args[0] {
					hits = append(hits, s)
				}
			}
			if len(hits) == 0 {
				return errors.New(locale.CLINoSkill.In(lang, args[0]))
			}
			if asJSON {
				type shown struct {
					skillRow
					Content string `json:"content"`
				}
				out := []shown{}
				for _, s := range hits {
					out = append(out, shown{skillRowOf(s), s.Doc.Text})
				}
				return writeJSON(io, out)
			}
			for _, s := range hits {
				printSkills(io, []skillRow{skillRowOf(s)})
				fmt.Fprintf(io.Out, "%s\n\n%s\n", s.Path(), strings.TrimSpace(s.Doc.Text))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}
