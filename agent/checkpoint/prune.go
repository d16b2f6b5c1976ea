package checkpoint

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// length is how many snapshots a ref holds.
func (p *project) length(ctx context.Context, ref string) (int, error) {
	out, err := p.git(ctx, nil, "rev-list", "--count", ref)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return 0, fmt.Errorf("count the checkpoints: %w", err)
	}
	return n, nil
}

// shorten keeps the newest snapshots of the folder.
func (p *project) shorten(ctx context.Context) error {
	n, err := p.length(ctx, p.ref())
	if err != nil || n <= p.m.o.MaxSnapshots+slack {
		return err
	}
	return p.keep(ctx, p.m.o.MaxSnapshots)
}

// keep writes the newest n snapshots as a chain of their own, without the older
// ones.
func (p *project) keep(ctx context.Context, n int) error {
	tip, err := p.tip(ctx)
	if err != nil {
		return err
	}
	out, err := p.git(ctx, nil, "log", "--format=%T"+field+"%ct"+field+"%s", "-n", strconv.Itoa(n), tip)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	slices.Reverse(lines)
	var stream strings.Builder
	temp := p.ref() + ".new"
	for i, line := range lines {
		f := strings.SplitN(line, field, 3)
		if len(f) < 3 {
			return fmt.Errorf("read the checkpoint %q", line)
		}
		who := "Hermes Checkpoint <hermes@local> " + f[1] + " +0000"
		fmt.Fprintf(&stream, "commit %s\nmark :%d\nauthor %s\ncommitter %s\ndata %d\n%s\n", temp, i+1, who, who, len(f[2]), f[2])
		if i > 0 {
			fmt.Fprintf(&stream, "from :%d\n", i)
		}
		fmt.Fprintf(&stream, "M 040000 %s \n\n", f[0])
	}
	if _, err := p.git(ctx, []byte(stream.String()), "fast-import", "--quiet", "--force"); err != nil {
		return err
	}
	_, err = p.git(ctx, []byte("start\nupdate "+p.ref()+" "+temp+" "+tip+"\ndelete "+temp+"\nprepare\ncommit\n"), "update-ref", "--stdin")
	return err
}

// shrink brings the store below its size: the older half of this folder's
// snapshots goes, then those of whole folders, the least used first.
func (m *Manager) shrink(ctx context.Context, p *project) error {
	tooLarge := func() bool { return sizeOf(filepath.Join(p.store, "objects")) > m.o.MaxTotal }
	if m.o.MaxTotal < 0 || !tooLarge() {
		return nil
	}
	n, err := p.length(ctx, p.ref())
	if err != nil {
		return err
	}
	if n > 1 {
		if err := p.keep(ctx, (n+1)/2); err != nil {
			return err
		}
	}
	if err := p.collect(ctx); err != nil {
		return err
	}
	others, err := p.others()
	if err != nil {
		return err
	}
	for _, o := range others {
		if !tooLarge() {
			return nil
		}
		if err := p.forget(ctx, o.id); err != nil {
			return err
		}
		if err := p.collect(ctx); err != nil {
			return err
		}
	}
	return nil
}

// collect removes what no snapshot holds any longer.
func (p *project) collect(ctx context.Context) error {
	_, err := p.git(ctx, nil, "gc", "--prune=now", "--quiet")
	return err
}

// noted is a folder that the store knows.
type noted struct {
	id string
	record
}

// others are the folders besides this one, the least used first.
func (p *project) others() ([]noted, error) {
	entries, err := os.ReadDir(filepath.Join(p.store, projectsName))
	if err != nil {
		return nil, fmt.Errorf("list the checkpointed folders: %w", err)
	}
	var out []noted
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok || id == p.id {
			continue
		}
		r, err := readRecord(filepath.Join(p.store, projectsName, e.Name()))
		if err != nil {
			p.m.o.Log.Warn("The note of a checkpointed folder cannot be read", "id", id, "error", err)
			continue
		}
		out = append(out, noted{id, r})
	}
	slices.SortFunc(out, func(a, b noted) int {
		switch {
		case a.Touched < b.Touched:
			return -1
		case a.Touched > b.Touched:
			return 1
		}
		return 0
	})
	return out, nil
}

// forget removes the snapshots of a folder.
func (p *project) forget(ctx context.Context, id string) error {
	if _, err := p.git(ctx, nil, "update-ref", "-d", refPrefix+id); err != nil {
		return err
	}
	for _, path := range []string{filepath.Join(p.store, indexesName, id), filepath.Join(p.store, projectsName, id+".json")} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget a folder: %w", err)
		}
	}
	return nil
}

// Pruned is what Prune removed.
type Pruned struct {
	Folders int   // whose snapshots went
	Freed   int64 // bytes
}

// Prune removes the snapshots of folders that are gone, or were not used for
// longer than the retention.
func (m *Manager) Prune(ctx context.Context) (Pruned, error) {
	var done Pruned
	err := m.whole(ctx, func(p *project) error {
		list, err := p.others()
		if err != nil {
			return err
		}
		before := sizeOf(p.store)
		oldest := m.o.Now().Add(-m.o.Retention)
		for _, o := range list {
			_, gone := os.Stat(o.Dir)
			if !errors.Is(gone, fs.ErrNotExist) && !o.time().Before(oldest) {
				continue
			}
			if err := p.forget(ctx, o.id); err != nil {
				return err
			}
			done.Folders++
		}
		if done.Folders == 0 {
			return nil
		}
		err = p.collect(ctx)
		done.Freed = max(before-sizeOf(p.store), 0)
		return err
	})
	return done, err
}

// whole runs f on the store as no folder's, when there is one.
func (m *Manager) whole(ctx context.Context, f func(*project) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.any() {
		return nil
	}
	unlock, err := m.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	p, err := m.open(ctx, m.o.Dir)
	if err != nil {
		return err
	}
	p.id = "" // every folder is another
	return f(p)
}

// Status is what the store holds.
type Status struct {
	Size    int64    `json:"size"` // bytes
	Folders []Folder `json:"folders"`
}

// Folder is one that has snapshots.
type Folder struct {
	Dir       string    `json:"dir"`
	Exists    bool      `json:"exists"`
	Snapshots int       `json:"snapshots"`
	Touched   time.Time `json:"last_used"`
}

// Status lists the folders that have snapshots, the least used first.
func (m *Manager) Status(ctx context.Context) (Status, error) {
	s := Status{Folders: []Folder{}}
	err := m.whole(ctx, func(p *project) error {
		list, err := p.others()
		if err != nil {
			return err
		}
		s.Size = sizeOf(p.store)
		for _, o := range list {
			n, err := p.length(ctx, refPrefix+o.id)
			if err != nil {
				continue // a note without a chain
			}
			_, gone := os.Stat(o.Dir)
			s.Folders = append(s.Folders, Folder{Dir: o.Dir, Exists: gone == nil, Snapshots: n, Touched: o.time()})
		}
		return nil
	})
	return s, err
}

func (r record) time() time.Time { return time.Unix(int64(r.Touched), 0) }

// sizeOf is how many bytes lie below dir.
func sizeOf(dir string) int64 {
	var n int64
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { // what cannot be seen does not count
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
