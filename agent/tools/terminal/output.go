package terminal

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"hermes/agent/proc"
	"hermes/agent/tool"
)

// headShare is the part of a long output that shows its beginning; the rest
// shows its end, where errors stand (contract/core §2.5).
const headShare = 0.4

// output collects what a command prints as plain text, in bounded memory.
type output struct {
	limit int
	win   *proc.Window

	mu    sync.Mutex
	clean proc.Cleaner
	buf   []byte
}

func newOutput(limit int, tty bool) *output {
	head := int(headShare * float64(limit))
	return &output{limit: limit, win: proc.NewWindow(head, limit-head), clean: proc.Cleaner{TTY: tty}}
}

func (o *output) take(p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.buf = o.clean.Append(o.buf[:0], p)
	o.win.Write(o.buf)
}

// text ends the output and returns it, cut in the middle when it is too long.
func (o *output) text() string {
	o.mu.Lock()
	o.win.Write(o.clean.Flush(nil))
	o.mu.Unlock()
	head, tail, total := o.win.Text()
	if total <= o.limit {
		return head + tail
	}
	return cut(head, tail, total, o.limit)
}

// cut joins the beginning and the end of a text of total characters so that
// all of it, with the marker, has limit characters.
func cut(head, tail string, total, limit int) string {
	mark := func(omitted int) string {
		return fmt.Sprintf("\n\n... [OUTPUT TRUNCATED - %s chars omitted out of %s total] ...\n\n",
			tool.Thousands(omitted), tool.Thousands(total))
	}
	room := max(0, limit-utf8.RuneCountInString(mark(total-limit)))
	first := int(headShare * float64(room))
	return firstRunes(head, first) + mark(total-room) + lastRunes(tail, room-first)
}

// lastLine is the last line with something on it, for the card.
func (o *output) lastLine() string {
	text := strings.TrimRight(o.win.Last(2*progressChars), " \t\r\n")
	if i := strings.LastIndexAny(text, "\r\n"); i >= 0 {
		text = text[i+1:]
	}
	return firstRunes(strings.TrimSpace(text), progressChars)
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

func lastRunes(s string, n int) string {
	return string([]rune(s)[max(0, utf8.RuneCountInString(s)-n):])
}
