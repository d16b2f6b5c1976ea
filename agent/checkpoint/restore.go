package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Restored is what going back did; paths are relative to the folder, with
// slashes.
type Restored struct {
	To      Snapshot
	Written []string // had been changed or removed since
	Removed []string // had been made since
	// Undo is the snapshot of the state before; empty when the newest one was
	// that already.
	Undo string
}

// Restore makes the folder what it was: files that were changed or removed come
// back, files that were made since go. The state before is kept as a snapshot
// first. What no snapshot holds (ignored, large) stays as it is.
func (m *Manager) Restore(ctx context.Context, dir, hash string) (Restored, error) {
	return m.restore(ctx, dir, hash, "")
}

// RestoreFile does so for one file; file is relative to the folder, or absolute
// and below it. It may name a folder.
func (m *Manager) RestoreFile(ctx context.Context, dir, hash, file string) (Restored, error) {
	base, err := m.folder(dir)
	if err != nil {
		return Restored{}, err
	}
	name := file
	if filepath.IsAbs(name) {
		if name, err = filepath.Rel(base, filepath.Join(real(filepath.Dir(name)), filepath.Base(name))); err != nil {
			return Restored{}, fmt.Errorf("restore %s: %w", file, err)
		}
	}
	if name = filepath.Clean(name); !filepath.IsLocal(name) || name == "." {
		return Restored{}, fmt.Errorf("restore %s: it is not below %s", file, dir)
	}
	return m.restore(ctx, dir, hash, filepath.ToSlash(name))
}

func (m *Manager) restore(ctx context.Context, dir, hash, only string) (r Restored, err error) {
	err = m.with(ctx, dir, func(p *project) error {
		commit, err := p.resolve(ctx, hash)
		if err != nil {
			return err
		}
		made, err := p.snapshot(ctx, "pre-rollback snapshot (restoring to "+commit[:8]+")")
		if err != nil {
			return fmt.Errorf("keep the state before the rollback: %w", err)
		}
		now, err := p.tip(ctx)
		if err != nil {
			return err
		}
		if made {
			r.Undo = now
		}
		if r.To, err = p.describe(ctx, commit); err != nil {
			return err
		}
		if err := p.difference(ctx, commit, now, only, &r); err != nil {
			return err
		}
		if only != "" && len(r.Written)+len(r.Removed) == 0 {
			if known, err := p.holds(ctx, commit, only); err != nil || !known {
				return errors.Join(err, fmt.Errorf("%s is not in this checkpoint: %w", only, fs.ErrNotExist))
			}
		}
		return p.goBack(ctx, commit, r)
	})
	return r, err
}

func (p *project) describe(ctx context.Context, commit string) (Snapshot, error) {
	list, err := p.list(ctx, 1<<30)
	for _, s := range list {
		if s.Hash == commit {
			return s, nil
		}
	}
	return Snapshot{Hash: commit, Short: commit[:7]}, err
}

// holds reports whether a path is in a snapshot.
func (p *project) holds(ctx context.Context, commit, path string) (bool, error) {
	out, err := p.git(ctx, nil, "ls-tree", "-z", "--name-only", "--full-tree", commit, "--", path)
	return out != "", err
}

// difference sorts what lies between a snapshot and now into r.
func (p *project) difference(ctx context.Context, commit, now, only string, r *Restored) error {
	args := []string{"diff-tree", "-r", "-z", "--no-renames", "--name-status", commit, now}
	if only != "" {
		args = append(args, "--", ":(top,literal)"+only)
	}
	out, err := p.git(ctx, nil, args...)
	if err != nil {
		return err
	}
	parts := strings.Split(out, "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		if parts[i] == "A" {
			r.Removed = append(r.Removed, parts[i+1])
		} else {
			r.Written = append(r.Written, parts[i+1])
		}
	}
	return nil
}

// goBack changes the folder. Files go before others come: a folder may have
// taken a file's place.
func (p *project) goBack(ctx context.Context, commit string, r Restored) error {
	var failed error
	for _, path := range r.Removed {
		abs := filepath.Join(p.dir, filepath.FromSlash(path))
		if err := os.Remove(abs); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, fmt.Errorf("remove %s: %w", path, err))
		}
		p.removeEmpty(filepath.Dir(abs))
	}
	if len(r.Written) == 0 {
		return failed
	}
	// An index of its own: the folder's index keeps telling what is there.
	index := p.index() + ".restore"
	defer os.Remove(index) // made anew each time; a leftover does no harm
	if _, err := p.gitWith(ctx, index, nil, "read-tree", commit); err != nil {
		return errors.Join(failed, err)
	}
	var paths bytes.Buffer
	for _, path := range r.Written {
		paths.WriteString(path + "\x00")
	}
	_, err := p.gitWith(ctx, index, paths.Bytes(), "checkout-index", "-f", "-z", "--stdin")
	return errors.Join(failed, err)
}

// removeEmpty removes a folder that has become empty, and those above it, up to
// the project's.
func (p *project) removeEmpty(dir string) {
	for below(dir, p.dir) && os.Remove(dir) == nil {
		dir = filepath.Dir(dir)
	}
}
