package plugins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
	"hermes/plugins/host"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/internal/rpc"
)

// pluginTool is a tool that a plugin registered.
type pluginTool struct {
	m     *Manager
	r     *record
	spec  tool.Spec
	check uint64 // identity of check_fn in the host, 0 for none
	nth   int    // which of the plugin's registrations of that name
	note  string // advice for the row
}

func newPluginTool(r *record, t bridge.Tool) *pluginTool {
	s := r.m.currentSettings()
	limit := s.toolLimit(r.key, t.Name)
	if limit == 0 {
		limit = -1 // tool.Spec: none
	}
	return &pluginTool{
		m: r.m, r: r, check: t.Check, nth: t.Nth,
		spec: tool.Spec{
			Name: t.Name, Toolset: t.Toolset, Description: t.Description,
			Parameters: notNull(t.Parameters), Schema: notNull(t.Schema),
			Owner: r.key, Emoji: t.Emoji, RequiresEnv: t.RequiresEnv,
			Async: t.Async, HasCheck: t.Check != 0, Strict: t.Strict, Timeout: limit,
		},
	}
}

func notNull(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

func (t *pluginTool) info() event.ToolInfo {
	s := t.spec
	return event.ToolInfo{
		Name: s.Name, Toolset: s.Toolset, Description: s.Description, Owner: s.Owner, Emoji: s.Emoji,
		Schema: s.Schema, RequiresEnv: s.RequiresEnv, Async: s.Async, HasCheck: s.HasCheck,
	}
}

// Spec describes the tool.
func (t *pluginTool) Spec() tool.Spec { return t.spec }

// Run calls the handler. What it does wrong is in the result; an error means
// that it could not be called, or did not come back.
func (t *pluginTool) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var id uint64
	var res bridge.ToolResult
	proc, err := t.m.call(ctx, t.r, c, rpc.Call{
		Method: bridge.MethodTool, Lane: bridge.LaneTurn(c.Session),
		Params: bridge.ToolCall{Plugin: t.r.key, Name: t.spec.Name, Nth: t.nth, Args: c.Args, Task: c.Task, Session: c.Session},
		Sent:   func(n uint64) { id = n },
	}, &res)
	if err != nil {
		if proc != nil && ctx.Err() != nil {
			t.m.giveUp(proc, t.r, id, "tool "+t.spec.Name, errors.Is(ctx.Err(), context.DeadlineExceeded))
		}
		return tool.Result{}, err
	}
	if res.Missing {
		return tool.Result{}, fmt.Errorf("plugin %s has no tool %s any more", t.r.key, t.spec.Name)
	}
	return t.result(proc, res)
}

func (t *pluginTool) result(proc *host.Process, res bridge.ToolResult) (tool.Result, error) {
	content, err := proc.Fetch(res.Content, res.File)
	if err != nil {
		return tool.Result{}, fmt.Errorf("read result of %s: %w", t.spec.Name, err)
	}
	out := tool.Result{Content: content, Args: notNull(res.Args)}
	var faults []string
	out.Parts, faults = contentParts(res.Parts)
	for _, fault := range faults {
		t.m.log.Warn(fmt.Sprintf("Tool %s returned a part that cannot be sent: %s", t.spec.Name, fault), "plugin", t.r.key)
	}
	switch {
	case res.Error != nil:
		e := t.m.failure(res.Error)
		out.Err = &tool.Failure{Type: e.Type, Message: e.Message, File: e.File, Line: e.Line, Traceback: e.Traceback}
		t.m.log.Error(fmt.Sprintf("Tool %s dispatch error: %s", t.spec.Name, e.Message),
			"logger", "tools.registry", "plugin", t.r.key, "exc", e.Traceback)
		t.r.noteError(e)
	case res.Contract != "":
		t.contractBroken(res, &out)
	case res.Cut > 0:
		t.m.log.Warn(fmt.Sprintf("Result of tool %s had %d characters and was cut", t.spec.Name, res.Cut), "plugin", t.r.key)
		out.Content += fmt.Sprintf("\n\n[Truncated: the result was %d chars.]", res.Cut)
	}
	return out, nil
}

// contractBroken fills in the failure of a handler that returned no text.
func (t *pluginTool) contractBroken(res bridge.ToolResult, out *tool.Result) {
	what := res.Contract + " " + t.m.redact(res.Value)
	if res.Contract == "NoneType" {
		what = "None"
	}
	text := t.m.text(locale.HintContract, what)
	if res.Contract == "coroutine" {
		text = t.m.text(locale.HintContractAsync)
	}
	out.Err = &tool.Failure{Message: text} // the sentence says it all (D33)
	t.m.log.Error(fmt.Sprintf("Tool %s handler returned unsupported result type: %s", t.spec.Name, res.Contract),
		"logger", "tools.registry", "plugin", t.r.key)
	t.r.noteError(&event.PluginError{Type: "tool_result_contract", Message: text, Where: "tool " + t.spec.Name})
}

// failure is f as the rest of the program may show it: without secrets.
func (m *Manager) failure(f *bridge.Failure) *event.PluginError {
	e := f.Event()
	if e != nil {
		e.Message, e.Source, e.Traceback = m.redact(e.Message), m.redact(e.Source), m.redact(e.Traceback)
	}
	return e
}

// noteError keeps the last error for the row, without touching the state.
func (r *record) noteError(e *event.PluginError) {
	r.set(func(p *event.Plugin) { p.Error = e })
}
