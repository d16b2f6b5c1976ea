package tui

import (
	"strings"
	"testing"

	"hermes/agent/event"
)

// On a small screen the banner is the plugin line and one line of tools.
func TestBannerOnSmallScreens(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {80, 19}} {
		r := start(t, size[0], size[1])
		r.bus.Emit(event.ModelChanged{Model: "demo", Provider: "demo", Demo: true})
		var builtin []event.ToolInfo
		for _, tool := range sampleTools() {
			if tool.Owner == "" {
				builtin = append(builtin, tool)
			}
		}
		r.bus.Emit(event.ToolsChanged{Tools: builtin})
		r.bus.Emit(event.PluginState{Plugin: example("calculator")})
		r.bus.Emit(event.PluginsSettled{})
		s := r.WaitText("plugins  1 off · F5 calculator", "toolsets browser: browse")
		if y := strings.Count(s.String(), "│ "); s.Contains("more set") || s.Contains("F1") || !strings.HasPrefix(s.Row(3), "╰") {
			t.Errorf("%v: more than two lines (%d) in the banner:\n%s", size, y, s)
		}
		r.Press("f5")
		r.waitCall(t, "enable calculator")
		r.bus.Emit(event.ToolsChanged{Tools: sampleTools()[len(sampleTools())-2:]})
		if size[0] == 40 {
			r.WaitText("toolsets calculator: calculate,", "unit_convert")
		} else {
			r.WaitText("toolsets calculator: calculate, unit_convert")
		}
	}
}

// Every column that matters stands in the list of hook events, and the
// selected one is told in full below it.
func TestHookEventsOnSmallScreens(t *testing.T) {
	r := startLoaded(t, 40, 12)
	r.begin("go")
	for range 9 {
		r.bus.Emit(event.HookRun{Meta: turn1, Hook: "pre_tool_call", Plugin: "guard", Callback: "no_rm", Ms: 3, Effect: "block", Detail: "rm -rf"})
	}
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "post_tool_call", Plugin: "storm-of-events", Callback: "cb960", Ms: 200, Err: &event.PluginError{Type: "ValueError", Message: "bad payload"}})
	r.Press("f3")
	s := r.WaitText("▸post_tool_call storm-o… 200ms  ValueEr", " pre_tool_call  guard·n…   3ms  BLOCK", "storm-of-events.cb960", "200ms · ValueError: bad payload")
	s.AssertSound(t)
	r.Press("up")
	r.WaitText("guard.no_rm", "3ms · BLOCK «rm -rf»")
}

// The help is readable in full at any width.
func TestHelpOnSmallScreens(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120} {
		r := startLoaded(t, width, 12)
		r.Press("f1", "/")
		r.Type("shift+enter")
		r.Press("enter")
		s := r.WaitText("Alt+Enter Ctrl+J", "tells it")
		var words []string
		for _, row := range s.Lines()[2:] {
			words = append(words, strings.Fields(row)...)
		}
		if !strings.Contains(strings.Join(words, " "), "new line (Shift+Enter where the terminal tells it apart)") {
			t.Errorf("width %d: the text is cut:\n%s", width, s)
		}
	}
}
