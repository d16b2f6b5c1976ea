//go:build unix

package term_test

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"hermes/tui/tuitest"
)

// startEcho runs the echo program on a real pseudo-terminal.
func startEcho(t *testing.T, env ...string) (*tuitest.Screen, *exec.Cmd) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TERM_TEST_ECHO=1", "TERM=xterm-256color", "TMUX=", "TERM_PROGRAM=")
	cmd.Env = append(cmd.Env, env...)
	s := tuitest.StartCommand(t, 80, 24, cmd)
	s.WaitText("size 80x24", "CapsMsg")
	return s, cmd
}

func TestOnPseudoTerminal(t *testing.T) {
	s, _ := startEcho(t)
	s.Type("grüße 世界 👩‍👩‍👧!")
	s.WaitText("❯ grüße 世界 👩‍👩‍👧!").AssertCaret(t, 16, 23)
	s.Resize(50, 10)
	s.WaitText("size 50x10").AssertCaret(t, 16, 9)
	s.Paste("one\ntwo")
	s.WaitText(`paste 7 "one`)
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// TestEveryDeath is property U049: however the program ends, the terminal is as
// it was, and the reason is on it.
func TestEveryDeath(t *testing.T) {
	for _, c := range []struct {
		name, key string
		signal    syscall.Signal
		want      string
	}{
		{name: "SIGTERM", signal: syscall.SIGTERM, want: "ended with: ended by signal: terminated"},
		{name: "SIGHUP", signal: syscall.SIGHUP, want: "ended with: ended by signal: hangup"},
		{name: "SIGINT", signal: syscall.SIGINT, want: "ended with: ended by signal: interrupt"},
		{name: "SIGQUIT", signal: syscall.SIGQUIT, want: "ended with: ended by signal: quit"},
		{name: "SIGABRT", signal: syscall.SIGABRT, want: "ended with: ended by signal: aborted"},
		{name: "panic in Update", key: "ctrl+p", want: "ended with: panic: panic in Update of term_test.(*echo).Update"},
		{name: "panic in View", key: "ctrl+v", want: "ended with: panic: panic in View of term_test.(*echo).View"},
		{name: "panic in a goroutine", key: "ctrl+g", want: "ended with: panic: panic in a goroutine of term_test.(*echo).Update.func"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, cmd := startEcho(t)
			if c.key != "" {
				s.Press(c.key)
			} else if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			if err := s.WaitEnd(); err == nil {
				t.Error("it ended as if nothing had happened")
			}
			snap := s.Snapshot()
			if !snap.Contains(c.want) {
				t.Errorf("%q is not on the screen\n%s", c.want, snap.Dump())
			}
			if snap.Contains("goroutine 1") {
				t.Errorf("a trace is on the screen\n%s", snap.Dump())
			}
		})
	}
}

// TestSignalThatEndsTheContext: the caller catches the signal, too, and ends the
// context; the reason is the signal nevertheless.
func TestSignalThatEndsTheContext(t *testing.T) {
	for range 8 {
		for sig, want := range map[syscall.Signal]string{
			syscall.SIGTERM: "ended with: ended by signal: terminated",
			syscall.SIGINT:  "ended with: ended by signal: interrupt",
		} {
			s, cmd := startEcho(t, "TERM_TEST_NOTIFY=1")
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if err := s.WaitEnd(); err == nil {
				t.Error("it ended as if nothing had happened")
			}
			if snap := s.Snapshot(); !snap.Contains(want) {
				t.Fatalf("%q is not on the screen\n%s", want, snap.Dump())
			}
		}
	}
}

// TestHungProgram: a program whose update loop hangs gives the terminal back
// at the first signal and ends at the second.
func TestHungProgram(t *testing.T) {
	s, cmd := startEcho(t)
	s.Press("ctrl+x")
	s.WaitText("hanging")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.WaitFor(func(snap tuitest.Snapshot) bool { return !snap.Alt })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitEnd(); err == nil {
		t.Error("it ended as if nothing had happened")
	}
}

// TestSuspend is property U050 in a shell with job control.
func TestSuspend(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash, which has job control, on this machine")
	}
	cmd := exec.Command(shell, "--norc", "--noprofile", "--noediting", "-i")
	cmd.Env = append(os.Environ(), "TERM_TEST_ECHO=1", "TERM=xterm-256color", "TMUX=", "TERM_PROGRAM=", "PS1=shell> ", "ECHO="+os.Args[0])
	s := tuitest.StartCommand(t, 80, 24, cmd)
	s.WaitText("shell>")
	s.Type("\"$ECHO\"\r")
	s.WaitText("CapsMsg")
	s.Type("before")
	s.WaitText("❯ before")
	// A stop is short or longer than the program waits for being stopped.
	for i, pause := range []string{"true", "sleep 0.3", "sleep 0.3", "true", "sleep 0.3"} {
		s.Press("ctrl+z")
		s.WaitText("Stopped")
		s.WaitFor(func(snap tuitest.Snapshot) bool { return !snap.Alt })
		s.AssertRestored()
		s.Type(pause + "; clear; fg\r")
		snap := s.WaitFor(func(snap tuitest.Snapshot) bool {
			ended := strings.Count(snap.String(), "suspended ")
			return snap.Alt && ended == i+1 && strings.Count(snap.String(), "term.ResumeMsg") == i+1
		})
		if snap.AssertCaret(t, 8, 23); strings.Count(snap.String(), "suspended <nil>") != i+1 {
			t.Fatalf("stop %d (%s) ended with an error\n%s", i, pause, snap.Dump())
		}
	}
	s.Type("!")
	s.WaitText("❯ before!")
	s.Press("ctrl+c")
	s.WaitFor(func(snap tuitest.Snapshot) bool { return !snap.Alt && snap.Contains("shell>") })
	s.Type("exit\r")
	if err := s.WaitEnd(); err != nil {
		t.Error(err)
	}
}

// TestSuspendWithoutShell: nothing would continue the program, so it says so.
func TestSuspendWithoutShell(t *testing.T) {
	s, _ := startEcho(t)
	s.Press("ctrl+z")
	s.WaitText("no job control here").AssertCaret(t, 2, 23)
	s.Type("on")
	s.WaitText("❯ on")
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// TestStoppedByOthers: the program was stopped without being asked.
func TestStoppedByOthers(t *testing.T) {
	s, cmd := startEcho(t)
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	s.WaitText("term.ResumeMsg").AssertCaret(t, 2, 23)
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// TestResetAfterKill: what a program that was killed leaves behind is undone by
// Reset.
func TestResetAfterKill(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", `TERM_TEST_ECHO=1 "$ECHO"; TERM_TEST_RESET=1 "$ECHO"`)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "TMUX=", "TERM_PROGRAM=", "ECHO="+os.Args[0])
	s := tuitest.StartCommand(t, 80, 24, cmd)
	s.WaitText("CapsMsg")
	s.Press("ctrl+k")
	if err := s.WaitEnd(); err != nil {
		t.Error(err)
	}
}

// BenchmarkKeyEcho is the way of a key through the device, the program and
// back, at 120x40.
func BenchmarkKeyEcho(b *testing.B) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TERM_TEST_ECHO=1", "TERM=xterm-256color", "TMUX=", "TERM_PROGRAM=")
	s := tuitest.StartCommand(b, 120, 40, cmd)
	s.WaitText("CapsMsg")
	mark := s.Mark()
	for i := 0; b.Loop(); i++ {
		key := string(rune('a' + i%26))
		if i%100 == 99 {
			key = "backspace" // the program shows no more than a row
		}
		before := s.Mark()
		s.Press(key)
		s.WaitMark(before + 1)
	}
	wrote := len(s.BytesSince(mark))
	b.ReportMetric(float64(wrote)/float64(b.N), "bytes/key")
}
