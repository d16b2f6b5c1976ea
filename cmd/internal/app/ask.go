package app

import (
	"context"
	"strconv"
	"sync"

	"hermes/agent/event"
)

// asks holds the questions that wait for the user.
type asks struct {
	mu      sync.Mutex
	n       int
	waiting map[string]chan string
}

// ask emits q and waits for its answer; it returns "" when ctx ends.
func (rt *Runtime) ask(ctx context.Context, q event.Ask) string {
	a := &rt.asks
	ch := make(chan string, 1)
	a.mu.Lock()
	a.n++
	q.ID = "ask-" + strconv.Itoa(a.n)
	if a.waiting == nil {
		a.waiting = map[string]chan string{}
	}
	a.waiting[q.ID] = ch
	a.mu.Unlock()
	rt.bus.Emit(q)
	answer := ""
	select {
	case answer = <-ch:
	case <-ctx.Done():
		a.mu.Lock()
		delete(a.waiting, q.ID)
		a.mu.Unlock()
	}
	rt.bus.Emit(event.AskClosed{ID: q.ID, Answer: answer})
	return answer
}

// Answer gives the user's choice; the first one wins.
func (rt *Runtime) Answer(id, choice string) {
	a := &rt.asks
	a.mu.Lock()
	ch := a.waiting[id]
	delete(a.waiting, id)
	a.mu.Unlock()
	if ch != nil {
		ch <- choice
	}
}
