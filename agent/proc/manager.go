package proc

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"sort"
	"sync"
	"time"

	"hermes/agent/event"
)

// Limits of contract/core §2.5.
const (
	maxProcesses = 64
	keepFinished = 30 * time.Minute
	bufferChars  = 200_000
)

// closeGrace is how long children may take to end when the program does.
const closeGrace = 500 * time.Millisecond

// Options is what a Manager needs of the program; all of it may be nil.
type Options struct {
	// Emit takes ProcessStarted and ProcessExited.
	Emit func(event.Event)
	// Notify hands a note of a background process to the session that started
	// it, to be read by its model. It must not block.
	Notify func(session, text string)
	// Redact takes secrets out of what events carry.
	Redact func(string) string
	Now    func() time.Time
}

// Manager owns child processes: those that a call waits for, and those that run
// in the background and are listed. Its methods may be called from any
// goroutine.
type Manager struct {
	o Options

	mu       sync.Mutex
	closed   bool
	children map[*Child]bool
	jobs     map[string]*Process
	wg       sync.WaitGroup // one per child, and one per background process
}

// NewManager returns a manager without children.
func NewManager(o Options) *Manager {
	if o.Emit == nil {
		o.Emit = func(event.Event) {}
	}
	if o.Notify == nil {
		o.Notify = func(string, string) {}
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Manager{o: o, children: map[*Child]bool{}, jobs: map[string]*Process{}}
}

// Start runs a child for the caller to wait for. Whatever the child leaves
// behind that still holds its output is ended with the manager.
func (m *Manager) Start(s Spec) (*Child, error) { return m.start(s, nil) }

func (m *Manager) start(s Spec, p *Process) (*Child, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		closeAll(s.Files)
		return nil, fmt.Errorf("start %s: the program is ending", s.Path)
	}
	c, err := start(s)
	if err != nil {
		return nil, err
	}
	m.children[c] = true
	m.wg.Go(func() {
		<-c.over
		m.mu.Lock()
		delete(m.children, c)
		m.mu.Unlock()
	})
	if p != nil {
		p.child = c
		m.jobs[p.ID] = p
		m.wg.Go(p.watchEnd)
	}
	return c, nil
}

// Job describes a background process.
type Job struct {
	Session string // who started it; see Adopt
	Command string // for lists, as the model wrote it
	Dir     string
	// Notify asks for a note when it ends; Watch for one when a line contains
	// one of these texts.
	Notify bool
	Watch  []string
	// Ended is called once when it has ended; may be nil.
	Ended func()
}

// Launch runs a child in the background. Out, Err and Stdin of s are set here.
func (m *Manager) Launch(s Spec, j Job) (*Process, error) {
	if !m.makeRoom() {
		closeAll(s.Files)
		return nil, fmt.Errorf("%d background processes are running already; end one with process(action='kill') first", maxProcesses)
	}
	p := newProcess(m, j, s.TTY)
	s.Out, s.Err, s.Stdin = p.take, nil, !s.TTY
	c, err := m.start(s, p)
	if err != nil {
		return nil, err
	}
	m.o.Emit(event.ProcessStarted{
		Meta: event.Meta{Session: j.Session}, ID: p.ID, Command: m.o.Redact(j.Command), Dir: j.Dir, Pid: c.Pid(),
	})
	close(p.said)
	return p, nil
}

// makeRoom forgets processes that ended long ago, and the oldest ended ones
// when the list is full.
func (m *Manager) makeRoom() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetOld()
	for len(m.jobs) >= maxProcesses {
		var oldest *Process
		for _, p := range m.jobs {
			if at, ended := p.endedAt(); ended {
				if first, _ := endOf(oldest); oldest == nil || at.Before(first) {
					oldest = p
				}
			}
		}
		if oldest == nil {
			return false
		}
		delete(m.jobs, oldest.ID)
	}
	return true
}

func endOf(p *Process) (time.Time, bool) {
	if p == nil {
		return time.Time{}, false
	}
	return p.endedAt()
}

func (m *Manager) forgetOld() {
	now := m.o.Now()
	for id, p := range m.jobs {
		if at, ended := p.endedAt(); ended && now.Sub(at) > keepFinished {
			delete(m.jobs, id)
		}
	}
}

// Get finds a background process of any session.
func (m *Manager) Get(id string) (*Process, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetOld()
	p, ok := m.jobs[id]
	return p, ok
}

// List returns the background processes of a session in the order in which
// they were started.
func (m *Manager) List(session string) []*Process {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetOld()
	var out []*Process
	for _, p := range m.jobs {
		if p.session() == session {
			out = append(out, p)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if a, b := out[i].Started, out[j].Started; !a.Equal(b) {
			return a.Before(b)
		}
		return out[i].ID < out[j].ID
	})
	return out
}

// Adopt hands the background processes of one session to another that takes
// its place: they stay listed, and nothing is notified to a conversation that
// does not know them.
func (m *Manager) Adopt(from, to string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.jobs {
		p.adopt(from, to)
	}
}

// EndSession ends the background processes of a session that is over (of a
// sub-agent) and waits for it.
func (m *Manager) EndSession(session string) {
	var wg sync.WaitGroup
	for _, p := range m.List(session) {
		wg.Go(func() { p.Kill("end of its session", closeGrace) })
	}
	wg.Wait()
}

// Close ends every child and waits for what belongs to them. Nothing is
// notified any more.
func (m *Manager) Close() {
	m.mu.Lock()
	m.closed = true
	var all []*Child
	for c := range m.children {
		all = append(all, c)
	}
	m.mu.Unlock()
	var wg sync.WaitGroup
	for _, c := range all {
		wg.Go(func() { c.close(closeGrace) })
	}
	wg.Wait()
	ended := make(chan struct{})
	go func() {
		m.wg.Wait()
		close(ended)
	}()
	await(ended, reapLimit)
}

func (m *Manager) closing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// newID is proc_ and twelve random hexadecimal digits.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return "proc_" + hex.EncodeToString(b[:])
}
