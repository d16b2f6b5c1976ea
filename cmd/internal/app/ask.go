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
	waiting map[string]chan event.Answer
}

// ask emits q and waits for its answer until ctx ends; ok is false when none
// came. The view knows whether somebody is there to answer, so it is the view
// that lets a question expire (decision D23): with an empty answer.
func (rt *Runtime) ask(ctx context.Context, q event.Ask) (answer event.Answer, ok bool) {
	a := &rt.asks
	ch := make(chan event.Answer, 1)
	a.mu.Lock()
	a.n++
	q.ID = "ask-" + strconv.Itoa(a.n)
	if a.waiting == nil {
		a.waiting = map[string]chan event.Answer{}
	}
	a.waiting[q.ID] = ch
	a.mu.Unlock()
	rt.bus.Emit(q)
	select {
	case answer = <-ch:
		ok = answer.Choice != ""
	case <-ctx.Done():
		a.mu.Lock()
		delete(a.waiting, q.ID)
		a.mu.Unlock()
	}
	closed := event.AskClosed{Meta: q.Meta, ID: q.ID, Answer: answer.Choice}
	if q.Kind != event.AskSecret {
		closed.Text = answer.Text
	}
	rt.bus.Emit(closed)
	return answer, ok
}

// Answer gives the user's choice; the first one wins.
func (rt *Runtime) Answer(id string, answer event.Answer) {
	a := &rt.asks
	a.mu.Lock()
	ch := a.waiting[id]
	delete(a.waiting, id)
	a.mu.Unlock()
	if ch != nil {
		ch <- answer
	}
}
