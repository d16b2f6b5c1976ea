package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/compress"
	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/tool"
)

// aux answers requests without tools with a summary, others by f.
func summariser(summary string, f func(n int) llmtest.Step) llmtest.Step {
	n := 0
	return llmtest.Step{Answer: func(r llmtest.Request) llmtest.Step {
		if len(r.Body.Tools) == 0 {
			return llmtest.Say(summary)
		}
		n++
		return f(n)
	}}
}

func phases(b *bench) []event.Compress {
	var out []event.Compress
	for _, e := range b.drain() {
		if c, ok := e.(event.Compress); ok {
			out = append(out, c)
		}
	}
	return out
}

// A conversation that fills the window is shortened before the next request,
// and stays valid, here and in the store.
func TestAFullConversationIsCompressed(t *testing.T) {
	db := openStore(t)
	big := echo("big")
	big.run = give(strings.Repeat("word ", 1500))
	b := newBench(t, benchOptions{
		tools: []tool.Tool{big}, client: func(c *openai.Config) { c.Window = 16_000; c.MaxTokens = 1000 }, change: with(db),
		settings: Settings{Toolsets: tool.Selection{}},
		steps: []llmtest.Step{summariser("## Goal\nthe great task", func(n int) llmtest.Step {
			s := llmtest.Use(fmt.Sprint("c", n), "big", fmt.Sprintf(`{"n":%d}`, n))
			if n%5 == 0 {
				s = llmtest.Say(fmt.Sprint("answer ", n/5))
			}
			s.NoUsage = true
			return s
		})},
	})
	for i := range 3 {
		if d := b.turn(fmt.Sprint("task ", i)); d.Outcome != event.OutcomeDone {
			t.Fatalf("%+v", d)
		}
	}
	done := 0
	for _, p := range phases(b) {
		if p.Phase == event.CompressDone {
			done++
			if p.After >= p.Before || p.Fallback || p.Messages < 3 {
				t.Errorf("%+v", p)
			}
		}
	}
	if done == 0 {
		t.Fatalf("nothing was compressed:\n%s", b.story())
	}
	last := b.request(len(b.srv.Requests()) - 1)
	text := strings.Join(lines(last.Messages), "\n")
	for _, want := range []string{compress.Mark, "the great task", "user: task 2"} {
		if !strings.Contains(text, want) {
			t.Errorf("the last request lacks %q", want)
		}
	}
	for _, r := range b.srv.Requests() {
		open := map[string]bool{}
		for _, m := range r.Body.Messages {
			if m.Role != "tool" && len(open) > 0 {
				t.Fatalf("calls without results: %v", open)
			}
			for _, c := range m.ToolCalls {
				open[c.ID] = true
			}
			if m.Role == "tool" && !open[m.ToolCallID] {
				t.Fatalf("result %s without its call", m.ToolCallID)
			}
			delete(open, m.ToolCallID)
		}
	}
	if got, want := strings.Join(rows(t, db, b.Session()), "\n"), len(b.session.history); strings.Count(got, "\n")+1 < want || !strings.Contains(got, compress.Mark) {
		t.Errorf("the store has another history")
	}
	all, err := db.AllMessages(context.Background(), b.Session())
	if err != nil || len(all) <= len(b.session.history) {
		t.Errorf("what was taken out is not kept: %d rows, %v", len(all), err)
	}
}

// The service names its limit: it is learned, the conversation shortened, the
// request sent again.
func TestOverflowIsCured(t *testing.T) {
	refused := false
	b := newBench(t, benchOptions{tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{summariser("what was", func(n int) llmtest.Step {
		if n == 9 {
			refused = true
			return llmtest.Step{Status: 400, Body: json.RawMessage(`{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."}}`)}
		}
		s := llmtest.Say(strings.Repeat("long answer ", 300))
		s.NoUsage = true
		return s
	})}})
	for i := range 9 {
		if d := b.turn(fmt.Sprint("question ", i)); d.Outcome != event.OutcomeDone {
			t.Fatalf("turn %d: %+v", i, d)
		}
	}
	got := phases(b)
	if !refused || len(got) != 2 || got[1].Phase != event.CompressDone {
		t.Fatalf("phases %+v", got)
	}
	if w := b.request(len(b.srv.Requests()) - 1); !strings.Contains(strings.Join(lines(w.Messages), "\n"), "user: question 8") {
		t.Error("the question is gone")
	}
}

// An answer's limit that is too large for the window is lowered instead.
func TestTheAnswersLimitIsLowered(t *testing.T) {
	b := newBench(t, benchOptions{
		client: func(c *openai.Config) { c.MaxTokens = 60_000 },
		steps: []llmtest.Step{
			{Status: 400, Body: json.RawMessage(`{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 61000 tokens (1000 in the messages, 60000 in the completion)."}}`)},
			llmtest.Say("ok"),
		},
	})
	if d := b.turn("go"); d.Answer != "ok" {
		t.Fatalf("%+v", d)
	}
	if got := b.request(1).MaxTokens; got >= 8192 || got < 2048 {
		t.Errorf("max_tokens %d", got)
	}
}

func TestCompressByHand(t *testing.T) {
	b := newBench(t, benchOptions{tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{summariser("short", func(int) llmtest.Step {
		return llmtest.Say("an answer")
	})}})
	if _, err := b.Compress(context.Background(), "", 0); err == nil {
		t.Error("an empty conversation was compressed")
	}
	for i := range 5 {
		b.turn(fmt.Sprint("q", i))
	}
	preview, err := b.PreviewCompress(context.Background(), 1)
	if err != nil || preview.Messages != 8 {
		t.Errorf("%+v %v", preview, err)
	}
	done, err := b.Compress(context.Background(), "the paths", 1)
	if err != nil || done.Messages != 8 {
		t.Fatalf("%+v %v", done, err)
	}
	sum := b.request(5)
	if len(sum.Tools) != 0 || !strings.Contains(sum.Messages[0].Content, "the paths") || !strings.Contains(sum.Messages[0].Content, "[user] q0") {
		t.Errorf("the summary was asked with %+v", sum.Messages)
	}
	b.turn("next")
	got := lines(b.request(6).Messages)
	if len(got) != 3 || !strings.HasPrefix(got[0], "user: "+compress.Mark) || !strings.HasSuffix(got[0], "\n\nq4") {
		t.Errorf("sent %s", strings.Join(got, "\n"))
	}
}

// The summary cannot be had: what happened is listed without a model; when
// nobody can be reached, nothing changes.
func TestSummaryFails(t *testing.T) {
	for status, want := range map[int]string{500: event.CompressDone, 401: event.CompressFailed} {
		b := newBench(t, benchOptions{tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{{Answer: func(r llmtest.Request) llmtest.Step {
			if len(r.Body.Tools) == 0 {
				return llmtest.Step{Status: status}
			}
			return llmtest.Say("an answer")
		}}}})
		for i := range 5 {
			b.turn(fmt.Sprint("q", i))
		}
		before := len(b.session.history)
		_, err := b.Compress(context.Background(), "", 1)
		p := phases(b)
		if got := p[len(p)-1]; got.Phase != want || got.Fallback != (want == event.CompressDone) || (err != nil) != (want == event.CompressFailed) {
			t.Errorf("%d: %+v, %v", status, got, err)
		}
		if want == event.CompressFailed && len(b.session.history) != before {
			t.Error("the history changed")
		}
	}
}
