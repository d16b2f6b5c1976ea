package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"hermes/cmd/internal/drive/cases"
)

// TestCases runs every case of HERMES_CASES, or of the folder beside the
// repository, through the binary. A line of level must that fails has to stand
// in testdata/departures.tsv with the decision that asks for it, and a line
// that stands there has to fail.
func TestCases(t *testing.T) {
	dir := os.Getenv("HERMES_CASES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "cases")
	}
	files, err := cases.Find(dir)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "" {
		t.Skip("there are no cases in ", dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatalf("the cases run Python plugins: %v", err)
	}
	bin := os.Getenv("HERMES_BIN")
	if bin == "" {
		bin = filepath.Join(t.TempDir(), "hermes")
		if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	p := cases.Program{Path: bin, Environ: append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8"), Python: python}
	departures := readDepartures(t)
	var sum tally
	t.Run("case", func(t *testing.T) {
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
				t.Parallel()
				c, verdicts, err := cases.Run(context.Background(), p, file, caseDir(t))
				if err != nil {
					t.Fatal(err)
				}
				sum.add(verdicts)
				for _, v := range verdicts {
					departures.check(t, c.ID, v)
				}
			})
		}
	})
	departures.unused(t, files)
	sum.report(t)
}

// caseDir is a folder that can be removed although a case made folders
// unreadable.
func caseDir(t *testing.T) string {
	dir, err := os.MkdirTemp("", "case-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, _ error) error {
			if d != nil && d.IsDir() {
				_ = os.Chmod(path, 0o700) // what stays shut fails to be removed
			}
			return nil
		})
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// departure is a line of a case that fails because a decision wants it so.
type departure struct{ id, at, op string }

type departures struct {
	why map[departure]string

	mu   sync.Mutex
	seen map[departure]bool
}

// readDepartures reads lines of case, pointer, operation, decision and reason,
// separated by tabs.
func readDepartures(t *testing.T) *departures {
	t.Helper()
	d := &departures{why: map[departure]string{}, seen: map[departure]bool{}}
	f, err := os.Open(filepath.Join("testdata", "departures.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decision := regexp.MustCompile(`^D\d+$`)
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := sc.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != 5 || !decision.MatchString(cols[3]) || cols[4] == "" {
			t.Fatalf("departures.tsv: want case, pointer, operation, D number and reason, got %q", line)
		}
		d.why[departure{cols[0], cols[1], cols[2]}] = cols[3] + " " + cols[4]
	}
	return d
}

func (d *departures) check(t *testing.T, id string, v cases.Verdict) {
	key := departure{id, v.At, v.Op}
	why, listed := d.why[key]
	d.mu.Lock()
	d.seen[key] = true
	d.mu.Unlock()
	line := fmt.Sprintf("%s %s %s: got %s", v.At, v.Op, v.ValueText(), v.Short())
	switch {
	case listed && v.State != cases.Fail:
		t.Errorf("%s %s holds, but stands in departures.tsv (%s)", v.At, v.Op, why)
	case listed:
		t.Logf("departs (%s): %s", why, line)
	case v.State == cases.Fail && v.Level == cases.Must:
		t.Error(line)
	case v.State == cases.Fail:
		t.Logf("better: %s", line)
	}
}

// unused finds lines of departures.tsv that are no line of a case that ran.
func (d *departures) unused(t *testing.T, files []string) {
	ran := map[string]bool{}
	for _, f := range files {
		ran[strings.TrimSuffix(filepath.Base(f), ".json")] = true
	}
	for key := range d.why {
		if ran[key.id] && !d.seen[key] {
			t.Errorf("departures.tsv: %s has no line %s %s", key.id, key.at, key.op)
		}
	}
}

// tally counts how the lines came out, by level and state.
type tally struct {
	mu sync.Mutex
	n  map[string]map[cases.State]int
}

func (s *tally) add(list []cases.Verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n == nil {
		s.n = map[string]map[cases.State]int{cases.Must: {}, cases.Better: {}}
	}
	for _, v := range list {
		s.n[v.Level][v.State]++
	}
}

// betterGoal is the part of the better lines that has to hold.
const betterGoal = 0.95

func (s *tally) report(t *testing.T) {
	for _, level := range []string{cases.Must, cases.Better} {
		n := s.n[level]
		t.Logf("%s: %d hold, %d fail, %d of steps that are not offered", level, n[cases.Pass], n[cases.Fail], n[cases.NotOffered])
	}
	if s.n[cases.Must][cases.Pass] == 0 {
		t.Error("no line was held against anything")
	}
	better := s.n[cases.Better]
	if all := better[cases.Pass] + better[cases.Fail]; float64(better[cases.Pass]) < betterGoal*float64(all) {
		t.Errorf("only %d of %d lines of level better hold", better[cases.Pass], all)
	}
}
