package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"hermes/agent/approval"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/proc"
	"hermes/agent/tool"
	"hermes/agent/tools/clarify"
	"hermes/agent/tools/code"
	"hermes/agent/tools/process"
	"hermes/agent/tools/terminal"
)

// commands is the part of the program that runs commands: the processes and
// the shells of the sessions.
type commands struct {
	procs *proc.Manager
	term  atomic.Pointer[terminal.Terminal] // nil until the tools are registered
	warm  sync.Once
}

func (rt *Runtime) newProcesses() *proc.Manager {
	return proc.NewManager(proc.Options{
		Emit: func(e event.Event) { rt.bus.Emit(e) }, Redact: rt.redactText, Notify: rt.processNote,
	})
}

// processNote hands a note of a background process to the model of the session
// that started it, unless that session is over.
func (rt *Runtime) processNote(session, text string) {
	if session == rt.agent.Session() {
		rt.agent.Inject(rt.redactText(text), "process")
	}
}

// close ends the processes and what the shells keep.
func (c *commands) close() {
	c.procs.Close()
	if t := c.term.Load(); t != nil {
		t.Close()
	}
}

// warmShell reads the user's start files while the first turn waits for its
// model, so that the first command does not wait for them.
func (rt *Runtime) warmShell() {
	t := rt.commands.term.Load()
	if t == nil {
		return // the first command does it
	}
	rt.commands.warm.Do(func() {
		rt.wg.Go(func() { t.Warm(rt.ctx) })
		rt.wg.Go(approval.Warm)
	})
}

// shellDir is the folder that a session's shell is in: what the model writes
// without a folder is there.
func (rt *Runtime) shellDir(session string) string {
	if t := rt.commands.term.Load(); t != nil {
		return t.Dir(session)
	}
	return rt.opt.Dir
}

// sessionReset lets a session that takes the place of another keep its
// background processes in sight; its shell begins anew.
func (rt *Runtime) sessionReset(old, session string) {
	rt.commands.procs.Adopt(old, session)
	rt.gate.Forget(old)
	if t := rt.commands.term.Load(); t != nil {
		t.Forget(old)
	}
}

// registerCommands adds the tools that run commands and ask the user.
func (rt *Runtime) registerCommands(cfg *config.Config) error {
	timeout := cfg.Duration("terminal", "timeout")
	pass := cfg.Strings("terminal", "env_passthrough")
	term := terminal.New(terminal.Deps{
		Processes: rt.commands.procs, Environ: rt.environ, Pass: pass, Dir: rt.opt.Dir,
		InitFiles: cfg.Strings("terminal", "shell_init_files"), Bashrc: cfg.Bool("terminal", "auto_source_bashrc"),
		Timeout: timeout, MaxTimeout: seconds(cfg.Getenv("TERMINAL_MAX_FOREGROUND_TIMEOUT")),
		MaxChars: cfg.Int("tool_output", "max_bytes"),
		Approve:  rt.approveCommand, Redact: rt.redactOutput, Password: rt.sudoPassword, Log: rt.logger("terminal"),
	})
	rt.commands.term.Store(term)
	_, err := rt.tools.Add(term, false)
	return errors.Join(
		err,
		process.Register(rt.tools, process.Deps{Processes: rt.commands.procs, MaxWait: timeout, Approve: rt.approveData}),
		clarify.Register(rt.tools, clarify.Deps{Lang: rt.Lang, Timeout: cfg.Duration("clarify", "timeout")}),
		code.Register(rt.tools, code.Deps{
			Processes: rt.commands.procs, Python: rt.scriptPython, Call: rt.scriptCall,
			Environ: rt.environ, Pass: pass, Dir: term.Dir,
			Timeout: cfg.Duration("code_execution", "timeout"), MaxCalls: cfg.Int("code_execution", "max_tool_calls"),
		}),
	)
}

// seconds reads a variable that holds a number of seconds; 0 when it does not.
func seconds(s string) time.Duration {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(n) * time.Second
}

// scriptCall runs a tool for a script, the way that every call takes.
func (rt *Runtime) scriptCall(ctx context.Context, from tool.Call, name string, args json.RawMessage) string {
	return rt.agent.CallToolFor(ctx, from, name, args).Result
}

// scriptPython is the interpreter of the model's scripts: the project's own
// environment where one is active, the one that plugins are set to, the
// managed one, else the first on the PATH.
func (rt *Runtime) scriptPython() ([]string, error) {
	env := rt.environ()
	var tried []string
	if dir := lookup(env, "VIRTUAL_ENV"); dir != "" {
		tried = append(tried, venvPython(dir))
	}
	if cfg := rt.cfg.Load(); cfg != nil {
		if p := cfg.String("plugins", "python"); p != "" {
			tried = append(tried, p)
		}
	}
	tried = append(tried, venvPython(filepath.Join(rt.opt.Home.Dir(), "venv")), "python3", "python")
	for _, name := range tried {
		if p, err := exec.LookPath(name); err == nil {
			return []string{p}, nil
		}
	}
	return nil, errors.New("no Python was found; install Python 3.9 or later, or set plugins.python")
}

func venvPython(dir string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(dir, "Scripts", "python.exe")
	}
	return filepath.Join(dir, "bin", "python")
}

// sudoPassword is SUDO_PASSWORD, or what the user gives.
func (rt *Runtime) sudoPassword(ctx context.Context, c tool.Call) string {
	if p := lookup(rt.environ(), "SUDO_PASSWORD"); p != "" || c.Ask == nil {
		return p
	}
	lang := rt.Lang()
	a, ok := c.Ask(ctx, event.Ask{
		Kind: event.AskSecret, Title: locale.SudoTitle.In(lang), Text: locale.SudoText.In(lang), Call: c.ID,
		Choices: []event.Choice{
			{ID: "give", Label: locale.SudoGive.In(lang), Input: true},
			{ID: "skip", Label: locale.SudoSkip.In(lang)},
		},
		Default: 1,
	})
	if !ok || a.Choice != "give" {
		return ""
	}
	return a.Text
}

// cmdStop ends the background processes of the session.
func (rt *Runtime) cmdStop(context.Context, string) (commandOutput, error) {
	lang := rt.Lang()
	var running []string
	for _, p := range rt.commands.procs.List(rt.agent.Session()) {
		if p.Info().Running {
			running = append(running, fmt.Sprintf("%s  %s", p.ID, firstLine(rt.redactText(p.Command))))
		}
	}
	if len(running) == 0 {
		return commandOutput{text: locale.StopNothing.In(lang)}, nil
	}
	rt.commands.procs.EndSession(rt.agent.Session())
	return commandOutput{text: locale.StopDone.In(lang, len(running)) + "\n" + strings.Join(running, "\n"), pre: true}, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
