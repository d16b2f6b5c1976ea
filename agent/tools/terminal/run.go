package terminal

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"hermes/agent/proc"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Limits of a command's end. An interrupt must be over within 300 ms.
const (
	interruptGrace = 100 * time.Millisecond
	timeoutGrace   = time.Second
	progressEvery  = 100 * time.Millisecond
	progressChars  = 200
)

// run is one call.
type run struct {
	t       *Terminal
	sh      *shell
	c       tool.Call
	a       arguments
	dir     string
	timeout time.Duration
	note    string
}

func (r *run) env() []string {
	env := r.t.shells.environ(r.dir)
	if r.a.PTY {
		env = ttyEnv(env, !r.a.Background)
	}
	return env
}

// spec makes the process of a call. done removes what it needed on disk.
func (r *run) spec(ctx context.Context, keep *save) (s proc.Spec, done func(), err error) {
	all := r.t.shells
	state := r.sh.begin(ctx)
	ask := r.prepare(ctx)
	args, file, err := all.arguments(all.script(r.a.Command, ask.prefix, state, r.dir, keep))
	if err == nil {
		s = proc.Spec{Path: all.path, Args: args, Env: append(r.env(), ask.env...), Dir: r.dir, TTY: r.a.PTY}
	}
	return s, func() {
		if file != "" {
			_ = os.Remove(file)
		}
		if ask.stop != nil {
			ask.stop()
		}
	}, err
}

// ttyEnv names a terminal that programs know; where nobody can press a key,
// nothing may wait in a pager.
func ttyEnv(env []string, noKeys bool) []string {
	term := "xterm-256color"
	out := make([]string, 0, len(env)+3)
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "TERM="); ok {
			if v != "" && v != "dumb" {
				term = v
			}
			continue
		}
		out = append(out, e)
	}
	out = append(out, "TERM="+term)
	if noKeys {
		out = append(out, "PAGER=cat", "GIT_PAGER=cat")
	}
	return out
}

// foreground runs the command and waits for it.
func (r *run) foreground(ctx context.Context) tool.Result {
	keep, err := r.t.shells.newSave()
	if err != nil {
		return refused("error", "The command cannot be run: %v", err)
	}
	spec, done, err := r.spec(ctx, &keep)
	defer done()
	if err != nil {
		return refused("error", "The command cannot be run: %v", err)
	}
	out := newOutput(r.t.d.MaxChars, r.a.PTY)
	spec.Out = out.take
	child, err := r.t.d.Processes.Start(spec)
	if err != nil {
		return refused("error", "The command cannot be run: %v", err)
	}
	ended := r.await(ctx, child, out)
	r.sh.adopt(keep)
	text := out.text()
	r.t.refuted(text)
	if r.t.d.Redact != nil {
		text = r.t.d.Redact(text, r.a.Command)
	}
	a := answer{Output: text, ExitCode: child.Exit().Code, Approval: r.note}
	switch ended {
	case interrupted:
		a.Output, a.ExitCode = ending(a.Output, "[Command interrupted]"), 130
	case timedOut:
		a.Output = ending(a.Output, fmt.Sprintf("[Command timed out after %ds]", int(r.timeout.Seconds())))
		a.ExitCode = 124
	default:
		a.Output = strings.TrimRight(a.Output, " \t\r\n")
		a.Meaning = meaning(r.a.Command, a.ExitCode)
	}
	return result.JSON(a)
}

// ending puts a mark behind the output as the reference does.
func ending(output, mark string) string {
	if output == "" {
		return mark
	}
	return output + "\n" + mark
}

// how a command ended.
type end uint8

const (
	byItself end = iota
	interrupted
	timedOut
)

// await waits for the command's end, or brings it about, and shows its latest
// line meanwhile.
func (r *run) await(ctx context.Context, child *proc.Child, out *output) end {
	limit := time.NewTimer(r.timeout)
	defer limit.Stop()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	shown := ""
	for {
		select {
		case <-child.Done():
			return byItself
		case <-ctx.Done():
			child.Kill(interruptGrace)
			return interrupted
		case <-limit.C:
			child.Kill(timeoutGrace)
			return timedOut
		case <-tick.C:
			if line := out.lastLine(); r.c.Progress != nil && line != shown {
				shown = line
				r.c.Progress(line)
			}
		}
	}
}

// started is the answer for a background command; the keys are the contract's.
type started struct {
	Output   string   `json:"output"`
	ID       string   `json:"session_id"`
	Pid      int      `json:"pid"`
	ExitCode int      `json:"exit_code"`
	Error    *string  `json:"error"`
	Hint     string   `json:"hint,omitempty"`
	Notify   bool     `json:"notify_on_complete,omitempty"`
	Watch    []string `json:"watch_patterns,omitempty"`
	Ignored  string   `json:"watch_patterns_ignored,omitempty"`
	Approval string   `json:"approval,omitempty"`
}

const (
	silentHint   = "You will not be told when it ends. For work that ends (a build, a test run) start it with notify_on_complete=true, or look with process(action='poll') or process(action='wait')."
	watchIgnored = "watch_patterns ignored because notify_on_complete=True; these two flags produce duplicate notifications when combined"
)

// background starts the command and returns. What it needs on disk stays until
// it ends.
func (r *run) background(ctx context.Context) tool.Result {
	spec, done, err := r.spec(ctx, nil)
	if err != nil {
		done()
		return refused("error", "The command cannot be run: %v", err)
	}
	p, err := r.t.d.Processes.Launch(spec, proc.Job{
		Session: r.c.Session, Command: r.a.Command, Dir: r.dir, Notify: r.a.Notify, Watch: r.a.Watch, Ended: done,
	})
	if err != nil {
		done()
		return refused("error", "The command cannot be run: %v", err)
	}
	s := started{Output: "Background process started", ID: p.ID, Pid: p.Info().Pid, Approval: r.note}
	switch {
	case r.a.Notify:
		s.Notify = true
		if len(r.a.Watch) > 0 {
			s.Ignored = watchIgnored
		}
	case len(r.a.Watch) > 0:
		s.Watch = r.a.Watch
	default:
		s.Hint = silentHint
	}
	return result.JSON(s)
}
