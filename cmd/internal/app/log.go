package app

import (
	"context"
	"io"
	"log/slog"
	"sync"
)

// lateLimit is how many records wait for the log to open; more are dropped,
// the oldest last, because the first ones say what went wrong.
const lateLimit = 256

// lateHandler keeps records until the real handler is known: the log can only
// be opened after config.yaml, and there is something to log before.
type lateHandler struct {
	shared *lateShared
	attrs  []slog.Attr
}

type lateShared struct {
	mu      sync.Mutex
	to      slog.Handler
	closer  io.Closer
	waiting []lateRecord
}

type lateRecord struct {
	rec   slog.Record
	attrs []slog.Attr
}

func newLateHandler() *lateHandler { return &lateHandler{shared: &lateShared{}} }

// open sends what waits, and everything after it, to h. closer ends h.
func (l *lateHandler) open(h slog.Handler, closer io.Closer) {
	s := l.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	s.to, s.closer = h, closer
	for _, w := range s.waiting {
		h2 := h.WithAttrs(w.attrs)
		if h2.Enabled(context.Background(), w.rec.Level) {
			// A log that cannot be written must not stop the program; the
			// handler itself reports a broken file once.
			_ = h2.Handle(context.Background(), w.rec)
		}
	}
	s.waiting = nil
}

// flush waits for what the open handler has not written yet.
func (l *lateHandler) flush(ctx context.Context) error {
	l.shared.mu.Lock()
	c := l.shared.closer
	l.shared.mu.Unlock()
	if f, ok := c.(interface{ Flush(context.Context) error }); ok {
		return f.Flush(ctx)
	}
	return nil
}

func (l *lateHandler) close() error {
	s := l.shared
	s.mu.Lock()
	c := s.closer
	s.to, s.closer = slog.DiscardHandler, nil
	s.mu.Unlock()
	if c == nil {
		return nil
	}
	return c.Close()
}

// Enabled implements slog.Handler.
func (l *lateHandler) Enabled(ctx context.Context, level slog.Level) bool {
	s := l.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to == nil || s.to.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (l *lateHandler) Handle(ctx context.Context, r slog.Record) error {
	s := l.shared
	s.mu.Lock()
	to := s.to
	if to == nil {
		if len(s.waiting) < lateLimit {
			s.waiting = append(s.waiting, lateRecord{r.Clone(), l.attrs})
		}
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	return to.WithAttrs(l.attrs).Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l *lateHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &lateHandler{l.shared, append(l.attrs[:len(l.attrs):len(l.attrs)], attrs...)}
}

// WithGroup implements slog.Handler. Groups are flattened: the log's lines
// have none.
func (l *lateHandler) WithGroup(string) slog.Handler { return l }
