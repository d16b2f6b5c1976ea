package proc

import (
	"sync"
	"unicode/utf8"
)

// Window keeps the beginning and the end of a text of any length, in bounded
// memory. It counts characters. It is safe for concurrent use.
type Window struct {
	headMax, tailMax int

	mu    sync.Mutex
	head  []byte
	headN int
	tail  []byte
	tailN int
	total int // characters
	bytes int64
}

// NewWindow keeps at most head characters of the beginning and tail of the end.
func NewWindow(head, tail int) *Window { return &Window{headMax: head, tailMax: tail} }

// Write appends text, which must be UTF-8.
func (w *Window) Write(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := utf8.RuneCount(p)
	w.total += n
	w.bytes += int64(len(p))
	if room := w.headMax - w.headN; room > 0 && n > 0 {
		cut := cutRunes(p, room)
		w.head = append(w.head, p[:cut]...)
		took := min(room, n)
		w.headN += took
		p, n = p[cut:], n-took
	}
	if n > w.tailMax {
		p = p[skipRunes(p, n-w.tailMax):]
		n = w.tailMax
		w.tail, w.tailN = w.tail[:0], 0
	}
	w.tail = append(w.tail, p...)
	w.tailN += n
	if w.tailN > 2*w.tailMax { // now and then, so that it costs little
		w.trim()
	}
}

func (w *Window) trim() {
	if over := w.tailN - w.tailMax; over > 0 {
		w.tail = append(w.tail[:0], w.tail[skipRunes(w.tail, over):]...)
		w.tailN = w.tailMax
	}
}

// Text is what was kept of total characters: the beginning and the end of the
// text, without the middle of a long one.
func (w *Window) Text() (head, tail string, total int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trim()
	return string(w.head), string(w.tail), w.total
}

// Bytes is how many bytes were written.
func (w *Window) Bytes() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bytes
}

// Last returns at most n characters of the end.
func (w *Window) Last(n int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trim()
	text := w.tail
	if w.tailN < n && w.headN > 0 {
		text = append(append([]byte(nil), w.head...), w.tail...)
	}
	if over := utf8.RuneCount(text) - n; over > 0 {
		text = text[skipRunes(text, over):]
	}
	return string(text)
}

// cutRunes is how many bytes the first n characters take.
func cutRunes(p []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(p); n-- {
		_, size := utf8.DecodeRune(p[at:])
		at += size
	}
	return at
}

func skipRunes(p []byte, n int) int { return cutRunes(p, n) }
