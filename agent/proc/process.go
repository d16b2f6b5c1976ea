package proc

import (
	"context"
	"strings"
	"sync"
	"time"

	"hermes/agent/event"
)

// Reasons why a process ended.
const (
	ReasonExited = "exited"
	ReasonKilled = "killed"
)

// Process is a child that runs in the background. Its methods may be called
// from any goroutine.
type Process struct {
	ID      string
	Job     // what was asked for
	Started time.Time

	m     *Manager
	child *Child
	said  chan struct{} // closed when the start has been told
	over  chan struct{} // closed when the end is known
	out   *Window
	clean Cleaner // of the reading goroutine
	watch *watch  // likewise; nil when nothing is watched for

	mu      sync.Mutex
	ended   time.Time // zero while it runs
	code    int
	by      string // who killed it, empty when it ended by itself
	waiting int    // calls that wait for its end
	seen    bool   // the model has been told of the end
	silent  bool   // nothing is notified any more
	owner   string // session that it belongs to now
	notify  bool   // a note is wanted when it ends
}

func newProcess(m *Manager, j Job, tty bool) *Process {
	p := &Process{
		ID: newID(), Job: j, Started: m.o.Now(), m: m, said: make(chan struct{}), over: make(chan struct{}),
		out: NewWindow(0, bufferChars), clean: Cleaner{TTY: tty}, notify: j.Notify, owner: j.Session,
	}
	if len(j.Watch) > 0 && !j.Notify { // both at once would say things twice
		p.watch = newWatch(p, j.Watch)
	}
	return p
}

// take gets what the child prints.
func (p *Process) take(b []byte) {
	text := p.clean.Append(nil, b)
	if p.watch != nil {
		p.watch.text(text)
	}
	p.out.Write(text)
}

// watchEnd waits for the end and tells of it.
func (p *Process) watchEnd() {
	<-p.child.Done()
	p.out.Write(p.clean.Flush(nil))
	if p.watch != nil {
		p.watch.end()
	}
	if p.Ended != nil {
		p.Ended()
	}
	code := p.child.Exit().Code
	p.mu.Lock()
	p.ended, p.code = p.m.o.Now(), code
	tell := p.notify && p.waiting == 0 && !p.seen
	by, session := p.by, p.owner
	p.mu.Unlock()
	close(p.over)
	<-p.said
	reason := ReasonExited
	if by != "" {
		reason = ReasonKilled
	}
	p.m.o.Emit(event.ProcessExited{
		Meta: event.Meta{Session: session}, ID: p.ID, Command: p.m.o.Redact(p.Command), Code: code, Reason: reason,
	})
	if tell {
		p.tell(p.ending())
	}
}

// tell notifies the session, unless it is not the one that asked for it.
func (p *Process) tell(text string) {
	p.mu.Lock()
	silent, session := p.silent, p.owner
	p.mu.Unlock()
	if !silent && !p.m.closing() {
		p.m.o.Notify(session, plain(text))
	}
}

func (p *Process) session() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.owner
}

func (p *Process) adopt(from, to string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.owner == from {
		p.owner, p.silent, p.notify = to, true, false
	}
}

// Info is the state of a process.
type Info struct {
	Pid     int
	Running bool
	Uptime  time.Duration // until now, or until its end
	Code    int
	Reason  string // ReasonExited, ReasonKilled; empty while it runs
	By      string // who killed it
	Notify  bool
}

// Info returns the state as it is now.
func (p *Process) Info() Info {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := Info{Pid: p.child.Pid(), Running: p.ended.IsZero(), By: p.by, Notify: p.notify}
	if i.Running {
		i.Uptime = p.m.o.Now().Sub(p.Started)
		i.By = ""
		return i
	}
	i.Uptime, i.Code, i.Reason = p.ended.Sub(p.Started), p.code, ReasonExited
	if p.by != "" {
		i.Reason = ReasonKilled
	}
	return i
}

func (p *Process) endedAt() (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended, !p.ended.IsZero()
}

// Output returns at most n characters of the end of what it printed.
func (p *Process) Output(n int) string { return p.out.Last(n) }

// Lines returns the lines that are kept of its output.
func (p *Process) Lines() []string {
	text := strings.TrimRight(p.out.Last(bufferChars), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// Wait waits for the end, at most d and until ctx is done, and reports whether
// it came. A note of the end is not sent to whom it is told here.
func (p *Process) Wait(ctx context.Context, d time.Duration) bool {
	p.count(1)
	defer p.count(-1)
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.over:
		return true
	case <-t.C:
	case <-ctx.Done():
	}
	return false
}

func (p *Process) count(n int) {
	p.mu.Lock()
	p.waiting += n
	p.mu.Unlock()
}

// Kill ends it and all that it started; by says on whose order. It reports
// false when it had ended before.
func (p *Process) Kill(by string, grace time.Duration) bool {
	p.mu.Lock()
	if !p.ended.IsZero() {
		p.mu.Unlock()
		return false
	}
	p.by, p.seen = by, true
	p.mu.Unlock()
	p.child.Kill(grace)
	await(p.over, reapLimit)
	return true
}

// Write sends data to its input.
func (p *Process) Write(data string) (int, error) { return p.child.Write([]byte(data)) }

// CloseInput ends its input and reports whether there was one.
func (p *Process) CloseInput() bool { return p.child.CloseStdin() }

// TTY reports whether it runs on a terminal.
func (p *Process) TTY() bool { return p.clean.TTY }
