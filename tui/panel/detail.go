package panel

import (
	"fmt"
	"path/filepath"
	"strings"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// tab is a view of one plugin.
type tab uint8

// Tabs, with the numbers that select them.
const (
	tabOverview tab = iota
	tabTools
	tabHooks
	tabCommands
	tabEnv
	tabErrors
	tabLog
)

type tabInfo struct {
	id   tab
	key  string
	name locale.Msg
}

// tabs lists the tabs; 5 and 6 belong to skills and providers.
func tabs() []tabInfo {
	return []tabInfo{
		{tabOverview, "1", locale.UITabOver},
		{tabTools, "2", locale.UITabTools},
		{tabHooks, "3", locale.UITabHooks},
		{tabCommands, "4", locale.UITabCommands},
		{tabEnv, "7", locale.UITabEnv},
		{tabErrors, "8", locale.UITabErrors},
		{tabLog, "9", locale.UITabLog},
	}
}

func tabByKey(key string) (tab, bool) {
	for _, t := range tabs() {
		if t.key == key {
			return t.id, true
		}
	}
	return 0, false
}

func tabIndex(id tab) int {
	for i, t := range tabs() {
		if t.id == id {
			return i
		}
	}
	return 0
}

// heading is name, version, state and origin in one row.
func heading(v View, q *live.Plugin, width int) string {
	l := v.Look
	left := l.Style.Title.Render(render.Line(q.Name)) + " " + render.Line(q.Version) + "   " + l.State(q.Health()) + " " + word(l, q.Health())
	right := l.Style.Muted.Render(strings.Join(nonEmpty(render.Line(q.Source), render.Line(q.Kind)), " "+l.Glyph.Bullet+" "))
	return pair(left+" ", right+" ", width)
}

func nonEmpty(in ...string) []string {
	var out []string
	for _, s := range in {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// tabRow names the tabs with what is in them; the open one in brackets.
func tabRow(v View, q *live.Plugin, open tab, width int) string {
	l := v.Look
	n := map[tab]int{
		tabTools: len(q.Plugin.Tools), tabHooks: len(q.CallbackList()), tabCommands: len(q.Commands),
		tabEnv: len(q.RequiresEnv), tabErrors: q.ErrorCount(), tabLog: len(q.Log),
	}
	var parts []string
	for _, t := range tabs() {
		text := t.key + " " + l.T(t.name)
		if n[t.id] > 0 {
			text += fmt.Sprintf(" %d", n[t.id])
		}
		if t.id == open {
			text = l.Style.Accent.Render("[" + text + "]")
		}
		parts = append(parts, text)
	}
	return render.Truncate(strings.Join(parts, " "), width, render.Ellipsis)
}

func (p *Plugins) body(v View, q *live.Plugin, width int) []string {
	switch p.tab {
	case tabTools:
		return toolsTab(v, q, width)
	case tabHooks:
		return hooksTab(v, q)
	case tabCommands:
		return commandsTab(v, q, width)
	case tabEnv:
		return envTab(v, q, width)
	case tabErrors:
		return errorsTab(v, q, width)
	case tabLog:
		return logTab(v, q, width)
	}
	return overview(v, q, width)
}

// field is a row with a label.
func field(v View, label locale.Msg, text string) string {
	return v.Look.Style.Muted.Render(render.Pad(v.Look.T(label), 10)) + " " + text
}

// preview is the short detail below the list: reason, place, the line that
// raised.
func preview(v View, q *live.Plugin, width int, pending bool) []string {
	l := v.Look
	left := " " + l.Style.Title.Render(render.Line(q.Name)) + " " + render.Line(q.Version)
	if d := render.Line(q.Description); d != "" {
		left += " " + l.Glyph.Dash + " " + d
	}
	path := l.Style.Muted.Render(tailOf(render.Line(q.Path), width/3))
	out := []string{pair(render.Truncate(left, max(width-render.Width(path)-2, 8), render.Ellipsis), path+" ", width)}
	add := func(rows ...string) {
		for _, r := range rows {
			out = append(out, " "+render.Truncate(r, width-1, render.Ellipsis))
		}
	}
	if why := reason(l, q); why != "" {
		rows := wrapped("", why, width-2)
		const enough = 3 // the list needs room, too; the detail has it all
		if len(rows) > enough {
			rows = append(rows[:enough-1:enough-1], rows[enough-1]+" "+l.Glyph.More)
		}
		add(rows...)
	}
	if t := q.LastError(); t != nil {
		add(place(v, t.Err)...)
	}
	switch {
	case pending:
		add(l.Style.Accent.Render(l.T(locale.UIPending)))
	case q.State == event.PluginFound || q.State == event.PluginDisabled:
		add(wrapped("", l.T(locale.UIEnableHow, render.Line(q.Key)), width-2)...)
	default:
		add(field(v, locale.UILoaded, loaded(v, q)))
		if len(q.Plugin.Tools)+len(q.Plugin.Hooks)+len(q.Commands) > 0 {
			add(field(v, locale.UIRegisters, names(v, q)))
		}
		if q.Calls.N > 0 {
			add(field(v, locale.UIToolsRan, figures(v, &q.Calls, callsOf(), width-12)))
		}
		if q.Hooks.N > 0 {
			add(field(v, locale.UIHooksRanTitle, figures(v, &q.Hooks, runsOf(), width-12)))
		}
	}
	if n := len(q.Log); n > 0 {
		add(field(v, locale.UILogTitle, l.N(n, locale.UILogLine1, locale.UILogLines)+"  "+l.Style.Muted.Render(render.Line(q.Log[n-1].Line))))
	}
	return out
}

// tailOf keeps the end of a path that is too wide.
func tailOf(path string, width int) string {
	n := render.Width(path)
	if n <= width || width < 2 {
		return path
	}
	return render.Ellipsis + render.Cut(path, n-width+1, n)
}

// reason says why a plugin is not well, empty when it is.
func reason(l *look.Look, q *live.Plugin) string {
	switch {
	case q.State == event.PluginNeedsKey && len(q.Missing) > 0:
		return l.T(locale.PluginMissingEnv, render.Line(q.Name), render.Line(strings.Join(q.Missing, ", ")))
	case q.Plugin.Error != nil:
		return l.Style.Error.Render(render.Line(errorText(*q.Plugin.Error)))
	case q.Reason != "":
		return render.Line(q.Reason)
	}
	return ""
}

func errorText(e event.PluginError) string {
	if e.Type == "" {
		return e.Message
	}
	return e.Type + ": " + e.Message
}

// shortFile names a file by its folder, which for a plugin's own is the
// plugin's: a whole path leaves no room for the line.
func shortFile(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
}

// place is where an error happened: file, line, function, source line.
func place(v View, e event.PluginError) []string {
	if e.File == "" {
		return nil
	}
	l := v.Look
	at := render.Line(shortFile(e.File))
	if e.Line > 0 {
		at += fmt.Sprintf(":%d", e.Line)
	}
	if e.Func != "" {
		at = l.T(locale.UIInFunction, at, render.Line(e.Func))
	}
	out := []string{"  " + at}
	if src := render.Line(e.Source); src != "" {
		out = append(out, "  >   "+l.Style.Code.Render(src))
	}
	return out
}

func loaded(v View, q *live.Plugin) string {
	l := v.Look
	if q.LoadMs <= 0 || q.State == event.PluginFailed {
		return l.T(locale.UINever)
	}
	at := ""
	if !q.Since.IsZero() {
		at = look.Clock(q.Since) + " "
	}
	text := at + l.T(locale.UILoadedIn, look.Millis(q.LoadMs))
	if q.ImportMs > 0 {
		text += l.T(locale.UIImportRegister, look.Millis(q.ImportMs), look.Millis(max(q.LoadMs-q.ImportMs, 0)))
	}
	return text
}

// names lists what a plugin registered.
func names(v View, q *live.Plugin) string {
	var parts []string
	for _, t := range q.Plugin.Tools {
		parts = append(parts, render.Line(t.Name))
	}
	for _, h := range q.Plugin.Hooks {
		parts = append(parts, v.Look.T(locale.UIHook)+" "+render.Line(h))
	}
	for _, c := range q.Commands {
		parts = append(parts, "/"+render.Line(c.Name))
	}
	return strings.Join(parts, ", ")
}

// noun is what figures count, for one and for many.
type noun struct{ one, many locale.Msg }

func callsOf() noun { return noun{locale.UICall1, locale.UICalls} }
func runsOf() noun  { return noun{locale.UIRun1, locale.UIRuns} }

// figures are the numbers of a tool or callback in words, in width cells.
func figures(v View, s *live.Stats, what noun, width int) string {
	if s == nil || s.N == 0 {
		return v.Look.Style.Muted.Render(v.Look.T(locale.UINotYet))
	}
	errs := v.Look.T(locale.UIErrShort, s.Errors)
	if s.Errors > 0 {
		errs = v.Look.Style.Error.Render(errs)
	}
	mark := v.Look.Style.OK.Render(v.Look.T(locale.UIHookOK))
	if s.LastBad {
		mark = v.Look.Style.Error.Render(v.Look.Glyph.Failed)
	}
	calls, last := v.Look.N(s.N, what.one, what.many), v.Look.T(locale.UILastMs, look.Millis(s.LastMs))
	p50, p95 := look.Millis(s.P(50)), look.Millis(s.P(95))
	const full = 68
	if width < full {
		return strings.Join([]string{calls, errs, "p95 " + p95, last}, " ")
	}
	return fmt.Sprintf("%s  %s   p50 %s   p95 %s  %s %s  %s", render.Pad(calls, 9), errs, render.Pad(p50, 6), render.Pad(p95, 6), mark, look.Clock(s.LastAt), last)
}

func overview(v View, q *live.Plugin, width int) []string {
	l := v.Look
	var out []string
	add := func(rows ...string) { out = append(out, rows...) }
	if d := render.Line(q.Description); d != "" {
		add(wrapped(field(v, locale.UIAbout, ""), d, width)...)
	}
	if q.Author != "" {
		add(field(v, locale.UIAuthor, render.Line(q.Author)))
	}
	add(wrappedHard(field(v, locale.UIPath, ""), render.Line(q.Path), width)...)
	add(field(v, locale.UILoaded, loaded(v, q)))
	if q.State == event.PluginFound || q.State == event.PluginDisabled {
		add("")
		add(wrapped("", l.T(locale.UIEnableHow, render.Line(q.Key)), width)...)
	}
	why := reason(l, q)
	if why != "" {
		add("")
		add(wrapped("", why, width)...)
	}
	if len(q.Plugin.Tools)+len(q.CallbackList())+len(q.Commands) > 0 {
		add("")
	}
	name := 16
	if width < 75 {
		name = 14
	}
	room := width - 10 - 1 - name - 1
	row := func(kind locale.Msg, what, text string) {
		add(l.Style.Muted.Render(render.Pad(l.T(kind), 10)) + " " + render.Fit(what, name) + " " + text)
	}
	for _, t := range q.Plugin.Tools {
		row(locale.UIKindTool, render.Line(t.Name), figures(v, q.Tools[t.Name], callsOf(), room))
	}
	for _, c := range q.CallbackList() {
		row(locale.UIKindHook, render.Line(c.Hook), figures(v, &c.Stats, runsOf(), room)+"  "+bars(l, c))
	}
	for _, c := range q.Commands {
		row(locale.UIKindCommand, "/"+render.Line(c.Name), render.Line(c.Description))
	}
	for _, n := range q.Notices {
		add(wrapped(l.Style.Warn.Render("! "), render.Line(n), width)...)
	}
	if t := q.LastError(); t != nil {
		add("")
		text := look.Clock(t.At) + "  " + render.Line(t.Err.Where)
		if q.Plugin.Error == nil || *q.Plugin.Error != t.Err { // else it stands above
			text += "  " + l.Style.Error.Render(render.Line(errorText(t.Err)))
		}
		add(wrapped(field(v, locale.UILastError, ""), text, width)...)
		for _, r := range place(v, t.Err) {
			add(strings.Repeat(" ", 11) + r)
		}
		add(strings.Repeat(" ", 11) + l.Style.Muted.Render(l.T(locale.UIErrorKey)))
	}
	return out
}

// wrapped puts a text after a lead, and hangs what follows below it.
func wrapped(lead, text string, width int) []string {
	return hanging(lead, render.Wrap(text, max(width-render.Width(lead), 1)))
}

// wrappedHard is wrapped for a text without words: a path.
func wrappedHard(lead, text string, width int) []string {
	return hanging(lead, render.WrapHard(text, max(width-render.Width(lead), 1)))
}

func hanging(lead string, rows []string) []string {
	n := render.Width(lead)
	for i := range rows {
		if i == 0 {
			rows[i] = lead + rows[i]
		} else {
			rows[i] = strings.Repeat(" ", n) + rows[i]
		}
	}
	return rows
}

func orElse(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
