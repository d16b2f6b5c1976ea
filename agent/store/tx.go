package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// How long a write waits for another process: what the reference does, so that
// neither program starves the other.
const (
	busyTimeout = time.Second // inside SQLite, each try
	busyTries   = 15
	busyMin     = 20 * time.Millisecond
	busyMax     = 150 * time.Millisecond
)

// tx is a write transaction.
type tx struct {
	*sql.Tx
	c *conns
}

// exec runs a statement, a prepared one when there is.
func (t tx) exec(query string, args ...any) (sql.Result, error) {
	if st, ok := t.c.stmts[query]; ok {
		return t.Stmt(st).Exec(args...)
	}
	return t.Exec(query, args...)
}

// row runs a query for one row and reads it.
func (t tx) row(query string, dest []any, args ...any) error {
	if st, ok := t.c.stmts[query]; ok {
		return t.Stmt(st).QueryRow(args...).Scan(dest...)
	}
	return t.QueryRow(query, args...).Scan(dest...)
}

// write runs fn in one transaction, again while another process holds the
// database. fn must have no effect but on the transaction. A write is not
// given up when ctx ends in the middle: what a turn has done is kept. Only the
// wait for another process ends then.
func (s *Store) write(ctx context.Context, what string, fn func(tx) error) error {
	c, err := s.open()
	if err != nil {
		return err
	}
	if c.readOnly != nil {
		return c.readOnly
	}
	rebuilt := false
	for try := 0; ; try++ {
		err = c.transact(fn)
		switch {
		case err == nil:
			return nil
		case code(err) == codeCorruptVTab && !rebuilt:
			// Only the search index is damaged. It is made of the messages.
			rebuilt = true
			s.log.Warn("search index is damaged: rebuilding it", "error", err)
			if err := c.transact(rebuildSearch); err != nil {
				return fmt.Errorf("%s: rebuild the search index: %w", what, err)
			}
			continue
		case isCorrupt(err):
			return fmt.Errorf("%s: %w", what, &CorruptError{s.path, err})
		case !isBusy(err) || try == busyTries:
			return fmt.Errorf("%s: %w", what, err)
		}
		if err := pause(ctx); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
}

// pause waits a random while, so that waiting processes do not meet again.
func pause(ctx context.Context) error {
	t := time.NewTimer(busyMin + rand.N(busyMax-busyMin))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *conns) transact(fn func(tx) error) error {
	// The context is one without an end: a context that can end makes the
	// driver watch every statement.
	t, err := c.write.BeginTx(context.Background(), nil) // BEGIN IMMEDIATE (dsn)
	if err != nil {
		return err
	}
	if err := fn(tx{t, c}); err != nil {
		return errors.Join(err, ignoreDone(t.Rollback()))
	}
	if err := t.Commit(); err != nil {
		return errors.Join(err, ignoreDone(t.Rollback()))
	}
	return nil
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
