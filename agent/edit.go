package agent

import (
	"context"
	"errors"
	"fmt"

	"hermes/agent/event"
	"hermes/agent/llm"
)

// ErrNothing says that there is no turn to take back or to repeat.
var ErrNothing = errors.New("there is no turn to take back")

// Undo takes the last n turns back, with their messages, and returns how many
// there were and the user's text that the oldest of them began with. A running
// turn is interrupted first. Rows stay in the store, inactive.
func (a *Agent) Undo(ctx context.Context, n int) (turns int, text string, err error) {
	err = a.between(ctx, false, func() error {
		turns, text, err = a.undo(max(n, 1))
		return err
	})
	return turns, text, err
}

// Retry takes the last turn back and runs it again with the same text.
func (a *Agent) Retry(ctx context.Context) error {
	return a.between(ctx, false, func() error {
		_, text, err := a.undo(1)
		if err != nil {
			return err
		}
		e := &entry{text: text, source: "retry"}
		a.mu.Lock()
		a.queue = append([]*entry{e}, a.queue...)
		a.pause(false)
		a.mu.Unlock()
		return nil
	})
}

// undo is Undo on the loop.
func (a *Agent) undo(n int) (turns int, text string, err error) {
	s := a.session
	cut := len(s.history)
	for i := len(s.history) - 1; i >= 0 && turns < n; i-- {
		if m := s.history[i]; m.Role == llm.RoleUser && !m.Synthetic {
			cut, text = i, m.Content
			turns++
		}
	}
	if turns == 0 {
		return 0, "", ErrNothing
	}
	if a.o.Store != nil && s.stored && cut < s.saved {
		if _, err := a.o.Store.Undo(context.WithoutCancel(a.ctx), s.id, turns); err != nil {
			return 0, "", fmt.Errorf("undo: %w", err)
		}
	}
	gone := len(s.history) - cut
	s.history = s.history[:cut:cut]
	s.saved = min(s.saved, cut)
	s.turns = max(0, s.turns-turns)
	s.counted = counted{}
	a.emit(event.HistoryUndone{Meta: event.Meta{Session: s.id}, Turns: turns, Messages: gone, Text: a.o.Redact(text)})
	return turns, text, nil
}
