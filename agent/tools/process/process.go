// Package process is the tool that looks after commands in the background:
// their state and output, their input, their end. The terminal tool starts
// them; a proc.Manager owns them.
package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/proc"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Limits of contract/core §2.5.
const (
	defaultWait    = 180 * time.Second
	defaultLines   = 200
	commandChars   = 200
	listChars      = 200
	pollChars      = 1000
	waitChars      = 2000
	unfinishedWait = 1000 // characters of output when the wait was not enough
	killGrace      = 2 * time.Second
)

// killedBy says in lists and notes that the model ended a process.
const killedBy = "process.kill"

const description = `Looks after commands that terminal(background=true) started in this session. Actions: list (all of them), poll (state and latest output), log (output by lines: the last 200, or offset and limit), wait (until it ends, or timeout seconds), kill (it and all that it started), write (data to its input as it is), submit (data and Enter, to answer a question), close (end of its input).
All actions but list need the session_id.`

const parameters = `{"type":"object","properties":{` +
	`"action":{"type":"string","enum":["list","poll","log","wait","kill","write","submit","close"]},` +
	`"session_id":{"type":"string","description":"proc_… as terminal returned it"},` +
	`"data":{"type":"string","description":"for write and submit"},` +
	`"timeout":{"type":"integer","minimum":1,"description":"for wait: seconds; bounded by the terminal's timeout"},` +
	`"offset":{"type":"integer","description":"for log: first line, from 0"},` +
	`"limit":{"type":"integer","minimum":1,"description":"for log: how many lines"}` +
	`},"required":["action"]}`

// Deps is what the tool needs of the program. Processes is required.
type Deps struct {
	Processes *proc.Manager
	// MaxWait is terminal.timeout; 0 means 180 seconds.
	MaxWait time.Duration
	// Approve decides whether data may be sent to a process: what a shell reads
	// is a command, too. nil lets everything pass.
	Approve func(ctx context.Context, c tool.Call, data string) (run bool, message string)
}

// Register adds the tool to reg.
func Register(reg *tool.Registry, d Deps) error {
	if d.MaxWait <= 0 {
		d.MaxWait = defaultWait
	}
	if _, err := reg.Add(&process{d}, false); err != nil {
		return fmt.Errorf("register process: %w", err)
	}
	return nil
}

type process struct{ d Deps }

// Spec describes the tool. wait has a limit of its own.
func (*process) Spec() tool.Spec {
	return tool.Spec{
		Name: "process", Toolset: "terminal", Description: description, Emoji: "⚙️",
		Parameters: json.RawMessage(parameters), Timeout: -1,
	}
}

// Available: where the terminal is, this is.
func (*process) Available(context.Context) (bool, string) { return true, "" }

type arguments struct {
	Action  string   `json:"action"`
	ID      string   `json:"session_id"`
	Data    string   `json:"data"`
	Timeout *float64 `json:"timeout"`
	Offset  *int     `json:"offset"`
	Limit   *int     `json:"limit"`
}

// Run carries an action out.
func (t *process) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a arguments
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return result.Error("Invalid arguments for process: %v", err), nil
	}
	do := map[string]func(context.Context, *proc.Process, arguments) tool.Result{
		"poll": poll, "log": log, "wait": t.wait, "kill": kill, "write": write, "submit": write, "close": closeInput,
	}[a.Action]
	switch {
	case a.Action == "list":
		return t.list(c.Session), nil
	case do == nil:
		return result.Error("Unknown process action: %s. Use: list, poll, log, wait, kill, write, submit, close", a.Action), nil
	case a.ID == "":
		return result.Error("session_id is required for %s", a.Action), nil
	}
	p, ok := t.d.Processes.Get(a.ID)
	if !ok {
		return status("not_found", "No process with ID %s", a.ID), nil
	}
	if t.d.Approve != nil && a.Data != "" && (a.Action == "write" || a.Action == "submit") && p.Info().Running {
		if run, message := t.d.Approve(ctx, c, a.Data); !run {
			return status("blocked", "%s", message), nil
		}
	}
	return do(ctx, p, a), nil
}

func status(s, format string, args ...any) tool.Result {
	return result.JSON(struct {
		Status string `json:"status"`
		Error  string `json:"error"`
	}{s, fmt.Sprintf(format, args...)})
}

// row is a process in the list; the keys are the contract's.
type row struct {
	ID       string   `json:"session_id"`
	Command  string   `json:"command"`
	Dir      string   `json:"cwd"`
	Pid      int      `json:"pid"`
	Started  string   `json:"started_at"`
	Uptime   int      `json:"uptime_seconds"`
	Status   string   `json:"status"`
	Output   string   `json:"output_preview"`
	Notify   bool     `json:"notify_on_complete,omitempty"`
	Watch    []string `json:"watch_patterns,omitempty"`
	ExitCode *int     `json:"exit_code,omitempty"`
}

func (t *process) list(session string) tool.Result {
	rows := []row{}
	for _, p := range t.d.Processes.List(session) {
		i := p.Info()
		r := row{
			ID: p.ID, Command: first(p.Command, commandChars), Dir: p.Dir, Pid: i.Pid,
			Started: p.Started.Format("2006-01-02T15:04:05"), Uptime: int(i.Uptime.Seconds()),
			Status: running(i), Output: p.Output(listChars), Notify: i.Notify,
		}
		if !p.Notify {
			r.Watch = p.Watch
		}
		if !i.Running {
			r.ExitCode = &i.Code
		}
		rows = append(rows, r)
	}
	return result.JSON(struct {
		Processes []row `json:"processes"`
	}{rows})
}

func running(i proc.Info) string {
	if i.Running {
		return "running"
	}
	return "exited"
}

// end is how a process ended, as part of an answer.
type end struct {
	ExitCode *int    `json:"exit_code,omitempty"`
	Reason   string  `json:"completion_reason,omitempty"`
	By       *string `json:"termination_source,omitempty"`
}

func endOf(i proc.Info) end {
	if i.Running {
		return end{}
	}
	return end{&i.Code, i.Reason, &i.By}
}

func poll(_ context.Context, p *proc.Process, _ arguments) tool.Result {
	i := p.Info()
	return result.JSON(struct {
		ID      string `json:"session_id"`
		Command string `json:"command"`
		Status  string `json:"status"`
		Pid     int    `json:"pid"`
		Uptime  int    `json:"uptime_seconds"`
		Output  string `json:"output_preview"`
		end
	}{p.ID, p.Command, running(i), i.Pid, int(i.Uptime.Seconds()), p.Output(pollChars), endOf(i)})
}

func log(_ context.Context, p *proc.Process, a arguments) tool.Result {
	lines := p.Lines()
	limit := defaultLines
	if a.Limit != nil && *a.Limit > 0 {
		limit = *a.Limit
	}
	from := max(0, len(lines)-limit)
	if a.Offset != nil && *a.Offset > 0 {
		from = min(*a.Offset, len(lines))
	}
	shown := lines[from:min(len(lines), from+limit)]
	return result.JSON(struct {
		ID      string `json:"session_id"`
		Command string `json:"command"`
		Status  string `json:"status"`
		Output  string `json:"output"`
		Total   int    `json:"total_lines"`
		Showing string `json:"showing"`
	}{p.ID, p.Command, running(p.Info()), strings.Join(shown, "\n"), len(lines), fmt.Sprintf("%d lines", len(shown))})
}

func (t *process) wait(ctx context.Context, p *proc.Process, a arguments) tool.Result {
	d, note := t.d.MaxWait, ""
	if a.Timeout != nil && *a.Timeout > 0 {
		d = time.Duration(*a.Timeout * float64(time.Second))
	}
	if d > t.d.MaxWait {
		note = fmt.Sprintf("Requested wait of %ds was clamped to configured limit of %ds", int(d.Seconds()), int(t.d.MaxWait.Seconds()))
		d = t.d.MaxWait
	}
	over := p.Wait(ctx, d)
	w := struct {
		Status  string `json:"status"`
		Command string `json:"command"`
		end
		Output string `json:"output"`
		Note   string `json:"timeout_note,omitempty"`
	}{Status: "exited", Command: p.Command, Output: p.Output(waitChars), Note: note}
	switch {
	case over:
		w.end = endOf(p.Info())
	case ctx.Err() != nil:
		w.Status, w.Output, w.Note = "interrupted", p.Output(unfinishedWait), "The user interrupted the wait; the process still runs"
	default:
		w.Status, w.Output = "timeout", p.Output(unfinishedWait)
		if note == "" {
			w.Note = fmt.Sprintf("Waited %ds, process still running", int(d.Seconds()))
		}
	}
	return result.JSON(w)
}

func kill(_ context.Context, p *proc.Process, _ arguments) tool.Result {
	if !p.Kill(killedBy, killGrace) {
		i := p.Info()
		return result.JSON(struct {
			Status  string `json:"status"`
			Command string `json:"command"`
			end
			Output string `json:"output"`
		}{"already_exited", p.Command, endOf(i), p.Output(waitChars)})
	}
	return result.JSON(struct {
		Status string `json:"status"`
		ID     string `json:"session_id"`
		Reason string `json:"completion_reason"`
		By     string `json:"termination_source"`
		Output string `json:"output"`
	}{"killed", p.ID, proc.ReasonKilled, killedBy, p.Output(waitChars)})
}

// alreadyOver answers actions on the input of a process that has ended.
func alreadyOver(p *proc.Process) (tool.Result, bool) {
	if p.Info().Running {
		return tool.Result{}, false
	}
	return status("already_exited", "Process has already finished"), true
}

func write(_ context.Context, p *proc.Process, a arguments) tool.Result {
	if r, over := alreadyOver(p); over {
		return r
	}
	data := a.Data
	if a.Action == "submit" {
		data += "\n"
	}
	n, err := p.Write(data)
	switch {
	case errors.Is(err, proc.ErrNoStdin):
		return status("error", "Process stdin not available (stdin closed)")
	case err != nil:
		return status("error", "%v (%d of %d bytes were written)", err, n, len(data))
	}
	return result.JSON(struct {
		Status string `json:"status"`
		Bytes  int    `json:"bytes_written"`
	}{"ok", n})
}

func closeInput(_ context.Context, p *proc.Process, _ arguments) tool.Result {
	if r, over := alreadyOver(p); over {
		return r
	}
	if !p.CloseInput() {
		return status("error", "Process stdin not available (stdin closed)")
	}
	message := "stdin closed"
	if p.TTY() {
		message = "EOF sent"
	}
	return result.JSON(struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}{"ok", message})
}

// first returns at most n characters of the beginning.
func first(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
