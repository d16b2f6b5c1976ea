package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Options say where snapshots are kept and how many. Zero limits mean the
// defaults beside them (contract/core §4.3, checkpoints.*).
type Options struct {
	Dir          string        // <home>/checkpoints
	MaxSnapshots int           // per folder: 20
	MaxTotal     int64         // bytes of the store: 500 MB; negative: no limit
	MaxFile      int64         // bytes; larger files are left out: 10 MB
	Retention    time.Duration // Prune removes folders untouched for longer: 7 days
	Git          string        // the program; empty: git on the PATH
	Log          *slog.Logger
	Now          func() time.Time
	// Protect are folders of which no snapshot is ever made, besides the root
	// of the file system: the user's home.
	Protect []string
}

// Defaults and bounds.
const (
	maxSnapshots = 20
	maxTotal     = 500 << 20
	maxFile      = 10 << 20
	retention    = 7 * 24 * time.Hour
	// maxFiles is from how many files on a folder is too large for snapshots.
	maxFiles = 50_000
	// slack is how many snapshots too many are kept before the oldest go: each
	// shortening writes the rest anew.
	slack = 5
	// gitTime bounds one run of git.
	gitTime = 30 * time.Second
	// maxNoted is how many folders of turns are remembered.
	maxNoted = 1000
)

// Manager makes and restores snapshots.
type Manager struct {
	o    Options
	mu   sync.Mutex       // one git at a time on the store; guards done
	done map[turnDir]bool // what has its snapshot
}

// turnDir is a folder in a turn: it gets one snapshot.
type turnDir struct{ turn, dir string }

// New returns a manager. Nothing is made on disk before the first snapshot.
func New(o Options) *Manager {
	if o.MaxSnapshots <= 0 {
		o.MaxSnapshots = maxSnapshots
	}
	if o.MaxTotal == 0 {
		o.MaxTotal = maxTotal
	}
	if o.MaxFile <= 0 {
		o.MaxFile = maxFile
	}
	if o.Retention <= 0 {
		o.Retention = retention
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Manager{o: o, done: map[turnDir]bool{}}
}

// Errors that callers tell apart.
var (
	// ErrNoGit says that there is no git program.
	ErrNoGit = errors.New("git is not installed")
	// ErrNotFound says that a folder has no such snapshot.
	ErrNotFound = errors.New("no such checkpoint")
	// ErrTooLarge says that a folder has too many files.
	ErrTooLarge = fmt.Errorf("the folder has more than %d files", maxFiles)
	// ErrProtected says that no snapshots are made of the folder.
	ErrProtected = errors.New("no checkpoints are made of this folder")
)

// Snapshot is one state that can be gone back to.
type Snapshot struct {
	Hash   string    `json:"hash"`
	Short  string    `json:"short_hash"`
	Time   time.Time `json:"timestamp"`
	Reason string    `json:"reason"`
	// What changed since the snapshot before it; nothing for the first.
	Files   int `json:"files_changed"`
	Added   int `json:"insertions"`
	Removed int `json:"deletions"`
}

// Before makes the snapshot of a folder that a turn is about to change, once
// per turn and folder. made is false when there was one, or when nothing
// changed since the last. Errors are for the log: what the user asked for goes
// on without a snapshot.
func (m *Manager) Before(ctx context.Context, turn, dir, reason string) (made bool, err error) {
	dir, err = m.folder(dir)
	if err != nil {
		return false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k := turnDir{turn, dir}
	if m.done[k] {
		return false, nil
	}
	if len(m.done) >= maxNoted {
		clear(m.done) // at worst a second snapshot in a turn
	}
	m.done[k] = true // also when it fails: not again before every call
	return m.take(ctx, dir, reason)
}

// folder is dir as the store knows it: absolute, through links.
func (m *Manager) folder(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	abs = real(abs)
	info, err := os.Stat(abs)
	if err != nil {
		return "", fmt.Errorf("look at the folder: %w", err)
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is no folder", dir)
	}
	store := real(m.o.Dir)
	if filepath.Dir(abs) == abs || abs == store || below(store, abs) || below(abs, store) {
		return "", ErrProtected
	}
	for _, p := range m.o.Protect {
		if p != "" && (real(p) == abs || below(real(p), abs)) {
			return "", ErrProtected
		}
	}
	return abs, nil
}

// real follows links where the path exists.
func real(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// below reports whether path lies in dir.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && filepath.IsLocal(rel)
}

// take makes a snapshot. Called with mu held.
func (m *Manager) take(ctx context.Context, dir, reason string) (bool, error) {
	unlock, err := m.lock(ctx)
	if err != nil {
		return false, err
	}
	defer unlock()
	p, err := m.open(ctx, dir)
	if err != nil {
		return false, err
	}
	made, err := p.snapshot(ctx, reason)
	if err != nil || !made {
		return false, err
	}
	if err := p.shorten(ctx); err != nil {
		m.o.Log.Warn("Old checkpoints were not removed", "dir", dir, "error", err)
	}
	if err := m.shrink(ctx, p); err != nil {
		m.o.Log.Warn("The checkpoint store is too large", "error", err)
	}
	return true, nil
}

// with runs f on a folder's project, alone on the store; there is none, and f
// is not run, when nothing was ever kept.
func (m *Manager) with(ctx context.Context, dir string, f func(*project) error) error {
	dir, err := m.folder(dir)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.any() {
		return ErrNotFound
	}
	unlock, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	p, err := m.open(ctx, dir)
	if err != nil {
		return err
	}
	return f(p)
}

// any reports whether there is a store.
func (m *Manager) any() bool {
	_, err := os.Stat(filepath.Join(m.o.Dir, storeName, "HEAD"))
	return err == nil
}

// List returns the snapshots of a folder, the newest first.
func (m *Manager) List(ctx context.Context, dir string) (list []Snapshot, err error) {
	err = m.with(ctx, dir, func(p *project) error {
		list, err = p.list(ctx, m.o.MaxSnapshots)
		return err
	})
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrProtected) {
		return nil, nil
	}
	return list, err
}

// Diff is what changed in a folder since a snapshot, as git's unified diff; new
// files are in it. hash may be shortened to four digits.
func (m *Manager) Diff(ctx context.Context, dir, hash string) (diff string, err error) {
	err = m.with(ctx, dir, func(p *project) error {
		commit, err := p.resolve(ctx, hash)
		if err != nil {
			return err
		}
		now, err := p.tree(ctx)
		if err != nil {
			return err
		}
		diff, err = p.git(ctx, nil, "diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", commit, now)
		return err
	})
	return diff, err
}

// program is the git to run.
func (m *Manager) program() (string, error) {
	name := m.o.Git
	if name == "" {
		name = "git"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", ErrNoGit
	}
	return path, nil
}

// oneLine keeps a reason on the first line of a commit's message.
func oneLine(s string) string {
	if s = head(s, 200); s == "" {
		return "auto"
	}
	return s
}

// head is at most n characters of s, its blanks as one each.
func head(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}
