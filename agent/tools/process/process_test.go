//go:build unix

package process

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/proc"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const deadline = 20 * time.Second

type bench struct {
	t     *testing.T
	procs *proc.Manager
	tool  tool.Tool
}

func newBench(t *testing.T, d Deps) *bench {
	t.Helper()
	d.Processes = proc.NewManager(proc.Options{Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local) }})
	t.Cleanup(d.Processes.Close)
	reg := tool.NewRegistry(nil)
	if err := Register(reg, d); err != nil {
		t.Fatal(err)
	}
	td, _ := reg.Get("process")
	return &bench{t, d.Processes, td}
}

func (b *bench) launch(session, script string, tty bool) *proc.Process {
	b.t.Helper()
	p, err := b.procs.Launch(proc.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ(), TTY: tty},
		proc.Job{Session: session, Command: script, Dir: "/somewhere"})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *bench) call(format string, args ...any) string {
	b.t.Helper()
	return b.callIn(b.t.Context(), fmt.Sprintf(format, args...))
}

func (b *bench) callIn(ctx context.Context, args string) string {
	b.t.Helper()
	r, err := b.tool.Run(ctx, tool.Call{Session: "s", Args: json.RawMessage(args)})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Content
}

func (b *bench) want(got, want string) {
	b.t.Helper()
	if got != want {
		b.t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func (b *bench) over(p *proc.Process) {
	b.t.Helper()
	if !p.Wait(b.t.Context(), deadline) {
		b.t.Fatal("the process does not end")
	}
}

func TestALife(t *testing.T) {
	b := newBench(t, Deps{MaxWait: time.Second})
	b.want(b.call(`{"action":"list"}`), `{"processes": []}`)
	p := b.launch("s", "read x; echo got $x; cat; exit 3", false)
	b.launch("another", "true", false)
	pid := p.Info().Pid
	b.want(b.call(`{"action":"list"}`), fmt.Sprintf(`{"processes": [{"session_id": %q, "command": "read x; echo got $x; cat; exit 3", "cwd": "/somewhere", "pid": %d, "started_at": "2026-01-02T03:04:05", "uptime_seconds": 0, "status": "running", "output_preview": ""}]}`, p.ID, pid))
	b.want(b.call(`{"action":"poll","session_id":%q}`, p.ID), fmt.Sprintf(`{"session_id": %q, "command": "read x; echo got $x; cat; exit 3", "status": "running", "pid": %d, "uptime_seconds": 0, "output_preview": ""}`, p.ID, pid))
	b.want(b.call(`{"action":"wait","session_id":%q,"timeout":1}`, p.ID), `{"status": "timeout", "command": "read x; echo got $x; cat; exit 3", "output": "", "timeout_note": "Waited 1s, process still running"}`)
	b.want(b.call(`{"action":"submit","session_id":%q,"data":"abc"}`, p.ID), `{"status": "ok", "bytes_written": 4}`)
	b.want(b.call(`{"action":"write","session_id":%q,"data":"de\nf"}`, p.ID), `{"status": "ok", "bytes_written": 4}`)
	b.want(b.call(`{"action":"close","session_id":%q}`, p.ID), `{"status": "ok", "message": "stdin closed"}`)
	b.want(b.call(`{"action":"wait","session_id":%q}`, p.ID), `{"status": "exited", "command": "read x; echo got $x; cat; exit 3", "exit_code": 3, "completion_reason": "exited", "termination_source": "", "output": "got abc\nde\nf"}`)
	b.want(b.call(`{"action":"log","session_id":%q}`, p.ID), fmt.Sprintf(`{"session_id": %q, "command": "read x; echo got $x; cat; exit 3", "status": "exited", "output": "got abc\nde\nf", "total_lines": 3, "showing": "3 lines"}`, p.ID))
	if got := b.call(`{"action":"log","session_id":%q,"offset":1,"limit":1}`, p.ID); !strings.Contains(got, `"output": "de", "total_lines": 3, "showing": "1 lines"`) {
		t.Error(got)
	}
	if got := b.call(`{"action":"log","session_id":%q,"limit":1}`, p.ID); !strings.Contains(got, `"output": "f", "total_lines": 3, "showing": "1 lines"`) {
		t.Error(got)
	}
	for _, action := range []string{"write", "submit", "close"} {
		b.want(b.call(`{"action":%q,"session_id":%q}`, action, p.ID), `{"status": "already_exited", "error": "Process has already finished"}`)
	}
	b.want(b.call(`{"action":"kill","session_id":%q}`, p.ID), `{"status": "already_exited", "command": "read x; echo got $x; cat; exit 3", "exit_code": 3, "completion_reason": "exited", "termination_source": "", "output": "got abc\nde\nf"}`)
	if got := b.call(`{"action":"list"}`); !strings.Contains(got, `"status": "exited", "output_preview": "got abc\nde\nf", "exit_code": 3}`) {
		t.Error(got)
	}
}

func TestKill(t *testing.T) {
	b := newBench(t, Deps{})
	p := b.launch("s", "echo up; sleep 1000", false)
	got := b.call(`{"action":"kill","session_id":%q}`, p.ID)
	if !strings.HasPrefix(got, fmt.Sprintf(`{"status": "killed", "session_id": %q, "completion_reason": "killed", "termination_source": "process.kill", "output": "`, p.ID)) {
		t.Error(got)
	}
	if got = b.call(`{"action":"poll","session_id":%q}`, p.ID); !strings.Contains(got, `"exit_code": -15, "completion_reason": "killed", "termination_source": "process.kill"}`) {
		t.Error(got)
	}
}

func TestTerminal(t *testing.T) {
	b := newBench(t, Deps{})
	p := b.launch("s", "cat", true)
	b.want(b.call(`{"action":"write","session_id":%q,"data":"abc\n"}`, p.ID), `{"status": "ok", "bytes_written": 4}`)
	b.want(b.call(`{"action":"close","session_id":%q}`, p.ID), `{"status": "ok", "message": "EOF sent"}`)
	b.over(p)
	if got := b.call(`{"action":"log","session_id":%q}`, p.ID); !strings.Contains(got, `"output": "abc\nabc"`) {
		t.Error(got)
	}
}

func TestWaits(t *testing.T) {
	b := newBench(t, Deps{MaxWait: time.Millisecond})
	p := b.launch("s", "sleep 1000", false)
	b.want(b.call(`{"action":"wait","session_id":%q,"timeout":1000}`, p.ID), `{"status": "timeout", "command": "sleep 1000", "output": "", "timeout_note": "Requested wait of 1000s was clamped to configured limit of 0s"}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b2 := newBench(t, Deps{})
	p = b2.launch("s", "sleep 1000", false)
	if got := b2.callIn(ctx, fmt.Sprintf(`{"action":"wait","session_id":%q}`, p.ID)); !strings.HasPrefix(got, `{"status": "interrupted", "command": "sleep 1000"`) {
		t.Error(got)
	}
}

func TestApproval(t *testing.T) {
	b := newBench(t, Deps{Approve: func(_ context.Context, _ tool.Call, data string) (bool, string) {
		return !strings.Contains(data, "rm"), "BLOCKED: no"
	}})
	p := b.launch("s", "cat", false)
	b.want(b.call(`{"action":"submit","session_id":%q,"data":"rm -rf x"}`, p.ID), `{"status": "blocked", "error": "BLOCKED: no"}`)
	b.want(b.call(`{"action":"submit","session_id":%q,"data":"fine"}`, p.ID), `{"status": "ok", "bytes_written": 5}`)
	b.call(`{"action":"close","session_id":%q}`, p.ID)
	b.over(p)
	if got := p.Output(100); got != "fine\n" {
		t.Errorf("%q", got)
	}
}

func TestMistakes(t *testing.T) {
	b := newBench(t, Deps{})
	b.want(b.call(`{"action":"nope"}`), `{"error": "Unknown process action: nope. Use: list, poll, log, wait, kill, write, submit, close"}`)
	b.want(b.call(`{}`), `{"error": "Unknown process action: . Use: list, poll, log, wait, kill, write, submit, close"}`)
	b.want(b.call(`{"action":"poll"}`), `{"error": "session_id is required for poll"}`)
	b.want(b.call(`{"action":"kill","session_id":"x"}`), `{"status": "not_found", "error": "No process with ID x"}`)
	p := b.launch("s", "exec sleep 1000", false)
	b.want(b.call(`{"action":"close","session_id":%q}`, p.ID), `{"status": "ok", "message": "stdin closed"}`)
	b.want(b.call(`{"action":"write","session_id":%q,"data":"x"}`, p.ID), `{"status": "error", "error": "Process stdin not available (stdin closed)"}`)
}
