package terminal

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"time"

	"hermes/agent/proc"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Limits of contract/core §2.5.
const (
	defaultTimeout = 180 * time.Second
	maxTimeout     = 600 * time.Second
	defaultChars   = 50_000
)

const description = `Runs a command in the session's shell (bash) and returns its output and exit code. The working folder, exported variables and functions stay for the next call; each call has no terminal and no input, so a command that asks a question reads end of file.
Use it for builds, tests, git, package managers and everything else that is a program. To read, search or change files use read_file, search_files, patch and write_file.
A command that does not end by itself (a server, a watcher) belongs in the background: background=true, then look with the process tool. Set notify_on_complete=true for long work that ends (a build, a test run): you are told when it does. Do not write nohup, setsid, disown or a trailing &.`

const parameters = `{"type":"object","properties":{` +
	`"command":{"type":"string","description":"shell command, one line or a script"},` +
	`"background":{"type":"boolean","default":false,"description":"start it and return at once with a session_id for the process tool"},` +
	`"timeout":{"type":"integer","minimum":1,"description":"seconds after which a foreground command is ended; default 180, at most 600"},` +
	`"workdir":{"type":"string","description":"folder to run it in: absolute, with ~, or relative to the shell's folder; the shell stays there"},` +
	`"pty":{"type":"boolean","default":false,"description":"run it on a terminal of 120 columns, for programs that insist on one"},` +
	`"notify_on_complete":{"type":"boolean","default":false,"description":"background only: tell when it has ended"},` +
	`"watch_patterns":{"type":"array","items":{"type":"string"},"description":"background only: tell when a line contains one of these texts; at most one note in 15 seconds"}` +
	`},"required":["command"]}`

// Deps is what the tool needs of the program. Processes is required.
type Deps struct {
	Processes *proc.Manager
	// Environ is the environment as the program has it; secrets of its
	// services are taken out of it here. nil means none.
	Environ func() []string
	// Pass names variables that commands get although they hold such secrets
	// (terminal.env_passthrough).
	Pass []string
	Dir  string // folder of new sessions, absolute
	// Shell is the program to use; empty means bash, else sh, on the PATH.
	Shell string
	// InitFiles are read by the login shell whose state sessions begin with
	// (terminal.shell_init_files); Bashrc adds ~/.bashrc
	// (terminal.auto_source_bashrc).
	InitFiles []string
	Bashrc    bool
	// Timeout is terminal.timeout, MaxTimeout the most that a call may ask for
	// (TERMINAL_MAX_FOREGROUND_TIMEOUT); 0 means 180 and 600 seconds.
	Timeout, MaxTimeout time.Duration
	// MaxChars is tool_output.max_bytes; 0 means 50,000.
	MaxChars int
	// Approve decides whether a command may run. nil lets every command run.
	Approve func(ctx context.Context, r Request) Decision
	// Redact takes secrets out of what a command printed; a listing of the
	// environment needs more than other output. nil leaves everything in.
	Redact func(output, command string) string
	// Password returns the password for sudo, "" when there is none; it may
	// ask the user. It is called when sudo wants one, and the answer is kept in
	// memory until sudo refuses it. nil means none.
	Password func(ctx context.Context, c tool.Call) string
	Log      *slog.Logger
}

// Request is a command about to run.
type Request struct {
	Command string
	Dir     string
	Call    tool.Call // session, ids, and Ask
}

// Decision is the answer to a Request.
type Decision struct {
	Run bool
	// Message tells the model why the command does not run; Status is
	// "blocked" or the like. With Run set, Note goes along with the result.
	Message, Status, Note string
}

// Terminal is the tool. It must be closed.
type Terminal struct {
	d      Deps
	shells *shells
	sudo   sudo
	root   bool // sudo asks root nothing
}

// New makes the tool.
func New(d Deps) *Terminal {
	if d.Timeout <= 0 {
		d.Timeout = defaultTimeout
	}
	if d.MaxTimeout <= 0 {
		d.MaxTimeout = maxTimeout
	}
	if d.MaxChars <= 0 {
		d.MaxChars = defaultChars
	}
	if d.Environ == nil {
		d.Environ = func() []string { return nil }
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Terminal{d: d, shells: newShells(&d), root: os.Geteuid() == 0}
}

// Warm reads the user's start files ahead of the first command, so that it need
// not wait for them. Further calls do nothing.
func (t *Terminal) Warm(ctx context.Context) {
	if t.shells.path != "" {
		t.shells.logInOnce(ctx)
	}
}

// Adopt gives the shell of one session to another that takes its place.
func (t *Terminal) Adopt(from, to string) { t.shells.rename(from, to) }

// Forget drops the shell of a session that is over.
func (t *Terminal) Forget(session string) { t.shells.rename(session, "") }

// Close removes what the shells keep on disk. Processes end with the manager.
func (t *Terminal) Close() { t.shells.close() }

// Spec describes the tool. Its time limit is its own: it ends with a result
// that holds the output so far.
func (t *Terminal) Spec() tool.Spec {
	return tool.Spec{
		Name: "terminal", Toolset: "terminal", Description: description, Emoji: "💻",
		Parameters: json.RawMessage(parameters), Timeout: -1,
	}
}

// Available says whether there is a shell.
func (t *Terminal) Available(context.Context) (bool, string) {
	if t.shells.path == "" {
		return false, "no bash or sh found on the PATH"
	}
	return true, ""
}

type arguments struct {
	Command    string   `json:"command"`
	Background bool     `json:"background"`
	Timeout    *float64 `json:"timeout"`
	Workdir    string   `json:"workdir"`
	PTY        bool     `json:"pty"`
	Notify     bool     `json:"notify_on_complete"`
	Watch      []string `json:"watch_patterns"`
}

// answer is what the model gets; the keys are the contract's.
type answer struct {
	Output   string  `json:"output"`
	ExitCode int     `json:"exit_code"`
	Error    *string `json:"error"`
	Meaning  string  `json:"exit_code_meaning,omitempty"`
	Approval string  `json:"approval,omitempty"`
	Status   string  `json:"status,omitempty"`
}

func refused(status, format string, args ...any) tool.Result {
	msg := fmt.Sprintf(format, args...)
	return result.JSON(answer{ExitCode: -1, Error: &msg, Status: status})
}

// Run carries a command out.
func (t *Terminal) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a arguments
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return refused("error", "Invalid arguments for terminal: %v", err), nil
	}
	timeout := t.d.Timeout
	if a.Timeout != nil && *a.Timeout > 0 {
		timeout = time.Duration(*a.Timeout * float64(time.Second))
	}
	if !a.Background {
		if timeout > t.d.MaxTimeout && a.Timeout != nil {
			return result.Error("Foreground timeout %ds exceeds the maximum of %ds. Use background=true with notify_on_complete=true for long-running commands.",
				int(timeout.Seconds()), int(t.d.MaxTimeout.Seconds())), nil
		}
		if why := backgroundOnly(a.Command); why != "" {
			return refused("error", "%s", why), nil
		}
	}
	sh, err := t.shells.get(c.Session)
	if err != nil {
		return refused("error", "The shell cannot be started: %v", err), nil
	}
	dir, err := sh.resolve(a.Workdir)
	if err != nil {
		return result.JSON(answer{Output: err.Error(), ExitCode: 126}), nil
	}
	note := ""
	if t.d.Approve != nil {
		v := t.d.Approve(ctx, Request{Command: a.Command, Dir: dir, Call: c})
		if !v.Run {
			return refused(v.Status, "%s", v.Message), nil
		}
		note = v.Note
	}
	run := &run{t: t, sh: sh, c: c, a: a, dir: dir, timeout: timeout, note: note}
	if a.Background {
		return run.background(ctx), nil
	}
	return run.foreground(ctx), nil
}

// Dir is the folder that a session's shell is in.
func (t *Terminal) Dir(session string) string {
	t.shells.mu.Lock()
	sh := t.shells.byID[session]
	t.shells.mu.Unlock()
	if sh == nil {
		return t.d.Dir
	}
	return sh.folder()
}
