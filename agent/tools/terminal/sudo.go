package terminal

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// probeLimit bounds the question whether sudo wants a password at all.
const probeLimit = 5 * time.Second

// sudo hands a password to the sudo of a command. There is no terminal that
// sudo could ask on; a helper program (SUDO_ASKPASS) reads the password from a
// named pipe, so that it is in no file, no environment and no command line.
type sudo struct {
	mu       sync.Mutex
	password string // of this program's user, once it was given
}

// asking is what a command needs for sudo; the zero value is nothing.
type asking struct {
	prefix string // shell code before the command
	env    []string
	stop   func()
}

// sudoFunction makes the shell's own calls of sudo ask by the helper. Calls
// from other programs find no terminal, as ever.
const sudoFunction = `sudo() { command sudo -A "$@"; }; `

// prepare finds out whether the command needs a password and gets it. What
// cannot be had is left to sudo to complain about.
func (r *run) prepare(ctx context.Context) asking {
	t := r.t
	if t.root || t.d.Password == nil || !callsSudo(r.a.Command) || !wantsPassword(ctx, r.env()) {
		return asking{}
	}
	t.sudo.mu.Lock()
	defer t.sudo.mu.Unlock()
	if t.sudo.password == "" {
		t.sudo.password = t.d.Password(ctx, r.c)
	}
	if t.sudo.password == "" {
		return asking{}
	}
	helper, stop, err := askpass(t.shells, t.sudo.password)
	if err != nil {
		t.d.Log.Warn("No password for sudo", "error", err)
		return asking{}
	}
	return asking{prefix: sudoFunction, env: []string{"SUDO_ASKPASS=" + helper}, stop: stop}
}

// refuted forgets a password that sudo did not take.
func (t *Terminal) refuted(output string) {
	if strings.Contains(output, "incorrect password attempt") {
		t.sudo.mu.Lock()
		t.sudo.password = ""
		t.sudo.mu.Unlock()
	}
}

// callsSudo reports whether a command calls sudo in a way that may ask for a
// password.
func callsSudo(command string) bool {
	if !strings.Contains(command, "sudo") {
		return false
	}
	for _, c := range simpleCommands(command) {
		words := c.words
		for len(words) > 0 && assignment.MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) == 0 || path.Base(words[0]) != "sudo" {
			continue
		}
		if !asksItself(words[1:]) {
			return true
		}
	}
	return false
}

// asksItself reports whether sudo's own options say how it gets a password, or
// that it must not ask for one.
func asksItself(args []string) bool {
	for _, a := range args {
		switch {
		case !strings.HasPrefix(a, "-"):
			return false
		case a == "--non-interactive" || a == "--stdin" || a == "--askpass":
			return true
		case !strings.HasPrefix(a, "--") && strings.ContainsAny(a, "nSA"):
			return true
		}
	}
	return false
}

// wantsPassword asks sudo whether it would ask.
func wantsPassword(ctx context.Context, env []string) bool {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	program := lookPath("sudo", env)
	if program == "" {
		return false
	}
	cmd := exec.CommandContext(ctx, program, "-n", "true")
	cmd.Env = env
	return cmd.Run() != nil && ctx.Err() == nil
}

// lookPath finds a program on the PATH of env, which may not be ours.
func lookPath(name string, env []string) string {
	for _, dir := range filepath.SplitList(lookup(env, "PATH")) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}
