package manifest

import (
	"strings"
	"testing"

	"hermes/agent/event"
)

func tools(n int) []event.ToolInfo { return make([]event.ToolInfo, n) }

func TestLinesOfTheGuide(t *testing.T) {
	calculator := event.Plugin{
		Key: "calculator", Name: "calculator", Version: "1.0.0", Kind: KindStandalone, Source: SourceUser,
		State: event.PluginOK, Tools: tools(2), Hooks: []string{"post_tool_call"},
	}
	replaced := event.Plugin{Key: "calculator@bundled", Name: "calculator", Kind: KindStandalone, Source: SourceBundled, State: event.PluginSkipped}
	got := strings.Split(Lines([]event.Plugin{calculator, replaced}, "/h/plugins"), "\n")
	if got[0] != "Plugins (1):" || got[1] != "  ✓ calculator v1.0.0 (2 tools, 1 hooks)" {
		t.Errorf("%q", got)
	}
}

func TestLines(t *testing.T) {
	user := func(name, state string, change func(*event.Plugin)) event.Plugin {
		p := event.Plugin{Key: name, Name: name, Version: "1", Kind: KindStandalone, Source: SourceUser, State: state}
		if change != nil {
			change(&p)
		}
		return p
	}
	got := Lines([]event.Plugin{
		user("zed", event.PluginOK, func(p *event.Plugin) { p.Commands = make([]event.Command, 1) }),
		user("bad", event.PluginFailed, func(p *event.Plugin) {
			p.Error = &event.PluginError{Message: "boom in register"}
			p.Notices = []string{"plugin.yaml:2: advice"}
		}),
		user("weather", event.PluginNeedsKey, func(p *event.Plugin) {
			p.Version = ""
			p.Reason = "Plugin weather disabled (missing: WEATHER_API_KEY)"
		}),
		user("new", event.PluginFound, func(p *event.Plugin) { p.Reason = "not enabled" }),
		user("off", event.PluginDisabled, nil),
		user("slow", event.PluginStarting, nil),
		user("mem", event.PluginSkipped, func(p *event.Plugin) { p.Kind = KindExclusive; p.Reason = "exclusive" }),
		user("pip", event.PluginCrashed, func(p *event.Plugin) { p.Source = SourceEntryPoint; p.Reason = "ended with signal 11\n  in tools.py:3" }),
		user("toolbox", event.PluginOK, func(p *event.Plugin) { p.Source = SourceBundled; p.Tools = tools(3) }),
		user("unused", event.PluginFound, func(p *event.Plugin) { p.Source = SourceBundled }),
	}, "/h/plugins")
	want := `Plugins (9):
  ✗ bad v1
      boom in register
      plugin.yaml:2: advice
  ○ mem v1
      exclusive
  ○ new v1 [not enabled]
      not enabled
  ○ off v1 [disabled]
  ✗ pip v1
      ended with signal 11
      in tools.py:3
  ◌ slow v1 [starting]
  ✓ toolbox v1 (3 tools, 0 hooks)
  ▲ weather
      Plugin weather disabled (missing: WEATHER_API_KEY)
  ✓ zed v1 (0 tools, 0 hooks, 1 commands)
  (+1 bundled — see: hermes plugins list)
  Enable/disable: hermes plugins enable/disable <name>`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLinesWithoutPlugins(t *testing.T) {
	got := Lines([]event.Plugin{{Name: "b", Source: SourceBundled, State: event.PluginFound}}, "/h/plugins")
	want := `No user plugins installed.
  Install one: hermes plugins install owner/repo
  Or drop a plugin directory into /h/plugins/
  (1 bundled plugins available — see: hermes plugins list)`
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}
