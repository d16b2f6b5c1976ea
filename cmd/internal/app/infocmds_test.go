package app_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"hermes/agent/config"
	"hermes/agent/llm/llmtest"
	"hermes/cmd/internal/app"
	"hermes/tui/tuitest"
)

// plain is the program without a screen.
type plain struct {
	*app.Runtime
	t    *testing.T
	home config.Home
	srv  *llmtest.Server
}

func startPlain(t *testing.T, steps ...llmtest.Step) *plain {
	t.Helper()
	srv, err := llmtest.New(steps...)
	must(t, err)
	t.Cleanup(srv.Close)
	home, err := config.At(filepath.Join(t.TempDir(), "home"))
	must(t, err)
	must(t, os.MkdirAll(home.Dir(), 0o700))
	must(t, os.WriteFile(home.Config(), []byte("# mine\nmodel: {provider: custom, base_url: \""+srv.URL+"\", default: mock-model, api_key: sk-test-0000000000}\n"), 0o600))
	p := &plain{t: t, home: home, srv: srv}
	p.Runtime = app.New(app.Options{
		Home: home, Environ: []string{"HERMES_HOME=" + home.Dir(), "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")},
		Dir: t.TempDir(), Version: "0.1.0",
	})
	p.Start(context.Background())
	t.Cleanup(func() { must(t, p.Close()) })
	must(t, p.WaitSettled(context.Background()))
	return p
}

// says runs a command and requires patterns in what it prints.
func (p *plain) says(line string, patterns ...string) {
	p.t.Helper()
	done := p.RunCommand(context.Background(), line)
	if done.Err != "" {
		p.t.Errorf("%s: %s", line, done.Err)
	}
	for _, re := range patterns {
		if !regexp.MustCompile("(?m)" + re).MatchString(done.Text) {
			p.t.Errorf("%s: no %q in\n%s", line, re, done.Text)
		}
	}
}

func (p *plain) fails(line, with string) {
	p.t.Helper()
	if done := p.RunCommand(context.Background(), line); !strings.Contains(done.Err, with) {
		p.t.Errorf("%s: %q, want %q", line, done.Err, with)
	}
}

func TestCommandsAboutTheProgram(t *testing.T) {
	t.Parallel()
	p := startPlain(t, llmtest.Say("hello"))
	p.says("/usage", "nothing|Nothing")
	_, err := p.Ask(context.Background(), "hi")
	must(t, err)
	p.says("/status", `^session +\d{8}_`, `^model +mock-model \(custom\)`, `^messages +2$`, `^state +idle$`)
	// What the conversation takes now follows the turn by an event.
	for end := time.Now().Add(20 * time.Second); !strings.Contains(p.RunCommand(context.Background(), "/usage").Text, "context") && time.Now().Before(end); {
		runtime.Gosched()
	}
	p.says("/usage", `^input +1000$`, `^requests +1$`, `^context +~?1001`)
	p.says("/config", `^model +mock-model`, `^key +set \(`, `^agent.max_turns +90$`, `^toolsets .*file`)
	if out := p.RunCommand(context.Background(), "/config").Text; strings.Contains(out, "sk-test") {
		t.Errorf("/config shows the key:\n%s", out)
	}
	p.says("/insights", `1 sessions, 2 messages`)
	p.fails("/insights soon", "soon")
	p.says("/profile", `^default `)
	p.says("/version", `^hermes 0\.1\.0$`)
	p.says("/toolsets", `^\(\*\) file \[\d+ tools\] - .*read_file`)
	p.fails("/compress", "too little")
	p.fails("/queue", "/queue")
}

// What a command changes is kept in config.yaml, beside what is there.
func TestCommandsThatKeepSettings(t *testing.T) {
	t.Parallel()
	p := startPlain(t, llmtest.Say("hello"))
	p.says("/tools disable todo", "Disabled: todo")
	p.says("/toolsets", `^ +todo \[`)
	p.says("/tools disable todo", "nothing to change")
	p.fails("/tools disable nosuch", "nosuch")
	p.fails("/tools frobnicate", "/tools enable NAME")
	p.says("/busy", "queue")
	p.says("/busy steer", "steer")
	p.fails("/busy never", "never")
	p.says("/skin", `^▸ default$`, `^  mono$`)
	p.says("/skin mono", "mono")
	p.fails("/skin nosuch", "mono")
	p.says("/model", `^model mock-model`, `^▸ mock-model$`)
	p.says("/model other-model", `other-model \(custom\) answers`, `custom does not list other-model`)
	p.says("/model other-model --global", `saved`, `does not list`)
	must(t, config.SetEnv(p.home, "X_TOKEN", "1"))
	p.says("/reload", "again")
	_, err := p.Ask(context.Background(), "hi")
	must(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), tuitest.Deadline)
	defer cancel()
	sent, err := p.srv.WaitRequests(ctx, 1)
	must(t, err)
	if sent[0].Body.Model != "other-model" {
		t.Errorf("model %s", sent[0].Body.Model)
	}
	for _, tool := range sent[0].Body.Tools {
		if tool.Function.Name == "todo" {
			t.Error("todo is still offered")
		}
	}
	data, err := os.ReadFile(p.home.Config())
	must(t, err)
	for _, want := range []string{"# mine", "skin: mono", "busy_input_mode: steer", "default: other-model", "base_url: "} {
		if !strings.Contains(string(data), want) {
			t.Errorf("config.yaml has no %q:\n%s", want, data)
		}
	}
}

// A text reaches the running turn, or waits for its end.
func TestQueueAndSteer(t *testing.T) {
	t.Parallel()
	wait := make(chan struct{})
	p := startPlain(t,
		llmtest.Step{ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "todo", `{}`)}, Wait: wait},
		llmtest.Say("first"), llmtest.Say("second"))
	ended := make(chan error, 1)
	go func() { _, err := p.Ask(context.Background(), "go"); ended <- err }()
	ctx, cancel := context.WithTimeout(context.Background(), tuitest.Deadline)
	defer cancel()
	_, err := p.srv.WaitRequests(ctx, 1)
	must(t, err)
	p.says("/steer mind the gap")
	p.says("/queue then this")
	close(wait)
	must(t, <-ended)
	sent, err := p.srv.WaitRequests(ctx, 3)
	must(t, err)
	if raw := string(sent[1].Raw); !strings.Contains(raw, "mind the gap") || strings.Contains(raw, "then this") {
		t.Errorf("the second request: %s", raw)
	}
	if raw := string(sent[2].Raw); !strings.Contains(raw, "then this") {
		t.Errorf("the third request: %s", raw)
	}
}
