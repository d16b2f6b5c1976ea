package agent

import (
	"context"
	"strings"
	"sync"
	"time"

	"hermes/agent/prompt"
	"hermes/agent/safe"
)

// buildSystem makes the system prompt: at the session's first turn, and again
// when another model answers.
func (t *turn) buildSystem() {
	model := t.info.Provider + "\x00" + t.info.Model
	if t.s.system != "" && t.s.model == "" && namesModel(t.s.system, t.info.Model, t.info.Provider) {
		t.s.model = model // stored by an earlier run, for the same model
	}
	if t.s.system != "" && t.s.model == model {
		return
	}
	if t.s.began.IsZero() {
		t.s.began = t.a.o.Now()
	}
	t.s.model = model
	t.s.system = t.a.o.SystemPrompt(t.promptInput())
}

func (t *turn) promptInput() prompt.Input {
	p := t.set.Prompt
	in := prompt.Input{
		Home: t.a.o.Home, Dir: t.a.o.Dir, Model: t.info.Model, Provider: t.info.Provider,
		Platform: t.a.o.Platform, Started: t.s.began, Window: t.window(), HasTools: len(t.offer.defs) > 0,
		Tools: t.offer.names, Custom: t.set.CustomPrompt, Enforce: t.set.Enforce, NoRules: t.set.NoRules,
		NoFinish: p.NoFinish, NoBatch: p.NoBatch, MemoryLimit: p.MemoryLimit, UserLimit: p.UserLimit,
		Profile: p.Profile, HintAdd: p.HintAdd, HintInstead: p.HintInstead, Compacted: t.s.compacted,
	}
	if p.PassSessionID {
		in.Session = t.s.id
	}
	if t.a.o.Skills != nil {
		in.Skills = t.a.o.Skills(t.offer.names, t.offer.toolsets())
	}
	if !p.NoWorkspace && len(t.offer.defs) > 0 {
		in.Workspace = t.a.workspace.text(t.c.ctx)
	}
	return in
}

// snapshot is the description of the workspace, taken once.
type snapshot struct {
	once  sync.Once
	ready chan struct{}
	value string
	take  func() // fills value and closes ready
}

// snapshotTime bounds what git may take, snapshotWait what a turn waits for it.
const (
	snapshotTime = 3 * time.Second
	snapshotWait = 300 * time.Millisecond
)

func newSnapshot(a *Agent) *snapshot {
	s := &snapshot{ready: make(chan struct{})}
	s.take = func() {
		if !a.beginCall() {
			close(s.ready)
			return
		}
		safe.Go(a.o.Log, "workspace", func() {
			defer a.calls.Done()
			defer close(s.ready)
			ctx, cancel := context.WithTimeout(a.background, snapshotTime)
			defer cancel()
			s.value = prompt.Snapshot(ctx, a.o.Dir)
		}, nil)
	}
	return s
}

// text waits a little for the description; without it the prompt is made
// without.
func (s *snapshot) text(ctx context.Context) string {
	s.once.Do(s.take)
	limit := time.NewTimer(snapshotWait)
	defer limit.Stop()
	select {
	case <-s.ready:
		return s.value
	case <-ctx.Done():
	case <-limit.C:
	}
	return ""
}

// Warm begins what the first turn needs, in the background. It may be called
// once the first frame is there.
func (a *Agent) Warm() { a.workspace.once.Do(a.workspace.take) }

// window is the model's context window in tokens, 0 when unknown.
func (t *turn) window() int {
	if t.learned > 0 {
		return t.learned
	}
	if t.set.ContextWindow > 0 {
		return t.set.ContextWindow
	}
	return t.info.Window
}

// relabel is a system prompt with the names of another model in its last
// lines: the rest stays, byte for byte (contract/core §1.6).
func relabel(system, model, provider string) string {
	for _, l := range [][2]string{{"Model: ", model}, {"Provider: ", provider}} {
		i := strings.LastIndex("\n"+system, "\n"+l[0])
		if i < 0 {
			continue
		}
		_, rest, more := strings.Cut(system[i:], "\n")
		if more {
			rest = "\n" + rest
		}
		system = system[:i] + l[0] + l[1] + rest
	}
	return system
}
