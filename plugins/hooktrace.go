package plugins

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/plugins/internal/bridge"
)

// Counts after which a hook of a plugin is paused (decision D10).
const (
	pauseAfterTimeouts = 3
	pauseAfterErrors   = 5
)

// meta is the envelope of events about this call.
func (i *invocation) meta() event.Meta {
	return event.Meta{Session: i.subject.Session, Turn: i.subject.Turn}
}

// note tells of one callback that ran, counts its failures and lets a guard
// fail closed.
func (m *Manager) note(i *invocation, t bridge.HookTrace, returns []json.RawMessage, out *hook.Outcome) {
	run := event.HookRun{
		Meta: i.meta(), Hook: i.name, Plugin: t.Plugin, Callback: t.Callback, Ms: t.Ms,
		Call: i.subject.Call, Payload: i.shownPayload(),
	}
	switch {
	case t.Skipped == "user":
		run.Effect = "skipped" // the user's wish, no fault of the plugin
	case t.Skipped != "":
		run.Timeout = true
		run.Effect = "late"
		if run.Err = m.failure(t.At); run.Err == nil {
			run.Err = &event.PluginError{}
		}
		run.Err.Type, run.Err.Where = "TimeoutError", "hook "+i.name
		run.Err.Message = fmt.Sprintf("no answer after %.1f s", t.Ms/1000)
	case t.Error != nil:
		run.Err = m.failure(t.Error)
		m.log.Warn(fmt.Sprintf("Hook '%s' callback %s raised: %s", i.name, t.Callback, run.Err.Message),
			"plugin", t.Plugin, "exc", run.Err.Traceback)
	case t.Value != nil && *t.Value < len(returns):
		run.Effect, run.Detail = m.effect(i.name, returns[*t.Value])
	case t.Foreign != "":
		run.Detail = m.ignored(t.Foreign)
	}
	if len(t.Changed) > 0 && run.Effect == "" {
		run.Effect, run.Detail = "changed", strings.Join(t.Changed, ", ")
	}
	m.opt.Bus.Emit(run)
	m.countFailure(i.name, t, run.Err, out)
}

// late records a callback that answered after it had been skipped. It is not
// counted: the skip was.
func (m *Manager) late(l bridge.HookLate) {
	run := event.HookRun{
		Meta: event.Meta{Session: l.Session, Turn: l.Turn}, Hook: l.Hook, Plugin: l.Plugin, Callback: l.Callback,
		Ms: l.Ms, Effect: "late", Call: l.Call, Err: m.failure(l.Error),
	}
	run.Detail = shorten(m.redact(l.Value), detailLimit)
	m.opt.Bus.Emit(run)
}

// countFailure pauses a hook that keeps failing, unless it guards.
func (m *Manager) countFailure(name string, t bridge.HookTrace, err *event.PluginError, out *hook.Outcome) {
	failed := t.Error != nil || t.Skipped == "timeout"
	m.mu.Lock()
	r := m.byKey[t.Plugin]
	if r == nil {
		m.mu.Unlock()
		return
	}
	guards := m.settings.Entries[r.key].HookFailureBlock
	f := r.failures[name]
	if !failed {
		if f != nil && t.Skipped == "" {
			f.timeouts, f.errors = 0, 0
		}
		m.mu.Unlock()
		return
	}
	if f == nil {
		f = &hookFailures{}
		r.failures[name] = f
	}
	if t.Error != nil {
		f.errors++
	} else {
		f.timeouts++
	}
	pause := !guards && !f.paused && (f.timeouts >= pauseAfterTimeouts || f.errors >= pauseAfterErrors)
	r.info.Error = err
	if pause {
		f.paused = true
		r.info.State = event.PluginPaused
		r.info.Reason = m.text(locale.PluginHookPaused, name, max(f.timeouts, f.errors))
	}
	m.emitRecord(r)
	reason := r.info.Reason
	m.mu.Unlock()
	if pause {
		m.log.Warn("A hook is paused", "plugin", t.Plugin, "hook", name)
		m.notice(event.LevelWarn, t.Plugin+": "+reason)
	}
	if guards {
		out.Failed = guardSentence(t.Plugin, name, err)
	}
}

// guardSentence goes to the model in place of what the guard refused.
func guardSentence(plugin, name string, err *event.PluginError) string {
	return fmt.Sprintf("BLOCKED: the %s guard of plugin '%s' failed (%s: %s) and is set to fail closed", name, plugin, err.Type, err.Message)
}

// unreachable records that plugins could not be asked; their guards fail
// closed, everything else goes on without them.
func (i *invocation) unreachable(records []*record, err error, out *hook.Outcome) {
	s := i.m.currentSettings()
	i.m.log.Warn("Hook could not be called", "hook", i.name, "error", err)
	for _, r := range records {
		if s.Entries[r.key].HookFailureBlock {
			out.Failed = guardSentence(r.key, i.name, &event.PluginError{Type: "HostError", Message: err.Error()})
		}
	}
}

// pausedFor lists the plugins among records whose callbacks on name are
// paused.
func (m *Manager) pausedFor(records []*record, name string) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []string
	for _, r := range records {
		if f := r.failures[name]; f != nil && f.paused {
			keys = append(keys, r.key)
		}
	}
	return keys
}

// shownPayload is the payload as events carry it: without secrets, bounded.
func (i *invocation) shownPayload() string {
	if i.shown == "" {
		i.shown = shorten(i.m.redact(shorten(string(i.payload), 2*event.PreviewLimit)), event.PreviewLimit)
	}
	return i.shown
}

// detailLimit bounds what an event shows of a returned value, in bytes.
const detailLimit = 400

// effect says what a returned value does, in the words of event.HookRun.
func (m *Manager) effect(name string, value json.RawMessage) (effect, detail string) {
	detail = shorten(m.redact(string(value)), detailLimit)
	var text *string
	if json.Unmarshal(value, &text) != nil {
		text = nil
	}
	var dict map[string]json.RawMessage
	_ = json.Unmarshal(value, &dict) // no dict: the map stays nil
	switch name {
	case hook.PreLLMCall:
		if text != nil && strings.TrimSpace(*text) != "" || truthy(dict["context"]) {
			return "context", detail
		}
	case hook.PreToolCall:
		switch str(dict["action"]) {
		case "block":
			if why := str(dict["message"]); why != "" {
				return "block", shorten(m.redact(why), detailLimit)
			}
		case "approve":
			return "approve", detail
		}
	case hook.TransformToolResult, hook.TransformTerminal:
		if text != nil {
			return "value", detail
		}
	case hook.TransformLLMOutput:
		if text != nil && *text != "" {
			return "value", detail
		}
	case hook.PreVerify:
		if goesOn(dict) {
			return "value", detail
		}
	case hook.PreGatewayDispatch:
		switch action := str(dict["action"]); {
		case action == "skip", action == "allow", action == "rewrite" && dict["text"] != nil:
			return "value", detail
		}
	}
	return "", m.ignored(detail)
}

// ignored is detail with the remark that the hook has no use for it.
func (m *Manager) ignored(detail string) string {
	return detail + " (" + m.text(locale.HintValueIgnored) + ")"
}

// goesOn reports whether a value of pre_verify asks for another round
// (contract/plugins §6.6).
func goesOn(dict map[string]json.RawMessage) bool {
	asks := slices.ContainsFunc([]string{str(dict["action"]), str(dict["decision"])}, func(verb string) bool {
		return strings.EqualFold(verb, "continue") || strings.EqualFold(verb, "block")
	})
	return asks && strings.TrimSpace(str(dict["message"])+str(dict["reason"])) != ""
}

func str(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// truthy is Python's idea of it for a JSON value.
func truthy(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", "0", "0.0", `""`, "[]", "{}":
		return false
	}
	return true
}

// shorten cuts s to at most limit bytes at a character's boundary.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
