//go:build unix

package proc

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestOutputAndExit(t *testing.T) {
	m := manager(t, Options{})
	for script, want := range map[string]int{"echo out; echo err >&2; exit 3": 3, "echo out; echo err >&2; kill -9 $$": -9, "echo out; echo err >&2": 0} {
		out := newSink()
		s := sh(script)
		s.Out = out.take
		c, err := m.Start(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := done(t, c); got.Code != want || out.String() != "out\nerr\n" {
			t.Errorf("%s: %d %q", script, got.Code, out.String())
		}
	}
}

func TestStreamsApart(t *testing.T) {
	m := manager(t, Options{})
	out, errs := newSink(), newSink()
	s := sh("echo out; echo err >&2")
	s.Out, s.Err = out.take, errs.take
	c, err := m.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	done(t, c)
	if out.String() != "out\n" || errs.String() != "err\n" {
		t.Errorf("%q %q", out.String(), errs.String())
	}
}

func TestNoSuchProgram(t *testing.T) {
	m := manager(t, Options{})
	if _, err := m.Start(Spec{Path: "/nonexistent/program"}); err == nil || !strings.Contains(err.Error(), "start /nonexistent/program") {
		t.Errorf("got %v", err)
	}
	if _, err := m.Start(Spec{Path: "/nonexistent/program", TTY: true}); err == nil {
		t.Error("no error on a terminal")
	}
}

// A child of the child that keeps the pipe does not keep the call, and is ended
// with the manager.
func TestWhoKeepsThePipe(t *testing.T) {
	m := NewManager(Options{})
	out := newSink()
	s := sh("sleep 1000 & echo $!")
	s.Out = out.take
	c, err := m.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := done(t, c); got.Code != 0 {
		t.Errorf("exit %d", got.Code)
	}
	pid := atoi(t, out.String())
	if syscall.Kill(pid, 0) != nil {
		t.Fatal("it was ended with the shell")
	}
	m.Close()
	gone(t, pid)
}

func TestKillReachesEverything(t *testing.T) {
	for name, script := range map[string]string{
		"group":       "sleep 1000 & echo $!; wait",
		"deaf":        "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done'",
		"own session": "setsid sh -c 'echo $$; sleep 1000' | cat",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat("/proc/self/stat"); err != nil && name == "own session" {
				t.Skip("without /proc only the group can be told")
			}
			m := manager(t, Options{})
			out := newSink()
			s := sh(script)
			s.Out = out.take
			c, err := m.Start(s)
			if err != nil {
				t.Fatal(err)
			}
			pid := atoi(t, out.wait(t, "\n"))
			c.Kill(100 * time.Millisecond)
			if got := done(t, c); got.Code != -9 && got.Code != -15 {
				t.Errorf("exit %d", got.Code)
			}
			gone(t, pid)
		})
	}
}

func TestInput(t *testing.T) {
	m := manager(t, Options{})
	out := newSink()
	s := sh("read a; echo got $a; cat; echo end")
	s.Stdin, s.Out = true, out.take
	c, err := m.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("one\ntwo\n")); err != nil {
		t.Fatal(err)
	}
	out.wait(t, "two\n")
	if !c.CloseStdin() || c.CloseStdin() {
		t.Error("closing twice")
	}
	done(t, c)
	if out.String() != "got one\ntwo\nend\n" {
		t.Errorf("%q", out.String())
	}
	if _, err := c.Write([]byte("x")); err == nil {
		t.Error("wrote to a dead process")
	}
	c2, err := m.Start(sh("cat; echo end"))
	if err != nil {
		t.Fatal(err)
	}
	done(t, c2) // without Stdin it reads the end at once
}

func TestTerminal(t *testing.T) {
	m := manager(t, Options{})
	out := newSink()
	s := sh("test -t 0 && test -t 1 && stty size; read a; echo got $a")
	s.TTY, s.Out = true, out.take
	c, err := m.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	out.wait(t, "30 120")
	if _, err := c.Write([]byte("one\n")); err != nil {
		t.Fatal(err)
	}
	if got := done(t, c); got.Code != 0 || !strings.Contains(out.String(), "got one") {
		t.Errorf("%d %q", got.Code, out.String())
	}
	s = sh("cat; echo end")
	out = newSink()
	s.TTY, s.Out = true, out.take
	if c, err = m.Start(s); err != nil {
		t.Fatal(err)
	}
	if !c.CloseStdin() {
		t.Error("no end of input")
	}
	out.wait(t, "end")
	done(t, c)
	s = sh("sleep 1000")
	s.TTY = true
	if c, err = m.Start(s); err != nil {
		t.Fatal(err)
	}
	c.Kill(0)
	if got := done(t, c); got.Code != -9 {
		t.Errorf("exit %d", got.Code)
	}
}

// More output than memory could hold leaves only what a window keeps.
func TestAFloodIsBounded(t *testing.T) {
	m := manager(t, Options{})
	w := NewWindow(100, 100)
	var clean Cleaner
	var buf []byte
	s := sh("head -c 50000000 /dev/zero | tr '\\0' x; echo; echo end")
	s.Out = func(p []byte) {
		buf = clean.Append(buf[:0], p)
		w.Write(buf)
	}
	c, err := m.Start(s)
	if err != nil {
		t.Fatal(err)
	}
	done(t, c)
	if _, tail, total := w.Text(); total != 50_000_005 || !strings.HasSuffix(tail, "x\nend\n") || cap(w.tail) > 1<<20 {
		t.Errorf("%d characters, tail %q, %d bytes held", total, tail, cap(w.tail))
	}
}

func TestAfterClose(t *testing.T) {
	m := NewManager(Options{})
	m.Close()
	if _, err := m.Start(sh("true")); err == nil {
		t.Error("started after the end")
	}
	m.Close()
}

func TestNoDescriptorStaysOpen(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("no /proc")
	}
	m := manager(t, Options{})
	run := func() {
		c, err := m.Start(sh("echo x"))
		if err != nil {
			t.Fatal(err)
		}
		<-c.over
		_, _ = m.Start(Spec{Path: "/nonexistent", Stdin: true})
	}
	count := func() int {
		list, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	run()
	before := count()
	for range 20 {
		run()
	}
	if after := count(); after > before+2 {
		t.Errorf("%d descriptors, then %d", before, after)
	}
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// gone waits until a process no longer runs.
func gone(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(deadline); time.Now().Before(end); {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if m, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && strings.Contains(string(m), ") Z ") {
			return
		}
	}
	t.Errorf("process %d still runs", pid)
}
