package plugins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
)

// Streams are the standard streams of a command; files reach it as they are, so
// that it has the terminal.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// foregroundJob is what the interpreter of a command is told.
type foregroundJob struct {
	Init    bridge.Init   `json:"init"`
	Plugins []bridge.Load `json:"plugins"`
	Argv    []string      `json:"argv"` // the command and what follows it
}

// Foreground runs `hermes <command> ...` of a plugin in an interpreter of its
// own and waits for it; found is false when no enabled plugin has the command.
// The command is not killed when ctx ends: an interrupt reaches it as well.
func Foreground(ctx context.Context, opt Options, argv []string, std Streams) (code int, found bool, err error) {
	m := New(opt)
	defer m.cancel()
	if err := m.unpack(); err != nil {
		return 0, false, fmt.Errorf("unpack the plugin host: %w", err)
	}
	if _, sure := m.siteDirs(); !sure && !opt.Settings.SafeMode {
		m.learnSites(ctx)
	}
	job := foregroundJob{Argv: argv, Init: bridge.Init{
		Home: opt.Home, Cwd: opt.Dir, Platform: opt.Platform, Profile: profile(opt.Home), Version: opt.Version,
		LogLevel: opt.Settings.LogLevel, Debug: opt.Settings.Debug,
	}}
	for i, f := range m.discover() {
		if f.Load {
			job.Plugins = append(job.Plugins, bridge.Load{
				Key: f.Key, Name: f.Name, Module: f.Module, Entry: f.Entry, Dir: f.Code, EntryPoint: f.EntryPoint,
				Number: i + 1, Manifest: f.Ctx,
			})
		}
	}
	if len(job.Plugins) == 0 {
		return 0, false, nil
	}
	python, err := m.interpreter(ctx)
	if err != nil {
		return 0, false, err
	}
	return m.foreground(python, job, std)
}

// interpreter finds the Python that hosts run on, by starting one.
func (m *Manager) interpreter(ctx context.Context) ([]string, error) {
	proc, err := m.startHost(ctx, func(*host.Spec) {})
	if err != nil {
		return nil, fmt.Errorf("start Python: %w", err)
	}
	defer proc.Close(ctx)
	return proc.Command(), nil
}

func (m *Manager) foreground(python []string, job foregroundJob, std Streams) (code int, found bool, err error) {
	path, err := writeJob(m.cache(), job)
	if err != nil {
		return 0, false, err
	}
	defer os.Remove(path) //nolint:errcheck // gone already when a plugin had the command
	script := filepath.Join(m.root, "pyhost", "hermes_host", "__main__.py")
	args := append(append([]string{}, python[1:]...), "-I", script, "--foreground", path)
	cmd := exec.Command(python[0], args...) //nolint:noctx // an interrupt reaches it through the terminal
	cmd.Env = append(m.environ(), "HERMES_HOME="+m.opt.Home)
	cmd.Dir = m.opt.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.In, std.Out, std.Err
	err = cmd.Run()
	_, left := os.Stat(path)
	found = errors.Is(left, os.ErrNotExist)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
		if code < 0 {
			code = 1 // a signal ended it
		}
		return code, true, nil
	case err != nil:
		return 0, false, fmt.Errorf("run %s: %w", python[0], err)
	}
	return 0, found, nil
}

// writeJob puts the job into a file of its own, which only the user may read.
func writeJob(dir string, job foregroundJob) (string, error) {
	data, err := json.Marshal(job)
	if err != nil {
		return "", fmt.Errorf("encode the command: %w", err)
	}
	f, err := os.CreateTemp(dir, "command-*.json")
	if err != nil {
		return "", fmt.Errorf("write the command: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write the command: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return f.Name(), nil
}
