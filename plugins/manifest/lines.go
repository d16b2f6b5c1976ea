package manifest

import (
	"fmt"
	"slices"
	"strings"

	"hermes/agent/event"
)

// Glyphs of the list (decision D12).
const (
	glyphOK     = "✓"
	glyphFailed = "✗"
	glyphKey    = "▲"
	glyphOff    = "○"
	glyphBusy   = "◌" // still loading
)

// State words of the list, in brackets; the reference's (contract/plugins §11.2).
const (
	wordNotEnabled = "not enabled"
	wordDisabled   = "disabled"
)

// Lines is the text of /plugins (decision D12): a header with the number of
// plugins that follow, one line for each, what is wrong below it, and the
// reference's footer. It lists the plugins of the user, the project and
// packages, and the bundled ones that are in use. It is the same in every
// language, but for the reasons; pluginsDir is shown where there is none.
func Lines(plugins []event.Plugin, pluginsDir string) string {
	var shown []event.Plugin
	bundled := 0
	for _, p := range plugins {
		switch {
		case p.Source != SourceBundled:
			shown = append(shown, p)
		case bundledInUse(p):
			shown = append(shown, p)
		default:
			bundled++
		}
	}
	var b strings.Builder
	if len(shown) == 0 {
		b.WriteString("No user plugins installed.\n")
		b.WriteString("  Install one: hermes plugins install owner/repo\n")
		fmt.Fprintf(&b, "  Or drop a plugin directory into %s\n", strings.TrimSuffix(pluginsDir, "/")+"/")
		if bundled > 0 {
			fmt.Fprintf(&b, "  (%d bundled plugins available — see: hermes plugins list)\n", bundled)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	slices.SortStableFunc(shown, func(x, y event.Plugin) int { return strings.Compare(x.Name, y.Name) })
	fmt.Fprintf(&b, "Plugins (%d):\n", len(shown))
	for _, p := range shown {
		b.WriteString(Line(p))
		b.WriteByte('\n')
		for _, why := range whys(p) {
			b.WriteString("      " + why + "\n")
		}
	}
	if bundled > 0 {
		fmt.Fprintf(&b, "  (+%d bundled — see: hermes plugins list)\n", bundled)
	}
	b.WriteString("  Enable/disable: hermes plugins enable/disable <name>")
	return b.String()
}

// bundledInUse reports whether a bundled plugin counts as one of the user's: he
// enabled it, or it is one that he would miss.
func bundledInUse(p event.Plugin) bool {
	switch p.State {
	case event.PluginFound, event.PluginDisabled, event.PluginSkipped:
		return false
	}
	return p.Kind == KindStandalone
}

// Line is the line of one plugin:
//
//	<glyph> <name>[ v<version>][ [<state>]][ (<t> tools, <h> hooks[, <c> commands])]
func Line(p event.Plugin) string {
	var b strings.Builder
	b.WriteString("  " + Glyph(p.State) + " " + p.Name)
	if p.Version != "" {
		b.WriteString(" v" + p.Version)
	}
	if word := stateWord(p.State); word != "" {
		b.WriteString(" [" + word + "]")
	}
	if counts := counts(p); counts != "" {
		b.WriteString(" (" + counts + ")")
	}
	return b.String()
}

// Glyph marks a state in lists.
func Glyph(state string) string {
	switch state {
	case event.PluginFailed, event.PluginCrashed:
		return glyphFailed
	case event.PluginNeedsKey:
		return glyphKey
	case event.PluginFound, event.PluginDisabled, event.PluginSkipped:
		return glyphOff
	case event.PluginStarting:
		return glyphBusy
	}
	return glyphOK
}

func stateWord(state string) string {
	switch state {
	case event.PluginFound:
		return wordNotEnabled
	case event.PluginDisabled:
		return wordDisabled
	case event.PluginStarting, event.PluginPaused:
		return state
	}
	return ""
}

// counts is "2 tools, 1 hooks[, 1 commands]" of a plugin that registered
// something, never singular: the reference writes it so.
func counts(p event.Plugin) string {
	if len(p.Tools)+len(p.Hooks)+len(p.Commands) == 0 {
		return ""
	}
	s := fmt.Sprintf("%d tools, %d hooks", len(p.Tools), len(p.Hooks))
	if n := len(p.Commands); n > 0 {
		s += fmt.Sprintf(", %d commands", n)
	}
	return s
}

// whys are the sentences below a line.
func whys(p event.Plugin) []string {
	var out []string
	add := func(s string) {
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); line != "" && !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	add(p.Reason)
	if p.Error != nil && p.Reason == "" {
		add(p.Error.Message)
	}
	for _, n := range p.Notices {
		add(n)
	}
	return out
}

// Status words of `hermes plugins list` (contract/plugins §10.4): what the
// settings say, whatever became of it.
const (
	StatusEnabled    = "enabled"
	StatusNotEnabled = "not enabled"
	StatusDisabled   = "disabled"
)

// StatusWord is the status of a plugin in `hermes plugins list`.
func StatusWord(f Found) string {
	switch {
	case f.Load, f.State == event.PluginNeedsKey, f.State == event.PluginFailed && !f.dropped:
		return StatusEnabled
	case f.State == event.PluginDisabled:
		return StatusDisabled
	case f.State == event.PluginSkipped && (f.Kind == KindModelProvider || f.Source == SourceBundled && f.Kind == KindPlatform):
		return StatusEnabled // works without being in the list
	}
	return StatusNotEnabled
}

// SourceWord is the source in `hermes plugins list`: git for a user's folder
// that is a clone.
func SourceWord(f Found) string {
	if f.Source == SourceUser && isClone(f.Dir) {
		return "git"
	}
	return f.Source
}
