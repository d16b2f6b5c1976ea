package diff

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnified(t *testing.T) {
	for _, tc := range []struct{ name, before, after, want string }{
		{"nothing changed", "a\n", "a\n", ""},
		{"a line", "a\nb\nc\n", "a\nB\nc\n", "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"no newline at the end", "a\nb", "a\nc", "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
		{"from nothing", "", "a\n", "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n"},
		{"to nothing", "a\n", "", "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n"},
		{"line ends", "a\r\n界\r\n", "a\r\n世\r\n", "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\r\n-界\r\n+世\r\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Unified("x", "y", tc.before, tc.after); got != tc.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestCount(t *testing.T) {
	a, r := Count(Unified("x", "y", "a\nb\nc\n", "a\nd\ne\nc\n-- f\n"))
	if a != 3 || r != 1 {
		t.Errorf("+%d -%d", a, r)
	}
}

// Whatever the texts, patch(1) makes the one of the other.
func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("", "x")
	f.Add("x\r\n\r\n", "\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		if strings.ContainsAny(before+after, "\x00\r") {
			return // patch(1) has ideas of its own about these
		}
		d := Unified("a", "b", before, after)
		if (d == "") != (before == after) {
			t.Fatalf("%q for %q and %q", d, before, after)
		}
		program, err := exec.LookPath("patch")
		if d == "" || err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(program, "-s", "-o", path+".new", path)
		cmd.Stdin = strings.NewReader(d)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s\n%s", err, out, d)
		}
		got, err := os.ReadFile(path + ".new")
		if err != nil && after != "" || string(got) != after {
			t.Fatalf("got %q, want %q: %v\n%s", got, after, err, d)
		}
	})
}
