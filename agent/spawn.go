package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/prompt"
	"hermes/agent/safe"
	"hermes/agent/tool"
	"hermes/agent/tools/delegate"
)

// childGrace is how long the end of a sub-agent may take.
const childGrace = 3 * time.Second

// Spawn runs a sub-agent to its end: a conversation of its own, with its own
// session and budget, whose events stay with it. What it does is told in
// short, as SubagentProgress of the session that asked. Nobody can be asked on
// its behalf: what needs approval is refused, unless Settings say otherwise.
func (a *Agent) Spawn(ctx context.Context, c delegate.Child) delegate.Outcome {
	began := time.Now()
	bus := event.NewBus(nil)
	sub := bus.Subscribe()
	defer sub.Close()
	child := New(a.childOptions(c, bus))
	meta := event.Meta{Session: c.From.Session, Turn: c.From.Turn}
	id := fmt.Sprintf("sa-%d-%s", c.Index, hexID(8))
	out := delegate.Outcome{Status: delegate.Failed, ExitReason: delegate.Failed, Model: child.model()}
	a.emit(event.SubagentStarted{Meta: meta, ID: child.Session(), Call: c.From.ID, Index: c.Index, Goal: a.o.Redact(c.Goal), Model: out.Model})
	a.fire(ctx, hook.SubagentStart, func() any {
		return subagentStart{c.From.Session, c.From.Turn, nil, child.Session(), id, role(c), c.Goal}
	})
	watched := make(chan struct{})
	safe.Go(a.o.Log, "sub-agent's events", func() {
		defer close(watched)
		a.watchChild(meta, child.Session(), sub, c)
	}, nil)
	d, err := child.Ask(ctx, childPrompt(c))
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), childGrace)
	defer cancel()
	if cerr := child.Close(end); cerr != nil {
		a.o.Log.Warn("Sub-agent did not end in time", "session", child.Session(), "error", cerr)
	}
	sub.Close()
	<-watched
	if a.o.ChildOver != nil {
		a.o.ChildOver(child.Session())
	}
	out = outcomeOf(out, d, err)
	out.Duration = time.Since(began)
	a.fire(context.WithoutCancel(ctx), hook.SubagentStop, func() any {
		return subagentStop{c.From.Session, c.From.Turn, child.Session(), role(c), out.Summary, out.Status, out.Duration.Milliseconds()}
	})
	a.emit(event.SubagentDone{
		Meta: meta, ID: child.Session(), Status: out.Status, Summary: short(out.Summary), APICalls: out.APICalls,
		Tokens: d.Tokens, Duration: out.Duration,
	})
	return out
}

// outcomeOf reads how the only turn of a sub-agent ended.
func outcomeOf(out delegate.Outcome, d event.TurnDone, err error) delegate.Outcome {
	out.Summary, out.Err, out.APICalls = d.Answer, d.Err, d.APICalls
	out.In, out.Out = d.Tokens.In+d.Tokens.CacheRead+d.Tokens.CacheWrite, d.Tokens.Out
	for _, u := range d.Tools {
		s := delegate.Step{Tool: u.Name, ArgsBytes: len(u.Args), ResultBytes: len(u.Result), Status: "ok"}
		if u.Status != event.StatusOK {
			s.Status = "error"
		}
		out.Trace = append(out.Trace, s)
	}
	switch {
	case err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded):
		out.Err = err.Error()
	case err != nil || d.Outcome == event.OutcomeInterrupted:
		out.Status, out.ExitReason = delegate.Interrupted, delegate.Interrupted
	case d.Outcome == event.OutcomeLimit:
		out.Status, out.ExitReason = delegate.Completed, delegate.ExitLimit
		if d.Answer == "" {
			out.Status = delegate.Failed
		}
	case d.Outcome == event.OutcomeDone:
		out.Status, out.ExitReason, out.Err = delegate.Completed, delegate.Completed, ""
	}
	return out
}

// childOptions are the options of a sub-agent: those of this agent, with
// nobody to ask, a prompt of its own and no sub-agents below it.
func (a *Agent) childOptions(c delegate.Child, bus *event.Bus) Options {
	o := a.o
	o.Bus, o.Ask, o.Parent, o.Source, o.NewID = bus, nil, c.From.Session, "subagent", nil
	o.SystemPrompt = func(in prompt.Input) string { return prompt.Child(in) }
	settings := a.o.Settings
	o.Settings = func() Settings {
		s := settings()
		s.MaxTurns = c.MaxTurns
		s.Titles, s.ToolChoice, s.BusyMode = false, "", BusyQueue
		s.ApproveAll = s.ApproveAll || s.SubagentApprove
		s.HiddenTools = append(append([]string(nil), s.HiddenTools...), delegate.Blocked...)
		if c.Toolsets != nil {
			s.Toolsets = tool.Selection{Only: tool.ExpandToolsets(c.Toolsets)}
		}
		return s
	}
	return o
}

func childPrompt(c delegate.Child) string {
	if strings.TrimSpace(c.Context) == "" {
		return c.Goal
	}
	return c.Goal + "\n\nContext:\n" + c.Context
}

func role(c delegate.Child) string {
	if c.Role == "" {
		return "leaf"
	}
	return c.Role
}

// watchChild tells what a sub-agent does, in short, until its events end.
func (a *Agent) watchChild(meta event.Meta, id string, sub *event.Subscription, c delegate.Child) {
	tell := func(text string) {
		if c.Log != nil {
			c.Log(text)
		}
		line := short(text)
		a.emit(event.SubagentProgress{Meta: meta, ID: id, Text: line})
		if c.From.Progress != nil {
			c.From.Progress(line)
		}
	}
	for {
		batch := sub.Next(context.Background())
		if batch == nil {
			return
		}
		for _, e := range batch {
			switch e := e.(type) {
			case event.ToolStarted:
				tell(e.Name + " " + e.Args)
			case event.ToolDone:
				if e.Err != "" {
					tell(e.Name + ": " + e.Err)
				}
			case event.MessageDone:
				if c.Log != nil && e.Content != "" {
					c.Log("says: " + e.Content)
				}
			case event.Retry:
				tell(e.Reason)
			}
		}
	}
}

// Detach runs f beside the conversation; ctx ends when the agent is closed,
// which waits for f. It reports false when the agent is closing.
func (a *Agent) Detach(what string, f func(ctx context.Context)) bool {
	if !a.beginCall() {
		return false
	}
	safe.Go(a.o.Log, what, func() {
		defer a.calls.Done()
		f(a.background)
	}, nil)
	return true
}

// Deliver queues a text of the program as a turn of a session, when that is
// still the one that is open.
func (a *Agent) Deliver(session, text string) {
	if session == a.Session() {
		a.Inject(text, "process")
	}
}

var _ delegate.Agents = (*Agent)(nil)

// Payloads of contract/plugins §6.3.
type subagentStart struct {
	Parent         string  `json:"parent_session_id"`
	ParentTurn     string  `json:"parent_turn_id"`
	ParentSubagent *string `json:"parent_subagent_id"`
	Child          string  `json:"child_session_id"`
	ChildSubagent  string  `json:"child_subagent_id"`
	Role           string  `json:"child_role"`
	Goal           string  `json:"child_goal"`
}

type subagentStop struct {
	Parent     string `json:"parent_session_id"`
	ParentTurn string `json:"parent_turn_id"`
	Child      string `json:"child_session_id"`
	Role       string `json:"child_role"`
	Summary    string `json:"child_summary"`
	Status     string `json:"child_status"`
	DurationMs int64  `json:"duration_ms"`
}
