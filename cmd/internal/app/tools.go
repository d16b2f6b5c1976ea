package app

import (
	"context"
	"encoding/json"
	"sort"

	"hermes/agent"
	"hermes/agent/event"
	"hermes/agent/tool"
)

// Tools lists every tool as the next request would offer it, sorted by
// toolset and name; tools that their check hides are marked.
func (rt *Runtime) Tools(ctx context.Context) []event.ToolInfo {
	out, sel := []event.ToolInfo{}, rt.agentSettings().Toolsets
	for _, t := range rt.tools.All() {
		s := t.Spec()
		ok, why := t.Available(ctx)
		if ok && !sel.Offers(s.Toolset, s.Owner != "") {
			ok, why = false, rt.whyToolset(sel, s.Toolset)
		}
		out = append(out, event.ToolInfo{
			Name: s.Name, Toolset: s.Toolset, Description: s.Description, Owner: s.Owner, Emoji: s.Emoji,
			Schema: schemaOf(s), RequiresEnv: s.RequiresEnv, Async: s.Async, HasCheck: s.HasCheck, Hidden: !ok, Why: why,
		})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Toolset != out[j].Toolset {
			return out[i].Toolset < out[j].Toolset
		}
		return out[i].Name < out[j].Name
	})
	return out
}

// schemaOf is the whole function object of a tool. Plugins register one;
// built-in tools are described by their parts.
func schemaOf(s tool.Spec) json.RawMessage {
	if s.Schema != nil {
		return s.Schema
	}
	b, err := json.Marshal(struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}{s.Name, s.Description, s.Parameters})
	if err != nil {
		return json.RawMessage("null") // a schema of ours that is no JSON: its tool's tests say so
	}
	return b
}

// CallTool runs one call through the whole pipeline, without a model.
func (rt *Runtime) CallTool(ctx context.Context, name string, args json.RawMessage) agent.ToolOutcome {
	return rt.agent.CallTool(ctx, name, args)
}

// toolsChanged has the list of tools told anew: after a change of the registry,
// and of the settings that choose among them.
func (rt *Runtime) toolsChanged() {
	select {
	case rt.toolsDirty <- struct{}{}:
	default:
	}
}

// watchTools emits ToolsChanged after every change of the registry, until ctx
// ends. Changes that come while the list is built make one more list.
func (rt *Runtime) watchTools(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-rt.toolsDirty:
			rt.bus.Emit(event.ToolsChanged{Tools: rt.Tools(ctx)})
		}
	}
}
