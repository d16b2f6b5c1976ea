package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
)

// The commands about stored conversations, as a user meets them.
func TestSessionCommands(t *testing.T) {
	t.Parallel()
	r := startApp(t, 120, 40, withModel(
		llmtest.Say("Alpha answer."), llmtest.Say("Beta answer."), llmtest.Say("Gamma answer."), llmtest.Say("Delta answer."),
	))
	r.send("/title early")
	r.waitIdle("not stored before its first message")
	r.send("/undo")
	r.waitIdle("nothing was said in this session yet")
	r.send("alpha question")
	r.waitIdle("Alpha answer.")
	r.send("/title Alpha work")
	r.waitIdle("Title: Alpha work")
	r.send("/history")
	r.waitIdle("[You #1]", "[Hermes #2]")
	r.send("/save")
	r.waitIdle("saved as")
	saved, err := filepath.Glob(filepath.Join(r.home, "sessions", "saved", "hermes_conversation_*.json"))
	must(t, err)
	if len(saved) != 1 {
		t.Fatalf("saved files: %q", saved)
	}
	text, err := os.ReadFile(saved[0])
	must(t, err)
	if !strings.Contains(string(text), "alpha question") {
		t.Errorf("the file does not hold the conversation:\n%s", text)
	}

	// A second session, and back to the first by its name.
	r.send("/new")
	r.waitIdle("new session")
	r.send("beta question")
	r.waitIdle("Beta answer.")
	r.send("/sessions")
	s := r.waitIdle("Alpha work", "/resume N")
	if !regexp.MustCompile(`▸ +1\. `).MatchString(s.Dump()) {
		t.Errorf("the current session is not marked\n%s", s.Dump())
	}
	r.send("/resume nosuch")
	r.waitIdle("'nosuch' not found")
	r.send("/resume alpha work")
	r.waitIdle("Resumed session", "(1 user messages, 2")
	r.send("gamma question")
	r.waitIdle("Gamma answer.")
	if got := userTexts(r.requests(3)[2]); len(got) != 2 || got[0] != "alpha question" || got[1] != "gamma question" {
		t.Errorf("the resumed session asks %q", got)
	}

	// What is undone is not sent; a branch begins with what is left.
	r.send("/undo")
	r.waitIdle("Undid 1 turn(s)", "❯ gamma question") // it is the draft again
	r.Press("ctrl+u")
	r.send("/branch")
	r.waitIdle("Branched into Alpha work #2")
	r.send("delta question")
	r.waitIdle("Delta answer.")
	if got := userTexts(r.requests(4)[3]); len(got) != 2 || got[0] != "alpha question" || got[1] != "delta question" {
		t.Errorf("the branch asks %q", got)
	}
}
