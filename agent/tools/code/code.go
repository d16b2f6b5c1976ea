// Package code is the tool that runs a Python script which can call some of
// the agent's tools. The script talks to the agent over two pipes that nobody
// else holds; its calls take the same way as the model's, approvals included.
// It is not a sandbox: the script is a program like any other.
package code

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hermes/agent/proc"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Limits of contract/core §2.5.
const (
	defaultTimeout = 300 * time.Second
	defaultCalls   = 50
	maxStdout      = 50_000
	maxStderr      = 10_000
)

// callable are the tools that a script may call, as hermes_tools.py offers
// them.
var callable = [...]string{"patch", "read_file", "search_files", "terminal", "web_extract", "web_search", "write_file"}

const description = `Runs a Python script that can call tools itself: from hermes_tools import read_file, write_file, search_files, patch, terminal (and web_search, web_extract where there is a web backend), each with the arguments of the tool of that name, returning its answer as a dict. Also there: json_parse(text), shell_quote(text), retry(fn, max_attempts=3, delay=2).
Use it for three calls or more with logic between them: loops, filtering a large result before you see it, many files. For a single call use the tool itself. Print what you want to know; only that comes back. Limits: 300 seconds, 50 tool calls, 50 KB of output. The script starts in the session's working folder with Python's standard library.`

const parameters = `{"type":"object","properties":{"code":{"type":"string","description":"the script"}},"required":["code"]}`

// Deps is what the tool needs of the program. Processes, Python and Call are
// required.
type Deps struct {
	Processes *proc.Manager
	// Python returns the interpreter for scripts, with its own arguments. It
	// must answer at once.
	Python func() ([]string, error)
	// Call runs a tool through the whole pipeline on behalf of the script and
	// returns its result as the model would get it. from is the call of
	// execute_code itself.
	Call func(ctx context.Context, from tool.Call, name string, args json.RawMessage) string
	// Environ is the environment as the program has it; what looks secret is
	// taken out of it here, but for the names in Pass.
	Environ func() []string
	Pass    []string
	// Dir is where a session's script starts.
	Dir func(session string) string
	// Approve decides whether a script may run, and says why not; nil lets
	// every script run.
	Approve func(ctx context.Context, c tool.Call, code string) (run bool, message string)
	// Timeout and MaxCalls are code_execution.timeout and .max_tool_calls; 0
	// means 300 seconds and 50.
	Timeout  time.Duration
	MaxCalls int
}

// Register adds the tool to reg.
func Register(reg *tool.Registry, d Deps) error {
	if d.Timeout <= 0 {
		d.Timeout = defaultTimeout
	}
	if d.MaxCalls <= 0 {
		d.MaxCalls = defaultCalls
	}
	if d.Environ == nil {
		d.Environ = func() []string { return nil }
	}
	if d.Dir == nil {
		d.Dir = func(string) string { return "" }
	}
	if _, err := reg.Add(&executor{d}, false); err != nil {
		return fmt.Errorf("register execute_code: %w", err)
	}
	return nil
}

type executor struct{ d Deps }

// Spec describes the tool. Its time limit is its own: it ends with a result
// that holds the output so far.
func (*executor) Spec() tool.Spec {
	return tool.Spec{
		Name: "execute_code", Toolset: "code_execution", Description: description, Emoji: "🐍",
		Parameters: json.RawMessage(parameters), HasCheck: true, Timeout: -1,
	}
}

// Available asks for an interpreter, and for the channel to it.
func (t *executor) Available(context.Context) (bool, string) {
	if !channels {
		return false, "not available on this system"
	}
	if _, err := t.d.Python(); err != nil {
		return false, err.Error()
	}
	return true, ""
}

// answer is what the model gets; the keys are the contract's.
type answer struct {
	Status    string  `json:"status"`
	Output    string  `json:"output"`
	ExitCode  int     `json:"exit_code"`
	Calls     int     `json:"tool_calls_made"`
	Seconds   float64 `json:"duration_seconds"`
	Truncated bool    `json:"stdout_truncated"`
	Captured  int64   `json:"stdout_bytes_captured"`
	Total     int64   `json:"stdout_bytes_total"`
	Omitted   int64   `json:"stdout_bytes_omitted"`
	Warning   string  `json:"warning,omitempty"`
	Error     string  `json:"error,omitempty"`
}

// Run runs a script.
func (t *executor) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a struct {
		Code string `json:"code"`
	}
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return result.Error("Invalid arguments for execute_code: %v", err), nil
	}
	if strings.TrimSpace(a.Code) == "" {
		return result.Error("No code provided."), nil
	}
	if !channels {
		return result.Error("execute_code is not available on this system."), nil
	}
	python, err := t.d.Python()
	if err != nil {
		return result.Error("execute_code needs a Python interpreter: %v", err), nil
	}
	if t.d.Approve != nil {
		if run, message := t.d.Approve(ctx, c, a.Code); !run {
			return result.JSON(struct {
				Status string `json:"status"`
				Error  string `json:"error"`
			}{"blocked", message}), nil
		}
	}
	s := &script{t: t, call: c, code: a.Code}
	out, err := s.run(ctx, python)
	if err != nil {
		return result.Error("The script cannot be run: %v", err), nil
	}
	return result.JSON(out), nil
}

func mayCall(name string) bool { return slices.Contains(callable[:], name) }
