package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	stdio "io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hermes/agent/locale"
)

// levels in rising order.
var levels = []string{"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}

// logFilter says which records are shown. Lines that belong to a record (a
// traceback) go with it.
type logFilter struct {
	lines               int
	follow, json        bool
	level, session      string
	component, sinceRaw string
	since               time.Time

	line *regexp.Regexp // takes a record's first line apart: time, level, session, component
	last bool           // the record before was shown
}

func newLogs(io IO, lang locale.Lang, g *global) *cobra.Command {
	var f logFilter
	cmd := &cobra.Command{
		Use: "logs [agent|errors|NAME|list]", Short: locale.LogsShort.In(lang),
		Args: cobra.MaximumNArgs(1), ValidArgs: []string{"agent", "errors", "list"},
		RunE: func(cmd *cobra.Command, args []string) error {
			opt, err := g.options(io, lang)
			if err != nil {
				return err
			}
			name := "agent"
			if len(args) > 0 {
				name = args[0]
			}
			if err := f.check(lang, time.Now()); err != nil {
				return err
			}
			if name == "list" {
				return listLogs(io, lang, opt.Home.Logs(), f.json)
			}
			path := filepath.Join(opt.Home.Logs(), filepath.Base(name)+".log")
			return showLog(cmd.Context(), io, lang, path, &f)
		},
	}
	fl := cmd.Flags()
	fl.IntVarP(&f.lines, "lines", "n", 50, locale.LogsLines.In(lang))
	fl.BoolVarP(&f.follow, "follow", "f", false, locale.LogsFollow.In(lang))
	fl.StringVar(&f.level, "level", "", locale.LogsLevel.In(lang))
	fl.StringVar(&f.session, "session", "", locale.LogsSession.In(lang))
	fl.StringVar(&f.component, "component", "", locale.LogsComponent.In(lang))
	fl.StringVar(&f.sinceRaw, "since", "", locale.LogsSince.In(lang))
	fl.BoolVar(&f.json, "json", false, locale.CLIFlagJSON.In(lang))
	return cmd
}

func (f *logFilter) check(lang locale.Lang, now time.Time) error {
	f.line = regexp.MustCompile(`^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d{3} ([A-Z]+)(?: \[([^\]]*)\])? ([^:\s]+):`)
	f.level = strings.ToUpper(f.level)
	if f.level == "WARN" {
		f.level = "WARNING"
	}
	if f.level != "" && !slices.Contains(levels, f.level) {
		return usageError{errors.New(locale.LogsBadLevel.In(lang, f.level, strings.Join(levels[:4], ", ")))}
	}
	if f.lines < 0 {
		return usageError{errors.New(locale.LogsBadLines.In(lang, f.lines))}
	}
	if f.sinceRaw == "" {
		return nil
	}
	d, ok := ago(f.sinceRaw)
	if !ok {
		return usageError{errors.New(locale.LogsBadSince.In(lang, f.sinceRaw))}
	}
	f.since = now.Add(-d)
	return nil
}

// ago reads 90s, 30m, 1h, 2d, 1w.
func ago(text string) (time.Duration, bool) {
	units := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour}
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" {
		return 0, false
	}
	unit, ok := units[text[len(text)-1]]
	n, err := strconv.ParseFloat(text[:len(text)-1], 64)
	return time.Duration(n * float64(unit)), ok && err == nil && n >= 0
}

// keep reports whether a line is shown.
func (f *logFilter) keep(line string) bool {
	m := f.line.FindStringSubmatch(line)
	if m == nil {
		return f.last
	}
	f.last = f.record(m, line)
	return f.last
}

func (f *logFilter) record(m []string, line string) bool {
	if f.level != "" && slices.Index(levels, m[2]) < slices.Index(levels, f.level) {
		return false
	}
	if f.session != "" && !strings.Contains(line, f.session) {
		return false
	}
	if f.component != "" && !ofComponent(m[4], f.component) {
		return false
	}
	if f.since.IsZero() {
		return true
	}
	at, err := time.ParseInLocation("2006-01-02 15:04:05", m[1], time.Local)
	return err == nil && !at.Before(f.since)
}

// ofComponent matches a logger's name: its own, that of a package above it, or
// with a package's beginning (hermes_cli for cli).
func ofComponent(logger, name string) bool {
	return logger == name || strings.HasPrefix(logger, name+".") || strings.HasPrefix(logger, "hermes_"+name) ||
		strings.HasPrefix(logger, "hermes."+name)
}

func listLogs(io IO, lang locale.Lang, dir string, asJSON bool) error {
	type row struct {
		Name     string    `json:"name"`
		Bytes    int64     `json:"bytes"`
		Modified time.Time `json:"modified"`
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list logs: %w", err)
	}
	rows := []row{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && strings.Contains(e.Name(), ".log") {
			rows = append(rows, row{e.Name(), info.Size(), info.ModTime()})
		}
	}
	if asJSON {
		return writeJSON(io, rows)
	}
	if len(rows) == 0 {
		fmt.Fprintln(io.Out, locale.LogsNone.In(lang, dir))
		return nil
	}
	fmt.Fprintln(io.Out, locale.LogsIn.In(lang, dir))
	for _, r := range rows {
		fmt.Fprintf(io.Out, "  %-24s %10s   %s\n", r.Name, bytesText(r.Bytes), locale.Ago(lang, time.Now(), r.Modified))
	}
	return nil
}

// bytesText is a size as people read it, in powers of 1024.
func bytesText(n int64) string {
	f, unit := float64(n), "B"
	for _, next := range []string{"KB", "MB", "GB", "TB"} {
		if f < 1024 {
			break
		}
		f, unit = f/1024, next
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, unit)
}

// showLog prints the last lines of a log that the filter keeps, and what is
// added to it when it is followed.
func showLog(ctx context.Context, io IO, lang locale.Lang, path string, f *logFilter) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New(locale.LogsNoFile.In(lang, path))
	}
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	defer file.Close()
	r := bufio.NewReader(file)
	var kept []string
	for {
		line, err := r.ReadString('\n')
		if line != "" && f.keep(line) {
			kept = append(kept, strings.TrimRight(line, "\n"))
			if len(kept) > 2*f.lines+1024 { // most of a long log is not shown
				kept = slices.Clone(kept[len(kept)-f.lines:])
			}
		}
		if errors.Is(err, stdio.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
	}
	kept = kept[max(0, len(kept)-f.lines):]
	if f.json {
		return writeJSON(io, append([]string{}, kept...))
	}
	for _, line := range kept {
		fmt.Fprintln(io.Out, line)
	}
	if !f.follow {
		return nil
	}
	return follow(ctx, io, r, path, f)
}

// followEvery is how often a log is looked at for more.
const followEvery = 250 * time.Millisecond

// follow prints what is added to a log until ctx ends. A log that was put
// aside is read from the beginning of the new one.
func follow(ctx context.Context, io IO, r *bufio.Reader, path string, f *logFilter) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	part, size := "", int64(0)
	for {
		line, err := r.ReadString('\n')
		part += line
		if err == nil {
			if f.keep(part) {
				fmt.Fprint(io.Out, part)
			}
			part = ""
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		info, err := os.Stat(path)
		if err != nil {
			continue // between two logs
		}
		if info.Size() < size {
			file, err := os.Open(path)
			if err != nil {
				continue
			}
			context.AfterFunc(ctx, func() { file.Close() })
			r.Reset(file)
		}
		size = info.Size()
	}
}
