package app

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"hermes/agent"
	"hermes/agent/config"
	"hermes/plugins"
)

func loadText(t *testing.T, text string, environ ...string) *config.Config {
	t.Helper()
	home, err := config.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home.Config(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(home, environ)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func TestPluginSettings(t *testing.T) {
	got := pluginSettings(loadText(t, `
plugins:
  enabled: [a, b/c]
  disabled: d
  python: /opt/python
  tool_timeout_s: 0
  hook_timeout_s: 2.5
  memory_limit: 1.5G
  entries:
    a:
      allow_tool_override: yes
      isolate: true
      hook_failure: block
      hook_timeout_s: {pre_llm_call: 1, post_tool_call: 0}
      tool_timeout_s: 7
    b/c: {ignore_requires_env: true}
`), false)
	want := plugins.Settings{
		Enabled: []string{"a", "b/c"}, Disabled: []string{"d"}, Python: "/opt/python",
		ToolTimeout: -1, HookTimeout: 2500 * time.Millisecond, LoadTimeout: 30 * time.Second,
		MemoryLimit: 3 << 29, LogLevel: "INFO",
		Entries: map[string]plugins.Entry{
			"a": {
				AllowToolOverride: true, Isolate: true, HookFailureBlock: true,
				HookTimeout: map[string]time.Duration{"pre_llm_call": time.Second, "post_tool_call": -1},
				ToolTimeout: map[string]time.Duration{"": 7 * time.Second},
			},
			"b/c": {IgnoreRequiresEnv: true},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMemoryLimit(t *testing.T) {
	for text, want := range map[string]int64{
		"plugins: {}":                      0,
		"plugins: {memory_limit: 0}":       -1,
		"plugins: {memory_limit: 1048576}": 1 << 20,
		"plugins: {memory_limit: 512M}":    512 << 20,
		"plugins: {memory_limit: 2 GiB}":   2 << 30,
		"plugins: {memory_limit: lots}":    0,
	} {
		if got := memoryLimit(loadText(t, text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestBusyMode(t *testing.T) {
	for text, want := range map[string]string{
		"display: {}":                              agent.BusyQueue,
		"display: {busy_input_mode: interrupt}":    agent.BusyInterrupt,
		"display: {busy_input_mode: steer}":        agent.BusySteer,
		"display: {busy_input_mode: [1]}":          agent.BusyQueue,
		"display: {busy_input_mode: do-not-mind}":  agent.BusyQueue,
		"display: {busy_input_mode: queue, x: []}": agent.BusyQueue,
	} {
		if got := busyMode(loadText(t, text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
