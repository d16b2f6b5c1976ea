package tui

import (
	tea "github.com/charmbracelet/bubbletea"
)

// worker does what must not happen on the event loop (files), one job after
// the other in the order they were given: the lines of the history must not
// change places.
type worker struct {
	jobs chan job
	more chan job
	done chan struct{}
}

// job is one piece of work; what it returns goes to the event loop.
type job func() tea.Msg

// newWorker starts a worker. send may block; recovered is deferred around
// every job, so that a panic gives the terminal back.
func newWorker(send func(tea.Msg), recovered func()) *worker {
	w := &worker{jobs: make(chan job), more: make(chan job), done: make(chan struct{})}
	go w.queue()
	go func() {
		defer close(w.done)
		defer recovered()
		for j := range w.jobs {
			if msg := j(); msg != nil {
				send(msg)
			}
		}
	}()
	return w
}

// queue holds what waits, so that giving work never blocks for long.
func (w *worker) queue() {
	defer close(w.jobs)
	var waiting []job
	more := w.more
	for more != nil || len(waiting) > 0 {
		var out chan job
		var next job
		if len(waiting) > 0 {
			out, next = w.jobs, waiting[0]
		}
		select {
		case j, ok := <-more:
			if !ok {
				more = nil
				continue
			}
			waiting = append(waiting, j)
		case out <- next:
			waiting = waiting[1:]
		}
	}
}

// do gives the worker a job.
func (w *worker) do(j job) { w.more <- j }

// close waits until all that was given is done.
func (w *worker) close() {
	close(w.more)
	<-w.done
}
