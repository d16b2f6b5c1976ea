package logfile

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func read(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

func open(t *testing.T, o Options) (*slog.Logger, func()) {
	t.Helper()
	h, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			if err := h.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(end)
	return slog.New(h), end
}

func TestLinesOfTheReference(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	log, end := open(t, Options{Dir: dir, Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") }})
	plugins := log.With(Component, "hermes_cli.plugins")
	plugins.Debug("not at this level")
	plugins.Info("Plugin discovery complete: 2 found, 1 enabled")
	plugins.Warn("Failed to load plugin 'x': hunter2", Traceback, "Traceback (most recent call last):\n  boom\n")
	log.Info("turn start", Component, "agent.loop", Session, "20261130_200000_abcdef", "n", 3)
	end()
	got := read(t, dir, "agent.log")
	want := regexp.MustCompile(`(?m)\A` +
		`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO hermes_cli\.plugins: Plugin discovery complete: 2 found, 1 enabled\n` +
		`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} WARNING hermes_cli\.plugins: Failed to load plugin 'x': \*\*\*\n` +
		`Traceback \(most recent call last\):\n  boom\n` +
		`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO \[20261130_200000_abcdef\] agent\.loop: turn start n=3\n\z`)
	if !want.MatchString(got) {
		t.Errorf("agent.log:\n%s", got)
	}
	if e := read(t, dir, "errors.log"); !strings.Contains(e, "WARNING") || strings.Contains(e, "INFO") {
		t.Errorf("errors.log:\n%s", e)
	}
	if st, err := os.Stat(filepath.Join(dir, "agent.log")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	log, end := open(t, Options{Dir: dir, MaxSize: 1000, Kept: 2})
	for i := range 200 {
		log.Info(fmt.Sprintf("record %03d", i))
	}
	end()
	all := read(t, dir, "agent.log.2") + read(t, dir, "agent.log.1") + read(t, dir, "agent.log")
	if !strings.Contains(all, "record 199") || strings.Contains(all, "record 000") {
		t.Errorf("kept:\n%s", all)
	}
	if read(t, dir, "agent.log.3") != "" {
		t.Error("too many files are kept")
	}
	for _, n := range []string{"agent.log", "agent.log.1", "agent.log.2"} {
		if len(read(t, dir, n)) > 1000 {
			t.Errorf("%s has %d bytes", n, len(read(t, dir, n)))
		}
	}
}

// Two programs append to the same file; neither tears a line of the other,
// also while one of them rotates.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for w := range 2 {
		log, end := open(t, Options{Dir: dir, MaxSize: 20000, Kept: 9})
		wg.Go(func() {
			for i := range 400 {
				log.Info(fmt.Sprintf("writer %d record %03d end", w, i))
			}
			end()
		})
	}
	wg.Wait()
	whole := regexp.MustCompile(`^\S+ \S+ INFO hermes: writer \d record \d{3} end$`)
	n := 0
	names, _ := filepath.Glob(filepath.Join(dir, "agent.log*"))
	for _, name := range names {
		for _, line := range strings.Split(strings.TrimSuffix(read(t, dir, filepath.Base(name)), "\n"), "\n") {
			if !whole.MatchString(line) {
				t.Errorf("torn line %q", line)
			}
			n++
		}
	}
	if n < 780 {
		t.Errorf("%d lines of 800", n)
	}
}

func TestAFullQueueDropsAndSaysSo(t *testing.T) {
	s := &shared{queue: make(chan record, 1), stop: make(chan struct{}), done: make(chan struct{})}
	log := slog.New(&Handler{shared: s})
	for i := range 10 {
		log.Info(fmt.Sprint(i))
	}
	if s.dropped != 9 {
		t.Fatalf("dropped %d, want 9", s.dropped)
	}
	dir := t.TempDir()
	a, e := &file{path: filepath.Join(dir, "agent.log"), size: 1 << 20}, &file{path: filepath.Join(dir, "errors.log"), size: 1 << 20}
	go s.write(a, e)
	h := &Handler{shared: s}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "agent.log"); !strings.Contains(got, "9 records were dropped") {
		t.Errorf("agent.log:\n%s", got)
	}
}

func TestFlushAndLevels(t *testing.T) {
	dir := t.TempDir()
	h, err := Open(Options{Dir: dir, Level: "error"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	log := slog.New(h)
	log.Info("no")
	log.Warn("only in errors.log")
	log.Error("in both")
	if err := h.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "agent.log"); strings.Contains(got, "only") || !strings.Contains(got, "ERROR hermes: in both") {
		t.Errorf("agent.log:\n%s", got)
	}
	if got := read(t, dir, "errors.log"); strings.Count(got, "\n") != 2 {
		t.Errorf("errors.log:\n%s", got)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Flush(t.Context()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}

func TestALongRecordIsCutAfterItsSecretsAreOut(t *testing.T) {
	dir := t.TempDir()
	log, end := open(t, Options{Dir: dir, Redact: func(s string) string { return strings.ReplaceAll(s, "SECRET", "***") }})
	log.Info(strings.Repeat("x", maxRecord-3-len("2026-11-30 20:08:12,506 INFO hermes: ")) + "SECRET" + strings.Repeat("y", maxRecord))
	end()
	got := read(t, dir, "agent.log")
	if len(got) > maxRecord+100 || strings.Contains(got, "SEC") || !strings.HasSuffix(got, "bytes in all)\n") {
		t.Errorf("%d bytes, end %q", len(got), got[len(got)-60:])
	}
}

func TestTheFirstFailureIsTold(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "agent.log"), 0o700); err != nil {
		t.Fatal(err)
	}
	var told []error
	h, err := Open(Options{Dir: dir, Failed: func(err error) { told = append(told, err) }})
	if err != nil {
		t.Fatal(err)
	}
	slog.New(h).Info("one")
	slog.New(h).Info("two")
	if err := h.Close(); err == nil || len(told) != 1 || told[0] != err {
		t.Errorf("told %v, closed with %v", told, err)
	}
}
