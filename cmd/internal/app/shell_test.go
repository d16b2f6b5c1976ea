//go:build unix

package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"hermes/agent/llm/llmtest"
)

// withoutApprovals lets everything run, as the user may decide.
func withoutApprovals() option { return withConfig("approvals.mode", "off") }

// A turn that works in the shell: state stays between calls, a script calls
// tools, a command in the background tells of its end and the model goes on.
func TestATurnWithCommands(t *testing.T) {
	t.Parallel()
	release := filepath.Join(t.TempDir(), "go")
	wait := "while [ ! -e " + release + " ]; do sleep 0.02; done; echo built; exit 4"
	background, err := json.Marshal(map[string]any{"command": wait, "background": true, "notify_on_complete": true})
	must(t, err)
	r := startApp(t, 100, 40, withoutApprovals(), withModel(
		llmtest.Use("1", "terminal", `{"command":"mkdir sub && cd sub && export WHO=me && echo inner >x.txt"}`),
		llmtest.Use("0", "read_file", `{"path":"x.txt"}`),
		llmtest.Use("2", "terminal", `{"command":"echo $WHO in ${PWD##*/}"}`),
		llmtest.Use("3", "execute_code", `{"code":"from hermes_tools import terminal\nprint('script:', terminal('pwd')['output'].split('/')[-1])"}`),
		llmtest.Use("4", "terminal", string(background)),
		llmtest.Use("5", "process", `{"action":"list"}`),
		llmtest.Say("Started."),
		llmtest.Say("It failed with 4."),
	))
	r.send("go")
	r.waitIdle("Started.")
	must(t, os.WriteFile(release, nil, 0o600))
	r.waitIdle("It failed with 4.")
	sent := r.requests(8)
	results := toolResults(sent[6])
	for i, want := range []string{`{"content": "1|inner`, `"exit_code": 0`, `"output": "me in sub"`, `script: sub\n`, `"session_id": "proc_`, `"status": "running"`} {
		if got := results[strconv.Itoa(i)]; !strings.Contains(got, want) {
			t.Errorf("call %d: %s", i, got)
		}
	}
	texts := userTexts(sent[7])
	if got := texts[len(texts)-1]; !strings.HasPrefix(got, "[IMPORTANT: Background process proc_") || !strings.Contains(got, "exited (exit code 4).\nCommand: ") || !strings.HasSuffix(got, "Output:\nbuilt\n]") {
		t.Errorf("the note: %q", got)
	}
}

// Interrupting ends the command; the program's end ends what runs behind it.
func TestInterruptedCommand(t *testing.T) {
	t.Parallel()
	pid := filepath.Join(t.TempDir(), "pid")
	r := startApp(t, 100, 30, withoutApprovals(), withModel(
		llmtest.Use("1", "terminal", `{"command":"exec sleep 1000","background":true}`),
		llmtest.Use("2", "terminal", `{"command":"echo $$ >`+pid+`; echo running now; sleep 1000"}`),
		llmtest.Say("Later."),
	))
	r.send("go")
	r.WaitText("running now")
	r.Press("ctrl+c")
	r.waitIdle("⊘ interrupted")
	r.send("and then?")
	r.waitIdle("Later.")
	results := toolResults(r.requests(3)[2])
	if got := results["2"]; got != `{"output": "running now\n\n[Command interrupted]", "exit_code": 130, "error": null}` {
		t.Errorf("%s", got)
	}
	var started struct{ Pid int }
	must(t, json.Unmarshal([]byte(results["1"]), &started))
	if syscall.Kill(started.Pid, 0) != nil {
		t.Error("the command in the background was ended with the other")
	}
	r.send("/stop")
	r.waitIdle("Ended in the background: 1", "exec sleep 1000")
	if err := syscall.Kill(started.Pid, 0); err == nil {
		t.Error("/stop left it running")
	}
	r.send("/stop")
	r.waitIdle("No command runs in the background.")
	r.Press("ctrl+c")
	if err := r.Quit("ctrl+c"); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(pid)
	must(t, err)
	foreground, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	for _, pid := range []int{started.Pid, foreground} {
		if err := syscall.Kill(pid, 0); err == nil {
			t.Errorf("process %d is left", pid)
		}
	}
}

// What needs the user is asked on the screen: a dangerous command, a question
// of the model's.
func TestQuestionsOfTools(t *testing.T) {
	t.Parallel()
	r := startApp(t, 100, 40, withConfig("approvals.mode", "manual"), withModel(
		llmtest.Use("1", "terminal", `{"command":"mkdir -p a/b c && rm -rf a"}`),
		llmtest.Use("2", "terminal", `{"command":"rm -rf c"}`),
		llmtest.Use("3", "clarify", `{"question":"Which target?","choices":["staging","production"]}`),
		llmtest.Use("4", "clarify", `{"question":"What name?"}`),
		llmtest.Use("5", "execute_code", `{"code":"from hermes_tools import terminal\nprint(terminal('rm -rf c')['exit_code'])"}`),
		llmtest.Say("Done."),
	))
	r.send("go")
	r.WaitText("rm -rf a", "1.", "2.")
	r.answer("1", "rm -rf c")
	r.answer("esc", "Which target?")
	r.answer("2", "What name?")
	r.answer("Z", "Z")
	r.Press("enter")
	r.WaitText("Allow once")
	r.answer("1", "Done.")
	r.waitIdle("Done.")
	results := toolResults(r.requests(6)[5])
	for id, want := range map[string]string{
		"1": `"exit_code": 0, "error": null, "approval": "Command required approval (recursive delete) and was approved by the user."}`,
		"2": `"exit_code": -1, "error": "BLOCKED: User denied this command.`,
		"3": `{"question": "Which target?", "choices_offered": ["staging", "production"], "user_response": "production"}`,
		"4": `{"question": "What name?", "choices_offered": null, "user_response": "Z"}`,
		"5": `{"status": "success", "output": "0\n", "exit_code": 0, "tool_calls_made": 1,`,
	} {
		if !strings.Contains(results[id], want) {
			t.Errorf("call %s: %s", id, results[id])
		}
	}
}
