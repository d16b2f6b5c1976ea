package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hermes/agent/llm"
)

// Step is what one step of a turn adds: the user's message, an answer, the
// results of its calls. It is stored whole or not at all.
type Step struct {
	Session string
	// Create, when set, makes the session first, in the same transaction, if
	// it is not there: a session without messages is never left behind.
	Create   *New
	Messages []llm.Message
	Usage    *Usage // counted in the same transaction
}

// Statements of a step. messages.timestamp grows within a session, whatever
// the clock does: both programs page by it.
const (
	lastTime      = `SELECT COALESCE(MAX(timestamp), 0) FROM messages WHERE session_id = ?`
	insertMessage = `INSERT INTO messages (session_id, timestamp, ` + messageColumns + `)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	countMessages = `UPDATE sessions SET message_count = message_count + ?, tool_call_count = tool_call_count + ? WHERE id = ?`
)

// everyStep are the statements that are kept prepared.
var everyStep = []string{insertSession, lastTime, insertMessage, countMessages, countTokens, countModel}

// AppendStep stores a step and returns the ids of its messages. When it
// returns without an error the step is committed.
func (s *Store) AppendStep(ctx context.Context, st Step) ([]int64, error) {
	if st.Session == "" {
		return nil, errors.New("append messages: no session is named")
	}
	ids := make([]int64, len(st.Messages))
	err := s.write(ctx, "store messages", func(t tx) error {
		if st.Create != nil {
			if err := s.create(t, *st.Create); err != nil {
				return err
			}
		}
		if err := s.insert(t, st.Session, st.Messages, ids); err != nil {
			return err
		}
		if st.Usage == nil {
			return nil
		}
		u := *st.Usage
		u.Session = st.Session
		return s.addUsage(t, u)
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// insert adds messages at the end of a session and counts them.
func (s *Store) insert(t tx, session string, msgs []llm.Message, ids []int64) error {
	if len(msgs) == 0 {
		return nil
	}
	var last float64
	if err := t.row(lastTime, []any{&last}, session); err != nil {
		return err
	}
	at := s.now()
	if prev := instant(last); !at.After(prev) {
		at = prev.Add(time.Microsecond)
	}
	calls := 0
	for i, m := range msgs {
		r := encode(m)
		args := append([]any{session, seconds(at.Add(time.Duration(i) * time.Microsecond))}, r.values()...)
		res, err := t.exec(insertMessage, args...)
		if err != nil {
			return fmt.Errorf("message %d of %d: %w", i+1, len(msgs), err)
		}
		if ids != nil {
			if ids[i], err = res.LastInsertId(); err != nil {
				return err
			}
		}
		calls += len(m.ToolCalls)
	}
	_, err := t.exec(countMessages, len(msgs), calls, session)
	return err
}
