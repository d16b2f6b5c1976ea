package agent

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
	"hermes/agent/tool"
)

// Each row is a scenario of contract/core-observed §2: what the service does,
// how many requests it gets, how the turn ends.
func TestHowTurnsEnd(t *testing.T) {
	cut := func(n int) *int { return &n }
	body := func(s string) json.RawMessage { return json.RawMessage(s) }
	call := llmtest.Use("c1", "echo", `{"text":"hi"}`)
	for _, tc := range []struct {
		name     string
		steps    []llmtest.Step
		settings Settings
		requests int
		outcome  string
		answer   string
		err      string // a part of it
		sleeps   []time.Duration
	}{
		{name: "plain", steps: []llmtest.Step{llmtest.Say("hello")}, requests: 1, outcome: event.OutcomeDone, answer: "hello"},
		{name: "no usage", steps: []llmtest.Step{{Text: "hello", NoUsage: true}}, requests: 1, outcome: event.OutcomeDone, answer: "hello"},
		{name: "429 with Retry-After", steps: []llmtest.Step{{Status: 429, Headers: map[string]string{"Retry-After": "3"}}, llmtest.Say("ok")}, requests: 2, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{3 * time.Second}},
		{name: "500, 500, ok", steps: []llmtest.Step{{Status: 500}, {Status: 500}, llmtest.Say("ok")}, requests: 3, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{2 * time.Second, 4 * time.Second}},
		{name: "500 forever", steps: []llmtest.Step{{Status: 500}}, requests: 3, outcome: event.OutcomeFailed, err: "API call failed after 3 retries: HTTP 500: mock error 500", sleeps: []time.Duration{2 * time.Second, 4 * time.Second}},
		{name: "502 with a page", steps: []llmtest.Step{{Status: 502, Body: body(`"<html><title>502 Bad Gateway</title><center>x</center></html>"`)}, llmtest.Say("ok")}, requests: 2, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{2 * time.Second}},
		{name: "400", steps: []llmtest.Step{{Status: 400, Body: body(`{"error":{"message":"bad request xyz"}}`)}}, requests: 1, outcome: event.OutcomeFailed, err: "HTTP 400: bad request xyz"},
		{name: "401 that repeats the key", steps: []llmtest.Step{{Status: 401, Body: body(`{"error":{"message":"key sk-test-000000 is invalid"}}`)}}, requests: 1, outcome: event.OutcomeFailed, err: "HTTP 401: key *** is invalid. Check the API key of provider custom."},
		{name: "402", steps: []llmtest.Step{{Status: 402, Body: body(`{"error":{"message":"Insufficient Balance"}}`)}}, requests: 1, outcome: event.OutcomeFailed, err: "no credit left"},
		{name: "404", steps: []llmtest.Step{{Status: 404, Body: body(`{"error":{"message":"model not found"}}`)}}, requests: 1, outcome: event.OutcomeFailed, err: "Check the model name (mock-model)"},
		{name: "413", steps: []llmtest.Step{{Status: 413}}, requests: 1, outcome: event.OutcomeFailed, err: "/new"},
		{name: "context overflow", steps: []llmtest.Step{{Status: 400, Body: body(`{"error":{"message":"maximum context length is 8192 tokens"}}`)}}, requests: 2, outcome: event.OutcomeFailed, err: "context window", sleeps: []time.Duration{0}},
		{name: "output cap too large", steps: []llmtest.Step{{Status: 400, Body: body(`{"error":{"message":"max_tokens: at most 4096"}}`)}, llmtest.Say("ok")}, requests: 2, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{0}},
		{name: "an error inside the stream", steps: []llmtest.Step{{RawChunks: []string{"data: {\"error\":{\"message\":\"boom\"}}\n\n"}}, llmtest.Say("ok")}, requests: 2, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{2 * time.Second}},
		{name: "closed before any chunk", steps: []llmtest.Step{{RawChunks: []string{}}, llmtest.Say("ok")}, requests: 2, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{quietPause}},
		{name: "cut after text", steps: []llmtest.Step{{Text: "Half of a sent", CutAfter: cut(3)}, llmtest.Say("ence.")}, requests: 2, outcome: event.OutcomeDone, answer: "Half of a sentence."},
		{name: "cut forever", steps: []llmtest.Step{{Text: "ab", CutAfter: cut(2)}}, requests: 4, outcome: event.OutcomeFailed, answer: "abababab", err: "broke off 4 times"},
		{name: "cut inside a tool call", steps: []llmtest.Step{{ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"a long argument"}`)}, CutAfter: cut(3)}, call, llmtest.Say("ok")}, requests: 3, outcome: event.OutcomeDone, answer: "ok", sleeps: []time.Duration{quietPause}},
		{name: "think tags", steps: []llmtest.Step{{Text: "<think>secret plan</think>done", ChunkChars: 3}}, requests: 1, outcome: event.OutcomeDone, answer: "done"},
		{name: "only thoughts, then an answer", steps: []llmtest.Step{llmtest.Say("<think>x</think>"), llmtest.Say("ok")}, requests: 2, outcome: event.OutcomeDone, answer: "ok"},
		{name: "empty four times", steps: []llmtest.Step{llmtest.Say("")}, requests: 4, outcome: event.OutcomeFailed, err: "No reply: the model returned empty content, although it was asked 4 times"},
		{name: "empty after a tool result", steps: []llmtest.Step{call, llmtest.Say(""), llmtest.Say("ok")}, requests: 3, outcome: event.OutcomeDone, answer: "ok"},
		{name: "length with text", steps: []llmtest.Step{{Text: "part one, ", FinishReason: "length"}, llmtest.Say("part two")}, requests: 2, outcome: event.OutcomeDone, answer: "part one, part two"},
		{name: "length forever", steps: []llmtest.Step{{Text: "x", FinishReason: "length"}}, requests: 4, outcome: event.OutcomeDone, answer: "xxxx"},
		{name: "length inside a call", steps: []llmtest.Step{{ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"cut`)}, FinishReason: "length"}, call, llmtest.Say("ok")}, requests: 3, outcome: event.OutcomeDone, answer: "ok"},
		{name: "length inside a call forever", steps: []llmtest.Step{{ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"cut`)}, FinishReason: "length"}}, requests: 5, outcome: event.OutcomeFailed, err: "cut off by the output limit 5 times"},
		{name: "length, only thoughts", steps: []llmtest.Step{{Reasoning: "hm hm", FinishReason: "length"}}, requests: 1, outcome: event.OutcomeFailed, err: "whole output limit for thinking"},
		{name: "refused", steps: []llmtest.Step{{Text: "I cannot.", FinishReason: "content_filter"}}, requests: 1, outcome: event.OutcomeFailed, answer: "I cannot.", err: "declined to answer"},
		{name: "budget used up", steps: []llmtest.Step{call, call, call, llmtest.Say("summary")}, settings: Settings{MaxTurns: 3}, requests: 4, outcome: event.OutcomeLimit, answer: "summary", err: "limit of 3 requests"},
		{name: "unknown tool three times", steps: []llmtest.Step{llmtest.Use("c1", "zzz_none", "{}")}, requests: 3, outcome: event.OutcomeFailed, err: "zzz_none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newBench(t, benchOptions{steps: tc.steps, settings: tc.settings, tools: []tool.Tool{echo("echo")}})
			d := b.turn("go")
			if d.Outcome != tc.outcome || d.Answer != tc.answer || !strings.Contains(d.Err, tc.err) || (tc.err == "") != (d.Err == "") {
				t.Errorf("ended %s, answer %q, error %q\nwant %s, %q, %q", d.Outcome, d.Answer, d.Err, tc.outcome, tc.answer, tc.err)
			}
			if n := len(b.srv.Requests()); n != tc.requests {
				t.Errorf("%d requests, want %d", n, tc.requests)
			}
			b.checkSleeps(tc.sleeps)
			b.checkShown(d)
			// Whatever happened, the next turn is possible.
			for i, m := range sendable(b.Agent.session.history) {
				if m.Role == "assistant" && len(m.ToolCalls) > 0 && b.Agent.session.history[i+1].Role != "tool" {
					t.Errorf("a call without its answer: %+v", m)
				}
			}
		})
	}
}

// checkSleeps compares the pauses between attempts: each at least what is
// wanted, at most half as long again.
func (b *bench) checkSleeps(want []time.Duration) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.sleeps) != len(want) {
		b.t.Errorf("pauses %v, want about %v", b.sleeps, want)
		return
	}
	for i, d := range b.sleeps {
		if d < want[i] || d > want[i]*3/2 {
			b.t.Errorf("pause %d is %v, want %v and at most half more", i, d, want[i])
		}
	}
}

// checkShown follows the events as a view does: the text that stands there at
// the end is the answer, and it stands there once.
func (b *bench) checkShown(d event.TurnDone) {
	b.t.Helper()
	texts := map[string]string{}
	var order []string
	for _, e := range b.drain() {
		switch e := e.(type) {
		case event.Delta:
			if e.Kind != event.KindText {
				continue
			}
			if _, ok := texts[e.Msg]; !ok {
				order = append(order, e.Msg)
			}
			texts[e.Msg] += e.Text
		case event.MessageDone:
			if _, ok := texts[e.Msg]; !ok {
				order = append(order, e.Msg)
			}
			if e.Replaced {
				texts[e.Msg] = e.Content
			}
			if strings.TrimSpace(texts[e.Msg]) != e.Content {
				b.t.Errorf("message %q was streamed as %q", e.Content, texts[e.Msg])
			}
		}
	}
	last := ""
	for _, m := range order {
		if s := strings.TrimSpace(texts[m]); s != "" {
			last = s
		}
	}
	if last != d.Answer && d.Answer != "" {
		b.t.Errorf("the view ends with %q, the answer is %q", last, d.Answer)
	}
}

// What was streamed of an attempt that is made again is taken back.
func TestNothingIsShownTwice(t *testing.T) {
	cut := 8
	half := llmtest.Step{Text: "I will look.", ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"a long argument"}`)}, ChunkChars: 4, CutAfter: &cut}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")},
		steps: []llmtest.Step{{Text: "Part one. ", FinishReason: "length"}, half, {Text: "I look.", ToolCalls: half.ToolCalls}, llmtest.Say("Found.")},
	})
	d := b.turn("go")
	b.checkShown(d)
	shown := map[string]string{}
	var order []string
	for _, e := range b.drain() {
		if m, ok := e.(event.MessageDone); ok {
			order = append(order, m.Msg)
			shown[m.Msg] = m.Content
		}
	}
	var texts []string
	for _, m := range order {
		texts = append(texts, shown[m])
	}
	if got := strings.Join(texts, "|"); got != "|Part one. I look.|Found." {
		t.Errorf("messages %q", got)
	}
}

func TestWhatIsSentAfterACut(t *testing.T) {
	cut := 3
	b := newBench(t, benchOptions{steps: []llmtest.Step{{Text: "Half of a sent", CutAfter: &cut}, llmtest.Say("ence."), llmtest.Say("yes")}})
	b.turn("go")
	b.turn("again")
	wantLines(t, lines(b.request(2).Messages),
		"user: go", "assistant: Half of a sent", "user: "+continueCut, "assistant: ence.", "user: again")
}

func TestNotesThatOnlyServedTheTurnAreDropped(t *testing.T) {
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")},
		steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say(""), llmtest.Say("ok"), llmtest.Say("yes")},
	})
	b.turn("go")
	wantLines(t, lines(b.request(2).Messages),
		"user: go", "assistant:  [c1 echo({})]", `tool: {"got": {}} <c1>`, "assistant: (empty)", "user: "+emptyNudge)
	b.turn("again")
	wantLines(t, lines(b.request(3).Messages),
		"user: go", "assistant:  [c1 echo({})]", `tool: {"got": {}} <c1>`, "assistant: ok", "user: again")
}

func TestTheSummaryRequest(t *testing.T) {
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, settings: Settings{MaxTurns: 1},
		steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("summary")},
	})
	b.turn("go")
	r := b.request(1)
	if r.Stream || len(r.Tools) != 0 || r.MaxTokens != 0 {
		t.Errorf("stream %v, %d tools, max_tokens %d", r.Stream, len(r.Tools), r.MaxTokens)
	}
	if last := r.Messages[len(r.Messages)-1]; last.Role != "user" || last.Content != summaryAsk {
		t.Errorf("asked with %+v", last)
	}
}

func TestLargerCapAfterACutCall(t *testing.T) {
	half := llmtest.Step{ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"cut`)}, FinishReason: "length"}
	for name, tc := range map[string]struct {
		max  int
		want []int
	}{
		"from the default of a custom service": {0, []int{65536, 131072, 262144, 524288, 1048576}},
		"from a small setting":                 {1000, []int{1000, 32768, 65536, 131072, 262144}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, benchOptions{
				tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{half},
				client: func(c *openai.Config) { c.MaxTokens = tc.max },
			})
			b.turn("go")
			for i, want := range tc.want {
				if got := b.request(i).MaxTokens; got != want {
					t.Errorf("request %d: max_tokens %d, want %d", i, got, want)
				}
				if n := len(b.request(i).Messages); n != 2 {
					t.Errorf("request %d has %d messages: something was appended", i, n)
				}
			}
		})
	}
}

func TestDeepSeekGetsItsReasoningBack(t *testing.T) {
	b := newBench(t, benchOptions{
		tools:  []tool.Tool{echo("echo")},
		steps:  []llmtest.Step{{Reasoning: "look first", ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", "{}")}}, llmtest.Say("ok"), llmtest.Say("yes")},
		client: func(c *openai.Config) { c.Provider, c.Model = "deepseek", "deepseek-chat" },
	})
	b.turn("go")
	b.turn("again")
	ms := b.request(2).Messages
	if r := ms[2].Reasoning; r == nil || *r != "look first" {
		t.Errorf("first assistant message: %v", r)
	}
	if r := ms[4].Reasoning; r == nil || *r != " " {
		t.Errorf("second assistant message: %v", r)
	}
}

func TestNoModel(t *testing.T) {
	b := newBench(t, benchOptions{change: func(o *Options) { o.Client = nil }})
	if d := b.turn("go"); d.Outcome != event.OutcomeFailed || !strings.Contains(d.Err, "No model is connected") {
		t.Errorf("%+v", d)
	}
}
