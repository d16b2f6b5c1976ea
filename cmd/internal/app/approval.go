package app

import (
	"context"
	"os"
	"slices"

	"hermes/agent/approval"
	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/agent/tool"
	"hermes/agent/tools/terminal"
)

// newGate makes the gate that commands pass.
func (rt *Runtime) newGate() *approval.Gate {
	return approval.New(approval.Options{
		Settings: rt.approvalSettings, Classify: rt.classify, Redact: rt.redactText, Hooks: currentHooks{rt},
		Save: func(entry string) error { return config.AllowCommand(rt.opt.Home, entry) },
		Warn: func(text string) { rt.notice(event.LevelWarn, "approval", text) },
	})
}

// currentHooks fires the hooks of whatever plugins are loaded at the time.
type currentHooks struct{ rt *Runtime }

func (h currentHooks) Has(name string) bool { return h.rt.hooks().Has(name) }

func (h currentHooks) Invoke(ctx context.Context, name string, payload any) (hook.Outcome, error) {
	return h.rt.hooks().Invoke(ctx, name, payload)
}

func (rt *Runtime) approvalSettings() approval.Settings {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then nothing is below it
	}
	cfg := rt.cfg.Load()
	if cfg == nil {
		return approval.Settings{Mode: approval.Manual, Home: home, Hermes: rt.opt.Home.Dir(), Lang: rt.Lang()}
	}
	s := approval.FromConfig(cfg, home, rt.opt.Home.Dir(), rt.Lang())
	s.Yolo = rt.opt.Yolo || config.Truthy(cfg.Getenv("HERMES_YOLO_MODE"))
	return s
}

// redactOutput takes secrets out of what a command printed, unless
// security.redact_secrets is off.
func (rt *Runtime) redactOutput(output, command string) string {
	if cfg := rt.cfg.Load(); cfg != nil && !cfg.Bool("security", "redact_secrets") {
		return output
	}
	return rt.redact.Load().RedactOutput(output, command)
}

// redactFile does so for a file's text, which the model may write back.
func (rt *Runtime) redactFile(text string) string {
	if cfg := rt.cfg.Load(); cfg != nil && !cfg.Bool("security", "redact_secrets") {
		return text
	}
	return rt.redact.Load().RedactFile(text)
}

// cmdYolo switches the questions of this session off and on. Only the user can
// type it.
func (rt *Runtime) cmdYolo(context.Context, string) (commandOutput, error) {
	lang, session := rt.Lang(), rt.agent.Session()
	if s := rt.approvalSettings(); s.Yolo || s.Mode == approval.Off {
		return commandOutput{text: locale.YoloAll.In(lang)}, nil
	}
	on := !rt.gate.Yolo(session)
	rt.gate.SetYolo(session, on)
	if on {
		return commandOutput{text: locale.YoloOn.In(lang)}, nil
	}
	return commandOutput{text: locale.YoloOff.In(lang)}, nil
}

// allowedForGood reports whether the user allowed a rule for good: it stands in
// command_allowlist, or does so since the program started.
func (rt *Runtime) allowedForGood(rule string) bool {
	return rt.gate.Allowed("", rule) || slices.Contains(rt.approvalSettings().Allow, rule)
}

// approveCommand decides whether a command may run.
func (rt *Runtime) approveCommand(ctx context.Context, r terminal.Request) terminal.Decision {
	v := rt.gate.Check(ctx, request(r.Call, r.Command, r.Dir), r.Call.Ask)
	return terminal.Decision{Run: v.Allow, Message: v.Message, Status: v.Status, Note: v.Note}
}

// approveData decides whether something may be sent to a process: what a shell
// reads is a command, too.
func (rt *Runtime) approveData(ctx context.Context, c tool.Call, data string) (run bool, message string) {
	v := rt.gate.Check(ctx, request(c, data, rt.opt.Dir), c.Ask)
	return v.Allow, v.Message
}

func request(c tool.Call, command, dir string) approval.Request {
	return approval.Request{Command: command, Dir: dir, Session: c.Session, Turn: c.Turn, Call: c.ID, Tool: c.Name}
}
