//go:build unix

package app_test

import (
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
)

// In smart mode, which is the default, a model looks at flagged commands
// first: what it approves runs without a question, what it denies is the
// user's to decide.
func TestSmartApproval(t *testing.T) {
	t.Parallel()
	r := startApp(t, 100, 40, withConfig("approvals.mode", "smart"), withModel(
		llmtest.Use("1", "terminal", `{"command":"mkdir a && rm -rf a"}`),
		llmtest.Say("APPROVE"),
		llmtest.Use("2", "terminal", `{"command":"git reset --hard"}`),
		llmtest.Say("DENY"),
		llmtest.Say("Done."),
	))
	r.send("go")
	r.WaitText("git reset --hard", "Allow once", "Deny")
	if s := r.Snapshot(); s.Contains("permanent allowlist") {
		t.Errorf("a denial of the model's leaves more than once:\n%s", s)
	}
	r.answer("esc", "Done.")
	r.waitIdle("Done.")
	reqs := r.requests(5)
	q := reqs[1].Body
	if len(q.Messages) != 2 || !strings.Contains(q.Messages[1].Content, "<command>\nmkdir a && rm -rf a\n</command>") || len(q.Tools) != 0 || q.Stream || raw(t, reqs[1], "temperature") != "0" {
		t.Errorf("the question to the model: %+v", q)
	}
	results := toolResults(reqs[4])
	for id, want := range map[string]string{
		"1": `"approval": "Command was flagged (recursive delete) and auto-approved by smart approval."`,
		"2": `"error": "BLOCKED: User denied this command.`,
	} {
		if !strings.Contains(results[id], want) {
			t.Errorf("call %s: %s", id, results[id])
		}
	}
}

// /yolo lets a session's commands run without a question, and back.
func TestYoloCommand(t *testing.T) {
	t.Parallel()
	r := startApp(t, 100, 40, withConfig("approvals.mode", "manual"), withModel(
		llmtest.Use("1", "terminal", `{"command":"mkdir a && rm -rf a"}`),
		llmtest.Use("2", "terminal", `{"command":"rm -rf /"}`),
		llmtest.Say("First."),
		llmtest.Use("3", "terminal", `{"command":"rm -rf a"}`),
		llmtest.Say("Second."),
	))
	r.send("/yolo")
	r.WaitText("YOLO mode on")
	r.send("go")
	r.waitIdle("First.")
	r.send("/yolo")
	r.WaitText("YOLO mode off")
	r.send("again")
	r.WaitText("Allow once")
	r.answer("esc", "Second.")
	results := toolResults(r.requests(5)[4])
	for id, want := range map[string]string{
		"1": `"exit_code": 0, "error": null}`,
		"2": `BLOCKED (hardline): recursive delete of root filesystem.`,
		"3": `BLOCKED: User denied this command.`,
	} {
		if !strings.Contains(results[id], want) {
			t.Errorf("call %s: %s", id, results[id])
		}
	}
}
