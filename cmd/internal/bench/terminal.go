//go:build linux

package bench

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Size of the terminal, in cells.
const columns, rows = 120, 40

// patience bounds every wait for something on the screen.
const patience = 60 * time.Second

// terminal is a program on a pseudo-terminal with an emulator behind it.
type terminal struct {
	cmd    *exec.Cmd
	master *os.File
	start  time.Time // just before exec

	mu     sync.Mutex
	emu    *vt.Emulator
	within bool      // inside a synchronized update: the frame is not whole
	bytes  int64     // read so far
	last   time.Time // when the last of them came
	watch  *watch
	ended  bool

	replies chan struct{} // closed when the answering goroutine has ended
	reading chan struct{} // closed when the reading one has
}

// watch waits for a state of the screen. The reader checks it after every read,
// so that the time is that of the bytes which made it true.
type watch struct {
	when func(lines []string) bool
	at   chan time.Time
}

// open starts argv with env on a terminal of its own.
func open(argv, env []string, dir string) (*terminal, error) {
	master, device, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a pseudo-terminal: %w", err)
	}
	defer device.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		return nil, fmt.Errorf("size a pseudo-terminal: %w", err)
	}
	t := &terminal{
		cmd: exec.Command(argv[0], argv[1:]...), master: master, emu: vt.NewEmulator(columns, rows),
		replies: make(chan struct{}), reading: make(chan struct{}),
	}
	t.cmd.Env, t.cmd.Dir = env, dir
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = device, device, device
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	t.teach()
	t.start = time.Now()
	t.last = t.start
	if err := t.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start %s: %w", argv[0], err), master.Close())
	}
	go t.answer()
	go t.read()
	return t, nil
}

// teach adds what the emulator lacks: synchronized updates are noticed, and the
// query for the kitty keyboard protocol is answered, with no.
func (t *terminal) teach() {
	synchronized := func(on bool) func(ansi.Mode) {
		return func(m ansi.Mode) {
			if dec, ok := m.(ansi.DECMode); ok && int(dec) == 2026 {
				t.within = on
			}
		}
	}
	t.emu.SetCallbacks(vt.Callbacks{EnableMode: synchronized(true), DisableMode: synchronized(false)})
	t.emu.RegisterCsiHandler(ansi.Command('?', 0, 'u'), func(ansi.Params) bool {
		_, _ = io.WriteString(t.emu.InputPipe(), "\x1b[?0u") // fails at the end only
		return true
	})
}

// answer sends what the terminal says by itself.
func (t *terminal) answer() {
	defer close(t.replies)
	buf := make([]byte, 4096)
	for {
		n, err := t.emu.Read(buf)
		if err != nil {
			return
		}
		_, _ = t.master.Write(buf[:n]) // the program may be gone
	}
}

func (t *terminal) read() {
	defer close(t.reading)
	buf := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(buf)
		now := time.Now()
		t.mu.Lock()
		if n > 0 {
			_, _ = t.emu.Write(buf[:n]) // it takes anything
			t.bytes += int64(n)
			t.last = now
			t.check()
		}
		t.ended = err != nil
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// check tells the watch when its state is reached; t.mu is held.
func (t *terminal) check() {
	if t.watch == nil || t.within || !t.watch.when(t.lines()) {
		return
	}
	t.watch.at <- t.last
	t.watch = nil
}

func (t *terminal) lines() []string { return strings.Split(t.emu.String(), "\n") }

// until waits for a state of the screen and returns when it was reached: the
// time of the read that made it so, or now when it is so already.
func (t *terminal) until(what string, when func(lines []string) bool) (time.Time, error) {
	w := &watch{when, make(chan time.Time, 1)}
	t.mu.Lock()
	if !t.within && when(t.lines()) {
		now := time.Now()
		t.mu.Unlock()
		return now, nil
	}
	t.watch = w
	t.mu.Unlock()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case at := <-w.at:
		return at, nil
	case <-limit.C:
	case <-t.reading:
		select {
		case at := <-w.at:
			return at, nil
		default:
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watch = nil
	return time.Time{}, fmt.Errorf("%s did not come (program ended: %v); the screen is:\n%s", what, t.ended, t.emu.String())
}

// painted waits for the first visible character.
func (t *terminal) painted() (time.Time, error) {
	return t.until("the first paint", func(lines []string) bool {
		for _, l := range lines {
			if strings.TrimSpace(l) != "" {
				return true
			}
		}
		return false
	})
}

// shows waits until text is on the screen.
func (t *terminal) shows(text string) (time.Time, error) {
	return t.until(fmt.Sprintf("%q", text), func(lines []string) bool { return count(lines, text) > 0 })
}

func count(lines []string, text string) int {
	n := 0
	for _, l := range lines {
		n += strings.Count(l, text)
	}
	return n
}

// keys types text and returns when it was handed over.
func (t *terminal) keys(text string) (time.Time, error) {
	at := time.Now()
	if _, err := t.master.WriteString(text); err != nil {
		return at, fmt.Errorf("type: %w", err)
	}
	return at, nil
}

// raw waits until the program has taken the keyboard over: before that the
// terminal itself would echo what is typed. Signals are off only then; a program
// that asks the terminal something at its start may turn the echo off before.
func (t *terminal) raw() error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(200 * time.Microsecond) {
		st, err := unix.IoctlGetTermios(int(t.master.Fd()), unix.TCGETS)
		if err != nil {
			return fmt.Errorf("read the terminal's modes: %w", err)
		}
		if st.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) == 0 {
			return nil
		}
	}
	return errors.New("the program did not take the keyboard over")
}

// quiet waits until nothing was written for d, from now on.
func (t *terminal) quiet(d time.Duration) error {
	began := time.Now()
	for time.Since(began) < patience {
		t.mu.Lock()
		since := t.last
		t.mu.Unlock()
		if since.Before(began) {
			since = began
		}
		rest := d - time.Since(since)
		if rest <= 0 {
			return nil
		}
		time.Sleep(rest)
	}
	return errors.New("the program does not come to rest")
}

// written returns how many bytes the program wrote so far.
func (t *terminal) written() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes
}

// close ends the program: it is asked to, and killed after three seconds.
func (t *terminal) close() {
	_ = t.cmd.Process.Signal(syscall.SIGTERM) // it may be gone
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = t.cmd.Wait() // how it ends is not measured
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
	}
	_ = syscall.Kill(-t.cmd.Process.Pid, syscall.SIGKILL) // what is left of its group
	<-done
	_ = t.master.Close()
	if c, ok := t.emu.InputPipe().(io.Closer); ok {
		_ = c.Close() // ends answer; the emulator's own Close races with it
	}
	<-t.replies
	<-t.reading
}
