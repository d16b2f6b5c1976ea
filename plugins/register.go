package plugins

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
	"hermes/plugins/internal/bridge"
	"hermes/plugins/manifest"
)

// refusals is what of a plugin's registrations did not take effect.
type refusals struct {
	reason string // one sentence in the user's language
	err    *event.PluginError
	notes  []string
}

func (f *refusals) add(note string, err *event.PluginError) {
	f.notes = append(f.notes, note)
	if f.reason == "" {
		f.reason, f.err = note, err
	}
}

// show puts f into the row.
func (f *refusals) show(p *event.Plugin) {
	if f.reason == "" {
		return
	}
	p.State, p.Reason, p.Error = event.PluginPartial, f.reason, f.err
	p.Notices = append(p.Notices, f.notes...)
}

// validToolName is what model services accept; one illegal name makes them
// refuse the whole request.
var validToolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// register puts a plugin's registrations into effect in place of those it had,
// and fills in its row. The caller holds m.changing.
func (m *Manager) register(r *record, regs bridge.Registrations) *refusals {
	refused := &refusals{}
	tools := m.registerTools(r, regs.Tools, refused)
	commands := m.admitCommands(r, regs.Commands, refused)
	m.mu.Lock()
	defer m.mu.Unlock()
	r.regs, r.tools, r.commands = regs, tools, commands
	p := &r.info
	p.Tools = make([]event.ToolInfo, 0, len(tools))
	for _, t := range tools {
		p.Tools = append(p.Tools, t.info())
	}
	p.Hooks, p.Callbacks = hookNames(regs.Hooks)
	p.Commands = make([]event.Command, 0, len(commands))
	for _, c := range commands {
		p.Commands = append(p.Commands, r.command(c))
	}
	p.Skills = skillsOf(regs.Skills)
	p.Notices = m.notices(r, regs.Notices)
	return refused
}

func hookNames(hooks []bridge.Callback) ([]string, []event.Callback) {
	names := []string{}
	callbacks := make([]event.Callback, 0, len(hooks))
	for _, h := range hooks {
		if !slices.Contains(names, h.Hook) {
			names = append(names, h.Hook)
		}
		callbacks = append(callbacks, event.Callback{Hook: h.Hook, Name: h.Callback})
	}
	sort.Strings(names)
	return names, callbacks
}

// registerTools brings the registry in line with tools and returns those that
// are in it.
func (m *Manager) registerTools(r *record, tools []bridge.Tool, refused *refusals) []*pluginTool {
	m.mu.Lock()
	old := r.tools
	m.mu.Unlock()
	var in []*pluginTool
	names := map[string]bool{}
	for _, t := range tools {
		pt := m.registerTool(r, t, names[t.Name], refused)
		if pt == nil {
			continue
		}
		if names[t.Name] { // the plugin replaces its own
			in = slices.DeleteFunc(in, func(o *pluginTool) bool { return o.spec.Name == t.Name })
		}
		in = append(in, pt)
		names[t.Name] = true
	}
	for _, t := range old {
		if !names[t.spec.Name] {
			m.removeTool(r, t.spec.Name)
		}
	}
	return in
}

// registerTool puts one tool into the registry, nil when it may not be there.
// again says that the plugin has registered that name before, in this load.
func (m *Manager) registerTool(r *record, t bridge.Tool, again bool, refused *refusals) *pluginTool {
	if !validToolName.MatchString(t.Name) {
		note := m.text(locale.PluginToolName, t.Name)
		m.log.Warn(fmt.Sprintf("Plugin '%s': invalid tool name %q", r.found.Name, t.Name))
		refused.add(note, &event.PluginError{Type: "ValueError", Message: note, Where: "register"})
		return nil
	}
	bundled := r.found.Source == manifest.SourceBundled
	if t.Override && !bundled && !m.currentSettings().Entries[r.key].AllowToolOverride {
		m.refuseOverride(r, t.Name, refused)
		return nil
	}
	pt := newPluginTool(r, t)
	replaced, err := m.addTool(pt, t.Override, again)
	if err != nil {
		m.log.Error(err.Error(), "logger", "tools.registry")
		existing := ""
		var shadow *tool.ShadowError
		if errors.As(err, &shadow) {
			existing = shadow.Existing
		}
		refused.add(m.text(locale.PluginToolShadow, t.Name, existing),
			&event.PluginError{Type: "ToolRejected", Message: err.Error(), Where: "register"})
		return nil
	}
	m.noteReplaced(r, pt, replaced, t.Override)
	return pt
}

// addTool registers pt by the rules of contract/plugins §5.4. Unlike in the
// reference, a built-in tool gives way to an override only, also within its own
// toolset (decision D4).
func (m *Manager) addTool(pt *pluginTool, override, again bool) (tool.Tool, error) {
	old, ok := m.opt.Tools.Get(pt.spec.Name)
	if !ok || override {
		return m.opt.Tools.Add(pt, override)
	}
	own := old.Spec().Owner == pt.r.key && !again
	if own { // of the host before: what counts is what that one had replaced
		m.mu.Lock()
		old = pt.r.replaced[pt.spec.Name]
		m.mu.Unlock()
	}
	if old != nil {
		if o := old.Spec(); o.Owner == "" || own && o.Toolset != pt.spec.Toolset {
			return nil, &tool.ShadowError{Name: pt.spec.Name, Toolset: pt.spec.Toolset, Existing: o.Toolset, BuiltIn: o.Owner == ""}
		}
	}
	return m.opt.Tools.Add(pt, own)
}

// refuseOverride skips one tool whose plugin lacks the operator's consent
// (decision D3); the text is the reference's.
func (m *Manager) refuseOverride(r *record, name string, refused *refusals) {
	text := fmt.Sprintf("Plugin '%s' cannot override built-in tool '%s'. Set plugins.entries.%s.allow_tool_override: true "+
		"in config.yaml to allow this plugin to replace built-in tools.", r.found.Name, name, r.key)
	m.log.Warn(text)
	refused.add(m.text(locale.PluginAsksOverride, name),
		&event.PluginError{Type: "PluginToolOverrideError", Message: text, Where: "register"})
}

// noteReplaced remembers what pt took the place of, to put it back later.
func (m *Manager) noteReplaced(r *record, pt *pluginTool, old tool.Tool, override bool) {
	if old == nil {
		return
	}
	o := old.Spec()
	if o.Owner == r.key {
		return // its own, of the host before
	}
	m.mu.Lock()
	r.replaced[pt.spec.Name] = old
	m.mu.Unlock()
	if override && o.Toolset != pt.spec.Toolset {
		m.log.Info(fmt.Sprintf("Tool '%s': toolset '%s' overriding existing toolset '%s' (override=True opt-in)",
			pt.spec.Name, pt.spec.Toolset, o.Toolset), "logger", "tools.registry")
	}
	if o.Owner != "" {
		note := m.text(locale.PluginToolReplaced, pt.spec.Name, o.Owner)
		m.log.Warn(fmt.Sprintf("Tool '%s' of plugin '%s' replaces the one of plugin '%s'", pt.spec.Name, r.key, o.Owner))
		pt.note = note
	}
}

// removeTool takes one tool back and restores what it had replaced, if that
// still has a plugin to run it.
func (m *Manager) removeTool(r *record, name string) {
	if !m.opt.Tools.Remove(name, r.key) {
		return
	}
	m.mu.Lock()
	old := r.replaced[name]
	delete(r.replaced, name)
	if pt, ok := old.(*pluginTool); ok && !slices.Contains(pt.r.tools, pt) {
		old = nil
	}
	m.mu.Unlock()
	if old != nil {
		_, _ = m.opt.Tools.Add(old, true) // the name is free
	}
}

// dropRegistrations takes everything of r back.
func (m *Manager) dropRegistrations(r *record) {
	m.mu.Lock()
	tools := r.tools
	had := len(r.commands) > 0 || len(r.regs.Hooks) > 0 || len(tools) > 0
	r.proc, r.tools, r.commands, r.regs = nil, nil, nil, bridge.Registrations{}
	r.info.Tools, r.info.Hooks, r.info.Commands = []event.ToolInfo{}, []string{}, []event.Command{}
	r.info.Callbacks, r.info.Skills = nil, nil
	m.mu.Unlock()
	for _, t := range tools {
		m.removeTool(r, t.spec.Name)
	}
	if had {
		m.publish()
	}
}

// notices puts advice into the user's words; m.mu need not be held.
func (m *Manager) notices(r *record, list []bridge.Notice) []string {
	out := slices.Clone(r.found.Notices)
	for _, n := range list {
		switch n.Code {
		case "unknown_hook":
			if n.Meant != "" {
				out = append(out, m.text(locale.PluginUnknownHookDid, n.Hook, n.Meant))
			} else {
				out = append(out, m.text(locale.PluginUnknownHook, n.Hook))
			}
		case "empty_command":
			out = append(out, m.text(locale.PluginCommandEmpty))
		case "schema_wrapped":
			out = append(out, m.text(locale.PluginSchemaWrapped, n.Tool))
		case "schema_bare":
			out = append(out, m.text(locale.PluginSchemaBare, n.Tool))
		case "async_register":
			out = append(out, m.text(locale.PluginAsyncRegister))
		}
	}
	for _, t := range r.tools {
		if t.note != "" {
			out = append(out, t.note)
		}
	}
	return out
}

// publish rebuilds what is read without a lock, and tells of commands.
func (m *Manager) publish() {
	m.mu.Lock()
	table := hookTable{}
	for _, r := range m.records {
		for _, h := range r.regs.Hooks {
			table.add(h.Hook, r)
		}
	}
	m.hooks.Store(&table)
	m.mu.Unlock()
	if m.opt.OnCommandsChanged != nil {
		m.opt.OnCommandsChanged()
	}
}
