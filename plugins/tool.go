package plugins

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

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
	note  string // advice for the row
	seen  checkMemory
}

func newPluginTool(r *record, t bridge.Tool) *pluginTool {
	s := r.m.currentSettings()
	limit := s.toolLimit(r.key, t.Name)
	if limit == 0 {
		limit = -1 // tool.Spec: none
	}
	return &pluginTool{
		m: r.m, r: r, check: t.Check,
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
	proc, err := t.m.call(ctx, t.r, rpc.Call{
		Method: bridge.MethodTool, Lane: bridge.LaneTurn(c.Session),
		Params: bridge.ToolCall{Plugin: t.r.key, Name: t.spec.Name, Args: c.Args, Task: c.Task, Session: c.Session},
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
	out := tool.Result{Content: content}
	switch {
	case res.Error != nil:
		e := res.Error
		out.Err = &tool.Failure{Type: e.Type, Message: e.Message, File: e.File, Line: e.Line, Traceback: e.Traceback}
		t.m.log.Error(fmt.Sprintf("Tool %s dispatch error: %s", t.spec.Name, e.Message),
			"logger", "tools.registry", "plugin", t.r.key, "exc", e.Traceback)
		t.r.noteError(e.Event())
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
	text := "Tool handler returned unsupported result type: " + res.Contract
	hint := t.m.text(locale.HintContract, res.Contract+" "+res.Value)
	if res.Contract == "coroutine" {
		hint = t.m.text(locale.HintContractAsync)
	}
	out.Err = &tool.Failure{Type: "tool_result_contract", Message: text, Hint: hint}
	t.m.log.Error(fmt.Sprintf("Tool %s handler returned unsupported result type: %s", t.spec.Name, res.Contract),
		"logger", "tools.registry", "plugin", t.r.key)
	t.r.noteError(&event.PluginError{Type: "tool_result_contract", Message: text + " (" + hint + ")", Where: "tool " + t.spec.Name})
}

// noteError keeps the last error for the row, without touching the state.
func (r *record) noteError(e *event.PluginError) {
	r.set(func(p *event.Plugin) { p.Error = e })
}

// Check memory (contract: plugins §7.6).
const (
	checkFresh = 30 * time.Second
	checkGrace = 60 * time.Second
)

// checkMemory keeps the last answer of a check_fn.
type checkMemory struct {
	mu     sync.Mutex
	at     time.Time // of the last answer
	goodAt time.Time // of the last good one
	ok     bool
	why    string
}

// Available asks the tool's check_fn, at most every 30 seconds.
func (t *pluginTool) Available(ctx context.Context) (bool, string) {
	if t.check == 0 {
		return true, ""
	}
	t.seen.mu.Lock()
	defer t.seen.mu.Unlock()
	now := time.Now()
	if !t.seen.at.IsZero() && now.Sub(t.seen.at) < checkFresh {
		return t.seen.ok, t.seen.why
	}
	var res bridge.CheckResult
	_, err := t.m.call(ctx, t.r, rpc.Call{
		Method: bridge.MethodCheck, Lane: bridge.LaneCheck,
		Params: bridge.ToolCall{Plugin: t.r.key, Name: t.spec.Name},
	}, &res)
	if err != nil {
		return t.checkFailed(now, err.Error())
	}
	t.seen.at = now
	if res.OK {
		t.seen.goodAt, t.seen.ok, t.seen.why = now, true, ""
		return true, ""
	}
	how := "returned False"
	if res.Error != nil {
		how = "raised " + res.Error.Type + ": " + res.Error.Message
	}
	return t.checkFailed(now, "check_fn "+res.Check+" "+how)
}

// checkFailed applies the grace after a success; t.seen.mu is held.
func (t *pluginTool) checkFailed(now time.Time, why string) (bool, string) {
	t.seen.at = now
	if !t.seen.goodAt.IsZero() && now.Sub(t.seen.goodAt) < checkGrace {
		t.m.log.Warn(why+"; it succeeded a moment ago, so its tools stay", "logger", "tools.registry", "plugin", t.r.key)
		t.seen.ok, t.seen.why = true, ""
		return true, ""
	}
	t.m.log.Warn(why+"; dependent tools will be unavailable this turn", "logger", "tools.registry", "plugin", t.r.key)
	t.seen.ok, t.seen.why = false, why
	return false, why
}

// Times of a call that was given up.
const (
	giveUpLimit = 10 * time.Second // to say that it heard of it
	stuckAfter  = 10 * time.Second // then its thread counts as stuck (architecture §10)
	stuckLimit  = 2                // so many stuck threads are worth a restart
)

// giveUp tells the host that nobody waits for a call any more, without
// waiting for it. late says that the call ran into its limit: where it was
// becomes the plugin's last error.
func (m *Manager) giveUp(proc *host.Process, r *record, id uint64, what string, late bool) {
	m.tasks.Add(1)
	go func() {
		defer m.tasks.Done()
		ctx, cancel := context.WithTimeout(m.ctx, giveUpLimit)
		defer cancel()
		var was bridge.Cancelled
		err := m.ask(ctx, proc, r.key, rpc.Call{Method: bridge.MethodCancel, Params: map[string]uint64{"id": id}}, &was)
		m.log.Info("Gave up a plugin call", "plugin", r.key, "call", what)
		if errors.Is(err, context.DeadlineExceeded) && m.ctx.Err() == nil {
			m.hung(proc, r)
			return
		}
		if was.At != nil && late {
			e := was.At.Event()
			e.Where = what
			r.noteError(e)
		}
		m.countStuck(proc)
	}()
}

// countStuck looks, some time after a call was given up, whether its thread
// came back; with several that did not, the host is started again between two
// turns.
func (m *Manager) countStuck(proc *host.Process) {
	t := time.NewTimer(stuckAfter)
	defer t.Stop()
	select {
	case <-t.C:
	case <-proc.Done():
		return
	case <-m.ctx.Done():
		return
	}
	ctx, cancel := context.WithTimeout(m.ctx, giveUpLimit)
	defer cancel()
	var s bridge.Status
	err := m.ask(ctx, proc, "", rpc.Call{Method: bridge.MethodStatus}, &s)
	if errors.Is(err, context.DeadlineExceeded) && m.ctx.Err() == nil {
		proc.KillHung()
	}
	if err != nil || s.Stuck < stuckLimit {
		return
	}
	m.log.Warn("Threads of plugins are stuck; the plugin host is started again after this turn", "threads", s.Stuck)
	m.atBoundary(proc.Kill)
}
