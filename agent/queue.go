package agent

import "hermes/agent/event"

// add appends e to the queue; it reports false when the agent is closing.
func (a *Agent) add(e *entry) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closing {
		return false
	}
	e.id = "q" + hexID(8)
	if e.source != "user" {
		a.settleBy(e.text)
	}
	first := a.paused && e.source == "user"
	if a.running != nil || len(a.queue) > 0 && !first || a.held {
		e.queued = true
		a.emit(event.Queued{Meta: event.Meta{Session: a.id}, ID: e.id, Text: e.text})
	}
	if first { // what the user says now goes before what was held back
		a.queue = append([]*entry{e}, a.queue...)
		a.pause(false)
	} else {
		a.queue = append(a.queue, e)
	}
	a.signal()
	return true
}

// pause holds the queue back after an interrupt, or lets it go on. Called with
// mu held.
func (a *Agent) pause(on bool) {
	if a.paused == on {
		return
	}
	a.paused = on
	a.emit(event.QueueHeld{Meta: event.Meta{Session: a.id}, Held: on, N: len(a.queue)})
}

// EditQueued replaces the text of a queued entry; an empty text drops it. An
// id that is not in the queue any more is ignored.
func (a *Agent) EditQueued(id, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, e := range a.queue {
		if e.id != id {
			continue
		}
		if text == "" {
			a.queue = append(a.queue[:i:i], a.queue[i+1:]...)
			a.drop(e)
			if len(a.queue) == 0 {
				a.pause(false)
			}
			return
		}
		e.text = text
		a.emit(event.Queued{Meta: event.Meta{Session: a.id}, ID: e.id, Text: text})
		return
	}
}

// drop tells of an entry that will not become a turn. Called with mu held.
func (a *Agent) drop(e *entry) {
	if e.queued {
		a.emit(event.Dequeued{Meta: event.Meta{Session: a.id}, ID: e.id, Dropped: true})
	}
	if e.done != nil {
		e.done <- event.TurnDone{Outcome: event.OutcomeInterrupted}
	}
}

// HoldQueue stops the queue from advancing while the user edits an entry, and
// lets it go on. Letting it go on also ends the hold after an interrupt.
func (a *Agent) HoldQueue(hold bool) {
	a.mu.Lock()
	a.held = hold
	if !hold {
		a.pause(false)
	}
	a.mu.Unlock()
	a.signal()
}

// takeSteerBack puts texts that reached no tool result at the head of the
// queue. Called with mu held.
func (a *Agent) takeSteerBack() {
	for i := len(a.steer) - 1; i >= 0; i-- {
		a.queue = append([]*entry{{id: "q" + hexID(8), text: a.steer[i], source: "user"}}, a.queue...)
	}
	a.steer = nil
}

func (a *Agent) dropQueue() {
	for _, e := range a.queue {
		a.drop(e)
	}
	a.queue, a.steer, a.held = nil, nil, false
	a.pause(false)
}
