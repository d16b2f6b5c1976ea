package agent

import (
	"context"
	"errors"
	"testing"

	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

func TestUndoAndRetry(t *testing.T) {
	db := openStore(t)
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, change: with(db),
		steps: []llmtest.Step{llmtest.Say("one!"), llmtest.Use("a", "echo", `{}`), llmtest.Say("two!"), llmtest.Say("two again"), llmtest.Say("four")},
	})
	ctx := context.Background()
	if _, _, err := b.Undo(ctx, 1); !errors.Is(err, ErrNothing) {
		t.Errorf("undo of nothing: %v", err)
	}
	b.turn("one")
	b.turn("two")
	if err := b.Retry(ctx); err != nil {
		t.Fatal(err)
	}
	b.turns(3)
	wantLines(t, lines(b.request(3).Messages), "user: one", "assistant: one!", "user: two")
	wantLines(t, rows(t, db, b.Session()), "user: one", "assistant: one!", "user: two", "assistant: two again")
	n, text, err := b.Undo(ctx, 5)
	if err != nil || n != 2 || text != "one" {
		t.Errorf("undo: %d %q %v", n, text, err)
	}
	if got := rows(t, db, b.Session()); len(got) != 0 {
		t.Errorf("stored %v", got)
	}
	b.turn("fresh")
	wantLines(t, lines(b.request(4).Messages), "user: fresh")
	var undone []int
	for _, e := range b.drain() {
		if e, ok := e.(event.HistoryUndone); ok {
			undone = append(undone, e.Messages)
		}
	}
	if len(undone) != 2 || undone[0] != 4 || undone[1] != 4 {
		t.Errorf("told %v", undone)
	}
}

// A note of the program starts a turn of its own, and is not the user's to
// take back.
func TestInject(t *testing.T) {
	b, release := held(t, BusyInterrupt, llmtest.Say("x"))
	b.Inject("a process ended", "process")
	close(release)
	if got := b.turns(2); got != "one/user a process ended/process" {
		t.Errorf("turns %s", got)
	}
	if n, text, err := b.Undo(context.Background(), 1); n != 1 || text != "one" || err != nil {
		t.Errorf("undo: %d %q %v", n, text, err)
	}
}
