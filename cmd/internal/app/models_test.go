package app_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/agent/store"
)

// another starts a second service.
func another(t *testing.T, steps ...llmtest.Step) *llmtest.Server {
	t.Helper()
	s, err := llmtest.New(steps...)
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

// raw holds what a request said about one key of its body.
func raw(t *testing.T, q llmtest.Request, key string) string {
	t.Helper()
	var body map[string]json.RawMessage
	must(t, json.Unmarshal(q.Raw, &body))
	return string(body[key])
}

// When the model's service refuses for good, the next of fallback_providers
// answers, which is said; the next turn begins with the first one again.
func TestFallbackAnswers(t *testing.T) {
	t.Parallel()
	second := another(t, llmtest.Say("From the second."))
	broke := llmtest.Step{Status: 402, Body: []byte(`{"error":{"message":"Insufficient balance"}}`)}
	r := startApp(t, 120, 40, withModel(broke, llmtest.Say("The first is back.")), withConfig("fallback_providers", []any{
		map[string]any{"provider": "nosuch", "model": "x"},
		map[string]any{"provider": "custom", "model": "second-model", "base_url": second.URL, "api_key": "sk-second-111111"},
	}))
	r.WaitText("nosuch", "left out")
	r.send("question")
	r.waitIdle("From the second.")
	r.seek("Insufficient balance")
	r.seek("second-model")
	r.newest()
	q := second.Requests()[0]
	if got := q.Header.Get("Authorization"); got != "Bearer sk-second-111111" {
		t.Errorf("the second service got %q", got)
	}
	if s := q.Body.Messages[0].Content; q.Body.Model != "second-model" || !strings.Contains(s, "Model: second-model") {
		t.Errorf("model %s, told in %q", q.Body.Model, s[max(len(s)-200, 0):])
	}
	r.send("again")
	r.waitIdle("The first is back.")
	if n := len(second.Requests()); n != 1 {
		t.Errorf("the second service got %d requests", n)
	}
}

// A title is made after the first exchange, by the model that is set for it,
// and without delay for the next turn.
func TestTitleOfSession(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	side := another(t, llmtest.Step{Text: "\"Rain in Paris this week.\"\nbecause", Wait: hold})
	r := startApp(t, 120, 40, withModel(llmtest.Say("It rains."), llmtest.Say("It still does.")),
		withConfig("auxiliary.title_generation", map[string]any{"provider": "custom", "model": "small", "base_url": side.URL}))
	if n := len(side.Requests()); n != 0 {
		t.Errorf("%d requests before the first turn", n)
	}
	r.send("How is the weather in Paris?")
	r.waitIdle("It rains.")
	r.send("And now?")
	r.waitIdle("It still does.")
	close(hold)
	r.WaitText("Rain in Paris this week")
	r.send("/sessions")
	r.WaitText("Rain in Paris this week  (")
	if n := len(side.Requests()); n != 1 {
		t.Errorf("%d requests for a title", n)
	}
	q := side.Requests()[0]
	if len(q.Body.Tools) != 0 || q.Body.Stream || !strings.HasPrefix(q.Body.Messages[1].Content, "User: How is the weather in Paris?\n\nAssistant: It rains.") {
		t.Errorf("the question for a title: %s", q.Raw)
	}
	r.requests(2)
}

// A service that makes no titles breaks nothing.
func TestNoTitle(t *testing.T) {
	t.Parallel()
	side := another(t, llmtest.Step{Status: 500})
	r := startApp(t, 100, 30, withModel(llmtest.Say("One."), llmtest.Say("Two.")),
		withConfig("auxiliary.title_generation", map[string]any{"model": "small", "base_url": side.URL}))
	r.send("first")
	r.waitIdle("One.")
	r.send("second")
	s := r.waitIdle("Two.")
	if strings.Contains(s.String(), "mock error") {
		t.Errorf("the failure is on the screen\n%s", s.Dump())
	}
}

// /use forces the first call; a service that refuses is asked without, which is
// said.
func TestUse(t *testing.T) {
	t.Parallel()
	r := startApp(t, 120, 40, withPlugin("weather"), withModel(
		llmtest.Use("c1", "get_weather", `{"city":"Paris"}`), llmtest.Say("Sunny."),
		llmtest.Step{Status: 400, Body: []byte(`{"error":{"message":"this model does not support this tool_choice"}}`)}, llmtest.Say("As I like."),
	))
	r.WaitText("weather")
	r.send("/use get_weather how is Paris?")
	r.waitIdle("Sunny.")
	r.send("/use wether x")
	r.WaitText("there is no tool named 'wether'")
	r.send("/use weather x")
	r.WaitText("did you mean get_weather")
	r.send("/use get_weather how is Rome?")
	r.waitIdle("As I like.")
	r.seek("refused tool_choice get_weather")
	got := r.requests(4)
	for i, want := range []string{`{"type":"function","function":{"name":"get_weather"}}`, "", `{"type":"function","function":{"name":"get_weather"}}`, ""} {
		if c := raw(t, got[i], "tool_choice"); c != want {
			t.Errorf("request %d: tool_choice %s", i, c)
		}
	}
	if texts := userTexts(got[0]); texts[0] != "how is Paris?" {
		t.Errorf("the model is told %q", texts)
	}
}

// A plugin's command named use wins; ours stays as /hermes-use (D43).
func TestUseOfAPlugin(t *testing.T) {
	t.Parallel()
	r := startApp(t, 100, 30, withModel(llmtest.Say("Forced.")), withCode("mine", `
def register(ctx):
    ctx.register_command("use", lambda args: "mine: " + args, description="Use it")
`))
	r.WaitText("1 ok")
	r.send("/use todo x")
	r.WaitText("mine: todo x")
	r.send("/hermes-use todo plan it")
	r.waitIdle("Forced.")
	if c := raw(t, r.requests(1)[0], "tool_choice"); !strings.Contains(c, `"todo"`) {
		t.Errorf("tool_choice %s", c)
	}
}

func TestToolChoiceSetting(t *testing.T) {
	for _, want := range []string{"", "none", "auto", "required"} {
		t.Run("setting "+want, func(t *testing.T) {
			t.Parallel()
			opts := []option{withModel(llmtest.Say("ok."))}
			if want != "" {
				opts = append(opts, withModelSetting("tool_choice", want))
			}
			r := startApp(t, 80, 24, opts...)
			r.send("x")
			r.waitIdle("ok.")
			got := raw(t, r.requests(1)[0], "tool_choice")
			if strings.Trim(got, `"`) != want {
				t.Errorf("tool_choice %s", got)
			}
		})
	}
}

// /reasoning sets the effort of the next requests, and with --global of later
// sessions.
func TestReasoningCommand(t *testing.T) {
	t.Parallel()
	r := startApp(t, 120, 40, withConfig("agent.reasoning_effort", "low"), withModel(llmtest.Say("One."), llmtest.Say("Two.")))
	r.send("first")
	r.waitIdle("One.")
	r.send("/reasoning")
	r.WaitText("reasoning effort: low")
	r.send("/reasoning hard")
	r.WaitText("'hard' is no reasoning effort")
	r.send("/reasoning high --global")
	r.WaitText("next request on: high")
	r.send("second")
	r.waitIdle("Two.")
	got := r.requests(2)
	if a, b := raw(t, got[0], "reasoning_effort"), raw(t, got[1], "reasoning_effort"); a != `"low"` || b != `"high"` {
		t.Errorf("efforts %s and %s", a, b)
	}
	if f := r.file("config.yaml"); !strings.Contains(f, "reasoning_effort: high") {
		t.Errorf("not saved:\n%s", f)
	}
}

// What a turn costs is counted with the catalogue's prices and stored; a
// service that names the window in its refusal is believed, also next time. The
// summary is auxiliary.compression's.
func TestCostAndLearnedWindow(t *testing.T) {
	t.Parallel()
	long := llmtest.Step{Status: 400, Body: []byte(`{"error":{"message":"This model's maximum context length is 1100 tokens. However, you requested 2000 tokens","code":"context_length_exceeded"}}`)}
	side := another(t, llmtest.Say("In short: numbers."))
	r := startApp(t, 120, 40, withModel(
		llmtest.Step{Text: "Answer 1.", Usage: json.RawMessage(`{"prompt_tokens":50000,"completion_tokens":10000,"total_tokens":60000}`)},
		llmtest.Say("Answer 2."), llmtest.Say("Answer 3."), llmtest.Say("Answer 4."), long, llmtest.Say("Answer 5."),
	), withConfig("auxiliary.compression", map[string]any{"provider": "custom", "model": "brief", "base_url": side.URL}),
		withConfig("auxiliary.title_generation.enabled", false),
		withModelSetting("context_length", nil), withModelSetting("provider", "deepseek"), withModelSetting("default", "deepseek-chat"))
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		r.send("question " + n + strings.Repeat(" and more", 30))
		r.waitIdle("Answer " + n + ".")
	}
	if n := len(side.Requests()); n != 1 {
		t.Errorf("%d summaries of auxiliary.compression", n)
	}
	if q := r.requests(6)[5]; !strings.Contains(string(q.Raw), "In short: numbers.") {
		t.Errorf("no summary in %s", q.Raw)
	}
	if f := r.file("context_length_cache.yaml"); !strings.Contains(f, ": 1100") {
		t.Errorf("the window is not kept: %s", f)
	}
	r.cancel()
	_ = r.WaitEnd()
	s := store.Open(filepath.Join(r.home, "state.db"), store.Options{})
	defer s.Close()
	list, err := s.Recent(t.Context(), 1)
	must(t, err)
	if len(list) != 1 || list[0].CostStatus != "estimated" || list[0].EstimatedCost < 0.01 {
		t.Errorf("%+v", list)
	}
}
