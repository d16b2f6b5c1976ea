package checkpoint

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

// place is a folder with snapshots.
type place struct {
	t    *testing.T
	dir  string
	m    *Manager
	turn int
	now  time.Time
}

func newPlace(t *testing.T, change ...func(*Options)) *place {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	p := &place{t: t, dir: filepath.Join(t.TempDir(), "project"), now: time.Date(2026, 11, 30, 20, 45, 0, 0, time.UTC)}
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: filepath.Join(t.TempDir(), "checkpoints"), Now: func() time.Time { return p.now }}
	for _, c := range change {
		c(&o)
	}
	p.m = New(o)
	return p
}

func (p *place) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(filepath.Join(p.dir, name)); err != nil {
		p.t.Fatal(err)
	}
}

// snapshot makes one in a turn of its own.
func (p *place) snapshot(reason string) bool {
	p.t.Helper()
	p.turn++
	made, err := p.m.Before(p.t.Context(), fmt.Sprint(p.turn), p.dir, reason)
	if err != nil {
		p.t.Fatal(err)
	}
	return made
}

func (p *place) list() []Snapshot {
	p.t.Helper()
	list, err := p.m.List(p.t.Context(), p.dir)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

func (p *place) restore(hash string) Restored {
	p.t.Helper()
	r, err := p.m.Restore(p.t.Context(), p.dir, hash)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// files are the files of the folder with their texts, links as -> target.
func (p *place) files() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(p.dir, path)
		if err != nil {
			return err
		}
		if e.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			out[filepath.ToSlash(rel)] = "-> " + target
			return err
		}
		data, err := os.ReadFile(path)
		out[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func (p *place) want(want map[string]string) {
	p.t.Helper()
	got := p.files()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		p.t.Errorf("the folder holds %q\nwant %q", got, want)
	}
}

func TestGoingBackRestoresExactly(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "one\r\nzwei\n")
	p.write("sub/b.txt", "b")
	p.write("run.sh", "#!/bin/sh\n")
	if runtime.GOOS != "windows" {
		if err := os.Chmod(filepath.Join(p.dir, "run.sh"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("a.txt", filepath.Join(p.dir, "link")); err != nil {
			t.Fatal(err)
		}
	}
	p.write(".gitignore", "ignored\n")
	p.write("ignored", "stays")
	p.write(".gitattributes", "* text=auto eol=crlf\n*.txt ident filter=x\n")
	before := p.files()
	if !p.snapshot("before write_file") {
		t.Fatal("no snapshot")
	}
	p.write("a.txt", "changed $Id$\n")
	p.remove("sub")
	p.write("sub", "a file in a folder's place")
	p.write("new/deep/file.txt", "new")
	p.write("ignored", "changed, and not our business")
	p.remove("run.sh")
	p.write("run.sh/x", "a folder in a file's place")
	p.remove("link")

	list := p.list()
	if len(list) != 1 || list[0].Reason != "before write_file" || !strings.HasPrefix(list[0].Hash, list[0].Short) {
		t.Fatalf("%+v", list)
	}
	diff, err := p.m.Diff(t.Context(), p.dir, list[0].Short)
	if err != nil || !strings.Contains(diff, "+++ b/new/deep/file.txt") || !strings.Contains(diff, "+changed $Id$") {
		t.Errorf("%v: %s", err, diff)
	}
	r := p.restore(list[0].Short)
	before["ignored"] = "changed, and not our business"
	p.want(before)
	if _, err := os.Stat(filepath.Join(p.dir, "new")); err == nil {
		t.Error("the empty folder is still there")
	}
	if info, err := os.Stat(filepath.Join(p.dir, "run.sh")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm()&0o100 == 0) {
		t.Error("run.sh cannot be run any more")
	}
	if !slices.Contains(r.Removed, "new/deep/file.txt") || !slices.Contains(r.Written, "a.txt") || r.Undo == "" {
		t.Errorf("%+v", r)
	}
	// And forward again.
	list = p.list()
	if len(list) != 2 || !strings.HasPrefix(list[0].Reason, "pre-rollback snapshot") || list[0].Hash != r.Undo {
		t.Fatalf("%+v", list)
	}
	p.restore(r.Undo)
	if got := p.files(); got["a.txt"] != "changed $Id$\n" || got["new/deep/file.txt"] != "new" || got["sub"] == "" || got["run.sh/x"] == "" {
		t.Errorf("%q", got)
	}
}

func TestOneSnapshotPerTurnAndOnlyOfChanges(t *testing.T) {
	p := newPlace(t)
	p.write("a", "1")
	for i, want := range []bool{true, false} {
		if made, err := p.m.Before(t.Context(), "turn", p.dir, "before patch"); err != nil || made != want {
			t.Errorf("%d: %v, %v", i, made, err)
		}
		p.write("a", "2")
	}
	if !p.snapshot("before patch") {
		t.Error("the next turn has none")
	}
	if p.snapshot("before patch") {
		t.Error("a snapshot of nothing new")
	}
	list := p.list()
	if len(list) != 2 || list[0].Files != 1 || list[0].Added != 1 || list[0].Removed != 1 || list[1].Files != 0 {
		t.Errorf("%+v", list)
	}
}

func TestOneFile(t *testing.T) {
	p := newPlace(t)
	p.write("a", "1")
	p.write("b", "1")
	p.snapshot("x")
	p.write("a", "2")
	p.write("b", "2")
	p.write("c", "new")
	hash := p.list()[0].Hash
	r, err := p.m.RestoreFile(t.Context(), p.dir, hash, filepath.Join(p.dir, "a"))
	if err != nil || !slices.Equal(r.Written, []string{"a"}) {
		t.Errorf("%+v, %v", r, err)
	}
	p.want(map[string]string{"a": "1", "b": "2", "c": "new"})
	for _, file := range []string{"../a", "/etc/passwd", "."} {
		if _, err := p.m.RestoreFile(t.Context(), p.dir, hash, file); err == nil {
			t.Errorf("%s was restored", file)
		}
	}
	if _, err := p.m.RestoreFile(t.Context(), p.dir, hash, "nope"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for _, hash := range []string{"zzz", "deadbeef", "--all", ""} {
		if _, err := p.m.Restore(t.Context(), p.dir, hash); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v", hash, err)
		}
	}
}

// What is not kept is not touched, and large files cost nothing.
func TestWhatIsLeftOut(t *testing.T) {
	p := newPlace(t, func(o *Options) { o.MaxFile = 100 })
	big := strings.Repeat("x", 200)
	for name, text := range map[string]string{
		"big": big, "grows": "small", "node_modules/m/x.js": "m", ".env": "SECRET=1", "a.log": "l", "src/x.go": "package x", "nested/.git/HEAD": "ref: refs/heads/x",
	} {
		p.write(name, text)
	}
	p.snapshot("x")
	p.write("grows", big)
	p.write("big", "now small")
	p.write(".env", "SECRET=2")
	p.write("src/x.go", "package y")
	p.snapshot("y")
	list := p.list()
	p.restore(list[1].Hash)
	got := p.files()
	if got["src/x.go"] != "package x" || got[".env"] != "SECRET=2" || got["grows"] != "small" || got["nested/.git/HEAD"] == "" {
		t.Errorf("%q", got)
	}
	out, err := exec.Command("git", "--git-dir="+filepath.Join(p.m.o.Dir, storeName), "ls-tree", "-r", "--name-only", list[1].Hash).Output()
	if err != nil || string(out) != "grows\nsrc/x.go\n" {
		t.Errorf("%s %v", out, err)
	}
}

// The user's own repository is not looked at and not changed, whatever the
// environment says.
func TestTheUsersRepositoryIsLeftAlone(t *testing.T) {
	p := newPlace(t)
	git := func(args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = p.dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=u", "GIT_AUTHOR_EMAIL=u@x", "GIT_COMMITTER_NAME=u", "GIT_COMMITTER_EMAIL=u@x")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	p.write("a", "1")
	git("add", ".")
	git("commit", "-qm", "first")
	p.write("a", "2")
	git("add", "a")
	p.write("b", "untracked")
	before := git("status", "--porcelain=v2") + git("for-each-ref") + git("count-objects", "-v")
	t.Setenv("GIT_DIR", filepath.Join(p.dir, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(p.dir, ".git", "index"))
	p.snapshot("x")
	p.write("a", "3")
	p.remove("b")
	p.restore(p.list()[0].Hash)
	os.Unsetenv("GIT_DIR")
	os.Unsetenv("GIT_INDEX_FILE")
	if after := git("status", "--porcelain=v2") + git("for-each-ref") + git("count-objects", "-v"); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func TestLimits(t *testing.T) {
	p := newPlace(t, func(o *Options) { o.MaxSnapshots = 3 })
	for i := range 12 {
		p.write("a", fmt.Sprint(i))
		p.snapshot(fmt.Sprintf("state %d", i))
	}
	list := p.list()
	if len(list) != 3 || list[0].Reason != "state 11" || list[2].Reason != "state 9" {
		t.Fatalf("%+v", list)
	}
	p.restore(list[2].Hash)
	p.want(map[string]string{"a": "9"})

	p.m.o.MaxTotal = 1
	p.write("a", "last")
	if !p.snapshot("small") {
		t.Fatal("no snapshot")
	}
	if n := len(p.list()); n == 0 || n > 5 {
		t.Errorf("%d snapshots in a store that is too large", n)
	}
}

func TestPrune(t *testing.T) {
	p := newPlace(t)
	p.write("a", "1")
	p.snapshot("x")
	s, err := p.m.Status(t.Context())
	if err != nil || len(s.Folders) != 1 || s.Folders[0].Snapshots != 1 || !s.Folders[0].Exists || s.Size == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if done, err := p.m.Prune(t.Context()); err != nil || done.Folders != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	p.now = p.now.Add(8 * 24 * time.Hour)
	if done, err := p.m.Prune(t.Context()); err != nil || done.Folders != 1 || len(p.list()) != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	p.write("a", "2")
	if !p.snapshot("again") || len(p.list()) != 1 {
		t.Error("no snapshots after a prune")
	}
}

// An index whose files the store no longer holds, or that is no index, costs a
// snapshot nothing but time.
func TestABrokenIndexIsMadeAnew(t *testing.T) {
	p := newPlace(t)
	p.write("a", "1")
	p.snapshot("x")
	p.write("a", "only looked at")
	if _, err := p.m.Diff(t.Context(), p.dir, p.list()[0].Hash); err != nil {
		t.Fatal(err)
	}
	if err := p.m.whole(t.Context(), func(q *project) error { return q.collect(t.Context()) }); err != nil {
		t.Fatal(err)
	}
	if !p.snapshot("y") {
		t.Error("no snapshot")
	}
	dir, err := p.m.folder(p.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.m.o.Dir, storeName, indexesName, idOf(dir)), []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.write("a", "2")
	if !p.snapshot("z") || len(p.list()) != 3 {
		t.Error("no snapshot")
	}
}

func TestFoldersWithoutSnapshots(t *testing.T) {
	p := newPlace(t)
	home := t.TempDir()
	p.m.o.Protect = []string{home}
	for _, dir := range []string{string(filepath.Separator), home, p.m.o.Dir, filepath.Dir(p.m.o.Dir)} {
		if _, err := p.m.Before(t.Context(), "1", dir, "x"); err == nil {
			t.Errorf("a snapshot of %s", dir)
		}
	}
	if list := p.list(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	p.m.o.Git = "no-such-git"
	if _, err := p.m.Before(t.Context(), "1", p.dir, "x"); !errors.Is(err, ErrNoGit) {
		t.Error(err)
	}
}

func TestTwoProgramsOnOneStore(t *testing.T) {
	p := newPlace(t)
	p.write("a", "0")
	other := New(p.m.o)
	errs := make(chan error)
	for i, m := range []*Manager{p.m, other} {
		go func() {
			var err error
			for n := range 5 {
				path := filepath.Join(p.dir, fmt.Sprintf("%d-%d", i, n))
				if err = os.WriteFile(path, []byte("x"), 0o600); err != nil {
					break
				}
				if _, err = m.Before(context.Background(), fmt.Sprint(n), p.dir, "x"); err != nil {
					break
				}
			}
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	list := p.list()
	if len(list) < 2 {
		t.Fatalf("%d snapshots", len(list))
	}
	p.restore(list[0].Hash)
}

func TestChanges(t *testing.T) {
	dir := t.TempDir()
	elsewhere := t.TempDir()
	if err := os.MkdirAll(filepath.Join(elsewhere, "src", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(elsewhere, "go.mod"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	call := func(name string, args any) []Change {
		data, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return Changes(tool.Call{Name: name, Args: data}, dir)
	}
	type m = map[string]string
	for _, tc := range []struct {
		name string
		args any
		want []Change
	}{
		{"write_file", m{"path": "a/b.txt"}, []Change{{dir, "before write_file"}}},
		{"patch", m{"path": filepath.Join(elsewhere, "src", "deep", "x.go")}, []Change{{elsewhere, "before patch"}}},
		{"patch", m{"patch": "*** Begin Patch\n*** Update File: x\n-a\n+b\n*** Move File: y -> " + filepath.Join(elsewhere, "z") + "\n*** End Patch"}, []Change{{dir, "before patch"}, {elsewhere, "before patch"}}},
		{"terminal", m{"command": "rm -rf  build"}, []Change{{dir, "before terminal: rm -rf build"}}},
		{"terminal", m{"command": "rm x", "workdir": elsewhere}, []Change{{elsewhere, "before terminal: rm x"}}},
		{"terminal", m{"command": "ls"}, nil},
		{"read_file", m{"path": "a"}, nil},
		{"write_file", []int{1}, nil},
	} {
		if got := call(tc.name, tc.args); fmt.Sprint(got) != fmt.Sprint(tc.want) {
			t.Errorf("%s %v: %v, want %v", tc.name, tc.args, got, tc.want)
		}
	}
}

func TestDestructive(t *testing.T) {
	for command, want := range map[string]bool{
		"rm x": true, "cd a && rm -f x": true, "/bin/rm x": true, "sudo rm x": true, "echo a > b": true, "echo a >> b": true,
		"cat a 2>/dev/null": false, "make 2>&1": false, "make >/dev/null 2>&1": false, "ls -l": false, "git status": false,
		"git -C x reset --hard": true, "git checkout .": true, "sed -n 1p a": false, "sed -i s/a/b/ x": true, "sed -Ei.bak s/a/b/ x": true,
		"grep -rn 'a->b' .": false, "go test ./...": false, "find . -name x -delete": true, "find . -name x": false, "gofmt -w .": true,
		"cat <<E > f\nx\nE": true, "test 3 -gt 2": false, "perform x": false, "mv a b": true, "go build 2> err.txt": true, "sh -c 'rm x'": true,
	} {
		if got := Destructive(command); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}
