package delegate

import (
	"context"
	"fmt"
	"strings"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Marks that begin the message with the results; other programs know them
// (contract/core §2.5).
const (
	oneDone   = "[ASYNC DELEGATION COMPLETE — %s]"
	batchDone = "[ASYNC DELEGATION BATCH COMPLETE — %s]"
)

// handle is the result of a call whose sub-agents work on.
type handle struct {
	Status string   `json:"status"`
	Mode   string   `json:"mode"`
	Count  int      `json:"count"`
	ID     string   `json:"delegation_id"`
	Goals  []string `json:"goals"`
	Note   string   `json:"note"`
	Logs   []string `json:"live_transcripts,omitempty"`
}

// background runs the batch beside the conversation and delivers the results
// as a message. It reports false when the program is ending.
func (b *batch) background() (tool.Result, bool) {
	h := handle{
		Status: "dispatched", Mode: "background", Count: len(b.tasks), ID: b.id,
		Note: "The sub-agents work in the background. Their results come as a message when all have ended; go on with other work, or end your turn. Do not poll.",
	}
	for i, t := range b.tasks {
		h.Goals = append(h.Goals, t.Goal)
		if p := b.logs[i].path; p != "" {
			h.Logs = append(h.Logs, p)
		}
	}
	ok := b.t.d.Agents.Detach("delegate_task", func(ctx context.Context) {
		b.call.Ask, b.call.Progress = nil, nil // the card is closed
		r := b.run(ctx)
		if ctx.Err() == nil {
			b.t.d.Agents.Deliver(b.call.Session, b.message(r))
		}
	})
	return result.JSON(h), ok
}

// message tells the model what came of the tasks.
func (b *batch) message(r report) string {
	var s strings.Builder
	if len(r.Results) == 1 {
		fmt.Fprintf(&s, oneDone+"\nA sub-agent that you started has ended. What it was given stands below; act on its result if it still matters.\n\n", b.id)
		b.about(&s, r.Results[0])
		s.WriteString("--- RESULT ---\n" + outcome(r.Results[0]))
		return s.String()
	}
	fmt.Fprintf(&s, batchDone+"\nThe %d sub-agents that you started have ended (%.1fs). Act on their results if they still matter.\n", b.id, len(r.Results), r.Seconds)
	for _, e := range r.Results {
		mark := "✗"
		if e.Status == Completed {
			mark = "✓"
		}
		fmt.Fprintf(&s, "\n--- %s TASK %d/%d: %s  (status=%s, api_calls=%d, %.1fs) ---\n%s\n", mark, e.Index+1, len(r.Results), b.tasks[e.Index].Goal, e.Status, e.APICalls, e.Seconds, outcome(e))
	}
	return strings.TrimRight(s.String(), "\n")
}

func (b *batch) about(s *strings.Builder, e entry) {
	t := b.tasks[e.Index]
	fmt.Fprintf(s, "Original goal: %s\n", t.Goal)
	if t.Context != "" {
		fmt.Fprintf(s, "Context you provided: %s\n", t.Context)
	}
	if len(t.Toolsets) > 0 {
		fmt.Fprintf(s, "Toolsets: %s\n", strings.Join(t.Toolsets, ", "))
	}
	fmt.Fprintf(s, "Status: %s   API calls: %d   Duration: %.1fs\n", e.Status, e.APICalls, e.Seconds)
}

func outcome(e entry) string {
	switch {
	case e.Summary != nil && e.Status == Completed:
		return *e.Summary
	case e.Summary != nil:
		return "It did not complete (" + e.Status + ": " + e.Error + "). As far as it came:\n" + *e.Summary
	}
	return "It did not complete (" + e.Status + "): " + e.Error
}
