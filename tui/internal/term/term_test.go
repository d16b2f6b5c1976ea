package term_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"go.uber.org/goleak"

	"hermes/tui/internal/render"
	"hermes/tui/internal/term"
	"hermes/tui/tuitest"
)

// TestMain runs the echo program instead of the tests where it is told to: the
// tests on a real pseudo-terminal start this binary again.
func TestMain(m *testing.M) {
	if os.Getenv("TERM_TEST_ECHO") != "" {
		if err := runHere(); err != nil {
			fmt.Println("ended with:", err, panicker(err))
			os.Exit(1)
		}
		return
	}
	if os.Getenv("TERM_TEST_RESET") != "" {
		if err := term.Reset(os.Stdin, os.Stdout, os.Getenv); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// panicker says where the panic was that err tells of, as its stack has it.
func panicker(err error) string {
	var p term.PanicError
	if !errors.As(err, &p) {
		return ""
	}
	_, after, _ := strings.Cut(string(p.Stack), "\npanic(")
	_, after, _ = strings.Cut(after, "hermes/tui/internal/")
	name, _, _ := strings.Cut(after, "\n")
	return "of " + name
}

// runHere runs the echo program on the terminal of the process.
func runHere() error {
	ctx := context.Background()
	if os.Getenv("TERM_TEST_NOTIFY") != "" {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
		defer stop()
	}
	_, err := term.Run(ctx, term.Options{In: os.Stdin, Out: os.Stdout}, newEcho, nil)
	return err
}

func newEcho(t *term.Terminal) tea.Model {
	w, h := t.Size()
	return &echo{t: t, w: w, h: h}
}

// echo is a program that shows what arrived, the latest message last, above a
// line that is being typed.
type echo struct {
	t     *term.Terminal
	w, h  int
	seen  []string
	draft string

	broken bool // View panics
}

func (e *echo) Init() tea.Cmd { return nil }

func (e *echo) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	switch m := m.(type) {
	case tea.WindowSizeMsg:
		e.w, e.h = m.Width, m.Height
		e.seen = append(e.seen, fmt.Sprintf("size %dx%d", m.Width, m.Height))
	case tea.KeyMsg:
		e.seen = append(e.seen, "key "+m.String())
		switch {
		case m.Type == tea.KeyCtrlC:
			return e, tea.Quit
		case m.Type == tea.KeyCtrlZ:
			return e, func() tea.Msg { return suspended{e.t.Suspend()} }
		case m.Type == tea.KeyCtrlE:
			return e, func() tea.Msg { return lent{e.t.Lend(runScript)} }
		case m.Type == tea.KeyCtrlP:
			panic("panic in Update")
		case m.Type == tea.KeyCtrlV:
			e.broken = true
		case m.Type == tea.KeyCtrlG:
			go func() {
				defer e.t.Recover()
				panic("panic in a goroutine")
			}()
		case m.Type == tea.KeyCtrlT:
			e.t.SetMouse(false)
		case m.Type == tea.KeyCtrlK:
			if p, err := os.FindProcess(os.Getpid()); err == nil {
				_ = p.Kill()
			}
		case m.Type == tea.KeyCtrlY:
			e.t.Clipboard("ho\nho")
			e.t.Notify("done \x1b]0;evil\a\n")
		case m.Type == tea.KeyCtrlX:
			e.t.Present(term.Frame{Lines: []string{"hanging"}})
			select {}
		case m.Type == tea.KeyRunes && !m.Alt, m.Type == tea.KeySpace:
			e.draft += string(m.Runes)
		}
	case term.PasteMsg:
		e.seen = append(e.seen, fmt.Sprintf("paste %d %q", len(m.Text), render.Truncate(m.Text, 20, "…")))
	case fmt.Stringer:
		e.seen = append(e.seen, fmt.Sprintf("%T %v", m, m))
	default:
		e.seen = append(e.seen, fmt.Sprintf("%T %+v", m, m))
	}
	return e, nil
}

// runScript runs the program that a test names on a terminal that was lent.
func runScript(ctx context.Context, in, out *os.File) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", os.Getenv("TERM_TEST_CHILD"))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, out
	return cmd.Run()
}

// lent tells how a loan ended.
type lent struct{ err error }

func (l lent) String() string { return fmt.Sprint(l.err) }

// suspended tells how a suspension ended.
type suspended struct{ err error }

func (s suspended) String() string { return fmt.Sprint(s.err) }

func (e *echo) View() string {
	if e.broken {
		panic("panic in View")
	}
	lines := make([]string, e.h)
	seen := e.seen[max(len(e.seen)-(e.h-1), 0):]
	for i, text := range seen {
		lines[i] = render.Truncate(text, e.w, "")
	}
	lines[e.h-1] = render.Truncate("❯ "+e.draft, e.w, "")
	e.t.Present(term.Frame{W: e.w, H: e.h, Lines: lines, Title: "echo " + e.draft, Cursor: term.Cursor{X: min(2+render.Width(e.draft), e.w-1), Y: e.h - 1, Visible: true}})
	return ""
}

// options of a terminal of the harness.
func options(tty tuitest.TTY, env ...string) term.Options {
	vars := map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor"}
	for _, kv := range env {
		k, v, _ := strings.Cut(kv, "=")
		vars[k] = v
	}
	return term.Options{
		In: tty.In, Out: tty.Out, Size: tty.Size, Resized: tty.Resized,
		Getenv: func(k string) string { return vars[k] },
	}
}

// runEcho runs the echo program.
func runEcho(env ...string) func(context.Context, tuitest.TTY) error {
	return func(ctx context.Context, tty tuitest.TTY) error {
		_, err := term.Run(ctx, options(tty, env...), newEcho, nil)
		return err
	}
}

func TestTypingAndQuitting(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}, {200, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			s := tuitest.Start(t, size[0], size[1], runEcho())
			s.WaitText("CapsMsg")
			s.Type("héllo 世界")
			snap := s.WaitText("❯ héllo 世界")
			snap.AssertOneComposer(t)
			snap.AssertCaret(t, 12, size[1]-1)
			snap.AssertSound(t)
			s.Press("shift+enter")
			s.WaitText("shift+enter")
			s.Resize(60, 15)
			s.WaitText("size 60x15").AssertCaret(t, 12, 14)
			if err := s.Quit("ctrl+c"); err != nil {
				t.Fatal(err)
			}
		})
	}
}
