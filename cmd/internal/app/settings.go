package app

import (
	"strconv"
	"strings"
	"time"

	"hermes/agent"
	"hermes/agent/config"
	"hermes/agent/config/yaml11"
	"hermes/agent/locale"
	"hermes/agent/tool"
	"hermes/plugins"
)

// pluginSettings reads plugins.* of config.yaml.
func pluginSettings(cfg *config.Config, safe bool) plugins.Settings {
	return plugins.Settings{
		Enabled: cfg.Strings("plugins", "enabled"), Disabled: cfg.Strings("plugins", "disabled"),
		Entries:     pluginEntries(cfg),
		Python:      cfg.String("plugins", "python"),
		ToolTimeout: limit(cfg.Duration("plugins", "tool_timeout_s")),
		HookTimeout: limit(cfg.Duration("plugins", "hook_timeout_s")),
		LoadTimeout: limit(cfg.Duration("plugins", "load_timeout_s")),
		MemoryLimit: memoryLimit(cfg),
		LogLevel:    cfg.String("logging", "level"),
		SafeMode:    safe || config.Truthy(cfg.Getenv("HERMES_SAFE_MODE")),
		Debug:       config.Truthy(cfg.Getenv("HERMES_PLUGINS_DEBUG")),
	}
}

// limit turns the configuration's "0 means none" into the negative duration
// that the settings of agent and plugins use for it; their zero is "default".
func limit(d time.Duration) time.Duration {
	if d <= 0 {
		return -1
	}
	return d
}

func pluginEntries(cfg *config.Config) map[string]plugins.Entry {
	out := map[string]plugins.Entry{}
	for _, key := range cfg.Keys("plugins", "entries") {
		at := func(name string) []string { return []string{"plugins", "entries", key, name} }
		out[key] = plugins.Entry{
			AllowToolOverride: cfg.Bool(at("allow_tool_override")...),
			IgnoreRequiresEnv: cfg.Bool(at("ignore_requires_env")...),
			Isolate:           cfg.Bool(at("isolate")...),
			HookTimeout:       limits(cfg, at("hook_timeout_s")),
			HookFailureBlock:  failsClosed(cfg, at("hook_failure")),
			ToolTimeout:       limits(cfg, at("tool_timeout_s")),
		}
	}
	return out
}

// failsClosed reads hook_failure, whose only value is block (decision D10).
func failsClosed(cfg *config.Config, path []string) bool {
	switch cfg.String(path...) {
	case "block":
		return true
	case "":
	default:
		cfg.Reject(locale.WantBlock, path...)
	}
	return false
}

// limits reads a number of seconds, or a map from name to seconds; the number
// is kept under the empty name.
func limits(cfg *config.Config, path []string) map[string]time.Duration {
	v, ok := cfg.Lookup(path...)
	if !ok {
		return nil
	}
	if v.Kind != yaml11.Map {
		return map[string]time.Duration{"": limit(cfg.Duration(path...))}
	}
	out := map[string]time.Duration{}
	for _, name := range cfg.Keys(path...) {
		out[name] = limit(cfg.Duration(append(path[:len(path):len(path)], name)...))
	}
	return out
}

// memoryLimit reads plugins.memory_limit: bytes, or a number with K, M or G
// (powers of 1024); 0 means none, and what is not set means the default.
func memoryLimit(cfg *config.Config) int64 {
	if !cfg.Has("plugins", "memory_limit") {
		return 0
	}
	text := strings.ToUpper(strings.TrimSpace(cfg.String("plugins", "memory_limit")))
	text = strings.TrimSuffix(strings.TrimSuffix(text, "B"), "I")
	unit := 1.0
	for suffix, factor := range map[string]float64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = strings.TrimSpace(rest), factor
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		cfg.Reject(locale.WantSize, "plugins", "memory_limit")
		return 0
	}
	if n*unit < 1 {
		return -1
	}
	return int64(n * unit)
}

// agentSettings reads the agent's part of config.yaml; before it is loaded,
// the defaults hold.
func (rt *Runtime) agentSettings() agent.Settings {
	cfg := rt.cfg.Load()
	if cfg == nil {
		return agent.Settings{MaxTurns: rt.opt.MaxTurns}
	}
	s := agent.Settings{
		MaxTurns:      cfg.Int("agent", "max_turns"),
		APIMaxRetries: cfg.Int("agent", "api_max_retries"),
		// The plugin's own limit is the manager's; this one is for all tools.
		ToolTimeout:  limit(cfg.Duration("plugins", "tool_timeout_s")),
		BusyMode:     busyMode(cfg),
		HardStop:     cfg.Bool("tool_loop_guardrails", "hard_stop_enabled"),
		CustomPrompt: cfg.String("agent", "system_prompt"),
		Enforce:      cfg.String("agent", "tool_use_enforcement"),
		Toolsets: tool.Selection{
			Platform: cfg.Strings("platform_toolsets", platform), Known: cfg.Strings("known_plugin_toolsets", platform),
			Disabled: cfg.Strings("agent", "disabled_toolsets"),
		},
		Spill:        spill(cfg),
		DropInjected: !cfg.Bool("sessions", "keep_injected"),
		ApproveAll:   rt.opt.Yolo || approvalsOff(cfg) || rt.gate.Yolo(rt.agent.Session()),
		NoRules:      rt.opt.NoRules || rt.opt.SafeMode,
	}
	s.Prompt = rt.promptSettings(cfg)
	s.SubagentApprove = cfg.Bool("delegation", "subagent_auto_approve")
	rt.modelSettings(cfg, &s)
	if rt.opt.Toolsets != nil {
		s.Toolsets.Only = tool.ExpandToolsets(rt.opt.Toolsets)
	}
	if rt.opt.MaxTurns > 0 {
		s.MaxTurns = rt.opt.MaxTurns
	}
	if n, err := strconv.Atoi(cfg.Getenv("HERMES_STREAM_RETRIES")); err == nil {
		s.StreamRetries = orNone(n)
	}
	if f, err := strconv.ParseFloat(cfg.Getenv("HERMES_CONCURRENT_TOOL_TIMEOUT_S"), 64); err == nil {
		s.ParallelTimeout = limit(time.Duration(f * float64(time.Second)))
	}
	return s
}

// approvalsOff reads approvals.mode; YAML reads a bare off as false.
func approvalsOff(cfg *config.Config) bool {
	v, ok := cfg.Lookup("approvals", "mode")
	return ok && ((v.Kind == yaml11.Bool && !v.Bool) || strings.EqualFold(strings.TrimSpace(v.Text), "off"))
}

// orNone turns "0 means none" of a count into the negative number that stands
// for it.
func orNone(n int) int {
	if n <= 0 {
		return -1
	}
	return n
}

// spill reads hooks.output_spill. A list under hooks has no such key.
func spill(cfg *config.Config) agent.Spill {
	at := func(name string) []string { return []string{"hooks", "output_spill", name} }
	return agent.Spill{
		Off:      cfg.Has(at("enabled")...) && !cfg.Bool(at("enabled")...),
		MaxChars: cfg.Int(at("max_chars")...),
		Head:     cfg.Int(at("preview_head")...),
		Tail:     cfg.Int(at("preview_tail")...),
		Dir:      cfg.String(at("directory")...),
	}
}

// busyMode is what Enter does while a turn runs. Queueing is our default
// (decision D42); a set value is honoured, and a wrong one is the default.
func busyMode(cfg *config.Config) string {
	switch mode := cfg.String("display", "busy_input_mode"); mode {
	case agent.BusyInterrupt, agent.BusySteer:
		return mode
	case agent.BusyQueue:
	default:
		cfg.Reject(locale.WantBusyMode, "display", "busy_input_mode")
	}
	return agent.BusyQueue
}
