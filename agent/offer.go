package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/prompt"
	"hermes/agent/tool"
)

// checkTimeout bounds the availability checks of all tools together, at the
// beginning of a turn.
const checkTimeout = 10 * time.Second

// offer is the set of tools that a turn offers to the model.
type offer struct {
	version uint64 // of the registry it was made from
	hidden  map[string]string
	small   bool // the window is small: fewer and shorter tools
	left    int  // built-in tools that were left out for it
	tools   map[string]tool.Tool
	names   []string // sorted
	defs    []llm.ToolDef
}

// newOffer selects the tools of the chosen toolsets whose checks agree.
func (a *Agent) newOffer(ctx context.Context, s *session, set Settings, window int) *offer {
	o := &offer{hidden: map[string]string{}, small: window > 0 && window <= prompt.SmallWindow}
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	for _, t := range a.o.Tools.All() {
		spec := t.Spec()
		if !set.offers(spec) {
			continue
		}
		if ok, why := t.Available(ctx); !ok {
			o.hidden[spec.Name] = why
		}
	}
	o.fill(a, s, set)
	return o
}

// offers reports whether the settings let the model see a tool.
func (s Settings) offers(spec tool.Spec) bool {
	return s.Toolsets.Offers(spec.Toolset, spec.Owner != "") && !slices.Contains(s.HiddenTools, spec.Name)
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
	o.tools, o.names, o.defs, o.left = map[string]tool.Tool{}, nil, nil, 0
	for _, t := range a.o.Tools.All() {
		spec := t.Spec()
		if _, hidden := o.hidden[spec.Name]; hidden || !set.offers(spec) {
			continue
		}
		if o.small && set.Toolsets.Only == nil && spec.Owner == "" && !slices.Contains(essential, spec.Name) {
			o.left++
			continue
		}
		o.tools[spec.Name] = t
		o.names = append(o.names, spec.Name)
		def := s.define(spec)
		if o.small && spec.Owner == "" {
			def = terse(def)
		}
		o.defs = append(o.defs, def)
	}
}

func (o *offer) list() string { return strings.Join(o.names, ", ") }

// toolsets are the toolsets of the tools on offer, sorted.
func (o *offer) toolsets() []string {
	var out []string
	for _, t := range o.tools {
		out = append(out, t.Spec().Toolset)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// essential are the built-in tools that a small window has room for.
var essential = []string{"terminal", "read_file", "write_file", "patch", "search_files"}

// terse is a definition in few words: what a tool does in one sentence, and
// its parameters without descriptions.
func terse(d llm.ToolDef) llm.ToolDef {
	if i := strings.Index(d.Description, ". "); i > 0 {
		d.Description = d.Description[:i+1]
	}
	var schema any
	if json.Unmarshal(d.Parameters, &schema) != nil {
		return d
	}
	b, err := json.Marshal(undescribed(schema, false))
	if err != nil {
		return d
	}
	d.Parameters, d.Schema = b, nil
	return d
}

// undescribed takes the descriptions out of a schema. named says that v maps
// names of parameters to schemas: a parameter may be called description.
func undescribed(v any, named bool) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if k == "description" && !named {
				delete(v, k)
				continue
			}
			v[k] = undescribed(e, k == "properties" && !named)
		}
	case []any:
		for i, e := range v {
			v[i] = undescribed(e, false)
		}
	}
	return v
}
