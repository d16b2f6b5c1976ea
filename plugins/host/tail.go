package host

import (
	"bufio"
	"io"
	"log/slog"
	"sync"

	"hermes/agent/safe"
)

// tail keeps the last raw lines of the host and passes each on.
type tail struct {
	raw func(string)
	log *slog.Logger // of panics of raw

	mu    sync.Mutex
	lines []string // a ring once it is full
	next  int      // where the ring goes on
}

// Bounds of the raw output that is looked at.
const (
	tailLines = 200
	lineBytes = 8 << 10
)

// read drains r to its end: a pipe that nobody reads would stop the host.
func (t *tail) read(r io.Reader) {
	br := bufio.NewReaderSize(r, lineBytes)
	for {
		line, more, err := br.ReadLine()
		if err != nil {
			return
		}
		t.add(string(line))
		for more && err == nil { // the rest of an overlong line is dropped
			_, more, err = br.ReadLine()
		}
	}
}

func (t *tail) add(line string) {
	t.mu.Lock()
	if len(t.lines) < tailLines {
		t.lines = append(t.lines, line)
	} else {
		t.lines[t.next] = line
		t.next = (t.next + 1) % tailLines
	}
	t.mu.Unlock()
	if t.raw != nil {
		safe.Run(t.log, "output of the plugin host", func() { t.raw(line) }, nil)
	}
}

func (t *tail) last() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append(append([]string(nil), t.lines[t.next:]...), t.lines[:t.next]...)
}
