package config

import "hermes/agent/locale"

// Reject notes that the value at path was not taken; want says what would be.
// It is for values whose sense only the caller knows.
func (c *Config) Reject(want locale.Msg, path ...string) { c.wrong(c.node(path), path, want) }
