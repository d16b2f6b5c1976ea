package approval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// Ids of the choices.
const (
	Once    = "once"
	Session = "session"
	Always  = "always"
	Deny    = "deny"
	// DenyWhy is a denial with a text for the model.
	DenyWhy = "deny_comment"
)

// defaultTimeout is approvals.timeout of the reference.
const defaultTimeout = 60 * time.Second

// question is what the user is asked.
type question struct {
	command, session, turn, call, title string
	keys                                []string
	always                              bool // "always" is offered
	smartDenied                         bool
	quiet                               bool // hooks are not told
	set                                 Settings
	refuse                              string // message of a denial; empty for a command's
	text                                string // empty: the findings in words
}

// ask puts the question, after those that came before it.
func (g *Gate) ask(ctx context.Context, q question, ask tool.AskFunc) Verdict {
	select {
	case g.asking <- struct{}{}:
	case <-ctx.Done():
		return g.refused(q, event.Answer{}, false)
	}
	defer func() { <-g.asking }()
	// The question before this one may have been answered for the session.
	if q.keys = g.open(q.session, q.keys, q.set.Allow); len(q.keys) == 0 {
		return Verdict{Allow: true}
	}
	g.tell(ctx, q, hook.PreApprovalRequest, surfaceCLI, "")
	a, ok := ask(ctx, q.event(g.o.Redact))
	if !ok {
		a.Choice = ""
	}
	g.tell(ctx, q, hook.PostApprovalResponse, surfaceCLI, choiceName(a.Choice))
	note := fmt.Sprintf(noteApproved, describe(q.keys))
	switch {
	case a.Choice == Once, a.Choice == Session && q.smartDenied:
	case a.Choice == Session, a.Choice == Always && !q.always:
		g.AllowSession(q.session, q.keys...)
	case a.Choice == Always:
		g.AllowSession(q.session, q.keys...)
		if err := g.AllowAlways(q.keys...); err != nil {
			g.o.Warn(locale.ApproveUnsaved.In(q.set.Lang, err))
		}
	default:
		return g.refused(q, a, ok)
	}
	return Verdict{Allow: true, Keys: q.keys, Note: note}
}

func (g *Gate) refused(q question, a event.Answer, answered bool) Verdict {
	v := Verdict{Status: event.StatusBlocked, Message: q.refuse, Keys: q.keys, Denied: true, Comment: strings.TrimSpace(a.Text)}
	switch {
	case v.Message != "":
	case answered:
		v.Message = msgDenied
	default:
		v.Message = msgTimeout
	}
	if v.Comment != "" {
		v.Message += fmt.Sprintf(msgComment, v.Comment)
	}
	return v
}

// event is the question as the view shows it. The safe choice is selected.
func (q question) event(redact func(string) string) event.Ask {
	lang := q.set.Lang
	timeout := q.set.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	e := event.Ask{
		Meta: event.Meta{Session: q.session, Turn: q.turn}, Kind: event.AskApproval, Title: q.title, Text: q.text,
		Call: q.call, Command: redact(q.command), Expires: timeout,
	}
	if e.Text == "" {
		e.Text = explain(q.keys, lang)
	}
	if q.smartDenied {
		e.Text += "\n" + locale.ApprovalSmartDenied.In(lang)
	}
	add := func(id string, label locale.Msg, input bool) {
		e.Choices = append(e.Choices, event.Choice{ID: id, Label: label.In(lang), Input: input})
	}
	add(Once, locale.ApprovalOnce, false)
	if !q.smartDenied {
		add(Session, locale.ApprovalSession, false)
		if q.always {
			add(Always, locale.ApprovalAlways, false)
		}
	}
	e.Default = len(e.Choices)
	add(Deny, locale.ApprovalDeny, false)
	add(DenyWhy, locale.ApprovalDenyWhy, true)
	return e
}

// explain says what was found. The keys stay as the allow-list spells them.
func explain(keys []string, lang locale.Lang) string {
	lines := make([]string, len(keys))
	for i, k := range keys {
		lines[i] = locale.ApprovalMeaning(lang, k)
	}
	return strings.Join(lines, "\n")
}

// Surfaces as hooks are told.
const (
	surfaceCLI   = "cli"
	surfaceSmart = "smart"
)

func choiceName(choice string) string {
	switch choice {
	case DenyWhy:
		return Deny
	case "":
		return "timeout"
	}
	return choice
}

// approvalHook goes with pre_approval_request and, with what was chosen, with
// post_approval_response (contract/plugins §6.3).
type approvalHook struct {
	Command     string   `json:"command"`
	Description string   `json:"description"`
	PatternKey  string   `json:"pattern_key"`
	PatternKeys []string `json:"pattern_keys"`
	SessionKey  string   `json:"session_key"`
	Surface     string   `json:"surface"`
	TurnID      string   `json:"turn_id"`
	ToolCallID  string   `json:"tool_call_id"`
	Choice      string   `json:"choice,omitempty"`
	DecidedBy   string   `json:"decided_by,omitempty"`
}

// tell fires a hook; what the callbacks return or fail with changes nothing.
func (g *Gate) tell(ctx context.Context, q question, name, surface, choice string) {
	if q.quiet || !g.o.Hooks.Has(name) {
		return
	}
	p := approvalHook{
		Command: q.command, Description: describe(q.keys), PatternKey: q.keys[0], PatternKeys: q.keys,
		SessionKey: q.session, Surface: surface, TurnID: q.turn, ToolCallID: q.call, Choice: choice,
	}
	if surface == surfaceSmart && choice != "" {
		p.DecidedBy = "aux_llm"
	}
	_, _ = g.o.Hooks.Invoke(ctx, name, p)
}
