package checkpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// snapshot commits the state of the folder. It makes none when nothing changed
// since the last.
func (p *project) snapshot(ctx context.Context, reason string) (made bool, err error) {
	tree, err := p.tree(ctx)
	if err != nil {
		return false, err
	}
	parent, err := p.tip(ctx)
	if err != nil {
		return false, err
	}
	args := []string{"commit-tree", tree, "-m", oneLine(reason)}
	if parent != "" {
		old, err := p.git(ctx, nil, "rev-parse", parent+"^{tree}")
		if err != nil {
			return false, err
		}
		if strings.TrimSpace(old) == tree {
			return false, nil
		}
		args = append(args, "-p", parent)
	}
	commit, err := p.git(ctx, nil, args...)
	if err != nil {
		return false, err
	}
	if parent == "" {
		parent = strings.Repeat("0", len(strings.TrimSpace(commit)))
	}
	if _, err := p.git(ctx, nil, "update-ref", p.ref(), strings.TrimSpace(commit), parent); err != nil {
		return false, err
	}
	return true, p.touch()
}

// tip is the newest snapshot, empty when there is none.
func (p *project) tip(ctx context.Context) (string, error) {
	out, err := p.git(ctx, nil, "for-each-ref", "--format=%(objectname)", p.ref())
	return strings.TrimSpace(out), err
}

// tree brings the index up to date with the folder and writes it as a tree. An
// index that is broken, or whose files were collected since, is made anew.
func (p *project) tree(ctx context.Context) (string, error) {
	tree, err := p.writeTree(ctx)
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrTooLarge) || os.Remove(p.index()) != nil {
		return tree, err
	}
	return p.writeTree(ctx)
}

func (p *project) writeTree(ctx context.Context) (string, error) {
	paths, err := p.changed(ctx)
	if err != nil {
		return "", err
	}
	if len(paths) > 0 {
		if _, err := p.git(ctx, paths, "update-index", "-z", "--add", "--remove", "--replace", "--stdin"); err != nil {
			return "", err
		}
	}
	out, err := p.git(ctx, nil, "write-tree")
	return strings.TrimSpace(out), err
}

// changed lists what the index lacks or has otherwise, and what is to leave it,
// each path ended by a zero byte.
func (p *project) changed(ctx context.Context) ([]byte, error) {
	if _, err := os.Stat(p.index()); err == nil {
		// Times that changed alone are settled here; the files that did change
		// make it fail, and come in the list.
		_, _ = p.git(ctx, nil, "update-index", "-q", "--refresh")
	}
	known, err := p.git(ctx, nil, "ls-files", "-z", "--cached")
	if err != nil {
		return nil, err
	}
	others, err := p.git(ctx, nil, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	if strings.Count(known, "\x00")+strings.Count(others, "\x00") > maxFiles {
		return nil, ErrTooLarge
	}
	modified, err := p.git(ctx, nil, "ls-files", "-z", "--modified", "--deleted")
	if err != nil {
		return nil, err
	}
	ignored, err := p.git(ctx, nil, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var add, drop bytes.Buffer
	for path := range strings.SplitSeq(others+modified, "\x00") {
		switch info, err := os.Lstat(filepath.Join(p.dir, filepath.FromSlash(path))); {
		case path == "" || strings.HasSuffix(path, "/"): // a repository of its own
		case err == nil && !info.Mode().IsRegular() && info.Mode()&os.ModeSymlink == 0, // a folder in a file's place, a pipe
			err == nil && info.Size() > p.m.o.MaxFile:
			drop.WriteString(path + "\x00")
		default:
			add.WriteString(path + "\x00")
		}
	}
	drop.WriteString(ignored)
	if drop.Len() > 0 {
		if _, err := p.git(ctx, drop.Bytes(), "update-index", "-z", "--force-remove", "--stdin"); err != nil {
			return nil, err
		}
	}
	return add.Bytes(), nil
}

// field separates what list asks git for.
const field = "\x1f"

// list returns the newest snapshots, at most limit.
func (p *project) list(ctx context.Context, limit int) ([]Snapshot, error) {
	tip, err := p.tip(ctx)
	if err != nil || tip == "" {
		return nil, err
	}
	out, err := p.git(ctx, nil, "log", "--format=%x1e%H"+field+"%h"+field+"%ct"+field+"%s", "--shortstat", "-n", strconv.Itoa(limit), tip)
	if err != nil {
		return nil, err
	}
	var list []Snapshot
	for entry := range strings.SplitSeq(out, "\x1e") {
		head, stat, _ := strings.Cut(strings.TrimSpace(entry), "\n")
		f := strings.SplitN(head, field, 4)
		if len(f) < 4 {
			continue
		}
		sec, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the checkpoint's time %q: %w", f[2], err)
		}
		s := Snapshot{Hash: f[0], Short: f[1], Time: time.Unix(sec, 0), Reason: f[3]}
		s.count(stat)
		list = append(list, s)
	}
	if n := len(list); n > 0 && n < limit { // the first one has nothing to be compared with
		list[n-1].Files, list[n-1].Added, list[n-1].Removed = 0, 0, 0
	}
	return list, nil
}

// count reads "2 files changed, 1 insertion(+), 1 deletion(-)".
func (s *Snapshot) count(stat string) {
	for part := range strings.SplitSeq(stat, ",") {
		number, what, _ := strings.Cut(strings.TrimSpace(part), " ")
		n, err := strconv.Atoi(number)
		switch {
		case err != nil:
		case strings.HasPrefix(what, "file"):
			s.Files = n
		case strings.HasPrefix(what, "insertion"):
			s.Added = n
		case strings.HasPrefix(what, "deletion"):
			s.Removed = n
		}
	}
}

// resolve makes a commit of this folder's chain of what was given.
func (p *project) resolve(ctx context.Context, hash string) (string, error) {
	if len(hash) < 4 || len(hash) > 64 || strings.Trim(strings.ToLower(hash), "0123456789abcdef") != "" {
		return "", ErrNotFound
	}
	tip, err := p.tip(ctx)
	if err != nil {
		return "", err
	}
	if tip == "" {
		return "", ErrNotFound
	}
	all, err := p.git(ctx, nil, "rev-list", tip)
	if err != nil {
		return "", err
	}
	for commit := range strings.Lines(all) {
		if commit = strings.TrimSpace(commit); strings.HasPrefix(commit, strings.ToLower(hash)) {
			return commit, nil
		}
	}
	return "", ErrNotFound
}
