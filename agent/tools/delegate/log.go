package delegate

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"
)

// liveLog is the file in which a person can watch a sub-agent. It is a help,
// not a record: what cannot be written is left out.
type liveLog struct {
	path string // empty when there is none

	mu sync.Mutex
	f  *os.File
}

// openLog makes <dir>/live/<id>/task-N.log (contract/core §2.5).
func openLog(dir, id string, index int, goal string) *liveLog {
	l := &liveLog{}
	if dir == "" {
		return l
	}
	folder := filepath.Join(dir, "live", id)
	if os.MkdirAll(folder, 0o700) != nil {
		return l
	}
	path := filepath.Join(folder, fmt.Sprintf("task-%d.log", index))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return l
	}
	l.path, l.f = path, f
	l.line("goal: " + goal)
	return l
}

func (l *liveLog) line(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f != nil {
		_, _ = l.f.WriteString(strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n  ") + "\n")
	}
}

func (l *liveLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.f != nil {
		_ = l.f.Close()
		l.f = nil
	}
}

// bounded saves a summary that is too long and returns what stands for it.
func (b *batch) bounded(i int, s string) string {
	n := utf8.RuneCountInString(s)
	if n <= summaryChars {
		return s
	}
	head := string([]rune(s)[:summaryChars])
	if dir := b.t.d.Dir; dir != "" {
		path := filepath.Join(dir, "live", b.id, fmt.Sprintf("task-%d-summary.md", i))
		if os.MkdirAll(filepath.Dir(path), 0o700) == nil && os.WriteFile(path, []byte(s), 0o600) == nil {
			return fmt.Sprintf("%s\n\n[cut after %d of %d characters; all of it is in %s]", head, summaryChars, n, path)
		}
	}
	return fmt.Sprintf("%s\n\n[cut after %d of %d characters]", head, summaryChars, n)
}

func hexID(n int) string {
	b := make([]byte, (n+1)/2)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return hex.EncodeToString(b)[:n]
}
