// Package live keeps what the program is doing now, as the events tell it:
// session, model, running turn, queue, plugins with their figures, hook runs,
// tools and commands. It draws nothing and reads no clock; times come with the
// events. The event loop of the view owns it.
package live

import (
	"time"

	"hermes/agent/event"
)

// State is all of it. Rev grows with every change that a panel could show.
type State struct {
	Rev int

	Session string
	Title   string
	Resumed bool
	Dir     string
	Model   Model
	Host    event.HostState
	Turn    Turn
	Queue   []event.Queued
	Held    bool // the queue waits for the user
	Running int  // background processes

	// ToolsKnown, CommandsKnown and PluginsKnown tell facts remembered from
	// the last run from what this run reported; Settled that every enabled
	// plugin has loaded or failed.
	ToolsKnown, CommandsKnown, Settled bool
	Tools                              []event.ToolInfo
	Commands                           []event.Command

	Plugins Plugins
	Hooks   Ring
	ByTool  map[string]*Stats
	Total   event.Tokens
	// Sessions are the stored ones, as listed last; SessionsErr says why not.
	Sessions      []event.StoredSession
	SessionsKnown bool
	SessionsErr   string
	Lang          string
	// Cost is what the session cost so far, in USD; known when CostStatus says
	// so (actual, estimated, included).
	Cost       float64
	CostStatus string
}

// Model is who answers.
type Model struct {
	Name, Provider, BaseURL string
	Demo                    bool
	Window                  int // tokens, 0 when unknown
	Context                 int // tokens in use after the last request
	Counted                 bool
	Estimated               bool // a part of Context is an estimate
}

// Percent is how full the context is, rounded; 0 when the window is not known.
func (m Model) Percent() int {
	if m.Window <= 0 {
		return 0
	}
	return (m.Context*100 + m.Window/2) / m.Window
}

// New returns an empty state.
func New() *State {
	return &State{Plugins: newPlugins(), ByTool: map[string]*Stats{}}
}

// Apply takes one event in.
func (s *State) Apply(e event.Event) {
	switch e := e.(type) {
	case event.Delta:
		s.Turn.delta(e)
		return
	case event.PluginOutput:
		s.Plugins.output(e)
	case event.SessionOpened:
		s.Session, s.Title, s.Resumed, s.Dir = e.Session, e.Title, e.Resumed, orElse(e.Dir, s.Dir)
		s.Model.Name, s.Model.Provider = orElse(e.Model, s.Model.Name), orElse(e.Provider, s.Model.Provider)
	case event.SessionReset:
		s.Session, s.Title, s.Resumed, s.Total = e.Session, "", false, event.Tokens{}
		s.Model.Context, s.Model.Counted = 0, false
		s.Cost, s.CostStatus = 0, ""
	case event.SessionsListed:
		s.Sessions, s.SessionsErr, s.SessionsKnown = e.Sessions, e.Err, true
	case event.TitleChanged:
		s.Title = e.Title
	case event.QueueHeld:
		s.Held = e.Held
	case event.ProcessStarted:
		s.Running++
	case event.ProcessExited:
		s.Running = max(s.Running-1, 0)
	case event.ModelChanged:
		s.Model = Model{Name: e.Model, Provider: e.Provider, BaseURL: e.BaseURL, Demo: e.Demo, Window: e.Window, Context: s.Model.Context, Counted: s.Model.Counted}
	case event.Usage:
		s.usage(e)
	case event.Queued:
		s.queued(e)
	case event.Dequeued:
		s.dequeued(e.ID)
	case event.HostState:
		s.Host = e
	case event.PluginState:
		s.Plugins.put(e.Plugin, e.At)
	case event.PluginGone:
		s.Plugins.drop(e.Key)
	case event.PluginsSettled:
		s.Settled = true
		s.Plugins.forget()
	case event.ToolsChanged:
		s.Tools, s.ToolsKnown = e.Tools, true
	case event.CommandsChanged:
		s.Commands, s.CommandsKnown = e.Commands, true
	case event.ConfigLoaded:
		s.Lang = e.Lang
	case event.HookRun:
		s.Hooks.Add(e)
		s.Plugins.hookRun(e)
		s.Turn.hookRun(e)
	case event.ToolStarted:
		s.Plugins.toolStarted(e)
		s.Turn.toolStarted(e)
	case event.ToolDone:
		s.toolDone(e)
	case event.HookSlow:
		s.Plugins.hookSlow(e)
		s.Turn.hookSlow(e)
	default:
		s.Turn.apply(e)
	}
	s.Rev++
}

func (s *State) usage(e event.Usage) {
	s.Model.Context, s.Model.Counted, s.Model.Estimated = e.In+e.Out, true, e.Estimated
	if e.Context > 0 {
		s.Model.Context = e.Context
	}
	s.Cost, s.CostStatus = e.Cost, e.CostStatus
	if e.Window > 0 {
		s.Model.Window = e.Window
	}
	s.Total = s.Total.Add(e.Tokens)
	s.Turn.Tokens = s.Turn.Tokens.Add(e.Tokens)
}

func (s *State) queued(e event.Queued) {
	for i := range s.Queue {
		if s.Queue[i].ID == e.ID {
			s.Queue[i] = e
			return
		}
	}
	s.Queue = append(s.Queue, e)
}

func (s *State) dequeued(id string) {
	for i := range s.Queue {
		if s.Queue[i].ID == id {
			s.Queue = append(s.Queue[:i:i], s.Queue[i+1:]...)
			return
		}
	}
}

func (s *State) toolDone(e event.ToolDone) {
	st := s.ByTool[e.Name]
	if st == nil {
		st = &Stats{}
		s.ByTool[e.Name] = st
	}
	st.add(e.Ms, failed(e.Status), e.Status == event.StatusTimeout, e.At)
	s.Plugins.toolDone(e)
	s.Turn.toolDone(e)
}

// failed tells whether a call counts as an error of its tool.
func failed(status string) bool {
	return status == event.StatusError || status == event.StatusTimeout
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Turn is the running turn, or the last one.
type Turn struct {
	ID       string
	Running  bool
	Started  time.Time
	Duration time.Duration // once it ended
	Outcome  string
	Waiting  string // why it cannot go on yet
	Retry    *event.Retry
	Tokens   event.Tokens
	Tools    int
	Calls    []event.ToolStarted // calls that run now, oldest first
	Answers  bool                // text has begun to arrive
	Hook     *Hook               // callback that is being waited for

	Hooks HookSum
}

// Hook is a callback that has been running for at least a second.
type Hook struct {
	Name, Plugin, Callback string
	Since                  time.Time
	Limit                  time.Duration
}

// HookSum adds up the hook runs of a turn.
type HookSum struct {
	Runs, Errors, Timeouts int
	Ms                     float64
	SlowestMs              float64
	Slowest                string         // plugin.callback
	ByPlugin               map[string]int // runs
}

func (t *Turn) apply(e event.Event) {
	switch e := e.(type) {
	case event.TurnStarted:
		*t = Turn{ID: e.Turn, Running: true, Started: e.At}
	case event.TurnWaiting:
		t.Waiting = e.Reason
	case event.Retry:
		t.Retry, t.Answers = &e, false
	case event.TurnDone:
		t.Running, t.Outcome, t.Duration = false, e.Outcome, e.Duration
		t.Calls, t.Hook, t.Retry, t.Waiting = nil, nil, nil, ""
	}
}

func (t *Turn) delta(e event.Delta) {
	t.Retry, t.Waiting = nil, ""
	t.Answers = e.Kind == event.KindText
}

func (t *Turn) toolStarted(e event.ToolStarted) {
	t.Calls = append(t.Calls, e)
	t.Answers = false
}

func (t *Turn) toolDone(e event.ToolDone) {
	t.Tools++
	for i := range t.Calls {
		if t.Calls[i].Call == e.Call {
			t.Calls = append(t.Calls[:i:i], t.Calls[i+1:]...)
			return
		}
	}
}

func (t *Turn) hookSlow(e event.HookSlow) {
	t.Hook = &Hook{Name: e.Hook, Plugin: e.Plugin, Callback: e.Callback, Since: e.At.Add(-e.Elapsed), Limit: e.Limit}
}

func (t *Turn) hookRun(e event.HookRun) {
	if h := t.Hook; h != nil && h.Name == e.Hook && h.Plugin == e.Plugin && h.Callback == e.Callback {
		t.Hook = nil
	}
	if e.Turn != t.ID || answersLate(e) {
		return
	}
	h := &t.Hooks
	h.Runs++
	h.Ms += e.Ms
	if h.ByPlugin == nil {
		h.ByPlugin = map[string]int{}
	}
	h.ByPlugin[e.Plugin]++
	switch {
	case e.Timeout:
		h.Timeouts++
	case e.Err != nil:
		h.Errors++
	}
	if e.Ms > h.SlowestMs {
		h.SlowestMs, h.Slowest = e.Ms, e.Plugin+"."+e.Callback
	}
}
