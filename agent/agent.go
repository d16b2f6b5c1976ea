package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/safe"
)

// Agent is one conversation partner: a session, its queue and its turns. Its
// methods may be called from any goroutine.
type Agent struct {
	o   Options
	ctx context.Context // ends when Close gives up waiting
	// background ends when Close begins: side work that nobody waits for.
	background context.Context
	endSide    context.CancelFunc
	stop       context.CancelFunc
	done       chan struct{} // closed when the loop has ended
	wake       chan struct{} // holds a token when there may be something to do

	calls     sync.WaitGroup // goroutines that run tools
	workspace *snapshot

	mu      sync.Mutex // guards what follows
	id      string     // session id
	queue   []*entry
	ops     []func() // run before the queue, in order
	held    bool     // the user edits an entry
	paused  bool     // the user interrupted: what waits must not start by itself
	running *control
	steer   []string
	closing bool
	handed  []*handed       // tasks that tools took on
	rules   map[string]bool // session and rule of approvals for a session

	session *session // owned by the loop
}

// entry is a text that waits to become a turn.
type entry struct {
	id, text, source string
	images           []llm.Image
	choice           string                // the tool that has to be called first, empty for none
	queued           bool                  // a Queued event told of it
	done             chan<- event.TurnDone // gets the end of the turn, capacity 1
}

// control is the handle by which others end the running turn.
type control struct {
	ctx     context.Context    // ends when the turn is interrupted
	hard    context.Context    // ends when it is abandoned
	cancel  context.CancelFunc // ends ctx
	abandon context.CancelFunc // ends both
	ended   chan struct{}      // closed after the turn's last event

	interrupted bool // guarded by Agent.mu
	closing     bool // likewise: the program ends, Close tells of the session's end
}

func newControl(parent context.Context) *control {
	c := &control{ended: make(chan struct{})}
	c.hard, c.abandon = context.WithCancel(parent)
	c.ctx, c.cancel = context.WithCancel(c.hard)
	return c
}

// ErrClosed says that the agent does not take texts any more.
var ErrClosed = errors.New("the session has ended")

// New starts an agent with a fresh session and tells of it with a
// SessionOpened event. Close must be called to end it.
func New(o Options) *Agent {
	a := &Agent{o: o.withDefaults(), done: make(chan struct{}), wake: make(chan struct{}, 1)}
	a.ctx, a.stop = context.WithCancel(context.Background())
	a.background, a.endSide = context.WithCancel(a.ctx)
	a.workspace = newSnapshot(a)
	a.session = newSession(a.o.NewID())
	a.session.parent = a.o.Parent
	a.id = a.session.id
	opened := event.SessionOpened{Meta: event.Meta{Session: a.id}, Dir: a.o.Dir}
	if c := a.o.Client(); c != nil {
		opened.Model, opened.Provider = c.Info().Model, c.Info().Provider
	}
	a.emit(opened)
	safe.Go(a.o.Log, "session", a.loop, nil)
	return a
}

// Session is the id of the current session.
func (a *Agent) Session() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.id
}

// Busy reports whether a turn runs.
func (a *Agent) Busy() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.running != nil
}

// Submit starts a turn with text. While one runs, the text waits for its end,
// ends it, or reaches it after the next tool call, as Settings.BusyMode says
// (decision D42).
func (a *Agent) Submit(text string) {
	mode := a.o.Settings().withDefaults().BusyMode
	a.mu.Lock()
	busy := a.running != nil
	a.mu.Unlock()
	switch {
	case busy && mode == BusySteer:
		a.Steer(text)
		return
	case busy && mode == BusyInterrupt:
		a.mu.Lock()
		a.interrupt()
		a.mu.Unlock()
	}
	a.add(&entry{text: text, source: "user"})
}

// SubmitWith is Submit with pictures, which go with the text to a model that
// takes them.
func (a *Agent) SubmitWith(text string, images []llm.Image) {
	if a.Busy() && a.o.Settings().withDefaults().BusyMode == BusyInterrupt {
		a.mu.Lock()
		a.interrupt()
		a.mu.Unlock()
	}
	a.add(&entry{text: text, source: "user", images: images})
}

// Queue makes text a turn after those that wait already, whatever the busy
// mode.
func (a *Agent) Queue(text string) { a.add(&entry{text: text, source: "user"}) }

// Inject queues a text that is not the user's: a plugin's message, a note of a
// background process ("plugin", "process"). It starts a turn when the agent is
// idle, whatever the busy mode.
func (a *Agent) Inject(text, source string) { a.add(&entry{text: text, source: source}) }

// Steer sends text to the running turn: it is added to the next tool result.
// When none follows, or no turn runs, it becomes the next turn.
func (a *Agent) Steer(text string) {
	a.mu.Lock()
	if a.running != nil && !a.closing {
		a.steer = append(a.steer, text)
		a.mu.Unlock()
		return
	}
	a.mu.Unlock()
	a.Queue(text)
}

// Interrupt asks the running turn to end. What does not end by itself (a tool
// that ignores its context) is waited for a while; a second call stops waiting.
// Texts that wait are held back (QueueHeld): who stops the work did not ask for
// the next piece of it. They go on after the next text that is submitted, or
// with HoldQueue(false).
func (a *Agent) Interrupt() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.running == nil {
		return
	}
	if !a.running.interrupted && !a.closing {
		a.takeSteerBack()
		if len(a.queue) > 0 {
			a.pause(true)
		}
	}
	a.interrupt()
}

// interrupt is Interrupt with mu held.
func (a *Agent) interrupt() {
	switch c := a.running; {
	case c == nil:
	case c.interrupted:
		c.abandon()
	default:
		c.interrupted = true
		c.cancel()
	}
}

// NewSession ends the session and begins another with an empty history. A
// running turn is interrupted, texts that wait are dropped. reason is what
// on_session_finalize gets; empty means session_boundary.
func (a *Agent) NewSession(reason string) {
	if reason == "" {
		reason = "session_boundary"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return
	}
	a.dropQueue()
	if a.running != nil && !a.running.interrupted {
		a.interrupt()
	}
	a.ops = append(a.ops, func() { a.resetSession(reason) })
	a.signal()
}

// Ask submits text and waits for the end of its turn. When ctx ends first, the
// turn is interrupted and its end is returned with ctx's error.
func (a *Agent) Ask(ctx context.Context, text string) (event.TurnDone, error) {
	return a.AskWith(ctx, text, nil)
}

// AskWith is Ask with pictures.
func (a *Agent) AskWith(ctx context.Context, text string, images []llm.Image) (event.TurnDone, error) {
	ended := make(chan event.TurnDone, 1)
	e := &entry{text: text, source: "user", images: images, done: ended}
	if !a.add(e) {
		return event.TurnDone{}, ErrClosed
	}
	select {
	case d := <-ended:
		return d, nil
	case <-ctx.Done():
	}
	a.withdraw(e)
	select {
	case d := <-ended:
		return d, ctx.Err()
	case <-a.done:
		return event.TurnDone{Outcome: event.OutcomeInterrupted}, ctx.Err()
	}
}

// withdraw takes e out of the queue, or interrupts the turn that it became.
func (a *Agent) withdraw(e *entry) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, q := range a.queue {
		if q == e {
			a.queue = append(a.queue[:i:i], a.queue[i+1:]...)
			a.drop(e)
			return
		}
	}
	if c := a.running; c != nil && !c.interrupted {
		a.interrupt()
	}
}

// Close ends the session: the running turn is interrupted (2 s, then it is
// abandoned), on_session_end and on_session_finalize fire with reason
// shutdown, SessionClosed is told. It returns when everything has ended, or
// with an error when ctx ended first. Further calls wait for the first.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	running := a.running
	if !a.closing {
		a.closing = true
		a.endSide()
		a.settle(func(*handed) bool { return true }, event.SettledNoAnswer, "")
		a.dropQueue()
		if running != nil {
			running.closing = true
			if !running.interrupted {
				a.interrupt()
			}
		}
		a.ops = append(a.ops, func() { a.closeSession(running != nil) })
		a.signal()
	}
	a.mu.Unlock()
	if running != nil {
		a.awaitTurn(ctx, running)
	}
	defer a.stop()
	select {
	case <-a.done:
	case <-ctx.Done():
		return fmt.Errorf("close session: %w", ctx.Err())
	}
	idle := make(chan struct{})
	safe.Go(a.o.Log, "close", func() { // ends with the last tool; one that never ends outlives the agent
		a.calls.Wait()
		close(idle)
	}, nil)
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close session: wait for tools: %w", ctx.Err())
	}
}

// beginCall counts a goroutine that runs a tool; it reports false when the
// agent is closing. The goroutine ends with calls.Done.
func (a *Agent) beginCall() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	a.calls.Add(1)
	return true
}

// closeGrace is how long Close waits for a turn to end by itself
// (design/architecture §4).
const closeGrace = 2 * time.Second

func (a *Agent) awaitTurn(ctx context.Context, c *control) {
	t := time.NewTimer(closeGrace)
	defer t.Stop()
	select {
	case <-c.ended:
	case <-ctx.Done():
		c.abandon()
	case <-t.C:
		c.abandon()
	}
}

func (a *Agent) emit(e event.Event) { a.o.Bus.Emit(e) }

func (a *Agent) signal() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}
