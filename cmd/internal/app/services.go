package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"unicode/utf8"

	"hermes/agent/tool"
)

// services is what plugins may ask of the program (plugins.Services).
type services struct{ rt *Runtime }

// CallTool takes a call of a plugin through the pipeline that every call takes,
// within the size budget of a result (decision D11).
func (s services) CallTool(ctx context.Context, from tool.Call, name string, args json.RawMessage) string {
	rt := s.rt
	if from.Session == "" {
		from.Session = rt.agent.Session()
	}
	if from.Task == "" {
		from.Task = from.Session
	}
	out := rt.agent.CallToolFor(ctx, from, name, args)
	if t, ok := rt.tools.Get(name); ok && t.Spec().NoBudget {
		return out.Result
	}
	if utf8.RuneCountInString(out.Result) <= tool.BudgetFor(rt.window()).Result {
		return out.Result
	}
	return tool.Spill(filepath.Join(os.TempDir(), "hermes-results"), out.Call, out.Result)
}

// window is the context window of the model that answers, in tokens; 0 when it
// is not known.
func (rt *Runtime) window() int {
	if n := rt.agentSettings().ContextWindow; n > 0 {
		return n
	}
	if box := rt.client.Load(); box != nil && box.Client != nil {
		return box.Info().Window
	}
	return 0
}

// Inject queues a plugin's message behind a turn that runs. Without a user there
// is no conversation that would go on.
func (s services) Inject(text string) bool {
	if !s.rt.opt.Interactive {
		return false
	}
	s.rt.agent.Inject(s.rt.redactText(text), "plugin")
	return true
}

// Ask is the way to the user.
func (s services) Ask() tool.AskFunc { return s.rt.asker() }
