package agent

import (
	"context"
	"encoding/json"

	"hermes/agent/hook"
)

// fire runs the callbacks of a hook. With none registered, payload is not even
// built. Callbacks that cannot be reached are logged and otherwise ignored:
// the turn goes on without them.
func (a *Agent) fire(ctx context.Context, name string, payload func() any) hook.Outcome {
	inv := a.o.Hooks()
	if inv == nil || !inv.Has(name) {
		return hook.Outcome{}
	}
	out, err := inv.Invoke(ctx, name, payload())
	if err != nil && ctx.Err() == nil {
		a.o.Log.Warn("Hook could not be run", "hook", name, "error", err)
	}
	return out
}

// firstString returns the first value that is a text; empty ones count only
// when empty is set.
func firstString(values []json.RawMessage, empty bool) (string, bool) {
	for _, v := range values {
		var s string
		if len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &s) == nil && (empty || s != "") {
			return s, true
		}
	}
	return "", false
}
