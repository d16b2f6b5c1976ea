package store

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"sort"
	"strings"
)

// schemaVersion is that of hermes-agent 0.19.0 (contract/core §8.2).
const schemaVersion = 22

var (
	//go:embed tables.sql
	tablesSQL string
	//go:embed indexes.sql
	indexesSQL string
	//go:embed search.sql
	searchSQL string
)

// found says what a database holds.
type found struct {
	empty   bool
	version int  // 0: it has tables but no version
	ours    bool // it has a table of the reference
}

func inspect(db *sql.DB) (found, error) {
	var f found
	var tables, known int
	// A command of the reference that needs no sessions makes the file with its
	// own table alone; the rest is added by whoever comes next.
	names := "'schema_version', '" + strings.Join(tableNames, "', '") + "'"
	err := db.QueryRow(`SELECT COUNT(*), COUNT(CASE WHEN name IN (`+names+`) THEN 1 END)
		FROM sqlite_master WHERE type = 'table'`).Scan(&tables, &known)
	if err != nil {
		return f, err
	}
	f.empty, f.ours = tables == 0, known > 0
	if known == 0 {
		return f, nil
	}
	err = db.QueryRow(`SELECT version FROM schema_version`).Scan(&f.version)
	if errors.Is(err, sql.ErrNoRows) || (err != nil && !isCorrupt(err) && !isBusy(err)) {
		return f, nil // an old file, or one whose making was cut short
	}
	return f, err
}

// create makes what is missing of the schema. Of an older file everything is
// kept: tables, columns and indexes are added, and the version number stays,
// so that the reference still takes its own steps when it opens the file.
func create(t tx, f found, log *slog.Logger) error {
	if _, err := t.Exec(tablesSQL); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	if !f.empty {
		added, err := addColumns(t)
		if err != nil {
			return fmt.Errorf("add columns: %w", err)
		}
		log.Info("session database was completed", "schema_version", f.version, "columns_added", added)
	}
	if _, err := t.Exec(indexesSQL); err != nil {
		return fmt.Errorf("create indexes: %w", err)
	}
	var searchable int
	if err := t.QueryRow(`SELECT COUNT(*) FROM sqlite_master
		WHERE type = 'table' AND name IN ('messages_fts', 'messages_fts_trigram')`).Scan(&searchable); err != nil {
		return err
	}
	if _, err := t.Exec(searchSQL); err != nil {
		return fmt.Errorf("create the search index: %w", err)
	}
	if searchable < 2 && !f.empty {
		if err := rebuildSearch(t); err != nil {
			return fmt.Errorf("fill the search index: %w", err)
		}
	}
	if f.version == 0 {
		if _, err := t.Exec(`INSERT INTO schema_version (version) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM schema_version)`, schemaVersion); err != nil {
			return err
		}
	}
	return nil
}

// addColumns adds the columns that the tables of an older file lack, and
// returns their names. What columns there should be is asked of SQLite itself,
// with a schema in memory.
func addColumns(t tx) ([]string, error) {
	mem, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer mem.Close()
	mem.SetMaxOpenConns(1)
	if _, err := mem.Exec(tablesSQL); err != nil {
		return nil, err
	}
	var added []string
	for _, table := range tableNames {
		want, err := columns(mem, table)
		if err != nil {
			return nil, err
		}
		have, err := columns(t, table)
		if err != nil {
			return nil, err
		}
		names := make([]string, 0, len(want))
		for name := range want {
			if _, ok := have[name]; !ok {
				names = append(names, name)
			}
		}
		sort.Strings(names)
		for _, name := range names {
			if _, err := t.Exec(`ALTER TABLE ` + table + ` ADD COLUMN ` + name + ` ` + want[name]); err != nil {
				return nil, fmt.Errorf("%s.%s: %w", table, name, err)
			}
			added = append(added, table+"."+name)
		}
	}
	return added, nil
}

var tableNames = []string{
	"sessions", "messages", "session_model_usage", "state_meta", "gateway_routing", "compression_locks", "async_delegations",
}

type querier interface {
	Query(query string, args ...any) (*sql.Rows, error)
}

// columns maps the columns of a table to what ADD COLUMN says of them.
func columns(q querier, table string) (map[string]string, error) {
	rows, err := q.Query(`SELECT name, type, "notnull", dflt_value FROM pragma_table_info(?)`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var name, typ string
		var notNull bool
		var def sql.NullString
		if err := rows.Scan(&name, &typ, &notNull, &def); err != nil {
			return nil, err
		}
		// A column can only be added as NOT NULL when it has a default.
		if notNull && def.Valid {
			typ += " NOT NULL"
		}
		if def.Valid {
			typ += " DEFAULT " + def.String
		}
		out[name] = typ
	}
	return out, rows.Err()
}

// rebuildSearch makes the search index anew, of the messages.
func rebuildSearch(t tx) error {
	for _, table := range []string{"messages_fts", "messages_fts_trigram"} {
		for _, what := range []string{"_insert", "_delete", "_update"} {
			if _, err := t.Exec(`DROP TRIGGER IF EXISTS ` + table + what); err != nil {
				return err
			}
		}
		if _, err := t.Exec(`DROP TABLE IF EXISTS ` + table); err != nil {
			return err
		}
	}
	if _, err := t.Exec(searchSQL); err != nil {
		return err
	}
	for _, table := range []string{"messages_fts", "messages_fts_trigram"} {
		if _, err := t.Exec(`INSERT INTO ` + table + `(rowid, content)
			SELECT id, COALESCE(content, '') || ' ' || COALESCE(tool_name, '') || ' ' || COALESCE(tool_calls, '') FROM messages`); err != nil {
			return err
		}
	}
	return nil
}
