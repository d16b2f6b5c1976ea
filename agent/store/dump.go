package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Field is one column of a row: nil, int64, float64, string, or
// json.RawMessage where the column holds JSON.
type Field struct {
	Name  string
	Value any
}

// Record is a row with its columns in their order. As JSON it is an object.
type Record []Field

// MarshalJSON keeps the order of the columns.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		for j, v := range []any{f.Name, f.Value} {
			if j > 0 {
				b.WriteByte(':')
			}
			raw, err := json.Marshal(v)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			b.Write(raw)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Text is the text of a column, empty when it is none.
func (r Record) Text(name string) string {
	for _, f := range r {
		if s, ok := f.Value.(string); ok && f.Name == name {
			return s
		}
	}
	return ""
}

// Dump is a session with all that is stored of it, but for the context that
// hooks injected (decision D32).
type Dump struct {
	Session  Record
	Messages []Record
}

// Dump reads a session for export. Messages that were undone are left out;
// those that were compacted away come only with all.
func (s *Store) Dump(ctx context.Context, id string, all bool) (*Dump, error) {
	sessions, err := s.records(ctx, `SELECT * FROM sessions WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}
	if len(sessions) == 0 {
		return nil, ErrNotFound
	}
	msgs, err := s.records(ctx, `SELECT * FROM messages WHERE session_id = ? AND (active = 1 OR (compacted = 1 AND ?)) ORDER BY id`, id, all)
	if err != nil {
		return nil, err
	}
	for _, m := range msgs {
		for i, f := range m {
			switch f.Name {
			case "api_content":
				m[i].Value = nil
			case "content":
				if raw, ok := strings.CutPrefix(m.Text("content"), structured); ok && json.Valid([]byte(raw)) {
					m[i].Value = json.RawMessage(raw)
				}
			case "tool_calls":
				if raw := m.Text(f.Name); raw != "" && json.Valid([]byte(raw)) {
					m[i].Value = json.RawMessage(raw)
				}
			}
		}
	}
	return &Dump{sessions[0], msgs}, nil
}

func (s *Store) records(ctx context.Context, query string, args ...any) ([]Record, error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	rows, err := c.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.readError("read rows", err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, s.readError("read rows", err)
	}
	var out []Record
	for rows.Next() {
		r := make(Record, len(names))
		dest := make([]any, len(names))
		for i, name := range names {
			r[i].Name = name
			dest[i] = &r[i].Value
		}
		if err := rows.Scan(dest...); err != nil {
			return nil, s.readError("read rows", err)
		}
		for i, f := range r {
			if b, ok := f.Value.([]byte); ok { // a BLOB that some program wrote
				r[i].Value = string(b)
			}
		}
		out = append(out, r)
	}
	return out, s.readError("read rows", rows.Err())
}

// Imported says what Import did.
type Imported struct {
	Sessions, Messages int
	Skipped            []string // ids that were there already
	Renamed            []string // ids whose title was taken: it got a number
	Detached           []string // ids whose parent is not here
}

// Import stores sessions that were exported, all of them or, on an error,
// none. A session that is here already stays as it is. Columns that the
// database does not have are dropped.
func (s *Store) Import(ctx context.Context, dumps []Dump) (*Imported, error) {
	var im *Imported
	err := s.write(ctx, "import", func(t tx) error {
		im = &Imported{}
		for i, d := range dumps {
			if err := im.add(t, d); err != nil {
				return fmt.Errorf("session %d (%s): %w", i+1, d.Session.Text("id"), err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return im, nil
}

func (im *Imported) add(t tx, d Dump) error {
	id := d.Session.Text("id")
	if id == "" || d.Session.Text("source") == "" {
		return errors.New("has no id or source")
	}
	var n int
	if err := t.QueryRow(`SELECT COUNT(*) FROM sessions WHERE id = ?`, id).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		im.Skipped = append(im.Skipped, id)
		return nil
	}
	session, err := im.fit(t, id, d.Session)
	if err != nil {
		return err
	}
	if err := insertRecord(t, "sessions", session); err != nil {
		return err
	}
	calls := 0
	for i, m := range d.Messages {
		if m.Text("role") == "" {
			return fmt.Errorf("message %d has no role", i+1)
		}
		m = set(without(m, "id"), "session_id", id)
		if !slices.ContainsFunc(m, func(f Field) bool { return f.Name == "timestamp" && f.Value != nil }) {
			m = set(m, "timestamp", float64(i)/1e6)
		}
		if err := insertRecord(t, "messages", m); err != nil {
			return fmt.Errorf("message %d: %w", i+1, err)
		}
		calls += countCalls(m)
	}
	im.Sessions++
	im.Messages += len(d.Messages)
	_, err = t.Exec(`UPDATE sessions SET message_count = ?, tool_call_count = ? WHERE id = ?`, len(d.Messages), calls, id)
	return err
}

// countCalls counts the tool calls of a message, whose column is JSON or its
// text.
func countCalls(m Record) int {
	for _, f := range m {
		if raw, ok := f.Value.(json.RawMessage); ok && f.Name == "tool_calls" {
			return len(decodeCalls(string(raw)))
		}
	}
	return len(decodeCalls(m.Text("tool_calls")))
}

// fit makes a row of sessions fit in: its title is free, its parent is here.
func (im *Imported) fit(t tx, id string, r Record) (Record, error) {
	if title := cut(CleanTitle(r.Text("title")), MaxTitle); title != "" {
		free, err := freeTitle(t, title)
		if err != nil {
			return nil, err
		}
		if free != title {
			im.Renamed = append(im.Renamed, id)
		}
		r = set(r, "title", free)
	} else {
		r = set(r, "title", nil)
	}
	if parent := r.Text("parent_session_id"); parent != "" {
		var n int
		if err := t.QueryRow(`SELECT COUNT(*) FROM sessions WHERE id = ?`, parent).Scan(&n); err != nil {
			return nil, err
		}
		if n == 0 {
			im.Detached = append(im.Detached, id)
			r = set(r, "parent_session_id", nil)
		}
	}
	if !slices.ContainsFunc(r, func(f Field) bool { return f.Name == "started_at" && f.Value != nil }) {
		r = set(r, "started_at", 0.0)
	}
	return r, nil
}

func set(r Record, name string, value any) Record {
	r = slices.Clone(r)
	for i := range r {
		if r[i].Name == name {
			r[i].Value = value
			return r
		}
	}
	return append(r, Field{name, value})
}

func without(r Record, name string) Record {
	return slices.DeleteFunc(slices.Clone(r), func(f Field) bool { return f.Name == name })
}

// insertRecord inserts the columns that the table has. NULLs are left to the
// defaults.
func insertRecord(t tx, table string, r Record) error {
	have, err := columns(t, table)
	if err != nil {
		return err
	}
	var names, marks []string
	var args []any
	seen := map[string]bool{}
	for _, f := range r {
		if _, ok := have[f.Name]; !ok || f.Value == nil || seen[f.Name] {
			continue
		}
		v, err := columnValue(f)
		if err != nil {
			return err
		}
		seen[f.Name] = true
		names, marks, args = append(names, f.Name), append(marks, "?"), append(args, v)
	}
	_, err = t.Exec(`INSERT INTO `+table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(marks, ", ")+`)`, args...)
	return err
}

// columnValue is what is stored of a field: JSON as the reference spells it.
func columnValue(f Field) (any, error) {
	switch v := f.Value.(type) {
	case json.RawMessage:
		s := pySpell(v)
		if f.Name == "content" {
			s = structured + s
		}
		return s, nil
	case string:
		v = strings.ToValidUTF8(v, "\uFFFD")
		if f.Name == "content" {
			v = strings.TrimLeft(v, "\x00")
		}
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%s is no number", f.Name)
		}
		return v, nil
	case int64:
		return v, nil
	}
	return nil, fmt.Errorf("%s has a value of the type %T", f.Name, f.Value)
}
