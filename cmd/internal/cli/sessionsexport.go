package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/config"
	"hermes/agent/export"
	"hermes/agent/locale"
	"hermes/agent/store"
	"hermes/cmd/internal/app"
)

// exporting is what hermes sessions export was asked for.
type exporting struct {
	format     string
	refs       []string
	redact     bool
	force, dry bool
	filter     filterFlags
}

func (c sessions) export() *cobra.Command {
	var e exporting
	cmd := &cobra.Command{
		Use: "export [FILE]", Short: locale.SessionsExport.In(c.lang), Args: maximumArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch e.format {
			case export.JSONL, export.JSON, export.Markdown, export.HTML:
			default:
				return usageError{errors.New(locale.SessionsBadFormat.In(c.lang, e.format))}
			}
			out := ""
			if len(args) == 1 {
				out = args[0]
			}
			if out == "" && e.format != export.Markdown && !e.dry {
				return usageError{errors.New(locale.SessionsNeedOutput.In(c.lang))}
			}
			return c.with(func(s *store.Store, opt app.Options) error {
				list, err := c.chosen(cmd.Context(), s, &e)
				switch {
				case err != nil:
					return err
				case len(list) == 0:
					c.say(locale.SessionsNoMatch)
					return nil
				case e.dry:
					c.say(locale.SessionsWouldExport, len(list))
					return c.print(list, false, false)
				}
				return c.write(cmd.Context(), s, opt, &e, out, list)
			}, func() error {
				if len(e.refs) > 0 {
					return c.unknown(e.refs[0])
				}
				return c.nothing(false, locale.SessionsNoMatch)()
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&e.format, "format", export.JSONL, locale.SessionsFlagFormat.In(c.lang))
	f.StringArrayVar(&e.refs, "session-id", nil, locale.SessionsFlagID.In(c.lang))
	f.BoolVar(&e.redact, "redact", false, locale.SessionsFlagRedact.In(c.lang))
	f.BoolVar(&e.force, "force", false, locale.SessionsFlagForce.In(c.lang))
	f.BoolVar(&e.dry, "dry-run", false, locale.SessionsFlagDry.In(c.lang))
	e.filter.register(f, c.lang)
	return cmd
}

// chosen lists the sessions to export: the named ones, or those that the
// filter picks, the oldest first. Archived ones are exported, too.
func (c sessions) chosen(ctx context.Context, s *store.Store, e *exporting) ([]store.Entry, error) {
	filter, err := e.filter.filter(time.Now(), c.lang)
	if err != nil {
		return nil, err
	}
	filter.Archived = store.ArchivedToo
	for _, ref := range e.refs {
		id, err := c.resolve(ctx, s, ref)
		if err != nil {
			return nil, err
		}
		filter.IDs = append(filter.IDs, id)
	}
	list, err := s.List(ctx, store.ListOptions{Filter: filter, Children: true})
	slices.Reverse(list)
	return list, err
}

func (c sessions) write(ctx context.Context, s *store.Store, opt app.Options, e *exporting, out string, list []store.Entry) error {
	redact := func(text string) string { return text }
	if e.redact {
		r, err := app.Redactor(opt)
		if err != nil {
			return configError(err)
		}
		redact = r
	}
	read := func(id string) (*store.Dump, error) {
		d, err := s.Dump(ctx, id, e.format == export.Markdown || e.format == export.HTML)
		if err == nil && e.redact {
			d = export.Redact(d, redact)
		}
		return d, err
	}
	n, err := 0, error(nil)
	if e.format == export.Markdown && folder(out) {
		if out == "" {
			out = filepath.Join(opt.Home.Dir(), "session-exports")
		}
		n, err = e.writeFolder(out, list, read)
	} else {
		n, err = c.writeFile(e, out, list, read)
	}
	if err != nil || out == "-" {
		return err
	}
	c.say(locale.SessionsExported, len(list), n, out)
	return nil
}

// folder says that Markdown goes into a folder, a file for each session.
func folder(out string) bool {
	if out == "" || strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) {
		return true
	}
	fi, err := os.Stat(out)
	return (err == nil && fi.IsDir()) || (err != nil && filepath.Ext(out) == "" && out != "-")
}

// writeFolder writes a file for each session and returns how many messages
// they hold. Files that are there stay, unless --force.
func (e *exporting) writeFolder(dir string, list []store.Entry, read func(string) (*store.Dump, error)) (n int, err error) {
	if err := config.Make(dir); err != nil {
		return 0, err
	}
	for _, s := range list {
		d, err := read(s.ID)
		if err != nil {
			return n, err
		}
		flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
		if e.force {
			flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
		}
		f, err := os.OpenFile(filepath.Join(dir, fileName(s)), flags, 0o600)
		if err != nil {
			return n, fmt.Errorf("export %s: %w", s.ID, err)
		}
		err = export.Write(f, e.format, []*store.Dump{d})
		if err := errors.Join(err, f.Close()); err != nil {
			return n, fmt.Errorf("export %s: %w", s.ID, err)
		}
		n += len(d.Messages)
	}
	return n, nil
}

// fileName is the id and what the title leaves of itself in a file name.
func fileName(s store.Entry) string {
	id := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, s.ID)
	words := strings.FieldsFunc(strings.ToLower(s.Title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r < 0x80
	})
	slug := strings.Join(words, "-")
	if r := []rune(slug); len(r) > 60 {
		slug = string(r[:60])
	}
	if slug != "" {
		slug = "-" + slug
	}
	return id + slug + ".md"
}

// writeFile writes all sessions into one file, or to standard output.
func (c sessions) writeFile(e *exporting, out string, list []store.Entry, read func(string) (*store.Dump, error)) (n int, err error) {
	w := c.io.Out
	if out != "-" {
		f, err := os.OpenFile(out, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return 0, fmt.Errorf("export: %w", err)
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		w = f
	}
	buf := bufio.NewWriter(w)
	n, err = e.stream(buf, list, read)
	if err == nil {
		err = buf.Flush()
	}
	return n, err
}

// stream writes sessions one after another where the format lets it, so that
// a large database need not fit into memory.
func (e *exporting) stream(w io.Writer, list []store.Entry, read func(string) (*store.Dump, error)) (n int, err error) {
	var dumps []*store.Dump
	for _, s := range list {
		d, err := read(s.ID)
		if err != nil {
			return n, err
		}
		n += len(d.Messages)
		if e.format != export.JSONL {
			dumps = append(dumps, d)
			continue
		}
		if err := export.Write(w, e.format, []*store.Dump{d}); err != nil {
			return n, err
		}
	}
	if e.format == export.JSONL {
		return n, nil
	}
	return n, export.Write(w, e.format, dumps)
}

func (c sessions) importing() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: locale.SessionsImport.In(c.lang), Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := c.io.In
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return fmt.Errorf("import: %w", err)
				}
				defer f.Close()
				in = f
			}
			dumps, err := export.Read(in)
			if err != nil {
				return fmt.Errorf("import %s: %w", args[0], err)
			}
			return c.with(func(s *store.Store, _ app.Options) error {
				im, err := s.Import(cmd.Context(), dumps)
				if err != nil {
					return err
				}
				c.say(locale.SessionsImported, im.Sessions, len(im.Skipped))
				return nil
			}, nil)
		},
	}
}
