// Package delegate is the tool with which the model gives parts of its task to
// sub-agents: conversations of their own, with their own budget and tools,
// whose last word comes back as the result.
package delegate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"hermes/agent/safe"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Blocked are the tools that sub-agents are not offered: they start no
// sub-agents of their own, ask nobody, and leave no traces in memory.
var Blocked = []string{"delegate_task", "clarify", "memory", "execute_code", "send_message", "cronjob"}

// Child is what a sub-agent is started with.
type Child struct {
	From     tool.Call // the call that asks for it
	Index    int       // among the tasks of the call, from 0
	Goal     string
	Context  string
	Role     string
	Toolsets []string // nil: those of the session
	MaxTurns int      // requests; 0: the agent's default for sub-agents
	// Log, when not nil, takes a line about everything that it does.
	Log func(line string)
}

// Ends of a sub-agent, and why.
const (
	Completed   = "completed"
	Failed      = "failed"
	Interrupted = "interrupted"
	TimedOut    = "timeout"

	ExitLimit = "max_iterations"
)

// Outcome is how a sub-agent ended.
type Outcome struct {
	Status     string // Completed …
	ExitReason string // Completed, ExitLimit, Interrupted, TimedOut
	Summary    string
	Err        string
	Model      string
	APICalls   int
	In, Out    int // tokens
	Duration   time.Duration
	Trace      []Step
}

// Step is one tool call of a sub-agent.
type Step struct {
	Tool        string `json:"tool"`
	ArgsBytes   int    `json:"args_bytes"`
	ResultBytes int    `json:"result_bytes"`
	Status      string `json:"status"`
}

// Agents runs sub-agents; the agent does.
type Agents interface {
	// Spawn runs a sub-agent to its end. ctx interrupts it.
	Spawn(ctx context.Context, c Child) Outcome
	// Detach runs f beside the conversation until the program ends, which ends
	// ctx. It reports false when the program is ending.
	Detach(what string, f func(ctx context.Context)) bool
	// Deliver hands a text to a session as a message, when it is still open.
	Deliver(session, text string)
}

// Deps is what the tool needs of the program.
type Deps struct {
	Agents Agents
	// MaxChildren is delegation.max_concurrent_children, 0: 3.
	MaxChildren int
	// MaxTurns is delegation.max_iterations, 0: 50.
	MaxTurns int
	// Timeout bounds one sub-agent; 0: none.
	Timeout time.Duration
	// Dir is where live logs and long summaries are kept
	// (<home>/cache/delegation); empty: nowhere.
	Dir string
	Log *slog.Logger // takes bugs; may be nil
	// Now is for tests.
	Now func() time.Time
}

const (
	defaultChildren = 3
	defaultTurns    = 50
	summaryChars    = 24_000
	maxTasks        = 32
)

const description = `Gives work to sub-agents. Each one has a fresh conversation that knows only its goal and context, its own tools and its own budget; what it says last comes back. Use it for work that can be described completely and done apart: research with many files to read, several independent parts at once. Not for one or two tool calls, and not where the user has to be asked: sub-agents cannot ask.
Give goal (with all that is needed to reach it, paths above all) or tasks for several at once. In an interactive session the call returns at once and the results come later as a message; go on with other work and do not wait for them.`

const parameters = `{"type":"object","properties":{"goal":{"type":"string","description":"what one sub-agent has to reach, complete in itself"},"context":{"type":"string","description":"what every sub-agent has to know: paths, decisions, constraints"},"tasks":{"type":"array","description":"several goals at once, in place of goal","items":{"type":"object","properties":{"goal":{"type":"string"},"context":{"type":"string"},"role":{"type":"string","enum":["leaf","orchestrator"]}},"required":["goal"]}},"role":{"type":"string","enum":["leaf","orchestrator"],"description":"leaf unless told otherwise"},"background":{"type":"boolean","description":"ignored: the session decides"}}}`

// Register adds the tool to reg.
func Register(reg *tool.Registry, d Deps) error {
	if d.Agents == nil {
		return errors.New("register delegate_task: no agents")
	}
	if d.MaxChildren <= 0 {
		d.MaxChildren = defaultChildren
	}
	if d.MaxTurns <= 0 {
		d.MaxTurns = defaultTurns
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if _, err := reg.Add(&delegate{d: d, slots: make(chan struct{}, d.MaxChildren)}, false); err != nil {
		return fmt.Errorf("register delegate_task: %w", err)
	}
	return nil
}

type delegate struct {
	d     Deps
	slots chan struct{} // one per sub-agent that runs
}

// Spec describes the tool. Sub-agents have limits of their own.
func (*delegate) Spec() tool.Spec {
	return tool.Spec{
		Name: "delegate_task", Toolset: "delegation", Description: description, Emoji: "🔀",
		Parameters: json.RawMessage(parameters), Timeout: -1,
	}
}

func (*delegate) Available(context.Context) (bool, string) { return true, "" }

type task struct {
	Goal     string   `json:"goal"`
	Context  string   `json:"context"`
	Role     string   `json:"role"`
	Toolsets []string `json:"toolsets"`
}

// Run starts the sub-agents: beside the conversation where a user is there to
// go on with it, else on the spot.
func (t *delegate) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a struct {
		task
		Tasks []task `json:"tasks"`
	}
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return result.Error("Invalid arguments for delegate_task: %v", err), nil
	}
	tasks := a.Tasks
	if len(tasks) == 0 {
		tasks = []task{a.task}
	}
	for i := range tasks {
		one := &tasks[i]
		if one.Goal = strings.TrimSpace(one.Goal); one.Goal == "" {
			return result.Error("delegate_task: task %d has no goal. Give goal, or tasks with a goal each.", i), nil
		}
		if one.Toolsets == nil {
			one.Toolsets = a.Toolsets
		}
		if one.Context == "" {
			one.Context = a.Context
		}
		if one.Role == "" {
			one.Role = a.Role
		}
	}
	if len(tasks) > maxTasks {
		return result.Error("delegate_task: %d tasks are too many, at most %d.", len(tasks), maxTasks), nil
	}
	b := t.newBatch(c, tasks)
	if c.Ask != nil {
		if r, ok := b.background(); ok {
			return r, nil
		}
	}
	return result.JSON(b.run(ctx)), nil
}

// batch is the work of one call.
type batch struct {
	t     *delegate
	id    string
	call  tool.Call
	tasks []task
	logs  []*liveLog
	began time.Time
}

func (t *delegate) newBatch(c tool.Call, tasks []task) *batch {
	b := &batch{t: t, id: "deleg_" + hexID(8), call: c, tasks: tasks, began: t.d.Now()}
	for i, one := range tasks {
		b.logs = append(b.logs, openLog(t.d.Dir, b.id, i, one.Goal))
	}
	return b
}

// entry is one sub-agent in the result; the keys are the contract's.
type entry struct {
	Index    int     `json:"task_index"`
	Status   string  `json:"status"`
	Summary  *string `json:"summary"`
	APICalls int     `json:"api_calls"`
	Seconds  float64 `json:"duration_seconds"`
	Model    string  `json:"model"`
	Exit     string  `json:"exit_reason"`
	Tokens   struct {
		Input  int `json:"input"`
		Output int `json:"output"`
	} `json:"tokens"`
	Trace []Step `json:"tool_trace"`
	Error string `json:"error,omitempty"`
	Log   string `json:"live_transcript,omitempty"`
}

// report is the result of a call.
type report struct {
	Results []entry  `json:"results"`
	Seconds float64  `json:"total_duration_seconds"`
	Logs    []string `json:"live_transcripts,omitempty"`
}

// run runs every sub-agent and waits for the last.
func (b *batch) run(ctx context.Context) report {
	r := report{Results: make([]entry, len(b.tasks))}
	var wg sync.WaitGroup
	for i := range b.tasks {
		wg.Go(func() {
			safe.Run(b.t.d.Log, "sub-agent", func() { r.Results[i] = b.one(ctx, i) }, func(bug *safe.PanicError) {
				r.Results[i] = b.entry(i, Outcome{Status: Failed, ExitReason: Failed, Err: bug.Error()})
			})
		})
	}
	wg.Wait()
	r.Seconds = seconds(b.t.d.Now().Sub(b.began))
	for _, l := range b.logs {
		if l.path != "" {
			r.Logs = append(r.Logs, l.path)
		}
	}
	return r
}

// one runs the i-th sub-agent when a slot is free.
func (b *batch) one(ctx context.Context, i int) entry {
	log := b.logs[i]
	defer log.close()
	select {
	case b.t.slots <- struct{}{}:
		defer func() { <-b.t.slots }()
	case <-ctx.Done():
		return b.entry(i, Outcome{Status: Interrupted, ExitReason: Interrupted, Err: "it was interrupted before it began"})
	}
	if b.t.d.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, b.t.d.Timeout)
		defer cancel()
	}
	one := b.tasks[i]
	out := b.t.d.Agents.Spawn(ctx, Child{
		From: b.call, Index: i, Goal: one.Goal, Context: one.Context, Role: one.Role,
		Toolsets: one.Toolsets, MaxTurns: b.t.d.MaxTurns, Log: log.line,
	})
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && out.Status == Interrupted {
		out.Status, out.ExitReason = TimedOut, TimedOut
		out.Err = fmt.Sprintf("it took longer than %d s", int(b.t.d.Timeout.Seconds()))
	}
	log.line("ended: " + out.Status)
	return b.entry(i, out)
}

func (b *batch) entry(i int, o Outcome) entry {
	e := entry{
		Index: i, Status: o.Status, APICalls: o.APICalls, Seconds: seconds(o.Duration), Model: o.Model,
		Exit: o.ExitReason, Trace: o.Trace, Error: o.Err, Log: b.logs[i].path,
	}
	e.Tokens.Input, e.Tokens.Output = o.In, o.Out
	if e.Trace == nil {
		e.Trace = []Step{}
	}
	if o.Summary != "" {
		s := b.bounded(i, o.Summary)
		e.Summary = &s
	}
	return e
}

func seconds(d time.Duration) float64 { return float64(d.Round(10*time.Millisecond)) / 1e9 }
