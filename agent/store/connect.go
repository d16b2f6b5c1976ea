package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// readers is how many reads run side by side: the screen, a tool and a page.
const readers = 3

// connect opens the file at path, makes it when it is missing and completes it
// when an older program made it.
func connect(path string, log *slog.Logger) (*conns, error) {
	c := &conns{}
	if err := reserve(path); err != nil {
		var readOnly *ReadOnlyError
		if !errors.As(err, &readOnly) {
			return nil, err
		}
		c.readOnly = err
	}
	var err error
	for try := 0; ; try++ {
		err = c.dial(path, log)
		if err == nil {
			return c, nil
		}
		if !isBusy(err) || try == busyTries {
			break
		}
		time.Sleep(busyMin << min(try, 3)) // another process makes the file
	}
	if isCorrupt(err) {
		return nil, &CorruptError{path, err}
	}
	return nil, fmt.Errorf("open %s: %w", path, err)
}

// reserve makes the file and its folder when they are missing, for this user
// only: SQLite would make the file as the umask says, and its side files after
// it.
func reserve(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create the folder of the session database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	switch {
	case errors.Is(err, fs.ErrPermission):
		if _, err := os.Stat(path); err == nil {
			return &ReadOnlyError{path}
		}
		return fmt.Errorf("create the session database: %w", err)
	case err != nil:
		return fmt.Errorf("create the session database: %w", err)
	}
	return f.Close()
}

func (c *conns) dial(path string, log *slog.Logger) (err error) {
	defer func() {
		if err != nil {
			c.abandon()
		}
	}()
	if c.read, err = pool(dsn(path, forReading(c.readOnly)), readers); err != nil {
		return err
	}
	f, err := inspect(c.read)
	switch {
	case err != nil:
		return err
	case f.version > schemaVersion:
		c.readOnly = &NewerError{path, f.version, schemaVersion}
	case !f.empty && !f.ours:
		return fmt.Errorf("%s is a database of another program; move it away", path)
	}
	if c.readOnly != nil {
		return nil
	}
	c.write, err = pool(dsn(path, "journal_mode(wal)"), 1)
	if err != nil {
		return err
	}
	if err := c.write.Ping(); primary(err) == codeProtocol {
		// A network folder without shared memory: the plain journal does.
		log.Warn("no write-ahead log in this folder", "path", path, "error", err)
		_ = c.write.Close()
		if c.write, err = pool(dsn(path), 1); err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	return c.prepare(f, log)
}

// prepare brings the file to our schema and keeps the statements of a step.
func (c *conns) prepare(f found, log *slog.Logger) error {
	if f.version != schemaVersion {
		if err := c.transact(func(t tx) error { return create(t, f, log) }); err != nil {
			return err
		}
	}
	c.stmts = map[string]*sql.Stmt{}
	for _, q := range everyStep {
		st, err := c.write.Prepare(q)
		if err != nil {
			return fmt.Errorf("prepare %q: %w", q, err)
		}
		c.stmts[q] = st
	}
	return nil
}

func (c *conns) abandon() {
	for _, db := range []*sql.DB{c.read, c.write} {
		if db != nil {
			_ = db.Close() // the error that led here is the one to tell
		}
	}
	c.read, c.write, c.stmts = nil, nil, nil
}

func pool(dsn string, n int) (*sql.DB, error) {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// forReading are the pragmas of connections that only read.
func forReading(fileReadOnly error) string {
	if fileReadOnly != nil {
		return "" // mode=ro does it
	}
	return "query_only(1)"
}

// dsn is the data source of path, with pragmas that run on every connection;
// one that is empty opens the file for reading alone.
func dsn(path string, pragma ...string) string {
	v := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(" + strconv.Itoa(int(busyTimeout/time.Millisecond)) + ")",
		"foreign_keys(1)",
		"synchronous(normal)",
	}}
	for _, p := range pragma {
		if p == "" {
			v.Set("mode", "ro")
		} else {
			v.Add("_pragma", p)
		}
	}
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/… of Windows
	}
	u := url.URL{Scheme: "file", Path: p, RawQuery: v.Encode()}
	return u.String()
}

// salvageDSN opens a damaged file: writable_schema comes before anything reads
// the schema, so that one which names something twice does not keep the file
// shut.
func salvageDSN(path string) string {
	u, err := url.Parse(dsn(path))
	if err != nil {
		return dsn(path) // it was made by url itself
	}
	u.RawQuery = url.Values{"_pragma": {"busy_timeout(1000)", "writable_schema(1)"}}.Encode()
	return u.String()
}
