package term

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/cancelreader"
)

// input is a reader whose Read can be ended from another goroutine.
type input interface {
	io.ReadCloser
	Cancel() bool
}

func newInput(r io.Reader) (input, error) {
	if c, ok := r.(interface{ Cancel() bool }); ok {
		return cancelable{r, c.Cancel}, nil
	}
	in, err := cancelreader.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("read input: %w", err)
	}
	return in, nil
}

// cancelable is an input that can be cancelled by itself; it is not ours to
// close.
type cancelable struct {
	io.Reader
	cancel func() bool
}

func (c cancelable) Cancel() bool { return c.cancel() }
func (c cancelable) Close() error { return nil }

// readSize is how much is read at once; a megabyte that is pasted arrives in
// pieces of what the kernel holds for a terminal, 4 KiB.
const readSize = 16 << 10

// read is the reader's goroutine. It ends with its input, or in Close.
func (t *Terminal) read(chunks chan<- []byte) {
	defer t.Recover()
	defer close(chunks)
	t.mu.Lock()
	in := t.input
	t.mu.Unlock()
	defer func() { _ = in.Close() }()
	buf := make([]byte, readSize)
	for {
		n, err := in.Read(buf)
		if n > 0 {
			select {
			case chunks <- append([]byte(nil), buf[:n]...):
			case <-t.loopDone:
				return
			}
		}
		if err == nil {
			continue
		}
		next := t.renew(err)
		if next == nil {
			return
		}
		_ = in.Close()
		in = next
	}
}

// resizePause is the shortest time between two sizes that are passed on while
// a window is being dragged.
const resizePause = 32 * time.Millisecond

// loop is the decoder's goroutine: it turns input, resizes and continued
// stops into messages, in the order in which they happened.
type loop struct {
	t       *Terminal
	send    func(tea.Msg)
	chunks  <-chan []byte
	decoder *decoder

	hold     *time.Timer // the decoder's patience
	pasteEnd int         // end marker that hold is running for
	settle   *time.Timer // runs while sizes may follow each other
	resizing bool
	pending  bool // the size changed while settle ran
	ending   bool // Close was called; only answers are of interest
}

func newLoop(t *Terminal, send func(tea.Msg), chunks <-chan []byte) *loop {
	l := &loop{t: t, send: send, chunks: chunks, decoder: newDecoder(), pasteEnd: -1}
	l.hold, l.settle = time.NewTimer(time.Hour), time.NewTimer(time.Hour)
	l.hold.Stop()
	l.settle.Stop()
	return l
}

func (l *loop) run() {
	defer l.t.Recover()
	defer close(l.t.loopDone)
	defer l.hold.Stop()
	defer l.settle.Stop()
	resized, stopResized := l.t.watchSize()
	defer stopResized()
	continued := make(chan os.Signal, 1)
	notifyContinued(continued)
	defer signal.Stop(continued)

	l.resize()
	stop := l.t.stop
	for {
		select {
		case <-stop:
			if l.t.Caps().Answered || l.t.o.NoQueries || !l.t.tty.raw() {
				return
			}
			l.ending, stop = true, nil
			defer time.AfterFunc(answerWait, l.t.cancelInput).Stop()
		case b, ok := <-l.chunks:
			if !ok {
				l.gone()
				return
			}
			l.deliver(l.decoder.feed(b))
		case <-l.hold.C:
			l.deliver(l.decoder.expire())
		case <-resized:
			l.pending = true
			if !l.resizing {
				l.resize()
			}
		case <-l.settle.C:
			if l.resizing = false; l.pending {
				l.resize()
			}
		case <-continued:
			if l.t.lent() {
				break // it is the other program that was stopped and goes on
			}
			l.t.resume()
			l.emit(ResumeMsg{})
			l.resize()
		}
		if l.ending && l.t.Caps().Answered {
			return
		}
		l.wait()
	}
}

// wait starts the decoder's patience for what it holds now.
func (l *loop) wait() {
	d := l.decoder.held.patience()
	if l.decoder.held == holdPasteEnd && l.pasteEnd == l.decoder.pasteEnd {
		return // it runs from the end marker, not from what follows it
	}
	l.pasteEnd = l.decoder.pasteEnd
	l.hold.Stop()
	if d > 0 {
		l.hold.Reset(d)
	}
}

// gone tells that there will be no more input.
func (l *loop) gone() {
	select {
	case <-l.t.stop:
	default:
		l.emit(ClosedMsg{errInputEnded})
	}
}

var errInputEnded = errors.New("read from terminal: it was closed")

func (l *loop) emit(m tea.Msg) {
	if !l.ending {
		l.send(m)
	}
}

// resize reads the size and passes it on.
func (l *loop) resize() {
	w, h := l.t.measure()
	l.t.mu.Lock()
	if l.t.w != w || l.t.h != h {
		l.t.w, l.t.h = w, h
		l.t.full = true
	}
	l.t.mu.Unlock()
	l.emit(tea.WindowSizeMsg{Width: w, Height: h})
	l.pending, l.resizing = false, true
	l.settle.Reset(resizePause)
}

// deliver passes messages on; what the terminal answered is kept here.
func (l *loop) deliver(msgs []tea.Msg) {
	before := l.t.Caps()
	for _, m := range msgs {
		switch m := m.(type) {
		case modeReport:
			l.t.modeAnswer(m)
		case kittyReport:
			l.t.learn(func(c *Caps) { c.Kitty = m.flags != 0 })
		case nameReport:
			l.t.learn(func(c *Caps) { c.Name = m.name })
		case classReport:
			l.t.learn(func(c *Caps) { c.Answered = true })
		case themeReport:
			l.t.emit(queryBackground)
		default:
			l.emit(m)
		}
	}
	if now := l.t.Caps(); now != before && now.Answered {
		l.emit(CapsMsg{now})
	}
}

func (t *Terminal) learn(f func(*Caps)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.caps)
}

// Modes that are asked about.
const (
	modeSync     = 2026
	modeClusters = 2027

	clustersOn  = "\x1b[?2027h"
	clustersOff = "\x1b[?2027l"
)

// modeAnswer notes what the terminal said about a mode: 1 set, 2 reset, 3 set
// for good.
func (t *Terminal) modeAnswer(m modeReport) {
	known := m.value >= 1 && m.value <= 3
	switch {
	case m.mode == modeSync:
		t.learn(func(c *Caps) { c.Sync = known })
	case m.mode == modeClusters && known:
		t.mu.Lock()
		t.clusters = true
		turnOn := m.value == 2 && !t.set2027
		t.set2027 = t.set2027 || turnOn
		t.mu.Unlock()
		if turnOn {
			t.emit(clustersOn)
		}
	}
}
