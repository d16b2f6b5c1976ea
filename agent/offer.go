package agent

import (
	"context"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/tool"
)

// checkTimeout bounds the availability checks of all tools together, at the
// beginning of a turn.
const checkTimeout = 10 * time.Second

// offer is the set of tools that a turn offers to the model.
type offer struct {
	version uint64 // of the registry it was made from
	hidden  map[string]string
	tools   map[string]tool.Tool
	names   []string // sorted
	defs    []llm.ToolDef
}

// newOffer selects the tools of the chosen toolsets whose checks agree.
func (a *Agent) newOffer(ctx context.Context, s *session, set Settings) *offer {
	o := &offer{hidden: map[string]string{}}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	for _, t := range a.o.Tools.All() {
		spec := t.Spec()
		if !set.Toolsets.Offers(spec.Toolset, spec.Owner != "") {
			continue
		}
		if ok, why := t.Available(ctx); !ok {
			o.hidden[spec.Name] = why
		}
	}
	o.fill(a, s, set)
	return o
}

// refresh takes tools over that were registered or removed since the offer was
// made; the next request follows a plugin that is switched on or off.
func (o *offer) refresh(a *Agent, s *session, set Settings) {
	if o.version != a.o.Tools.Version() {
		o.fill(a, s, set)
	}
}

func (o *offer) fill(a *Agent, s *session, set Settings) {
	o.version = a.o.Tools.Version()
	o.tools, o.names, o.defs = map[string]tool.Tool{}, nil, nil
	for _, t := range a.o.Tools.All() {
		spec := t.Spec()
		if _, hidden := o.hidden[spec.Name]; hidden || !set.Toolsets.Offers(spec.Toolset, spec.Owner != "") {
			continue
		}
		o.tools[spec.Name] = t
		o.names = append(o.names, spec.Name)
		o.defs = append(o.defs, s.define(spec))
	}
}

func (o *offer) list() string { return strings.Join(o.names, ", ") }
