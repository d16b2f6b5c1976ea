package delegate

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/event"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is Agents made of a function; what is delivered is kept.
type script struct {
	spawn     func(ctx context.Context, c Child) Outcome
	closing   bool
	delivered chan string
}

func (s script) Spawn(ctx context.Context, c Child) Outcome { return s.spawn(ctx, c) }
func (s script) Deliver(_, text string)                     { s.delivered <- text }

func (s script) Detach(_ string, f func(context.Context)) bool {
	if s.closing {
		return false
	}
	go f(context.Background())
	return true
}

func call(t *testing.T, d Deps, args string, ask tool.AskFunc) string {
	t.Helper()
	reg := tool.NewRegistry(nil)
	if err := Register(reg, d); err != nil {
		t.Fatal(err)
	}
	x, _ := reg.Get("delegate_task")
	r, err := x.Run(t.Context(), tool.Call{Args: json.RawMessage(args), Ask: ask})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content
}

func done(summary string) func(context.Context, Child) Outcome {
	return func(context.Context, Child) Outcome {
		return Outcome{Status: Completed, ExitReason: Completed, Summary: summary, Model: "m", APICalls: 1, Duration: 1500 * time.Millisecond}
	}
}

func TestResultShape(t *testing.T) {
	now := time.Unix(0, 0)
	got := call(t, Deps{Agents: script{spawn: done("it is so")}, Now: func() time.Time { return now }}, `{"goal":"look"}`, nil)
	want := `{"results": [{"task_index": 0, "status": "completed", "summary": "it is so", "api_calls": 1, "duration_seconds": 1.5, "model": "m", "exit_reason": "completed", "tokens": {"input": 0, "output": 0}, "tool_trace": []}], "total_duration_seconds": 0}`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestRefusals(t *testing.T) {
	d := Deps{Agents: script{spawn: done("x")}}
	for args, want := range map[string]string{
		`{}`:                                    "task 0 has no goal",
		`{"tasks":[{"goal":"a"},{"goal":" "}]}`: "task 1 has no goal",
		`{"tasks":[` + strings.Repeat(`{"goal":"a"},`, 40) + `{"goal":"a"}]}`: "too many",
	} {
		if got := call(t, d, args, nil); !strings.Contains(got, want) {
			t.Errorf("%.40s: %s", args, got)
		}
	}
	if Register(tool.NewRegistry(nil), Deps{}) == nil {
		t.Error("registered without agents")
	}
}

// A summary that is too long is cut, and all of it is in a file.
func TestLongSummary(t *testing.T) {
	long := strings.Repeat("字", summaryChars+10)
	got := call(t, Deps{Agents: script{spawn: done(long)}, Dir: t.TempDir()}, `{"goal":"look"}`, nil)
	var r struct {
		Results []struct{ Summary string }
	}
	if err := json.Unmarshal([]byte(got), &r); err != nil {
		t.Fatal(err)
	}
	_, path, ok := strings.Cut(r.Results[0].Summary, "all of it is in ")
	all, err := os.ReadFile(strings.TrimSuffix(path, "]"))
	if !ok || err != nil || string(all) != long {
		t.Errorf("%v %.80q", err, path)
	}
}

func TestTimeLimit(t *testing.T) {
	got := call(t, Deps{Timeout: time.Millisecond, Agents: script{spawn: func(ctx context.Context, _ Child) Outcome {
		<-ctx.Done()
		return Outcome{Status: Interrupted, ExitReason: Interrupted}
	}}}, `{"goal":"look"}`, nil)
	if !strings.Contains(got, `"status": "timeout"`) || !strings.Contains(got, "longer than") {
		t.Errorf("got %s", got)
	}
}

// The message names every task, what it was given and what came of it.
func TestMessages(t *testing.T) {
	ask := func(context.Context, event.Ask) (event.Answer, bool) { return event.Answer{}, false }
	s := script{delivered: make(chan string, 1), spawn: func(_ context.Context, c Child) Outcome {
		if c.Goal == "b" {
			return Outcome{Status: Failed, Err: "no way", Summary: "half"}
		}
		return Outcome{Status: Completed, Summary: "did " + c.Goal + " in " + c.Context}
	}}
	handle := call(t, Deps{Agents: s}, `{"context":"/src","tasks":[{"goal":"a"},{"goal":"b"}]}`, ask)
	if !strings.Contains(handle, `"status": "dispatched", "mode": "background", "count": 2, "delegation_id": "deleg_`) {
		t.Errorf("handle %s", handle)
	}
	got := <-s.delivered
	for _, want := range []string{"[ASYNC DELEGATION BATCH COMPLETE — deleg_", "✓ TASK 1/2: a", "did a in /src", "✗ TASK 2/2: b", "failed: no way", "half"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q in\n%s", want, got)
		}
	}
	call(t, Deps{Agents: s}, `{"goal":"c","context":"/x"}`, ask)
	if got := <-s.delivered; !strings.HasPrefix(got, "[ASYNC DELEGATION COMPLETE — deleg_") || !strings.Contains(got, "Original goal: c\nContext you provided: /x\n") || !strings.HasSuffix(got, "--- RESULT ---\ndid c in /x") {
		t.Errorf("got %s", got)
	}
	// When the program is ending there is nobody to deliver to.
	s.closing = true
	if got := call(t, Deps{Agents: s}, `{"goal":"c"}`, ask); !strings.Contains(got, `"results"`) {
		t.Errorf("got %s", got)
	}
}

// A bug in a sub-agent is its failure alone.
func TestPanic(t *testing.T) {
	got := call(t, Deps{Agents: script{spawn: func(_ context.Context, c Child) Outcome {
		if c.Index == 1 {
			panic("oh")
		}
		return done("fine")(context.Background(), c)
	}}}, `{"tasks":[{"goal":"a"},{"goal":"b"}]}`, nil)
	if !strings.Contains(got, `"summary": "fine"`) || !strings.Contains(got, "panic: oh") {
		t.Errorf("got %s", got)
	}
}
