package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm/llmtest"
)

// research takes a task on, and tells of it when its gate opens: the asynchronous
// pattern of the guide.
const research = `
import json, os, socket, threading

CTX = []

def work():
    host, port = os.environ["GATE_ADDR"].rsplit(":", 1)
    with socket.create_connection((host, int(port))) as s:
        s.sendall(b"work\n")
        s.recv(1)
    CTX[0].inject_message("Task T-17 is done: forty-two", role="research")

def start(args, **kw):
    threading.Thread(target=work, daemon=True).start()
    return json.dumps({"status": "accepted", "task_id": "T-17"})

def register(ctx):
    CTX.append(ctx)
    ctx.register_tool("research", "research", {"name": "research", "description": "d", "parameters": {"type": "object", "properties": {}}}, start)
`

// TestPluginAnswersLater: the card reads handed over until the message that names
// the task comes, which is a turn of its own.
func TestPluginAnswersLater(t *testing.T) {
	t.Parallel()
	g := newGate(t)
	r := startApp(t, 120, 40, g.open(), withCode("research", research), withModel(
		llmtest.Use("call_1", "research", `{}`),
		llmtest.Say("I have asked."),
		llmtest.Say("It is forty-two."),
	))
	r.send("look into it")
	release := g.wait("work")
	s := r.waitIdle("I have asked.")
	if !s.Contains("handed over") {
		t.Errorf("the card does not say that the call was handed over\n%s", s.Dump())
	}
	release()
	s = r.waitIdle("It is forty-two.")
	if s.Contains("handed over") || !s.Contains("[research] Task T-17 is done: forty-two") {
		t.Errorf("the message did not settle the card\n%s", s.Dump())
	}
	requests := r.server.Requests()
	texts := userTexts(requests[len(requests)-1])
	if got := texts[len(texts)-1]; got != "[research] Task T-17 is done: forty-two" {
		t.Errorf("the model was told %q", got)
	}
}

// TestPluginCallsADangerousTool: what a plugin asks for by dispatch_tool needs the
// user's approval as what the model asks for does, and secrets do not come back.
func TestPluginCallsADangerousTool(t *testing.T) {
	t.Parallel()
	r := startApp(t, 120, 40, withConfig("approvals.mode", "manual"), withEnv("VAULT_TOKEN", "hunter2hunter2"), withCode("clean", `
def register(ctx):
    def sweep(args, **kw):
        return "got " + ctx.dispatch_tool("terminal", {"command": args["command"]})
    ctx.register_tool("sweep", "clean", {"name": "sweep", "description": "d", "parameters": {"type": "object", "properties": {"command": {"type": "string"}}}}, sweep)
`), withModel(
		llmtest.Use("call_1", "sweep", `{"command":"rm -rf build && echo done-$((40+2))"}`),
		llmtest.Use("call_2", "sweep", `{"command":"echo $VAULT_TOKEN hunter2hunter2"}`),
		llmtest.Say("Swept."),
	))
	r.send("sweep")
	r.WaitText("rm -rf build", "Allow once")
	r.answer("1", "Swept.")
	r.waitIdle("Swept.")
	results := toolResults(r.requests(3)[2])
	if got := results["call_1"]; !strings.HasPrefix(got, "got {") || !strings.Contains(got, "done-42") || !strings.Contains(got, "approved by the user") {
		t.Errorf("sweep = %s", got)
	}
	if got := results["call_2"]; !strings.Contains(got, `"exit_code": 0`) || strings.Contains(got, "hunter2") {
		t.Errorf("echo = %s", got)
	}
}

// TestGuideCommandRunsATool: the guide's /scan asks for the terminal by
// dispatch_tool and shows what it answered.
func TestGuideCommandRunsATool(t *testing.T) {
	t.Parallel()
	folder := guidePlugin(t, "scan-completed")
	dir := t.TempDir()
	for _, name := range []string{"one.py", "two.txt"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	r := startApp(t, 100, 30, withDir(dir), withFolder("scan-completed", folder), withModel())
	r.WaitText("1 ok")
	r.send("/scan *.py")
	s := r.WaitText(`{"output": "./one.py", "exit_code": 0, "error": null}`)
	if s.Contains("two.txt") {
		t.Errorf("it found too much\n%s", s.Dump())
	}
}
