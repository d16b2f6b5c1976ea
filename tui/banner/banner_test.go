package banner

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/tui/internal/live"
	"hermes/tui/internal/look"
	"hermes/tui/internal/render"
)

// The toolsets of plugins are never cut: at any width every tool's name stands
// in the banner, and every row is as wide as it.
func TestPluginToolsetsAreWhole(t *testing.T) {
	name := rapid.StringMatching(`[a-z_]{1,14}`)
	rapid.Check(t, func(t *rapid.T) {
		s := live.New()
		var tools []event.ToolInfo
		var own []string
		for i := range rapid.IntRange(0, 12).Draw(t, "builtin") {
			tools = append(tools, event.ToolInfo{Toolset: "set" + string(rune('a'+i)), Name: name.Draw(t, "b")})
		}
		for i := range rapid.IntRange(1, 6).Draw(t, "plugins") {
			set := "own" + string(rune('a'+i))
			for range rapid.IntRange(1, 8).Draw(t, "tools") {
				n := name.Draw(t, "n")
				own = append(own, n)
				tools = append(tools, event.ToolInfo{Toolset: set, Name: n, Owner: "plug" + string(rune('a'+i%3))})
			}
		}
		s.Apply(event.ToolsChanged{Tools: tools})
		width := rapid.IntRange(34, 160).Draw(t, "width")
		l := look.New(look.Options{Lang: rapid.SampledFrom([]locale.Lang{locale.EN, locale.ZH}).Draw(t, "lang")}, 1)
		rows := Render(l, s, Info{Version: "1", Dir: "/天/x", Rows: rapid.SampledFrom([]int{10, 24, 40}).Draw(t, "rows")}, width)
		var text strings.Builder
		for _, row := range rows {
			plain := ansi.Strip(row)
			if strings.HasPrefix(plain, "│") && render.Width(plain) != width {
				t.Fatalf("row of %d cells in %d: %q", render.Width(plain), width, plain)
			}
			text.WriteString(strings.Trim(plain, "│ ") + " ")
		}
		flat := text.String()
		for _, n := range own {
			if !strings.Contains(flat, n) {
				t.Fatalf("tool %s is not in\n%s", n, strings.Join(rows, "\n"))
			}
		}
	})
}

func TestBuiltinSetsMakeRoom(t *testing.T) {
	s := live.New()
	var tools []event.ToolInfo
	for _, set := range []string{"a", "b", "c", "d", "e", "f"} {
		tools = append(tools, event.ToolInfo{Toolset: set, Name: "t" + set}, event.ToolInfo{Toolset: set, Name: "hidden", Hidden: true})
	}
	tools = append(tools, event.ToolInfo{Toolset: "my_tools", Name: "z", Owner: "mine"}, event.ToolInfo{Toolset: "my_tools", Name: "b", Owner: "mine"})
	s.Apply(event.ToolsChanged{Tools: tools})
	text := func(rows int) string {
		return ansi.Strip(strings.Join(Render(look.New(look.Options{}, 1), s, Info{Rows: rows}, 80), "\n"))
	}
	for rows, want := range map[int]string{24: "… 3 more sets, 14 tools in all (F4)", 40: "f: tf"} {
		got := text(rows)
		if !strings.Contains(got, want) || !strings.Contains(got, "my: b, z") || !strings.Contains(got, "(mine)") {
			t.Errorf("%d rows: no %q in\n%s", rows, want, got)
		}
	}
	if strings.Contains(text(40), "hidden") {
		t.Error("a tool that is not offered is listed")
	}
}

// When most plugins fail, the first five are named.
func TestManyFailures(t *testing.T) {
	s := live.New()
	for _, n := range []string{"p1", "p2", "p3", "p4", "p5", "p6", "p7"} {
		s.Apply(event.PluginState{Plugin: event.Plugin{Key: n, Name: n, State: event.PluginFailed, Error: &event.PluginError{Type: "E", Message: "boom"}}})
	}
	s.Apply(event.PluginsSettled{})
	got := ansi.Strip(strings.Join(Render(look.New(look.Options{}, 1), s, Info{Rows: 24}, 80), "\n"))
	for _, want := range []string{"7 FAILED", "✗ p5", "… 2 more (F2)"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "p6") {
		t.Error("more than five are named")
	}
}
