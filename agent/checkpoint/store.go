package checkpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Names in <home>/checkpoints, shared with the reference.
const (
	storeName    = "store"
	indexesName  = "indexes"
	projectsName = "projects"
	refPrefix    = "refs/hermes/"
)

// excludes are what snapshots leave out besides what .gitignore does.
const excludes = `# What builds, tools and systems make, and secrets.
node_modules/
dist/
build/
target/
out/
.next/
.nuxt/
__pycache__/
*.pyc
*.pyo
.cache/
.pytest_cache/
.mypy_cache/
.ruff_cache/
coverage/
.coverage
.venv/
venv/
env/
.git/
.hg/
.svn/
.worktrees/
*.so
*.dylib
*.dll
*.o
*.a
*.jar
*.class
*.exe
*.obj
*.mp4
*.mov
*.mkv
*.webm
*.zip
*.tar
*.tar.gz
*.tgz
*.7z
*.rar
*.iso
.env
.env.*
.DS_Store
Thumbs.db
*.log
`

// attributes keep git from changing contents on their way in and out, whatever
// the project's .gitattributes say.
const attributes = "* -text -ident !eol !filter !diff !merge !working-tree-encoding\n"

// project is the store as seen from one folder.
type project struct {
	m       *Manager
	program string
	store   string // absolute
	dir     string
	id      string
}

// idOf names a folder in the store.
func idOf(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:8])
}

// open makes the store if need be. Called with mu and the lock held.
func (m *Manager) open(ctx context.Context, dir string) (*project, error) {
	program, err := m.program()
	if err != nil {
		return nil, err
	}
	store, err := filepath.Abs(filepath.Join(m.o.Dir, storeName))
	if err != nil {
		return nil, fmt.Errorf("find the checkpoint store: %w", err)
	}
	p := &project{m: m, program: program, store: store, dir: dir, id: idOf(dir)}
	if _, err := os.Stat(filepath.Join(store, "HEAD")); err != nil {
		if err := p.create(ctx); err != nil {
			return nil, err
		}
	}
	return p, p.prepare()
}

func (p *project) create(ctx context.Context) error {
	if err := os.MkdirAll(p.store, 0o700); err != nil {
		return fmt.Errorf("make the checkpoint store: %w", err)
	}
	if _, err := p.git(ctx, nil, "init", "--bare", "--quiet", "--template=", p.store); err != nil {
		return err
	}
	for _, kv := range [][2]string{
		{"user.name", "Hermes Checkpoint"},
		{"user.email", "hermes@local"},
		{"commit.gpgsign", "false"},
		{"tag.gpgSign", "false"},
		{"gc.auto", "0"},
	} {
		if _, err := p.git(ctx, nil, "config", kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes what git's own init does not, and what may have been lost.
func (p *project) prepare() error {
	for _, dir := range []string{indexesName, projectsName, "info", "refs", "objects"} {
		if err := os.MkdirAll(filepath.Join(p.store, dir), 0o700); err != nil {
			return fmt.Errorf("make the checkpoint store: %w", err)
		}
	}
	for name, text := range map[string]string{"exclude": excludes, "attributes": attributes} {
		path := filepath.Join(p.store, "info", name)
		if name == "exclude" {
			if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte("node_modules/")) {
				continue // the reference's, or ours
			}
		} else if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("make the checkpoint store: %w", err)
		}
	}
	return nil
}

func (p *project) ref() string { return refPrefix + p.id }

// index is the folder's; without a folder, one that is never there.
func (p *project) index() string {
	name := p.id
	if name == "" {
		name = "none"
	}
	return filepath.Join(p.store, indexesName, name)
}

// gitError is a run of git that failed.
type gitError struct {
	command, said string
	err           error
}

func (e *gitError) Error() string {
	if e.said == "" {
		return fmt.Sprintf("git %s: %v", e.command, e.err)
	}
	return fmt.Sprintf("git %s: %s", e.command, e.said)
}

func (e *gitError) Unwrap() error { return e.err }

// git runs git on the store with the folder's index, and returns what it
// printed.
func (p *project) git(ctx context.Context, stdin []byte, args ...string) (string, error) {
	return p.gitWith(ctx, p.index(), stdin, args...)
}

// gitWith is git with another index.
func (p *project) gitWith(ctx context.Context, index string, stdin []byte, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.program, args...)
	cmd.Dir = p.dir
	cmd.Env = environ(p.store, p.dir, index)
	if args[0] == "init" {
		cmd.Dir, cmd.Env = p.store, environ("", "", "")
	}
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("not done after %s", gitTime)
		}
		return "", &gitError{args[0], strings.TrimSpace(said.String()), err}
	}
	return out.String(), nil
}

// environ is what git runs with: the program's environment without anything
// that would lead it to another repository or configuration.
func environ(store, dir, index string) []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(strings.ToUpper(e), "GIT_") && !strings.HasPrefix(e, "LC_ALL=") {
			env = append(env, e)
		}
	}
	null := os.DevNull
	if runtime.GOOS == "windows" {
		null = "NUL"
	}
	env = append(
		env, "GIT_CONFIG_GLOBAL="+null, "GIT_CONFIG_SYSTEM="+null, "GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Hermes Checkpoint", "GIT_AUTHOR_EMAIL=hermes@local",
		"GIT_COMMITTER_NAME=Hermes Checkpoint", "GIT_COMMITTER_EMAIL=hermes@local",
		// The folder may belong to somebody else; what matters is that the store is ours.
		"GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		"GIT_CONFIG_KEY_1=core.autocrlf", "GIT_CONFIG_VALUE_1=false",
		"GIT_CONFIG_KEY_2=core.fsmonitor", "GIT_CONFIG_VALUE_2=false",
	)
	if store != "" {
		env = append(env, "GIT_DIR="+store, "GIT_WORK_TREE="+dir, "GIT_INDEX_FILE="+index)
	}
	return env
}

// record is projects/<id>.json, as the reference writes it; times are seconds
// since 1970.
type record struct {
	Dir     string  `json:"workdir"`
	Created float64 `json:"created_at"`
	Touched float64 `json:"last_touch"`
}

func (p *project) recordPath() string { return filepath.Join(p.store, projectsName, p.id+".json") }

// touch notes that the folder was used.
func (p *project) touch() error {
	now := float64(p.m.o.Now().UnixNano()) / 1e9
	r, err := readRecord(p.recordPath())
	if err != nil {
		r = record{Created: now}
	}
	r.Dir, r.Touched = p.dir, now
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("note the project: %w", err)
	}
	tmp := p.recordPath() + ".new"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return fmt.Errorf("note the project: %w", err)
	}
	if err := os.Rename(tmp, p.recordPath()); err != nil {
		return fmt.Errorf("note the project: %w", err)
	}
	return nil
}

func readRecord(path string) (record, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return record{}, fmt.Errorf("read the project's note: %w", err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return record{}, fmt.Errorf("read the project's note: %w", err)
	}
	return r, nil
}
