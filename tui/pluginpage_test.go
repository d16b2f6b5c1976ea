package tui

import (
	"strings"
	"testing"

	"hermes/agent/event"
)

func example(name string) event.Plugin {
	return event.Plugin{Key: name, Name: name, State: event.PluginFound, Source: "bundled", Bundled: true, Example: true, Description: "shows a real plugin"}
}

// A key enables what it was shown for and nothing else, however often it is
// pressed (decision D1).
func TestOfferKeysStay(t *testing.T) {
	r := start(t, 80, 24)
	r.bus.Emit(event.PluginState{Plugin: example("calculator")})
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "zz", Name: "zz", State: event.PluginFailed, Source: "user"}})
	for _, name := range []string{"aa", "bb", "cc"} {
		r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: name, Name: name, State: event.PluginFound, Source: "user"}})
	}
	r.bus.Emit(event.PluginsSettled{})
	r.WaitText("○ aa", "F5 enables it", "○ bb", "F6 enables it", "○ cc", "F7 enables it")
	r.Press("f5")
	r.waitCall(t, "enable aa")
	for _, state := range []string{event.PluginStarting, event.PluginOK} {
		r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "aa", Name: "aa", State: state, Source: "user"}})
		r.WaitGone("○ aa")
		r.Press("f5")
	}
	r.Press("f7")
	r.waitCall(t, "enable cc")
	if log := r.log(); strings.Contains(log, "bb") {
		t.Errorf("F5 enabled another plugin:\n%s", log)
	}
}

// Both examples can be enabled from the first screen, one after the other; a
// page in front hides the offers and their keys.
func TestBothExamplesAreOffered(t *testing.T) {
	r := start(t, 80, 24)
	r.bus.Emit(event.PluginState{Plugin: example("calculator")})
	r.bus.Emit(event.PluginState{Plugin: example("toolbox")})
	r.bus.Emit(event.PluginsSettled{})
	r.WaitText("F5 enables it", "F6 enables it")
	r.Press("f2", "f5", "f2")
	r.WaitText("F5 enables it")
	if log := r.log(); log != "" {
		t.Errorf("a key enabled a plugin from behind a page:\n%s", log)
	}
	for key, name := range map[string]string{"f5": "calculator", "f6": "toolbox"} {
		r.Press(key)
		r.waitCall(t, "enable "+name)
		on := example(name)
		on.State = event.PluginOK
		r.bus.Emit(event.PluginState{Plugin: on})
		r.WaitGone("○ " + name)
	}
}

// b hides and shows what comes with the program and is off, and says which.
func TestBundledPluginsAreHidden(t *testing.T) {
	r := start(t, 80, 24)
	r.bus.Emit(event.PluginState{Plugin: example("calculator")})
	r.bus.Emit(event.PluginState{Plugin: example("toolbox")})
	r.bus.Emit(event.PluginsSettled{})
	r.WaitText("F6 enables it")
	r.Press("f2")
	r.WaitText("user 0 · bundled 2 (b hides)", "○ toolbox", "b bundled")
	r.Press("b")
	s := r.WaitText("user 0 · bundled 2 (b shows)", "No plugins yet.")
	if s.Contains("toolbox") {
		t.Error("b hides nothing")
	}
	r.Press("b")
	r.WaitText("(b hides)", "○ toolbox")
	extra := event.Plugin{Key: "extra", Name: "extra", State: event.PluginFound, Source: "bundled", Bundled: true}
	r.bus.Emit(event.PluginState{Plugin: extra})
	r.WaitText("bundled 3 (b hides)", "○ extra") // all of them were asked for
	r.bus.Emit(event.PluginGone{Key: "extra"})
	for _, name := range []string{"calculator", "toolbox"} {
		on := example(name)
		on.State = event.PluginOK
		r.bus.Emit(event.PluginState{Plugin: on})
	}
	s = r.WaitGone("(b hides)")
	if s.Contains("(b ") || s.Contains("b bundled") {
		t.Errorf("a key is named that does nothing:\n%s", s)
	}
}

// s goes round the orders; the heading names the order with its direction.
func TestSortingPlugins(t *testing.T) {
	r := startLoaded(t, 80, 24)
	for range 5 {
		r.bus.Emit(event.ToolDone{Owner: "weather", Name: "get_weather", Status: event.StatusOK, Ms: 3})
	}
	r.bus.Emit(event.ToolDone{Owner: "calculator", Name: "calculate", Status: event.StatusOK, Ms: 3})
	r.Press("f2")
	r.WaitText("sort: state ↓", " 5   0 ", " 1   0 ")
	for _, want := range []struct{ title, order string }{
		{"sort: name ↑", "broken calculator langfuse old-thing weather"},
		{"sort: calls ↓", "weather calculator broken langfuse old-thing"},
		{"sort: err ↓", "broken langfuse calculator weather old-thing"},
		{"sort: hook p95 ↓", "broken langfuse calculator weather old-thing"},
		{"sort: load ↓", "weather calculator broken langfuse old-thing"},
		{"sort: state ↓", "broken langfuse calculator weather old-thing"},
	} {
		r.Press("s")
		s := r.WaitText(want.title)
		var got []string
		for y := 4; y < 9; y++ {
			got = append(got, strings.Fields(strings.TrimLeft(s.Row(y), "▸ "))[1])
		}
		if strings.Join(got, " ") != want.order {
			t.Errorf("%s shows %v, want %s", want.title, got, want.order)
		}
	}
}

// A plugin that only listens to hooks has runs, not calls.
func TestHookOnlyPluginHasRuns(t *testing.T) {
	r := startLoaded(t, 120, 40)
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "trace", Name: "trace", State: event.PluginOK, Source: "user", Hooks: []string{"post_tool_call"}}})
	r.bus.Emit(event.HookRun{Hook: "post_tool_call", Plugin: "trace", Callback: "after", Ms: 2, Err: &event.PluginError{Type: "ValueError", Message: "bad", Where: "hook post_tool_call"}})
	r.WaitText("● trace       1 hook run 1 err")
	r.Press("f2", "/")
	r.Type("trace")
	r.Press("enter")
	r.WaitText("hook       post_tool_call 1 run 1 err p95 2ms last 2ms")
	r.Resize(80, 24)
	s := r.WaitText("hooks      1 run      1 err   p50 2ms      p95 2ms")
	if s.Contains("calls      ") || s.Contains("0 calls") {
		t.Errorf("calls are told of a plugin without tools:\n%s", s)
	}
}

// Errors are shown in full where there is room for them.
func TestLongErrorsAreWrapped(t *testing.T) {
	why := "manifest cannot be read: plugin.yaml:1: did not find expected node content while parsing a flow node; put the value in quotes"
	for _, size := range [][2]int{{120, 40}, {80, 24}, {200, 50}} {
		r := start(t, size[0], size[1])
		r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "bad", Name: "bad", State: event.PluginFailed, Source: "user", Path: "/home/u/.hermes/plugins/" + strings.Repeat("long/", 12) + "bad", Error: &event.PluginError{Type: "YAMLError", Message: why, Where: "discovery"}}})
		r.bus.Emit(event.PluginsSettled{})
		r.WaitText("1 FAILED")
		r.Press("f2")
		s := r.WaitText("sort: state", "YAMLError: manifest cannot be read:")
		s.AssertSound(t)
		// The right column, or the rows below the list, as one text.
		x, y, _ := s.Find("YAMLError: manifest")
		if size[0] < 110 {
			x = 0
		}
		var words []string
		for ; y < s.H; y++ {
			words = append(words, strings.Fields(s.Text(x, y, s.W-x))...)
		}
		if text := strings.Join(words, " "); !strings.Contains(text, why) {
			t.Errorf("%v: the error is cut:\n%s", size, s)
		}
	}
}

// Hints that have no room go; none is cut.
func TestHintsAreWhole(t *testing.T) {
	for _, opts := range [][]option{nil, {inChinese}} {
		r := startLoaded(t, 80, 24, opts...)
		back := "Esc back to "
		if opts != nil {
			back = "Esc 返回"
		}
		for _, keys := range [][]string{{"f2"}, {"enter"}, {"esc", "f3"}, {"f4"}} {
			r.Press(keys...)
			s := r.WaitText(back)
			_, y, _ := s.Find(back)
			for _, row := range s.Lines()[y-1 : y+1] {
				if strings.Contains(row, "…") {
					t.Errorf("after %v a hint is cut: %s", keys, row)
				}
			}
		}
	}
}

// Letters that arrive together, as over a slow line, are keys one by one.
func TestLettersOnPagesAreKeys(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Press("f2")
	r.WaitText("▸✗ broken")
	r.Raw("jje")
	r.WaitText("Plugins › calculator 1.0.0", "[8 Err]")
}
