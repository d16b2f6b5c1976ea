package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

func TestHookOrder(t *testing.T) {
	hooks := &recorder{}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, hooks: hooks,
		steps: []llmtest.Step{
			{ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"1"}`), llmtest.NewCall("c2", "nope", `{}`), llmtest.NewCall("c3", "echo", `[]`)}},
			llmtest.Say("ok"), llmtest.Say("second"),
		},
	})
	b.turn("go")
	b.turn("again")
	want := "on_session_start pre_llm_call " +
		"pre_tool_call post_tool_call transform_tool_result " + // not for the unknown name, not for the array
		"transform_llm_output post_llm_call on_session_end " +
		"pre_llm_call transform_llm_output post_llm_call on_session_end"
	if got := hooks.order(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	b.NewSession("")
	b.until("the new session", func(e event.Event) bool { _, ok := e.(event.SessionReset); return ok })
	b.turn("third")
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	want += " on_session_finalize on_session_reset on_session_start pre_llm_call transform_llm_output post_llm_call on_session_end" +
		" on_session_end on_session_finalize"
	if got := hooks.order(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The arguments of every hook, by name: a callback that names them all must
// find them all (contract/plugins §6.3).
func TestHookArguments(t *testing.T) {
	hooks := &recorder{}
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")}, hooks: hooks,
		steps: []llmtest.Step{llmtest.Use("c1", "echo", `{"n":"1"}`), llmtest.Say("ok")},
	})
	b.turn("go")
	session := b.Session()
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		hook.OnSessionStart:      "model platform session_id",
		hook.PreLLMCall:          "conversation_history is_first_turn model platform sender_id session_id task_id turn_id user_message",
		hook.PreToolCall:         "api_request_id args middleware_trace session_id task_id tool_call_id tool_name turn_id",
		hook.PostToolCall:        "api_request_id args duration_ms error_message error_type middleware_trace result session_id status task_id tool_call_id tool_name turn_id",
		hook.TransformToolResult: "api_request_id args duration_ms error_message error_type result session_id status task_id tool_call_id tool_name turn_id",
		hook.TransformLLMOutput:  "model platform response_text session_id",
		hook.PostLLMCall:         "assistant_response conversation_history model platform session_id task_id turn_id user_message",
		hook.OnSessionEnd:        "completed interrupted model platform session_id task_id turn_id",
		hook.OnSessionFinalize:   "platform reason session_id",
	} {
		calls := hooks.of(name)
		if len(calls) == 0 {
			t.Errorf("%s did not fire", name)
			continue
		}
		var keys []string
		for k := range calls[0] {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	value := func(name, key string) string { return string(hooks.of(name)[0][key]) }
	turn := regexp.MustCompile(`^"\d{8}_\d{6}_[0-9a-f]{6}:\d{8}_\d{6}_[0-9a-f]{6}:[0-9a-f]{8}"$`)
	if got := value(hook.PreLLMCall, "turn_id"); !turn.MatchString(got) || !strings.HasPrefix(got, `"`+session+":"+session) {
		t.Errorf("turn_id %s", got)
	}
	for _, c := range []struct{ hook, key, want string }{
		{hook.PreLLMCall, "session_id", `"` + session + `"`},
		{hook.PreLLMCall, "task_id", `"` + session + `"`},
		{hook.PreLLMCall, "user_message", `"go"`},
		{hook.PreLLMCall, "is_first_turn", `true`},
		{hook.PreLLMCall, "sender_id", `""`},
		{hook.PreLLMCall, "conversation_history", `[{"role":"user","content":"go"}]`},
		{hook.PreLLMCall, "platform", `"cli"`},
		{hook.PreToolCall, "args", `{"n":"1"}`},
		{hook.PreToolCall, "middleware_trace", `[]`},
		{hook.PreToolCall, "tool_call_id", `"c1"`},
		{hook.PostToolCall, "args", `{"n":1}`},
		{hook.PostToolCall, "status", `"ok"`},
		{hook.PostToolCall, "error_type", `null`},
		{hook.PostToolCall, "error_message", `null`},
		{hook.PostToolCall, "middleware_trace", `[]`},
		{hook.TransformLLMOutput, "response_text", `"ok"`},
		{hook.PostLLMCall, "assistant_response", `"ok"`},
		{hook.OnSessionEnd, "completed", `true`},
		{hook.OnSessionEnd, "interrupted", `false`},
		{hook.OnSessionFinalize, "reason", `"shutdown"`},
		{hook.OnSessionStart, "model", `"mock-model"`},
	} {
		if got := value(c.hook, c.key); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.hook, c.key, got, c.want)
		}
	}
	if got := value(hook.PreToolCall, "api_request_id"); !strings.HasSuffix(got, `:api:1"`) {
		t.Errorf("api_request_id %s", got)
	}
	if last := hooks.of(hook.OnSessionEnd)[1]; string(last["reason"]) != `"shutdown"` || last["turn_id"] != nil {
		t.Errorf("at exit: %s", last)
	}
	want := `[{"role":"user","content":"go"},` +
		`{"role":"assistant","content":"","reasoning":null,"finish_reason":"tool_calls","tool_calls":[{"id":"c1","type":"function","function":{"name":"echo","arguments":"{\"n\":\"1\"}"}}]},` +
		`{"role":"tool","name":"echo","tool_name":"echo","content":"{\"got\": {\"n\":1}}","tool_call_id":"c1"},` +
		`{"role":"assistant","content":"ok","reasoning":null,"finish_reason":"stop"}]`
	if h := value(hook.PostLLMCall, "conversation_history"); h != want {
		t.Errorf("history %s\nwant    %s", h, want)
	}
}

func TestNoSubscriberNoPayload(t *testing.T) {
	hooks := &recorder{names: map[string]bool{}}
	b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{llmtest.Use("c", "echo", "{}"), llmtest.Say("ok")}})
	b.turn("go")
	if got := hooks.order(); got != "" {
		t.Errorf("invoked %s", got)
	}
}

func TestInjectedContext(t *testing.T) {
	values := []string{`{"context":"ONE"}`, `" TWO "`, `""`, `"  "`, `{"context":""}`, `{"context":7}`, `{"other":1}`, `12`, `true`, `["x"]`, `{"context":0}`}
	hooks := &recorder{names: map[string]bool{hook.PreLLMCall: true}, answer: map[string]func(map[string]json.RawMessage) hook.Outcome{}}
	hooks.answer[hook.PreLLMCall] = func(p map[string]json.RawMessage) hook.Outcome {
		if string(p["is_first_turn"]) == "true" {
			return returns(values...)(p)
		}
		return hook.Outcome{}
	}
	b := newBench(t, benchOptions{hooks: hooks, steps: []llmtest.Step{llmtest.Say("ok"), llmtest.Say("yes")}})
	b.turn("hello world")
	b.turn("next")
	sent := "hello world\n\nONE\n\n TWO \n\n7"
	if got := b.request(0).Messages[1].Content; got != sent {
		t.Errorf("sent %q, want %q", got, sent)
	}
	if got := b.request(1).Messages[1].Content; got != sent {
		t.Errorf("the next turn repeats %q, want the same bytes", got)
	}
	if strings.Contains(b.request(0).Messages[0].Content, "ONE") {
		t.Error("the system prompt changed")
	}
	// What is kept and shown is the clean text.
	if h := b.session.history[0]; h.Content != "hello world" {
		t.Errorf("history keeps %q", h.Content)
	}
	if got := string(hooks.of(hook.PreLLMCall)[1]["user_message"]); got != `"next"` {
		t.Errorf("user_message %s", got)
	}
}

func TestLongContextIsSpilled(t *testing.T) {
	long := strings.Repeat("界", 600) + strings.Repeat("x", 11_400)
	quoted, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{hook.PreLLMCall: returns(string(quoted))}}
	b := newBench(t, benchOptions{hooks: hooks, steps: []llmtest.Step{llmtest.Say("ok")}})
	b.turn("hello")
	got := b.request(0).Messages[1].Content
	dir := filepath.Join(b.o.Home, "hook_outputs", b.Session())
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v", files, err)
	}
	want := fmt.Sprintf("hello\n\n[plugin hook output truncated — 12,000 chars; full content saved to %s]\n--- head ---\n%s\n--- tail ---\n%s", files[0], strings.Repeat("界", 500), strings.Repeat("x", 500))
	if got != want {
		t.Errorf("got %.200q…", got)
	}
	if data, err := os.ReadFile(files[0]); err != nil || string(data) != long {
		t.Errorf("saved %d bytes, %v", len(data), err)
	}
}

func TestToolGate(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer hook.Outcome
		result string
		status string
	}{
		{"nothing", hook.Outcome{}, `{"got": {}}`, event.StatusOK},
		{"a veto", hook.Outcome{Returns: raws(`{"action":"block","message":"no writing on Sundays"}`)}, `{"error": "no writing on Sundays"}`, event.StatusBlocked},
		{"vetoes that do not count, then one that does", hook.Outcome{Returns: raws(`{"action":"block"}`, `{"action":"block","message":""}`, `{"action":"block","message":5}`, `"block"`, `[]`, `false`, `{"action":"deny","message":"x"}`, `{"action":"block","message":"<second> says no"}`)}, `{"error": "<second> says no"}`, event.StatusBlocked},
		{"nobody to approve", hook.Outcome{Returns: raws(`{"action":"approve","message":"risky"}`)}, `{"error": "BLOCKED: Tool 'echo' requires approval (risky) but no interactive user or gateway is present to approve it. A plugin flagged this action for human confirmation. Only the user can let such calls run: hermes --yolo, or approvals.mode: off in config.yaml."}`, event.StatusBlocked},
		{"a guard that fails closed", hook.Outcome{Failed: "the guard did not answer"}, `{"error": "the guard did not answer"}`, event.StatusBlocked},
		{"arguments edited in place", hook.Outcome{Changed: map[string]json.RawMessage{"args": json.RawMessage(`{"n":"5"}`)}}, `{"got": {"n":5}}`, event.StatusOK},
		{"arguments that are no object any more", hook.Outcome{Changed: map[string]json.RawMessage{"args": json.RawMessage(`7`)}}, `{"got": {}}`, event.StatusOK},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{
				hook.PreToolCall: func(map[string]json.RawMessage) hook.Outcome { return tc.answer },
			}}
			b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("ok")}})
			d := b.turn("go")
			if got := b.request(1).Messages[3].Content; got != tc.result {
				t.Errorf("result %s, want %s", got, tc.result)
			}
			if d.Tools[0].Status != tc.status {
				t.Errorf("status %s, want %s", d.Tools[0].Status, tc.status)
			}
			post := hooks.of(hook.PostToolCall)
			if len(post) != 1 || string(post[0]["status"]) != `"`+tc.status+`"` {
				t.Fatalf("post_tool_call %s", post)
			}
			if tc.status == event.StatusBlocked {
				if string(post[0]["error_type"]) != `"plugin_block"` || string(post[0]["duration_ms"]) != "0" {
					t.Errorf("post_tool_call %s", post[0])
				}
				for _, e := range b.drain() {
					if _, started := e.(event.ToolStarted); started {
						t.Error("a blocked call was shown as running")
					}
				}
			}
		})
	}
}

func raws(values ...string) []json.RawMessage {
	var out []json.RawMessage
	for _, v := range values {
		out = append(out, json.RawMessage(v))
	}
	return out
}

func TestTransforms(t *testing.T) {
	hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{
		hook.TransformToolResult: returns(`7`, `{"a":1}`, `"from the third"`, `"from the fourth"`),
		hook.TransformLLMOutput:  returns(`""`, `5`, `"other words"`),
	}}
	b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("words"), llmtest.Say("more")}})
	d := b.turn("go")
	if got := b.request(1).Messages[3].Content; got != "from the third" {
		t.Errorf("result %q", got)
	}
	if d.Answer != "other words" {
		t.Errorf("answer %q", d.Answer)
	}
	if !strings.Contains(b.story(), `message "other words" replaced=true`) {
		t.Errorf("the view was not told:\n%s", b.story())
	}
	if got := string(hooks.of(hook.PostLLMCall)[0]["assistant_response"]); got != `"other words"` {
		t.Errorf("post_llm_call got %s", got)
	}
	b.turn("again")
	if got := lines(b.request(2).Messages); got[3] != "assistant: words" {
		t.Errorf("the model sees %s, want its own words", got[3])
	}
}

func TestAnEmptyTransformReplacesAResult(t *testing.T) {
	hooks := &recorder{answer: map[string]func(map[string]json.RawMessage) hook.Outcome{hook.TransformToolResult: returns(`""`)}}
	b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{echo("echo")}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("ok")}})
	b.turn("go")
	if got := b.request(1).Messages[3].Content; got != "" {
		t.Errorf("result %q", got)
	}
}

func TestErrorResultsReachTheObserver(t *testing.T) {
	for result, want := range map[string]string{
		`{"error": "no such city"}`:      `"error" "tool_error" "no such city"`,
		`{"error": {"code": 7}}`:         `"error" "tool_error" "{\"code\": 7}"`,
		`{"error": null, "output": "x"}`: `"ok" null null`,
		`{"error": ""}`:                  `"ok" null null`,
		`Error: not JSON`:                `"ok" null null`,
		`[{"error":"x"}]`:                `"ok" null null`,
	} {
		hooks := &recorder{}
		f := echo("echo")
		f.run = give(result)
		b := newBench(t, benchOptions{hooks: hooks, tools: []tool.Tool{f}, steps: []llmtest.Step{llmtest.Use("c1", "echo", `{}`), llmtest.Say("ok")}})
		b.turn("go")
		p := hooks.of(hook.PostToolCall)[0]
		if got := fmt.Sprintf("%s %s %s", p["status"], p["error_type"], p["error_message"]); got != want {
			t.Errorf("%s: %s, want %s", result, got, want)
		}
	}
}
