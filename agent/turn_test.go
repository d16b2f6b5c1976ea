package agent

import (
	"context"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tool"
)

// bomb is a hook.Invoker that has a bug.
type bomb struct{ at string }

func (b bomb) Has(name string) bool { return name == b.at }

func (b bomb) Invoke(context.Context, string, any) (hook.Outcome, error) { panic("bomb went off") }

// A bug ends the turn, wherever it is, and nothing else.
func TestAPanicEndsTheTurnAlone(t *testing.T) {
	for _, at := range []string{hook.PreLLMCall, hook.PreToolCall, hook.PostLLMCall, hook.OnSessionEnd} {
		b := newBench(t, benchOptions{
			hooks: bomb{at}, tools: []tool.Tool{echo("echo")},
			steps: []llmtest.Step{llmtest.Use("a", "echo", `{}`), llmtest.Say("ok")},
		})
		if d := b.turn("go"); d.Outcome != event.OutcomeFailed || !strings.Contains(d.Err, "bomb went off") {
			t.Errorf("%s: %+v", at, d)
		}
		b.turn("again")
		if log := b.log.String(); !strings.Contains(log, "bomb went off") || !strings.Contains(log, "agent.bomb.Invoke") {
			t.Errorf("%s: the log has no stack: %s", at, log)
		}
	}
}

func TestATurnWithOneToolCall(t *testing.T) {
	b := newBench(t, benchOptions{
		tools: []tool.Tool{echo("echo")},
		steps: []llmtest.Step{
			{Text: "Let me look.", ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "echo", `{"text":"hi"}`)}},
			llmtest.Say("It says hi."),
		},
	})
	d := b.turn("go")
	if d.Outcome != event.OutcomeDone || d.Answer != "It says hi." || d.APICalls != 2 || len(d.Tools) != 1 || d.Tokens.In != 2000 {
		t.Errorf("turn done %+v", d)
	}
	wantLines(t, lines(b.request(1).Messages),
		"user: go",
		`assistant: Let me look. [c1 echo({"text":"hi"})]`,
		`tool: {"got": {"text":"hi"}} <c1>`,
	)
	if got := b.request(0); got.Messages[0].Role != "system" || got.Messages[0].Content != b.request(1).Messages[0].Content {
		t.Error("the system prompt is not the same in both requests")
	}
	story := b.story()
	for _, want := range []string{
		`turn "go" user`, `message "Let me look."`, `started echo c1 {"text":"hi"}`,
		`done echo c1 ok {"got": {"text":"hi"}}`, `message "It says hi."`, `turn done done "It says hi."`,
	} {
		i := strings.Index(story, want)
		if i < 0 {
			t.Fatalf("%q does not come, or not in its place, in\n%s", want, b.story())
		}
		story = story[i:]
	}
}
