package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Options say what the terminal is. Only In and Out are needed.
type Options struct {
	// In and Out are the two directions of the terminal. When they are files
	// that are terminals, raw mode is set and undone. An In that is no file
	// may have a method Cancel() bool that ends a blocked Read.
	In  io.Reader
	Out io.Writer
	// Size returns the current size in cells; nil asks the terminal.
	Size func() (w, h int)
	// Resized tells that Size has changed; nil means the signal of the system.
	Resized <-chan struct{}
	// Getenv reads the environment; nil means os.Getenv.
	Getenv func(string) string
	// NoQueries leaves out every question to the terminal.
	NoQueries bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// Painted is called once, when the first frame has been written, on the
	// writer's goroutine: it must not block. Nil for nothing.
	Painted func()
}

// state says who has the terminal.
type state uint8

const (
	stateOpen state = iota
	stateSuspended
	stateClosed
)

// Terminal is an open terminal. All methods may be called from any goroutine.
type Terminal struct {
	o       Options
	dialect dialect
	profile Profile
	tty     *tty

	mu       sync.Mutex // guards what follows
	input    input      // another one after each loan
	loan     *loan      // while another program has the terminal
	returned time.Time  // when the last loan ended
	state    state
	started  bool
	w, h     int
	frame    *Frame // to be drawn next
	extra    []byte // sequences to be written before it
	full     bool   // draw it from an empty screen
	entered  bool   // the modes were set again: cursor and title are not ours
	mouse    bool
	caps     Caps
	clusters bool
	set2027  bool // mode 2027 was off and is on
	titled   bool
	resumed  chan struct{} // closed when a suspension ends
	panicked func(PanicError)

	wake chan struct{} // the writer has something to do
	// pen is taken by whoever writes to the terminal.
	pen  chan struct{}
	stop chan struct{} // closed by Close

	loopDone, writerDone, closed chan struct{}
}

// Open puts the terminal into the modes of the program, with one write that
// does not wait for any answer.
func Open(o Options) (*Terminal, error) {
	if o.In == nil || o.Out == nil {
		return nil, errors.New("open terminal: no input or output")
	}
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	t := &Terminal{
		o:       o,
		dialect: detectDialect(o.Getenv),
		profile: DetectProfile(o.Getenv),
		mouse:   !o.NoMouse,
		full:    true,
		wake:    make(chan struct{}, 1),
		pen:     make(chan struct{}, 1),
		stop:    make(chan struct{}),

		loopDone: make(chan struct{}), writerDone: make(chan struct{}), closed: make(chan struct{}),
	}
	var err error
	if t.tty, err = openTTY(o.In, o.Out); err != nil {
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	if t.input, err = newInput(o.In); err != nil {
		t.tty.restore(false)
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	t.w, t.h = t.measure()
	setup := t.dialect.enter(t.mouse)
	if !o.NoQueries {
		setup += t.dialect.queries()
	}
	if _, err := io.WriteString(o.Out, setup); err != nil {
		t.tty.restore(false)
		_ = t.input.Close()
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	return t, nil
}

// measure asks for the size; 80x24 stands for one that is not known.
func (t *Terminal) measure() (w, h int) {
	if t.o.Size != nil {
		w, h = t.o.Size()
	} else {
		w, h = t.tty.size()
	}
	if w <= 0 || h <= 0 {
		return 80, 24
	}
	return w, h
}

// Start starts reading and writing. Everything that arrives is passed to send,
// which may block (tea.Program.Send). The first message is the size.
func (t *Terminal) Start(send func(tea.Msg)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.started || t.state == stateClosed {
		return
	}
	t.started = true
	chunks := make(chan []byte)
	go t.read(chunks)
	go t.write(send)
	go newLoop(t, send, chunks).run()
}

// Size returns the current size in cells.
func (t *Terminal) Size() (w, h int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.w, t.h
}

// Profile returns how many colours the terminal shows.
func (t *Terminal) Profile() Profile { return t.profile }

// Caps returns what the terminal said about itself so far.
func (t *Terminal) Caps() Caps {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.caps
}

// emit queues a sequence for the writer.
func (t *Terminal) emit(seq string) {
	t.mu.Lock()
	if t.state == stateOpen {
		t.extra = append(t.extra, seq...)
	}
	t.mu.Unlock()
	t.poke()
}

// Times that Close waits at most, so that a terminal that is stuck cannot keep
// the program alive.
const (
	penWait    = 250 * time.Millisecond
	answerWait = 150 * time.Millisecond
)

// Close gives the terminal back as it was. It can be called more than once,
// from any goroutine, in a signal handler's goroutine and while a panic
// unwinds; it does not wait for a terminal that takes no output.
func (t *Terminal) Close() error {
	t.mu.Lock()
	if t.state == stateClosed {
		t.mu.Unlock()
		<-t.closed
		return nil
	}
	suspended := t.state == stateSuspended
	t.state = stateClosed
	started, asked := t.started, !t.o.NoQueries && t.dialect.queries() != "" && !t.caps.Answered
	t.mu.Unlock()

	close(t.stop)
	defer close(t.closed)
	expecting := asked && started && t.tty.raw()
	if !expecting {
		t.cancelInput() // what is typed from here on is for the shell
	}
	var err error
	if !suspended {
		err = t.writeOut(t.leave)
	}
	if expecting {
		// An answer that is still under way would be typed into the shell.
		select {
		case <-t.loopDone:
		case <-time.After(answerWait):
		}
	}
	t.cancelInput()
	t.tty.restore(asked)
	if started {
		select {
		case <-t.writerDone:
		case <-time.After(penWait):
		}
	}
	return err
}

// leave returns what gives the terminal back; the pen is held.
func (t *Terminal) leave() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.dialect.leave(t.titled)
	if t.set2027 {
		s = clustersOff + s
	}
	t.titled = false
	return s
}

// writeOut writes what text returns in place of the writer. It gives up when
// the terminal does not take it.
func (t *Terminal) writeOut(text func() string) error {
	select {
	case t.pen <- struct{}{}:
	case <-time.After(penWait):
		return errStuck
	}
	done := make(chan error, 1)
	go func() {
		_, err := io.WriteString(t.o.Out, text())
		<-t.pen
		done <- err
	}()
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("restore terminal: %w", err)
		}
		return nil
	case <-time.After(penWait):
		return errStuck
	}
}

var errStuck = errors.New("restore terminal: it takes no output")
