package tui

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"hermes/agent/event"
)

// fakeBackend records what the view asks for and emits what a test scripts.
type fakeBackend struct {
	bus   *event.Bus
	mu    sync.Mutex
	calls []string
	more  chan struct{} // closed and replaced by each call
}

// epoch is the moment every scripted event begins at.
var epoch = time.Date(2026, 11, 30, 20, 9, 30, 0, time.Local)

func newFake() *fakeBackend {
	return &fakeBackend{bus: event.NewBus(func() time.Time { return epoch }), more: make(chan struct{})}
}

func (b *fakeBackend) note(format string, args ...any) {
	call := fmt.Sprintf(format, args...)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, call)
	close(b.more)
	b.more = make(chan struct{})
}

func (b *fakeBackend) log() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.calls, "\n")
}

func (b *fakeBackend) Subscribe() *event.Subscription { return b.bus.Subscribe() }
func (b *fakeBackend) Submit(text string)             { b.note("submit %q", text) }
func (b *fakeBackend) EditQueued(id, text string)     { b.note("edit %s %q", id, text) }
func (b *fakeBackend) HoldQueue(hold bool)            { b.note("hold %v", hold) }
func (b *fakeBackend) Interrupt()                     { b.note("interrupt") }
func (b *fakeBackend) Command(line string)            { b.note("command %q", line) }
func (b *fakeBackend) EnablePlugin(key string)        { b.note("enable %s", key) }
func (b *fakeBackend) DisablePlugin(key string)       { b.note("disable %s", key) }
func (b *fakeBackend) ReloadPlugins()                 { b.note("reload") }
func (b *fakeBackend) ListSessions()                  { b.note("list sessions") }
func (b *fakeBackend) Files()                         { b.note("files") }
func (b *fakeBackend) SetEnv(name, value string)      { b.note("set %s %q", name, value) }
func (b *fakeBackend) SkipHook()                      { b.note("skip") }
func (b *fakeBackend) Answer(id string, a event.Answer) {
	if a.Text == "" {
		b.note("answer %s %q", id, a.Choice)
		return
	}
	b.note("answer %s %q %q", id, a.Choice, a.Text)
}

// builtinTools and the plugins below are those of the mock-ups.
func sampleTools() []event.ToolInfo {
	var out []event.ToolInfo
	add := func(set, owner string, names ...string) {
		for _, n := range names {
			out = append(out, event.ToolInfo{Name: n, Toolset: set, Owner: owner, Description: n + " does it", Schema: json.RawMessage(`{"name":"` + n + `","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}`)})
		}
	}
	add("browser", "", "browse")
	add("file", "", "write_file", "patch", "read_file", "search_files")
	add("memory", "", "memory")
	add("terminal", "", "terminal", "process")
	add("web", "", "web_search", "web_extract")
	add("forecast", "weather", "get_forecast", "get_weather")
	add("calculator", "calculator", "calculate", "unit_convert")
	return out
}

func samplePlugins() []event.Plugin {
	tools := sampleTools()
	own := func(key string) (out []event.ToolInfo) {
		for _, t := range tools {
			if t.Owner == key {
				out = append(out, t)
			}
		}
		return out
	}
	boom := &event.PluginError{
		Type: "RuntimeError", Message: "boom at register", File: "__init__.py", Line: 2, Func: "register", Where: "register",
		Source: `raise RuntimeError("boom at register")`, Traceback: "Traceback (most recent call last):\n  File \"/h/plugins/broken/__init__.py\", line 2, in register\n    raise RuntimeError(\"boom at register\")\nRuntimeError: boom at register\n",
	}
	return []event.Plugin{
		{Key: "broken", Name: "broken", Version: "0.1.0", State: event.PluginFailed, Source: "user", Kind: "standalone", Path: "/h/plugins/broken", Error: boom},
		{Key: "langfuse", Name: "langfuse", Version: "2.0.1", State: event.PluginNeedsKey, Source: "user", Kind: "standalone", Missing: []string{"LANGFUSE_KEY"}, RequiresEnv: []event.EnvVar{{Name: "LANGFUSE_KEY", Description: "project key"}}},
		{Key: "calculator", Name: "calculator", Version: "1.0.0", State: event.PluginOK, Source: "user", Kind: "standalone", Tools: own("calculator"), Hooks: []string{"post_tool_call"}, Callbacks: []event.Callback{{Hook: "post_tool_call", Name: "log_call"}}, LoadMs: 9, ImportMs: 7, Description: "arithmetic and units"},
		{Key: "weather", Name: "weather", Version: "1.2.0", State: event.PluginOK, Source: "user", Kind: "standalone", Tools: own("weather"), Commands: []event.Command{{Name: "weather", Args: "<city>", Description: "show the weather now", Owner: "weather"}}, LoadMs: 41, ImportMs: 30},
		{Key: "old-thing", Name: "old-thing", Version: "0.9", State: event.PluginFound, Source: "user", Kind: "standalone"},
	}
}

func sampleCommands() []event.Command {
	return []event.Command{
		{Name: "clear", Description: "clear the screen and begin a new session", Group: "Session", UI: "clear"},
		{Name: "forecast", Description: "the weather of the next days", Owner: "weather", Group: "weather", Args: "[days]"},
		{Name: "help", Description: "list the commands", Group: "Info"},
		{Name: "hooks", Description: "hook events", Group: "Tools & Skills", UI: "hooks"},
		{Name: "model", Description: "show or change the model", Group: "Configuration", Args: "[name]"},
		{Name: "new", Aliases: []string{"reset"}, Description: "begin a new session", Group: "Session"},
		{Name: "plugins", Description: "list the plugins", Group: "Tools & Skills"},
		{Name: "quit", Aliases: []string{"exit", "q"}, Description: "leave", Group: "Exit", UI: "quit"},
		{Name: "tools", Description: "list the tools", Group: "Tools & Skills"},
		{Name: "weather", Description: "show the weather now", Owner: "weather", Group: "weather", Args: "<city>"},
		{Name: "weather-units", Description: "choose degrees", Owner: "weather", Group: "weather", Args: "c|f"},
	}
}

// loaded emits what a start with the sample plugins emits.
func (b *fakeBackend) loaded() {
	b.bus.Emit(event.SessionOpened{Meta: event.Meta{Session: "20261130_200900_7f3a21"}, Model: "deepseek-chat", Provider: "deepseek", Dir: "/home/u/src/weather"})
	b.bus.Emit(event.ModelChanged{Model: "deepseek-chat", Provider: "deepseek", Window: 131072})
	b.bus.Emit(event.CommandsChanged{Commands: sampleCommands()})
	for _, p := range samplePlugins() {
		b.bus.Emit(event.PluginState{Plugin: p})
	}
	b.bus.Emit(event.ToolsChanged{Tools: sampleTools()})
	b.bus.Emit(event.PluginsSettled{Took: 120 * time.Millisecond})
}
