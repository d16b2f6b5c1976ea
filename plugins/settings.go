package plugins

import (
	"log/slog"
	"time"

	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// Defaults of Settings fields that are zero.
const (
	DefaultHookTimeout = 30 * time.Second  // decision D10
	DefaultToolTimeout = 600 * time.Second // decision D36
	DefaultLoadTimeout = 30 * time.Second  // architecture §10: import hangs
	maxDefaultMemory   = 4 << 30           // decision D45, bytes
)

// Settings is the part of config.yaml that concerns plugins.
type Settings struct {
	Enabled  []string // plugins.enabled: keys or names
	Disabled []string // plugins.disabled, wins
	Entries  map[string]Entry

	Python string // plugins.python

	// ToolTimeout bounds one tool call, HookTimeout one callback, LoadTimeout
	// import and register of one plugin. Zero means the default, negative none.
	ToolTimeout, HookTimeout, LoadTimeout time.Duration

	// MemoryLimit is the address space of a plugin host in bytes: 0 for half
	// of the machine's memory and at most 4 GiB, negative for none.
	MemoryLimit int64

	LogLevel string // logging.level
	SafeMode bool   // no plugin runs
	Debug    bool   // HERMES_PLUGINS_DEBUG
}

// Entry is plugins.entries.<key>.
type Entry struct {
	AllowToolOverride bool
	IgnoreRequiresEnv bool
	Isolate           bool
	// HookTimeout maps hook names to limits; "" is for all others.
	HookTimeout map[string]time.Duration
	// HookFailureBlock makes its hooks fail closed (hook_failure: block).
	HookFailureBlock bool
	// ToolTimeout maps tool names to limits; "" is for all others.
	ToolTimeout map[string]time.Duration
}

// hookLimit returns the limit of one callback, 0 for none.
func (s *Settings) hookLimit(key, hook string) time.Duration {
	return pick(s.Entries[key].HookTimeout, hook, s.HookTimeout, DefaultHookTimeout)
}

// toolLimit returns the limit of one call, 0 for none.
func (s *Settings) toolLimit(key, name string) time.Duration {
	return pick(s.Entries[key].ToolTimeout, name, s.ToolTimeout, DefaultToolTimeout)
}

func (s *Settings) loadLimit() time.Duration {
	return pick(nil, "", s.LoadTimeout, DefaultLoadTimeout)
}

func pick(own map[string]time.Duration, name string, general, fallback time.Duration) time.Duration {
	d, ok := own[name]
	if !ok {
		d, ok = own[""]
	}
	if !ok {
		d = general
	}
	switch {
	case d == 0:
		return fallback
	case d < 0:
		return 0
	}
	return d
}

// Options are what a Manager needs.
type Options struct {
	Home string // HERMES_HOME
	Dir  string // working directory, absolute
	// Env is the process environment with .env merged in, as "NAME=value".
	Env      []string
	Settings Settings
	Bus      *event.Bus
	Tools    *tool.Registry // built-in tools are in it already
	Lang     func() locale.Lang
	Log      *slog.Logger
	Platform string // "cli"
	Version  string // of this program
	// Services is what plugins may ask of the program; nil when there is none.
	Services Services

	// Redact removes secrets from a text. Nil removes the values of variables
	// of Env whose names say secret (decision D56).
	Redact func(string) string
	// SaveEnabled writes plugins.enabled and plugins.disabled. Nil when the
	// configuration cannot be changed.
	SaveEnabled func(key string, on bool) error
	// OnCommandsChanged is told that Commands has changed.
	OnCommandsChanged func()
}

// CommandResult is what a plugin's slash command came to.
type CommandResult struct {
	Owner  string // plugin key
	Text   string // what the handler returned
	Output string // what it printed, without control sequences
	// Err is the sentence for the user when it failed: the reference's
	// "Plugin command error: ..." or why it could not be reached.
	Err string
}
