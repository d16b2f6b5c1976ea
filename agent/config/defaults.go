package config

import (
	"math/big"

	"hermes/agent/config/yaml11"
)

// override names the variable that stands in for a key.
type override struct {
	name string
	wins bool // over the file, not only where the file is silent
}

// overrides is the table of contract/core §1.3, §3.5 and D47.
func overrides(path string) override {
	switch path {
	case "agent.max_turns":
		return override{name: "HERMES_MAX_ITERATIONS"}
	case "plugins.python":
		return override{name: "HERMES_PYTHON"}
	case "security.redact_secrets":
		return override{name: "HERMES_REDACT_SECRETS", wins: true}
	case "hooks_auto_accept":
		return override{name: "HERMES_ACCEPT_HOOKS", wins: true}
	}
	return override{}
}

// aliasOf returns the second place of a key, nil when it has none.
func aliasOf(path string) []string {
	if path == "agent.max_turns" {
		return []string{"max_turns"}
	}
	return nil
}

// defaultOf is the one table of defaults: contract/core §4.3, and for our own
// keys the decision that is named. A key that is not here has the zero value.
func defaultOf(path string) yaml11.Value {
	switch v := defaultValue(path).(type) {
	case bool:
		text := "false"
		if v {
			text = "true"
		}
		return yaml11.Value{Kind: yaml11.Bool, Bool: v, Text: text}
	case int:
		n := big.NewInt(int64(v))
		return yaml11.Value{Kind: yaml11.Int, Int: n, Text: n.String()}
	case float64:
		f := yaml11.Value{Kind: yaml11.Float, Float: v}
		f.Text = f.Repr()
		return f
	case string:
		return yaml11.Value{Kind: yaml11.Str, Text: v}
	}
	return yaml11.Value{}
}

func defaultValue(path string) any {
	switch path {
	case "agent.max_turns":
		return 90
	case "agent.api_max_retries":
		return 3
	case "plugins.tool_timeout_s": // D36
		return 600
	case "plugins.hook_timeout_s": // D10
		return 30
	case "plugins.load_timeout_s": // design/architecture §10
		return 30
	case "display.skin":
		return "default"
	case "display.streaming", "display.show_reasoning", "display.friendly_tool_labels", "display.inline_diffs",
		"security.redact_secrets", "security.allow_lazy_installs", "sessions.keep_injected",
		"terminal.auto_source_bashrc", "display.file_mutation_verifier", "compression.enabled",
		"auxiliary.title_generation.enabled":
		return true
	case "compression.threshold":
		return 0.5
	case "compression.target_ratio":
		return 0.2
	case "compression.protect_first_n":
		return 3
	case "compression.protect_last_n":
		return 20
	case "display.tool_progress":
		return "all"
	case "display.busy_input_mode": // D42
		return "queue"
	case "approvals.mode":
		return "smart"
	case "approvals.timeout":
		return 60
	case "terminal.timeout":
		return 180
	case "clarify.timeout":
		return 120
	case "code_execution.timeout":
		return 300
	case "code_execution.max_tool_calls":
		return 50
	case "file_read_max_chars":
		return 100_000
	case "tool_output.max_bytes":
		return 50_000
	case "tool_output.max_lines", "tool_output.max_line_length":
		return 2000
	case "paste_collapse_threshold":
		return 5
	case "paste_collapse_char_threshold":
		return 2000
	case "logging.level":
		return "INFO"
	case "logging.max_size_mb":
		return 5
	case "logging.backup_count":
		return 3
	}
	return nil
}
