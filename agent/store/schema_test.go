package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shape describes a database in a form that does not depend on how its
// statements are written.
func shape(t *testing.T, db *sql.DB) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	list := func(key, query string, args ...any) {
		rows, err := db.Query(query, args...)
		must(t, err)
		defer rows.Close()
		cols, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			values := make([]any, len(cols))
			dest := make([]any, len(cols))
			for i := range values {
				dest[i] = &values[i]
			}
			must(t, rows.Scan(dest...))
			var line []string
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					v = string(b)
				}
				line = append(line, fmt.Sprintf("%s=%v", cols[i], v))
			}
			out[key] = append(out[key], strings.Join(line, " "))
		}
		must(t, rows.Err())
	}
	rows, err := db.Query(`SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_master ORDER BY name`)
	must(t, err)
	type object struct{ typ, name, table, sql string }
	var all []object
	for rows.Next() {
		var o object
		must(t, rows.Scan(&o.typ, &o.name, &o.table, &o.sql))
		all = append(all, o)
	}
	must(t, rows.Err())
	must(t, rows.Close())
	for _, o := range all {
		key := o.typ + " " + o.name
		switch o.typ {
		case "table":
			list(key, `SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)`, o.name)
			list(key, `SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(?)`, o.name)
			out[key] = append(out[key], fmt.Sprint("autoincrement=", strings.Contains(o.sql, "AUTOINCREMENT")))
			if strings.HasPrefix(o.sql, "CREATE VIRTUAL") {
				out[key] = append(out[key], squeeze(o.sql))
			}
		case "index":
			list(key, `SELECT name, "desc", coll, key FROM pragma_index_xinfo(?)`, o.name)
			list(key, `SELECT "unique", partial FROM pragma_index_list(?) WHERE name = ?`, o.table, o.name)
			if _, cond, ok := strings.Cut(squeeze(o.sql), " WHERE "); ok {
				out[key] = append(out[key], cond)
			}
		case "trigger":
			out[key] = []string{squeeze(o.sql)}
		}
	}
	return out
}

// squeeze takes out of a statement what only lays it out.
func squeeze(s string) string {
	s = strings.Join(strings.Fields(strings.ReplaceAll(s, "IF NOT EXISTS ", "")), " ")
	return strings.NewReplacer("( ", "(", " )", ")").Replace(s)
}

// referenceDB makes a database of the reference's own statements.
func referenceDB(t *testing.T, path string) *sql.DB {
	t.Helper()
	b, err := os.ReadFile("testdata/reference-schema.json")
	must(t, err)
	var dump struct {
		Version int `json:"schema_version"`
		Objects []struct{ Type, Name, SQL string }
	}
	must(t, json.Unmarshal(b, &dump))
	order := map[string]int{"table": 0, "index": 1, "trigger": 2}
	sort.SliceStable(dump.Objects, func(i, j int) bool { return order[dump.Objects[i].Type] < order[dump.Objects[j].Type] })
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	for _, o := range dump.Objects {
		if o.Name == "sqlite_sequence" || strings.HasPrefix(o.SQL, "CREATE TABLE 'messages_fts") {
			continue // SQLite makes these
		}
		if _, err := db.Exec(o.SQL); err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
	}
	_, err = db.Exec(`INSERT INTO schema_version VALUES (?)`, dump.Version)
	must(t, err)
	return db
}

func TestSchemaIsTheReferences(t *testing.T) {
	s := open(t)
	must(t, s.Warm(ctx))
	want := shape(t, referenceDB(t, filepath.Join(t.TempDir(), "reference.db")))
	got := shape(t, s.conn.read)
	if len(want) < 40 {
		t.Fatalf("the reference has %d objects: the dump was not read", len(want))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("schema (-reference +ours):\n%s", d)
	}
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "1", "foreign_keys": "1"} {
		var got string
		must(t, s.conn.write.QueryRow("PRAGMA "+pragma).Scan(&got))
		equal(t, pragma, got, want)
	}
}

func TestFileIsForItsOwnerOnly(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "x")
	for _, side := range []string{"", "-wal", "-shm"} {
		fi, err := os.Stat(s.Path() + side)
		must(t, err)
		if fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", filepath.Base(s.Path())+side, fi.Mode())
		}
	}
}

func TestNewerSchemaIsReadNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	first := Open(path, Options{})
	add(t, first, "a", "user", "from the future")
	_, err := first.conn.write.Exec(`UPDATE schema_version SET version = 23`)
	must(t, err)
	must(t, first.Close())

	s := openAt(t, path)
	got, err := s.Messages(ctx, "a")
	must(t, err)
	equal(t, "messages", texts(got), []string{"user: from the future"})
	why, err := s.ReadOnly()
	must(t, err)
	var newer *NewerError
	if !errors.As(why, &newer) || newer.Found != 23 || newer.Known != 22 {
		t.Fatalf("ReadOnly: %v", why)
	}
	if err := s.SetTitle(ctx, "a", "x"); !errors.As(err, &newer) {
		t.Errorf("SetTitle: %v", err)
	}
	if _, err := s.AppendStep(ctx, Step{Session: "a"}); !errors.As(err, &newer) {
		t.Errorf("AppendStep: %v", err)
	}
}

// An older file lacks columns, indexes and the search tables. Nothing of it is
// lost, and its version stays for the reference to see.
func TestOlderSchemaIsCompleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	_, err = db.Exec(`CREATE TABLE schema_version (version INTEGER NOT NULL); INSERT INTO schema_version VALUES (6);
		CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, parent_session_id TEXT, started_at REAL NOT NULL,
			ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0, tool_call_count INTEGER DEFAULT 0,
			input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0);
		CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL,
			content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT);
		INSERT INTO sessions (id, source, started_at) VALUES ('old', 'cli', 1700000000.5);
		INSERT INTO messages (session_id, role, content, timestamp) VALUES ('old', 'user', 'an old question', 1700000001)`)
	must(t, err)
	must(t, db.Close())

	s := openAt(t, path)
	add(t, s, "old", "assistant", "a new answer")
	got, err := s.Messages(ctx, "old")
	must(t, err)
	equal(t, "messages", texts(got), []string{"user: an old question", "assistant: a new answer"})
	hits, err := s.Search(ctx, Search{Text: "question"})
	must(t, err)
	if len(hits) != 1 {
		t.Errorf("%d hits for an old message", len(hits))
	}
	st, err := s.Stats(ctx)
	must(t, err)
	equal(t, "version", st.SchemaVersion, 6)
}

func TestDamagedFileIsNamedAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	garbage := strings.Repeat("this is not a database. ", 400)
	must(t, os.WriteFile(path, []byte(garbage), 0o600))
	s := openAt(t, path)
	_, err := s.AppendStep(ctx, Step{Session: "a"})
	var bad *CorruptError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "hermes sessions repair") {
		t.Fatalf("error: %v", err)
	}
	after, err := os.ReadFile(path)
	must(t, err)
	if string(after) != garbage {
		t.Error("the file was changed")
	}
}

func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	_, err = db.Exec(`CREATE TABLE recipes (id INTEGER)`)
	must(t, err)
	must(t, db.Close())
	if err := openAt(t, path).Warm(ctx); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("error: %v", err)
	}
}

// The reference makes the file with the table of its delegations alone when
// that is all that a command needed.
func TestADatabaseWithOneTableOfTheReferenceIsCompleted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	db, err := sql.Open("sqlite", "file:"+path)
	must(t, err)
	_, err = db.Exec(`CREATE TABLE async_delegations (delegation_id TEXT PRIMARY KEY, origin_session TEXT NOT NULL, state TEXT NOT NULL, dispatched_at REAL NOT NULL, updated_at REAL NOT NULL);
		INSERT INTO async_delegations VALUES ('d1', 's1', 'running', 1, 1)`)
	must(t, err)
	must(t, db.Close())
	s := openAt(t, path)
	must(t, s.Warm(ctx))
	why, err := s.ReadOnly()
	must(t, err)
	if why != nil {
		t.Errorf("read only: %v", why)
	}
	must(t, s.Close())
	db, err = sql.Open("sqlite", "file:"+path)
	must(t, err)
	defer db.Close()
	var kept, version int
	must(t, db.QueryRow(`SELECT COUNT(*) FROM async_delegations WHERE delegation_id = 'd1'`).Scan(&kept))
	must(t, db.QueryRow(`SELECT version FROM schema_version`).Scan(&version))
	if kept != 1 || version != schemaVersion {
		t.Errorf("%d rows kept, schema %d", kept, version)
	}
}

func TestClosedStoreSaysSo(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "state.db"), Options{})
	must(t, s.Close())
	if _, err := s.Messages(context.Background(), "a"); !errors.Is(err, ErrClosed) {
		t.Errorf("error: %v", err)
	}
}

func TestMissingFolderIsMade(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "no", "such", "state.db"))
	add(t, s, "a", "user", "x")
}

func TestFolderThatCannotBeIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	if err := openAt(t, filepath.Join(file, "state.db")).Warm(ctx); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error: %v", err)
	}
}
