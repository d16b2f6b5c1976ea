package approval

import (
	"context"
	"fmt"

	"hermes/agent/locale"
	"hermes/agent/tool"
)

// Rule is a call that something other than a command pattern wants approved: a
// plugin's pre_tool_call, a write to a protected file, a write of memory.
type Rule struct {
	Tool    string
	Reason  string // "" reads as plugin approval rule
	Key     string // without prefix; "" means the tool's name
	Shown   string // what would happen, for the dialog; "" names the tool
	Session string
	Turn    string
	Call    string
	// Plain leaves the prefix of plugin rules off the key.
	Plain bool
	// Unattended as in Request.
	Unattended bool
}

// CheckRule decides whether such a call may run (contract/plugins §6.5). No
// hook is told: the contract has none in the terminal.
func (g *Gate) CheckRule(ctx context.Context, r Rule, ask tool.AskFunc) Verdict {
	set := g.o.Settings()
	if r.Reason == "" {
		r.Reason = "plugin approval rule"
	}
	if r.Key == "" {
		r.Key = r.Tool
	}
	key := r.Key
	if !r.Plain {
		key = "plugin_rule:" + key
	}
	if set.Yolo || set.Mode == Off || g.Yolo(r.Session) || len(g.open(r.Session, []string{key}, set.Allow)) == 0 {
		return Verdict{Allow: true}
	}
	if r.Unattended || ask == nil {
		return blocked(fmt.Sprintf(msgRuleUnattended, r.Tool, r.Reason), key)
	}
	if r.Shown == "" {
		r.Shown = "<" + r.Tool + "> (plugin approval rule)"
	}
	return g.ask(ctx, question{
		command: r.Shown, keys: []string{key}, session: r.Session, turn: r.Turn, call: r.Call,
		title: locale.ApproveTitle.In(set.Lang, r.Tool), text: g.o.Redact(r.Reason), set: set, always: true, quiet: true,
		refuse: fmt.Sprintf(msgRuleDenied, r.Reason),
	}, ask)
}
