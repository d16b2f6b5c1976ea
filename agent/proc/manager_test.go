//go:build unix

package proc

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"hermes/agent/event"
)

// recorder takes what a manager tells.
type recorder struct {
	mu     sync.Mutex
	now    time.Time
	events []event.Event
	notes  []string
	more   chan struct{}
}

func newRecorder() *recorder {
	return &recorder{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), more: make(chan struct{}, 1000)}
}

func (r *recorder) options() Options {
	return Options{
		Emit: func(e event.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.events = append(r.events, e)
			r.more <- struct{}{}
		},
		Notify: func(session, text string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.notes = append(r.notes, session+": "+text)
			r.more <- struct{}{}
		},
		Redact: func(s string) string { return strings.ReplaceAll(s, "secret", "***") },
		Now: func() time.Time {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.now
		},
	}
}

func (r *recorder) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
}

func (r *recorder) waitNotes(t *testing.T, n int) []string {
	t.Helper()
	late := time.After(deadline)
	for {
		r.mu.Lock()
		got := append([]string(nil), r.notes...)
		r.mu.Unlock()
		if len(got) >= n {
			return got
		}
		select {
		case <-r.more:
		case <-late:
			t.Fatalf("%d notes did not come: %q", n, got)
		}
	}
}

func launch(t *testing.T, m *Manager, j Job, script string) *Process {
	t.Helper()
	j.Command = script
	p, err := m.Launch(sh(script), j)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func over(t *testing.T, p *Process) {
	t.Helper()
	if !await(p.over, deadline) {
		t.Fatal("the process does not end")
	}
}

func TestNoteOfTheEnd(t *testing.T) {
	for _, tc := range []struct{ script, want string }{
		{"echo done", "completed normally (exit code 0).\nCommand: echo done\nOutput:\ndone\n]"},
		{"printf 'a\\000b'; exit 3", "exited (exit code 3).\nCommand: printf 'a\\000b'; exit 3\nOutput:\na\ufffdb]"},
		{"kill $$", "exited (exit code -15, SIGTERM).\nCommand: kill $$\nOutput:\n]"},
	} {
		r := newRecorder()
		m := manager(t, r.options())
		p := launch(t, m, Job{Session: "s", Notify: true}, tc.script)
		if got := r.waitNotes(t, 1)[0]; got != "s: [IMPORTANT: Background process "+p.ID+" "+tc.want {
			t.Errorf("%q", got)
		}
	}
}

func TestEventsOfALife(t *testing.T) {
	r := newRecorder()
	m := manager(t, r.options())
	p := launch(t, m, Job{Session: "s", Dir: "/d"}, "true secret")
	over(t, p)
	m.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	want := []event.Event{
		event.ProcessStarted{Meta: event.Meta{Session: "s"}, ID: p.ID, Command: "true ***", Dir: "/d", Pid: p.Info().Pid},
		event.ProcessExited{Meta: event.Meta{Session: "s"}, ID: p.ID, Command: "true ***", Reason: ReasonExited},
	}
	if fmt.Sprint(r.events) != fmt.Sprint(want) || len(r.notes) != 0 {
		t.Errorf("%v %v", r.events, r.notes)
	}
}

// Who waits for the end, or brings it about, is not told of it once more.
func TestNoNoteForWhoKnows(t *testing.T) {
	r := newRecorder()
	m := manager(t, r.options())
	p := launch(t, m, Job{Session: "s", Notify: true}, "read x; exit 1")
	waited := make(chan bool)
	go func() { waited <- p.Wait(t.Context(), deadline) }()
	for end := time.Now().Add(deadline); ; {
		p.mu.Lock()
		n := p.waiting
		p.mu.Unlock()
		if n == 1 || time.Now().After(end) {
			break
		}
	}
	if _, err := p.Write("\n"); err != nil {
		t.Fatal(err)
	}
	if !<-waited {
		t.Error("the wait was not enough")
	}
	p = launch(t, m, Job{Session: "s", Notify: true}, "sleep 1000")
	if !p.Kill("process.kill", time.Second) || p.Kill("again", 0) {
		t.Error("killed twice")
	}
	if i := p.Info(); i.Reason != ReasonKilled || i.By != "process.kill" || i.Code != -15 {
		t.Errorf("%+v", i)
	}
	m.Close()
	if len(r.notes) != 0 {
		t.Errorf("%q", r.notes)
	}
}

func TestWatch(t *testing.T) {
	r := newRecorder()
	m := manager(t, r.options())
	p := launch(t, m, Job{Session: "s", Watch: []string{"", "ERROR"}}, `while read x; do echo "$x"; done; printf 'last ERROR'`)
	say := func(lines ...string) {
		t.Helper()
		before := p.out.Bytes()
		text := strings.Join(lines, "\n") + "\n"
		if _, err := p.Write(text); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(deadline); p.out.Bytes() < before+int64(len(text)); {
			if time.Now().After(end) {
				t.Fatal("no output")
			}
		}
	}
	say("fine", "an ERROR here")
	want := "s: [IMPORTANT: Background process " + p.ID + " matched watch pattern \"ERROR\".\nCommand: " + p.Command + "\nMatched output:\nan ERROR here]"
	if got := r.waitNotes(t, 1)[0]; got != want {
		t.Errorf("%q", got)
	}
	say("ERROR 2", "ERROR 3")
	r.pass(watchEvery)
	say("ERROR 4")
	if got := r.waitNotes(t, 2)[1]; !strings.HasSuffix(got, "Matched output:\nERROR 4\n(2 earlier matches were suppressed by rate limit)]") {
		t.Errorf("%q", got)
	}
	say("ERROR 5") // the second window with drops
	r.pass(watchEvery)
	say("ERROR 6")
	say("ERROR 7") // the third
	if got := r.waitNotes(t, 4)[3]; !strings.Contains(got, "watching is off, and its end will be reported instead") {
		t.Errorf("%q", got)
	}
	r.pass(watchEvery)
	say("ERROR 8")
	p.CloseInput()
	if got := r.waitNotes(t, 5); !strings.Contains(got[4], p.ID+" completed normally (exit code 0).") || len(got) != 5 {
		t.Errorf("%q", got)
	}
}

func TestFinishedAreForgotten(t *testing.T) {
	r := newRecorder()
	m := manager(t, r.options())
	p := launch(t, m, Job{Session: "s"}, "true")
	over(t, p)
	if got := m.List("s"); len(got) != 1 || len(m.List("other")) != 0 {
		t.Errorf("%v", got)
	}
	r.pass(keepFinished + time.Second)
	if _, ok := m.Get(p.ID); ok || len(m.List("s")) != 0 {
		t.Error("still there")
	}
}

func TestAtMostSoMany(t *testing.T) {
	r := newRecorder()
	m := manager(t, r.options())
	first := launch(t, m, Job{Session: "s"}, "true")
	over(t, first)
	for range maxProcesses {
		launch(t, m, Job{Session: "s"}, "exec sleep 1000")
	}
	if _, ok := m.Get(first.ID); ok {
		t.Error("the finished one did not give way")
	}
	if _, err := m.Launch(sh("true"), Job{Session: "s"}); err == nil || !strings.Contains(err.Error(), "64 background processes are running already") {
		t.Errorf("%v", err)
	}
	m.EndSession("s")
	for _, p := range m.List("s") {
		if p.Info().Running {
			t.Error("still runs")
		}
	}
}

func TestAdoptedProcessesAreSilent(t *testing.T) {
	r := newRecorder()
	m := manager(t, r.options())
	p := launch(t, m, Job{Session: "old", Notify: true}, "read x; echo end")
	m.Adopt("old", "new")
	if len(m.List("old")) != 0 || len(m.List("new")) != 1 {
		t.Error("not handed over")
	}
	p.CloseInput()
	over(t, p)
	m.Close()
	if len(r.notes) != 0 {
		t.Errorf("%q", r.notes)
	}
}

func TestOutputIsBounded(t *testing.T) {
	m := manager(t, Options{})
	p := launch(t, m, Job{}, "seq 1 100000; printf end")
	over(t, p)
	if got := p.Output(bufferChars + 1); len(got) != bufferChars || !strings.HasSuffix(got, "\n100000\nend") {
		t.Errorf("%d characters, ends in %q", len(got), got[len(got)-20:])
	}
	if lines := p.Lines(); lines[len(lines)-1] != "end" {
		t.Errorf("%q", lines[len(lines)-1])
	}
}
