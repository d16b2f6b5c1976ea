package agent

import (
	"context"
	"fmt"
	"strings"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/store"
)

// interruptedResult answers calls that a killed program left without a result.
const interruptedResult = "[Tool execution was interrupted: the program ended before the result was stored. Check what the call did before repeating it.]"

// Resume goes on with a stored session in place of the running one. A running
// turn is interrupted, texts that wait are dropped. id is a session's id; names
// and prefixes are the caller's to resolve. It returns when the session is
// there: SessionOpened and HistoryRestored have been told.
func (a *Agent) Resume(ctx context.Context, id string) error {
	if a.o.Store == nil {
		return fmt.Errorf("resume session %s: sessions are not stored", id)
	}
	loaded, err := a.o.Store.Load(ctx, id)
	if err != nil {
		return fmt.Errorf("resume session %s: %w", id, err)
	}
	return a.between(ctx, true, func() error { return a.enter(loaded) })
}

// between runs f on the loop, between two turns, and waits for it. interrupt
// ends the running turn and drops what waits.
func (a *Agent) between(ctx context.Context, interrupt bool, f func() error) error {
	back := make(chan error, 1)
	a.mu.Lock()
	if a.closing {
		a.mu.Unlock()
		return ErrClosed
	}
	if interrupt {
		a.dropQueue()
		if a.running != nil && !a.running.interrupted {
			a.interrupt()
		}
	}
	a.ops = append(a.ops, func() {
		done := false
		defer func() {
			if !done { // a panic, which the loop reports
				back <- fmt.Errorf("internal error; the details are in the log")
			}
		}()
		err := f()
		done = true
		back <- err
	})
	a.signal()
	a.mu.Unlock()
	select {
	case err := <-back:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-a.done:
		return ErrClosed
	}
}

// enter makes a loaded session the current one.
func (a *Agent) enter(l *store.Loaded) error {
	old := a.session
	if old.id != l.ID {
		a.leave(old, "session_switch", store.EndSwitched)
	}
	s := newSession(l.ID)
	s.history = store.Texts(l.History)
	s.saved, s.stored, s.readOnly = len(s.history), true, old.readOnly
	s.system, s.storedSystem = l.SystemPrompt, l.SystemPrompt
	s.title, s.parent, s.began = l.Title, l.Parent, l.Started
	s.started = true // on_session_start is for new sessions alone
	repaired := s.repair()
	for _, m := range s.history {
		if m.Role == llm.RoleUser && !m.Synthetic {
			s.turns++
		}
		for _, c := range m.ToolCalls {
			s.ids[c.ID] = true
		}
	}
	a.session = s
	a.mu.Lock()
	a.id = s.id
	a.mu.Unlock()
	if err := a.o.Store.Reopen(context.WithoutCancel(a.ctx), s.id); err != nil {
		a.notStored(s, err)
	}
	a.save(s, nil)
	opened := event.SessionOpened{Meta: event.Meta{Session: s.id}, Dir: a.o.Dir, Title: s.title, Resumed: true}
	if c := a.o.Client(); c != nil {
		opened.Model, opened.Provider = c.Info().Model, c.Info().Provider
	}
	a.emit(opened)
	a.emit(event.HistoryRestored{Meta: event.Meta{Session: s.id}, Messages: a.restored(s, l.History), Repaired: repaired})
	return nil
}

// leave ends a session for another one. One that nobody used leaves no trace.
func (a *Agent) leave(s *session, hookReason, storeReason string) {
	if s.turns == 0 && !s.stored {
		return
	}
	a.boundary(a.ctx, hook.OnSessionFinalize, s.id, hookReason)
	a.endStored(s, storeReason)
	a.ForgetTasks()
}

// repair answers the calls at the end of the history that have no result, and
// closes a turn that ended on results, so that the history is valid whatever
// the program was doing when it was killed. It returns how many calls it
// answered.
func (s *session) repair() int {
	open := store.OpenCalls(s.history)
	for _, c := range open {
		s.history = append(s.history, llm.Message{Role: llm.RoleTool, Name: c.Name, ToolCallID: c.ID, Content: interruptedResult})
	}
	if n := len(s.history); n > 0 && s.history[n-1].Role == llm.RoleTool {
		s.history = append(s.history, llm.Message{Role: llm.RoleAssistant, Content: closingNote, Synthetic: true})
	}
	return len(open)
}

// restored is the conversation for the view.
func (a *Agent) restored(s *session, rows []store.Message) []event.Restored {
	out := make([]event.Restored, 0, len(s.history))
	for i, m := range s.history {
		r := event.Restored{
			Role: m.Role, Text: a.o.Redact(visible(m.Content)), Reasoning: a.o.Redact(visible(m.Reasoning)),
			Call: m.ToolCallID, Name: m.Name, Synthetic: m.Synthetic,
		}
		if m.Role == llm.RoleTool {
			r.Text = preview(r.Text)
		}
		if i < len(rows) {
			r.At = rows[i].Time
		}
		for _, c := range m.ToolCalls {
			r.Calls = append(r.Calls, event.RestoredCall{Call: c.ID, Name: c.Name, Args: preview(a.o.Redact(visible(c.Arguments)))})
		}
		out = append(out, r)
	}
	return out
}

// namesModel reports whether a system prompt was made for that model: its last
// lines say so (contract/core §1.12).
func namesModel(system, model, provider string) bool {
	return lastLine(system, "Model: ") == model && lastLine(system, "Provider: ") == provider
}

// lastLine is what follows prefix in the last line that begins with it.
func lastLine(text, prefix string) string {
	i := strings.LastIndex("\n"+text, "\n"+prefix)
	if i < 0 {
		return ""
	}
	line, _, _ := strings.Cut(text[i+len(prefix):], "\n")
	return strings.TrimSpace(line)
}
