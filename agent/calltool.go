package agent

import (
	"context"
	"encoding/json"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// ToolOutcome is how a call without a model ended.
type ToolOutcome struct {
	Call    string          `json:"id"`
	Name    string          `json:"name"`
	Owner   string          `json:"owner,omitempty"`
	Toolset string          `json:"toolset,omitempty"`
	Args    json.RawMessage `json:"arguments"`
	Status  string          `json:"status"` // event.StatusOK …
	Result  string          `json:"result"` // as the model would get it
	Err     string          `json:"error,omitempty"`
	Note    string          `json:"note,omitempty"`
	Ms      float64         `json:"ms"`
}

// CallTool runs one tool through the whole pipeline, hooks and events
// included, without a model. It may be called while a turn runs.
func (a *Agent) CallTool(ctx context.Context, name string, args json.RawMessage) ToolOutcome {
	return a.callTool(ctx, &pipeline{meta: event.Meta{Session: a.Session()}, task: a.Session()}, name, args)
}

// CallToolFor is CallTool on behalf of another call, whose tool makes it: in
// the session and turn of that call, and asking the user where that call could.
func (a *Agent) CallToolFor(ctx context.Context, from tool.Call, name string, args json.RawMessage) ToolOutcome {
	return a.callTool(ctx, &pipeline{
		meta: event.Meta{Session: from.Session, Turn: from.Turn}, task: from.Task, api: from.APIRequest,
		interactive: from.Ask != nil,
	}, name, args)
}

// callTool runs one call; p says for whom.
func (a *Agent) callTool(ctx context.Context, p *pipeline, name string, args json.RawMessage) ToolOutcome {
	p.a, p.set, p.lang, p.hooks = a, a.o.Settings().withDefaults(), a.o.Lang(), context.WithoutCancel(ctx)
	c := &call{id: "call_" + hexID(24), name: name, written: string(args)}
	p.find(c)
	p.parseDirect(c)
	p.ready(ctx, c)
	if c.answer == nil {
		p.start(c)
		p.execute(ctx, ctx, c, p.limit(c.spec, false))
	}
	p.settle(c)
	out := ToolOutcome{
		Call: c.id, Name: c.name, Owner: c.spec.Owner, Toolset: c.spec.Toolset, Args: c.args,
		Status: c.answer.status, Result: wrap(c.name, c.answer.result), Err: a.o.Redact(visible(c.answer.err)),
		Note: c.note(), Ms: c.answer.ms,
	}
	if out.Args == nil {
		out.Args = json.RawMessage("null")
	}
	return out
}

// find looks the tool up by its exact name. A tool whose check hides it from
// the model is found all the same, as the reference's dispatcher finds it.
func (p *pipeline) find(c *call) {
	t, ok := p.a.o.Tools.Get(c.name)
	if !ok {
		c.refuse(event.StatusError, errorJSON("Unknown tool: "+c.name), locale.ToolUnknown.In(p.lang, c.name))
		return
	}
	c.tool, c.spec = t, t.Spec()
}

func (p *pipeline) parseDirect(c *call) {
	if c.answer != nil {
		return
	}
	args, _, err := tool.RepairArgs(c.written)
	switch {
	case err != nil:
		c.refuse(event.StatusError, errorJSON("Invalid JSON arguments: "+err.Error()), locale.ToolBadJSON.In(p.lang, err.Error()))
	case args[0] != '{':
		c.refuse(event.StatusError, argsNotObject, locale.ToolNotObject.In(p.lang))
	default:
		c.args = args
	}
}
