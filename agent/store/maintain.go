package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Delete removes sessions for good, with their messages and what was counted
// for them, and returns how many there were. Sessions that continued or
// branched from them stay, without a parent.
func (s *Store) Delete(ctx context.Context, ids ...string) (int, error) {
	n := 0
	err := s.write(ctx, "delete sessions", func(t tx) error {
		n = 0
		for _, id := range ids {
			for _, q := range []string{
				`UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id = ?`,
				`DELETE FROM messages WHERE session_id = ?`,
				`DELETE FROM session_model_usage WHERE session_id = ?`,
				`DELETE FROM compression_locks WHERE session_id = ?`,
			} {
				if _, err := t.Exec(q, id); err != nil {
					return err
				}
			}
			r, err := t.Exec(`DELETE FROM sessions WHERE id = ?`, id)
			if err != nil {
				return err
			}
			if err := oneRow(r); err == nil {
				n++
			} else if !errors.Is(err, ErrNotFound) {
				return err
			}
		}
		return nil
	})
	return n, err
}

// RemoveFiles removes the files that belong to deleted sessions from the
// folder of sessions: <id>.json, <id>.jsonl and request_dump_<id>_*.
func RemoveFiles(dir string, ids ...string) error {
	var errs []error
	for _, id := range ids {
		if id == "" || id != filepath.Base(id) || strings.ContainsAny(id, `*?[\`) {
			continue // no name of a file that a session could have
		}
		names := []string{id + ".json", id + ".jsonl"}
		dumps, err := filepath.Glob(filepath.Join(dir, "request_dump_"+id+"_*.json"))
		if err != nil {
			errs = append(errs, err)
		}
		for _, d := range dumps {
			names = append(names, filepath.Base(d))
		}
		for _, name := range names {
			if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// abandoned is how long a session that was never ended must have been quiet
// before it counts as over: its program was killed.
const abandoned = 24 * time.Hour

// Candidates lists the sessions that f picks and that are over, the oldest
// first: what Prune of the command line deletes or archives. Sessions that may
// be running are left out.
func (s *Store) Candidates(ctx context.Context, f Filter) ([]Entry, error) {
	w := f.where()
	quiet := s.now().Add(-abandoned)
	w.add(`(s.ended_at IS NOT NULL OR COALESCE((SELECT MAX(q.timestamp) FROM messages q WHERE q.session_id = s.id), s.started_at) < ?)`, seconds(quiet))
	return s.entries(ctx, w.String()+` ORDER BY s.started_at, s.id`, w.args...)
}

// Archive hides sessions and returns how many it has hidden.
func (s *Store) Archive(ctx context.Context, ids ...string) (int, error) {
	n := 0
	err := s.write(ctx, "archive sessions", func(t tx) error {
		n = 0
		for _, id := range ids {
			r, err := t.Exec(`UPDATE sessions SET archived = 1 WHERE id = ? AND archived = 0`, id)
			if err != nil {
				return err
			}
			k, err := r.RowsAffected()
			if err != nil {
				return err
			}
			n += int(k)
		}
		return nil
	})
	return n, err
}

// Stats describes the database.
type Stats struct {
	Path                string
	SchemaVersion       int
	Sessions, Messages  int
	BySource            []SourceCount // most sessions first
	Bytes               int64         // of the file, its log included
	Input, Output       int           // tokens
	EstimatedCost       float64       // USD
	Archived, Compacted int           // sessions, messages
}

// SourceCount counts the sessions of a source.
type SourceCount struct {
	Source   string
	Sessions int
}

// Stats counts what is stored.
func (s *Store) Stats(ctx context.Context) (*Stats, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	st := &Stats{Path: s.path, Bytes: s.size()}
	err = c.read.QueryRowContext(ctx, `SELECT (SELECT COALESCE(MAX(version), 0) FROM schema_version), COUNT(*), COALESCE(SUM(input_tokens), 0),
		COALESCE(SUM(output_tokens), 0), COALESCE(SUM(estimated_cost_usd), 0), COALESCE(SUM(archived), 0),
		(SELECT COUNT(*) FROM messages), (SELECT COUNT(*) FROM messages WHERE compacted = 1) FROM sessions`).Scan(
		&st.SchemaVersion, &st.Sessions, &st.Input, &st.Output, &st.EstimatedCost, &st.Archived, &st.Messages, &st.Compacted)
	if err != nil {
		return nil, s.readError("count sessions", err)
	}
	rows, err := c.read.QueryContext(ctx, `SELECT source, COUNT(*) FROM sessions GROUP BY source ORDER BY 2 DESC, 1`)
	if err != nil {
		return nil, s.readError("count sessions", err)
	}
	defer rows.Close()
	for rows.Next() {
		var n SourceCount
		if err := rows.Scan(&n.Source, &n.Sessions); err != nil {
			return nil, s.readError("count sessions", err)
		}
		st.BySource = append(st.BySource, n)
	}
	return st, s.readError("count sessions", rows.Err())
}

// size is the size of the file and its log, in bytes; what is not there is 0.
func (s *Store) size() int64 {
	var n int64
	for _, name := range []string{s.path, s.path + "-wal"} {
		if fi, err := os.Stat(name); err == nil {
			n += fi.Size()
		}
	}
	return n
}

// Optimize merges the search indexes and gives unused space back. It returns
// the size before and after, in bytes. Other programs wait meanwhile.
func (s *Store) Optimize(ctx context.Context) (before, after int64, err error) {
	before = s.size()
	err = s.write(ctx, "optimize", func(t tx) error {
		for _, table := range []string{"messages_fts", "messages_fts_trigram"} {
			if _, err := t.Exec(`INSERT INTO ` + table + `(` + table + `) VALUES ('optimize')`); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return before, before, err
	}
	c, err := s.open()
	if err != nil {
		return before, before, err
	}
	if _, err := c.write.ExecContext(ctx, `VACUUM`); err != nil {
		return before, s.size(), fmt.Errorf("optimize: %w", err)
	}
	// The log is as large as the file now; a reader elsewhere keeps it so.
	var busy, log, done sql.NullInt64
	if err := c.write.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &done); err != nil {
		return before, s.size(), fmt.Errorf("optimize: %w", err)
	}
	return before, s.size(), nil
}
