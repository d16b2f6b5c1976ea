package store

import (
	"context"
	"database/sql"
	"strings"
	"time"
	"unicode"
)

// Search is what to look for.
type Search struct {
	Text           string
	Roles          []string // none: all
	Sources        []string // none: all
	ExcludeSources []string
	// Sort is "" (best first), SortNewest or SortOldest.
	Sort          string
	Limit, Offset int // 0: 20
}

// Orders of a search.
const (
	SortNewest = "newest"
	SortOldest = "oldest"
)

// Hit is a message that was found. What was compacted away is found, what was
// undone is not; context that hooks injected is not searched (decision D32).
type Hit struct {
	MessageID             int64
	Session, Role, Tool   string
	Time, Started         time.Time
	Source, Model, Title  string
	Snippet               string // hits between >>> and <<<
	Archived, FromCompact bool
}

const hitColumns = `m.id, m.session_id, m.role, m.tool_name, m.timestamp, s.started_at, s.source, s.model, s.title, COALESCE(s.archived, 0) <> 0, m.compacted <> 0`

// searchedText is what the indexes hold of a message.
const searchedText = `(COALESCE(m.content, '') || ' ' || COALESCE(m.tool_name, '') || ' ' || COALESCE(m.tool_calls, ''))`

// Search finds messages. A text without a word finds nothing.
func (s *Store) Search(ctx context.Context, q Search) ([]Hit, error) {
	clauses := parseQuery(q.Text)
	if len(clauses) == 0 {
		return nil, nil
	}
	if hasCJK(clauses) {
		if allLong(clauses) {
			return s.indexed(ctx, q, "messages_fts_trigram", match(clauses, orEscaped))
		}
		return s.scanned(ctx, q, clauses)
	}
	hits, err := s.indexed(ctx, q, "messages_fts", match(clauses, asWritten))
	if err != nil || len(hits) > 0 || q.Offset > 0 || !allLong(clauses) {
		return hits, err
	}
	// No such word: perhaps it is a part of one.
	return s.indexed(ctx, q, "messages_fts_trigram", match(clauses, asWritten))
}

func (q Search) where() *where {
	w := &where{}
	w.add(`(m.active = 1 OR m.compacted = 1)`)
	w.in("m.role", "", q.Roles)
	w.in("s.source", "", q.Sources)
	w.in("s.source", " NOT", q.ExcludeSources)
	return w
}

func (q Search) order(best string) string {
	switch q.Sort {
	case SortNewest:
		return "m.timestamp DESC, m.id DESC"
	case SortOldest:
		return "m.timestamp, m.id"
	}
	return best
}

func (q Search) limit() int {
	if q.Limit <= 0 {
		return 20
	}
	return q.Limit
}

// indexed asks one of the two indexes.
func (s *Store) indexed(ctx context.Context, q Search, table, match string) ([]Hit, error) {
	w := q.where()
	args := append([]any{match}, w.args...)
	return s.hits(ctx, `SELECT `+hitColumns+`, snippet(`+table+`, 0, '>>>', '<<<', '...', 40)
		FROM `+table+` f JOIN messages m ON m.id = f.rowid JOIN sessions s ON s.id = m.session_id
		WHERE `+table+` MATCH ? AND `+w.String()+` ORDER BY `+q.order("rank")+` LIMIT ? OFFSET ?`,
		nil, append(args, q.limit(), q.Offset)...)
}

// scanned reads every message.
func (s *Store) scanned(ctx context.Context, q Search, clauses []clause) ([]Hit, error) {
	w := q.where()
	cond, args := like(clauses, searchedText)
	w.add(cond, args...)
	return s.hits(ctx, `SELECT `+hitColumns+`, `+searchedText+`
		FROM messages m JOIN sessions s ON s.id = m.session_id
		WHERE `+w.String()+` ORDER BY `+q.order("m.timestamp DESC, m.id DESC")+` LIMIT ? OFFSET ?`,
		func(text string) string { return snippet(strings.TrimSpace(text), clauses) }, append(w.args, q.limit(), q.Offset)...)
}

func (s *Store) hits(ctx context.Context, query string, shorten func(string) string, args ...any) ([]Hit, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	rows, err := c.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.readError("search", err)
	}
	defer rows.Close()
	var out []Hit
	for rows.Next() {
		var h Hit
		var tool, model, title sql.NullString
		var at, started float64
		if err := rows.Scan(&h.MessageID, &h.Session, &h.Role, &tool, &at, &started, &h.Source, &model, &title,
			&h.Archived, &h.FromCompact, &h.Snippet); err != nil {
			return nil, s.readError("search", err)
		}
		h.Tool, h.Model, h.Title = tool.String, model.String, title.String
		h.Time, h.Started = instant(at), instant(started)
		if shorten != nil {
			h.Snippet = shorten(h.Snippet)
		}
		out = append(out, h)
	}
	return out, s.readError("search", rows.Err())
}

// snippetAround is how many characters a snippet shows on each side of a hit
// that no index has found.
const snippetAround = 40

// snippet is the part of text around the first term that is in it.
func snippet(text string, clauses []clause) string {
	runes := []rune(text)
	low := make([]rune, len(runes))
	for i, r := range runes {
		low[i] = unicode.ToLower(r)
	}
	at, n := -1, 0
	for _, c := range clauses {
		for _, t := range c.must {
			for _, s := range orEscaped(t) {
				find := []rune(strings.ToLower(s))
				if i := indexRunes(low, find); i >= 0 && (at < 0 || i < at) {
					at, n = i, len(find)
				}
			}
		}
	}
	if at < 0 {
		at = 0
	}
	from, to := max(0, at-snippetAround), min(len(runes), at+n+snippetAround)
	var b strings.Builder
	if from > 0 {
		b.WriteString("...")
	}
	b.WriteString(string(runes[from:at]))
	if n > 0 {
		b.WriteString(">>>" + string(runes[at:at+n]) + "<<<")
	}
	b.WriteString(string(runes[at+n : to]))
	if to < len(runes) {
		b.WriteString("...")
	}
	return b.String()
}

func indexRunes(in, find []rune) int {
	for i := 0; i+len(find) <= len(in); i++ {
		j := 0
		for j < len(find) && in[i+j] == find[j] {
			j++
		}
		if j == len(find) {
			return i
		}
	}
	return -1
}
