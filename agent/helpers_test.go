package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what should happen at once; only a failing test waits for it.
const patience = 10 * time.Second

// fakeTool is a tool made of a function.
type fakeTool struct {
	spec   tool.Spec
	hidden string
	run    func(ctx context.Context, c tool.Call) (tool.Result, error)
}

func (f fakeTool) Spec() tool.Spec { return f.spec }

func (f fakeTool) Available(context.Context) (bool, string) { return f.hidden == "", f.hidden }

func (f fakeTool) Run(ctx context.Context, c tool.Call) (tool.Result, error) { return f.run(ctx, c) }

// echo answers with its arguments.
func echo(name string) fakeTool {
	return fakeTool{
		spec: tool.Spec{
			Name: name, Toolset: "probe", Owner: "probe", Description: "Says it again",
			Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"},"n":{"type":"integer"}}}`),
		},
		run: func(_ context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Content: `{"got": ` + string(c.Args) + `}`}, nil
		},
	}
}

// recorder is a hook.Invoker in Go. It records every call and answers from
// functions.
type recorder struct {
	mu     sync.Mutex
	calls  []recorded
	names  map[string]bool // nil: all
	answer map[string]func(payload map[string]json.RawMessage) hook.Outcome
}

type recorded struct {
	name    string
	payload map[string]json.RawMessage
}

func (r *recorder) Has(name string) bool { return r.names == nil || r.names[name] }

func (r *recorder) Invoke(_ context.Context, name string, payload any) (hook.Outcome, error) {
	b, err := json.Marshal(payload)
	if err != nil {
		return hook.Outcome{}, err
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return hook.Outcome{}, err
	}
	r.mu.Lock()
	r.calls = append(r.calls, recorded{name, m})
	f := r.answer[name]
	r.mu.Unlock()
	if f != nil {
		return f(m), nil
	}
	return hook.Outcome{}, nil
}

func (r *recorder) order() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, c := range r.calls {
		names = append(names, c.name)
	}
	return strings.Join(names, " ")
}

func (r *recorder) of(name string) []map[string]json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []map[string]json.RawMessage
	for _, c := range r.calls {
		if c.name == name {
			out = append(out, c.payload)
		}
	}
	return out
}

func returns(values ...string) func(map[string]json.RawMessage) hook.Outcome {
	return func(map[string]json.RawMessage) hook.Outcome {
		var out hook.Outcome
		for _, v := range values {
			out.Returns = append(out.Returns, json.RawMessage(v))
		}
		return out
	}
}

// bench is an agent on a scripted service.
type bench struct {
	*Agent
	t      testing.TB
	srv    *llmtest.Server
	sub    *event.Subscription
	events []event.Event
	log    *syncBuffer
	sleeps []time.Duration
	mu     sync.Mutex // guards sleeps
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

type benchOptions struct {
	steps    []llmtest.Step
	tools    []tool.Tool
	hooks    hook.Invoker
	settings Settings
	change   func(*Options)
	client   func(*openai.Config)
}

func newBench(t testing.TB, o benchOptions) *bench {
	t.Helper()
	srv, err := llmtest.New(o.steps...)
	if err != nil {
		t.Fatal(err)
	}
	http := openai.NewHTTP()
	b := &bench{t: t, srv: srv, log: &syncBuffer{}}
	bus := event.NewBus(nil)
	b.sub = bus.Subscribe()
	reg := tool.NewRegistry(nil)
	for _, x := range o.tools {
		if _, err := reg.Add(x, false); err != nil {
			t.Fatal(err)
		}
	}
	cfg := openai.Config{Provider: "custom", Model: "mock-model", BaseURL: srv.URL, APIKey: "sk-test-000000", HTTP: http}
	if o.client != nil {
		o.client(&cfg)
	}
	client := openai.New(cfg)
	opts := Options{
		Bus: bus, Tools: reg, Dir: t.TempDir(), Home: t.TempDir(),
		Log:      slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Client:   func() llm.Client { return client },
		Settings: func() Settings { return o.settings },
		Sleep: func(ctx context.Context, d time.Duration) error {
			b.mu.Lock()
			b.sleeps = append(b.sleeps, d)
			b.mu.Unlock()
			return ctx.Err()
		},
	}
	if o.hooks != nil {
		opts.Hooks = func() hook.Invoker { return o.hooks }
	}
	if o.change != nil {
		o.change(&opts)
	}
	b.Agent = New(opts)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := b.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
		srv.Close()
		http.CloseIdleConnections()
		b.sub.Close()
	})
	return b
}

// turn asks and returns how the turn ended.
func (b *bench) turn(text string) event.TurnDone {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d, err := b.Ask(ctx, text)
	if err != nil {
		b.t.Fatalf("ask: %v", err)
	}
	return d
}

// until waits for an event for which ok is true; it keeps all events.
func (b *bench) until(what string, ok func(event.Event) bool) event.Event {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		batch := b.sub.Next(ctx)
		if batch == nil {
			b.t.Fatalf("%s did not come; events so far:\n%s", what, b.story())
		}
		b.events = append(b.events, batch...)
		for _, e := range batch {
			if ok(e) {
				return e
			}
		}
	}
}

func (b *bench) drain() []event.Event {
	b.events = append(b.events, b.sub.Take()...)
	return b.events
}

// story is the events so far, one line each.
func (b *bench) story() string {
	var out []string
	for _, e := range b.drain() {
		out = append(out, describe(e))
	}
	return strings.Join(out, "\n")
}

func describe(e event.Event) string {
	switch e := e.(type) {
	case event.Delta:
		return fmt.Sprintf("delta %s %q", e.Kind, e.Text)
	case event.MessageDone:
		return fmt.Sprintf("message %q replaced=%v", e.Content, e.Replaced)
	case event.ToolStarted:
		return fmt.Sprintf("started %s %s %s", e.Name, e.Call, e.Args)
	case event.ToolDone:
		return fmt.Sprintf("done %s %s %s %s", e.Name, e.Call, e.Status, e.Preview)
	case event.TurnStarted:
		return fmt.Sprintf("turn %q %s", e.Text, e.Source)
	case event.TurnDone:
		return fmt.Sprintf("turn done %s %q %q", e.Outcome, e.Answer, e.Err)
	case event.Retry:
		return fmt.Sprintf("retry %d/%d %s", e.N, e.Max, e.Reason)
	case event.Queued:
		return fmt.Sprintf("queued %q", e.Text)
	case event.Dequeued:
		return fmt.Sprintf("dequeued dropped=%v", e.Dropped)
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", e), "event.")
}

// request returns the n-th request, counted from 0.
func (b *bench) request(n int) llmtest.Body {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	rs, err := b.srv.WaitRequests(ctx, n+1)
	if err != nil {
		b.t.Fatal(err)
	}
	return rs[n].Body
}

// say is a message as a request carries it, in short.
func say(m llmtest.Message) string {
	s := m.Role + ": " + m.Content
	for _, c := range m.ToolCalls {
		s += fmt.Sprintf(" [%s %s(%s)]", c.ID, c.Function.Name, c.Function.Arguments)
	}
	if m.ToolCallID != "" {
		s += " <" + m.ToolCallID + ">"
	}
	return s
}

func lines(ms []llmtest.Message) []string {
	var out []string
	for _, m := range ms {
		if m.Role != "system" {
			out = append(out, say(m))
		}
	}
	return out
}

func wantLines(t testing.TB, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// give is a handler that always answers with text.
func give(text string) func(context.Context, tool.Call) (tool.Result, error) {
	return func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{Content: text}, nil }
}
