package config

import "gopkg.in/yaml.v3"

// AllowCommand adds an entry to command_allowlist: what the user answered
// "always" to. The list is shared with the reference.
func AllowCommand(home Home, entry string) error {
	return Edit(home, func(root *yaml.Node) error { return addTo(root, "command_allowlist", entry) })
}
