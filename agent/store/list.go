package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Entry is a session in a listing.
type Entry struct {
	Session
	// LastActive is the time of the newest message, or of the start.
	LastActive time.Time
	// Preview is the beginning of the first message of the user, on one line.
	Preview string
	// Root is the session in whose place this one stands: it was compacted
	// into this one. Empty when it stands for itself.
	Root string
}

// ListOptions choose what List returns.
type ListOptions struct {
	Filter
	// Children also lists subagents and what others were compacted into.
	Children bool
	// ByActivity sorts by the newest message instead of the start.
	ByActivity    bool
	Limit, Offset int // 0: no limit
}

// previewChars is how long a preview is, in characters, as the reference cuts it.
const previewChars = 60

// listed are sessions that stand in a listing by themselves: those without a
// parent and branches.
const listed = `(s.parent_session_id IS NULL
	OR json_extract(CASE WHEN json_valid(s.model_config) THEN s.model_config ELSE '{}' END, '$._branched_from') IS NOT NULL
	OR EXISTS (SELECT 1 FROM sessions p WHERE p.id = s.parent_session_id AND p.end_reason = 'branched' AND s.started_at >= p.ended_at))`

const entryColumns = sessionColumns + `,
	COALESCE((SELECT MAX(m.timestamp) FROM messages m WHERE m.session_id = s.id), s.started_at) AS last_active,
	(SELECT SUBSTR(m.content, 1, 400) FROM messages m WHERE m.session_id = s.id AND m.role = 'user' AND m.content IS NOT NULL
		AND (m.active = 1 OR m.compacted = 1) ORDER BY m.id LIMIT 1)`

// List returns sessions, the newest first. SystemPrompt is left out.
func (s *Store) List(ctx context.Context, o ListOptions) ([]Entry, error) {
	w := o.where()
	if !o.Children {
		w.add(listed)
	}
	order := "s.started_at DESC, s.id DESC"
	if o.ByActivity {
		order = "last_active DESC, s.id DESC"
	}
	limit := o.Limit
	if limit <= 0 {
		limit = -1
	}
	out, err := s.entries(ctx, w.String()+` ORDER BY `+order+` LIMIT ? OFFSET ?`, append(w.args, limit, o.Offset)...)
	if err != nil || o.Children {
		return out, err
	}
	for i, e := range out {
		if e.EndReason != EndCompressed {
			continue
		}
		tip, err := s.Tip(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		if tip == e.ID {
			continue
		}
		newest, err := s.entries(ctx, `s.id = ?`, tip)
		if err != nil {
			return nil, err
		}
		if len(newest) == 1 {
			out[i] = newest[0]
			out[i].Root, out[i].Started = e.ID, e.Started
			if out[i].Title == "" {
				out[i].Title = e.Title
			}
		}
	}
	return out, nil
}

func (s *Store) entries(ctx context.Context, where string, args ...any) ([]Entry, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	columns := strings.Replace(entryColumns, "s.system_prompt", "NULL", 1)
	rows, err := c.read.QueryContext(ctx, `SELECT `+columns+` FROM sessions s WHERE `+where, args...)
	if err != nil {
		return nil, s.readError("list sessions", err)
	}
	defer rows.Close()
	out := []Entry{}
	for rows.Next() {
		var last float64
		var preview sql.NullString
		one, err := scanSession(rows.Scan, &last, &preview)
		if err != nil {
			return nil, s.readError("list sessions", err)
		}
		out = append(out, Entry{Session: *one, LastActive: instant(last), Preview: previewOf(preview.String)})
	}
	return out, s.readError("list sessions", rows.Err())
}

func previewOf(content string) string {
	words, _ := decodeContent(content)
	words = strings.Join(strings.Fields(words), " ")
	if r := []rune(words); len(r) > previewChars {
		return string(r[:previewChars]) + "..."
	}
	return words
}

// hiddenSources are sessions that nobody talked to.
var hiddenSources = []string{"tool", "subagent"}

// Recent lists the sessions that a person had, the one that was used last
// first: what /sessions shows and /resume N counts.
func (s *Store) Recent(ctx context.Context, limit int) ([]Entry, error) {
	return s.List(ctx, ListOptions{Filter: Filter{ExcludeSources: hiddenSources}, ByActivity: true, Limit: limit})
}

// Resolve finds the session that a user means: by id, by title (the newest of
// "T", "T #2"), by its number in Recent, or by the beginning of an id. It
// fails with ErrNotFound or *AmbiguousError.
func (s *Store) Resolve(ctx context.Context, ref string) (string, error) {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return "", ErrNotFound
	}
	for _, find := range []func(context.Context, string) (string, error){s.byID, s.FindTitle, s.byNumber, s.byPrefix} {
		id, err := find(ctx, ref)
		if !errors.Is(err, ErrNotFound) {
			return id, err
		}
	}
	return "", fmt.Errorf("%w: %s", ErrNotFound, ref)
}

func (s *Store) byID(ctx context.Context, ref string) (string, error) {
	return s.oneID(ctx, `SELECT id FROM sessions WHERE id = ?`, ref)
}

// FindTitle finds the newest session of a line of titles ("T", "T #2", …);
// case does not matter. ErrNotFound when there is none.
func (s *Store) FindTitle(ctx context.Context, title string) (string, error) {
	return s.oneID(ctx, `SELECT id FROM sessions WHERE title = ?1 COLLATE NOCASE
		OR (title LIKE ?2 ESCAPE '\' AND SUBSTR(title, LENGTH(?1) + 3) NOT GLOB '*[^0-9]*' AND LENGTH(title) > LENGTH(?1) + 2)
		ORDER BY started_at DESC LIMIT 1`, title, likeLiteral(title)+" #%")
}

func (s *Store) oneID(ctx context.Context, query string, args ...any) (string, error) {
	c, err := s.open()
	if err != nil {
		return "", err
	}
	var id string
	err = c.read.QueryRowContext(ctx, query, args...).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", ErrNotFound
	}
	return id, s.readError("find session", err)
}

func (s *Store) byPrefix(ctx context.Context, ref string) (string, error) {
	c, err := s.open()
	if err != nil {
		return "", err
	}
	rows, err := c.read.QueryContext(ctx, `SELECT id FROM sessions WHERE id LIKE ? ESCAPE '\' ORDER BY started_at DESC LIMIT 10`, likeLiteral(ref)+"%")
	if err != nil {
		return "", s.readError("find session", err)
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return "", s.readError("find session", err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		return "", s.readError("find session", err)
	}
	switch len(ids) {
	case 0:
		return "", ErrNotFound
	case 1:
		return ids[0], nil
	}
	return "", &AmbiguousError{ref, ids}
}

func (s *Store) byNumber(ctx context.Context, ref string) (string, error) {
	n, err := strconv.Atoi(ref)
	if err != nil || n < 1 || n > 999 { // more digits begin a date
		return "", ErrNotFound
	}
	recent, err := s.Recent(ctx, n)
	if err != nil {
		return "", err
	}
	if len(recent) < n {
		return "", ErrNotFound
	}
	return recent[n-1].ID, nil
}
