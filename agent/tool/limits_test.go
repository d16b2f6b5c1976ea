package tool

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestBudgetFor(t *testing.T) {
	for window, want := range map[int]Budget{
		0:       {100_000, 200_000},
		8192:    {8000, 16_000},
		32_768:  {19_660, 39_321},
		131_072: {78_643, 157_286},
		1 << 20: {100_000, 200_000},
	} {
		if got := BudgetFor(window); got != want {
			t.Errorf("%d: %+v, want %+v", window, got, want)
		}
	}
}

func TestSpill(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	text := "HEAD\n" + strings.Repeat("界", 149_995)
	got := Spill(dir, "call/../x", text)
	if !strings.HasPrefix(got, "<persisted-output>\n") || !strings.HasSuffix(got, "</persisted-output>") ||
		!strings.Contains(got, "150,000 characters") || !strings.Contains(got, "HEAD") {
		t.Errorf("got %.200s", got)
	}
	path := regexp.MustCompile(`the file (\S+);`).FindStringSubmatch(got)
	if path == nil || filepath.Dir(path[1]) != dir {
		t.Fatalf("path %v", path)
	}
	saved, err := os.ReadFile(path[1])
	if err != nil || string(saved) != text {
		t.Errorf("saved %d bytes, %v", len(saved), err)
	}
	if info, err := os.Stat(path[1]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

// A file that is there already, or a link, is left alone.
func TestSpillOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(t.TempDir(), "mine")
	for path, text := range map[string]string{mine: "mine", filepath.Join(dir, "b.txt"): "old"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(mine, filepath.Join(dir, "a.txt")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for _, id := range []string{"a", "b"} {
		if got := Spill(dir, id, strings.Repeat("x", 2000)); !strings.Contains(got, filepath.Join(dir, id+"-2.txt")) {
			t.Errorf("%s: %.200s", id, got)
		}
	}
	for path, want := range map[string]string{mine: "mine", filepath.Join(dir, "b.txt"): "old"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

func TestSpillWithNowhereToSave(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := Spill(filepath.Join(file, "x"), "id", strings.Repeat("line\n", 30_000))
	if !strings.HasPrefix(got, "line\n") || !strings.HasSuffix(got, "line\n\n[Truncated: tool response was 150,000 chars. Full output could not be saved to sandbox.]") || len(got) > 1700 {
		t.Errorf("got %d bytes: …%.100s", len(got), got[max(len(got)-100, 0):])
	}
}

func TestSelection(t *testing.T) {
	for _, tc := range []struct {
		name    string
		s       Selection
		toolset string
		plugin  bool
		want    bool
	}{
		{"built-in by default", Selection{}, "file", false, true},
		{"plugin by default", Selection{}, "calculator", true, true},
		{"off until named", Selection{}, "spotify", true, false},
		{"named", Selection{Platform: []string{"spotify"}}, "spotify", true, true},
		{"disabled", Selection{Disabled: []string{"file"}}, "file", false, false},
		{"built-in not among the chosen", Selection{Platform: []string{"todo"}}, "file", false, false},
		{"the default set", Selection{Platform: []string{"hermes-cli"}}, "file", false, true},
		{"plugin not among the chosen, not seen", Selection{Platform: []string{"todo"}}, "calc", true, true},
		{"plugin switched off", Selection{Platform: []string{"todo"}, Known: []string{"calc"}}, "calc", true, false},
		{"only", Selection{Only: []string{"calc"}, Disabled: []string{"calc"}}, "calc", true, true},
		{"only others", Selection{Only: []string{"todo"}}, "calc", true, false},
		{"all", Selection{Only: []string{"*"}}, "spotify", true, true},
		{"none", Selection{Only: []string{}}, "todo", false, false},
	} {
		if got := tc.s.Offers(tc.toolset, tc.plugin); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}
