package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/store"
	"hermes/agent/tool"
)

// Whatever a user does, whenever: every turn that starts ends once, a card
// that is opened is closed, no text is lost, and the history can be sent.
func TestWhateverTheUserDoes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cut := 2
		steps := []llmtest.Step{
			llmtest.Say("hello"),
			{Status: 500},
			{Text: "cut short", CutAfter: &cut},
			llmtest.Say(""),
			{Text: "text", ToolCalls: []llmtest.Call{llmtest.NewCall("c", "echo", `{"text":"x",}`), llmtest.NewCall("c", "wait", `{}`), llmtest.NewCall("", "echo", `bad`)}},
			{ToolCalls: []llmtest.Call{llmtest.NewCall("s1", "safe", `{"n":1}`), llmtest.NewCall("s2", "safe", `{"n":2}`), llmtest.NewCall("s3", "nope", `{}`)}},
			llmtest.Use("c", "nope", "{}"),
			{Text: "long", FinishReason: "length"},
		}
		var script []llmtest.Step
		for range rapid.IntRange(1, 12).Draw(rt, "answers") {
			script = append(script, steps[rapid.IntRange(0, len(steps)-1).Draw(rt, "answer")])
		}
		script = append(script, llmtest.Say("the end"))
		mode := rapid.SampledFrom([]string{BusyQueue, BusyInterrupt, BusySteer}).Draw(rt, "mode")
		wait := echo("wait")
		wait.run = func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}
		wait.spec.Timeout = 1e6 // a millisecond: the model waits in vain
		safe := echo("safe")
		safe.spec.ParallelSafe = true
		db := store.Open(filepath.Join(t.TempDir(), "state.db"), store.Options{})
		defer db.Close()
		b := newBench(t, benchOptions{
			steps: script, tools: []tool.Tool{echo("echo"), wait, safe}, hooks: &recorder{},
			settings: Settings{BusyMode: mode, MaxTurns: 6}, change: with(db),
		})
		submitted := 0
		for range rapid.IntRange(1, 8).Draw(rt, "deeds") {
			switch rapid.IntRange(0, 8).Draw(rt, "deed") {
			case 0, 1, 2:
				b.Submit(fmt.Sprintf("text %d", submitted))
				submitted++
			case 3:
				b.Interrupt()
			case 4:
				b.CallTool(t.Context(), "echo", json.RawMessage(`{"n":"1"}`))
			case 5:
				b.HoldQueue(true)
				b.HoldQueue(false)
			case 6:
				b.turn("asked")
			case 7:
				_, _, _ = b.Undo(t.Context(), 1) // there may be nothing to undo
			case 8:
				_, _ = b.Compress(t.Context(), "", 1) // or to compress
			}
		}
		b.turn("first of the last") // goes before what an interrupt held back
		b.turn("last")
		id := b.Session()
		checkStored(rt, db, b.session)
		if err := b.Close(t.Context()); err != nil {
			rt.Fatalf("close: %v", err)
		}
		if submitted%4 == 1 { // a second agent takes its time
			goOn(rt, t, db, id)
		}
		checkStory(rt, b.drain())
		heard := ""
		for _, e := range b.events {
			if s, ok := e.(event.TurnStarted); ok {
				heard += "\n" + s.Text
			}
		}
		for _, r := range b.srv.Requests() {
			heard += "\n" + string(r.Raw) // what was steered stands in a tool result
		}
		for i := range submitted {
			if !strings.Contains(heard, fmt.Sprintf("text %d", i)) {
				rt.Fatalf("text %d is lost", i)
			}
		}
		if last := b.request(len(b.srv.Requests()) - 1); last.Messages[len(last.Messages)-1].Role == llm.RoleAssistant {
			rt.Fatalf("a request ends with the model's own words: %v", lines(last.Messages))
		}
	})
}

// checkStored compares what is stored of a session with what the next request
// would be made of.
func checkStored(t *rapid.T, db *store.Store, s *session) {
	msgs, err := db.Messages(context.Background(), s.id)
	if err != nil {
		t.Fatalf("read the store: %v", err)
	}
	var got, want []string
	for _, m := range msgs {
		got = append(got, m.Role+m.ToolCallID+m.Content+fmt.Sprint(len(m.ToolCalls)))
	}
	for _, m := range s.history {
		want = append(want, m.Role+m.ToolCallID+m.Content+fmt.Sprint(len(m.ToolCalls)))
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Fatalf("stored, but not in the conversation: %q\nstored %q\nhistory %q", g, got, want)
		}
	}
	for i, m := range s.history {
		if !m.Synthetic && m.Content != "" && !slices.Contains(got, want[i]) {
			t.Fatalf("not stored: %q\nstored %q", want[i], got)
		}
	}
}

// goOn resumes a stored session with another agent and runs a turn in it.
func goOn(rt *rapid.T, t *testing.T, db *store.Store, id string) {
	b := newBench(t, benchOptions{change: with(db), steps: []llmtest.Step{llmtest.Say("resumed")}})
	if err := b.Resume(t.Context(), id); err != nil {
		rt.Fatalf("resume: %v", err)
	}
	if d := b.turn("go on"); d.Answer != "resumed" {
		rt.Fatalf("the resumed session: %+v", d)
	}
	if err := b.Close(t.Context()); err != nil {
		rt.Fatalf("close: %v", err)
	}
}

func checkStory(t *rapid.T, events []event.Event) {
	open := map[string]bool{}
	started, ended := map[string]bool{}, map[string]int{}
	for _, e := range events {
		turn := e.Envelope().Turn
		if turn != "" && ended[turn] > 0 {
			t.Fatalf("%s after the end of its turn", describe(e))
		}
		switch e := e.(type) {
		case event.TurnStarted:
			if started[turn] {
				t.Fatalf("turn %s starts twice", turn)
			}
			started[turn] = true
		case event.TurnDone:
			ended[turn]++
			for _, u := range e.Tools {
				if u.Status == "" {
					t.Fatalf("%s has no outcome", u.Name)
				}
			}
		case event.ToolStarted:
			if open[e.Call] {
				t.Fatalf("%s starts twice", e.Call)
			}
			open[e.Call] = true
		case event.ToolDone:
			delete(open, e.Call)
		}
	}
	for turn := range started {
		if ended[turn] != 1 {
			t.Fatalf("turn %s ends %d times", turn, ended[turn])
		}
	}
	if len(open) > 0 {
		t.Fatalf("cards left open: %v", open)
	}
}
