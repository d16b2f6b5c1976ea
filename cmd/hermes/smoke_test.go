//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"hermes/tui/tuitest"
)

// TestSmoke drives the real binary on a pseudo-terminal: that of HERMES_BIN,
// or one that it builds first.
func TestSmoke(t *testing.T) {
	bin := os.Getenv("HERMES_BIN")
	if bin == "" {
		bin = filepath.Join(t.TempDir(), "hermes")
		if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	for name, test := range map[string]func(*testing.T, string){
		"first minute":         smokeFirstMinute,
		"python killed":        smokePythonKilled,
		"program killed":       smokeProgramKilled,
		"asked to end":         smokeSignals,
		"unusable terminals":   smokeUnusable,
		"a home it cannot use": smokeBadHome,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, bin)
		})
	}
}

// session is the binary on a terminal.
type session struct {
	*tuitest.Screen
	t    *testing.T
	cmd  *exec.Cmd
	home string
}

// command is the binary in an environment of its own.
func command(t *testing.T, bin, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{
		"HERMES_HOME=" + home, "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"),
		"LANG=en_US.UTF-8", "TERM=xterm-256color", "COLORTERM=truecolor",
	}
	// A version manager's stand-in for Python reads its own settings.
	for _, name := range []string{"PYENV_ROOT", "PYENV_VERSION", "HERMES_PYTHON"} {
		if v, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	return cmd
}

func startSession(t *testing.T, bin string, w, h int) *session {
	t.Helper()
	s := &session{t: t, home: filepath.Join(t.TempDir(), "home")}
	s.cmd = command(t, bin, s.home)
	s.Screen = tuitest.StartCommand(t, w, h, s.cmd)
	return s
}

// enableCalculator enables the bundled example with the key that is offered.
func (s *session) enableCalculator() {
	s.t.Helper()
	s.WaitText("○ calculator example", "F5 enables it")
	s.Press("f5")
	s.WaitText("calculator: calculate, unit_convert")
}

func (s *session) ask(text, answer string) {
	s.t.Helper()
	s.Type(text)
	s.Press("enter")
	s.WaitFor(func(snap tuitest.Snapshot) bool { return snap.Contains(answer) && !snap.Contains("Esc Esc stop") })
}

// hostGroup opens the plugin page and returns the process group of the Python
// host that it names, then goes back.
func (s *session) hostGroup() (pid, group int) {
	s.t.Helper()
	s.Press("f2")
	shown := regexp.MustCompile(`host pid ([0-9]+)`)
	snap := s.WaitFor(func(snap tuitest.Snapshot) bool { return shown.MatchString(snap.String()) })
	pid, err := strconv.Atoi(shown.FindStringSubmatch(snap.String())[1])
	if err != nil {
		s.t.Fatal(err)
	}
	if group, err = syscall.Getpgid(pid); err != nil {
		s.t.Fatalf("the host %d: %v", pid, err)
	}
	if group == syscall.Getpgrp() || group == s.cmd.Process.Pid {
		s.t.Fatalf("the host has no process group of its own")
	}
	s.Press("esc")
	s.WaitText("❯")
	return pid, group
}

// waitGone waits until no process of a group is left.
func waitGone(t *testing.T, group int) {
	t.Helper()
	deadline := time.Now().Add(tuitest.Deadline)
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
		if time.Now().After(deadline) {
			out, _ := exec.Command("ps", "-o", "pid,ppid,pgid,stat,args", "-g", strconv.Itoa(group)).Output() // for the message only
			t.Fatalf("processes of the host are left:\n%s", out)
		}
		<-look.C
	}
}

func smokeFirstMinute(t *testing.T, bin string) {
	s := startSession(t, bin, 80, 24)
	first := s.WaitText("Hermes Agent", "❯")
	first.AssertOneComposer(t)
	s.enableCalculator()
	_, group := s.hostGroup()
	s.ask("What's 2 to the power of 16?", "calculate answered 65536")
	s.ask("/plugins", "Enable/disable:")
	snap := s.WaitText("Plugins (1):", "  ✓ calculator v1.0.0 (2 tools, 1 hooks, 1 commands)")
	snap.AssertOneComposer(t)
	snap.AssertSound(t)
	s.Resize(120, 40)
	s.WaitText("● calculator", "├─ Hooks", "❯")
	s.Resize(40, 12)
	s.WaitFor(func(snap tuitest.Snapshot) bool { return snap.W == 40 && snap.Contains("❯") })
	if err := s.Quit("ctrl+c", "ctrl+c"); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	waitGone(t, group)
	for name, mode := range map[string]os.FileMode{"config.yaml": 0o600, ".hermes_history": 0o600} {
		if info, err := os.Stat(filepath.Join(s.home, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v %v, want mode %v", name, info, err, mode)
		}
	}
}

// The host is killed within the session: it comes back, and the panel says so.
func smokePythonKilled(t *testing.T, bin string) {
	s := startSession(t, bin, 80, 24)
	s.enableCalculator()
	pid, group := s.hostGroup()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.Type("typed at once")
	s.WaitText("❯ typed at once")
	s.Press("ctrl+u")
	s.Press("f2")
	s.WaitFor(func(snap tuitest.Snapshot) bool {
		return strings.Contains(snap.String(), "1 restart") && !strings.Contains(snap.String(), fmt.Sprintf("host pid %d", pid))
	})
	s.WaitFor(func(snap tuitest.Snapshot) bool { return snap.Contains("● calculator") })
	s.Press("esc")
	s.ask("What's 2 to the power of 16?", "calculate answered 65536")
	waitGone(t, group)
	if err := s.Quit("ctrl+c", "ctrl+c"); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

// The program is killed: nothing of its Python stays behind.
func smokeProgramKilled(t *testing.T, bin string) {
	s := startSession(t, bin, 80, 24)
	s.enableCalculator()
	_, group := s.hostGroup()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	waitGone(t, group)
}

// A program that is asked to end gives the terminal back and says why in its
// exit code.
func smokeSignals(t *testing.T, bin string) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			s := startSession(t, bin, 80, 24)
			s.enableCalculator()
			_, group := s.hostGroup()
			if err := s.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := s.WaitEnd(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(sig) {
				t.Errorf("the program ended with %v, want exit code %d", err, 128+int(sig))
			}
			waitGone(t, group)
		})
	}
}

// Where there is no screen to draw on, one line says so and what to use.
func smokeUnusable(t *testing.T, bin string) {
	pipe := command(t, bin, t.TempDir())
	out, err := pipe.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("without a terminal: %v, want exit code 2", err)
	}
	if text := string(out); !strings.Contains(text, "terminal") || strings.Contains(text, "\x1b") {
		t.Errorf("without a terminal it says %q", text)
	}
	dumb := command(t, bin, t.TempDir())
	dumb.Env = append(dumb.Env, "TERM=dumb")
	s := tuitest.StartCommand(t, 80, 24, dumb)
	if err := s.WaitEnd(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Errorf("TERM=dumb: %v, want exit code 2", err)
	}
	if !s.Wrote("TERM=dumb") || s.Wrote("\x1b[") {
		t.Errorf("TERM=dumb: it wrote %q", s.Bytes())
	}
}

// A configuration that cannot be read is named with its line, and the program
// works with the defaults.
func smokeBadHome(t *testing.T, bin string) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte("model:\n  default: x\n bad\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := tuitest.StartCommand(t, 80, 24, command(t, bin, home))
	s.WaitFor(func(snap tuitest.Snapshot) bool {
		return regexp.MustCompile(`config\.yaml:[23]`).MatchString(snap.String())
	})
	s.Type("hello")
	s.WaitText("❯ hello")
	s.Press("enter")
	s.WaitText("built-in demo")
	if err := s.Quit("ctrl+c", "ctrl+c"); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	if b, err := os.ReadFile(filepath.Join(home, "config.yaml")); err != nil || string(b) != "model:\n  default: x\n bad\n" {
		t.Errorf("the file was changed: %q, %v", b, err)
	}
}
