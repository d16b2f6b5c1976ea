package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hermes/agent/event"
	"hermes/tui/tuitest"
)

// The first frame needs nothing but the facts of the last run, and keeps its
// places when the rest arrives (property U074).
func TestFirstFrameFromFacts(t *testing.T) {
	seen := newFake()
	sub := seen.Subscribe()
	seen.loaded()
	r0 := start(t, 80, 24)
	for _, e := range sub.Take() {
		r0.bus.Emit(e)
	}
	r0.WaitText("1 disabled")
	m := make(chan Facts, 100)
	r := startLoaded(t, 80, 24, remembering(func(f Facts) { m <- f }))
	r.WaitText("1 disabled")
	var facts Facts
	for len(facts.Plugins) == 0 {
		facts = <-m
	}

	again := start(t, 80, 24, withFacts(facts))
	again.caret(t, 2, 21)
	s := again.Snapshot()
	for _, want := range []string{
		"model    deepseek-chat (deepseek)", "file: patch, read_file, search_files, write_file", "calculator: calculate, unit_convert",
		"plugins  3 starting · 1 disabled · 1 off", "│          …",
	} {
		if !s.Contains(want) {
			t.Errorf("the first frame has no %q:\n%s", want, s)
		}
	}
	s.AssertOneComposer(t)
	again.Type("/wea") // commands are known, too
	again.WaitText("/wea ──", "/weather <city>")
	again.Press("ctrl+u")
	again.loaded()
	again.WaitText("2 ok · 1 disabled · 1 FAILED · 1 off")
	again.caret(t, 2, 21)
}

// A plugin that the last run knew and this one does not find goes away.
func TestForgottenPluginsGo(t *testing.T) {
	r := start(t, 80, 24, withFacts(Facts{Plugins: []FactPlugin{{Key: "gone", Name: "gone", State: event.PluginOK}}}))
	r.WaitText("1 starting")
	r.bus.Emit(event.PluginsSettled{})
	r.WaitText("no plugins: copy one to ~/.hermes/plugins")
}

// Without a Python nothing is offered: a key that cannot work helps nobody.
func TestNoOffersWithoutPython(t *testing.T) {
	r := start(t, 80, 24)
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "mine", Name: "mine", State: event.PluginFound, Source: "user"}})
	r.WaitText("F5 enables it")
	r.bus.Emit(event.HostState{State: event.HostAbsent, Err: "no Python"})
	r.WaitGone("F5 enables it")
	r.Press("f5", "f2")
	r.WaitText("mine")
	if r.log() != "" {
		t.Errorf("the key did %s", r.log())
	}
}

// What was found is offered with a key, the examples only to a newcomer
// (decision D1).
func TestOffers(t *testing.T) {
	r := start(t, 80, 24)
	example := func(name string) event.Plugin {
		return event.Plugin{Key: name, Name: name, State: event.PluginFound, Source: "bundled", Bundled: true, Example: true, Description: "shows a real plugin"}
	}
	r.bus.Emit(event.PluginState{Plugin: example("calculator")})
	r.bus.Emit(event.PluginState{Plugin: example("toolbox")})
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "mine", Name: "mine", State: event.PluginFound, Source: "user"}})
	r.bus.Emit(event.PluginsSettled{})
	r.WaitText("○ mine       not enabled", "F5 enables it", "○ calculator example: shows a real plugin", "F6 enables it", "○ toolbox", "F7 enables it")
	r.Press("f6")
	r.waitCall(t, "enable calculator")
	on := example("calculator")
	on.State = event.PluginOK
	r.bus.Emit(event.PluginState{Plugin: on})
	r.WaitGone("○ calculator")
	r.WaitText("○ toolbox", "F7 enables it", "○ mine", "F5 enables it") // keys stay
	r.Press("f5")
	r.waitCall(t, "enable mine")
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "mine", Name: "mine", State: event.PluginOK, Source: "user"}})
	s := r.WaitGone("○ toolbox")
	if s.Contains("enables it") {
		t.Error("an example is still offered to someone who has a plugin")
	}
}

// Numbers change in place while a turn runs, on the page as in the panel.
func TestPluginFiguresAreLive(t *testing.T) {
	r := startLoaded(t, 120, 40)
	r.WaitText("● calculator  2 tools 1 hook")
	r.begin("go")
	for i := range 3 {
		call := fmt.Sprint(i)
		r.bus.Emit(event.ToolStarted{Meta: turn1, Call: call, Name: "calculate", Owner: "calculator"})
		r.WaitText("● calculator  running")
		status := event.StatusOK
		if i == 1 {
			status = event.StatusError
		}
		r.bus.Emit(event.ToolDone{Meta: turn1, Call: call, Name: "calculate", Owner: "calculator", Status: status, Err: "division by zero", Ms: float64(10 * (i + 1))})
	}
	r.WaitText("● calculator  3 calls    1 err")
	r.Press("f2", "down", "down")
	r.WaitText("▸● calculator    1.0.0  ok               3    1")
	s := r.WaitText("tool       calculate      3 calls 1 err p95 30ms last 30ms")
	s.AssertSound(t)
	r.bus.Emit(event.ToolDone{Meta: turn1, Call: "9", Name: "calculate", Owner: "calculator", Status: event.StatusOK, Ms: 50})
	r.WaitText("▸● calculator    1.0.0  ok               4    1", "last 50ms")
	r.Press("8")
	r.WaitText("[8 Err 1]", "tool calculate", "error: division by zero")
	r.Press("3")
	r.WaitText("[3 Hooks 1]", "post_tool_call", "calculator.log_call")
}

// Space turns a plugin on and off; the row says so until the answer comes.
func TestToggleInThePanel(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Press("f2", "end")
	r.WaitText("▸○ old-thing")
	r.Press("space")
	r.waitCall(t, "enable old-thing")
	r.WaitText("old-thing      0.9    enabling …")
	on := event.Plugin{Key: "old-thing", Name: "old-thing", Version: "0.9", State: event.PluginOK, Source: "user", LoadMs: 5}
	r.bus.Emit(event.PluginState{Plugin: on})
	r.WaitText("▸● old-thing      0.9    ok")
	r.Press("space")
	r.waitCall(t, "disable old-thing")
	r.WaitText("disabling…")
	on.State = event.PluginDisabled
	r.bus.Emit(event.PluginState{Plugin: on})
	r.WaitText("▸○ old-thing      0.9    off")
	r.Press("r")
	r.waitCall(t, "reload")
	r.Press("esc")
	r.WaitText("❯")
}

// The selected plugin shows its error with file, line, source and traceback
// (property U061).
func TestErrorOfAPlugin(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Press("f2")
	r.WaitText("▸✗ broken", "RuntimeError: boom at register", "__init__.py:2 in register", `>   raise RuntimeError("boom at register")`)
	r.Press("e")
	s := r.WaitText("Plugins › broken 0.1.0", "[8 Err 1]", "Traceback (most recent call last):", `File "/h/plugins/broken/__init__.py", line 2, in register`)
	s.AssertSound(t)
	r.Press("9")
	r.WaitText("nothing printed yet")
	r.bus.Emit(event.PluginOutput{Key: "broken", Stream: "stderr", Line: "\x1b[31mred\x1b[0m words"})
	s = r.WaitText("stderr  red words")
	x, y, _ := s.Find("red words")
	if s.Cell(x, y).Style.Fg == nil || s.Cell(x+4, y).Style.Fg != nil {
		t.Error("the colour of the output is lost, or does not end")
	}
	r.Press("esc")
	r.WaitText("▸✗ broken")
	r.Press("/")
	r.Type("weath")
	s = r.WaitText("filter: weath", "▸● weather")
	if s.Contains("broken") {
		t.Error("the filter leaves broken in")
	}
	r.Press("enter", "esc")
	r.WaitText("❯")
}

// Failing and slow plugins go to the top and say so.
func TestTroubleGoesToTheTop(t *testing.T) {
	r := startLoaded(t, 120, 40)
	for range 3 {
		r.bus.Emit(event.ToolDone{Name: "get_weather", Owner: "weather", Status: event.StatusError, Err: "no net", Ms: 1})
	}
	for range 2 {
		r.bus.Emit(event.HookRun{Hook: "post_tool_call", Plugin: "calculator", Callback: "log_call", Ms: 30000, Timeout: true})
	}
	r.WaitText("! calculator  post_tool_call 30.0s", "2✓ 1▲ 1✗"[:0])
	r.Press("f2")
	s := r.WaitText("slow hooks", "failing")
	var order []string
	for _, row := range s.Lines() {
		if f := strings.Fields(row); len(f) > 2 && strings.ContainsAny(f[0], "▸✗▲!●○") {
			order = append(order, strings.TrimLeft(row[:min(len(row), 24)], "▸✗▲!●○ "))
		}
	}
	got := strings.Join(order, " ")
	for i, name := range []string{"broken", "langfuse", "weather", "calculator", "old-thing"} {
		if i >= len(order) || !strings.HasPrefix(order[i], name) {
			t.Errorf("place %d is not %s: %s", i, name, got)
		}
	}
}

// A plugin that dies during a session is told in the conversation, once.
func TestCrashIsTold(t *testing.T) {
	r := startLoaded(t, 80, 24)
	p := samplePlugins()[3]
	p.State, p.Reason = event.PluginCrashed, "the host process ended in its code (signal 11)"
	r.bus.Emit(event.PluginState{Plugin: p})
	r.bus.Emit(event.PluginState{Plugin: p})
	r.bus.Emit(event.Notice{Text: "later"})
	s := r.WaitText("· plugin weather: crashed: the host process ended in its code (signal 11)", "later")
	if strings.Count(s.String(), "weather: crashed") != 1 {
		t.Error("it is told twice")
	}
}

func TestHookEventsPage(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Press("f3")
	r.WaitText("these listen:", "calculator     post_tool_call")
	r.begin("go")
	run := func(hook, plugin, callback string, ms float64, effect string, err *event.PluginError) {
		r.bus.Emit(event.HookRun{Meta: turn1, Hook: hook, Plugin: plugin, Callback: callback, Ms: ms, Effect: effect, Err: err, Detail: "rm -rf", Payload: `{"tool_name": "terminal", "args": {"command": "ls"}}`})
	}
	run("pre_tool_call", "guard", "no_rm", 3, "block", nil)
	run("pre_llm_call", "notes", "recall", 1500, "context", nil)
	run("post_tool_call", "notes", "on_tool", 1, "", &event.PluginError{Type: "ValueError", Message: "bad payload"})
	run("post_tool_call", "trace", "after", 2, "", nil)
	r.WaitText("4 events · 1 slow · 1 error", "BLOCK «rm -rf»", "1.5s!", "▸20:09:30  post_tool_call   trace · after")
	for filter, want := range map[string]string{
		"plugin:notes": "notes · recall|notes · on_tool", "hook:pre_*": "guard · no_rm|notes · recall", "dur>500ms or result:error": "notes · recall|notes · on_tool",
		"!ok": "guard · no_rm|notes · recall|notes · on_tool", "result:block,error": "guard · no_rm|notes · on_tool", "payload hook:post": "notes · on_tool",
	} {
		r.Press("/", "ctrl+u")
		r.Type(filter)
		s := r.WaitText("filter: " + filter)
		var got []string
		for _, who := range []string{"guard · no_rm", "notes · recall", "notes · on_tool", "trace · after"} {
			if s.Contains(who) {
				got = append(got, who)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("filter %q shows %v, want %s", filter, got, want)
		}
		r.Press("enter")
	}
	r.Press("a")
	r.WaitText("trace · after")
	r.Press("space")
	r.WaitText("frozen, 0 new")
	run("post_tool_call", "late", "comer", 2, "", nil)
	s := r.WaitText("frozen, 1 new")
	if s.Contains("late · comer") {
		t.Error("the frozen list shows a new run")
	}
	r.Press("space")
	r.WaitText("late · comer")
	r.Press("enter")
	r.WaitText(`           "command": "ls"`)
	r.Press("esc")
	r.WaitGone(`           "command": "ls"`)
	r.Press("p")
	r.WaitText("sort: state")
}

func TestToolsPage(t *testing.T) {
	r := startLoaded(t, 80, 30)
	r.Press("f4")
	r.WaitText("7 toolsets · 14 tools", "▾ calculator"[:0], "read_file")
	r.Press("/")
	r.Type("get_w")
	r.WaitText("filter: get_w", "get_weather")
	r.Press("enter", "down")
	r.WaitText("get_weather — get_weather does it", "parameters city: string (required)")
	r.Press("enter")
	r.WaitText(`"type": "object"`)
	r.Press("p")
	r.WaitText("sort: state", "▸● weather")
}

func TestHelpPage(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Press("f1")
	r.WaitText("Alt+Enter Ctrl+J \\+Enter", "back to chat")
	r.Press("/")
	r.Type("fold")
	s := r.WaitText("Ctrl+O", "filter: fold")
	if s.Contains("Ctrl+R") {
		t.Error("the filter leaves other keys in")
	}
	r.Press("enter", "esc")
	r.WaitText("❯")
	r.Type("?")
	r.WaitText("back to chat")
	r.Press("?")
	r.WaitText("❯")
}

// A question: keys in flight do not answer it, the draft survives (U043, U044).
func TestQuestion(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.Type("half a dra")
	r.WaitText("❯ half a dra")
	r.bus.Emit(event.Ask{ID: "a1", Kind: event.AskConfirm, Title: "Use .env of this folder?", Text: "It holds OPENAI_API_KEY.", Choices: []event.Choice{{ID: "yes", Label: "Yes, for this folder"}, {ID: "no", Label: "No"}}, Default: 1})
	r.WaitText("╔═ Use .env of this folder?", "It holds OPENAI_API_KEY.", "  1  Yes, for this folder", "▸ 2  No", "⚠ waiting"[:0], "waiting for you")
	for _, key := range []string{"f", "t", "1", "space"} {
		r.Press(key)
		r.clock.add(60 * time.Millisecond)
	}
	r.Press("enter")
	r.WaitText("❯ half a draft1")
	if r.log() != "" {
		t.Fatalf("keys in flight did %s", r.log())
	}
	r.clock.add(time.Second)
	r.Paste("y\n1\n")
	r.WaitText("  1")
	r.Press("up")
	r.WaitText("▸ 1  Yes, for this folder")
	r.Type("z") // text still goes to the draft
	r.WaitText("z")
	r.Press("1")
	r.waitCall(t, `answer a1 "yes"`)
	r.bus.Emit(event.AskClosed{ID: "a1", Answer: "yes"})
	s := r.WaitText("· Use .env of this folder? → Yes, for this folder")
	if s.Contains("╔") {
		t.Error("the question is still open")
	}
}

func TestQuestionIsDeniedByEscAndCtrlC(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		r := startLoaded(t, 40, 12)
		r.bus.Emit(event.Ask{ID: "a", Title: "Run it?", Text: strings.Repeat("a long command line ", 60), Choices: []event.Choice{{ID: "y", Label: "Allow once"}, {ID: "n", Label: "Deny"}}, Default: 1})
		s := r.WaitText("1  Allow once", "2  Deny", "more lines")
		s.AssertSound(t)
		r.clock.add(time.Second)
		r.Press(key)
		r.waitCall(t, `answer a "n"`)
	}
}

// Every size from 1x1 on shows something and keeps the draft (property U016).
func TestEverySize(t *testing.T) {
	r := startLoaded(t, 80, 24)
	r.begin("go")
	r.says("中文 and text " + strings.Repeat("word ", 50))
	r.Type("my draft 草稿")
	r.WaitText("my draft 草稿")
	for _, size := range [][2]int{{40, 12}, {39, 11}, {30, 8}, {20, 6}, {19, 6}, {20, 5}, {10, 3}, {1, 1}, {2, 1}, {3, 2}, {110, 8}, {160, 10}, {200, 50}, {61, 21}} {
		r.Resize(size[0], size[1])
		r.WaitFor(func(s tuitest.Snapshot) bool { return s.W == size[0] && s.H == size[1] })
		if size[0] >= 20 && size[1] >= 6 {
			s := r.WaitFor(func(s tuitest.Snapshot) bool { // drawn anew, not what a resize left behind
				_, y, visible := s.Cursor()
				return visible && strings.HasPrefix(s.Row(y), "❯ my draft 草稿") && s.Contains("answering") && strings.Count("\n"+s.String(), "\n❯") == 1
			})
			s.AssertOneComposer(t)
			s.AssertSound(t)
		}
		for _, key := range []string{"f2", "f3", "f4", "f1", "esc"} {
			r.Press(key)
		}
	}
	r.Resize(10, 3)
	r.WaitText("window")
	r.Type("!")
	r.Resize(80, 24)
	s := r.WaitText("❯ my draft 草稿!")
	s.AssertOneComposer(t)
	if r.Err() != nil {
		t.Error(r.Err())
	}
}

// Borders stay in their columns at every width, whatever the text is (U011).
func TestWideTextNeverBreaksTheFrame(t *testing.T) {
	r := startLoaded(t, 120, 30)
	r.bus.Emit(event.PluginState{Plugin: event.Plugin{Key: "天气", Name: "天气插件非常长的名字", State: event.PluginFailed, Error: &event.PluginError{Type: "错误", Message: "除数不能为零，请检查输入的参数"}}})
	r.begin("把文件翻译成中文，谢谢 👩‍👩‍👧🇯🇵 mixed with ASCII")
	r.says(strings.Repeat("论文ab", 40))
	r.Type("草稿a稿b")
	r.WaitText("草稿a稿b")
	for w := 108; w <= 131; w++ {
		r.Resize(w, 30)
		s := r.WaitFor(func(s tuitest.Snapshot) bool {
			return s.W == w && s.Contains("草稿a稿b") && (w < mediumWidth || s.Text(w-38, 5, 2) == "│ " && s.Text(w-39, 25, 2) == "─┤")
		})
		s.AssertSound(t)
		if w < mediumWidth {
			continue
		}
		for y := range 29 {
			if c := s.Text(w-38, y, 1); !strings.Contains("│├┤┼", c) || c == "" {
				t.Errorf("width %d, row %d: the border of the panel is %q", w, y, c)
			}
		}
	}
}

func TestChinese(t *testing.T) {
	r := startLoaded(t, 80, 24, inChinese)
	s := r.WaitText("模型", "工具集", "插件", "▲ 插件 langfuse 已禁用（缺少：LANGFUSE_KEY）", " 就绪 │ deepseek-chat │ 0/131k │ 插件 2✓ 1▲ 1✗ │ 钩子 —")
	s.AssertSound(t)
	s.AssertOneComposer(t)
	r.Press("f2")
	s = r.WaitText("名称", "缺少密钥", "未启用")
	s.AssertSound(t)
	s.Golden(t, "plugins-zh-80x24")
}

// Without UTF-8 the screen is ASCII (property U068).
func TestASCII(t *testing.T) {
	r := startLoaded(t, 120, 30, env("LANG", "C"), env("LC_ALL", "C"))
	r.begin("go")
	r.bus.Emit(event.ToolDone{Meta: turn1, Call: "c", Name: "t", Status: event.StatusError, Err: "bad", Ms: 1})
	r.bus.Emit(event.HookRun{Meta: turn1, Hook: "h", Plugin: "weather", Callback: "c", Ms: 2})
	r.says("- item\n- [x] done\n\n> quote\n\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
	r.end(event.OutcomeDone)
	r.WaitText("hooks 1 ran")
	for _, key := range []string{"", "f2", "enter", "3", "f3", "f4", "f1"} {
		if key != "" {
			r.Press(key)
		}
		s := r.Snapshot()
		for y := range 30 {
			for _, c := range s.Row(y) {
				if c > 126 {
					t.Fatalf("%q on the screen after %q:\n%s", c, key, s)
				}
			}
		}
	}
}

// NO_COLOR: no colour at all, attributes allowed.
func TestNoColor(t *testing.T) {
	r := startLoaded(t, 120, 30, env("NO_COLOR", "1"))
	r.begin("go")
	r.says("some `code`\n\n```go\nfunc x() {}\n```\n")
	r.end(event.OutcomeDone)
	s := r.WaitText("`code`", "func x() {}")
	for y := range s.H {
		for x := range s.W {
			if c := s.Cell(x, y); c.Style.Fg != nil || c.Style.Bg != nil {
				t.Fatalf("colour at %d,%d: %q", x, y, c.Content)
			}
		}
	}
}
