package agent

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// isDone is the end of a turn.
func isDone(e event.Event) bool { _, ok := e.(event.TurnDone); return ok }

// nextTurn interrupts, waits for the end, and returns what a further turn
// sends.
func (b *bench) afterInterrupt() (event.TurnDone, []string) {
	b.t.Helper()
	d, _ := b.until("the end of the turn", isDone).(event.TurnDone)
	before := len(b.srv.Requests())
	if got := b.turn("again"); got.Outcome != event.OutcomeDone {
		b.t.Errorf("the next turn ended %s: %s", got.Outcome, got.Err)
	}
	return d, lines(b.request(before).Messages)
}

func TestInterruptWhileTheModelIsSilent(t *testing.T) {
	never := make(chan struct{})
	b := newBench(t, benchOptions{steps: []llmtest.Step{{Wait: never}, llmtest.Say("ok")}})
	b.Submit("go")
	b.request(0)
	b.Interrupt()
	d, next := b.afterInterrupt()
	if d.Outcome != event.OutcomeInterrupted || d.Err != "Interrupted." || d.Answer != "" {
		t.Errorf("%+v", d)
	}
	wantLines(t, next, "user: go\n\nagain")
}

func TestInterruptWhileTheAnswerStreams(t *testing.T) {
	gate := make(chan struct{})
	b := newBench(t, benchOptions{steps: []llmtest.Step{{Text: "partial text here", ChunkChars: 7, Gate: gate}, llmtest.Say("ok")}})
	b.Submit("go")
	gate <- struct{}{}
	b.until("the first piece", func(e event.Event) bool { d, ok := e.(event.Delta); return ok && d.Text == "partial" })
	b.Interrupt()
	d, next := b.afterInterrupt()
	if d.Outcome != event.OutcomeInterrupted || d.Answer != "partial" {
		t.Errorf("%+v", d)
	}
	wantLines(t, next, "user: go", "assistant: partial", "user: again")
}

func TestInterruptWhileAToolRuns(t *testing.T) {
	started := make(chan struct{})
	slow := echo("slow")
	slow.run = func(ctx context.Context, _ tool.Call) (tool.Result, error) {
		close(started)
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	}
	hooks := &recorder{}
	b := newBench(t, benchOptions{
		hooks: hooks, tools: []tool.Tool{echo("echo"), slow},
		steps: []llmtest.Step{{Text: "I look.", ToolCalls: []llmtest.Call{
			llmtest.NewCall("a", "echo", `{}`), llmtest.NewCall("b", "slow", `{}`), llmtest.NewCall("c", "echo", `{"n":2}`),
		}}, llmtest.Say("ok")},
	})
	b.Submit("go")
	<-started
	b.Interrupt()
	d, next := b.afterInterrupt()
	if d.Outcome != event.OutcomeInterrupted || len(d.Tools) != 3 {
		t.Errorf("%+v", d)
	}
	wantLines(t, next,
		"user: go", "assistant: I look. [a echo({})] [b slow({})] [c echo({\"n\":2})]",
		`tool: {"got": {}} <a>`,
		`tool: {"error": "Tool 'slow' was interrupted by the user"} <b>`,
		`tool: [Tool execution cancelled — echo was skipped due to user interrupt] <c>`,
		"assistant: Operation interrupted.", "user: again")
	for i, want := range []string{event.StatusOK, event.StatusCancelled, event.StatusCancelled} {
		if d.Tools[i].Status != want {
			t.Errorf("call %d is %s, want %s", i, d.Tools[i].Status, want)
		}
	}
	post := hooks.of(hook.PostToolCall)
	if len(post) != 2 || string(post[1]["status"]) != `"cancelled"` || string(post[1]["error_type"]) != `"keyboard_interrupt"` {
		t.Errorf("post_tool_call %s", post)
	}
	if end := hooks.of(hook.OnSessionEnd)[0]; string(end["interrupted"]) != "true" || string(end["completed"]) != "false" {
		t.Errorf("on_session_end %s", end)
	}
	if len(hooks.of(hook.PostLLMCall)) != 1 { // of the next turn
		t.Error("post_llm_call fired for an interrupted turn")
	}
}

func TestAResultThatWasThereStays(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	deaf := echo("deaf")
	deaf.run = func(context.Context, tool.Call) (tool.Result, error) {
		close(started)
		<-release
		return tool.Result{Content: "finished anyway"}, nil
	}
	b := newBench(t, benchOptions{tools: []tool.Tool{deaf}, steps: []llmtest.Step{llmtest.Use("a", "deaf", `{}`), llmtest.Say("ok")}})
	b.Submit("go")
	<-started
	b.Interrupt()
	close(release)
	_, next := b.afterInterrupt()
	wantLines(t, next[2:3], "tool: finished anyway <a>")
}

func TestASecondInterruptAbandonsATool(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	deaf := echo("deaf")
	deaf.run = func(context.Context, tool.Call) (tool.Result, error) {
		close(started)
		<-release
		return tool.Result{Content: "late"}, nil
	}
	b := newBench(t, benchOptions{tools: []tool.Tool{deaf}, steps: []llmtest.Step{llmtest.Use("a", "deaf", `{}`), llmtest.Say("ok")}})
	t.Cleanup(func() { close(release) })
	b.Submit("go")
	<-started
	b.Interrupt()
	b.Interrupt()
	d, next := b.afterInterrupt()
	if d.Outcome != event.OutcomeInterrupted {
		t.Errorf("%+v", d)
	}
	wantLines(t, next[2:3], `tool: {"error": "Tool 'deaf' was interrupted by the user"} <a>`)
}

func TestInterruptBetweenAttempts(t *testing.T) {
	waiting := make(chan struct{})
	b := newBench(t, benchOptions{
		steps: []llmtest.Step{{Status: 500}, llmtest.Say("ok")},
		change: func(o *Options) {
			o.Sleep = func(ctx context.Context, _ time.Duration) error {
				close(waiting)
				<-ctx.Done()
				return ctx.Err()
			}
		},
	})
	b.Submit("go")
	<-waiting
	b.Interrupt()
	d, _ := b.afterInterrupt()
	if d.Outcome != event.OutcomeInterrupted || len(b.srv.Requests()) != 2 {
		t.Errorf("%+v, %d requests", d, len(b.srv.Requests()))
	}
}

// blocking is an Invoker whose callbacks of one hook wait for their context.
type blocking struct {
	name    string
	entered chan struct{}
}

func (b *blocking) Has(name string) bool { return name == b.name }

func (b *blocking) Invoke(ctx context.Context, _ string, _ any) (hook.Outcome, error) {
	close(b.entered)
	<-ctx.Done()
	return hook.Outcome{}, ctx.Err()
}

func TestInterruptWhileAHookRuns(t *testing.T) {
	for _, name := range []string{hook.OnSessionStart, hook.PreLLMCall, hook.PreToolCall} {
		t.Run(name, func(t *testing.T) {
			hooks := &blocking{name, make(chan struct{})}
			var inv hook.Invoker = hooks
			b := newBench(t, benchOptions{
				tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{llmtest.Use("a", "echo", `{}`), llmtest.Say("ok")},
				change: func(o *Options) { o.Hooks = func() hook.Invoker { return inv } },
			})
			b.Submit("go")
			<-hooks.entered
			b.Interrupt()
			d, _ := b.until("the end", isDone).(event.TurnDone)
			if d.Outcome != event.OutcomeInterrupted {
				t.Errorf("%+v", d)
			}
		})
	}
}

func TestInterruptWhileWaitingForPlugins(t *testing.T) {
	never := make(chan struct{})
	b := newBench(t, benchOptions{
		steps: []llmtest.Step{llmtest.Say("ok")},
		change: func(o *Options) {
			o.Ready = func(context.Context) (string, <-chan struct{}) { return "loading plugins", never }
		},
	})
	b.Submit("go")
	b.until("the wait", func(e event.Event) bool { w, ok := e.(event.TurnWaiting); return ok && w.Reason == "loading plugins" })
	b.Interrupt()
	if d, _ := b.until("the end", isDone).(event.TurnDone); d.Outcome != event.OutcomeInterrupted || len(b.srv.Requests()) != 0 {
		t.Errorf("%+v", d)
	}
}

func TestTheFirstTurnWaitsForPluginsButNotForever(t *testing.T) {
	ready := make(chan struct{})
	b := newBench(t, benchOptions{
		steps:    []llmtest.Step{llmtest.Say("ok")},
		settings: Settings{ReadyTimeout: 20 * time.Millisecond},
		change: func(o *Options) {
			o.Ready = func(context.Context) (string, <-chan struct{}) { return "loading plugins", ready }
		},
	})
	if d := b.turn("go"); d.Answer != "ok" {
		t.Errorf("%+v", d)
	}
	if !strings.Contains(b.story(), "TurnWaiting\nNotice\nTurnWaiting") {
		t.Errorf("events:\n%s", b.story())
	}
	close(ready)
	b.events = nil
	b.turn("again")
	if strings.Contains(b.story(), "TurnWaiting") {
		t.Errorf("waited although all is there:\n%s", b.story())
	}
}

// What was typed before the configuration was read is answered by the model
// that it names.
func TestTheModelOfATurnIsChosenAfterTheWait(t *testing.T) {
	ready := make(chan struct{})
	b := newBench(t, benchOptions{
		steps: []llmtest.Step{llmtest.Say("ok")},
		change: func(o *Options) {
			named := o.Client
			o.Ready = func(context.Context) (string, <-chan struct{}) { return "reading configuration", ready }
			o.Client = func() llm.Client {
				select {
				case <-ready:
					return named()
				default:
					return nil
				}
			}
		},
	})
	b.Submit("go")
	b.until("the wait", func(e event.Event) bool { _, ok := e.(event.TurnWaiting); return ok })
	close(ready)
	if d, _ := b.until("the end", isDone).(event.TurnDone); d.Answer != "ok" {
		t.Errorf("%+v", d)
	}
}

func TestCloseInTheMiddleOfATurn(t *testing.T) {
	never := make(chan struct{})
	hooks := &recorder{}
	b := newBench(t, benchOptions{hooks: hooks, steps: []llmtest.Step{{Wait: never}}})
	b.Submit("go")
	b.Submit("queued")
	b.request(0)
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := hooks.order(); got != "on_session_start pre_llm_call on_session_end on_session_finalize" {
		t.Errorf("hooks %s", got)
	}
	end := hooks.of(hook.OnSessionEnd)[0]
	if string(end["reason"]) != `"shutdown"` || string(end["interrupted"]) != "true" || string(end["completed"]) != "false" {
		t.Errorf("on_session_end %s", end)
	}
	story := b.story()
	if !strings.Contains(story, "dequeued dropped=true") || !strings.HasSuffix(story, "SessionClosed") || strings.Count(story, "turn done") != 1 {
		t.Errorf("events:\n%s", story)
	}
	if _, err := b.Ask(t.Context(), "more"); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	b.Submit("more") // does nothing
	if out := b.CallTool(t.Context(), "echo", json.RawMessage(`{}`)); out.Status == event.StatusOK {
		t.Errorf("a tool ran after the end: %+v", out)
	}
}

func TestAskEndsWithItsContext(t *testing.T) {
	never := make(chan struct{})
	b := newBench(t, benchOptions{steps: []llmtest.Step{{Wait: never}}})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		b.request(0)
		cancel()
	}()
	d, err := b.Ask(ctx, "go")
	if !errors.Is(err, context.Canceled) || d.Outcome != event.OutcomeInterrupted {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestAskThatIsStillQueuedIsTakenBack(t *testing.T) {
	never := make(chan struct{})
	b := newBench(t, benchOptions{steps: []llmtest.Step{{Wait: never}, llmtest.Say("ok")}})
	b.Submit("first")
	b.request(0)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := b.Ask(ctx, "second")
		ended <- err
	}()
	b.queuedID("second")
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if !b.Busy() {
		t.Error("the turn that was running was ended with it")
	}
	b.Interrupt()
	b.until("the end", isDone)
	if strings.Contains(b.story(), `turn "second"`) {
		t.Errorf("it ran:\n%s", b.story())
	}
}

func TestASummaryThatCannotBeHad(t *testing.T) {
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, settings: Settings{MaxTurns: 1},
		steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), {Status: 400, Body: json.RawMessage(`{"error":{"message":"nope"}}`)}},
	})
	d := b.turn("go")
	if d.Outcome != event.OutcomeLimit || !strings.Contains(d.Err, "limit of 1 requests") || !strings.Contains(d.Err, "nope") {
		t.Errorf("%+v", d)
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Errorf("got %v", err)
	}
}

// One interrupt is enough: what does not stop is left behind, and said to be.
func TestAToolThatDoesNotStopIsLeftBehind(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	deaf := echo("deaf")
	deaf.run = func(context.Context, tool.Call) (tool.Result, error) {
		close(started)
		<-release
		return tool.Result{Content: "late"}, nil
	}
	b := newBench(t, benchOptions{tools: []tool.Tool{deaf}, steps: []llmtest.Step{llmtest.Use("a", "deaf", `{}`), llmtest.Say("ok")}})
	t.Cleanup(func() { close(release) })
	b.Submit("go")
	<-started
	b.Interrupt()
	if d, _ := b.afterInterrupt(); d.Outcome != event.OutcomeInterrupted {
		t.Errorf("%+v", d)
	}
	for _, e := range b.drain() {
		if d, ok := e.(event.ToolDone); ok && (d.Status != event.StatusCancelled || !strings.Contains(d.Err, "left behind")) {
			t.Errorf("the card says %s: %s", d.Status, d.Err)
		}
	}
}
