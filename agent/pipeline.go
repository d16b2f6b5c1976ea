package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// needsApproval answers calls that nobody can approve (contract/plugins §6.5),
// and names the only way around (decision D23).
const needsApproval = "BLOCKED: Tool '%s' requires approval (%s) but no interactive user or gateway is present to approve it. A plugin flagged this action for human confirmation. Only the user can let such calls run: hermes --yolo, or approvals.mode: off in config.yaml."

// pipeline is the way that every tool call takes, built-in or a plugin's,
// with or without a model: gate, checks, run, hooks, events, log. It belongs
// to one turn, or to one call from the command line.
type pipeline struct {
	a    *Agent
	set  Settings
	lang locale.Lang
	meta event.Meta
	task string
	api  string // api_request_id, empty without a model
	// hooks is the context of hooks that must not be skipped because the turn
	// was interrupted.
	hooks context.Context
	guard *guard
	// interactive: the user may be asked on behalf of the call.
	interactive bool
}

// ready takes a call through everything that comes before it runs. What it
// cannot pass answers it.
func (p *pipeline) ready(ctx context.Context, c *call) {
	if c.answer != nil {
		return
	}
	p.gate(ctx, c)
	if c.answer != nil {
		return
	}
	if p.guard != nil {
		if why := p.guard.blocks(c); why != "" {
			c.answer = p.blocked(why, "guardrail_block", locale.ToolLooped.In(p.lang))
			return
		}
	}
	c.args = tool.Coerce(c.args, c.spec.Parameters)
	p.validate(c)
}

// gate asks the pre_tool_call callbacks. They see the arguments as the model
// wrote them and may change them in place.
func (p *pipeline) gate(ctx context.Context, c *call) {
	out := p.a.fire(ctx, hook.PreToolCall, func() any {
		return hook.ToolCall{
			ToolName: c.name, Args: c.args, TaskID: p.task, SessionID: p.meta.Session, ToolCallID: c.id,
			TurnID: p.meta.Turn, APIRequestID: p.api, Trace: []any{},
		}
	})
	if args, ok := out.Changed["args"]; ok && len(args) > 0 && args[0] == '{' {
		c.args = args
	}
	switch d := directive(out.Returns); {
	case out.Failed != "":
		c.answer = p.blocked(out.Failed, "plugin_block", locale.ToolBlocked.In(p.lang, short(out.Failed)))
	case d.action == "block":
		c.answer = p.blocked(d.message, "plugin_block", locale.ToolBlocked.In(p.lang, short(d.message)))
	case d.action == "approve":
		p.approve(ctx, c, d)
	}
}

// directiveOf is what a pre_tool_call callback says about a call.
type directiveOf struct{ action, message, rule string }

// directive is the first valid one among the values that pre_tool_call
// callbacks returned.
func directive(values []json.RawMessage) directiveOf {
	for _, v := range values {
		var d struct {
			Action  any `json:"action"`
			Message any `json:"message"`
			Rule    any `json:"rule_key"`
		}
		if len(v) == 0 || v[0] != '{' || json.Unmarshal(v, &d) != nil {
			continue
		}
		text, _ := d.Message.(string)
		rule, _ := d.Rule.(string)
		switch d.Action {
		case "block":
			if text != "" {
				return directiveOf{"block", text, rule}
			}
		case "approve":
			return directiveOf{"approve", text, rule}
		}
	}
	return directiveOf{}
}

func (p *pipeline) blocked(message, errType, forUser string) *outcome {
	return &outcome{
		status: event.StatusBlocked, result: errorJSON(message), err: forUser,
		errType: errType, errMsg: message,
	}
}

// validate checks the arguments where the program is the one to do it
// (decision D34): built-in tools by their schema, strict plugin tools for
// surplus arguments.
func (p *pipeline) validate(c *call) {
	switch {
	case c.spec.Owner == "":
		if err := tool.Validate(c.args, c.spec.Parameters); err != nil {
			p.badArgs(c, fmt.Sprintf("Invalid arguments for %s: %v", c.name, err), err.Error())
		}
	case c.spec.Strict:
		if extra := tool.Surplus(c.args, c.spec.Parameters); len(extra) > 0 {
			list := strings.Join(extra, ", ")
			p.badArgs(c, fmt.Sprintf("Invalid arguments for %s: unknown parameter(s): %s. The schema allows no others.", c.name, list), list)
		}
	}
}

func (p *pipeline) badArgs(c *call, message, forUser string) {
	c.answer = &outcome{
		status: event.StatusError, result: errorJSON(message), err: locale.ToolBadArgs.In(p.lang, forUser),
		errType: "tool_error", errMsg: message,
	}
}

// errorJSON is a result that only holds an error.
func errorJSON(message string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(message) // a string always encodes
	return `{"error": ` + strings.TrimSuffix(b.String(), "\n") + `}`
}

// settle takes an answered call through everything that comes after it ran:
// secrets out, the hooks that observe and transform, the card's end, the log.
func (p *pipeline) settle(c *call) {
	o := c.answer
	o.result, o.parts = p.a.o.Redact(tidy(o.result)), p.tidyParts(o.parts)
	if !c.silent {
		p.observe(c)
		p.transform(c)
	}
	shown := o.status
	if task := acceptedTask(o.result); task != "" && shown == event.StatusOK {
		shown = event.StatusHandedOver
		p.a.handOver(p.meta.Session, c.id, task, p.set.HandOverTimeout)
	}
	p.a.emit(event.ToolDone{
		Meta: p.meta, Call: c.id, Name: c.name, Toolset: c.spec.Toolset, Owner: c.spec.Owner,
		Args: p.shownArgs(c), Status: shown, Preview: preview(visible(o.result)), Size: len(o.result),
		Err: p.a.o.Redact(visible(o.err)), Diff: p.a.o.Redact(visible(o.diff)), Ms: o.ms, Note: c.note(),
	})
	p.logDone(c)
}

func (p *pipeline) done(c *call) hook.ToolDone {
	o := c.answer
	d := hook.ToolDone{
		ToolName: c.name, Args: c.args, Result: o.shownResult(), TaskID: p.task, SessionID: p.meta.Session, ToolCallID: c.id,
		TurnID: p.meta.Turn, APIRequestID: p.api, DurationMs: int64(o.ms), Status: o.status,
	}
	if o.args != nil {
		d.Args = o.args
	}
	if o.errType != "" {
		msg := p.a.o.Redact(o.errMsg)
		d.ErrorType, d.ErrorMessage = &o.errType, &msg
	}
	return d
}

func (p *pipeline) observe(c *call) {
	p.a.fire(p.hooks, hook.PostToolCall, func() any {
		d := p.done(c)
		d.Trace = []any{}
		return d
	})
}

func (p *pipeline) transform(c *call) {
	out := p.a.fire(p.hooks, hook.TransformToolResult, func() any { return p.done(c) })
	if s, ok := firstString(out.Returns, true); ok {
		c.answer.result, c.answer.parts = p.a.o.Redact(tidy(s)), nil
	}
}

// shownArgs are the arguments for the card and the log.
func (p *pipeline) shownArgs(c *call) string {
	args := c.written
	if c.args != nil {
		args = string(c.args)
	}
	return preview(p.a.o.Redact(visible(args)))
}
