//go:build unix

package tuitest

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"reflect"
	"sync"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// StartCommand runs cmd on a pseudo-terminal of w by h cells, as a session of
// its own with that as its controlling terminal. Its standard streams are set
// to it. What is left of its process group is killed with the test.
func StartCommand(t testing.TB, w, h int, cmd *exec.Cmd, opts ...Option) *Screen {
	t.Helper()
	master, device, err := pty.Open()
	if err != nil {
		t.Fatalf("open a pseudo-terminal: %v", err)
	}
	size := func(w, h int) error {
		return pty.Setsize(master, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	}
	if err := size(w, h); err != nil {
		t.Fatalf("set the size of a pseudo-terminal: %v", err)
	}
	before, err := xterm.GetState(device.Fd())
	if err != nil {
		t.Fatalf("read the state of a pseudo-terminal: %v", err)
	}
	s := newScreen(t, w, h, opts)
	keys := newQueue()
	s.send = keys.Write
	s.resize = func(w, h int) {
		s.emu.resize(w, h)
		if err := size(w, h); err != nil {
			s.t.Errorf("resize: %v", err)
		}
	}
	line := &lineState{device: device, before: before}
	s.restore = line.check
	cmd.Stdin, cmd.Stdout, cmd.Stderr = device, device, device
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", cmd.Path, err)
	}
	s.kill = func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Process.Kill()
		keys.Close()
	}
	s.emu.answer(s.send)
	go func() { _, _ = io.Copy(master, keys) }()
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		s.show(master)
	}()
	go func() {
		err := cmd.Wait()
		line.close()
		<-shown
		keys.Close()
		_ = master.Close()
		s.ended(err)
	}()
	t.Cleanup(s.cleanup)
	return s
}

// lineState compares the settings of a device with those before the program.
type lineState struct {
	mu            sync.Mutex
	device        *os.File
	before, after *xterm.State // after is set when the device is closed
}

func (l *lineState) check() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.after
	if now == nil {
		now, _ = xterm.GetState(l.device.Fd())
	}
	if !reflect.DeepEqual(l.before, now) {
		return errors.New("the line settings (stty) are not as they were")
	}
	return nil
}

// close closes the device: with its last holder gone, reading it ends.
func (l *lineState) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.after, _ = xterm.GetState(l.device.Fd())
	_ = l.device.Close()
}

// tailWait is how long the end of a read that may be a part of a character is
// kept back. The emulator draws what it has when a write ends.
const tailWait = 20 * time.Millisecond

// show feeds what is read from the device, cut only after ASCII characters:
// a read may end within a character.
func (s *Screen) show(r io.Reader) {
	reads := make(chan []byte)
	go func() {
		defer close(reads)
		for {
			buf := make([]byte, 32<<10)
			n, err := r.Read(buf)
			if n > 0 {
				reads <- buf[:n]
			}
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				return
			}
		}
	}()
	var tail []byte
	for {
		var late <-chan time.Time
		if len(tail) > 0 {
			late = time.After(tailWait)
		}
		select {
		case b, ok := <-reads:
			b = append(tail, b...)
			if !ok {
				s.feedAll(b)
				return
			}
			n := len(b)
			for n > 0 && b[n-1] >= 0x80 {
				n--
			}
			s.feedAll(b[:n])
			tail = b[n:]
		case <-late:
			s.feedAll(tail)
			tail = nil
		}
	}
}

func (s *Screen) feedAll(b []byte) {
	if len(b) > 0 {
		s.feed(b)
	}
}
