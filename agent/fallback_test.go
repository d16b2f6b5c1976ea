package agent

import (
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/llm/openai"
)

// second is a model on a service of its own.
func second(t *testing.T, steps ...llmtest.Step) (*llmtest.Server, llm.Client) {
	t.Helper()
	srv, err := llmtest.New(steps...)
	if err != nil {
		t.Fatal(err)
	}
	http := openai.NewHTTP()
	t.Cleanup(func() { srv.Close(); http.CloseIdleConnections() })
	return srv, openai.New(openai.Config{Provider: "spare", Model: "spare-model", BaseURL: srv.URL, APIKey: "sk-test-111111", HTTP: http})
}

// What the first model cannot do, the next one does, for this turn.
func TestFallback(t *testing.T) {
	for _, tc := range []struct {
		name     string
		steps    []llmtest.Step
		requests int // to the first model in the first turn
	}{
		{"no credit", []llmtest.Step{{Status: 402}}, 1},
		{"rate limit", []llmtest.Step{{Status: 429}}, 1},
		{"overloaded twice", []llmtest.Step{{Status: 503}, {Status: 503}}, 2},
		{"broken", []llmtest.Step{{Status: 500}, {Status: 500}, {Status: 500}}, 3},
		{"no such model", []llmtest.Step{{Status: 404}}, 1},
		{"wrong key", []llmtest.Step{{Status: 401}}, 1},
		{"refused", []llmtest.Step{{FinishReason: "content_filter"}}, 1},
		{"empty", []llmtest.Step{llmtest.Say(""), llmtest.Say(""), llmtest.Say(""), llmtest.Say("")}, 4},
	} {
		t.Run(tc.name, func(t *testing.T) {
			srv, spare := second(t, llmtest.Say("from the spare"))
			b := newBench(t, benchOptions{
				steps:  append(tc.steps, llmtest.Say("from the first")),
				change: func(o *Options) { o.Fallbacks = func() []llm.Client { return []llm.Client{spare} } },
			})
			if d := b.turn("go"); d.Answer != "from the spare" || d.Outcome != event.OutcomeDone {
				t.Fatalf("%+v", d)
			}
			if got := len(b.srv.Requests()); got != tc.requests {
				t.Errorf("%d requests to the first model, want %d", got, tc.requests)
			}
			sys := srv.Requests()[0].Body.Messages[0].Content
			first := b.request(0).Messages[0].Content
			if !strings.HasSuffix(sys, "\nModel: spare-model\nProvider: spare") ||
				strings.Replace(sys, "Model: spare-model\nProvider: spare", "Model: mock-model\nProvider: custom", 1) != first {
				t.Errorf("the system prompt is not the first one with other names: %q", sys)
			}
			if !strings.Contains(b.story(), "ModelChanged") {
				t.Errorf("nobody was told:\n%s", b.story())
			}
			// The next turn begins with the first model, and the same bytes.
			if d := b.turn("again"); d.Answer != "from the first" {
				t.Errorf("%+v", d)
			}
			if got := b.request(tc.requests).Messages[0].Content; got != first {
				t.Error("the system prompt changed for the first model")
			}
		})
	}
}

// Without a second model the sentence says what happened and what to do.
func TestNoFallback(t *testing.T) {
	for status, want := range map[int]string{402: "no credit", 413: "Cannot compress further", 404: "mock-model"} {
		b := newBench(t, benchOptions{steps: []llmtest.Step{{Status: status}}})
		if d := b.turn("go"); d.Outcome != event.OutcomeFailed || !strings.Contains(d.Err, want) {
			t.Errorf("%d: %+v", status, d)
		}
	}
}
