package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"hermes/agent/config"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// ToolVerdict says whether the model is offered a tool, and each reason.
type ToolVerdict struct {
	Name    string   `json:"name"`
	Toolset string   `json:"toolset"`
	Owner   string   `json:"owner,omitempty"`
	Offered bool     `json:"offered"`
	Reasons []string `json:"reasons"`
}

// WhyTool explains whether the next request offers a tool. known is false when
// there is none of that name.
func (rt *Runtime) WhyTool(ctx context.Context, name string) (v ToolVerdict, known bool) {
	lang := rt.Lang()
	v = ToolVerdict{Name: name, Reasons: []string{}}
	t, known := rt.tools.Get(name)
	if !known {
		return v, false
	}
	s := t.Spec()
	v.Toolset, v.Owner, v.Offered = s.Toolset, s.Owner, true
	sel := rt.agentSettings().Toolsets
	switch {
	case !sel.Offers(s.Toolset, s.Owner != ""):
		v.Offered = false
		v.Reasons = append(v.Reasons, rt.whyToolset(sel, s.Toolset))
	case sel.Only != nil:
		v.Reasons = append(v.Reasons, locale.WhyOnly.In(lang, s.Toolset))
	default:
		v.Reasons = append(v.Reasons, locale.WhyOn.In(lang, s.Toolset))
	}
	switch ok, why := t.Available(ctx); {
	case !ok:
		v.Offered = false
		v.Reasons = append(v.Reasons, locale.WhyCheck.In(lang, why))
	case s.HasCheck:
		v.Reasons = append(v.Reasons, locale.WhyCheckOK.In(lang))
	}
	if v.Offered {
		if p, err := rt.Preview(ctx); err == nil && !slices.ContainsFunc(p.Tools, func(d llm.ToolDef) bool { return d.Name == name }) {
			v.Offered = false
			v.Reasons = append(v.Reasons, locale.WhySmall.In(lang, p.Window))
		}
	}
	return v, true
}

func (rt *Runtime) whyToolset(sel tool.Selection, set string) string {
	lang := rt.Lang()
	switch {
	case sel.Only != nil:
		return locale.WhyNotNamed.In(lang, set)
	case slices.Contains(sel.Disabled, set):
		return locale.WhyDisabled.In(lang, set)
	case sel.Platform == nil:
		return locale.WhyDefaultOff.In(lang, set, set)
	}
	return locale.WhyUnlisted.In(lang, set, set)
}

// Toolset is a row of hermes tools list.
type Toolset struct {
	Name    string   `json:"name"`
	Enabled bool     `json:"enabled"`
	Owner   string   `json:"owner,omitempty"` // plugin key
	Tools   []string `json:"tools"`
}

// Toolsets lists the toolsets that have tools, those of plugins last.
func (rt *Runtime) Toolsets() []Toolset {
	sel := rt.agentSettings().Toolsets
	var own, plugin []Toolset
	at := map[string]*Toolset{}
	var order []string
	for _, s := range rt.Specs() {
		set := at[s.Toolset]
		if set == nil {
			set = &Toolset{Name: s.Toolset, Owner: s.Owner, Enabled: sel.Offers(s.Toolset, s.Owner != "")}
			at[s.Toolset], order = set, append(order, s.Toolset)
		}
		set.Tools = append(set.Tools, s.Name)
	}
	slices.Sort(order)
	for _, name := range order {
		if set := at[name]; set.Owner == "" {
			own = append(own, *set)
		} else {
			plugin = append(plugin, *set)
		}
	}
	return append(own, plugin...)
}

// SwitchToolsets offers toolsets from the next session on, or no longer: the
// whole choice is written to platform_toolsets.cli, as the reference does it.
// Plugin toolsets that are switched off stay known, so that they do not come
// back by themselves. It returns those that changed; ErrNoToolset, wrapped,
// names those that do not exist, and then nothing is written.
func (rt *Runtime) SwitchToolsets(names []string, on bool) (changed []string, err error) {
	var list, unknown []string
	sets := rt.Toolsets()
	for _, name := range names {
		i := slices.IndexFunc(sets, func(s Toolset) bool { return s.Name == name })
		switch {
		case i < 0:
			unknown = append(unknown, name)
		case sets[i].Enabled != on:
			sets[i].Enabled = on
			changed = append(changed, name)
		}
	}
	if unknown != nil {
		return nil, fmt.Errorf("%w: %s", ErrNoToolset, strings.Join(unknown, ", "))
	}
	if changed == nil {
		return nil, nil
	}
	for _, set := range sets {
		if set.Enabled {
			list = append(list, set.Name)
		}
	}
	chosen := rt.cfg.Load().Strings("platform_toolsets", platform)
	if chosen == nil || slices.Contains(chosen, "hermes-cli") {
		chosen = append(chosen, tool.DefaultToolsets()...)
	}
	for _, n := range chosen { // what this program does not have stays chosen
		if !slices.Contains(list, n) && n != "hermes-cli" && !rt.hasToolset(n) {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	if err := config.SetAt(rt.opt.Home, []string{"platform_toolsets", platform}, func([]*yaml.Node) ([]*yaml.Node, error) {
		return textNodes(list), nil
	}); err != nil {
		return nil, err
	}
	var known []string
	for _, set := range sets {
		if set.Owner != "" {
			known = append(known, set.Name)
		}
	}
	if len(known) == 0 {
		return changed, nil
	}
	return changed, config.SetAt(rt.opt.Home, []string{"known_plugin_toolsets", platform}, func(old []*yaml.Node) ([]*yaml.Node, error) {
		for _, n := range old {
			if !slices.Contains(known, n.Value) {
				known = append(known, n.Value)
			}
		}
		slices.Sort(known)
		return textNodes(known), nil
	})
}

// ErrNoToolset says that no toolset of that name exists.
var ErrNoToolset = errors.New("no such toolset")

func (rt *Runtime) hasToolset(name string) bool {
	return slices.ContainsFunc(rt.Specs(), func(s tool.Spec) bool { return s.Toolset == name })
}

func textNodes(list []string) []*yaml.Node {
	out := make([]*yaml.Node, len(list))
	for i, s := range list {
		out[i] = config.TextNode(s)
	}
	return out
}
