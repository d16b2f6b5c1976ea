// Package reference runs hermes-agent 0.19.0 beside tests, so that files of
// the one are proved to work in the other. Only tests import it.
package reference

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// Version is the one that the program shares its files with.
const Version = "0.19.0"

// Env names the Python interpreter of an environment that has it installed.
const Env = "HERMES_REFERENCE_PYTHON"

// Peer is an installed reference with a home of its own.
type Peer struct {
	t      testing.TB
	python string
	Home   string // its HERMES_HOME
}

var (
	once   sync.Once
	python string
	reason error
)

// Start finds the reference: the environment that HERMES_REFERENCE_PYTHON
// names or, in CI, one that is made for the run below the user's cache. The
// test is skipped when there is none, and says why.
func Start(t testing.TB, home string) *Peer {
	t.Helper()
	once.Do(func() { python, reason = find() })
	if reason != nil {
		t.Skipf("hermes-agent %s is not here: %v", Version, reason)
	}
	return &Peer{t: t, python: python, Home: home}
}

func find() (string, error) {
	if p := os.Getenv(Env); p != "" {
		return p, check(p)
	}
	if os.Getenv("CI") == "" {
		return "", fmt.Errorf("set %s to the Python that has it, or CI to install it", Env)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "hermes-tests", "hermes-agent-"+Version)
	p := filepath.Join(dir, "bin", "python")
	if runtime.GOOS == "windows" {
		p = filepath.Join(dir, "Scripts", "python.exe")
	}
	if check(p) == nil {
		return p, nil
	}
	for _, cmd := range [][]string{
		{"python3", "-m", "venv", dir},
		{p, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "hermes-agent==" + Version},
	} {
		if out, err := exec.Command(cmd[0], cmd[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", cmd[0], err, tail(out))
		}
	}
	return p, check(p)
}

func tail(out []byte) []byte { return out[max(0, len(out)-400):] }

func check(python string) error {
	out, err := exec.Command(python, "-c", `import importlib.metadata as m; print(m.version("hermes-agent"))`).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", python, err, tail(out))
	}
	if got := string(out); got != Version+"\n" && got != Version+"\r\n" {
		return fmt.Errorf("%s has hermes-agent %s", python, got)
	}
	return nil
}

// Python runs a script with arguments and returns what it prints.
func (p *Peer) Python(script string, args ...string) []byte {
	p.t.Helper()
	return p.run(append([]string{"-c", script}, args...))
}

// Hermes runs the reference's own command line and returns what it prints on
// standard output.
func (p *Peer) Hermes(args ...string) []byte {
	p.t.Helper()
	return p.run(append([]string{"-m", "hermes_cli.main"}, args...))
}

func (p *Peer) run(args []string) []byte {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), p.python, args...)
	cmd.Dir = p.Home
	cmd.Env = append(os.Environ(), "HERMES_HOME="+p.Home, "HERMES_DISABLE_LAZY_INSTALLS=1", "PYTHONIOENCODING=utf-8", "NO_COLOR=1")
	var stderr limited
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("reference %q: %v\n%s%s", args[1:], err, out, stderr.b)
	}
	return out
}

// limited keeps the end of what is written.
type limited struct{ b []byte }

func (l *limited) Write(p []byte) (int, error) {
	l.b = tail(append(l.b, p...))
	return len(p), nil
}
