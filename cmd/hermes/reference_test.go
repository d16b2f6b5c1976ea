package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/agent/reference"
)

// A session that hermes-agent began goes on here and then there again: each
// sends the whole conversation, calls with their results, nothing twice.
func TestSessionGoesOnInBothPrograms(t *testing.T) {
	peer := reference.Start(t, t.TempDir())
	server, err := llmtest.Start(llmtest.Script{
		Models: []string{"mock-model"}, Aux: &llmtest.Step{Text: "A title"},
		Steps: []llmtest.Step{
			{Text: "Looking.", Reasoning: "I should look", ToolCalls: []llmtest.Call{llmtest.NewCall("call_1", "todo", `{"todos": [{"id": "1", "content": "写代码", "status": "pending"}]}`)}},
			llmtest.Say("Answer one."), llmtest.Use("call_2", "todo", "{}"), llmtest.Say("Answer two."), llmtest.Say("Answer three."),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	config := fmt.Sprintf("model: {provider: custom, base_url: %q, default: mock-model, api_key: sk-test-0000000000}\n", server.URL)
	if err := os.WriteFile(filepath.Join(peer.Home, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "hermes", args...) // this test binary (TestMain)
		cmd.Dir = peer.Home
		cmd.Env = append(os.Environ(), "HERMES_HOME="+peer.Home)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("hermes %q: %v\n%s", args, err, out)
		}
		return string(out)
	}

	peer.Hermes("chat", "-Q", "-q", "question one")
	if out := ours("chat", "-Q", "-q", "question two", "--continue"); !strings.Contains(out, "Answer two.") {
		t.Errorf("our answer: %q", out)
	}
	ours("sessions", "rename", "1", "Both")
	if out := string(peer.Hermes("chat", "-Q", "-q", "question three", "--continue", "Both")); !strings.Contains(out, "Answer three.") {
		t.Errorf("the reference's answer: %q", out)
	}

	requests := server.Requests()
	var got []string
	for _, m := range requests[len(requests)-1].Body.Messages[1:] {
		line := m.Role + ":" + m.Content
		for _, c := range m.ToolCalls {
			line += " call " + c.ID
		}
		if m.ToolCallID != "" {
			line = "tool: result of " + m.ToolCallID
		}
		got = append(got, line)
	}
	want := []string{
		"user:question one", "assistant:Looking. call call_1", "tool: result of call_1", "assistant:Answer one.",
		"user:question two", "assistant: call call_2", "tool: result of call_2", "assistant:Answer two.", "user:question three",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the last request holds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if out := ours("sessions", "list"); strings.Count(out, "\n") != 2 || !strings.Contains(out, "Both") {
		t.Errorf("sessions:\n%s", out)
	}
}
