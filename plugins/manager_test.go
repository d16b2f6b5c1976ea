package plugins

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline bounds every wait of these tests; reaching it is a failure.
const deadline = 60 * time.Second

// rig is a manager on a home of its own, with its events.
type rig struct {
	*Manager
	t     *testing.T
	home  string
	tools *tool.Registry
	sub   *event.Subscription
	seen  []event.Event
	log   *logLines
}

// newRig copies plugin folders into a new home and makes a manager that is not
// started yet.
func newRig(t *testing.T, folders map[string]string, change func(*Options)) *rig {
	t.Helper()
	home := t.TempDir()
	for name, from := range folders {
		copyTree(t, from, filepath.Join(home, "plugins", name))
	}
	bus := event.NewBus(nil)
	r := &rig{t: t, home: home, tools: tool.NewRegistry(nil), sub: bus.Subscribe(), log: &logLines{}}
	opt := Options{
		Home: home, Dir: t.TempDir(), Env: append(os.Environ(), "HERMES_PYTHON="+testPython(t)), Bus: bus, Tools: r.tools, Platform: "cli", Version: "test",
		Log: slog.New(slog.NewTextHandler(io.MultiWriter(r.log, testWriter{t}), &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&opt)
	}
	r.Manager = New(opt)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		defer cancel()
		r.Close(ctx)
		r.sub.Close()
	})
	return r
}

// start starts the manager and waits until everything has loaded.
func (r *rig) start() *rig {
	r.t.Helper()
	r.Start(context.Background())
	select {
	case <-r.Settled():
	case <-time.After(deadline):
		r.t.Fatal("plugins did not settle")
	}
	return r
}

func (r *rig) plugin(key string) event.Plugin {
	r.t.Helper()
	p, ok := r.Get(key)
	if !ok {
		r.t.Fatalf("no plugin %q", key)
	}
	return p
}

func (r *rig) call(name, args string) tool.Result {
	r.t.Helper()
	res, err := r.try(name, args)
	if err != nil {
		r.t.Fatalf("%s: %v", name, err)
	}
	return res
}

func (r *rig) try(name, args string) (tool.Result, error) {
	r.t.Helper()
	tl, ok := r.tools.Get(name)
	if !ok {
		r.t.Fatalf("no tool %q", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	return tl.Run(ctx, toolCall(name, args))
}

func toolCall(name, args string) tool.Call {
	return tool.Call{ID: "c1", Name: name, Args: json.RawMessage(args), Session: "s1", Task: "s1"}
}

// hook fires a hook with a payload as it stands.
func (r *rig) hook(name, payload string) hook.Outcome {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	out, err := r.Hooks().Invoke(ctx, name, json.RawMessage(payload))
	if err != nil {
		r.t.Fatalf("hook %s: %v", name, err)
	}
	return out
}

// command runs a slash command line.
func (r *rig) command(line string) CommandResult {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	name, args, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	out, found := r.RunCommand(ctx, "s1", name, args)
	if !found {
		r.t.Fatalf("no command %q", line)
	}
	return out
}

// addFile puts one more file into a plugin's folder.
func (r *rig) addFile(key, name, text string) {
	r.t.Helper()
	path := filepath.Join(r.home, "plugins", key, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// events drains what has been emitted so far.
func (r *rig) events() []event.Event {
	r.seen = append(r.seen, r.sub.Take()...)
	return r.seen
}

// await waits for an event that fits.
func await[E event.Event](r *rig, fits func(E) bool) E {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	for from := 0; ; {
		all := r.events()
		for _, e := range all[from:] {
			if e, ok := e.(E); ok && fits(e) {
				return e
			}
		}
		from = len(all)
		batch := r.sub.Next(ctx)
		if batch == nil {
			var zero E
			r.t.Fatalf("no %T came", zero)
		}
		r.seen = append(r.seen, batch...)
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// corpus is the folder of recorded plugins beside the repository.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("HERMES_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	if _, err := os.Stat(filepath.Join(dir, "seed-plugins")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the guide's plugins are missing: %v (set HERMES_CORPUS)", err)
		}
		t.Skipf("the guide's plugins are not on this machine: %v (set HERMES_CORPUS)", err)
	}
	return dir
}

type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Logf("log: %.300s", strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

func TestGuideCalculator(t *testing.T) {
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			from := filepath.Join(corpus(t), "seed-plugins", "calculator-"+lang)
			r := newRig(t, map[string]string{"calculator": from}, func(o *Options) {
				o.Settings.Enabled = []string{"calculator"}
			}).start()
			p := r.plugin("calculator")
			if p.State != event.PluginOK || len(p.Tools) != 2 || len(p.Hooks) != 1 || p.Version != "1.0.0" {
				t.Fatalf("calculator = %+v", p)
			}
			for _, c := range []struct{ name, args, want string }{
				{"calculate", `{"expression": "2**16"}`, `{"expression": "2**16", "result": 65536}`},
				{"calculate", `{"expression": "sqrt(2 * pi)"}`, `{"expression": "sqrt(2 * pi)", "result": 2.5066282746310002}`},
				{"unit_convert", `{"value": 100, "from_unit": "F", "to_unit": "C"}`, `{"input": "100 F", "result": 37.7778, "output": "37.7778 C"}`},
				{"unit_convert", `{"value": 1.5, "from_unit": "TB", "to_unit": "GB"}`, `{"input": "1.5 TB", "result": 1536.0, "output": "1536.0 GB"}`},
			} {
				if got := r.call(c.name, c.args).Content; got != c.want {
					t.Errorf("%s %s = %s, want %s", c.name, c.args, got, c.want)
				}
			}
			if !r.Hooks().Has(hook.PostToolCall) || r.Hooks().Has(hook.PreToolCall) {
				t.Error("the calculator hooks post_tool_call and nothing else")
			}
			out, err := r.Hooks().Invoke(context.Background(), hook.PostToolCall, hook.ToolDone{
				ToolName: "calculate", Args: json.RawMessage(`{}`), Result: "{}", TaskID: "s1", SessionID: "s1", ToolCallID: "c1", Status: "ok",
			})
			if err != nil || len(out.Returns) != 0 || len(out.Changed) != 0 {
				t.Errorf("post_tool_call = %+v, %v", out, err)
			}
			run := await(r, func(e event.HookRun) bool { return true })
			if run.Hook != hook.PostToolCall || run.Plugin != "calculator" || run.Callback != "_on_post_tool_call" || run.Err != nil || run.Call != "c1" {
				t.Errorf("hook run = %+v", run)
			}
		})
	}
}

// kill ends a process as kill -9 does.
func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}
