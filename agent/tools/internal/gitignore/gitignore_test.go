package gitignore

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		list, path string
		dir        bool
		ignored    bool
	}{
		{"*.log", "a/b.log", false, true},
		{"*.log\n!keep.log", "keep.log", false, false},
		{"/build", "build", true, true},
		{"/build", "a/build", true, false},
		{"build/", "build", false, false},
		{"a/*.txt", "a/b/c.txt", false, false},
		{"a/**/c", "a/c", false, true},
		{"a/**/c", "a/x/y/c", false, true},
		{"**/c", "c", false, true},
		{"a/**", "a/x/y", false, true},
		{"# no", "# no", false, false},
		{`\#yes`, "#yes", false, true},
		{`\!yes`, "!yes", false, true},
		{"trail  ", "trail", false, true},
		{`trail\ `, "trail ", false, true},
		{"[a-c].go", "b.go", false, true},
		{"[!a-c].go", "b.go", false, false},
		{"[]x].go", "].go", false, true},
		{"[ab", "[ab", false, false},
		{"x[.-0]y", "x/y", false, false},
		{"[[:digit:]]", "7", false, true},
		{"?", "é", false, false},
		{"??", "é", false, true},
		{"文*", "文件", false, true},
	} {
		got, _ := Parse(tc.list).Match(tc.path, tc.dir)
		if got != tc.ignored {
			t.Errorf("%q on %q (dir %v): %v", tc.list, tc.path, tc.dir, got)
		}
	}
}

// Every list of patterns, on every path, decides as git does.
func TestAsGitDoes(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	repo := t.TempDir()
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(git, append([]string{"-C", repo, "-c", "core.ignorecase=false", "-c", "core.excludesFile=" + os.DevNull}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		return cmd
	}
	if out, err := run("init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	atom := rapid.SampledFrom([]string{"a", "b", "ab", ".", "/", "*", "**", "?", "[ab]", "[!a]", "[a-]", "[]a]", "[.-0]", "[[:alpha:]]", "[[:nope:]]", "[", "]", `\`, `\*`, `\a`, "!", "#", " ", "é", "-"})
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(1, 3).Draw(t, "lines") {
			lines = append(lines, strings.Join(rapid.SliceOfN(atom, 1, 5).Draw(t, "pattern"), ""))
		}
		text := strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(repo, ".gitignore"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		name := rapid.StringMatching(`[ab.\-!#\[\]é\\ *]{1,3}`)
		var paths []string
		for range 12 {
			p := strings.Join(rapid.SliceOfN(name, 1, 3).Draw(t, "path"), "/")
			if ok(p) {
				paths = append(paths, p)
			}
		}
		if len(paths) == 0 {
			return
		}
		cmd := run("check-ignore", "--no-index", "--stdin", "-z", "-v", "-n")
		cmd.Stdin = strings.NewReader(strings.Join(paths, "\x00"))
		out, err := cmd.Output()
		if exit := (&exec.ExitError{}); err != nil && !(asExit(err, &exit) && exit.ExitCode() == 1) {
			t.Fatalf("git check-ignore: %v", err)
		}
		// Four fields each: source, line, pattern, path.
		fields := bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0})
		list := Parse(text)
		for i := 0; i+3 < len(fields); i += 4 {
			pattern, p := string(fields[i+2]), string(fields[i+3])
			want := pattern != "" && pattern[0] != '!'
			if got := ignoredWithParents(list, p); got != want {
				t.Fatalf("patterns %q, path %q: %v, git says %v (by %q)", lines, p, got, want, pattern)
			}
		}
	})
}

// ignoredWithParents walks down as a file walk does: what lies in an ignored
// folder is ignored.
func ignoredWithParents(l *List, p string) bool {
	parts := strings.Split(p, "/")
	for i := 1; i < len(parts); i++ {
		if ignored, _ := l.Match(strings.Join(parts[:i], "/"), true); ignored {
			return true
		}
	}
	ignored, _ := l.Match(p, false)
	return ignored
}

// ok leaves out paths that git does not take as they stand.
func ok(p string) bool {
	for _, part := range strings.Split(p, "/") {
		if part == "." || part == ".." || part == "" || strings.HasPrefix(part, ".git") {
			return false
		}
	}
	return true
}

func asExit(err error, target **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	if ok {
		*target = e
	}
	return ok
}

// No list makes parsing or matching panic or run away.
func FuzzParse(f *testing.F) {
	f.Add("a/**/[!b]*\\ \n!x/", "a/b")
	f.Fuzz(func(t *testing.T, list, p string) {
		Parse(list).Match(p, true)
	})
}
