package files

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/tool"
)

// bench is the tools on a folder of their own.
type bench struct {
	t    *testing.T
	reg  *tool.Registry
	dir  string
	home string
}

func newBench(t *testing.T, change func(*Deps)) *bench {
	t.Helper()
	b := &bench{t: t, reg: tool.NewRegistry(nil), dir: t.TempDir(), home: t.TempDir()}
	d := Deps{Dir: b.dir, Home: b.home, Getenv: func(string) string { return "" }}
	if change != nil {
		change(&d)
	}
	if err := Register(b.reg, d); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) put(name, text string) string {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

func (b *bench) holds(name, want string) {
	b.t.Helper()
	got, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil || string(got) != want {
		b.t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
	}
}

func (b *bench) call(name string, args map[string]any) (map[string]any, tool.Result) {
	b.t.Helper()
	t, ok := b.reg.Get(name)
	if !ok {
		b.t.Fatalf("no tool %s", name)
	}
	js, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	res, err := t.Run(context.Background(), tool.Call{Session: "s", Args: js})
	if err != nil {
		b.t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(res.Content), &out); err != nil {
		b.t.Fatalf("%s: %v", res.Content, err)
	}
	return out, res
}

func TestWriteFile(t *testing.T) {
	b := newBench(t, nil)
	path := filepath.Join(b.dir, "new/deep/a.txt")
	_, res := b.call("write_file", map[string]any{"path": "new/deep/a.txt", "content": "hi 世界\n"})
	want := `{"bytes_written": 10, "dirs_created": true, "lint": {"status": "skipped", "message": "No linter for .txt files"}, "resolved_path": "` + path + `", "files_modified": ["` + path + `"]}`
	if res.Content != want {
		t.Errorf("got  %s\nwant %s", res.Content, want)
	}
	if res.Diff != "--- /dev/null\n+++ b/new/deep/a.txt\n@@ -0,0 +1 @@\n+hi 世界\n" {
		t.Errorf("diff %q", res.Diff)
	}
	b.holds("new/deep/a.txt", "hi 世界\n")

	script := b.put("run.sh", "#!/bin/sh\n")
	if err := os.Chmod(script, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(script, filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	b.call("write_file", map[string]any{"path": "link", "content": "#!/bin/sh\necho\n"})
	info, err := os.Lstat(filepath.Join(b.dir, "link"))
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if info, _ := os.Stat(script); info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v", info.Mode())
	}
	b.holds("run.sh", "#!/bin/sh\necho\n")
	left, _ := filepath.Glob(filepath.Join(b.dir, ".hermes-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteChecksSyntax(t *testing.T) {
	b := newBench(t, func(d *Deps) {
		d.CheckPython = func(text string) string {
			if strings.Contains(text, "= =") {
				return "SyntaxError: invalid syntax (line 1, column 5)"
			}
			return ""
		}
	})
	for name, tc := range map[string]struct{ content, status, says string }{
		"a.go":   {"package a\n\nfunc {\n", "error", "a.go:3:6"},
		"b.go":   {"package a\n", "ok", ""},
		"c.yaml": {"a: {{ .x }}\nb: [\n", "error", "YAMLError"}, // a template
		"d.py":   {"x = = 1\n", "error", "SyntaxError: invalid syntax (line 1, column 5)"},
		"e.rs":   {"fn main(", "skipped", ""},
	} {
		out, _ := b.call("write_file", map[string]any{"path": name, "content": tc.content})
		lint, _ := out["lint"].(map[string]any)
		if lint["status"] != tc.status || !strings.Contains(str(lint["output"]), tc.says) {
			t.Errorf("%s: %v", name, out)
		}
		b.holds(name, tc.content)
	}
	for name, tc := range map[string]struct{ content, says string }{
		"x.json": {`{"a":1,}`, "line 1, column 8"},
		"x.yaml": {"a: [1\n", "YAMLError"},
		"x.toml": {"a = \n", "TOMLDecodeError"},
	} {
		out, _ := b.call("write_file", map[string]any{"path": name, "content": tc.content})
		if !strings.Contains(str(out["error"]), "fails "+filepath.Ext(name)+" syntax validation") || !strings.Contains(str(out["error"]), tc.says) {
			t.Errorf("%v", out)
		}
		if _, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
			t.Errorf("broken %s was written", name)
		}
	}
	// Neither does a patch break a data file, but one that was broken stays
	// changeable.
	b.put("ok.json", `{"a":1}`)
	b.put("broken.json", "// c\n{\"a\":1}")
	out, _ := b.call("patch", map[string]any{"mode": "replace", "path": "ok.json", "old_string": "1}", "new_string": "1"})
	if out["success"] != false || !strings.Contains(str(out["error"]), "Failed to write changes: Refusing to write") {
		t.Errorf("%v", out)
	}
	out, _ = b.call("patch", map[string]any{"mode": "patch", "patch": "*** Begin Patch\n*** Add File: n.txt\n+x\n*** Update File: ok.json\n-{\"a\":1}\n+{\"a\":1\n*** End Patch"})
	if _, err := os.Stat(filepath.Join(b.dir, "n.txt")); out["success"] != false || err == nil {
		t.Errorf("%v %v", out, err)
	}
	b.holds("ok.json", `{"a":1}`)
	out, _ = b.call("patch", map[string]any{"mode": "replace", "path": "broken.json", "old_string": "1}", "new_string": "2}"})
	if lint, _ := out["lint"].(map[string]any); out["success"] != true || lint["message"] == nil {
		t.Errorf("%v", out)
	}
	// What was wrong before is not the change's fault.
	b.put("old.go", "package a\n\nfunc {\n")
	out, _ = b.call("patch", map[string]any{"mode": "replace", "path": "old.go", "old_string": "package a", "new_string": "package b"})
	if lint, _ := out["lint"].(map[string]any); lint["status"] != "error" || !strings.Contains(str(lint["message"]), "had this error before") {
		t.Errorf("%v", out)
	}
}

func str(v any) string { s, _ := v.(string); return s }

func TestProtectedPaths(t *testing.T) {
	user, safe := t.TempDir(), t.TempDir()
	t.Setenv("HOME", user)
	b := newBench(t, nil)
	if err := os.MkdirAll(filepath.Join(user, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(user, ".ssh"), filepath.Join(b.dir, "innocent")); err != nil {
		t.Fatal(err)
	}
	for path, says := range map[string]string{
		"/etc/hermes-test":                                    "Refusing to write to sensitive system path: /etc/hermes-test\nUse the terminal tool with sudo",
		"/boot/x":                                             "Refusing to write to sensitive system path",
		"~/.ssh/id_rsa":                                       "is a protected system/credential file.",
		"innocent/authorized_keys":                            "is a protected system/credential file.",
		"~/.config/gh/hosts.yml":                              "is a protected system/credential file.",
		"~/.npmrc":                                            "is a protected system/credential file.",
		filepath.Join(b.home, ".env"):                         "is a protected system/credential file.",
		filepath.Join(b.home, "state.db"):                     "is a protected system/credential file.",
		filepath.Join(b.home, "sessions/a"):                   "is a protected system/credential file.",
		filepath.Join(b.home, "config.yaml"):                  "Refusing to write to Hermes config file",
		filepath.Join(b.home, "x/../.env"):                    "is a protected system/credential file.",
		filepath.Join(b.home, "profiles/p/x/y"):               "",
		filepath.Join(b.home, "profiles/p/skills/a/SKILL.md"): "belongs to the profile 'p'",
		filepath.Join(b.home, "skills/a/SKILL.md"):            "",
		"~/ok.txt": "",
	} {
		for _, name := range []string{"write_file", "patch"} {
			args := map[string]any{"path": path, "content": "x", "mode": "patch", "patch": "*** Begin Patch\n*** Add File: " + path + "\n+x\n*** End Patch"}
			out, _ := b.call(name, args)
			got := str(out["error"])
			if says == "" && got != "" && !strings.Contains(got, "exists already") || says != "" && !strings.Contains(got, says) {
				t.Errorf("%s %s: %v", name, path, out)
			}
		}
	}
	out, _ := b.call("write_file", map[string]any{"path": filepath.Join(b.home, "profiles/p/skills/a/SKILL.md"), "content": "x", "cross_profile": true})
	if out["error"] != nil {
		t.Errorf("%v", out)
	}
	b = newBench(t, func(d *Deps) {
		d.Getenv = func(name string) string { return map[string]string{"HERMES_WRITE_SAFE_ROOT": safe}[name] }
	})
	if out, _ := b.call("write_file", map[string]any{"path": "a", "content": "x"}); !strings.Contains(str(out["error"]), "outside of HERMES_WRITE_SAFE_ROOT") {
		t.Errorf("%v", out)
	}
	if out, _ := b.call("write_file", map[string]any{"path": filepath.Join(safe, "a"), "content": "x"}); out["error"] != nil {
		t.Errorf("%v", out)
	}
}

func TestChangedOnDisk(t *testing.T) {
	b := newBench(t, nil)
	path := b.put("a.txt", "one\n")
	b.call("read_file", map[string]any{"path": "a.txt"})
	out, _ := b.call("patch", map[string]any{"path": "a.txt", "old_string": "one", "new_string": "two"})
	if out["_warning"] != nil {
		t.Errorf("%v", out)
	}
	out, _ = b.call("read_file", map[string]any{"path": "a.txt"}) // not "unchanged"
	if out["content"] != "1|two\n2|" && out["content"] != "1|two" {
		t.Errorf("%v", out)
	}
	if err := os.WriteFile(path, []byte("somebody else\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ = b.call("write_file", map[string]any{"path": "a.txt", "content": "mine\n"})
	if !strings.Contains(str(out["_warning"]), "had changed since you last read it") {
		t.Errorf("%v", out)
	}
}

// replaceCase is one try of mode replace; the right values are those of the
// reference's tool on the same input, but for the paths in its diffs.
var replaceCases = []struct {
	name, text, old, fresh string
	all                    bool
	want, fails            string
}{
	{name: "exact", text: "a\nb\nc\n", old: "b", fresh: "B", want: "a\nB\nc\n"},
	{name: "several", text: "one\ntwo\none\n", old: "one", fresh: "1", fails: "Found 2 matches for old_string. Provide more context to make it unique, or use replace_all=True."},
	{name: "all", text: "one\ntwo\none\n", old: "one", fresh: "1", all: true, want: "1\ntwo\n1\n"},
	{name: "delete", text: "a\nb\nc\n", old: "b\n", fresh: "", want: "a\nc\n"},
	{name: "empty", text: "a\n", old: "", fresh: "x", fails: "old_string cannot be empty"},
	{name: "same", text: "a\n", old: "a", fresh: "a", fails: "old_string and new_string are identical"},
	{name: "none", text: "a\n", old: "zzz", fresh: "y", fails: "Could not find a match for old_string in the file"},
	{name: "indentation", text: "def f():\n    if a:\n        return 1\n    return 2\n", old: "if a:\n    return 1", fresh: "if b:\n    return 3", want: "def f():\n    if b:\n        return 3\n    return 2\n"},
	{name: "trimmed", text: "def f():\n    return 2\n", old: "  return 2 ", fresh: "return 9", want: "def f():\n    return 9\n"},
	{name: "tabs", text: "func f() {\n\tif x {\n\t\ty()\n\t}\n}\n", old: "if x {\n    y()\n}", fresh: "if z {\n    w()\n}", want: "func f() {\n\tif z {\n\t    w()\n\t}\n}\n"},
	{name: "blanks", text: "a  =   1\n", old: "a = 1", fresh: "a = 2", want: "a = 2\n"},
	{name: "escapes", text: "a\tb\n", old: `a\tb`, fresh: `a\tc`, want: "a\tc\n"},
	{name: "quotes", text: "say “hi” – now\n", old: `say "hi" - now`, fresh: "say no", want: "say no\n"},
	{name: "anchors", text: "func a() {\n\tx := 1 // old\n\treturn\n}\n", old: "func a() {\n\tx := 1\n\treturn\n}", fresh: "func a() {}", want: "func a() {}\n"},
	{name: "similar", text: "one\ntwo\nthree\n", old: "twoo", fresh: "2", want: "one\n2\nthree\n"},
	{name: "no end of line", text: "a\nb", old: "b", fresh: "c", want: "a\nc"},
	{name: "crlf", text: "a\r\nb\r\nc\r\n", old: "a\nb", fresh: "x\ny", want: "x\r\ny\r\nc\r\n"},
	{name: "bom", text: "\ufeffa\nb\n", old: "a", fresh: "x", want: "\ufeffx\nb\n"},
	{name: "cjk", text: "标题\n  内容 一\n", old: "内容 一", fresh: "内容 二", want: "标题\n  内容 二\n"},
}

func TestPatchReplace(t *testing.T) {
	for _, tc := range replaceCases {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t, nil)
			b.put("f", tc.text)
			out, res := b.call("patch", map[string]any{"mode": "replace", "path": "f", "old_string": tc.old, "new_string": tc.fresh, "replace_all": tc.all})
			if tc.fails != "" {
				if out["success"] != false || !strings.HasPrefix(str(out["error"]), tc.fails) {
					t.Errorf("%v", out)
				}
				b.holds("f", tc.text)
				return
			}
			if out["success"] != true || out["diff"] != res.Diff || !strings.HasPrefix(res.Diff, "--- a/f\n+++ b/f\n@@ ") {
				t.Errorf("%v", out)
			}
			b.holds("f", tc.want)
		})
	}
}

func TestPatchHint(t *testing.T) {
	b := newBench(t, nil)
	b.put("f", "alpha\nfunc compute(a int) int {\n\treturn a\n}\n")
	out, _ := b.call("patch", map[string]any{"mode": "replace", "path": "f", "old_string": "func compute(b string)", "new_string": "x"})
	if hint := str(out["_hint"]); !strings.HasPrefix(hint, "old_string not found. Use read_file") || !strings.Contains(hint, "   2| func compute(a int) int {") {
		t.Errorf("%v", out)
	}
	for args, want := range map[string]string{
		`{"mode":"replace"}`: "path required", `{"mode":"zzz","path":"f"}`: "Unknown mode: zzz", `{"mode":"patch"}`: "patch content required",
		`{"mode":"replace","path":"f","new_string":"x"}`: "old_string and new_string required",
	} {
		var a map[string]any
		if err := json.Unmarshal([]byte(args), &a); err != nil {
			t.Fatal(err)
		}
		if out, _ := b.call("patch", a); out["error"] != want {
			t.Errorf("%s: %v", args, out)
		}
	}
	out, _ = b.call("patch", map[string]any{"path": "none", "old_string": "a", "new_string": "b"})
	if !strings.HasPrefix(str(out["error"]), "Failed to read file: ") || !strings.Contains(str(out["error"]), "does not exist") {
		t.Errorf("%v", out)
	}
	out, _ = b.call("patch", map[string]any{"path": ".", "old_string": "a", "new_string": "b"})
	if !strings.Contains(str(out["error"]), "it is a directory") {
		t.Errorf("%v", out)
	}
	b.put("bin", "a\x00b")
	if out, _ := b.call("patch", map[string]any{"path": "bin", "old_string": "a", "new_string": "b"}); out["success"] != false {
		t.Errorf("%v", out)
	}
}

func TestPatchOfSeveralFiles(t *testing.T) {
	b := newBench(t, nil)
	b.put("a.txt", "1\ntwo\n1\nthree\n")
	b.put("gone.txt", "bye\n")
	b.put("old.txt", "moved\n")
	b.put("src/main.go", "package main\n\nfunc one() {\n\tx()\n}\n\nfunc two() {\n\tx()\n}\n")
	out, res := b.call("patch", map[string]any{"mode": "patch", "patch": strings.Join([]string{
		"*** Begin Patch",
		"*** Update File: a.txt", "@@ two @@", " 1", "-two", "+2", " 1",
		"*** Add File: dir/n.txt", "+hello", "+世界",
		"*** Delete File: gone.txt",
		"*** Move File: old.txt -> new/moved.txt",
		"*** Update File: src/main.go", "@@ func two() { @@", "-\tx()", "+\ty()", "",
		"*** End Patch",
	}, "\n")})
	if out["success"] != true {
		t.Fatalf("%v", out)
	}
	b.holds("a.txt", "1\n2\n1\nthree\n")
	b.holds("dir/n.txt", "hello\n世界\n")
	b.holds("new/moved.txt", "moved\n")
	b.holds("src/main.go", "package main\n\nfunc one() {\n\tx()\n}\n\nfunc two() {\n\ty()\n}\n")
	for _, name := range []string{"gone.txt", "old.txt"} {
		if _, err := os.Stat(filepath.Join(b.dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	for _, want := range []string{"--- a/a.txt\n+++ b/a.txt\n", "--- /dev/null\n+++ b/dir/n.txt\n", "--- a/gone.txt\n+++ /dev/null\n", "+\ty()"} {
		if !strings.Contains(res.Diff, want) {
			t.Errorf("%q is not in\n%s", want, res.Diff)
		}
	}
	if c, _ := out["files_created"].([]any); len(c) != 1 || c[0] != "dir/n.txt" {
		t.Errorf("created %v", out["files_created"])
	}
	if lint, _ := out["lint"].(map[string]any)["src/main.go"].(map[string]any); lint["status"] != "ok" {
		t.Errorf("lint %v", out["lint"])
	}
}

// Lines that stand in several places are those below the hint, or below the
// hunk before; otherwise nobody guesses.
func TestWhereHunksGo(t *testing.T) {
	const twice = "f:\n  x\ng:\n  x\nh:\n  x\n"
	for name, tc := range map[string]struct{ patch, want, fails string }{
		"no hint":                {"-  x\n+  y", "", "Found 3 matches"},
		"a hint that is nowhere": {"@@ zzz @@\n-  x\n+  y", "", "Found 3 matches"},
		"a hint":                 {"@@ g: @@\n-  x\n+  y", "f:\n  x\ng:\n  y\nh:\n  x\n", ""},
		"a hint without an end":  {"@@ g:\n-  x\n+  y", "f:\n  x\ng:\n  y\nh:\n  x\n", ""},
		"a hint with ranges":     {"@@ -3,2 +3,2 @@ g:\n-  x\n+  y", "f:\n  x\ng:\n  y\nh:\n  x\n", ""},
		"below the hunk before":  {"@@ g: @@\n-  x\n+  y\n@@\n-  x\n+  z", "f:\n  x\ng:\n  y\nh:\n  z\n", ""},
		"context":                {" h:\n-  x", "f:\n  x\ng:\n  x\nh:\n", ""},
		"lines that only go":     {"-f:\n-  x\n-g:", "  x\nh:\n  x\n", ""},
		"the last line":          {"@@ h: @@\n-  x", "f:\n  x\ng:\n  x\nh:\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.put("a", twice)
			out, _ := b.call("patch", map[string]any{"mode": "patch", "patch": "***Begin Patch\n***Update File: a\n" + tc.patch + "\n***End Patch"})
			if tc.fails != "" {
				if out["success"] != false || !strings.Contains(str(out["error"]), tc.fails) {
					t.Errorf("%v", out)
				}
				b.holds("a", twice)
				return
			}
			if out["success"] != true {
				t.Errorf("%v", out)
			}
			b.holds("a", tc.want)
		})
	}
}

// Nothing is written when a part of a patch does not fit.
func TestPatchIsAllOrNothing(t *testing.T) {
	for name, tc := range map[string]struct{ patch, says string }{
		"no such text":   {"*** Update File: a\n@@ @@\n-x1\n+2\n*** Update File: b\n-nothere at all\n+2", "hunk 1 '' not found — Could not find a match for old_string in the file"},
		"no such file":   {"*** Update File: a\n-x1\n+2\n*** Delete File: zz", "zz: file not found for deletion"},
		"added twice":    {"*** Update File: a\n-x1\n+2\n*** Add File: b\n+x", "the file exists already"},
		"moved over":     {"*** Update File: a\n-x1\n+2\n*** Move File: a -> b", "nothing is moved over it"},
		"protected":      {"*** Update File: a\n-x1\n+2\n*** Add File: /etc/hermes-test\n+x", "sensitive system path"},
		"garbage":        {"garbage", "Patch contains no changes (only context lines were provided)"},
		"only context":   {"*** Update File: a\n x1", "Patch contains no changes"},
		"no name":        {"*** Update File:\n-x", "line 1: the file is not named"},
		"move, no arrow": {"*** Begin Patch\n*** Move File: a b", "line 2: a move is written as"},
		"add, no plus":   {"*** Begin Patch\n*** Add File: n\nhello", "line 3: a line of a new file begins with +"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, nil)
			b.put("a", "x1\n")
			b.put("b", "y1\n")
			out, _ := b.call("patch", map[string]any{"mode": "patch", "patch": tc.patch})
			if got := str(out["error"]); out["success"] != false || !strings.Contains(got, tc.says) || !strings.HasPrefix(got, "Patch validation failed (no files were modified):\n  • ") {
				t.Errorf("%v", out)
			}
			b.holds("a", "x1\n")
			b.holds("b", "y1\n")
		})
	}
}

// What cannot be written takes the rest back.
func TestPatchPutsBack(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("as root every folder can be written to: a file stands in the way instead")
	}
	b := newBench(t, nil)
	b.put("a", "x1\n")
	b.put("wall", "not a folder\n")
	out, _ := b.call("patch", map[string]any{"mode": "patch", "patch": "*** Update File: a\n-x1\n+2\n*** Add File: new.txt\n+x\n*** Add File: wall/b\n+x"})
	if out["success"] != false {
		t.Errorf("%v", out)
	}
	b.holds("a", "x1\n")
	if _, err := os.Stat(filepath.Join(b.dir, "new.txt")); err == nil {
		t.Error("a new file was left")
	}
}

// Whatever the patch, it parses or is refused, and an applied change only
// takes away what it names.
func FuzzPatch(f *testing.F) {
	f.Add("*** Begin Patch\n*** Update File: a\n@@ x @@\n-1\n+2\n*** Add File: b\n+x\n*** Move File: a -> c\n*** End Patch", "1\nx\n1\n")
	f.Add("*** Update File: a\n+only\n", "")
	f.Add("*** Update File: a\n@@x\n\n+2\n", "1\n\n") // one empty line of context stands anywhere
	f.Fuzz(func(t *testing.T, patch, text string) {
		ops, err := parsePatch(patch)
		if err != nil {
			return
		}
		for _, op := range ops {
			at := 0
			for _, h := range op.hunks {
				out, end, err := h.apply(text, at)
				if err != nil {
					break
				}
				if end < 0 || end > len(out) {
					t.Fatalf("end %d of %d", end, len(out))
				}
				text, at = out, end
			}
		}
	})
}
