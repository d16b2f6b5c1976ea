//go:build unix

package terminal

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/proc"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline bounds every wait of the tests; nothing waits that long when all is
// well.
const deadline = 20 * time.Second

type bench struct {
	t     *testing.T
	term  *Terminal
	procs *proc.Manager
	dir   string
	home  string
}

// newBench makes a terminal in an empty folder, for a user with an empty home.
func newBench(t *testing.T, change func(*Deps)) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), home: t.TempDir()}
	var err error
	if b.dir, err = realPath(b.dir); err != nil {
		t.Fatal(err)
	}
	b.procs = proc.NewManager(proc.Options{})
	d := Deps{Processes: b.procs, Dir: b.dir, Environ: func() []string {
		return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.home, "TMPDIR=" + os.TempDir(), "LANG=C.UTF-8"}
	}}
	if change != nil {
		change(&d)
	}
	b.term = New(d)
	t.Cleanup(func() {
		b.procs.Close()
		b.term.Close()
	})
	return b
}

func realPath(dir string) (string, error) { return filepath.EvalSymlinks(dir) }

func (b *bench) call(ctx context.Context, session string, args map[string]any) string {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := b.term.Run(ctx, tool.Call{Session: session, Args: raw})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Content
}

// run runs a command in the session "s" and returns the answer as the model
// gets it.
func (b *bench) run(command string, more ...any) string {
	b.t.Helper()
	args := map[string]any{"command": command}
	for i := 0; i+1 < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return b.call(b.t.Context(), "s", args)
}

func decode(t *testing.T, content string) (a answer) {
	t.Helper()
	if err := json.Unmarshal([]byte(content), &a); err != nil {
		t.Fatalf("%s: %v", content, err)
	}
	return a
}

// output is what a command printed; it must have ended well.
func (b *bench) output(command string, more ...any) string {
	b.t.Helper()
	content := b.run(command, more...)
	a := decode(b.t, content)
	if a.ExitCode != 0 || a.Error != nil {
		b.t.Errorf("%s: %s", command, content)
	}
	return a.Output
}

func has(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("no %q in %s", p, got)
		}
	}
}
