package app_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
	"hermes/tui/tuitest"
)

// A turn that changed files is taken back with /rollback: files come back, what
// was made since goes, and so does the turn.
func TestRollback(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := startApp(t, 120, 40, withConfig("checkpoints.enabled", true), withModel(
		llmtest.Use("call_1", "write_file", `{"path":"kept.txt","content":"changed\n"}`),
		llmtest.Use("call_2", "terminal", `{"command":"mkdir -p made && echo x > made/new.txt"}`),
		llmtest.Say("Written."), llmtest.Say("Again."),
	))
	kept, made := filepath.Join(r.dir, "kept.txt"), filepath.Join(r.dir, "made")
	must(t, os.WriteFile(kept, []byte("as it was\n"), 0o600))
	r.send("change things")
	r.waitIdle("Written.")
	if text := read(t, kept); text != "changed\n" {
		t.Fatalf("kept.txt holds %q", text)
	}
	r.send("/rollback")
	r.WaitText("  before write_file")
	r.send("/rollback diff 1")
	r.WaitText("+++ b/made/new.txt")
	r.send("/rollback 1")
	r.WaitFor(func(s tuitest.Snapshot) bool { return strings.Contains(flat(s), "The last turn was taken back too.") })
	if text := read(t, kept); text != "as it was\n" {
		t.Errorf("kept.txt holds %q", text)
	}
	if _, err := os.Stat(made); err == nil {
		t.Error("what was made since is still there")
	}
	r.WaitFor(func(s tuitest.Snapshot) bool { return draft(s) == "change things" }) // to be sent otherwise
	r.Press("ctrl+u")
	r.send("/rollback 9")
	r.WaitText("There is no checkpoint 9.")
	r.send("go on")
	r.waitIdle("Again.")
	sent := r.requests(4)
	if strings.Contains(string(sent[3].Raw), "change things") {
		t.Error("the turn that was taken back was sent again")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return string(data)
}
