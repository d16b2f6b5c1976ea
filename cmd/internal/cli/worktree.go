package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	stdio "io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"hermes/agent/locale"
	"hermes/cmd/internal/app"
)

// worktree is a working copy of its own for one run (--worktree): below
// .worktrees of the repository, on a branch of its own (contract/core §5.4).
type worktree struct {
	top    string // of the repository
	path   string
	branch string
	base   string            // commit that it began with
	copied map[string]string // files of .worktreeinclude: copy to source
}

// newWorktree makes a working copy of the repository around dir.
func newWorktree(ctx context.Context, lang locale.Lang, dir string) (*worktree, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, errors.New(locale.WorktreeNoRepo.In(lang))
	}
	var id [4]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	name := "hermes-" + hex.EncodeToString(id[:])
	w := &worktree{top: top, path: filepath.Join(top, ".worktrees", name), branch: "hermes/" + name, copied: map[string]string{}}
	if w.base, err = git(ctx, top, "rev-parse", "HEAD"); err != nil {
		return nil, errors.New(locale.WorktreeEmpty.In(lang))
	}
	if err := w.ignore(ctx); err != nil {
		return nil, err
	}
	if _, err := git(ctx, top, "worktree", "add", "-b", w.branch, w.path, w.base); err != nil {
		return nil, err
	}
	return w, w.include(lang)
}

// git runs a git command and returns what it printed, without the last line's
// end.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(errs.String()))
	}
	return strings.TrimRight(out.String(), "\n"), nil
}

// ignore keeps the working copies out of the repository.
func (w *worktree) ignore(ctx context.Context) error {
	if _, err := git(ctx, w.top, "check-ignore", "-q", ".worktrees/x"); err == nil {
		return nil
	}
	path := filepath.Join(w.top, ".gitignore")
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read .gitignore: %w", err)
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(data, '\n')
	}
	if err := os.WriteFile(path, append(data, ".worktrees/\n"...), 0o644); err != nil {
		return fmt.Errorf("write .gitignore: %w", err)
	}
	return nil
}

// include copies the files that .worktreeinclude lists and links the folders:
// what git ignores and the work needs. Nothing outside the repository is.
func (w *worktree) include(lang locale.Lang) error {
	data, err := os.ReadFile(filepath.Join(w.top, ".worktreeinclude"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read .worktreeinclude: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !filepath.IsLocal(line) {
			return errors.New(locale.WorktreeOutside.In(lang, line))
		}
		if err := w.take(line); err != nil {
			return fmt.Errorf(".worktreeinclude: %s: %w", line, err)
		}
	}
	return nil
}

func (w *worktree) take(name string) error {
	from, to := filepath.Join(w.top, name), filepath.Join(w.path, name)
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(from)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(w.top, target); err != nil || !filepath.IsLocal(rel) {
		return errors.New("it leads out of the repository")
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.IsDir() {
		return os.Symlink(from, to)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	w.copied[to] = from
	return os.WriteFile(to, data, info.Mode().Perm())
}

// inWorktree moves opt to a working copy of its own when that was asked for;
// end must be called when the run is over.
func inWorktree(ctx context.Context, io IO, lang locale.Lang, on bool, opt *app.Options) (end func(), err error) {
	if !on {
		return func() {}, nil
	}
	w, err := newWorktree(ctx, lang, opt.Dir)
	if err != nil {
		return nil, err
	}
	opt.Dir = w.path
	return func() { w.end(context.WithoutCancel(ctx), lang, io.Err) }, nil
}

// end removes the working copy and its branch when nothing would be lost, and
// says where it is otherwise.
func (w *worktree) end(ctx context.Context, lang locale.Lang, out stdio.Writer) {
	if why := w.kept(ctx); why != (locale.Msg{}) {
		fmt.Fprintln(out, locale.WorktreeKept.In(lang, w.path, w.branch, why.In(lang)))
		return
	}
	_, err := git(ctx, w.top, "worktree", "remove", "--force", w.path)
	if err == nil {
		_, err = git(ctx, w.top, "branch", "-D", w.branch)
	}
	if err != nil {
		fmt.Fprintf(out, "hermes: %v\n", err)
	}
}

// kept says what would be lost, nothing when nothing would.
func (w *worktree) kept(ctx context.Context) locale.Msg {
	// A tree that cannot be looked at is kept.
	if changed, err := git(ctx, w.path, "status", "--porcelain"); err != nil || changed != "" {
		return locale.WorktreeChanged
	}
	if n, err := git(ctx, w.path, "rev-list", "--count", w.base+"..HEAD"); err != nil || n != "0" {
		return locale.WorktreeCommits
	}
	for to, from := range w.copied {
		a, err := os.ReadFile(to)
		b, err2 := os.ReadFile(from)
		if err == nil && (err2 != nil || !bytes.Equal(a, b)) {
			return locale.WorktreeChanged
		}
	}
	return locale.Msg{}
}
