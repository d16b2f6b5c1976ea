package tuitest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// Deadline is how long WaitFor waits for a condition. Machines that build at
// the same time are slow; a test that passes never waits so long.
const Deadline = 20 * time.Second

// TTY is the terminal as the program under test sees it.
type TTY struct {
	// In has a method Cancel() bool that ends a blocked Read.
	In  io.Reader
	Out io.Writer
	// Size returns the size in cells, and Resized tells that it has changed.
	Size    func() (w, h int)
	Resized <-chan struct{}
}

// Write is one write of the program.
type Write struct {
	At   time.Time
	Data []byte
}

// Screen is a terminal with a program on it.
type Screen struct {
	t   testing.TB
	emu *emulator

	mu      sync.Mutex // guards what follows
	writes  []Write
	changed chan struct{} // closed and replaced by each write
	err     error         // of the program
	done    chan struct{} // closed when the program has ended

	// send writes to the program's input; resize tells it a new size; kill
	// ends it without asking.
	send    func([]byte)
	resize  func(w, h int)
	kill    func()
	restore func() error // checks the device itself, or nil
}

func newScreen(t testing.TB, w, h int, opts []Option) *Screen {
	s := &Screen{t: t, changed: make(chan struct{}), done: make(chan struct{})}
	s.emu = newEmulator(w, h, opts)
	return s
}

// Start runs a program in this process on a terminal of w by h cells. The
// context ends when the test does; run must return then, within Deadline.
func Start(t testing.TB, w, h int, run func(ctx context.Context, tty TTY) error, opts ...Option) *Screen {
	t.Helper()
	s := newScreen(t, w, h, opts)
	in := newQueue()
	ctx, cancel := context.WithCancel(context.Background())
	resized := make(chan struct{}, 1)
	s.send = in.Write
	s.resize = func(w, h int) {
		s.emu.resize(w, h)
		select {
		case resized <- struct{}{}:
		default:
		}
	}
	s.kill = func() { cancel(); in.Close() }
	s.emu.answer(s.send)
	tty := TTY{In: in, Out: writer{s}, Size: s.emu.size, Resized: resized}
	go func() { s.ended(run(ctx, tty)) }()
	t.Cleanup(s.cleanup)
	return s
}

// writer is the program's output.
type writer struct{ s *Screen }

func (w writer) Write(b []byte) (int, error) {
	w.s.feed(b)
	return len(b), nil
}

// BadFrame fails the test: the program made a frame that does not fit the
// screen. The terminal layer finds this method (term.Inspector).
func (w writer) BadFrame(err error) { w.s.t.Errorf("%v", err) }

// feed shows what the program wrote.
func (s *Screen) feed(b []byte) {
	s.emu.write(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes = append(s.writes, Write{time.Now(), append([]byte(nil), b...)})
	close(s.changed)
	s.changed = make(chan struct{})
}

// ended notes the end of the program.
func (s *Screen) ended(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
	close(s.done)
}

// cleanup ends the program with the test.
func (s *Screen) cleanup() {
	s.kill()
	select {
	case <-s.done:
	case <-time.After(Deadline):
		s.t.Errorf("the program did not end within %v of being told to", Deadline)
	}
	s.emu.close()
}

// Snapshot returns what is on the screen now.
func (s *Screen) Snapshot() Snapshot { return s.emu.snapshot() }

// WaitFor waits until cond is true for what is on the screen and returns that.
// It fails the test after Deadline, or when the program ends before.
func (s *Screen) WaitFor(cond func(Snapshot) bool) Snapshot {
	s.t.Helper()
	return s.wait("the condition", cond)
}

// WaitText waits until every text is on the screen, each within one row.
func (s *Screen) WaitText(texts ...string) Snapshot {
	s.t.Helper()
	return s.wait(fmt.Sprintf("%q", texts), func(snap Snapshot) bool {
		for _, text := range texts {
			if !snap.Contains(text) {
				return false
			}
		}
		return true
	})
}

// WaitGone waits until text is nowhere on the screen.
func (s *Screen) WaitGone(text string) Snapshot {
	s.t.Helper()
	return s.wait(fmt.Sprintf("%q to go", text), func(snap Snapshot) bool { return !snap.Contains(text) })
}

func (s *Screen) wait(what string, cond func(Snapshot) bool) Snapshot {
	s.t.Helper()
	deadline := time.NewTimer(Deadline)
	defer deadline.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		snap, whole := s.emu.settled()
		if whole && cond(snap) {
			return snap
		}
		select {
		case <-changed:
		case <-s.done:
			if snap = s.emu.snapshot(); cond(snap) {
				return snap
			}
			s.t.Fatalf("waiting for %s: the program ended: %v\n%s", what, s.Err(), snap.Dump())
		case <-deadline.C:
			s.t.Fatalf("waiting for %s: not within %v\n%s", what, Deadline, s.Snapshot().Dump())
		}
	}
}

// Err returns what the program ended with, or nil while it runs.
func (s *Screen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Done is closed when the program has ended.
func (s *Screen) Done() <-chan struct{} { return s.done }

// Writes returns every write of the program so far.
func (s *Screen) Writes() []Write {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Write(nil), s.writes...)
}

// Bytes returns everything that the program has written so far.
func (s *Screen) Bytes() []byte { return s.BytesSince(0) }

// Mark returns how many writes there were so far, for BytesSince.
func (s *Screen) Mark() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.writes)
}

// WaitMark waits until there were as many writes.
func (s *Screen) WaitMark(mark int) {
	s.t.Helper()
	s.wait(fmt.Sprintf("write %d", mark), func(Snapshot) bool { return s.Mark() >= mark })
}

// BytesSince returns what was written after a mark.
func (s *Screen) BytesSince(mark int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b []byte
	for _, w := range s.writes[mark:] {
		b = append(b, w.Data...)
	}
	return b
}

// Resize gives the terminal a new size.
func (s *Screen) Resize(w, h int) { s.resize(w, h) }

// Raw sends bytes as they are.
func (s *Screen) Raw(b string) { s.send([]byte(b)) }

// Type types text, one character at a time.
func (s *Screen) Type(text string) {
	for _, r := range text {
		s.send([]byte(string(r)))
	}
}

// Press presses keys, named as in Bubble Tea: enter, esc, shift+tab, ctrl+c,
// alt+x, f2. They are encoded as the terminal was asked to.
func (s *Screen) Press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		b, err := s.emu.encode(k)
		if err != nil {
			s.t.Fatalf("press %s: %v", k, err)
		}
		s.send([]byte(b))
	}
}

// Paste pastes text, bracketed when the program asked for that. Two pastes
// without anything between them but keys count as one to the program when they
// arrive within 20 ms; wait for the screen in between.
func (s *Screen) Paste(text string) {
	text = strings.ReplaceAll(text, "\n", "\r") // as terminals do
	if s.emu.mode(2004) {
		text = "\x1b[200~" + text + "\x1b[201~"
	}
	s.send([]byte(text))
}

// Focus tells the program that the terminal got or lost the focus, if it asked.
func (s *Screen) Focus(on bool) {
	switch {
	case !s.emu.mode(1004):
	case on:
		s.Raw("\x1b[I")
	default:
		s.Raw("\x1b[O")
	}
}

// Quit presses keys and waits for the program to end. It returns what the
// program returned and fails the test when the terminal is not as it was.
func (s *Screen) Quit(keys ...string) error {
	s.t.Helper()
	s.Press(keys...)
	return s.WaitEnd()
}

// WaitEnd waits for the program to end by itself and checks the terminal.
func (s *Screen) WaitEnd() error {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(Deadline):
		s.t.Fatalf("the program did not end within %v\n%s", Deadline, s.Snapshot().Dump())
	}
	s.AssertRestored()
	return s.Err()
}

// AssertRestored fails the test when a mode of the terminal is not as it was
// before the program.
func (s *Screen) AssertRestored() {
	s.t.Helper()
	errs := s.emu.changedModes()
	if s.restore != nil {
		errs = errors.Join(errs, s.restore())
	}
	if errs != nil {
		s.t.Errorf("the terminal is not as it was: %v", errs)
	}
}

// Wrote reports whether the program wrote text at any time, wherever on the
// screen.
func (s *Screen) Wrote(text string) bool { return bytes.Contains(s.Bytes(), []byte(text)) }
