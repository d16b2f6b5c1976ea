package approval

import (
	"strings"

	"hermes/agent/config"
	"hermes/agent/config/yaml11"
	"hermes/agent/locale"
)

// FromConfig reads the approvals of a configuration: approvals.mode, timeout
// and deny, command_allowlist, and SUDO_PASSWORD. Home is the user's home
// folder.
func FromConfig(cfg *config.Config, home, hermes string, lang locale.Lang) Settings {
	v, ok := cfg.Lookup("approvals", "mode")
	mode := Smart
	if ok {
		mode = ModeOf(v)
	}
	return Settings{
		Mode: mode, Timeout: cfg.Duration("approvals", "timeout"), Deny: cfg.Strings("approvals", "deny"),
		Allow: cfg.Strings("command_allowlist"), SudoPassword: cfg.Getenv("SUDO_PASSWORD") != "",
		Home: home, Hermes: hermes, Lang: lang,
	}
}

// ModeOf reads a value of approvals.mode. YAML reads a bare off as false; what
// is none of the modes asks the user.
func ModeOf(v yaml11.Value) string {
	if v.Kind == yaml11.Bool && !v.Bool {
		return Off
	}
	switch mode := strings.ToLower(strings.TrimSpace(v.Text)); mode {
	case Off, Smart:
		return mode
	}
	return Manual
}
