//go:build unix

package term_test

import (
	"strings"
	"syscall"
	"testing"

	"hermes/tui/tuitest"
)

// startLending runs the echo program with a script that it lends the terminal.
func startLending(t *testing.T, script string) *tuitest.Screen {
	t.Helper()
	s, _ := startEcho(t, "TERM_TEST_CHILD="+script)
	s.Type("before")
	s.WaitText("❯ before")
	return s
}

// A program on the lent terminal finds it as a shell would, and gets every key;
// afterwards they are ours again, and the screen is as it was.
func TestLend(t *testing.T) {
	s := startLending(t, `printf 'your name? '; read x; printf 'hello %s ' "$x"; read y`)
	for i := range 3 {
		s.Press("ctrl+e")
		asked := func(text string) func(tuitest.Snapshot) bool {
			return func(snap tuitest.Snapshot) bool { return !snap.Alt && strings.Count(snap.String(), text) == i+1 }
		}
		s.WaitFor(asked("your name?"))
		s.AssertRestored()
		s.Type("grüße\r")
		s.WaitFor(asked("hello grüße"))
		s.Resize(70+i, 20+i)
		s.Type("\r")
		snap := s.WaitFor(func(snap tuitest.Snapshot) bool {
			_, y, _ := snap.Cursor()
			return snap.Alt && y == 19+i && strings.Count(snap.String(), "lent <nil>") == i+1 && snap.Contains("❯ before")
		})
		snap.AssertCaret(t, 8, 19+i)
		if snap.Contains("your name?") || snap.Contains("key g") {
			t.Errorf("what belongs to the other program is on the screen\n%s", snap.Dump())
		}
	}
	s.Type("!")
	s.WaitText("❯ before!")
	s.Press("f2")
	s.WaitText("key f2")
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// However the other program ends, the terminal is ours again afterwards.
func TestLendToProgramsThatFail(t *testing.T) {
	const mess = `stty raw -echo; printf '\033[?1049h\033[?1000h\033[?1003h\033[?2004h\033[?25l\033[31m'; `
	for _, c := range []struct{ name, script, typed, want string }{
		{name: "exit 3", script: mess + "exit 3", want: "lent exit status 3"},
		{name: "crash", script: mess + "kill -SEGV $$", want: "lent signal: segmentation fault"},
		{name: "killed", script: mess + "kill -9 $$", want: "lent signal: killed"},
		{name: "not there", script: "/nonexistent/editor", want: "lent exit status 127"},
		{name: "Ctrl+C", script: "echo ready; exec cat", typed: "\x03", want: "lent signal: interrupt"},
		{name: "Ctrl+\\", script: "ulimit -c 0; echo ready; exec cat", typed: "\x1c", want: "lent signal: quit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startLending(t, c.script)
			s.Press("ctrl+e")
			if c.typed != "" {
				s.WaitText("ready")
				s.Type(c.typed)
			}
			s.WaitText(c.want, "❯ before").AssertCaret(t, 8, 23)
			s.Type("!")
			s.WaitText("❯ before!")
			s.Paste("one\ntwo")
			s.WaitText(`paste 7 "one`)
			if err := s.Quit("ctrl+c"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A signal that ends the program ends the other one, too.
func TestSignalWhileLent(t *testing.T) {
	s, cmd := startEcho(t, "TERM_TEST_CHILD=echo waiting; exec sleep 1000")
	s.Press("ctrl+e")
	s.WaitText("waiting")
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitEnd(); err == nil {
		t.Error("it ended as if nothing had happened")
	}
	if snap := s.Snapshot(); !snap.Contains("ended with: ended by signal: terminated") {
		t.Errorf("the reason is missing\n%s", snap.Dump())
	}
}
