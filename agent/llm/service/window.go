package service

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/catalog"
)

// probeTime bounds the one request for a model's window.
const probeTime = 10 * time.Second

// Windows keeps what was learned about context windows, by model and base URL.
type Windows interface {
	Window(model, base string) int // tokens, 0 when nothing is known
	SaveWindow(model, base string, tokens int)
}

// Learning is a client that knows its model's window better with time: as the
// settings state it, else as it was learned once, else as the catalogue has
// it. What nobody knows it asks the service, once, when a conversation goes on:
// after the first answer with calls, else after the second. Before the first
// turn, and for a single question, nothing is sent.
type Learning struct {
	Client

	base   llm.Info
	stated bool
	store  Windows
	spawn  func(func(context.Context))
	asked  atomic.Bool
	talks  atomic.Bool // there was an answer before
	window atomic.Int64
}

// NewLearning returns c as a Learning. spawn runs a function in the background
// with a context that ends with the program; nil means that the service is
// never asked.
func NewLearning(c Client, store Windows, spawn func(func(context.Context))) *Learning {
	l := &Learning{Client: c, base: c.Info(), store: store, spawn: spawn}
	n := l.base.Window
	l.stated = n > 0
	if n == 0 && store != nil {
		n = store.Window(l.base.Model, l.base.BaseURL)
		l.asked.Store(n > 0)
	}
	if n == 0 {
		n = catalog.Window(l.base.Model)
		// What a service of one's own really grants may be less.
		l.asked.Store(n > 0 && !ownService(l.base.Provider))
	}
	l.window.Store(int64(n))
	return l
}

func ownService(provider string) bool {
	switch provider {
	case "", "custom", "ollama", "local", "vllm", "llamacpp", "lmstudio":
		return true
	}
	return strings.HasPrefix(provider, "custom:")
}

// Info implements llm.Client.
func (l *Learning) Info() llm.Info {
	i := l.base
	i.Window = int(l.window.Load())
	return i
}

// Stream implements llm.Client.
func (l *Learning) Stream(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	resp, err := l.Client.Stream(ctx, r, onDelta)
	if err != nil || l.stated || l.spawn == nil {
		return resp, err
	}
	goesOn := l.talks.Swap(true) || len(resp.Message.ToolCalls) > 0
	if goesOn && l.asked.CompareAndSwap(false, true) {
		l.spawn(l.probe)
	}
	return resp, err
}

// probe asks the service for the window. Failing is no failure: the window
// stays as it was.
func (l *Learning) probe(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	models, err := l.Models(ctx)
	if err != nil {
		return
	}
	for _, m := range models {
		if m.Window > 0 && (m.ID == l.base.Model || len(models) == 1) {
			l.Learn(m.Window)
			return
		}
	}
}

// Learn takes a window that the service named, in its list or in an error,
// and keeps it for later sessions. What the settings state stays.
func (l *Learning) Learn(tokens int) {
	if l.stated || tokens <= 0 || int64(tokens) == l.window.Swap(int64(tokens)) {
		return
	}
	if l.store != nil {
		l.store.SaveWindow(l.base.Model, l.base.BaseURL, tokens)
	}
}
