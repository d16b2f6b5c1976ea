package panel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// loadTimes draws how long each plugin took to load, in the order of loading
// as far as it is known: by time.
func loadTimes(v View, rows []*live.Plugin, width int) []string {
	l := v.Look
	var loaded []*live.Plugin
	longest := 0.0
	for _, q := range rows {
		if q.LoadMs > 0 {
			loaded = append(loaded, q)
			longest = max(longest, q.LoadMs)
		}
	}
	if len(loaded) == 0 {
		return nil
	}
	sort.SliceStable(loaded, func(i, j int) bool { return loaded[i].Since.Before(loaded[j].Since) })
	out := []string{" " + l.Style.Title.Render(l.T(locale.UILoadTimes))}
	for _, q := range loaded {
		n := max(int(q.LoadMs/longest*8), 1)
		bar := strings.Repeat(l.Glyph.Bars[len(l.Glyph.Bars)-2], n)
		text := "  " + render.Fit(render.Line(q.Name), 11) + bar + " " + look.Millis(q.LoadMs)
		if q.ImportMs > 0 {
			text = render.Pad(text, 26) + l.Style.Muted.Render(l.T(locale.UIImportRegister, look.Millis(q.ImportMs), look.Millis(max(q.LoadMs-q.ImportMs, 0))))
		}
		out = append(out, render.Truncate(text, width, render.Ellipsis))
	}
	return append(out, "")
}

// chains shows for each hook which callbacks it has. Plugins load by key, and
// callbacks run in the order of loading.
func chains(v View, width int) []string {
	l := v.Look
	type link struct {
		q *live.Plugin
		c *live.Callback
	}
	byHook := map[string][]link{}
	var order []string
	all := append([]*live.Plugin{}, v.State.Plugins.Sorted()...)
	sort.SliceStable(all, func(i, j int) bool { return all[i].Key < all[j].Key })
	for _, q := range all {
		for _, c := range q.CallbackList() {
			if byHook[c.Hook] == nil {
				order = append(order, c.Hook)
			}
			byHook[c.Hook] = append(byHook[c.Hook], link{q, c})
		}
	}
	sort.Strings(order)
	var out []string
	for _, hook := range order {
		out = append(out, " "+l.Style.Title.Render(l.T(locale.UIHookChain))+"   "+render.Line(hook))
		for i, k := range byHook[hook] {
			p95 := l.Glyph.Dash
			if k.c.N > 0 {
				p95 = look.Millis(k.c.P(95))
			}
			text := fmt.Sprintf("  %d %s %s p95", i+1, render.Fit(render.Line(k.q.Name+"."+k.c.Name), 20), num(p95, 6))
			switch h := k.q.Health(); {
			case h == look.NeedsKey || h == look.Off || h == look.Failed:
				text += "   " + l.Style.Muted.Render("("+word(l, h)+")")
			case k.c.Errors > 0:
				text += "   " + l.Style.Warn.Render(l.N(k.c.Errors, locale.UIError1, locale.UIErrors))
			}
			out = append(out, render.Truncate(text, width, render.Ellipsis))
		}
	}
	return out
}

// schemaRows shows a schema as indented JSON.
func schemaRows(v View, raw json.RawMessage, width, indent int) []string {
	if len(raw) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		b.Write(raw)
	}
	pad := strings.Repeat(" ", indent)
	var out []string
	for _, row := range render.WrapHard(render.StripAll(b.String()), max(width-indent, 1)) {
		out = append(out, pad+v.Look.Style.Code.Render(row))
	}
	return out
}

// Parameter is one parameter of a tool as a reader wants it.
type parameter struct {
	name, kind string
	required   bool
}

// parameters reads the parameters of a schema, required ones first.
func parameters(raw json.RawMessage) []parameter {
	var s struct {
		Parameters json.RawMessage `json:"parameters"`
		Function   struct {
			Parameters json.RawMessage `json:"parameters"`
		} `json:"function"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	body := s.Parameters
	if len(body) == 0 {
		body = s.Function.Parameters
	}
	var p struct {
		Properties map[string]struct {
			Type any   `json:"type"`
			Enum []any `json:"enum"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if json.Unmarshal(body, &p) != nil {
		return nil
	}
	need := map[string]bool{}
	for _, r := range p.Required {
		need[r] = true
	}
	var out []parameter
	for name, d := range p.Properties {
		kind := fmt.Sprint(d.Type)
		if d.Type == nil {
			kind = "any"
		}
		if len(d.Enum) > 0 {
			var vals []string
			for _, e := range d.Enum {
				vals = append(vals, fmt.Sprintf("%q", fmt.Sprint(e)))
			}
			kind = strings.Join(vals, " | ")
		}
		out = append(out, parameter{name, kind, need[name]})
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].required != out[j].required {
			return out[i].required
		}
		return out[i].name < out[j].name
	})
	return out
}
