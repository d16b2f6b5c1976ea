package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Options is what a Store needs besides the path. Zero values are fine.
type Options struct {
	// Log gets a line about what had to be mended or migrated.
	Log *slog.Logger
	Now func() time.Time
}

// Store is state.db. Use Open to make one.
type Store struct {
	path string
	log  *slog.Logger
	now  func() time.Time

	mu     sync.Mutex // guards what follows while the file is opened
	closed bool
	failed error // a damaged file: found once, told every time
	conn   *conns
}

// conns are the open connections of a Store.
type conns struct {
	// write has one connection, so that our own writes queue in Go instead of
	// failing as busy; nil when the file is not written.
	write *sql.DB
	read  *sql.DB
	// readOnly says why nothing is written; nil when it is.
	readOnly error

	// stmts holds the statements of every step, prepared on write when it was
	// opened: preparing one later would wait for the transaction that needs it.
	stmts map[string]*sql.Stmt
}

// Open returns the store at path, an absolute file name. Nothing is touched
// until the first use, which makes the file and its folder when they are
// missing.
func Open(path string, o Options) *Store {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{path: path, log: o.Log, now: o.Now}
}

// Path is the file of the database.
func (s *Store) Path() string { return s.path }

// Warm opens the database, so that the first use need not: to be called beside
// the first frame. The error is what every use would return.
func (s *Store) Warm(context.Context) error {
	_, err := s.open()
	return err
}

// ReadOnly opens the database and says why it is not written: *NewerError or
// *ReadOnlyError, nil when it is written. Other errors are those of Warm.
func (s *Store) ReadOnly() (why, err error) {
	c, err := s.open()
	if err != nil {
		return nil, err
	}
	return c.readOnly, nil
}

// open returns the connections, opening them at the first call.
func (s *Store) open() (*conns, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, ErrClosed
	case s.failed != nil:
		return nil, s.failed
	case s.conn != nil:
		return s.conn, nil
	}
	c, err := connect(s.path, s.log)
	if err != nil {
		var bad *CorruptError
		if errors.As(err, &bad) {
			s.failed = err
		}
		return nil, err
	}
	s.conn = c
	return c, nil
}

// Close ends all use. Writes that run are waited for. What is in the
// write-ahead log is moved into the file when no other process has it open.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	c := s.conn
	s.conn = nil
	if c == nil {
		return nil
	}
	return c.close()
}

func (c *conns) close() error {
	errs := []error{c.read.Close()}
	if c.write != nil {
		for _, st := range c.stmts {
			errs = append(errs, st.Close())
		}
		errs = append(errs, c.write.Close())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close the session store: %w", err)
	}
	return nil
}

// seconds is a time as the database keeps it.
func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// lastSecond ends the year 9999: what a row claims beyond it is no time.
const lastSecond = 253402300799

// instant is the time that the database keeps as sec; zero for none.
func instant(sec float64) time.Time {
	if sec <= 0 || sec > lastSecond {
		return time.Time{}
	}
	return time.UnixMicro(int64(sec*1e6 + 0.5))
}
