package term

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"
)

// Present shows f. It never blocks; when the terminal is slow, the latest
// frame wins.
func (t *Terminal) Present(f Frame) {
	if i, ok := t.o.Out.(Inspector); ok {
		if err := f.Check(); err != nil {
			i.BadFrame(err)
		}
	}
	t.mu.Lock()
	t.frame = &f
	t.mu.Unlock()
	t.poke()
}

// Repaint draws the latest frame again from an empty screen, as Ctrl+L does.
func (t *Terminal) Repaint() {
	t.mu.Lock()
	t.full = true
	t.mu.Unlock()
	t.poke()
}

func (t *Terminal) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// job is what the writer takes in one go.
type job struct {
	frame *Frame
	extra []byte
	w, h  int
}

// write is the writer's goroutine: it turns frames into bytes and is the only
// one that waits for the terminal to take them.
func (t *Terminal) write(send func(tea.Msg)) {
	defer t.Recover()
	defer close(t.writerDone)
	s := newScreen(t.profile, !t.dialect.console && t.profile > NoColor)
	var (
		latest  *Frame
		buf     []byte
		painted bool
	)
	for {
		select {
		case <-t.wake:
		case <-t.stop:
			return
		}
		j, ok := t.take(s)
		if !ok {
			continue
		}
		if j.frame != nil {
			latest = j.frame
		}
		buf = append(buf[:0], j.extra...)
		if latest != nil {
			buf = s.draw(buf, latest, j.w, j.h)
		}
		if len(buf) == 0 {
			continue
		}
		if err := t.put(buf, s.title != ""); err != nil {
			go send(ClosedMsg{fmt.Errorf("write to terminal: %w", err)})
			return
		}
		if latest != nil && !painted {
			painted = true
			if t.o.Painted != nil {
				t.o.Painted()
			}
		}
	}
}

// take returns what is to be written now; ok is false while the terminal is
// not ours.
func (t *Terminal) take(s *screen) (j job, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state != stateOpen {
		return job{}, false
	}
	s.sync, s.clusters = t.caps.Sync, t.clusters
	if t.full {
		s.full, t.full = true, false
	}
	if t.entered {
		s.visible, s.title, t.entered = false, "", false
	}
	j = job{t.frame, t.extra, t.w, t.h}
	t.frame, t.extra = nil, nil
	return j, true
}

// put writes b, unless the terminal was given back in the meantime; titled
// tells that a title is on the terminal's stack then.
func (t *Terminal) put(b []byte, titled bool) error {
	t.pen <- struct{}{}
	defer func() { <-t.pen }()
	t.mu.Lock()
	open := t.state == stateOpen
	if open {
		t.titled = titled
	} else {
		t.full, t.entered = true, true // what was drawn did not get there
	}
	t.mu.Unlock()
	if !open {
		return nil
	}
	_, err := t.o.Out.Write(b)
	return err
}
