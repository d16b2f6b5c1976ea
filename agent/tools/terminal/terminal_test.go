//go:build unix

package terminal

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/tool"
)

func TestResults(t *testing.T) {
	b := newBench(t, nil)
	for _, tc := range []struct{ command, want string }{
		{"echo hi; echo err >&2; exit 3", `{"output": "hi\nerr", "exit_code": 3, "error": null}`},
		{"grep zz /dev/null", `{"output": "", "exit_code": 1, "error": null, "exit_code_meaning": "No matches found (not an error)"}`},
		{"true | grep zz", `{"output": "", "exit_code": 1, "error": null, "exit_code_meaning": "No matches found (not an error)"}`},
		{"false", `{"output": "", "exit_code": 1, "error": null}`},
		{"kill -9 $$", `{"output": "", "exit_code": -9, "error": null}`},
		{"no-such-program", `{"output": "bash: line 1: no-such-program: command not found", "exit_code": 127, "error": null}`},
		{`printf 'a\000b\377\033[31mred\033[0m\rz\r\n'`, `{"output": "a\u0000b` + "\ufffd" + `red\rz", "exit_code": 0, "error": null}`},
		{"printf '  indented\\n\\n'", `{"output": "  indented", "exit_code": 0, "error": null}`},
		{"cat", `{"output": "", "exit_code": 0, "error": null}`},
		{"", `{"output": "", "exit_code": 0, "error": null}`},
		{"set -e; false; echo no", `{"output": "", "exit_code": 1, "error": null}`},
		{"cat <<'E'\nit's \"here\"\nE", `{"output": "it's \"here\"", "exit_code": 0, "error": null}`},
	} {
		if got := b.run(tc.command); got != tc.want {
			t.Errorf("%s\n got %s\nwant %s", tc.command, got, tc.want)
		}
	}
	has(t, b.run("echo 'unclosed"), `"exit_code": 2`, "unexpected EOF")
}

func TestRefusals(t *testing.T) {
	b := newBench(t, nil)
	want := `{"output": "", "exit_code": -1, "error": "Foreground command uses shell-level background wrappers (nohup/disown/setsid). `
	if got := b.run("nohup sleep 1"); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, `, "status": "error"}`) {
		t.Error(got)
	}
	want = `{"error": "Foreground timeout 700s exceeds the maximum of 600s. Use background=true with notify_on_complete=true for long-running commands."}`
	if got := b.run("true", "timeout", 700); got != want {
		t.Error(got)
	}
	if got := b.run("pwd", "workdir", "/no/such/folder"); got != `{"output": "cd: /no/such/folder: No such file or directory", "exit_code": 126, "error": null}` {
		t.Error(got)
	}
}

func TestStateStays(t *testing.T) {
	b := newBench(t, nil)
	if err := os.MkdirAll(filepath.Join(b.dir, "it's a 'dir'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.output("cd it*; export FOO='a b\n\"$x'; f() { echo \"fn $1\"; }; local=1")
	if got := b.output(`printf '%s|' "$PWD" "$FOO" "$local"; f x; cd - >/dev/null; pwd`); got != filepath.Join(b.dir, "it's a 'dir'\n")+"|a b\n\"$x||fn x\n"+b.dir {
		t.Errorf("%q", got)
	}
	b.run("cd /; export BAR=2; exit 7")
	if got := b.output("pwd; echo $BAR"); got != "/\n2" {
		t.Errorf("after exit: %q", got)
	}
	b.run("cd /tmp; kill -9 $$")
	if got := b.output("pwd; echo $BAR"); got != "/\n2" {
		t.Errorf("after a death: %q", got)
	}
	b.run("cd /usr; trap 'echo bye' EXIT; unset BAR")
	if got := b.output("pwd; echo [$BAR]"); got != "/usr\n[]" {
		t.Errorf("after a trap: %q", got)
	}
	b.run("set -euo pipefail; cd /; f() { echo two; }")
	if got := b.output("pwd; f; echo [$nothing]"); got != "/\ntwo\n[]" {
		t.Errorf("options: %q", got)
	}
	if got := decode(t, b.call(t.Context(), "other", map[string]any{"command": "pwd; echo [$FOO]"})).Output; got != b.dir+"\n[]" {
		t.Errorf("another session: %q", got)
	}
	sh, err := b.term.shells.get("s")
	if err != nil {
		t.Fatal(err)
	}
	state := sh.begin(t.Context())
	if text, err := os.ReadFile(state); err != nil || strings.Contains(string(text), "__hermes") {
		t.Errorf("ours is left: %v %s", err, text)
	}
}

func TestWorkdir(t *testing.T) {
	b := newBench(t, nil)
	sub := filepath.Join(b.dir, "sub")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := b.output("echo $PWD; pwd", "workdir", "sub"); got != sub+"\n"+sub {
		t.Errorf("relative: %q", got)
	}
	if got := b.output("pwd"); got != sub {
		t.Errorf("it stays: %q", got)
	}
	if err := os.Remove(sub); err != nil {
		t.Fatal(err)
	}
	if got := b.run("pwd"); got != `{"output": "cd: `+sub+`: No such file or directory (the shell's folder is gone; give workdir)", "exit_code": 126, "error": null}` {
		t.Errorf("folder gone: %s", got)
	}
	if got := b.output("pwd", "workdir", b.dir); got != b.dir {
		t.Errorf("elsewhere: %q", got)
	}
}

func TestLoginShell(t *testing.T) {
	b := newBench(t, func(d *Deps) {
		d.Bashrc = true
		env := d.Environ()
		d.Environ = func() []string { return append(env, "PATH=/here/first:"+os.Getenv("PATH"), "JAVA_HOME=/mine") }
	})
	for name, text := range map[string]string{
		".bash_profile": "export FROM_PROFILE=p DEEPSEEK_API_KEY=sk-secret JAVA_HOME=/theirs\nexport PATH=/usr/bin:/from/profile\necho noise\n",
		".bashrc":       "rcfn() { echo rc; }\nexport FROM_RC=r\n",
	} {
		if err := os.WriteFile(filepath.Join(b.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.output("echo $PATH; echo $JAVA_HOME"); !strings.HasPrefix(got, "/here/first:"+os.Getenv("PATH")) || !strings.HasSuffix(got, ":/from/profile\n/mine") {
		t.Errorf("%q", got)
	}
	if got := b.output("echo $FROM_PROFILE $FROM_RC [$DEEPSEEK_API_KEY]; rcfn"); got != "p r []\nrc" {
		t.Errorf("%q", got)
	}
}

func TestEnvironment(t *testing.T) {
	b := newBench(t, func(d *Deps) {
		env := d.Environ()
		d.Environ = func() []string {
			return append(env, "OPENAI_API_KEY=sk-1", "MY_API_KEY=2", "GITHUB_TOKEN=3", "KEEP_API_KEY=4", "NPM_TOKEN=5", "KEYBOARD=us", "SUDO_PASSWORD=6")
		}
		d.Pass = []string{"KEEP_API_KEY"}
	})
	if got := b.output(`echo "$OPENAI_API_KEY $MY_API_KEY $GITHUB_TOKEN $KEEP_API_KEY $NPM_TOKEN $KEYBOARD $SUDO_PASSWORD"`); got != "   4 5 us" {
		t.Errorf("%q", got)
	}
}

func TestTruncation(t *testing.T) {
	b := newBench(t, nil)
	got := b.output("seq 1 30000")
	i := strings.Index(got, "\n\n... [OUTPUT TRUNCATED - 118,969 chars omitted out of 168,894 total] ...\n\n")
	if i != 19970 || !strings.HasPrefix(got, "1\n2\n") || !strings.HasSuffix(got, "\n30000") {
		t.Errorf("marker at %d, ends in %q", i, got[max(0, len(got)-50):])
	}
}

func TestLongCommand(t *testing.T) {
	b := newBench(t, nil)
	if got := b.output("echo " + strings.Repeat("界", 60_000) + " | wc -m; cd /"); got != "60001" {
		t.Errorf("%q", got)
	}
	if got := b.output("pwd"); got != "/" {
		t.Errorf("%q", got)
	}
}

func TestTimeout(t *testing.T) {
	b := newBench(t, nil)
	if got := b.run("echo hi; sleep 1000", "timeout", 1); got != `{"output": "hi\n\n[Command timed out after 1s]", "exit_code": 124, "error": null}` {
		t.Error(got)
	}
}

// An interrupted command is gone with all that it started, at once.
func TestInterrupt(t *testing.T) {
	b := newBench(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	pids := filepath.Join(b.dir, "pids")
	command := "trap '' TERM; export X=1; sh -c 'trap \"\" TERM; echo $$ >>" + pids + "; echo ready; while :; do sleep 0.1; done'"
	raw, err := json.Marshal(map[string]any{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.term.Run(ctx, tool.Call{Session: "s", Args: raw, Progress: func(text string) {
		if text == "ready" {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Content != `{"output": "ready\n\n[Command interrupted]", "exit_code": 130, "error": null}` {
		t.Error(r.Content)
	}
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	gone(t, strings.TrimSpace(string(text)))
}

// gone waits until a process no longer runs. One that nobody has reaped yet
// does not run.
func gone(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(deadline); time.Now().Before(end); {
		out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
		if state := strings.TrimSpace(string(out)); err != nil || state == "" || state[0] == 'Z' {
			return
		}
	}
	t.Errorf("process %s still runs", pid)
}

func TestTerminalDevice(t *testing.T) {
	b := newBench(t, nil)
	if got := b.output("test -t 1 && stty size && echo $TERM && cd /", "pty", true); got != "30 120\nxterm-256color" {
		t.Errorf("%q", got)
	}
	if got := b.output("pwd"); got != "/" {
		t.Errorf("state: %q", got)
	}
}

func TestPipeIsKept(t *testing.T) {
	b := newBench(t, nil)
	began := time.Now()
	// The shell cannot tell eval's command; the refusal looks at the text only.
	if got := b.output(`eval "sleep 1000 &"; echo done`); got != "done" {
		t.Errorf("%q", got)
	}
	if took := time.Since(began); took > deadline {
		t.Errorf("waited %v", took)
	}
}

func TestApproval(t *testing.T) {
	b := newBench(t, func(d *Deps) {
		d.Approve = func(_ context.Context, r Request) Decision {
			if strings.Contains(r.Command, "danger") {
				return Decision{Message: "BLOCKED: User denied this command.", Status: "blocked"}
			}
			return Decision{Run: true, Note: "approved: " + r.Dir}
		}
	})
	if got := b.run("echo danger"); got != `{"output": "", "exit_code": -1, "error": "BLOCKED: User denied this command.", "status": "blocked"}` {
		t.Error(got)
	}
	has(t, b.run("echo ok"), `"output": "ok"`, `"approval": "approved: `+b.dir+`"`)
	has(t, b.run("echo danger", "background", true), `"status": "blocked"`)
}

func TestBackground(t *testing.T) {
	b := newBench(t, nil)
	b.output("cd /; export FOO=bar; f() { echo $FOO in $PWD; }")
	var s struct {
		ID  string `json:"session_id"`
		Pid int    `json:"pid"`
	}
	content := b.run("f; read x; echo got $x; exit 5", "background", true)
	if err := json.Unmarshal([]byte(content), &s); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"output": "Background process started", "session_id": %q, "pid": %d, "exit_code": 0, "error": null, "hint": "`, s.ID, s.Pid)
	if !strings.HasPrefix(content, want) {
		t.Error(content)
	}
	p, ok := b.procs.Get(s.ID)
	if !ok {
		t.Fatal("not listed")
	}
	if _, err := p.Write("one\n"); err != nil {
		t.Fatal(err)
	}
	if !p.Wait(t.Context(), deadline) || p.Info().Code != 5 {
		t.Errorf("%+v", p.Info())
	}
	if got := p.Output(1000); got != "bar in /\ngot one\n" {
		t.Errorf("%q", got)
	}
	has(t, b.run("true", "background", true, "notify_on_complete", true), `"notify_on_complete": true}`)
	has(t, b.run("true", "background", true, "watch_patterns", []string{"x"}), `"watch_patterns": ["x"]}`)
	has(t, b.run("true", "background", true, "watch_patterns", []string{"x"}, "notify_on_complete", true), `"watch_patterns_ignored": "`)
}

func TestNothingStaysOnDisk(t *testing.T) {
	b := newBench(t, nil)
	for range 3 {
		b.output("cd /; true")
	}
	list, err := filepath.Glob(filepath.Join(b.term.shells.dir, "*"))
	if err != nil || len(list) > 2 { // the login shell's state and the session's
		t.Errorf("%v %v", list, err)
	}
	b.term.Close()
	if _, err := os.Stat(b.term.shells.dir); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
}

func TestSessionsOfShells(t *testing.T) {
	b := newBench(t, nil)
	in := func(session, command string) string {
		return decode(t, b.call(t.Context(), session, map[string]any{"command": command})).Output
	}
	b.term.Warm(t.Context())
	in("old", "cd /usr; export X=1")
	b.term.Adopt("old", "new")
	if got := in("new", "pwd; echo $X") + b.term.Dir("new"); got != "/usr\n1/usr" {
		t.Errorf("%q", got)
	}
	if got := in("old", "pwd") + b.term.Dir("nobody"); got != b.dir+b.dir {
		t.Errorf("%q", got)
	}
	b.term.Forget("new")
	if got := in("new", "pwd; echo [$X]"); got != b.dir+"\n[]" {
		t.Errorf("%q", got)
	}
	in("first", "cd /")
	for i := range maxShells {
		in(fmt.Sprint(i), ":")
	}
	if got := in("first", "pwd"); got != b.dir || len(b.term.shells.byID) != maxShells {
		t.Errorf("%q, %d shells", got, len(b.term.shells.byID))
	}
}

func TestPlainShell(t *testing.T) {
	b := newBench(t, func(d *Deps) { d.Shell = "/bin/sh" })
	b.output("cd /usr; export FOO=\"it's\"")
	if got := b.output("pwd; echo $FOO"); got != "/usr\nit's" {
		t.Errorf("%q", got)
	}
}

func TestSchemaIsValid(t *testing.T) {
	if !json.Valid([]byte(parameters)) {
		t.Fatal("parameters are not JSON")
	}
	if err := tool.Validate(json.RawMessage(`{"command":"x","timeout":0}`), json.RawMessage(parameters)); err == nil {
		t.Error("a timeout of 0 passes")
	}
}

func TestOutputIsRedactedByCommand(t *testing.T) {
	b := newBench(t, func(d *Deps) {
		d.Redact = func(output, command string) string {
			return command + " said " + strings.ReplaceAll(output, "topsecret", "***")
		}
	})
	has(t, b.run("echo topsecret"), `"output": "echo topsecret said ***`)
}
