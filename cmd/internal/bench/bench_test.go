//go:build linux

package bench

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestQuantiles(t *testing.T) {
	s := sample{5, 1, 4, 2, 3}
	if s.median() != 3 || math.Abs(s.p95()-4.8) > 1e-9 || (sample{7}).p95() != 7 || !math.IsNaN(sample(nil).median()) {
		t.Errorf("median %v, p95 %v", s.median(), s.p95())
	}
}

// shell starts a script as a program with a screen.
func shell(t *testing.T, script string) *terminal {
	t.Helper()
	term, err := open([]string{"/bin/sh", "-c", script}, os.Environ(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(term.close)
	return term
}

func TestTerminalTimesWhatIsPainted(t *testing.T) {
	// Blanks are no paint, a frame counts when it is whole, and what is typed is
	// shown by the program, not by the terminal.
	term := shell(t, `stty raw -echo; printf '   \033[?2026hHel'; printf 'lo\033[?2026l'; dd bs=1 count=3 2>/dev/null | tr a-z A-Z; sleep 60`)
	at, err := term.painted()
	if err != nil || at.Before(term.start) {
		t.Fatalf("painted at %v, started %v: %v", at, term.start, err)
	}
	if _, err := term.shows("Hello"); err != nil {
		t.Fatal(err)
	}
	if err := term.raw(); err != nil {
		t.Fatal(err)
	}
	pressed, err := term.keys("abc")
	if err != nil {
		t.Fatal(err)
	}
	if at, err = term.shows("ABC"); err != nil || at.Before(pressed) {
		t.Errorf("shown at %v, typed at %v: %v", at, pressed, err)
	}
	if n := term.written(); n < int64(len("   HelloABC")) {
		t.Errorf("%d bytes written", n)
	}
}

func TestTerminalAnswersQueries(t *testing.T) {
	term := shell(t, `stty raw -echo; printf '\033[?u'; dd bs=1 count=5 2>/dev/null | od -An -c; sleep 60`)
	if _, err := term.shows("[   ?   0   u"); err != nil {
		t.Fatal(err)
	}
}

func TestTerminalSaysWhatDidNotCome(t *testing.T) {
	term := shell(t, `printf 'only this'`)
	_, err := term.shows("something else")
	if err == nil || !strings.Contains(err.Error(), "only this") || !strings.Contains(err.Error(), "program ended: true") {
		t.Errorf("error %v", err)
	}
}

func TestTreeMemoryAndTime(t *testing.T) {
	term := shell(t, `sh -c 'while :; do :; done' & printf ready; wait`)
	if _, err := term.shows("ready"); err != nil {
		t.Fatal(err)
	}
	pids := tree(term.cmd.Process.Pid)
	mib, err := pss(pids)
	if err != nil || len(pids) < 2 || mib <= 0 || mib > 100 {
		t.Errorf("processes %v with %.2f MiB, %v", pids, mib, err)
	}
	for before := busy(pids); busy(pids) == before; {
		// The child computes: its time grows, or the test runs into its limit.
	}
}

func TestVerdicts(t *testing.T) {
	r := &Result{samples: map[string]map[string]sample{}, Load: [2]string{"0.1", "0.2"}, Runs: 20}
	here, ref := r.add(Here), r.add(Reference)
	here("paint", 40)
	ref("paint", 2000) // 0.02 of at most 45/1999
	here("enter", 9)
	ref("enter", 193) // 0.047 of at most 5/193
	here("version", 39)
	here("list", 61)
	here("idle", 0)
	here("cold", 500)
	want := map[string]bool{
		"first paint, warm": true, "Enter to request on the wire": false, "`--version`": true, "`plugins list`": false,
		"idle bytes to the terminal": true, "first paint, empty home": true,
	}
	rows := r.Rows()
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
	for _, row := range rows {
		if row.Passed != want[row.Figure] {
			t.Errorf("%s: passed %v", row.Figure, row.Passed)
		}
	}
	table := r.Table()
	for _, line := range []string{
		"| first paint, warm, ms | 40.0 (40.0) | 2000 (2000) | 0.0200 | 0.0225 | pass |",
		"| Enter to request on the wire, ms | 9.00 (9.00) | 193 (193) | 0.0466 | 0.0259 | **missed** |",
		"| `--version`, ms | 39.0 (39.0) | – | – | 40.0 | pass |",
		"| first paint, empty home, ms | 500 (500) | – | – | – | – |",
	} {
		if !strings.Contains(table, line) {
			t.Errorf("no %q in\n%s", line, table)
		}
	}
}

func TestHomesAreComplete(t *testing.T) {
	root := t.TempDir()
	h, err := newHome(root, program{name: Reference}, 2, "http://127.0.0.1:1/v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.yaml", "plugins/bench00/plugin.yaml", "plugins/bench01/__init__.py"} {
		if _, err := os.Stat(filepath.Join(h.dir, "hermes", name)); err != nil {
			t.Error(err)
		}
	}
	if h, err = newHome(root, program{name: Here, bare: true}, 0, ""); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(h.dir, "hermes")); err != nil || len(left) != 0 {
		t.Errorf("the empty home holds %v, %v", left, err)
	}
	for _, kv := range h.env() {
		if strings.Contains(kv, "_API_KEY") {
			t.Errorf("a measured program gets %s", kv)
		}
	}
}
