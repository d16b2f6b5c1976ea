package app_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"

	"hermes/agent/config"
	"hermes/agent/llm/llmtest"
	"hermes/agent/locale"
	"hermes/cmd/internal/app"
	"hermes/tui"
	"hermes/tui/tuitest"
)

// rig is the running program with everything around it.
type rig struct {
	*tuitest.Screen
	t      *testing.T
	home   string          // HERMES_HOME
	dir    string          // working directory
	server *llmtest.Server // nil where the demo model answers
	cancel context.CancelFunc
	label  string // of its goroutines
}

// styles is done when the first program has drawn an answer on each kind of
// terminal. The library that highlights code keeps styles in a registry without
// a lock, which one program in a process does not need; here several run at the
// same time, so what they will ask for is registered before.
var styles sync.Once

// startApp shows the program on a terminal of w by h cells, with an empty home
// unless an option fills it. It ends with the test, which then fails when a
// mode of the terminal or a goroutine is left.
func startApp(t *testing.T, w, h int, opts ...option) *rig {
	t.Helper()
	styles.Do(func() {
		for _, terminal := range [][]tuitest.Option{nil, {tuitest.Silent()}} {
			r := startProgram(t, 80, 24, onTerminal(terminal...), withModel(llmtest.Say("*drawn*")))
			r.send("question")
			r.waitIdle("drawn")
		}
	})
	return startProgram(t, w, h, opts...)
}

func startProgram(t *testing.T, w, h int, opts ...option) *rig {
	t.Helper()
	o := setup{
		config: map[string]any{}, plugins: map[string]string{}, code: map[string]map[string]string{},
		env: map[string]string{
			"HERMES_PYTHON": needPython(t), "PATH": os.Getenv("PATH"), "HOME": t.TempDir(),
			"LANG": "en_US.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor",
		},
	}
	for _, opt := range opts {
		opt(t, &o)
	}
	if o.dir == "" {
		o.dir = filepath.Join(o.env["HOME"], "src", "weather")
		must(t, os.MkdirAll(o.dir, 0o700))
	}
	r := &rig{t: t, dir: o.dir}
	r.label = fmt.Sprintf("%s %p", t.Name(), r)
	leakCheck(t, r.label)
	if o.home == "" {
		r.home = filepath.Join(t.TempDir(), "home")
		r.fillHome(&o)
	} else {
		r.home = o.home
	}
	home, err := config.At(r.home)
	must(t, err)
	o.env["HERMES_HOME"] = r.home
	opt := app.Options{
		Home: home, Environ: environ(o.env), Dir: o.dir, Version: "0.1.0",
		Lang: locale.FromEnv(func(name string) string { return o.env[name] }), Interactive: true,
		Toolsets: o.toolsets,
	}
	r.start(w, h, opt, o.terminal)
	return r
}

func (r *rig) start(w, h int, opt app.Options, terminal []tuitest.Option) {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	r.Screen = tuitest.Start(r.t, w, h, func(killed context.Context, tty tuitest.TTY) (err error) {
		defer context.AfterFunc(killed, cancel)()
		pprof.Do(ctx, pprof.Labels(leakLabel, r.label), func(ctx context.Context) {
			err = app.RunScreen(ctx, opt, app.TTY{Options: func(o *tui.Options) {
				o.In, o.Out, o.Size, o.Resized = tty.In, tty.Out, tty.Size, tty.Resized
			}})
		})
		return err
	}, terminal...)
	r.t.Cleanup(r.end)
}

// end leaves the program if the test has not, and looks at what it left.
func (r *rig) end() {
	if r.server != nil {
		defer r.server.Close()
	}
	select {
	case <-r.Done():
	default:
		r.cancel()
	}
	_ = r.WaitEnd() // of a program that was told to end, the cause
}

// send types a text and sends it.
func (r *rig) send(text string) {
	r.t.Helper()
	r.Type(text)
	r.Press("enter")
}

// idle tells that no turn runs: the status line begins with who answers.
func idle(s tuitest.Snapshot) bool {
	for y := s.H - 1; y >= max(s.H-3, 0); y-- {
		for _, word := range []string{" ready", " demo model", " 就绪", " 演示模型"} {
			if strings.HasPrefix(s.Row(y), word) {
				return true
			}
		}
	}
	return false
}

// hasComposer tells that the conversation is shown, not a page.
func hasComposer(s tuitest.Snapshot) bool {
	return slices.ContainsFunc(s.Lines(), func(row string) bool { return strings.HasPrefix(row, tuitest.ComposerGlyph) })
}

// waitIdle waits until the texts are on the screen and no turn runs, and looks
// at what must hold for every screen of the conversation.
func (r *rig) waitIdle(texts ...string) tuitest.Snapshot {
	r.t.Helper()
	s := r.WaitFor(func(s tuitest.Snapshot) bool {
		return idle(s) && hasComposer(s) && !slices.ContainsFunc(texts, func(text string) bool { return !s.Contains(text) })
	})
	r.assertChat(s)
	return s
}

// paneWidth is the width of the conversation beside the panels, which begin at
// 110 and at 160 columns (design of the interface, section 3).
func paneWidth(w int) int {
	switch {
	case w >= 160:
		return 92
	case w >= 110:
		return w - 38
	}
	return w
}

// pane returns the rows of the conversation and of what is below it.
func pane(s tuitest.Snapshot) []string { return s.Region(0, 0, paneWidth(s.W), s.H) }

// flat returns the conversation as one text, so that a sentence is found
// wherever its rows break.
func flat(s tuitest.Snapshot) string {
	return strings.Join(strings.Fields(strings.Join(pane(s), " ")), " ")
}

// rowOf returns the first row of the conversation that holds a text, and where
// it is.
func rowOf(s tuitest.Snapshot, text string) (row string, y int, ok bool) {
	for y, row := range pane(s) {
		if strings.Contains(row, text) {
			return row, y, true
		}
	}
	return "", 0, false
}

// seek scrolls up until a text is in the conversation.
func (r *rig) seek(text string) tuitest.Snapshot {
	r.t.Helper()
	return r.scrollTo(text, func(s tuitest.Snapshot) bool { return strings.Contains(flat(s), text) })
}

// scrollTo scrolls up until seen is true. It begins at the end.
func (r *rig) scrollTo(what string, seen func(tuitest.Snapshot) bool) tuitest.Snapshot {
	r.t.Helper()
	r.newest()
	s := r.Snapshot()
	for range 100 {
		if seen(s) {
			return s
		}
		before := s.String()
		r.Press("shift+up")
		s = r.WaitFor(func(s tuitest.Snapshot) bool { return s.String() != before })
	}
	r.t.Fatalf("no %q above\n%s", what, s.Dump())
	return s
}

// newest goes back to the end of the conversation.
func (r *rig) newest() {
	r.t.Helper()
	r.Press("ctrl+end")
	// Keys are taken in their order: when the letter is there, the end is, too.
	r.Type("~")
	r.WaitFor(func(s tuitest.Snapshot) bool { return draft(s) == "~" })
	r.Press("backspace")
	r.WaitFor(func(s tuitest.Snapshot) bool { return draft(s) == "" })
}

// draft is the first row of the composer.
func draft(s tuitest.Snapshot) string {
	for _, row := range pane(s) {
		if text, ok := strings.CutPrefix(row, tuitest.ComposerGlyph); ok {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// file reads a file below the home folder.
func (r *rig) file(name string) string {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(r.home, name))
	must(r.t, err)
	return string(b)
}

// requests waits until the service got n requests.
func (r *rig) requests(n int) []llmtest.Request {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), tuitest.Deadline)
	defer cancel()
	got, err := r.server.WaitRequests(ctx, n)
	must(r.t, err)
	return got
}

// sizes are those every view must work at.
var sizes = []struct{ w, h int }{{40, 12}, {80, 24}, {120, 40}, {200, 50}}

func sizeName(w, h int) string { return fmt.Sprintf("%dx%d", w, h) }

// settledPlugins waits for any of the texts in the status line, the panel or
// the banner: what says how the plugins fared is elsewhere on each size.
func settledPlugins(texts ...string) func(tuitest.Snapshot) bool {
	return func(s tuitest.Snapshot) bool { return slices.ContainsFunc(texts, s.Contains) }
}
