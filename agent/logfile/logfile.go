// Package logfile writes the reference's two log files: agent.log from the
// configured level up, and errors.log from WARNING up. Lines have the
// reference's form, so that its tools and habits go on working, and both
// programs may append to the same files at once.
//
// Writing happens on one goroutine behind a bounded queue: whoever logs never
// waits for a disk.
package logfile

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Keys of attributes with a meaning of their own.
const (
	Component = "logger"  // the logger's name, "hermes_cli.plugins"
	Session   = "session" // the session id of the running turn
	Traceback = "exc"     // a Python traceback, appended on its own lines
)

// Sizes and counts of the reference (contract/plugins §14).
const (
	agentSize, agentKept   = 5 << 20, 3
	errorsSize, errorsKept = 2 << 20, 2
)

// maxRecord bounds one record, in bytes: a plugin may log a whole response.
const maxRecord = 256 << 10

// queueLimit is how many records may wait for the disk; what comes while it is
// full is counted and the count is written.
const queueLimit = 4096

// Options says where and what to write.
type Options struct {
	Dir    string              // the logs folder; made when it is missing
	Level  string              // of agent.log: DEBUG, INFO, WARNING, ERROR; anything else means INFO
	Debug  bool                // DEBUG whatever Level says
	Redact func(string) string // applied to every line; nil for none
	// Failed is called once, with the first failure to write; nil for nobody.
	// It may be called from any goroutine and must not wait for the log.
	Failed func(error)
	// MaxSize and Kept override the rotation of agent.log, in bytes and files;
	// zero means the reference's 5 MiB and 3.
	MaxSize int64
	Kept    int
}

// Handler is a slog.Handler. It is safe for concurrent use; Close ends it.
type Handler struct {
	*shared
	component, session string
	attrs              []slog.Attr
}

type shared struct {
	level  slog.Level
	redact func(string) string
	queue  chan record
	stop   chan struct{}
	done   chan struct{}
	once   sync.Once

	tell func(error)

	mu      sync.Mutex
	dropped int
	failed  error // the first failure to write
}

type record struct {
	line  string
	level slog.Level
	done  chan struct{} // of a Flush: closed when everything before is written
}

// Open starts the writer. The files are opened at the first record.
func Open(o Options) (*Handler, error) {
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the log folder: %w", err)
	}
	s := &shared{
		level: parseLevel(o.Level), redact: o.Redact, tell: o.Failed,
		queue: make(chan record, queueLimit), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if o.Debug {
		s.level = slog.LevelDebug
	}
	size, kept := o.MaxSize, o.Kept
	if size == 0 {
		size = agentSize
	}
	if kept == 0 {
		kept = agentKept
	}
	agent := &file{path: filepath.Join(o.Dir, "agent.log"), size: size, kept: kept}
	warnings := &file{path: filepath.Join(o.Dir, "errors.log"), size: errorsSize, kept: errorsKept}
	go s.write(agent, warnings)
	return &Handler{shared: s}, nil
}

// Close writes what waits, closes the files and returns the first failure to
// write. Records that come later are dropped.
func (h *Handler) Close() error {
	h.once.Do(func() { close(h.stop) })
	<-h.done
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failed
}

// Flush returns when every record that was logged before is written, when ctx
// ends, or when the handler is closed.
func (h *Handler) Flush(ctx context.Context) error {
	done := make(chan struct{})
	select {
	case h.queue <- record{done: done}:
	case <-h.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
	case <-h.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (s *shared) write(agent, warnings *file) {
	defer close(s.done)
	defer agent.close()
	defer warnings.close()
	put := func(r record) {
		if r.done != nil {
			close(r.done)
			return
		}
		if r.level >= s.level {
			s.failure(agent.append(r.line))
		}
		if r.level >= slog.LevelWarn {
			s.failure(warnings.append(r.line))
		}
	}
	for {
		select {
		case r := <-s.queue:
			put(r)
			s.sayDropped(put)
		case <-s.stop:
			for {
				select {
				case r := <-s.queue:
					put(r)
				default:
					s.sayDropped(put)
					return
				}
			}
		}
	}
}

// failure keeps the first one.
func (s *shared) failure(err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	first := s.failed == nil
	if first {
		s.failed = err
	}
	s.mu.Unlock()
	if first && s.tell != nil {
		s.tell(err)
	}
}

func (s *shared) sayDropped(put func(record)) {
	s.mu.Lock()
	n := s.dropped
	s.dropped = 0
	s.mu.Unlock()
	if n > 0 {
		put(record{line: format(time.Now(), slog.LevelWarn, "", "hermes.log", fmt.Sprintf("%d records were dropped: the log could not keep up", n)), level: slog.LevelWarn})
	}
}

// Enabled implements slog.Handler.
func (h *Handler) Enabled(_ context.Context, l slog.Level) bool {
	return l >= h.level || l >= slog.LevelWarn
}

// Handle implements slog.Handler.
func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	component, session, exc := h.component, h.session, ""
	var extra strings.Builder
	one := func(a slog.Attr) bool {
		switch a.Key {
		case Component:
			component = a.Value.String()
		case Session:
			session = a.Value.String()
		case Traceback:
			exc = a.Value.String()
		default:
			fmt.Fprintf(&extra, " %s=%v", a.Key, a.Value)
		}
		return true
	}
	for _, a := range h.attrs {
		one(a)
	}
	r.Attrs(one)
	line := format(r.Time, r.Level, session, component, r.Message+extra.String())
	if exc = strings.TrimRight(exc, "\n"); exc != "" {
		line += exc + "\n"
	}
	// A secret must not be cut in two before it is found: redact first, but not
	// megabytes that will be cut off anyway.
	size := len(line)
	line = line[:min(size, 2*maxRecord)]
	if h.redact != nil {
		line = h.redact(line)
	}
	if len(line) > maxRecord {
		line = strings.ToValidUTF8(line[:maxRecord], "") + fmt.Sprintf("… (cut; %d bytes in all)\n", size)
	}
	select {
	case h.queue <- record{line: line, level: r.Level}:
	default:
		h.mu.Lock()
		h.dropped++
		h.mu.Unlock()
	}
	return nil
}

// WithAttrs implements slog.Handler.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *h
	c.attrs = append(h.attrs[:len(h.attrs):len(h.attrs)], attrs...)
	return &c
}

// WithGroup implements slog.Handler; the lines have no groups.
func (h *Handler) WithGroup(string) slog.Handler { return h }
