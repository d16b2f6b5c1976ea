// Package status draws the status line: what the program does now, who
// answers, how full the context is, how the plugins and their hooks fare.
package status

import (
	"fmt"
	"strings"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
	"hermes/tui/transcript"
)

// Options say where and when the line is drawn.
type Options struct {
	Width int
	Rows  int // of the screen
	Now   time.Time
	Frame int    // of the spinner
	Alert string // stands in the place of the state when not empty
	Asks  bool   // a question waits for the user
	Panel bool   // the side panel shows plugins and hooks already
	Host  bool   // the plugin page is open: the host in place of the plugins
	Keys  bool   // no row of key hints is shown: name the way to help
	Dir   string // shortened working directory
}

// shortRows is the height below which only state, context and plugins stay.
const shortRows = 12

// Line returns the status line, at most o.Width cells.
func Line(l *look.Look, s *live.State, o Options) string {
	var segs []string
	add := func(seg string) {
		if seg != "" {
			segs = append(segs, seg)
		}
	}
	short := o.Rows < shortRows
	state, quiet := State(l, s, o)
	add(state)
	if !short && !(quiet && s.Model.Demo) {
		add(modelName(l, s))
	}
	add(contextUse(l, s))
	switch {
	case o.Host && !short:
		add(host(l, s))
	case !o.Panel && !s.Turn.Running:
		add(Plugins(l, s))
	}
	if s.Running > 0 && !short {
		add(l.T(locale.UIBackground, s.Running))
	}
	if !short {
		if !o.Panel && !s.Turn.Running && !o.Host {
			add(hooks(l, s))
		}
		if s.Turn.Running {
			if !o.Panel { // which shows the time, the queue and the plugins
				add(l.T(locale.UITurnTime, look.Apart(look.Elapsed(o.Now.Sub(s.Turn.Started)))))
			}
			if !o.Asks {
				add(l.T(locale.UIStopKey))
			}
			if n := len(s.Queue); n > 0 && !o.Panel {
				add(l.T(locale.UIQueueCount, n))
			}
			if !o.Panel && !o.Host {
				add(Plugins(l, s))
			}
		} else if o.Keys {
			add("F1 " + l.T(locale.UIHelp))
		}
		if o.Dir != "" && !o.Keys && !s.Turn.Running {
			add(render.Line(o.Dir))
		}
	}
	return fit(l, segs, o.Width)
}

// fit joins as many segments as there is room for; the first is cut rather
// than dropped.
func fit(l *look.Look, segs []string, width int) string {
	sep := " " + l.Style.Border.Render(l.Glyph.Sep) + " "
	line := " " + segs[0]
	for _, seg := range segs[1:] {
		if render.Width(line)+3+render.Width(seg) > width {
			break
		}
		line += sep + seg
	}
	return render.Truncate(line, width, render.Ellipsis)
}

// State says what the program does; quiet is true when it does nothing.
func State(l *look.Look, s *live.State, o Options) (text string, quiet bool) {
	st := l.Style
	t := &s.Turn
	spin := l.Glyph.Spinner[0]
	if !l.Still {
		spin = l.Glyph.Spinner[o.Frame%len(l.Glyph.Spinner)]
	}
	since := func(at time.Time) string { return look.Millis(float64(max(o.Now.Sub(at), 0).Milliseconds())) }
	work := func(what string) (string, bool) { return st.Accent.Render(spin) + " " + what, false }
	switch {
	case o.Alert != "":
		return st.Warn.Render(o.Alert), false
	case o.Asks:
		return st.Warn.Render(l.Glyph.Attention + " " + l.T(locale.UIWaitingForYou)), false
	case t.Hook != nil && t.Running:
		limit := ""
		if t.Hook.Limit > 0 {
			limit = "/" + look.Elapsed(t.Hook.Limit)
		}
		return work(l.T(locale.UIHook) + " " + render.Line(t.Hook.Plugin+"."+t.Hook.Callback) + " " + since(t.Hook.Since) + limit + "  " + l.T(locale.UISkipKeyShort))
	case t.Running && t.Waiting != "":
		return work(render.Line(t.Waiting) + " " + since(t.Started))
	case t.Running && t.Retry != nil:
		return work(l.T(locale.UIRetryShort, t.Retry.N, t.Retry.Max))
	case t.Running && len(t.Calls) > 0:
		c := t.Calls[len(t.Calls)-1]
		what := render.Line(strings.TrimSpace(c.Name + " " + transcript.Gist(c)))
		if n := len(t.Calls); n > 1 {
			what = l.T(locale.UIToolCount, n)
		}
		return work(render.Truncate(what, 30, render.Ellipsis) + " " + since(c.At))
	case t.Running && t.Answers:
		return work(l.T(locale.UIAnswering))
	case t.Running:
		return work(verb(l, t) + " " + since(t.Started))
	case s.Host.State == event.HostStarting && !s.Settled && s.Plugins.Len() > 0:
		return st.Muted.Render(l.T(locale.UIPluginsStarting)), true
	case hostTrouble(l, s) != "":
		return st.Warn.Render(hostTrouble(l, s)), false
	case s.Model.Demo:
		return st.Warn.Render(l.T(locale.UIDemoModel)), true
	case s.Model.Name == "":
		return l.Glyph.More, true
	}
	return st.OK.Render(l.T(locale.UIReady)), true
}

// hostTrouble says in a few words that the plugins' process is not there,
// empty when it is or when nothing needs it.
func hostTrouble(l *look.Look, s *live.State) string {
	if s.Plugins.Len() == 0 {
		return ""
	}
	switch s.Host.State {
	case event.HostCrashed, event.HostBackoff:
		return l.T(locale.UIHostRestarting)
	case event.HostStopped:
		return l.T(locale.UIHostStopped)
	}
	return ""
}

// verb is the word for waiting for the model; a skin may bring its own.
func verb(l *look.Look, t *live.Turn) string {
	if v := l.Theme.ThinkingVerbs; len(v) > 0 {
		n := 0
		for _, c := range t.ID {
			n += int(c)
		}
		return render.Line(v[n%len(v)])
	}
	return l.T(locale.UIThinking)
}

func modelName(l *look.Look, s *live.State) string {
	if s.Model.Demo {
		return l.Style.Warn.Render(l.T(locale.UIDemoModel))
	}
	return render.Truncate(render.Line(s.Model.Name), 28, render.Ellipsis)
}

// contextUse is context now / window and percent, as the last request counted.
func contextUse(l *look.Look, s *live.State) string {
	m := s.Model
	switch {
	case m.Demo:
		return l.Glyph.Dash
	case m.Name == "" || m.Window == 0 && !m.Counted:
		return ""
	case m.Window == 0:
		return thousands(m.Context)
	case !m.Counted:
		return "0/" + thousands(m.Window)
	}
	pct := m.Percent()
	about := ""
	if m.Estimated {
		about = "~"
	}
	text := fmt.Sprintf("%s%s/%s %d%%", about, thousands(m.Context), thousands(m.Window), pct)
	switch { // the reference's steps
	case pct > 80:
		return l.Style.Error.Render(text)
	case pct >= 50:
		return l.Style.Warn.Render(text)
	}
	return text
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%dk", (n+500)/1000)
}

// Plugins is the counts by state: plugins 4✓ 1▲ 1✗.
func Plugins(l *look.Look, s *live.State) string {
	c := Counts(l, s)
	if c == "" {
		return ""
	}
	return l.T(locale.UIPlugins) + " " + c
}

// Counts is the counts alone: 4✓ 1▲ 1! 1✗, empty when none counts.
func Counts(l *look.Look, s *live.State) string {
	n := map[string]int{}
	for h, c := range s.Plugins.Counts() {
		if sign := l.Count(h); sign != "" {
			n[sign] += c
		}
	}
	g := l.Glyph
	var parts []string
	for _, p := range []struct {
		sign  string
		style look.Style
	}{{g.OK, l.Style.OK}, {g.Attention, l.Style.Warn}, {"!", l.Style.Warn}, {g.Failed, l.Style.Error}} {
		if n[p.sign] > 0 {
			parts = append(parts, fmt.Sprint(n[p.sign])+p.style.Render(p.sign))
		}
	}
	return strings.Join(parts, " ")
}

func hooks(l *look.Look, s *live.State) string {
	if s.Plugins.Len() == 0 {
		return ""
	}
	ms, ok := s.Hooks.P95()
	if !ok {
		return l.T(locale.UIHooks) + " " + l.Glyph.Dash
	}
	return l.T(locale.UIHooks) + " p95 " + look.Millis(ms)
}

// host is the state of the plugins' process.
func host(l *look.Look, s *live.State) string {
	h := s.Host
	switch h.State {
	case "":
		return ""
	case event.HostReady:
		out := l.T(locale.UIHostPid, h.Pid)
		if h.Python != "" {
			out += " " + l.Glyph.Bullet + " Python " + render.Line(h.Python)
		}
		if h.Restarts > 0 {
			out += " " + l.Glyph.Bullet + " " + l.T(locale.UIRestarts, h.Restarts)
		}
		return out
	case event.HostAbsent:
		return l.Style.Warn.Render(l.T(locale.UIHostAbsent))
	case event.HostStarting:
		return l.T(locale.UIPluginsStarting)
	}
	text := hostTrouble(l, s)
	switch {
	case text == "":
		return ""
	case h.Err != "":
		text += ": " + render.Line(h.Err)
	}
	return l.Style.Warn.Render(render.Truncate(text, 60, render.Ellipsis))
}
