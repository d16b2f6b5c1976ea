package agent

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/agent/llm/llmtest"
	"hermes/agent/tools/files"
	"hermes/agent/tools/todo"
)

// A turn with the built-in tools as the program registers them.
func TestATurnWithTheRealTools(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("alpha\nbeta\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, benchOptions{
		steps: []llmtest.Step{
			{ToolCalls: []llmtest.Call{
				llmtest.NewCall("1", "read_file", `{"path":"notes.txt","limit":"1"}`),
				llmtest.NewCall("2", "search_files", `{"pattern":"beta"}`),
				llmtest.NewCall("3", "todo", `{"todos":"[{\"id\":\"1\",\"content\":\"look\",\"status\":\"completed\"}]"}`),
				llmtest.NewCall("4", "read_file", `{"offset":0,"path":"notes.txt"}`),
				llmtest.NewCall("5", "todo", `{"todos":[{"id":"1","content":"x","status":"later"}]}`),
			}},
			llmtest.Say("ok"),
		},
		change: func(o *Options) {
			if err := files.Register(o.Tools, files.Deps{Dir: dir, Home: o.Home, Ripgrep: "none"}); err != nil {
				t.Fatal(err)
			}
			if err := todo.Register(o.Tools); err != nil {
				t.Fatal(err)
			}
		},
	})
	d := b.turn("go")
	for i, want := range []struct{ status, part string }{
		{event.StatusOK, `{"content": "1|alpha\n2|", "total_lines": 2,`},
		{event.StatusOK, `{"path": "./notes.txt", "line": 2, "content": "beta"}`},
		{event.StatusOK, `"completed": 1`},
		{event.StatusError, `Invalid arguments for read_file: parameter 'offset' must be at least 1, got 0`},
		{event.StatusError, `Invalid arguments for todo: parameter 'todos[0].status' must be one of`},
	} {
		if got := d.Tools[i]; got.Status != want.status || !strings.Contains(got.Result, want.part) {
			t.Errorf("call %d: %s %s, want %s %s", i+1, got.Status, got.Result, want.status, want.part)
		}
	}
	if got := b.offered(0); got != "patch read_file search_files todo write_file" {
		t.Errorf("offered %s", got)
	}
}
