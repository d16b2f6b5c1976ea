package app

import (
	"slices"
	"strings"

	"hermes/agent/config"
	"hermes/agent/locale"
)

// CheckConfig reads every setting as the program would and returns what is
// wrong: values of the wrong kind, and keys that nothing reads.
func CheckConfig(cfg *config.Config, lang locale.Lang) []string {
	pluginSettings(cfg, false)
	busyMode(cfg)
	out := []string{}
	for _, key := range config.KnownKeys() {
		cfg.Check(key)
	}
	for _, n := range cfg.Notices() {
		out = append(out, n.In(lang))
	}
	for _, path := range cfg.UnknownKeys() {
		out = append(out, locale.ConfigUnread.In(lang, cfg.Place(path...), strings.Join(path, ".")))
	}
	return slices.Compact(out)
}
