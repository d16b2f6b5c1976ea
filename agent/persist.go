package agent

import (
	"context"
	"errors"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/catalog"
	"hermes/agent/locale"
	"hermes/agent/store"
)

// Store keeps sessions; *store.Store is one. Its methods return when what they
// store is committed.
type Store interface {
	AppendStep(ctx context.Context, step store.Step) ([]int64, error)
	Load(ctx context.Context, id string) (*store.Loaded, error)
	Compact(ctx context.Context, session string, history []llm.Message) ([]int64, error)
	Undo(ctx context.Context, session string, n int) (store.Undone, error)
	Reopen(ctx context.Context, id string) error
	EndSession(ctx context.Context, id, reason string) error
	SetSystemPrompt(ctx context.Context, id, prompt string) error
	SetAutoTitle(ctx context.Context, id, title string) (string, error)
	AddUsage(ctx context.Context, u store.Usage) error
}

// NewSessionID makes the id of a session that begins at t (contract/core §8.1).
func NewSessionID(t time.Time) string { return t.Format("20060102_150405_") + hexID(6) }

// save stores the messages that were added since the last call, and what was
// counted, in one transaction. The conversation goes on without the store when
// it fails, and the next call tries again; the user is told once.
func (a *Agent) save(s *session, skip map[int]bool) {
	if a.o.Store == nil || s.readOnly {
		return
	}
	step := store.Step{Session: s.id, Usage: s.unsaved}
	for i := s.saved; i < len(s.history); i++ {
		if skip[i] {
			continue
		}
		m := s.history[i]
		if a.o.Settings().DropInjected {
			m.APIContent = ""
		}
		step.Messages = append(step.Messages, m)
	}
	if len(step.Messages) == 0 && step.Usage == nil {
		return
	}
	if !s.stored {
		step.Create = a.newRow(s)
	}
	if _, err := a.o.Store.AppendStep(context.WithoutCancel(a.ctx), step); err != nil {
		a.notStored(s, err)
		return
	}
	s.stored, s.saved, s.unsaved = true, len(s.history), nil
	if s.system != s.storedSystem {
		a.saveSystem(s)
	}
}

// newRow describes a session that is stored for the first time.
func (a *Agent) newRow(s *session) *store.New {
	model, set := "", a.o.Settings().withDefaults()
	if c := a.o.Client(); c != nil {
		model = c.Info().Model
	}
	s.storedSystem = s.system
	return &store.New{
		ID: s.id, Source: a.o.Source, Model: model, SystemPrompt: s.system, Parent: s.parent, Dir: a.o.Dir,
		Config: map[string]any{"max_iterations": set.MaxTurns},
	}
}

func (a *Agent) saveSystem(s *session) {
	if err := a.o.Store.SetSystemPrompt(context.WithoutCancel(a.ctx), s.id, s.system); err != nil {
		a.notStored(s, err)
		return
	}
	s.storedSystem = s.system
}

// notStored tells once that a session is not saved. A database that is not
// written on purpose was announced when it was opened.
func (a *Agent) notStored(s *session, err error) {
	var newer *store.NewerError
	var readOnly *store.ReadOnlyError
	if errors.As(err, &newer) || errors.As(err, &readOnly) {
		s.readOnly = true
		return
	}
	a.o.Log.Error("Session could not be stored", "session", s.id, "error", err)
	if !s.toldUnsaved {
		s.toldUnsaved = true
		a.emit(event.Notice{
			Meta: event.Meta{Session: s.id}, Level: event.LevelError, Source: "sessions",
			Text: locale.SessionUnsaved.In(a.o.Lang(), err),
		})
	}
}

// endStored notes in the store why the session ended.
func (a *Agent) endStored(s *session, reason string) {
	if a.o.Store == nil || !s.stored || s.readOnly {
		return
	}
	if err := a.o.Store.EndSession(context.WithoutCancel(a.ctx), s.id, reason); err != nil {
		a.o.Log.Warn("End of the session could not be stored", "session", s.id, "error", err)
	}
}

// countFor adds what a request used to what the next step stores.
func (s *session) countFor(info llm.Info, u llm.Usage, n int) *store.Usage {
	add := store.Usage{
		Session: s.id, Model: info.Model, Provider: info.Provider, BaseURL: info.BaseURL, Mode: info.APIMode,
		Calls: n, In: u.In, Out: u.Out, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite, Reasoning: u.Reasoning,
	}
	c := catalog.CostOf(info.Provider, info.Model, u)
	add.CostStatus, add.CostSource = c.Status, c.Source
	switch c.Status {
	case catalog.Actual:
		add.Actual = &c.USD
	case catalog.Estimated:
		add.Estimated = &c.USD
	}
	return &add
}

// count keeps what a request of the conversation used for the next step. What
// another model used before is stored at once: a step counts for one model.
func (a *Agent) count(s *session, info llm.Info, u llm.Usage) {
	add := s.countFor(info, u, 1)
	p := s.unsaved
	if p == nil {
		s.unsaved = add
		return
	}
	if p.Model != add.Model || p.Provider != add.Provider || p.BaseURL != add.BaseURL {
		a.addUsage(s, *p)
		s.unsaved = add
		return
	}
	p.Calls += add.Calls
	p.In, p.Out, p.Reasoning = p.In+add.In, p.Out+add.Out, p.Reasoning+add.Reasoning
	p.CacheRead, p.CacheWrite = p.CacheRead+add.CacheRead, p.CacheWrite+add.CacheWrite
	p.Actual, p.Estimated = plus(p.Actual, add.Actual), plus(p.Estimated, add.Estimated)
	p.CostStatus, p.CostSource = add.CostStatus, add.CostSource
}

// plus adds costs of which nil ones are unknown.
func plus(a, b *float64) *float64 {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	sum := *a + *b
	return &sum
}

// addCost sums what the session costs; it is as sure as its least sure part.
func (s *session) addCost(c catalog.Cost) {
	s.cost.USD += c.USD
	if s.cost.Status == "" || c.Status == catalog.Unknown || s.cost.Status == catalog.Actual {
		s.cost.Status, s.cost.Source = c.Status, c.Source
	}
}

// addUsage stores what a request beside the conversation used.
func (a *Agent) addUsage(s *session, u store.Usage) {
	if a.o.Store == nil || !s.stored || s.readOnly {
		return
	}
	if err := a.o.Store.AddUsage(context.WithoutCancel(a.ctx), u); err != nil {
		a.o.Log.Warn("Usage could not be stored", "session", s.id, "error", err)
	}
}
