//go:build unix

package code

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/proc"
	"hermes/agent/tool"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type bench struct {
	t    *testing.T
	tool tool.Tool
	dir  string
}

func newBench(t *testing.T, d Deps) *bench {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: execute_code cannot be tried here")
	}
	b := &bench{t: t, dir: t.TempDir()}
	if b.dir, err = filepath.EvalSymlinks(b.dir); err != nil {
		t.Fatal(err)
	}
	d.Processes = proc.NewManager(proc.Options{})
	t.Cleanup(d.Processes.Close)
	if d.Python == nil {
		d.Python = func() ([]string, error) { return []string{python}, nil }
	}
	d.Environ = func() []string {
		return append(os.Environ(), "SOME_SECRET_THING=x", "MY_PASSWORD=y", "KEPT_TOKEN=z", "PLAIN=p")
	}
	d.Pass = []string{"KEPT_TOKEN"}
	d.Dir = func(string) string { return b.dir }
	reg := tool.NewRegistry(nil)
	if err := Register(reg, d); err != nil {
		t.Fatal(err)
	}
	b.tool, _ = reg.Get("execute_code")
	return b
}

func (b *bench) raw(ctx context.Context, code string) string {
	b.t.Helper()
	args, err := json.Marshal(map[string]string{"code": code})
	if err != nil {
		b.t.Fatal(err)
	}
	r, err := b.tool.Run(ctx, tool.Call{ID: "c1", Session: "s", Args: args})
	if err != nil {
		b.t.Fatal(err)
	}
	return r.Content
}

func (b *bench) run(code string) answer {
	b.t.Helper()
	return b.decode(b.raw(b.t.Context(), code))
}

func (b *bench) decode(content string) (a answer) {
	b.t.Helper()
	if err := json.Unmarshal([]byte(content), &a); err != nil {
		b.t.Fatalf("%s: %v", content, err)
	}
	return a
}

func TestResults(t *testing.T) {
	b := newBench(t, Deps{})
	got := b.raw(t.Context(), "print('hi')")
	if !strings.HasPrefix(got, `{"status": "success", "output": "hi\n", "exit_code": 0, "tool_calls_made": 0, "duration_seconds": `) ||
		!strings.HasSuffix(got, `, "stdout_truncated": false, "stdout_bytes_captured": 3, "stdout_bytes_total": 3, "stdout_bytes_omitted": 0}`) {
		t.Error(got)
	}
	a := b.run("import sys\nprint('a'); print('b', file=sys.stderr); sys.exit(3)")
	if a.Status != "error" || a.Output != "a\n\n--- stderr ---\nb\n" || a.ExitCode != 3 || a.Error != "b\n" {
		t.Errorf("%+v", a)
	}
	if a = b.run("import sys\nprint('a'); print('b', file=sys.stderr)"); a.Status != "success" || a.Output != "a\n" || a.Error != "" {
		t.Errorf("%+v", a)
	}
	if a = b.run("1/0"); a.ExitCode != 1 || !strings.Contains(a.Error, "script.py\", line 1") || !strings.Contains(a.Error, "ZeroDivisionError") {
		t.Errorf("%+v", a)
	}
	if a = b.run("import os\nos.kill(os.getpid(), 9)"); a.ExitCode != -9 || a.Error != "Script exited with code -9" {
		t.Errorf("%+v", a)
	}
	if a = b.run("print(input())"); !strings.Contains(a.Error, "EOFError") {
		t.Errorf("%+v", a)
	}
	if a = b.run("print('\\033[31m界\\033[0m')"); a.Output != "界\n" {
		t.Errorf("%+v", a)
	}
	if got := b.raw(t.Context(), "  "); got != `{"error": "No code provided."}` {
		t.Error(got)
	}
}

func TestSurroundings(t *testing.T) {
	b := newBench(t, Deps{})
	a := b.run("import os\nprint(os.getcwd())\nfor n in ('SOME_SECRET_THING', 'MY_PASSWORD', 'KEPT_TOKEN', 'PLAIN'): print(os.environ.get(n))")
	if a.Output != b.dir+"\nNone\nNone\nz\np\n" {
		t.Errorf("%+v", a)
	}
	if list, err := os.ReadDir(b.dir); err != nil || len(list) != 0 {
		t.Errorf("it leaves files: %v %v", list, err)
	}
}

func TestCalls(t *testing.T) {
	type call struct{ name, args, from string }
	var calls []call
	b := newBench(t, Deps{Call: func(_ context.Context, from tool.Call, name string, args json.RawMessage) string {
		calls = append(calls, call{name, string(args), from.ID})
		if name == "read_file" {
			return "no JSON"
		}
		return `{"output": "a	b", "exit_code": 0}`
	}})
	a := b.run(`from hermes_tools import terminal, read_file, write_file, search_files, patch, web_search, web_extract, json_parse, shell_quote, retry
print(terminal("echo 界", timeout=5))
print(read_file("x"))
write_file("y", "a\nb")
search_files("z", file_glob="*.go")
patch("p", "old", "new")
patch(mode="patch", patch="*** Begin")
web_search("q"); web_extract(["u"])
print(json_parse('{"a": "\t"}'), shell_quote("a b"))
n = [0]
def flaky():
    n[0] += 1
    if n[0] < 2: raise ValueError
    return n[0]
print(retry(flaky, delay=0))
`)
	want := "{'output': 'a\\tb', 'exit_code': 0}\nno JSON\n{'a': '\\t'} 'a b'\n2\n"
	if a.Output != want || a.Calls != 8 {
		t.Errorf("%+v", a)
	}
	for i, want := range []call{
		{"terminal", `{"command": "echo \u754c", "timeout": 5}`, "c1"},
		{"read_file", `{"path": "x", "offset": 1, "limit": 500}`, "c1"},
		{"write_file", `{"path": "y", "content": "a\nb"}`, "c1"},
		{"search_files", `{"pattern": "z", "target": "content", "path": ".", "file_glob": "*.go", "limit": 50, "offset": 0, "output_mode": "content", "context": 0}`, "c1"},
		{"patch", `{"mode": "replace", "path": "p", "old_string": "old", "new_string": "new"}`, "c1"},
		{"patch", `{"mode": "patch", "patch": "*** Begin"}`, "c1"},
		{"web_search", `{"query": "q", "limit": 5}`, "c1"},
		{"web_extract", `{"urls": ["u"]}`, "c1"},
	} {
		if i >= len(calls) || calls[i] != want {
			t.Errorf("call %d: %v, want %v", i, calls[min(i, len(calls)-1)], want)
		}
	}
}

func TestCallsFromThreadsAndChildren(t *testing.T) {
	b := newBench(t, Deps{Call: func(_ context.Context, _ tool.Call, _ string, args json.RawMessage) string { return string(args) }})
	a := b.run(`import threading, hermes_tools, os, subprocess
bad = []
def work(i):
    for j in range(5):
        if hermes_tools.terminal(f"{i}-{j}") != {"command": f"{i}-{j}"}: bad.append((i, j))
ts = [threading.Thread(target=work, args=(i,)) for i in range(5)]
[t.start() for t in ts]; [t.join() for t in ts]
os.system("echo '{}' 1>&4 2>/dev/null")
print(bad, hermes_tools.terminal("last"))
`)
	if a.Output != "[] {'command': 'last'}\n" || a.Calls != 26 {
		t.Errorf("%+v", a)
	}
}

func TestLimits(t *testing.T) {
	b := newBench(t, Deps{MaxCalls: 2, Call: func(context.Context, tool.Call, string, json.RawMessage) string { return `{"ok": true}` }})
	a := b.run("from hermes_tools import terminal, _call\nfor i in range(3): print(terminal('x'))\n")
	if !strings.HasSuffix(a.Output, "{'error': 'Tool call limit reached (2). No more tool calls allowed in this execution.'}\n") || a.Calls != 2 {
		t.Errorf("%+v", a)
	}
	a = b.run("from hermes_tools import _call\nprint(_call('memory', x=1))")
	if !strings.Contains(a.Output, "Tool 'memory' is not available in execute_code. Available: patch, read_file") {
		t.Errorf("%+v", a)
	}
	a = b.run("import sys\nprint('x' * 60000)\nsys.stderr.write('e' * 20000 + 'END')\nsys.exit(1)")
	if !a.Truncated || a.Captured != 50_000 || a.Total != 60_001 || a.Omitted != 10_001 || a.Warning == "" ||
		strings.Index(a.Output, "\n\n... [OUTPUT TRUNCATED - 10,001 bytes omitted out of 60,001 total] ...\n\n") != 20_000 ||
		!strings.HasSuffix(a.Error, "END") || len(a.Error) > 10_200 {
		t.Errorf("%d %d %d %q", a.Captured, a.Total, len(a.Error), a.Warning)
	}
}

func TestTimeLimit(t *testing.T) {
	b := newBench(t, Deps{Timeout: time.Second, Call: func(ctx context.Context, _ tool.Call, _ string, _ json.RawMessage) string {
		<-ctx.Done() // a call that hangs ends with the script
		return `{}`
	}})
	a := b.run("from hermes_tools import terminal\nprint(1)\nterminal('x')")
	if a.Status != "timeout" || a.Output != "1\n\n\n⏰ Script timed out after 1s and was killed." || a.Error != "Script timed out after 1s and was killed." || a.Calls != 1 {
		t.Errorf("%+v", a)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := newBench(t, Deps{Call: func(context.Context, tool.Call, string, json.RawMessage) string {
		cancel()
		return `{}`
	}})
	a := b.decode(b.raw(ctx, "from hermes_tools import terminal\nimport time\nprint(1)\nterminal('x')\ntime.sleep(1000)"))
	if a.Status != "interrupted" || a.Output != "1\n\n[Script interrupted]" {
		t.Errorf("%+v", a)
	}
}

func TestApprovalAndNoPython(t *testing.T) {
	b := newBench(t, Deps{Approve: func(context.Context, tool.Call, string) (bool, string) { return false, "BLOCKED: no" }})
	if got := b.raw(t.Context(), "print(1)"); got != `{"status": "blocked", "error": "BLOCKED: no"}` {
		t.Error(got)
	}
	b = newBench(t, Deps{Python: func() ([]string, error) { return nil, os.ErrNotExist }})
	if got := b.raw(t.Context(), "print(1)"); !strings.Contains(got, "needs a Python interpreter") {
		t.Error(got)
	}
	if ok, why := b.tool.Available(t.Context()); ok || why == "" {
		t.Errorf("%v %q", ok, why)
	}
}
