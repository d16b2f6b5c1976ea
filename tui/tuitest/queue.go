package tuitest

import (
	"io"
	"sync"
)

// queue is an input whose reads return what one write put in, so that a
// program sees keys as they were sent and not how fast it was.
type queue struct {
	mu     sync.Mutex
	cond   sync.Cond
	chunks [][]byte
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.cond.L = &q.mu
	return q
}

// Write appends a chunk, unless it is empty. It does not keep b.
func (q *queue) Write(b []byte) {
	if len(b) == 0 {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.chunks = append(q.chunks, append([]byte(nil), b...))
	q.cond.Broadcast()
}

// Read returns the next chunk, or as much of it as fits.
func (q *queue) Read(b []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.chunks) == 0 && !q.closed {
		q.cond.Wait()
	}
	if q.closed {
		return 0, io.EOF
	}
	n := copy(b, q.chunks[0])
	if q.chunks[0] = q.chunks[0][n:]; len(q.chunks[0]) == 0 {
		q.chunks = q.chunks[1:]
	}
	return n, nil
}

// Cancel ends a Read that waits, and every later one.
func (q *queue) Cancel() bool {
	q.Close()
	return true
}

// Close ends the input.
func (q *queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.cond.Broadcast()
}
