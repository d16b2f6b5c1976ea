package tui

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/tuitest"
)

// TestMain runs the interface instead of the tests where it is told to: tests
// on a real pseudo-terminal start this binary again.
func TestMain(m *testing.M) {
	if os.Getenv("TUI_TEST_SCREEN") != "" {
		os.Exit(screenHere())
	}
	// The regular expressions of the highlighter keep a clock for a moment.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"))
}

// screenHere shows the interface on the terminal of the process, then prints
// what it asked of the backend.
func screenHere() int {
	b := newFake()
	err := Run(context.Background(), b, Options{In: os.Stdin, Out: os.Stdout, Version: "0.1.0", Dir: "/", Still: true})
	fmt.Printf("asked: %s\nended: %v\n", b.log(), err)
	return 0
}

// rig is the interface on an emulated terminal, with a backend that a test
// scripts and a clock that it moves.
type rig struct {
	*tuitest.Screen
	*fakeBackend
	clock *clock
}

// clock is a clock that stands still between the steps of a test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

// option changes how a rig is started.
type option func(*Options, map[string]string)

func inChinese(o *Options, _ map[string]string) { o.Lang = locale.ZH }
func env(name, value string) option             { return func(_ *Options, e map[string]string) { e[name] = value } }

func withFacts(f Facts) option { return func(o *Options, _ map[string]string) { o.Facts = f } }

func withHistory(path string) option {
	return func(o *Options, _ map[string]string) { o.HistoryFile = path }
}

func remembering(f func(Facts)) option {
	return func(o *Options, _ map[string]string) { o.Remember = f }
}

// start shows the interface; nothing moves by itself in it.
func start(t *testing.T, w, h int, opts ...option) *rig {
	t.Helper()
	return startOn(t, w, h, nil, opts...)
}

// startOn shows it on a terminal of a certain kind.
func startOn(t *testing.T, w, h int, terminal []tuitest.Option, opts ...option) *rig {
	t.Helper()
	c := &clock{at: epoch}
	b := newFake()
	b.bus = event.NewBus(c.Now)
	vars := map[string]string{"HOME": "/home/u", "LANG": "en_US.UTF-8", "TERM": "xterm-256color", "COLORTERM": "truecolor"}
	o := Options{Version: "0.1.0", Dir: "/home/u/src/weather", Still: true, Getenv: func(k string) string { return vars[k] }}
	for _, opt := range opts {
		opt(&o, vars)
	}
	s := tuitest.Start(t, w, h, func(ctx context.Context, tty tuitest.TTY) error {
		o.In, o.Out, o.Size, o.Resized = tty.In, tty.Out, tty.Size, tty.Resized
		return run(ctx, b, o, c.Now)
	}, terminal...)
	s.WaitText("Hermes Agent 0.1.0")
	return &rig{Screen: s, fakeBackend: b, clock: c}
}

// startLoaded shows it with the plugins, tools and commands of the samples.
func startLoaded(t *testing.T, w, h int, opts ...option) *rig {
	t.Helper()
	r := start(t, w, h, opts...)
	r.loaded()
	r.WaitFor(func(s tuitest.Snapshot) bool {
		return s.Contains(" deepseek-chat ") && (s.Contains("1 disabled") || s.Contains("1 已禁用"))
	})
	return r
}

// waitCall waits until the view asked the backend for something.
func (r *rig) waitCall(t *testing.T, want string) {
	t.Helper()
	r.waitAny(t, func(call string) bool { return call == want })
}

// waitAny waits for the first call that fits.
func (r *rig) waitAny(t *testing.T, fits func(call string) bool) {
	t.Helper()
	deadline := time.After(tuitest.Deadline)
	for {
		r.mu.Lock()
		for _, c := range r.calls {
			if fits(c) {
				r.mu.Unlock()
				return
			}
		}
		more := r.more
		r.mu.Unlock()
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("the view did not ask for it in time; what it asked for:\n%s", r.log())
		}
	}
}

// caret waits until the cursor stands in a cell; nothing else on the screen may
// change before.
func (r *rig) caret(t *testing.T, x, y int) {
	t.Helper()
	s := r.WaitFor(func(s tuitest.Snapshot) bool {
		cx, cy, visible := s.Cursor()
		return visible && cx == x && cy == y
	})
	s.AssertCaret(t, x, y)
}
