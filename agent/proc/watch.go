package proc

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// Limits of what is watched for (contract/core §2.5): one note in 15 seconds,
// and after three windows in a row in which matches were dropped, none but the
// one at the end.
const (
	watchEvery   = 15 * time.Second
	watchStrikes = 3
	watchLine    = 4096 // bytes of a line that are looked at and told
	noteOutput   = 2000 // characters of output in a note
)

// watch looks for texts in a process's output, line by line. It belongs to the
// goroutine that reads the output.
type watch struct {
	p        *Process
	patterns [][]byte
	line     []byte
	until    time.Time // no note before
	dropped  int       // matches since the last note
	struck   bool      // one was dropped in this window
	strikes  int
	off      bool
}

func newWatch(p *Process, patterns []string) *watch {
	w := &watch{p: p}
	for _, s := range patterns {
		if s != "" {
			w.patterns = append(w.patterns, []byte(s))
		}
	}
	return w
}

func (w *watch) text(b []byte) {
	for !w.off && len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			w.add(b)
			return
		}
		w.add(b[:i])
		w.match()
		b = b[i+1:]
	}
}

func (w *watch) add(b []byte) {
	if room := watchLine - len(w.line); room > 0 {
		w.line = append(w.line, b[:min(room, len(b))]...)
	}
}

// end looks at a last line without an end.
func (w *watch) end() {
	if !w.off && len(w.line) > 0 {
		w.match()
	}
}

func (w *watch) match() {
	line := w.line
	w.line = w.line[:0]
	for _, p := range w.patterns {
		if bytes.Contains(line, p) {
			w.found(string(p), strings.ToValidUTF8(string(line), "\ufffd"))
			return
		}
	}
}

func (w *watch) found(pattern, line string) {
	now := w.p.m.o.Now()
	if now.Before(w.until) {
		w.dropped++
		if !w.struck {
			w.struck = true
			w.strikes++
		}
		if w.strikes >= watchStrikes {
			w.giveUp()
		}
		return
	}
	if !w.struck {
		w.strikes = 0
	}
	w.until, w.struck = now.Add(watchEvery), false
	text := fmt.Sprintf("[IMPORTANT: Background process %s matched watch pattern \"%s\".\nCommand: %s\nMatched output:\n%s",
		w.p.ID, pattern, w.p.Command, line)
	if w.dropped > 0 {
		text += fmt.Sprintf("\n(%d earlier matches were suppressed by rate limit)", w.dropped)
	}
	w.dropped = 0
	w.p.tell(text + "]")
}

// giveUp stops watching; the end is told instead.
func (w *watch) giveUp() {
	w.off = true
	w.p.mu.Lock()
	w.p.notify = true
	w.p.mu.Unlock()
	w.p.tell(fmt.Sprintf("[IMPORTANT: Background process %s matches its watch patterns too often; watching is off, and its end will be reported instead.\nCommand: %s]",
		w.p.ID, w.p.Command))
}

// ending is the note of the end, in the words of contract/core §2.5.
func (p *Process) ending() string {
	i := p.Info()
	status, signal := "exited", ""
	switch {
	case i.Reason == ReasonKilled:
		status = "terminated by " + i.By
	case i.Code == 0:
		status = "completed normally"
	}
	if i.Code == -15 || i.Code == 143 {
		signal = ", SIGTERM"
	}
	return fmt.Sprintf("[IMPORTANT: Background process %s %s (exit code %d%s).\nCommand: %s\nOutput:\n%s]",
		p.ID, status, i.Code, signal, p.Command, p.Output(noteOutput))
}

// plain is a text that may be a message: services refuse NUL.
func plain(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }
