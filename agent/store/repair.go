package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"
)

// Repaired says what Repair found and did.
type Repaired struct {
	Healthy  bool     // there was nothing to do
	Problems []string // what SQLite says of the file, at most ten lines
	Backup   string   // the copy of the damaged file, empty without one
	// Sessions and Messages are what the new file holds; Lost counts rows that
	// could not be read.
	Sessions, Messages, Lost int
}

// Check says what is wrong with the database at path, without changing it; no
// lines mean that it is sound.
func Check(ctx context.Context, path string) ([]string, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("check the session database: %w", err)
	}
	db, err := pool(dsn(path, "query_only(1)"), 1)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `PRAGMA integrity_check(10)`)
	if err != nil {
		return damage(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return damage(err)
		}
		if line != "ok" {
			out = append(out, line)
		}
	}
	if err := rows.Err(); err != nil {
		return damage(err)
	}
	if out, err = withoutFalseAlarms(ctx, db, out); err != nil || len(out) > 0 {
		return out, err
	}
	return schemaProblems(ctx, db)
}

// indexProblem is how SQLite's complaints about a search index begin.
const indexProblem = "malformed inverted index"

// withoutFalseAlarms drops complaints about the search index where messages
// hold a NUL, as structured ones of the reference do: versions of SQLite index
// what follows it differently, and each takes the other's index for damaged.
func withoutFalseAlarms(ctx context.Context, db *sql.DB, problems []string) ([]string, error) {
	if !slices.ContainsFunc(problems, ofIndex) {
		return problems, nil
	}
	var n int
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM messages WHERE INSTR(content, CHAR(0)) > 0`).Scan(&n); err != nil {
		return damage(err)
	}
	if n > 0 {
		problems = slices.DeleteFunc(problems, ofIndex)
	}
	return problems, nil
}

func ofIndex(problem string) bool { return strings.HasPrefix(problem, indexProblem) }

// schemaProblems names the tables that are missing, search index included.
func schemaProblems(ctx context.Context, db *sql.DB) ([]string, error) {
	var out []string
	for _, table := range []string{"sessions", "messages", "messages_fts", "messages_fts_trigram"} {
		var n int
		if err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM (SELECT 1 FROM `+table+` LIMIT 1)`).Scan(&n); err != nil {
			out = append(out, err.Error())
		}
	}
	return out, nil
}

func damage(err error) ([]string, error) {
	if isCorrupt(err) {
		return []string{err.Error()}, nil
	}
	return nil, fmt.Errorf("check the session database: %w", err)
}

// Repair makes a sound database of a damaged one: everything that can be read
// is copied into a new file, which then takes the place of the old one. The
// old one is kept beside it unless backup is false. No other program may have
// the file open. Where only the search index is damaged it is made anew in
// place. A sound file is left alone.
func Repair(ctx context.Context, path string, backup bool, log *slog.Logger) (*Repaired, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	r := &Repaired{}
	var err error
	if r.Problems, err = Check(ctx, path); err != nil {
		return nil, err
	}
	if r.Healthy = len(r.Problems) == 0; r.Healthy {
		return r, nil
	}
	if !slices.ContainsFunc(r.Problems, func(p string) bool { return !ofIndex(p) }) {
		return r, r.reindex(ctx, path, log)
	}
	stamp := time.Now().Format("20060102_150405")
	if backup {
		r.Backup = path + ".damaged-" + stamp
		for _, side := range []string{"", "-wal"} {
			if err := copyFile(path+side, r.Backup+side); err != nil && (side == "" || !errors.Is(err, os.ErrNotExist)) {
				return nil, fmt.Errorf("keep a copy of the damaged file: %w", err)
			}
		}
	}
	fresh := path + ".repaired-" + stamp
	if err := r.salvage(ctx, path, fresh, log); err != nil {
		return nil, errors.Join(fmt.Errorf("repair %s: %w", path, err), removeAll(fresh))
	}
	if r.Sessions+r.Messages == 0 && !backup {
		return nil, errors.Join(fmt.Errorf("repair %s: nothing could be read, and no copy was to be kept", path), removeAll(fresh))
	}
	// The log belongs to the old file.
	if err := errors.Join(removeSide(path), os.Rename(fresh, path)); err != nil {
		return nil, fmt.Errorf("put the repaired file in its place: %w", err)
	}
	return r, removeSide(fresh)
}

// reindex makes the search index anew, in place: the messages are sound.
func (r *Repaired) reindex(ctx context.Context, path string, log *slog.Logger) error {
	s := Open(path, Options{Log: log})
	defer s.Close()
	if err := s.write(ctx, "rebuild the search index", rebuildSearch); err != nil {
		return err
	}
	st, err := s.Stats(ctx)
	if err != nil {
		return err
	}
	r.Sessions, r.Messages = st.Sessions, st.Messages
	return nil
}

func removeSide(path string) error {
	var errs []error
	for _, side := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + side); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func removeAll(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return removeSide(path)
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	return out.Close()
}

// salvage copies what can be read of the tables at path into a new database.
func (r *Repaired) salvage(ctx context.Context, path, fresh string, log *slog.Logger) error {
	to := Open(fresh, Options{Log: log})
	defer to.Close()
	c, err := to.open()
	if err != nil {
		return err
	}
	from, err := pool(salvageDSN(path), 1)
	if err != nil {
		return err
	}
	defer from.Close()
	for _, table := range tableNames {
		n, lost, err := copyTable(ctx, c, from, table, log)
		if err != nil {
			return fmt.Errorf("copy %s: %w", table, err)
		}
		r.Lost += lost
		switch table {
		case "sessions":
			r.Sessions = n
		case "messages":
			r.Messages = n
		}
		log.Info("rows saved", "table", table, "rows", n, "lost", lost)
	}
	return nil
}

// copyTable copies the rows of a table, from both ends when the middle cannot
// be read. Rows that the new table refuses count as lost.
func copyTable(ctx context.Context, c *conns, from *sql.DB, table string, log *slog.Logger) (n, lost int, err error) {
	want, err := columns(c.read, table)
	if err != nil {
		return 0, 0, err
	}
	have, err := columns(from, table)
	if err != nil {
		log.Warn("table cannot be read", "table", table, "error", err)
		return 0, 1, ctx.Err()
	}
	if len(have) == 0 {
		return 0, 0, nil // an older file without this table
	}
	var names []string
	for name := range have {
		if _, ok := want[name]; ok {
			names = append(names, name)
		}
	}
	list := strings.Join(names, ", ")
	insert := `INSERT OR IGNORE INTO ` + table + ` (` + list + `) VALUES (` + strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ") + `)`
	seen := map[int64]bool{}
	for _, order := range []string{"ASC", "DESC"} {
		complete := false
		err := c.transact(func(t tx) error {
			if _, err := t.Exec(`PRAGMA defer_foreign_keys = 1`); err != nil {
				return err
			}
			var err error
			complete, err = copyRows(ctx, t, from, `SELECT rowid, `+list+` FROM `+table+` ORDER BY rowid `+order, insert, len(names), seen, &lost)
			if err != nil {
				return err
			}
			return dropOrphans(t, table)
		})
		if err != nil {
			return 0, 0, err
		}
		if complete {
			break
		}
		if order == "DESC" {
			lost++ // at least one row between the two ends
		}
	}
	err = c.write.QueryRow(`SELECT COUNT(*) FROM ` + table).Scan(&n)
	return n, lost, err
}

// copyRows copies rows until one cannot be read; it says whether it came to
// the end.
func copyRows(ctx context.Context, t tx, from *sql.DB, query, insert string, n int, seen map[int64]bool, lost *int) (bool, error) {
	rows, err := from.QueryContext(ctx, query)
	if err != nil {
		return false, ctx.Err()
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		values := make([]any, n)
		dest := []any{&id}
		for i := range values {
			dest = append(dest, &values[i])
		}
		if rows.Scan(dest...) != nil {
			return false, ctx.Err()
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		r, err := t.Exec(insert, values...)
		if err != nil {
			return false, err
		}
		if k, err := r.RowsAffected(); err == nil && k == 0 {
			*lost++
		}
	}
	return rows.Err() == nil, ctx.Err()
}

// dropOrphans keeps references whole: a message whose session could not be
// read gets a session of its own, a parent that is gone is forgotten.
func dropOrphans(t tx, table string) error {
	var queries []string
	switch table {
	case "sessions":
		queries = []string{`UPDATE sessions SET parent_session_id = NULL WHERE parent_session_id IS NOT NULL
			AND parent_session_id NOT IN (SELECT id FROM sessions)`}
	case "messages":
		queries = []string{`INSERT INTO sessions (id, source, started_at, message_count)
			SELECT session_id, 'cli', MIN(timestamp), COUNT(*) FROM messages
			WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id`}
	case "session_model_usage":
		queries = []string{`DELETE FROM session_model_usage WHERE session_id NOT IN (SELECT id FROM sessions)`}
	}
	for _, q := range queries {
		if _, err := t.Exec(q); err != nil {
			return err
		}
	}
	return nil
}
