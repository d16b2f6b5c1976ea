package tuitest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func init() {
	// Other packages of tests may have the same flag.
	if flag.Lookup("update") == nil {
		flag.Bool("update", false, "write golden screens instead of comparing them")
	}
}

// Mask replaces a volatile part of a screen. Matches keep their width: the
// replacement is padded or cut to it, so that columns stay in place.
type Mask struct {
	re   *regexp.Regexp
	with string
}

// NewMask returns a mask that writes with over every match of pattern.
func NewMask(pattern, with string) Mask { return Mask{regexp.MustCompile(pattern), with} }

func (m Mask) apply(text string) string {
	return m.re.ReplaceAllStringFunc(text, func(s string) string {
		want, have := []rune(s), []rune(m.with)
		for len(have) < len(want) {
			have = append(have, ' ')
		}
		return string(have[:len(want)])
	})
}

// Golden compares the screen with testdata/NAME.golden, after masks. With the
// flag -update, or where the file is missing and -update is set, it is written.
// A golden screen shows that nothing changed, not that it was right: assert
// what the user must see as well.
func (s Snapshot) Golden(t testing.TB, name string, masks ...Mask) {
	t.Helper()
	got := s.String() + "\n"
	for _, m := range masks {
		got = m.apply(got)
	}
	path := filepath.Join("testdata", name+".golden")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run the test with -update to write it)", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("the screen differs from %s (-want +got):\n%s", path, diff)
	}
}
