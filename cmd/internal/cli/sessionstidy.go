package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
	"hermes/agent/store"
	"hermes/cmd/internal/app"
)

// agree asks for consent, unless yes. Without a terminal nobody can be asked.
func (c sessions) agree(yes bool, question locale.Msg, n int) (bool, error) {
	if yes {
		return true, nil
	}
	if !c.io.InTTY {
		return false, usageError{errors.New(locale.SessionsNeedYes.In(c.lang))}
	}
	fmt.Fprint(c.io.Err, question.In(c.lang, n))
	answer, err := bufio.NewReader(c.io.In).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	if err != nil {
		fmt.Fprintln(c.io.Err)
	}
	fmt.Fprintln(c.io.Err, locale.SessionsCancelled.In(c.lang))
	return false, nil
}

func (c sessions) delete() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "delete ID", Short: locale.SessionsDelete.In(c.lang), Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(func(s *store.Store, opt app.Options) error {
				id, err := c.resolve(cmd.Context(), s, args[0])
				if err != nil {
					return err
				}
				if ok, err := c.agree(yes, locale.SessionsAskDelete, 1); !ok {
					return err
				}
				if err := remove(cmd.Context(), s, opt, id); err != nil {
					return err
				}
				c.say(locale.SessionsDeleted, id)
				return nil
			}, func() error { return c.unknown(args[0]) })
		},
	}
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, locale.SessionsFlagYes.In(c.lang))
	return cmd
}

// remove deletes sessions and the files that belong to them.
func remove(ctx context.Context, s *store.Store, opt app.Options, ids ...string) error {
	if _, err := s.Delete(ctx, ids...); err != nil {
		return err
	}
	return store.RemoveFiles(opt.Home.Sessions(), ids...)
}

// bulk is a command that does something to all sessions that a filter picks.
type bulk struct {
	use            string
	short          locale.Msg
	ask, would     locale.Msg
	done           locale.Msg
	older          string // --older-than when no filter is given
	archivedToo    bool   // has --include-archived
	act            func(ctx context.Context, s *store.Store, opt app.Options, ids []string) (int, error)
	needsAnyFilter bool
}

func (c sessions) prune() *cobra.Command {
	return c.bulk(bulk{
		use: "prune", short: locale.SessionsPrune, ask: locale.SessionsAskDelete, would: locale.SessionsWouldDelete,
		done: locale.SessionsDeletedN, older: "90", archivedToo: true,
		act: func(ctx context.Context, s *store.Store, opt app.Options, ids []string) (int, error) {
			return len(ids), remove(ctx, s, opt, ids...)
		},
	})
}

func (c sessions) archive() *cobra.Command {
	return c.bulk(bulk{
		use: "archive", short: locale.SessionsArchive, ask: locale.SessionsAskArchive, would: locale.SessionsWouldArchive,
		done: locale.SessionsArchivedN, needsAnyFilter: true,
		act: func(ctx context.Context, s *store.Store, _ app.Options, ids []string) (int, error) {
			return s.Archive(ctx, ids...)
		},
	})
}

func (c sessions) bulk(b bulk) *cobra.Command {
	var f filterFlags
	var yes, dry, archived, asJSON bool
	cmd := &cobra.Command{
		Use: b.use, Short: b.short.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !f.used(cmd.Flags()) {
				if b.needsAnyFilter {
					return usagef("%s: %s", b.use, locale.SessionsNeedFilter.In(c.lang))
				}
				f.older = b.older
			}
			filter, err := f.filter(time.Now(), c.lang)
			if err != nil {
				return err
			}
			if archived {
				filter.Archived = store.ArchivedToo
			}
			return c.with(func(s *store.Store, opt app.Options) error {
				list, err := s.Candidates(cmd.Context(), filter)
				switch {
				case err != nil:
					return err
				case dry && asJSON, len(list) == 0 && asJSON:
					return c.print(list, true, false)
				case len(list) == 0:
					c.say(locale.SessionsNoMatch)
					return nil
				case dry:
					c.say(b.would, len(list))
					return c.print(list, false, false)
				}
				if ok, err := c.agree(yes, b.ask, len(list)); !ok {
					return err
				}
				n, err := b.act(cmd.Context(), s, opt, ids(list))
				if err != nil {
					return err
				}
				if asJSON {
					return c.print(list, true, false)
				}
				c.say(b.done, n)
				return nil
			}, c.nothing(asJSON, locale.SessionsNoMatch))
		},
	}
	fl := cmd.Flags()
	f.register(fl, c.lang)
	fl.BoolVarP(&yes, "yes", "y", false, locale.SessionsFlagYes.In(c.lang))
	fl.BoolVar(&dry, "dry-run", false, locale.SessionsFlagDry.In(c.lang))
	fl.BoolVar(&asJSON, "json", false, locale.CLIFlagJSON.In(c.lang))
	if b.archivedToo {
		fl.BoolVar(&archived, "include-archived", false, locale.SessionsFlagArchived.In(c.lang))
	}
	return cmd
}

func ids(list []store.Entry) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.ID
	}
	return out
}

func (c sessions) optimize() *cobra.Command {
	return &cobra.Command{
		Use: "optimize", Short: locale.SessionsOptimize.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(func(s *store.Store, _ app.Options) error {
				before, after, err := s.Optimize(cmd.Context())
				if err != nil {
					return err
				}
				c.say(locale.SessionsOptimized, megabytes(before), megabytes(after))
				return nil
			}, c.nothing(false, locale.SessionsNone))
		},
	}
}

func (c sessions) repair() *cobra.Command {
	var check, noBackup bool
	cmd := &cobra.Command{
		Use: "repair", Short: locale.SessionsRepair.In(c.lang), Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			opt, err := c.g.options(c.io, c.lang)
			if err != nil {
				return err
			}
			path := opt.Home.State()
			if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
				c.say(locale.SessionsNone)
				return nil
			}
			if check {
				problems, err := store.Check(cmd.Context(), path)
				if err != nil {
					return err
				}
				return c.health(path, problems)
			}
			r, err := store.Repair(cmd.Context(), path, !noBackup, nil)
			if err != nil {
				return c.explain(err)
			}
			if r.Healthy {
				return c.health(path, nil)
			}
			_ = c.health(path, r.Problems) // it has been mended: no failure
			c.say(locale.SessionsRepaired, r.Sessions, r.Messages)
			if r.Lost > 0 {
				c.say(locale.SessionsRowsLost, r.Lost)
			}
			if r.Backup != "" {
				c.say(locale.SessionsBackup, r.Backup)
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&check, "check-only", false, locale.SessionsFlagCheck.In(c.lang))
	fl.BoolVar(&noBackup, "no-backup", false, locale.SessionsFlagNoBackup.In(c.lang))
	return cmd
}

// health prints what is wrong with the database; it fails when anything is.
func (c sessions) health(path string, problems []string) error {
	if len(problems) == 0 {
		c.say(locale.SessionsSound, path)
		return nil
	}
	c.say(locale.SessionsDamage, path)
	for _, p := range problems {
		fmt.Fprintln(c.io.Out, "  "+p)
	}
	return errSilent
}
