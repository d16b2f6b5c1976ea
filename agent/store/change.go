package store

import (
	"context"
	"database/sql"
	"errors"

	"hermes/agent/llm"
)

// Undone is what Undo took back.
type Undone struct {
	Turns, Messages int
	// Text is the user's message that the oldest of the turns began with.
	Text string
	// From is the id of that message.
	From int64
}

// Undo takes the last n turns of a session back: their messages stay, inactive.
// A turn begins with a message of the user; what the program wrote in the
// user's place does not count. Without a turn to undo it returns zero values.
func (s *Store) Undo(ctx context.Context, session string, n int) (Undone, error) {
	var u Undone
	err := s.write(ctx, "undo", func(t tx) error {
		u = Undone{}
		var content sql.NullString
		err := t.QueryRow(`SELECT id, content, turns FROM (
				SELECT id, content, ROW_NUMBER() OVER (ORDER BY id DESC) AS turns FROM messages
				WHERE session_id = ? AND active = 1 AND role = 'user' AND COALESCE(finish_reason, '') <> ?)
			WHERE turns <= ? ORDER BY turns DESC LIMIT 1`, session, synthetic, n).Scan(&u.From, &content, &u.Turns)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		u.Text, _ = decodeContent(content.String)
		r, err := t.Exec(`UPDATE messages SET active = 0 WHERE session_id = ? AND active = 1 AND id >= ?`, session, u.From)
		if err != nil {
			return err
		}
		changed, err := r.RowsAffected()
		u.Messages = int(changed)
		if err != nil {
			return err
		}
		_, err = t.Exec(`UPDATE sessions SET rewind_count = rewind_count + 1 WHERE id = ?`, session)
		return err
	})
	if err != nil {
		return Undone{}, err
	}
	return u, nil
}

// Compact replaces the active messages of a session by history: a summary and
// what was kept. The old ones stay, inactive and marked, and are still found.
func (s *Store) Compact(ctx context.Context, session string, history []llm.Message) ([]int64, error) {
	ids := make([]int64, len(history))
	err := s.write(ctx, "store the compacted history", func(t tx) error {
		if _, err := t.Exec(`UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1`, session); err != nil {
			return err
		}
		if _, err := t.Exec(`UPDATE sessions SET message_count = 0, tool_call_count = 0 WHERE id = ?`, session); err != nil {
			return err
		}
		return s.insert(t, session, history, ids)
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// Branch copies the active messages of a session into a new one, which has it
// as its parent and takes over its model, settings, system prompt and folder.
// The parent ends there. title may be empty: the next number of the parent's
// title, if it has one. It returns the title.
func (s *Store) Branch(ctx context.Context, from, id, title string) (string, error) {
	title = cut(CleanTitle(title), MaxTitle)
	var got string
	err := s.write(ctx, "branch session", func(t tx) error {
		now := seconds(s.now())
		if _, err := t.Exec(`UPDATE sessions SET ended_at = ?, end_reason = ? WHERE id = ? AND ended_at IS NULL`, now, EndBranched, from); err != nil {
			return err
		}
		r, err := t.Exec(`INSERT INTO sessions (id, source, model, model_config, system_prompt, parent_session_id, started_at,
				cwd, git_branch, git_repo_root, message_count, tool_call_count, billing_provider, billing_base_url, billing_mode)
			SELECT ?, source, model, json_set(CASE WHEN json_valid(model_config) THEN model_config ELSE '{}' END, '$._branched_from', id),
				system_prompt, id, ?, cwd, git_branch, git_repo_root, 0, 0, billing_provider, billing_base_url, billing_mode
			FROM sessions WHERE id = ?`, id, now, from)
		if err != nil {
			return err
		}
		if err := oneRow(r); err != nil {
			return err
		}
		if err := copyMessages(t, from, id); err != nil {
			return err
		}
		got, err = branchTitle(t, from, title)
		if err != nil || got == "" {
			return err
		}
		return setTitle(t, id, got)
	})
	return got, err
}

func copyMessages(t tx, from, to string) error {
	const all = messageColumns + `, codex_message_items, token_count, platform_message_id, observed, timestamp`
	if _, err := t.Exec(`INSERT INTO messages (session_id, `+all+`) SELECT ?, `+all+`
		FROM messages WHERE session_id = ? AND active = 1 ORDER BY id`, to, from); err != nil {
		return err
	}
	_, err := t.Exec(`UPDATE sessions SET
		message_count = (SELECT COUNT(*) FROM messages WHERE session_id = ?1),
		tool_call_count = (SELECT COALESCE(SUM(json_array_length(tool_calls)), 0) FROM messages WHERE session_id = ?1 AND json_valid(tool_calls))
		WHERE id = ?1`, to)
	return err
}

func branchTitle(t tx, from, title string) (string, error) {
	if title != "" {
		return freeTitle(t, title)
	}
	var parent sql.NullString
	if err := t.QueryRow(`SELECT title FROM sessions WHERE id = ?`, from).Scan(&parent); err != nil || parent.String == "" {
		return "", err
	}
	return nextTitle(t, parent.String)
}
