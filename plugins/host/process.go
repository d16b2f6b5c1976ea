package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"hermes/agent/safe"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// Limits of start and end (design: architecture §10).
const (
	helloLimit     = 15 * time.Second // a busy machine, cold caches
	shutdownLimit  = 2 * time.Second
	closeLimit     = time.Second
	interruptLimit = 300 * time.Millisecond
	deadLimit      = 500 * time.Millisecond // from the end of the channel to the end of the process
)

// Spec says what to start and for whom.
type Spec struct {
	// Root is the unpacked tree, see Unpack.
	Root string
	// Python is the interpreter with its own arguments (py -3).
	Python []string
	Env    []string
	Dir    string // working directory
	Cache  string // for the flight recorder and large results
	Init   bridge.Init

	// Notify takes the host's notifications after the handshake, on the
	// reader's goroutine: it must not block.
	Notify func(method string, params json.RawMessage)
	// Handle carries out the host's own requests.
	Handle func(ctx context.Context, r rpc.Request) (any, error)
	// Raw takes a line that bypassed Python's own streams.
	Raw func(line string)
	// Log gets panics of the functions above and of our own goroutines. It may
	// be nil.
	Log *slog.Logger
}

// Process is one running plugin host. All methods may be called from any
// goroutine.
type Process struct {
	Peer  *rpc.Peer
	Hello bridge.Hello

	cmd     *exec.Cmd
	s       *streams
	box     *os.File
	tail    *tail
	spool   string
	python  []string
	helloCh chan bridge.Hello
	log     *slog.Logger
	done    chan struct{}
	over    func() // closes done, once

	mu      sync.Mutex
	exit    Exit
	busy    map[string]int // calls that wait for an answer, by label
	closing bool
	hung    bool
}

// Exit says how a host ended.
type Exit struct {
	Code     int       // -1 when a signal ended it
	Signal   string    // "SIGSEGV"
	Protocol error     // what it sent that was no message
	Asked    bool      // we closed or killed it
	Hung     bool      // we killed it because it did not answer
	Running  []Running // plugin code that ran
	Waiting  []string  // labels of the calls that were not answered
	Tail     []string
}

// streams are our ends of the connection.
type streams struct {
	r, out io.ReadCloser
	w      io.WriteCloser
	life   io.Closer
	theirs []io.Closer
	all    []*os.File
}

func (s *streams) close() {
	for _, f := range s.all {
		if f != nil {
			_ = f.Close()
		}
	}
}

// Start runs a host and completes the handshake.
func Start(ctx context.Context, spec Spec) (*Process, error) {
	p, err := launch(spec)
	if err != nil {
		return nil, err
	}
	if err := p.handshake(ctx, spec); err != nil {
		p.Kill()
		<-p.done
		if e := p.Exit(); len(e.Tail) > 0 {
			err = fmt.Errorf("%w: %s", err, e.Tail[len(e.Tail)-1])
		}
		return nil, err
	}
	return p, nil
}

func launch(spec Spec) (*Process, error) {
	box, err := newBox(spec.Cache)
	if err != nil {
		return nil, err
	}
	script := filepath.Join(spec.Root, "pyhost", "hermes_host", "__main__.py")
	args := append(append([]string{}, spec.Python[1:]...), "-I", script)
	cmd := exec.Command(spec.Python[0], args...) //nolint:noctx // ended by the kill ladder, not by a context
	cmd.Env = spec.Env
	cmd.Dir = spec.Dir
	s, err := wire(cmd, box)
	if err != nil {
		return nil, errors.Join(err, closeFile(box))
	}
	if err := cmd.Start(); err != nil {
		s.close()
		return nil, errors.Join(fmt.Errorf("start %s: %w", spec.Python[0], err), closeFile(box))
	}
	for _, c := range s.theirs {
		_ = c.Close() // the child has its own
	}
	p := &Process{
		cmd: cmd, s: s, box: box, spool: spec.Init.Spool, python: spec.Python,
		tail: &tail{raw: spec.Raw, log: spec.Log}, log: spec.Log, done: make(chan struct{}), helloCh: make(chan bridge.Hello, 1),
	}
	p.over = sync.OnceFunc(func() { close(p.done) })
	p.Peer = rpc.New(s.r, s.w, rpc.Options{
		Handle: spec.Handle,
		Notify: p.greeted(spec.Notify),
		Log:    spec.Log,
	})
	reading := make(chan struct{})
	safe.Go(p.log, "read the plugin host's output", func() {
		defer close(reading)
		p.tail.read(s.out)
	}, nil)
	safe.Go(p.log, "watch the plugin host", func() { p.watch(reading) }, func(*safe.PanicError) {
		killGroup(p.cmd.Process.Pid)
		p.over()
	})
	return p, nil
}

func closeFile(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// greeted passes the first hello on to the handshake and the rest to notify.
func (p *Process) greeted(notify func(string, json.RawMessage)) func(string, json.RawMessage) {
	return func(method string, params json.RawMessage) {
		if method == bridge.NoteHello {
			var h bridge.Hello
			if json.Unmarshal(params, &h) == nil {
				select {
				case p.helloCh <- h:
				default: // a second one changes nothing
				}
			}
			return
		}
		if notify != nil {
			notify(method, params)
		}
	}
}

func (p *Process) handshake(ctx context.Context, spec Spec) error {
	ctx, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	select {
	case p.Hello = <-p.helloCh:
	case <-p.Peer.Done():
		return fmt.Errorf("%s ended before it said hello", spec.Python[0])
	case <-ctx.Done():
		return fmt.Errorf("%s said nothing for %v", spec.Python[0], helloLimit)
	}
	if p.Hello.Protocol != bridge.Protocol {
		return fmt.Errorf("plugin host speaks protocol %d, not %d", p.Hello.Protocol, bridge.Protocol)
	}
	_, err := p.Peer.Call(ctx, rpc.Call{Method: bridge.MethodInit, Params: spec.Init})
	if err != nil {
		return fmt.Errorf("initialise plugin host: %w", err)
	}
	return nil
}

// Command is what starts the same interpreter again: the interpreter itself where it
// could name itself, else what was asked for.
func (p *Process) Command() []string {
	if filepath.IsAbs(p.Hello.Executable) {
		return []string{p.Hello.Executable}
	}
	return p.python
}

// Done is closed when the process has ended and everything below it.
func (p *Process) Done() <-chan struct{} { return p.done }

// Begin notes that a call under that label waits for an answer; End that it
// was answered. A call that the end of the process cuts off is never ended, so
// that Exit names it.
func (p *Process) Begin(label string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy == nil {
		p.busy = map[string]int{}
	}
	p.busy[label]++
}

// End is the counterpart of Begin.
func (p *Process) End(label string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy[label]--; p.busy[label] <= 0 {
		delete(p.busy, label)
	}
}

// waiting lists the labels of open calls; p.mu is held.
func (p *Process) waiting() []string {
	labels := make([]string, 0, len(p.busy))
	for label := range p.busy {
		labels = append(labels, label)
	}
	return labels
}

// Gone reports whether the channel has ended: whoever calls now gets nothing.
func (p *Process) Gone() bool {
	select {
	case <-p.Peer.Done():
		return true
	default:
		return false
	}
}

// Exit says how it ended; call it after Done.
func (p *Process) Exit() Exit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Running returns the plugin code that runs now.
func (p *Process) Running() []Running {
	select {
	case <-p.done:
		return nil
	default:
		return readBox(p.box)
	}
}

// watch waits for the end of the process and clears up behind it.
func (p *Process) watch(reading <-chan struct{}) {
	exited := make(chan struct{})
	safe.Go(p.log, "wait for the plugin host", func() {
		defer close(exited)
		_ = p.cmd.Wait() // the state says how it ended
	}, nil)
	select {
	case <-exited:
	case <-p.Peer.Done():
		p.lingered(exited)
	}
	<-exited
	killGroup(p.cmd.Process.Pid)
	p.clear(reading)
	p.over()
}

// lingered gives a process whose channel ended a moment, then kills it. A host
// that is being closed has the kill ladder instead.
func (p *Process) lingered(exited <-chan struct{}) {
	p.mu.Lock()
	asked := p.closing
	p.mu.Unlock()
	if asked {
		return
	}
	t := time.NewTimer(deadLimit)
	defer t.Stop()
	select {
	case <-exited:
	case <-t.C:
		killGroup(p.cmd.Process.Pid)
	}
}

func (p *Process) clear(reading <-chan struct{}) {
	protocol := p.Peer.Err()
	if errors.Is(protocol, io.EOF) || errors.Is(protocol, rpc.ErrClosed) || !isProtocol(protocol) {
		protocol = nil
	}
	_ = p.s.r.Close()
	p.Peer.Close()
	if p.s.life != nil {
		_ = p.s.life.Close()
	}
	// Whoever holds the other end is dead, or left the group and the tree:
	// then the pipe would stay open.
	select {
	case <-reading:
	case <-time.After(deadLimit):
	}
	_ = p.s.out.Close()
	<-reading
	code, signal := exitStatus(p.cmd.ProcessState)
	p.mu.Lock()
	p.exit = Exit{
		Code: code, Signal: signal, Protocol: protocol, Asked: p.closing, Hung: p.hung,
		Running: readBox(p.box), Waiting: p.waiting(), Tail: p.tail.last(),
	}
	p.mu.Unlock()
	_ = closeFile(p.box)
	if p.spool != "" {
		_ = os.RemoveAll(p.spool) // results that nobody fetched
	}
}

func isProtocol(err error) bool {
	var pe *rpc.ProtocolError
	return errors.As(err, &pe)
}

// Kill ends the process and everything below it at once.
func (p *Process) Kill() {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	killGroup(p.cmd.Process.Pid)
}

// KillHung ends a process that does not answer any more.
func (p *Process) KillHung() {
	p.mu.Lock()
	p.hung = true
	p.mu.Unlock()
	killGroup(p.cmd.Process.Pid)
}

// Close ends the host by the kill ladder: shutdown, end of input, interrupt,
// kill. It returns when nothing is left.
func (p *Process) Close(ctx context.Context) {
	p.mu.Lock()
	p.closing = true
	p.mu.Unlock()
	call, cancel := context.WithTimeout(ctx, shutdownLimit)
	_, _ = p.Peer.Call(call, rpc.Call{Method: bridge.MethodShutdown}) // the steps below follow anyway
	cancel()
	steps := []struct {
		wait time.Duration
		then func()
	}{
		{shutdownLimit, func() { _ = p.s.w.Close() }},
		{closeLimit, func() { interruptGroup(p.cmd.Process.Pid) }},
		{interruptLimit, func() { killGroup(p.cmd.Process.Pid) }},
	}
	for _, step := range steps {
		t := time.NewTimer(step.wait)
		select {
		case <-p.done:
			t.Stop()
			return
		case <-ctx.Done():
			t.Stop()
			killGroup(p.cmd.Process.Pid)
			<-p.done
			return
		case <-t.C:
			step.then()
		}
	}
	<-p.done
}
