package term_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"hermes/tui/internal/term"
	"hermes/tui/tuitest"
)

// start runs the echo program until the terminal has answered.
func start(t *testing.T, w, h int, env ...string) *tuitest.Screen {
	t.Helper()
	s := tuitest.Start(t, w, h, runEcho(env...))
	s.WaitText("CapsMsg")
	return s
}

// TestKeysArriveAsPressed presses keys as terminals with and without the
// keyboard protocol encode them; the program sees the same.
func TestKeysArriveAsPressed(t *testing.T) {
	both := []string{
		"enter", "esc", "tab", "shift+tab", "backspace", "up", "down", "left", "right", "home", "end", "pgup", "pgdown", "insert", "delete",
		"shift+up", "ctrl+left", "alt+down", "ctrl+shift+right", "ctrl+home", "f1", "f2", "f3", "f4", "f5", "f10", "f12", "shift+f2", "ctrl+f5",
		"ctrl+a", "ctrl+j", "ctrl+r", "ctrl+x", "ctrl+_", "alt+x", "alt+enter", "alt+backspace", "x", "alt+f2", "shift+enter", "ctrl+enter",
	}
	for _, c := range []struct {
		name string
		keys []string
		opts []tuitest.Option
	}{
		{"kitty", append(both, "ctrl+shift+c", "super+k", "ctrl+backspace", "ctrl+1", "shift+backspace"), nil},
		{"xterm", both, []tuitest.Option{tuitest.NoKitty()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := make(chan string, 8)
			s := tuitest.Start(t, 80, 24, func(ctx context.Context, tty tuitest.TTY) error {
				_, err := term.Run(ctx, options(tty), func(*term.Terminal) tea.Model { return keyLog(got) }, nil)
				return err
			}, c.opts...)
			if caps := <-got; caps != fmt.Sprintf("kitty %v", c.name == "kitty") {
				t.Fatalf("first came %s", caps)
			}
			for _, key := range c.keys {
				s.Press(key)
				if name := <-got; name != key {
					t.Errorf("pressed %s, got %s", key, name)
				}
			}
			if err := s.Quit("ctrl+c"); err != nil {
				t.Error(err)
			}
		})
	}
}

// keyLog sends the names of keys to a channel.
type keyLog chan string

func (k keyLog) Init() tea.Cmd { return nil }
func (k keyLog) View() string  { return "" }

func (k keyLog) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case term.CapsMsg:
		k <- fmt.Sprintf("kitty %v", m.Kitty)
	case tea.KeyMsg:
		if m.Type == tea.KeyCtrlC {
			return k, tea.Quit
		}
		k <- m.String()
	case term.Key:
		k <- m.String()
	}
	return k, nil
}

// TestSilentTerminal: a terminal that answers nothing works as well, without
// what would have to be asked for.
func TestSilentTerminal(t *testing.T) {
	s := tuitest.Start(t, 80, 24, runEcho(), tuitest.Silent())
	s.WaitText("size 80x24")
	s.Type("still here")
	s.WaitText("❯ still here").AssertCaret(t, 12, 23)
	if s.Wrote("\x1b[?2026h") {
		t.Error("frames are bracketed, although nobody said that this is known")
	}
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// TestFramesAreWhole: with synchronized output every frame is in brackets, and
// after the first one nothing is erased (U001).
func TestFramesAreWhole(t *testing.T) {
	s := start(t, 80, 24)
	s.Type("x")
	s.WaitText("❯ x")
	mark := s.Mark()
	s.Type("yz")
	s.WaitText("❯ xyz")
	for _, w := range s.Writes()[mark:] {
		if b := string(w.Data); !strings.HasPrefix(b, "\x1b[?2026h") || !strings.HasSuffix(b, "\x1b[?2026l") {
			t.Errorf("a frame without brackets: %q", b)
		}
	}
	if n := strings.Count(string(s.BytesSince(mark)), "\x1b[2J"); n > 0 {
		t.Errorf("%d times the whole screen was erased", n)
	}
}

// TestNoColor is property U068.
func TestNoColor(t *testing.T) {
	line := "\x1b[1;31mbold red\x1b[m \x1b[38;2;1;2;3mrgb\x1b[m \x1b[48;5;99mindexed\x1b[m"
	colors := regexp.MustCompile(`\x1b\[[0-9;:]*m`)
	for _, c := range []struct {
		env  string
		bad  string
		want string
	}{
		{"NO_COLOR=1", `(^|[;\[])(3[0-9]|4[0-9]|9[0-7]|10[0-7])([;m]|$)`, "\x1b[1m"},
		{"COLORTERM=", `[34]8;2;`, "48;5;99"},
		{"TERM=xterm", `[34]8;[25];`, "\x1b[1;31m"},
	} {
		t.Run(c.env, func(t *testing.T) {
			env := []string{c.env}
			if c.env == "TERM=xterm" {
				env = append(env, "COLORTERM=")
			}
			s := tuitest.Start(t, 80, 24, func(ctx context.Context, tty tuitest.TTY) error {
				_, err := term.Run(ctx, options(tty, env...), func(t *term.Terminal) tea.Model {
					t.Present(term.Frame{Lines: []string{line}})
					return keyLog(make(chan string, 8))
				}, nil)
				return err
			})
			s.WaitText("bold red rgb indexed")
			for _, seq := range colors.FindAllString(string(s.Bytes()), -1) {
				if regexp.MustCompile(c.bad).MatchString(seq) {
					t.Errorf("wrote %q", seq)
				}
			}
			if !s.Wrote(c.want) {
				t.Errorf("%q is not in %q", c.want, s.Bytes())
			}
		})
	}
}

// TestBackgroundIsFollowed: the answer at the start, and after a change of the
// theme (U067).
func TestBackgroundIsFollowed(t *testing.T) {
	s := tuitest.Start(t, 100, 24, runEcho(), tuitest.Background(250, 250, 240))
	s.WaitText("BackgroundMsg {R:250 G:250 B:240 Dark:false}")
	s.Raw("\x1b[?997;1n")
	s.WaitFor(func(snap tuitest.Snapshot) bool {
		return strings.Count(snap.String(), "BackgroundMsg") == 2
	})
}

// TestFocusAndMouse: reports arrive as such, and the mouse can be given back.
func TestFocusAndMouse(t *testing.T) {
	s := start(t, 80, 24)
	s.Focus(false)
	s.WaitText("tea.BlurMsg")
	s.Focus(true)
	s.WaitText("tea.FocusMsg")
	s.Raw("\x1b[<0;5;6M")
	s.WaitText("left press")
	s.Press("ctrl+t")
	s.WaitFor(func(tuitest.Snapshot) bool { return s.Wrote("\x1b[?1002l") })
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// TestPasteThroughTheTerminal is property U028 as far as the terminal goes.
func TestPasteThroughTheTerminal(t *testing.T) {
	s := start(t, 80, 24)
	text := strings.Repeat("twelve thousand lines, each of them as long as this one here is, with a tab\tin it\n", 12000)
	s.Paste(text)
	s.WaitText(fmt.Sprintf("paste %d", len(text)))
	s.Press("enter")
	s.WaitText("key enter")
	s.Paste("hi \x1b[201~ \n y \x03 rm -rf ~")
	if snap := s.WaitText(`paste 17 "hi`); snap.Contains("ctrl+c") {
		t.Errorf("a paste pressed a key\n%s", snap.Dump())
	}
}

// TestLoneEscape: without the keyboard protocol Esc is told from a sequence by
// the pause after it.
func TestLoneEscape(t *testing.T) {
	s := tuitest.Start(t, 80, 24, runEcho(), tuitest.NoKitty())
	s.WaitText("CapsMsg")
	// The rest of an answer whose first byte was taken for the key.
	for i, rest := range []string{"[?64;1c", "]11;rgb:0000/0000/0000\x1b\\", ""} {
		s.Press("esc")
		s.WaitFor(func(snap tuitest.Snapshot) bool { return strings.Count(snap.String(), "key esc") == i+1 })
		s.Raw(rest)
	}
	s.Type("ok")
	if snap := s.WaitText("❯ ok"); snap.Contains("64") || snap.Contains("rgb") {
		t.Errorf("an answer became text\n%s", snap.Dump())
	}
}

// TestResizes: after any number of them the last size counts, and the screen
// is that of the last frame.
func TestResizes(t *testing.T) {
	s := start(t, 80, 24)
	s.Type("draft")
	for i := range 60 {
		s.Resize(40+i, 10+i%17)
	}
	s.Resize(66, 17)
	snap := s.WaitFor(func(snap tuitest.Snapshot) bool {
		return snap.Contains("size 66x17") && strings.HasPrefix(snap.Row(16), "❯ draft")
	})
	snap.AssertOneComposer(t)
	snap.AssertCaret(t, 7, 16)
	for _, size := range [][2]int{{20, 6}, {1, 1}, {2, 2}, {80, 24}} {
		s.Resize(size[0], size[1])
	}
	s.WaitFor(func(snap tuitest.Snapshot) bool { return strings.HasPrefix(snap.Row(23), "❯ draft") })
	if err := s.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
}

// TestTerminalGone: the program ends when its terminal does.
func TestTerminalGone(t *testing.T) {
	broken := errors.New("input/output error")
	for name, o := range map[string]term.Options{
		"input ended":   {In: strings.NewReader(""), Out: io.Discard},
		"output broken": {In: newBlocked(t), Out: &failing{after: 1, err: broken}},
	} {
		t.Run(name, func(t *testing.T) {
			o.Size = func() (int, int) { return 80, 24 }
			o.Resized = make(chan struct{})
			_, err := term.Run(context.Background(), o, newEcho, nil)
			if !errors.Is(err, term.ErrGone) {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

// failing is an output that breaks after a number of writes.
type failing struct {
	mu    sync.Mutex
	after int
	err   error
}

func (f *failing) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.after--; f.after < 0 {
		return 0, f.err
	}
	return len(b), nil
}

// blocked is an input on which nothing arrives, or an output that takes
// nothing.
type blocked struct{ end chan struct{} }

func newBlocked(t *testing.T) *blocked {
	b := &blocked{make(chan struct{})}
	t.Cleanup(b.free)
	return b
}

func (b *blocked) free() {
	select {
	case <-b.end:
	default:
		close(b.end)
	}
}

func (b *blocked) Read([]byte) (int, error) { <-b.end; return 0, io.EOF }
func (b *blocked) Cancel() bool             { b.free(); return true }

// stuck is an output that takes the first writes and then nothing until it is
// freed; it keeps what it took.
type stuck struct {
	mu      sync.Mutex
	left    int
	got     []byte
	waiting chan struct{} // closed when a write waits
	free    chan struct{}
}

func (s *stuck) Write(b []byte) (int, error) {
	s.mu.Lock()
	s.left--
	stuck := s.left < 0
	if s.left == -1 {
		close(s.waiting)
	}
	s.mu.Unlock()
	if stuck {
		<-s.free
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, b...)
	return len(b), nil
}

// TestSlowTerminal: a terminal that takes no output holds nobody up, and gets
// the latest frame when it goes on, not those before it.
func TestSlowTerminal(t *testing.T) {
	out := &stuck{left: 1, waiting: make(chan struct{}), free: make(chan struct{})}
	tm, err := term.Open(term.Options{
		In: newBlocked(t), Out: out, Size: func() (int, int) { return 40, 3 }, Resized: make(chan struct{}),
		Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	tm.Start(func(tea.Msg) {})
	tm.Present(term.Frame{Lines: []string{"frame 0"}})
	<-out.waiting
	for i := range 1000 {
		tm.Present(term.Frame{Lines: []string{fmt.Sprintf("frame %d", i+1)}})
	}
	close(out.free)
	for {
		out.mu.Lock()
		got := string(out.got)
		out.mu.Unlock()
		if strings.HasSuffix(got, "1000") {
			if strings.Contains(got, "500") {
				t.Errorf("frames in between were written: %q", got)
			}
			break
		}
	}
	if err := tm.Close(); err != nil {
		t.Error(err)
	}
}

// TestCloseWhileStuck: closing does not wait for a terminal that takes nothing.
func TestCloseWhileStuck(t *testing.T) {
	out := &stuck{left: 1, waiting: make(chan struct{}), free: make(chan struct{})}
	tm, err := term.Open(term.Options{
		In: newBlocked(t), Out: out, Size: func() (int, int) { return 40, 3 }, Resized: make(chan struct{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	tm.Start(func(tea.Msg) {})
	tm.Present(term.Frame{Lines: []string{"x"}})
	<-out.waiting
	if err := tm.Close(); err == nil {
		t.Error("the terminal cannot have been restored")
	}
	close(out.free)
}

// TestManyCallers: every method from several goroutines at once, Close among
// them.
func TestManyCallers(t *testing.T) {
	s := tuitest.Start(t, 40, 6, func(ctx context.Context, tty tuitest.TTY) error {
		tm, err := term.Open(options(tty))
		if err != nil {
			return err
		}
		tm.Start(func(tea.Msg) {})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				for n := range 50 {
					tm.Present(term.Frame{Lines: []string{fmt.Sprint(i, n)}, Title: fmt.Sprint(n)})
					tm.SetMouse(n%2 == 0)
					tm.Repaint()
					tm.Size()
					tm.Caps()
				}
			})
		}
		wg.Go(func() { _ = tm.Close() })
		wg.Wait()
		return tm.Close()
	})
	if err := s.WaitEnd(); err != nil {
		t.Error(err)
	}
}

// TestClipboardAndNotice: what is said to the terminal beside the screen, as
// each terminal takes it, and never what a text would like to say.
func TestClipboardAndNotice(t *testing.T) {
	for _, c := range []struct{ env, clipboard, note string }{
		{"TERM_PROGRAM=", "\x1b]52;c;aG8KaG8=\x1b\\", "\a"},
		{"TERM=xterm-kitty", "\x1b]52;c;aG8KaG8=\x1b\\", "\x1b]99;;done\x1b\\"},
		{"TERM_PROGRAM=iTerm.app", "\x1b]52;c;aG8KaG8=\x1b\\", "\x1b]9;done\x1b\\"},
		{"TERM=foot", "\x1b]52;c;aG8KaG8=\x1b\\", "\x1b]777;notify;Hermes;done\x1b\\"},
		{"TMUX=/tmp/x,1,0", "\x1bPtmux;\x1b\x1b]52;c;aG8KaG8=\x1b\x1b\\\x1b\\", "\a"},
	} {
		t.Run(c.env, func(t *testing.T) {
			s := start(t, 80, 24, c.env)
			s.Press("ctrl+y")
			s.WaitText("ctrl+y")
			s.WaitFor(func(tuitest.Snapshot) bool { return s.Wrote(c.clipboard) && s.Wrote(c.note) })
			if s.Wrote("evil") {
				t.Error("a text reached the terminal as a sequence")
			}
		})
	}
}

func TestFrameCheck(t *testing.T) {
	for want, f := range map[string]term.Frame{
		"":                  {Lines: []string{"\x1b[31m世界\x1b[m"}, W: 4, H: 1},
		"5 cells wide":      {Lines: []string{"", "世界a"}, W: 4, H: 2},
		"has 2 rows":        {Lines: []string{"", ""}, W: 4, H: 1},
		"cursor of a frame": {Cursor: term.Cursor{X: 4, Visible: true}, W: 4, H: 1},
	} {
		if err := f.Check(); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, not %q", f, err, want)
		}
	}
	if err := (term.Frame{Lines: []string{"any"}}).Check(); err != nil {
		t.Errorf("a frame without a size: %v", err)
	}
}

func TestUsable(t *testing.T) {
	env := func(string) string { return "" }
	if err := term.Usable(strings.NewReader(""), io.Discard, env); !errors.Is(err, term.ErrNotTerminal) {
		t.Errorf("without a terminal: %v", err)
	}
}
