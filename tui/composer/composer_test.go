package composer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

func newComposer() *Model { return New(look.New(look.Options{}, 1)) }

// Editing by keys gives what editing a list of letters gives.
func TestEditingLikeAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newComposer()
		m.SetSize(rapid.IntRange(4, 30).Draw(t, "width"), rapid.IntRange(1, 6).Draw(t, "rows"))
		var want []string // letters, with the caret at "at"
		at := 0
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 7).Draw(t, "what") {
			case 0, 1, 2:
				s := rapid.SampledFrom([]string{"a", "b", " ", "天", "👩‍👩‍👧", "🇯🇵", "é", "\n"}).Draw(t, "letter")
				m.Insert(s)
				// Letters that join their neighbours are left to the next test.
				if s == "🇯🇵" && (at > 0 && want[at-1] == "🇯🇵") {
					m.Key("backspace", nil)
					continue
				}
				want = append(want[:at:at], append([]string{s}, want[at:]...)...)
				at++
			case 3:
				m.Key("backspace", nil)
				if at > 0 {
					want = append(want[:at-1:at-1], want[at:]...)
					at--
				}
			case 4:
				m.Key("left", nil)
				at = max(at-1, 0)
			case 5:
				m.Key("right", nil)
				at = min(at+1, len(want))
			case 6:
				m.Key("delete", nil)
				if at < len(want) {
					want = append(want[:at:at], want[at+1:]...)
				}
			case 7:
				m.Key("ctrl+a", nil)
				for at > 0 && want[at-1] != "\n" {
					at--
				}
			}
			if got := m.Text(); got != strings.Join(want, "") {
				t.Fatalf("text %q, want %q", got, strings.Join(want, ""))
			}
			if m.buf.caret != at {
				t.Fatalf("caret at %d, want %d in %q", m.buf.caret, at, want)
			}
			checkRows(t, m)
		}
	})
}

// checkRows asserts that what is drawn fits and that the caret is on it.
func checkRows(t interface{ Fatalf(string, ...any) }, m *Model) {
	rows, x, y := m.Render()
	if len(rows) != m.Height() || len(rows) > m.maxRows || y < 0 || y >= len(rows) || x < promptWidth || x >= m.width+1 {
		t.Fatalf("%d rows (height %d, at most %d), caret %d,%d in %d columns", len(rows), m.Height(), m.maxRows, x, y, m.width)
	}
	for _, row := range rows {
		if render.Width(row) > m.width {
			t.Fatalf("row of %d cells in %d: %q", render.Width(row), m.width, row)
		}
	}
}

// An accent that arrives after its letter joins it.
func TestClustersJoin(t *testing.T) {
	m := newComposer()
	for _, s := range []string{"e", "\u0301", "👩", "\u200d", "👧"} {
		m.Insert(s)
	}
	if n := len(m.buf.atoms); n != 2 || m.buf.caret != 2 {
		t.Errorf("%d atoms, caret at %d", n, m.buf.caret)
	}
	m.Key("backspace", nil)
	if got := m.Text(); got != "e\u0301" {
		t.Errorf("left %q", got)
	}
}

func TestVerticalKeepsTheColumn(t *testing.T) {
	m := newComposer()
	m.SetSize(40, 8)
	m.Insert("long line here\nab\nanother long one")
	m.Vertical(-1)
	m.Vertical(-1)
	if m.buf.caret != len("long line here") {
		t.Errorf("caret at %d", m.buf.caret)
	}
	if m.Vertical(-1) {
		t.Error("went above the first row")
	}
	m.Vertical(1)
	m.Vertical(1)
	if m.buf.caret != len(m.buf.atoms) {
		t.Errorf("caret at %d of %d", m.buf.caret, len(m.buf.atoms))
	}
}

// A caret goes up and down through wrapped rows without sticking.
func TestVerticalThroughWrappedRows(t *testing.T) {
	m := newComposer()
	m.SetSize(12, 8)
	m.Insert(strings.Repeat("天a", 30))
	n := 0
	for m.Vertical(-1) {
		if n++; n > 100 {
			t.Fatal("the caret sticks")
		}
	}
	if n != len(m.buf.wrap(10).rows)-1 {
		t.Errorf("%d steps through %d rows", n, len(m.buf.wrap(10).rows))
	}
}

func TestHistoryFileRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h")
	want := []string{"one", "two\nlines\n\nand a blank", "+plus # hash", "天气"}
	for _, e := range want {
		if err := AppendHistory(path, e, time.Date(2026, 11, 30, 1, 2, 3, 4000, time.UTC)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, mode %v", err, info.Mode())
	}
	data, _ := os.ReadFile(path)
	if !strings.HasPrefix(string(data), "\n# 2026-11-30 01:02:03.000004\n+one\n") {
		t.Errorf("not the format of the reference:\n%s", data)
	}
	if missing, err := ReadHistory(path + "x"); err != nil || missing != nil {
		t.Errorf("a missing file: %v, %v", missing, err)
	}
}

func FuzzReadHistory(f *testing.F) {
	f.Add([]byte("\n# t\n+a\n+b\n"))
	f.Add([]byte("+\x1b[31m\xff\n+\n"))
	path := filepath.Join(f.TempDir(), "h")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		entries, err := ReadHistory(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.ContainsAny(e, "\x1b\r\a") {
				t.Fatalf("control characters in %q", e)
			}
		}
	})
}
