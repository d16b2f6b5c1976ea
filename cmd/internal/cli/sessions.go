package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/agent/store"
	"hermes/cmd/internal/app"
)

func newSessions(io IO, lang locale.Lang, g *global) *cobra.Command {
	c := sessions{io, lang, g}
	cmd := group("sessions", locale.SessionsShort.In(lang))
	cmd.AddCommand(c.list("list", locale.SessionsList, 20), c.list("browse", locale.SessionsBrowse, 500),
		c.export(), c.importing(), c.delete(), c.prune(), c.archive(), c.optimize(), c.repair(), c.stats(), c.rename())
	return cmd
}

// sessions are the subcommands of hermes sessions.
type sessions struct {
	io   IO
	lang locale.Lang
	g    *global
}

// with runs f with the stored sessions. Where nothing was stored yet, missing
// says what that means; nil lets f begin a new database.
func (c sessions) with(f func(*store.Store, app.Options) error, missing func() error) error {
	opt, err := c.g.options(c.io, c.lang)
	if err != nil {
		return err
	}
	s, exists := app.OpenSessions(opt)
	if !exists && missing != nil {
		return missing()
	}
	err = f(s, opt)
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	return c.explain(err)
}

// explain takes what the store says to the user out of its wrapping, in the
// user's language.
func (c sessions) explain(err error) error {
	var l interface {
		error
		In(locale.Lang) string
	}
	if errors.As(err, &l) {
		return errors.New(l.In(c.lang))
	}
	return err
}

func (c sessions) say(m locale.Msg, args ...any) { fmt.Fprintln(c.io.Out, m.In(c.lang, args...)) }

// nothing is the answer of commands that look at all sessions when there are
// none.
func (c sessions) nothing(asJSON bool, m locale.Msg) func() error {
	return func() error {
		if asJSON {
			return writeJSON(c.io, []sessionRow{})
		}
		c.say(m)
		return nil
	}
}

// unknown is the failure of commands that look for one session.
func (c sessions) unknown(ref string) error {
	return errors.New(locale.SessionsNotFound.In(c.lang, ref))
}

// resolve finds the session that a user names.
func (c sessions) resolve(ctx context.Context, s *store.Store, ref string) (string, error) {
	id, err := s.Resolve(ctx, ref)
	if errors.Is(err, store.ErrNotFound) {
		return "", c.unknown(ref)
	}
	return id, err
}

func (c sessions) list(use string, short locale.Msg, limit int) *cobra.Command {
	var o store.ListOptions
	var asJSON, archived bool
	cmd := &cobra.Command{
		Use: use, Short: short.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Source == "" {
				o.ExcludeSources = []string{"subagent", "tool"}
			}
			if archived {
				o.Archived = store.ArchivedToo
			}
			o.ByActivity = true
			return c.with(func(s *store.Store, _ app.Options) error {
				entries, err := s.List(cmd.Context(), o)
				if err != nil {
					return err
				}
				return c.print(entries, asJSON, use == "browse")
			}, c.nothing(asJSON, locale.SessionsNone))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Source, "source", "", locale.SessionsFlagSource.In(c.lang))
	f.StringVar(&o.Workspace, "workspace", "", locale.SessionsFlagSpace.In(c.lang))
	f.IntVar(&o.Limit, "limit", limit, locale.SessionsFlagLimit.In(c.lang))
	f.BoolVar(&archived, "archived", false, locale.SessionsFlagArchived.In(c.lang))
	f.BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

// sessionRow is a session as --json lists it.
type sessionRow struct {
	ID         string     `json:"id"`
	Title      string     `json:"title"`
	Preview    string     `json:"preview"`
	Source     string     `json:"source"`
	Model      string     `json:"model"`
	Workspace  string     `json:"workspace"`
	Dir        string     `json:"cwd"`
	Branch     string     `json:"git_branch"`
	Parent     string     `json:"parent"`
	Started    time.Time  `json:"started_at"`
	LastActive time.Time  `json:"last_active"`
	Ended      *time.Time `json:"ended_at"`
	EndReason  string     `json:"end_reason"`
	Messages   int        `json:"messages"`
	ToolCalls  int        `json:"tool_calls"`
	In         int        `json:"input_tokens"`
	Out        int        `json:"output_tokens"`
	Cost       float64    `json:"estimated_cost_usd"`
	Archived   bool       `json:"archived"`
}

func rowOf(e store.Entry) sessionRow {
	r := sessionRow{
		ID: e.ID, Title: e.Title, Preview: e.Preview, Source: e.Source, Model: e.Model, Workspace: workspace(e),
		Dir: e.Dir, Branch: e.GitBranch, Parent: e.Parent, Started: e.Started, LastActive: e.LastActive, EndReason: e.EndReason,
		Messages: e.Messages, ToolCalls: e.ToolCalls, In: e.In, Out: e.Out, Cost: e.EstimatedCost, Archived: e.Archived,
	}
	if !e.Ended.IsZero() {
		r.Ended = &e.Ended
	}
	return r
}

// workspace is the name of the project folder of a session.
func workspace(e store.Entry) string {
	dir := e.GitRoot
	if dir == "" {
		dir = e.Dir
	}
	if dir == "" {
		return ""
	}
	return filepath.Base(filepath.ToSlash(dir))
}

// Widths of columns in cells, as far as their content needs them.
const (
	titleCells     = 44
	workspaceCells = 20
)

func (c sessions) print(entries []store.Entry, asJSON, numbered bool) error {
	if asJSON {
		rows := make([]sessionRow, len(entries))
		for i, e := range entries {
			rows[i] = rowOf(e)
		}
		return writeJSON(c.io, rows)
	}
	if len(entries) == 0 {
		c.say(locale.SessionsNone)
		return nil
	}
	table := [][]string{{
		locale.SessionsColTitle.In(c.lang), locale.SessionsColWorkspace.In(c.lang), locale.SessionsColActive.In(c.lang),
		locale.SessionsColSource.In(c.lang), "ID",
	}}
	now := time.Now()
	for i, e := range entries {
		title := store.CleanTitle(e.Title)
		if title == "" {
			title = store.CleanTitle(e.Preview)
		}
		title = ansi.Truncate(title, titleCells, "…")
		if numbered {
			title = fmt.Sprintf("%3d. %s", i+1, title)
		}
		table = append(table, []string{
			title, ansi.Truncate(store.CleanTitle(workspace(e)), workspaceCells, "…"), locale.Ago(c.lang, now, e.LastActive), e.Source, e.ID,
		})
	}
	printColumns(c.io, table)
	if numbered {
		c.say(locale.SessionsOpenHint)
	}
	return nil
}

// printColumns prints rows in columns as wide as their content, in cells.
func printColumns(io IO, table [][]string) {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	for _, row := range table {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+2))
			}
		}
		fmt.Fprintln(io.Out, strings.TrimRight(b.String(), " "))
	}
}

func (c sessions) rename() *cobra.Command {
	return &cobra.Command{
		Use: "rename ID TITLE...", Short: locale.SessionsRename.In(c.lang), Args: minimumArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(func(s *store.Store, _ app.Options) error {
				id, err := c.resolve(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				title := store.CleanTitle(strings.Join(args[1:], " "))
				if err := s.SetTitle(cmd.Context(), id, title); err != nil {
					return err
				}
				c.say(locale.SessionsRenamed, id, title)
				return nil
			}, func() error { return c.unknown(args[0]) })
		},
	}
}

// minimumArgs and maximumArgs are cobra's checks with our exit code.
func minimumArgs(n int) cobra.PositionalArgs { return asUsage(cobra.MinimumNArgs(n)) }

func maximumArgs(n int) cobra.PositionalArgs { return asUsage(cobra.MaximumNArgs(n)) }

func asUsage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

func (c sessions) stats() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "stats", Short: locale.SessionsStats.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			show := func(st *store.Stats) error {
				if asJSON {
					return writeJSON(c.io, statsRow(st))
				}
				c.say(locale.SessionsStatTotal, st.Sessions)
				c.say(locale.SessionsStatMessages, st.Messages)
				for _, n := range st.BySource {
					c.say(locale.SessionsStatSource, n.Source, n.Sessions)
				}
				c.say(locale.SessionsStatTokens, st.Input, st.Output)
				c.say(locale.SessionsStatSize, megabytes(st.Bytes))
				return nil
			}
			return c.with(func(s *store.Store, _ app.Options) error {
				st, err := s.Stats(cmd.Context())
				if err != nil {
					return err
				}
				return show(st)
			}, func() error { return show(&store.Stats{}) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	return cmd
}

func statsRow(st *store.Stats) any {
	sources := map[string]int{}
	for _, n := range st.BySource {
		sources[n.Source] = n.Sessions
	}
	return struct {
		Path     string         `json:"path"`
		Schema   int            `json:"schema_version"`
		Sessions int            `json:"sessions"`
		Messages int            `json:"messages"`
		Archived int            `json:"archived"`
		Sources  map[string]int `json:"sources"`
		In       int            `json:"input_tokens"`
		Out      int            `json:"output_tokens"`
		Cost     float64        `json:"estimated_cost_usd"`
		Bytes    int64          `json:"bytes"`
	}{st.Path, st.SchemaVersion, st.Sessions, st.Messages, st.Archived, sources, st.Input, st.Output, st.EstimatedCost, st.Bytes}
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }
