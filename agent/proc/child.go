package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Limits of a child's end.
const (
	// drainGrace is how long output is waited for after the child has ended,
	// when something that it started still holds the pipe.
	drainGrace = 200 * time.Millisecond
	// reapLimit bounds the wait for a killed child: what hangs in the kernel
	// (a dead network file system) must not hang the caller too.
	reapLimit = 2 * time.Second
	// writeLimit bounds one write to a child that does not read.
	writeLimit = 5 * time.Second
)

// Size of a child's terminal, as the reference makes it.
const (
	ttyRows = 30
	ttyCols = 120
)

// Spec says what to start.
type Spec struct {
	Path string
	Args []string // without the program's name
	Env  []string
	Dir  string
	// TTY gives the child a terminal; its output and errors are one stream
	// then, and what is written to it is echoed by the terminal.
	TTY bool
	// Stdin keeps a pipe to the child's standard input open for Write; without
	// it, and without TTY, the child reads end of file.
	Stdin bool
	// Out takes what the child prints, as it comes, from one goroutine; nil
	// drops it. Err takes the error stream on a goroutine of its own; nil
	// joins it to Out.
	Out, Err func(p []byte)
	// Files are passed as descriptors 3 and up and closed here once the child
	// has them. Not on Windows.
	Files []*os.File
}

// Exit is how a child ended.
type Exit struct {
	// Code is the exit code; a signal's number, negative, when that ended it.
	Code int
	Took time.Duration
}

// Child is a running process. Its methods may be called from any goroutine.
type Child struct {
	cmd   *exec.Cmd
	began time.Time
	outs  []*os.File // our ends of its output
	ended chan struct{}
	done  chan struct{}
	over  chan struct{}
	exit  Exit // written before done is closed

	mu    sync.Mutex
	stdin *os.File // nil when there is none, or closed
	tty   *os.File
	kill  sync.Mutex // one Kill at a time
}

// start runs s. The caller must see to it that the child is closed.
func start(s Spec) (*Child, error) {
	cmd := exec.Command(s.Path, s.Args...) //nolint:noctx // ended by Kill, which reaches the whole group
	cmd.Env, cmd.Dir, cmd.ExtraFiles = s.Env, s.Dir, s.Files
	c := &Child{cmd: cmd, ended: make(chan struct{}), done: make(chan struct{}), over: make(chan struct{})}
	defer closeAll(s.Files)
	var err error
	if s.TTY {
		err = c.startTTY()
	} else {
		err = c.startPipes(s)
	}
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Path, err)
	}
	c.began = time.Now()
	var readers sync.WaitGroup
	for i, f := range c.outs {
		sink := s.Out
		if i == 1 {
			sink = s.Err
		}
		readers.Go(func() { c.read(f, sink) })
	}
	go c.wait(&readers)
	return c, nil
}

func (c *Child) startPipes(s Spec) (err error) {
	var theirs []*os.File
	defer func() {
		closeAll(theirs)
		if err != nil {
			closeAll(c.outs)
		}
	}()
	pipe := func() *os.File {
		r, w, perr := os.Pipe()
		if perr != nil {
			err = errors.Join(err, perr)
			return nil
		}
		c.outs, theirs = append(c.outs, r), append(theirs, w)
		return w
	}
	out := pipe()
	errs := out
	if s.Err != nil {
		errs = pipe()
	}
	if err != nil {
		return err
	}
	c.cmd.Stdout, c.cmd.Stderr = out, errs
	if s.Stdin {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		theirs = append(theirs, r)
		c.cmd.Stdin, c.stdin = r, w
	}
	ownGroup(c.cmd)
	if err := c.cmd.Start(); err != nil {
		if c.stdin != nil {
			_ = c.stdin.Close()
		}
		return err
	}
	return nil
}

// read hands output over until the pipe ends, or until the child's end has
// passed the grace.
func (c *Child) read(f *os.File, sink func([]byte)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := f.Read(buf)
		if n > 0 && sink != nil {
			sink(buf[:n])
		}
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				c.drain(f, buf, sink)
			}
			return
		}
	}
}

// drain reads what lies in the pipe already: a busy machine must not lose what
// a child wrote before it ended. It reads at most one pipe's worth, for
// whoever still writes may do so for ever.
func (c *Child) drain(f *os.File, buf []byte, sink func([]byte)) {
	if f.SetReadDeadline(time.Time{}) != nil {
		return
	}
	for left := 1 << 20; left > 0; {
		n := readNow(f, buf)
		if n <= 0 {
			return
		}
		if sink != nil {
			sink(buf[:n])
		}
		left -= n
	}
}

// wait reaps the child, ends the reading of its output and then reads on for
// those that still hold the pipe: they must not die of it.
func (c *Child) wait(readers *sync.WaitGroup) {
	err := c.cmd.Wait()
	c.exit = Exit{Code: exitCode(c.cmd.ProcessState, err), Took: time.Since(c.began)}
	close(c.ended)
	for _, f := range c.outs {
		if f.SetReadDeadline(time.Now().Add(drainGrace)) != nil {
			_ = f.Close() // no deadline on this kind of file: do not wait
		}
	}
	readers.Wait()
	c.dropStdin()
	close(c.done)
	for _, f := range c.outs {
		_ = f.SetReadDeadline(time.Time{}) // a closed file fails in the copy
		_, _ = io.Copy(io.Discard, f)
		_ = f.Close()
	}
	close(c.over)
}

// Pid is the process id, and that of the group.
func (c *Child) Pid() int { return c.cmd.Process.Pid }

// Done is closed when the child has ended and its output was handed over.
func (c *Child) Done() <-chan struct{} { return c.done }

// Exit says how the child ended; valid once Done is closed.
func (c *Child) Exit() Exit { return c.exit }

// Errors of Write.
var (
	ErrNoStdin = errors.New("standard input is not open")
	ErrNotRead = errors.New("the process does not read its input")
)

// Write sends p to the child's standard input or terminal.
func (c *Child) Write(p []byte) (int, error) {
	c.mu.Lock()
	f := c.stdin
	if c.tty != nil {
		f = c.tty
	}
	c.mu.Unlock()
	if f == nil {
		return 0, ErrNoStdin
	}
	_ = f.SetWriteDeadline(time.Now().Add(writeLimit))
	n, err := f.Write(p)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return n, ErrNotRead
	case err != nil:
		return n, fmt.Errorf("write to process %d: %w", c.Pid(), err)
	}
	return n, nil
}

// CloseStdin ends the child's input; on a terminal it types Ctrl+D. It reports
// whether there was an input to end.
func (c *Child) CloseStdin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.tty != nil:
		_ = c.tty.SetWriteDeadline(time.Now().Add(writeLimit))
		_, err := c.tty.Write([]byte{4})
		return err == nil
	case c.stdin != nil:
		_ = c.stdin.Close()
		c.stdin = nil
		return true
	}
	return false
}

func (c *Child) dropStdin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stdin != nil {
		_ = c.stdin.Close()
		c.stdin = nil
	}
}

// reaped reports whether the child has ended: its number may be another's.
func (c *Child) reaped() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// Kill ends the child and everything that it started: asked first, after grace
// forced. It returns when the child is gone and its output handed over, at the
// latest after a limit.
func (c *Child) Kill(grace time.Duration) {
	c.kill.Lock()
	defer c.kill.Unlock()
	pid := c.Pid()
	all := family(pid, c.reaped())
	if grace > 0 {
		terminate(pid, all, c.reaped())
		if await(c.ended, grace) && !left(pid) {
			await(c.done, reapLimit)
			return
		}
	}
	gone := c.reaped()
	forceKill(pid, append(all, family(pid, gone)...), gone)
	await(c.done, reapLimit)
}

// close ends what is left of the child, also those that outlived it and hold
// its pipe, and waits for the goroutines.
func (c *Child) close(grace time.Duration) {
	select {
	case <-c.over:
		return
	default:
	}
	c.Kill(grace)
	for _, f := range c.outs {
		_ = f.SetReadDeadline(time.Unix(1, 0))
	}
	await(c.over, reapLimit)
}

// await waits for ch at most d.
func await(ch <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ch:
		return true
	case <-t.C:
		return false
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}
