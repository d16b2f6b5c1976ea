//go:build unix

package proc

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline bounds every wait of the tests; nothing waits that long when all is
// well.
const deadline = 20 * time.Second

func manager(t *testing.T, o Options) *Manager {
	t.Helper()
	m := NewManager(o)
	t.Cleanup(m.Close)
	return m
}

func sh(script string) Spec {
	return Spec{Path: "/bin/sh", Args: []string{"-c", script}, Env: os.Environ()}
}

// sink collects output and lets a test wait for a text in it.
type sink struct {
	mu   sync.Mutex
	b    strings.Builder
	more chan struct{}
}

func newSink() *sink { return &sink{more: make(chan struct{}, 1)} }

func (s *sink) take(p []byte) {
	s.mu.Lock()
	s.b.Write(p)
	s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *sink) wait(t *testing.T, text string) string {
	t.Helper()
	late := time.After(deadline)
	for {
		if got := s.String(); strings.Contains(got, text) {
			return got
		}
		select {
		case <-s.more:
		case <-late:
			t.Fatalf("%q did not come; got %q", text, s.String())
		}
	}
}

func done(t *testing.T, c *Child) Exit {
	t.Helper()
	if !await(c.Done(), deadline) {
		t.Fatal("the child does not end")
	}
	return c.Exit()
}
