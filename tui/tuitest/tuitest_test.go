package tuitest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a test that may fail without failing the one that looks at it.
type recorder struct {
	testing.TB
	failed string
	clean  []func()
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.clean = append(r.clean, f) }

func (r *recorder) Errorf(format string, args ...any) {
	r.failed += fmt.Sprintf(format, args...) + "\n"
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// observe runs f as a test would be run and returns how it failed.
func observe(t *testing.T, f func(testing.TB)) string {
	t.Helper()
	r := &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	for _, c := range r.clean {
		c()
	}
	return r.failed
}

// program writes text and then echoes what it reads, until q.
func program(text string) func(context.Context, TTY) error {
	return func(_ context.Context, tty TTY) error {
		if _, err := io.WriteString(tty.Out, text); err != nil {
			return err
		}
		buf := make([]byte, 64)
		for {
			n, err := tty.In.Read(buf)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if string(buf[:n]) == "q" {
				return errors.New("quit")
			}
			if _, err := fmt.Fprintf(tty.Out, "[%q]", buf[:n]); err != nil {
				return err
			}
		}
	}
}

func TestDriving(t *testing.T) {
	s := Start(t, 40, 5, program("hello 世界\r\n"))
	snap := s.WaitText("hello 世界")
	if x, y, ok := snap.Find("界"); !ok || x != 8 || y != 0 {
		t.Errorf("found at %d,%d %v", x, y, ok)
	}
	if got := snap.Cell(6, 0); got.Content != "世" || got.Width != 2 {
		t.Errorf("cell %+v", got)
	}
	if got := snap.Region(6, 0, 5, 2); got[0] != "世界" || got[1] != "" {
		t.Errorf("region %q", got)
	}
	s.Type("é1")
	s.WaitText(`["é"]["1"]`)
	s.Paste("x\ny")
	s.WaitText(`["x\ry"]`)
	s.Resize(60, 3)
	if snap := s.Snapshot(); snap.W != 60 || snap.H != 3 {
		t.Errorf("size %dx%d", snap.W, snap.H)
	}
	mark := s.Mark()
	s.Press("enter")
	s.WaitText(`["\r"]`)
	if got := string(s.BytesSince(mark)); got != `["\r"]` {
		t.Errorf("wrote %q", got)
	}
	if err := s.Quit("q"); err == nil || err.Error() != "quit" {
		t.Errorf("ended with %v", err)
	}
}

// TestFailuresAreSeen: every check of the harness fails when it should.
func TestFailuresAreSeen(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		check            func(*Screen)
	}{
		{"a text that never comes", "x", "the program ended: quit", func(s *Screen) { s.Type("q"); s.WaitText("y") }},
		{"a key that is none", "x", "press hyper+x", func(s *Screen) { s.Press("hyper+x") }},
		{"two composers", "❯\r\n❯ x", "2 composers", func(s *Screen) { s.WaitText("❯ x").AssertOneComposer(s.t) }},
		{"no composer", "x", "0 composers", func(s *Screen) { s.WaitText("x").AssertOneComposer(s.t) }},
		{"caret elsewhere", "x", "not visible at 0,0", func(s *Screen) { s.WaitText("x").AssertCaret(s.t, 0, 0) }},
		{"caret hidden", "x\x1b[?25l", "not visible at 1,0", func(s *Screen) { s.WaitText("x").AssertCaret(s.t, 1, 0) }},
		{"alternate screen left on", "\x1b[?1049hx", "alternate screen", quit},
		{"cursor left hidden", "\x1b[?25lx", "cursor", quit},
		{"paste mode left on", "\x1b[?2004hx", "bracketed paste", quit},
		{"mouse left on", "\x1b[?1002h\x1b[?1006hx", "mouse drag", quit},
		{"wrap left off", "\x1b[?7lx", "wrap", quit},
		{"focus reports left on", "\x1b[?1004hx", "focus", quit},
		{"keyboard protocol left on", "\x1b[>1ux", "keyboard protocol", quit},
		{"modifyOtherKeys left on", "\x1b[>4;1mx", "modifyOtherKeys", quit},
		{"title left on the stack", "\x1b[22;2tx", "title stack", quit},
		{"a frame that does not fit", "x", "row 3", func(s *Screen) { writer{s}.BadFrame(errors.New("row 3 of a frame")) }},
		{"golden missing", "x", "-update", func(s *Screen) { s.WaitText("x").Golden(s.t, "missing") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := observe(t, func(t testing.TB) { c.check(Start(t, 40, 5, program(c.text))) })
			if !strings.Contains(got, c.want) {
				t.Errorf("failed with %q, which does not tell of %q", got, c.want)
			}
		})
	}
}

func quit(s *Screen) {
	s.WaitText("x")
	_ = s.Quit("q")
}

// TestRestoredIsSeen: modes that were undone are no failure.
func TestRestoredIsSeen(t *testing.T) {
	on := "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[>5u\x1b[>4;1m\x1b[22;2t"
	off := "\x1b[23;2t\x1b[>4m\x1b[<u\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
	if got := observe(t, func(t testing.TB) { quit(Start(t, 40, 5, program(on+off+"x"))) }); got != "" {
		t.Errorf("failed with %q", got)
	}
}

// TestWholeFrames: a screen inside of a synchronized update is not looked at.
func TestWholeFrames(t *testing.T) {
	wrote := make(chan struct{})
	s := Start(t, 40, 5, func(_ context.Context, tty TTY) error {
		_, _ = io.WriteString(tty.Out, "\x1b[?2026hhalf")
		close(wrote)
		_, _ = tty.In.Read(make([]byte, 1))
		_, err := io.WriteString(tty.Out, " whole\x1b[?2026l")
		return err
	})
	<-wrote
	if _, whole := s.emu.settled(); whole {
		t.Error("half a frame counts as a screen")
	}
	s.Raw("x")
	if snap := s.WaitFor(func(snap Snapshot) bool { return snap.Contains("half") }); !snap.Contains("whole") {
		t.Errorf("looked at half a frame\n%s", snap.Dump())
	}
}

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	s := Start(t, 20, 2, program("took 41ms 世"))
	snap := s.WaitText("took")
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join("testdata", "x.golden"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mask := NewMask(`\d+ms`, "#")
	write("took #    世\n\n")
	if got := observe(t, func(t testing.TB) { snap.Golden(t, "x", mask) }); got != "" {
		t.Errorf("failed with %q", got)
	}
	if got := observe(t, func(t testing.TB) { snap.Golden(t, "x") }); !strings.Contains(got, "41ms") {
		t.Errorf("without the mask: %q", got)
	}
	write("took #     世\n\n")
	if got := observe(t, func(t testing.TB) { snap.Golden(t, "x", mask) }); got == "" {
		t.Error("a column that moved is not seen")
	}
}
