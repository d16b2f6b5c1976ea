package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// held is a bench whose first answer waits for release.
func held(t *testing.T, mode string, more ...llmtest.Step) (b *bench, release chan struct{}) {
	t.Helper()
	release = make(chan struct{})
	b = newBench(t, benchOptions{
		settings: Settings{BusyMode: mode},
		steps:    append([]llmtest.Step{{Text: "first", Wait: release}}, more...),
	})
	b.Submit("one")
	b.request(0)
	return b, release
}

// turns waits for n turns and returns what they were asked.
func (b *bench) turns(n int) string {
	b.t.Helper()
	var texts []string
	done := 0
	for _, e := range b.drain() {
		if isDone(e) {
			done++
		}
	}
	for done < n {
		b.until("the end of a turn", isDone)
		done = 0
		for _, e := range b.drain() {
			if isDone(e) {
				done++
			}
		}
	}
	for _, e := range b.events {
		if s, ok := e.(event.TurnStarted); ok {
			texts = append(texts, s.Text+"/"+s.Source)
		}
	}
	return strings.Join(texts, " ")
}

func (b *bench) queuedID(text string) string {
	b.t.Helper()
	e, _ := b.until("queued "+text, func(e event.Event) bool { q, ok := e.(event.Queued); return ok && q.Text == text }).(event.Queued)
	return e.ID
}

func TestTextsWaitForTheEndOfTheTurn(t *testing.T) {
	b, release := held(t, "", llmtest.Say("x"))
	b.Submit("two")
	b.Submit("three")
	b.Submit("four")
	two, three := b.queuedID("two"), ""
	for _, e := range b.drain() {
		if q, ok := e.(event.Queued); ok && q.Text == "three" {
			three = q.ID
		}
	}
	if three == "" {
		three = b.queuedID("three")
	}
	b.EditQueued(two, "two, changed")
	b.EditQueued(three, "")
	b.EditQueued("nosuch", "x")
	close(release)
	if got := b.turns(3); got != "one/user two, changed/queue four/queue" {
		t.Errorf("turns %s", got)
	}
	if got := strings.Count(b.story(), "dequeued dropped=false"); got != 2 {
		t.Errorf("%d entries left the queue for a turn, want 2", got)
	}
}

func TestAHeldQueueDoesNotAdvance(t *testing.T) {
	b, release := held(t, "", llmtest.Say("x"))
	b.Submit("two")
	id := b.queuedID("two")
	b.HoldQueue(true)
	close(release)
	b.until("the end of the first turn", isDone)
	if b.Busy() {
		t.Error("the queue advanced")
	}
	b.EditQueued(id, "two, at leisure")
	b.HoldQueue(false)
	if got := b.turns(2); got != "one/user two, at leisure/queue" {
		t.Errorf("turns %s", got)
	}
}

// Who stops the work did not ask for the next piece of it.
func TestAnInterruptHoldsTheQueueBack(t *testing.T) {
	for _, by := range []string{"a new text", "HoldQueue"} {
		b, _ := held(t, "", llmtest.Say("x"))
		b.Submit("two")
		b.queuedID("two")
		b.Interrupt()
		b.until("the end of the first turn", isDone)
		if b.Busy() {
			t.Error("the queue advanced")
		}
		want := "one/user two/queue"
		if by == "a new text" {
			want = "one/user instead/user two/queue"
			b.Submit("instead")
			b.turns(3)
		} else {
			b.HoldQueue(false)
		}
		if got := b.turns(strings.Count(want, " ") + 1); got != want {
			t.Errorf("%s: turns %s", by, got)
		}
		var says []string
		for _, e := range b.events {
			if q, ok := e.(event.QueueHeld); ok {
				says = append(says, fmt.Sprint(q.Held))
			}
		}
		if got := strings.Join(says, " "); got != "true false" {
			t.Errorf("%s: held %s", by, got)
		}
	}
}

func TestWhatIsHeldCanBeDropped(t *testing.T) {
	b, _ := held(t, "", llmtest.Say("x"))
	b.Submit("two")
	id := b.queuedID("two")
	b.Interrupt()
	b.until("the end of the first turn", isDone)
	b.EditQueued(id, "")
	if got := b.turn("three"); got.Answer != "x" {
		t.Errorf("%+v", got)
	}
	if got := b.turns(2); got != "one/user three/user" {
		t.Errorf("turns %s", got)
	}
}

func TestInterruptMode(t *testing.T) {
	b, _ := held(t, BusyInterrupt, llmtest.Say("x"))
	b.Submit("two")
	if got := b.turns(2); got != "one/user two/queue" {
		t.Errorf("turns %s", got)
	}
	if !strings.Contains(b.story(), "turn done interrupted") {
		t.Errorf("events:\n%s", b.story())
	}
}

func TestSteerReachesTheNextToolResult(t *testing.T) {
	inTool, release := make(chan struct{}), make(chan struct{})
	slow := echo("slow")
	slow.run = func(context.Context, tool.Call) (tool.Result, error) {
		close(inTool)
		<-release
		return tool.Result{Content: "result"}, nil
	}
	b := newBench(t, benchOptions{
		settings: Settings{BusyMode: BusySteer}, tools: []tool.Tool{slow},
		steps: []llmtest.Step{llmtest.Use("a", "slow", `{}`), llmtest.Say("ok"), llmtest.Say("late")},
	})
	b.Submit("go")
	<-inTool
	b.Submit("be quick")
	close(release)
	b.until("the end", isDone)
	want := "tool: result\n\n" + steerOpen + "\nbe quick\n" + steerClose + " <a>"
	if got := lines(b.request(1).Messages); got[2] != want {
		t.Errorf("got %q, want %q", got[2], want)
	}
	// With no tool to follow, the words become the next turn.
	b2, release2 := held(t, BusySteer, llmtest.Say("x"))
	b2.Submit("two")
	close(release2)
	if got := b2.turns(2); got != "one/user two/user" {
		t.Errorf("turns %s", got)
	}
}

func TestNewSession(t *testing.T) {
	hooks := &recorder{}
	b := newBench(t, benchOptions{hooks: hooks, steps: []llmtest.Step{llmtest.Say("ok")}})
	b.turn("go")
	old := b.Session()
	b.NewSession("")
	e, _ := b.until("the reset", func(e event.Event) bool { _, ok := e.(event.SessionReset); return ok }).(event.SessionReset)
	if e.Old != old || e.Session == old || e.Session != b.Session() {
		t.Errorf("%+v", e)
	}
	b.turn("fresh")
	wantLines(t, lines(b.request(1).Messages), "user: fresh")
	fin, reset := hooks.of(hook.OnSessionFinalize)[0], hooks.of(hook.OnSessionReset)[0]
	if string(fin["session_id"]) != `"`+old+`"` || string(fin["reason"]) != `"session_boundary"` {
		t.Errorf("finalize %s", fin)
	}
	if string(reset["session_id"]) != `"`+b.Session()+`"` || string(reset["reason"]) != `"new_session"` {
		t.Errorf("reset %s", reset)
	}
	if got := hooks.of(hook.PreLLMCall)[1]; string(got["is_first_turn"]) != "true" {
		t.Errorf("pre_llm_call %s", got)
	}
}

func TestNewSessionInTheMiddleOfATurn(t *testing.T) {
	b, _ := held(t, "", llmtest.Say("x"))
	b.Submit("two")
	b.NewSession("")
	b.until("the reset", func(e event.Event) bool { _, ok := e.(event.SessionReset); return ok })
	if got := b.turn("fresh"); got.Answer != "x" {
		t.Errorf("%+v", got)
	}
	story := b.story()
	if !strings.Contains(story, "dequeued dropped=true") || !strings.Contains(story, "turn done interrupted") || strings.Contains(story, `turn "two"`) {
		t.Errorf("events:\n%s", story)
	}
}

// Nobody loses a text, whoever submits it and when.
func TestManySubmittersAtOnce(t *testing.T) {
	b := newBench(t, benchOptions{steps: []llmtest.Step{llmtest.Say("ok")}})
	const n = 20
	for i := range n {
		go b.Submit(fmt.Sprint(i))
	}
	got := strings.Fields(b.turns(n))
	seen := map[string]bool{}
	for _, s := range got {
		text, _, _ := strings.Cut(s, "/")
		if seen[text] {
			t.Errorf("%s ran twice", text)
		}
		seen[text] = true
	}
	if len(seen) != n {
		t.Errorf("%d texts became turns, want %d", len(seen), n)
	}
}

// A turn's events never come after its end, and Seq never goes back.
func TestEventOrder(t *testing.T) {
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, hooks: &recorder{},
		steps: []llmtest.Step{llmtest.Use("a", "echo", `{}`), llmtest.Say("ok"), llmtest.Say("yes")},
	})
	b.turn("one")
	b.turn("two")
	ended := map[string]bool{}
	var seq uint64
	for _, e := range b.drain() {
		m := e.Envelope()
		if m.Seq <= seq {
			t.Errorf("Seq %d after %d", m.Seq, seq)
		}
		seq = m.Seq
		if ended[m.Turn] {
			t.Errorf("%T after the end of its turn", e)
		}
		ended[m.Turn] = isDone(e)
		if m.Session == "" {
			t.Errorf("%T without a session", e)
		}
	}
}
