package terminal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hermes/agent/proc"
)

// loginLimit bounds the start files of the user's shell; after it sessions
// begin with the bare environment.
const loginLimit = 10 * time.Second

// loginGrace lets what the start files run take its locks away again: pyenv,
// killed at once, leaves one behind that makes every further start wait.
const loginGrace = 2 * time.Second

// maxShells is how many sessions keep their shell's state; the one that was
// used least recently gives way (sub-agents have sessions of their own).
const maxShells = 64

// shells holds the state of every session's shell.
type shells struct {
	d    *Deps
	path string // of the program, "" when there is none
	bash bool

	loginMu  sync.Mutex
	loggedIn bool
	login    string // state after the login shell's start files, "" for none

	mu   sync.Mutex
	dir  string // private folder for the states, made when needed
	n    int    // numbers the files in it
	byID map[string]*shell
	used []string // session ids, least recently used first
}

// shell is the state of one session's shell.
type shell struct {
	all *shells

	mu    sync.Mutex
	cwd   string
	state string // file that brings variables and functions back, "" for none
	used  bool   // state is its own; before, it is the login shell's
}

func newShells(d *Deps) *shells {
	s := &shells{d: d, path: d.Shell, byID: map[string]*shell{}}
	if s.path == "" {
		s.path = findShell()
	}
	s.bash = strings.HasPrefix(filepath.Base(s.path), "bash")
	return s
}

// findShell prefers bash. On Windows that is Git's: the one in the system folder
// runs in another system with other folders.
func findShell() string {
	names := []string{"bash", "/bin/bash", "sh", "/bin/sh"}
	if runtime.GOOS == "windows" {
		names = nil
		for _, name := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if dir := os.Getenv(name); dir != "" {
				names = append(names, filepath.Join(dir, "Git", "bin", "bash.exe"), filepath.Join(dir, "Programs", "Git", "bin", "bash.exe"))
			}
		}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// get returns the shell of a session.
func (s *shells) get(session string) (*shell, error) {
	if s.path == "" {
		return nil, errors.New("no bash or sh found on the PATH")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.byID[session]
	if sh == nil {
		sh = &shell{all: s, cwd: s.d.Dir}
		s.byID[session] = sh
	}
	s.touch(session)
	return sh, nil
}

// rename moves the shell of a session to another session, or drops it when
// that is empty.
func (s *shells) rename(from, to string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.byID[from]
	if sh == nil {
		return
	}
	delete(s.byID, from)
	s.used = slices.DeleteFunc(s.used, func(id string) bool { return id == from })
	if to == "" {
		s.drop(sh)
		return
	}
	s.byID[to] = sh
	s.touch(to)
}

// drop removes the state of a shell that is out of the table; s.mu is held.
func (s *shells) drop(sh *shell) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s.remove(sh.state)
	sh.state, sh.used = "", false
}

// touch marks a session as used now; s.mu is held.
func (s *shells) touch(session string) {
	s.used = append(slices.DeleteFunc(s.used, func(id string) bool { return id == session }), session)
	if len(s.used) > maxShells {
		old := s.byID[s.used[0]]
		delete(s.byID, s.used[0])
		s.used = s.used[1:]
		s.drop(old)
	}
}

// file names a new file in the private folder.
func (s *shells) file(suffix string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := os.Stat(s.dir); s.dir == "" || errors.Is(err, fs.ErrNotExist) {
		dir, err := os.MkdirTemp("", "hermes-shell-") // 0700: states hold variables
		if err != nil {
			return "", fmt.Errorf("make a folder for the shell: %w", err)
		}
		s.dir = dir
	}
	s.n++
	return filepath.Join(s.dir, strconv.Itoa(s.n)+suffix), nil
}

// remove deletes a state that nobody needs any more; s.mu is held.
func (s *shells) remove(state string) {
	if state != "" && state != s.login {
		_ = os.Remove(state)
	}
}

func (s *shells) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// logInOnce waits for the login shell; one that the user interrupted is tried
// again by the next call.
func (s *shells) logInOnce(ctx context.Context) string {
	s.loginMu.Lock()
	defer s.loginMu.Unlock()
	if !s.loggedIn {
		login := s.logIn(ctx)
		s.mu.Lock()
		s.login = login
		s.mu.Unlock()
		s.loggedIn = ctx.Err() == nil
	}
	return s.login
}

// logIn runs the user's start files once and keeps what they export and
// define. What the program keeps from commands they do not bring back.
func (s *shells) logIn(ctx context.Context) string {
	save, err := s.newSave()
	if err != nil {
		s.d.Log.Warn("Shell start files were not read", "error", err)
		return ""
	}
	env := s.environ(s.d.Dir)
	args := []string{"-l", "-c", s.loginScript(save)}
	child, err := s.d.Processes.Start(proc.Spec{Path: s.path, Args: args, Env: env, Dir: existing(s.d.Dir)})
	if err != nil {
		s.d.Log.Warn("Shell start files were not read", "error", err)
		return ""
	}
	limit := time.NewTimer(loginLimit)
	defer limit.Stop()
	select {
	case <-child.Done():
	case <-limit.C:
		child.Kill(loginGrace)
		s.d.Log.Warn("Shell start files took too long and were left out", "seconds", loginLimit.Seconds())
	case <-ctx.Done():
		child.Kill(interruptGrace)
	}
	if _, ok := save.read(); !ok {
		save.drop()
		return ""
	}
	_ = os.Remove(save.cwd)
	s.correct(save.state)
	return save.state
}

// correct puts the program's own environment over what the start files left:
// what the user set where the program was started counts. Variables that the
// environment filter takes out are taken out here, too.
func (s *shells) correct(state string) {
	text, err := os.ReadFile(state)
	if err != nil {
		return
	}
	var names []string
	for _, line := range strings.Split(string(text), "\n") {
		for _, prefix := range []string{"declare -x ", "declare -rx ", "export "} {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				name, _, _ := strings.Cut(rest, "=")
				names = append(names, name+"=")
			}
		}
	}
	if drop := proc.Dropped(names, s.d.Pass); len(drop) > 0 {
		text = append(text, "unset -v "+strings.Join(drop, " ")+" 2>/dev/null\n"...)
	}
	for _, e := range s.environ(s.d.Dir) {
		name, value, _ := strings.Cut(e, "=")
		switch {
		case name == "PATH" || name == "PWD" || name == "OLDPWD" || name == "SHLVL" || name == "_" || !assignment.MatchString(e):
		default:
			text = append(text, "export "+name+"="+quote(value)+"\n"...)
		}
	}
	if err := os.WriteFile(state, text, 0o600); err != nil {
		_ = os.Remove(state)
	}
}

// environ is the environment of a command in dir.
func (s *shells) environ(dir string) []string {
	env := proc.Environ(s.d.Environ(), s.d.Pass)
	out := make([]string, 0, len(env)+1)
	for _, e := range env {
		if !strings.HasPrefix(e, "PWD=") {
			out = append(out, e)
		}
	}
	return append(out, "PWD="+dir)
}

// existing is dir, or the nearest folder above it that is there.
func existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return dir
		}
		dir = up
	}
}

// folder is where the next command begins.
func (sh *shell) folder() string {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.cwd
}

// begin returns the state that the next command begins with. The first one
// waits for the login shell.
func (sh *shell) begin(ctx context.Context) string {
	sh.mu.Lock()
	state, used := sh.state, sh.used
	sh.mu.Unlock()
	if used {
		return state
	}
	return sh.all.logInOnce(ctx)
}

// resolve returns the folder that a call wants to run in.
func (sh *shell) resolve(workdir string) (string, error) {
	cwd := sh.folder()
	dir := cwd
	switch {
	case workdir == "":
		// Not the folder above instead: a command that removes files would
		// remove others.
		if _, err := os.Stat(cwd); err != nil {
			return "", fmt.Errorf("cd: %s: No such file or directory (the shell's folder is gone; give workdir)", cwd)
		}
		return cwd, nil
	case workdir == "~" || strings.HasPrefix(workdir, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("cd: %s: %w", workdir, err)
		}
		dir = filepath.Join(home, workdir[1:])
	case filepath.IsAbs(workdir):
		dir = filepath.Clean(workdir)
	default:
		dir = filepath.Join(cwd, workdir)
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("cd: %s: No such file or directory", workdir)
	case err != nil:
		return "", fmt.Errorf("cd: %s: %w", workdir, err)
	case !info.IsDir():
		return "", fmt.Errorf("cd: %s: Not a directory", workdir)
	}
	return dir, nil
}

// adopt takes over what a command left, when it came to its end.
func (sh *shell) adopt(save save) {
	cwd, ok := save.read()
	_ = os.Remove(save.cwd)
	if !ok {
		_ = os.Remove(save.state)
		return
	}
	sh.mu.Lock()
	old := sh.state
	sh.cwd, sh.state, sh.used = cwd, save.state, true
	sh.mu.Unlock()
	sh.all.mu.Lock()
	defer sh.all.mu.Unlock()
	sh.all.remove(old)
}
