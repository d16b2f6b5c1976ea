package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"hermes/agent/llm"
)

// Loaded is a session with what its next request needs.
type Loaded struct {
	Session
	// History holds the active messages, oldest first, without a system
	// message.
	History []Message
}

// Load reads a session to go on with it. Where compaction went on in a child
// (the reference can do that), the newest one of the line is loaded: compare
// the ID.
func (s *Store) Load(ctx context.Context, id string) (*Loaded, error) {
	tip, err := s.Tip(ctx, id)
	if err != nil {
		return nil, err
	}
	one, err := s.Session(ctx, tip)
	if err != nil {
		return nil, err
	}
	msgs, err := s.Messages(ctx, tip)
	if err != nil {
		return nil, err
	}
	return &Loaded{*one, msgs}, nil
}

// Tip is the newest session of the line of compactions that begins at id; id
// itself when there is no line. A line that has no end in 100 steps ends there.
func (s *Store) Tip(ctx context.Context, id string) (string, error) {
	c, err := s.open()
	if err != nil {
		return "", err
	}
	for range 100 {
		var next string
		err := c.read.QueryRowContext(ctx, `SELECT c.id FROM sessions p JOIN sessions c ON c.parent_session_id = p.id
			WHERE p.id = ? AND p.end_reason = 'compression' AND c.source <> 'subagent' AND `+notBranch+`
			ORDER BY c.started_at DESC LIMIT 1`, id).Scan(&next)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err != nil {
			return "", s.readError("follow compactions", err)
		}
		id = next
	}
	return id, nil
}

// notBranch tells children that continue a session from those that left it.
const notBranch = `json_extract(CASE WHEN json_valid(c.model_config) THEN c.model_config ELSE '{}' END, '$._branched_from') IS NULL`

// Root is the session that the line of parents of id begins with.
func (s *Store) Root(ctx context.Context, id string) (string, error) {
	c, err := s.open()
	if err != nil {
		return "", err
	}
	var root string
	err = c.read.QueryRowContext(ctx, `WITH RECURSIVE up(id, parent, depth) AS (
			SELECT id, parent_session_id, 0 FROM sessions WHERE id = ?
			UNION ALL SELECT p.id, p.parent_session_id, depth + 1 FROM sessions p JOIN up ON p.id = up.parent WHERE depth < 100)
		SELECT id FROM up ORDER BY depth DESC LIMIT 1`, id).Scan(&root)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrNotFound
	}
	return root, s.readError("follow parents", err)
}

// Messages reads the active messages of a session, oldest first.
func (s *Store) Messages(ctx context.Context, session string) ([]Message, error) {
	return s.messages(ctx, `session_id = ? AND active = 1 ORDER BY id`, session)
}

// AllMessages also reads those that were undone or compacted away.
func (s *Store) AllMessages(ctx context.Context, session string) ([]Message, error) {
	return s.messages(ctx, `session_id = ? ORDER BY id`, session)
}

// Around reads the message with that id and up to n messages before and after
// it, and how many there are on each side among those. ErrNotFound when the
// session has no such message.
func (s *Store) Around(ctx context.Context, session string, id int64, n int) (msgs []Message, before, after int, err error) {
	older, err := s.messages(ctx, `session_id = ? AND id <= ? AND (active = 1 OR compacted = 1) ORDER BY id DESC LIMIT ?`, session, id, n+1)
	if err != nil {
		return nil, 0, 0, err
	}
	if len(older) == 0 || older[0].ID != id {
		return nil, 0, 0, ErrNotFound
	}
	newer, err := s.messages(ctx, `session_id = ? AND id > ? AND (active = 1 OR compacted = 1) ORDER BY id LIMIT ?`, session, id, n)
	if err != nil {
		return nil, 0, 0, err
	}
	slices.Reverse(older)
	return append(older, newer...), len(older) - 1, len(newer), nil
}

// Edges reads what a view of a session leaves out: its first n messages before
// the one with id below, its last n after the one with id above. Only words of
// the user and the assistant count.
func (s *Store) Edges(ctx context.Context, session string, below, above int64, n int) (first, last []Message, err error) {
	const words = `session_id = ? AND (active = 1 OR compacted = 1) AND role IN ('user', 'assistant') AND `
	if first, err = s.messages(ctx, words+`id < ? ORDER BY id LIMIT ?`, session, below, n); err != nil {
		return nil, nil, err
	}
	if last, err = s.messages(ctx, words+`id > ? ORDER BY id DESC LIMIT ?`, session, above, n); err != nil {
		return nil, nil, err
	}
	slices.Reverse(last)
	return first, last, nil
}

func (s *Store) messages(ctx context.Context, where string, args ...any) ([]Message, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	rows, err := c.read.QueryContext(ctx, `SELECT id, timestamp, active <> 0, compacted <> 0, `+messageColumns+` FROM messages WHERE `+where, args...)
	if err != nil {
		return nil, s.readError("read messages", err)
	}
	defer rows.Close()
	var out []Message
	for rows.Next() {
		var m Message
		var r row
		var at float64
		if err := rows.Scan(append([]any{&m.ID, &at, &m.Active, &m.Compacted}, r.fields()...)...); err != nil {
			return nil, s.readError("read messages", err)
		}
		m.Time = instant(at)
		m.Message, m.Effect = decode(r)
		out = append(out, m)
	}
	return out, s.readError("read messages", rows.Err())
}

// Texts are the messages without what only the database knows.
func Texts(msgs []Message) []llm.Message {
	out := make([]llm.Message, len(msgs))
	for i, m := range msgs {
		out[i] = m.Message
	}
	return out
}

// OpenCalls are the calls at the end of a history that have no result yet. A
// program that was killed between a call and its result leaves such calls; the
// conversation cannot go on before each has its answer (contract/core §1.1).
func OpenCalls(history []llm.Message) []llm.ToolCall {
	answered := map[string]bool{}
	for i := len(history) - 1; i >= 0; i-- {
		switch m := history[i]; m.Role {
		case llm.RoleTool:
			answered[m.ToolCallID] = true
		case llm.RoleAssistant:
			var open []llm.ToolCall
			for _, c := range m.ToolCalls {
				if !answered[c.ID] {
					open = append(open, c)
				}
			}
			return open
		default:
			return nil
		}
	}
	return nil
}
