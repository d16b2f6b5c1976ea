package agent

import (
	"context"
	"fmt"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// deniedAction answers a call that the user did not approve
// (contract/plugins §6.5).
const deniedAction = "BLOCKED: User denied this potentially dangerous action (matched '%s'). Do NOT retry — the user has explicitly rejected it."

// userSays goes behind it when the user said why.
const userSays = " The user says: %s"

// Choices of an approval, by their ids.
const (
	approveOnce    = "once"
	approveSession = "session"
	approveAlways  = "always"
	approveDeny    = "deny"
)

// askFor is the way to the user for a call; nil when nobody can answer.
func (p *pipeline) askFor(c *call) tool.AskFunc {
	ask := p.a.o.Ask
	if ask == nil || !p.interactive {
		return nil
	}
	return func(ctx context.Context, q event.Ask) (event.Answer, bool) {
		q.Meta = p.meta
		if q.Call == "" {
			q.Call = c.id
		}
		return ask(ctx, q)
	}
}

// approve asks the user about a call that a plugin wants approved, unless that
// was allowed before. It answers the call when it may not run.
func (p *pipeline) approve(ctx context.Context, c *call, d directiveOf) {
	reason := d.message
	if reason == "" {
		reason = "plugin approval rule"
	}
	rule := d.rule
	if rule == "" {
		rule = c.name
	}
	key := "plugin_rule:" + rule
	if p.set.ApproveAll || p.a.allowed(p.meta.Session, key) {
		return
	}
	ask := p.askFor(c)
	if ask == nil {
		c.answer = p.blocked(fmt.Sprintf(needsApproval, c.name, reason), "plugin_block", locale.ToolNeedsHuman.In(p.lang))
		return
	}
	a, ok := ask(ctx, event.Ask{
		Kind: event.AskApproval, Title: locale.ApproveTitle.In(p.lang, c.name), Text: p.a.o.Redact(visible(reason)),
		Command: "<" + c.name + "> " + short(p.shownArgs(c)),
		Choices: []event.Choice{
			{ID: approveOnce, Label: locale.ApproveOnce.In(p.lang)},
			{ID: approveSession, Label: locale.ApproveSession.In(p.lang)},
			{ID: approveAlways, Label: locale.ApproveAlways.In(p.lang)},
			{ID: approveDeny, Label: locale.ApproveDeny.In(p.lang), Input: true},
		},
		Default: 3, Expires: p.set.ApprovalTimeout,
	})
	switch {
	case ok && a.Choice == approveAlways:
		p.allowAlways(key)
		p.a.allow(p.meta.Session, key)
	case ok && a.Choice == approveSession:
		p.a.allow(p.meta.Session, key)
	case ok && a.Choice == approveOnce:
	default:
		p.deny(c, reason, a.Text)
	}
}

func (p *pipeline) deny(c *call, reason, comment string) {
	message := fmt.Sprintf(deniedAction, reason)
	if comment != "" {
		message += fmt.Sprintf(userSays, comment)
	}
	c.answer = p.blocked(message, "plugin_block", locale.ToolDenied.In(p.lang))
	c.answer.status = event.StatusDenied
}

func (p *pipeline) allowAlways(key string) {
	if p.a.o.Allow == nil {
		return
	}
	if err := p.a.o.Allow(key); err != nil {
		p.a.emit(event.Notice{Meta: p.meta, Level: event.LevelWarn, Source: "approvals", Text: locale.ApproveUnsaved.In(p.lang, err)})
	}
}

// allowed reports whether the user allowed a rule, for this session or for
// good.
func (a *Agent) allowed(session, key string) bool {
	a.mu.Lock()
	yes := a.rules[session+"\x00"+key]
	a.mu.Unlock()
	return yes || a.o.Allowed != nil && a.o.Allowed(key)
}

func (a *Agent) allow(session, key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.rules == nil {
		a.rules = map[string]bool{}
	}
	a.rules[session+"\x00"+key] = true
}

// approvalTimeout is how long a question waits while nobody looks
// (contract/plugins §6.5; decision D23 is the view's to apply).
const approvalTimeout = 60 * time.Second
