// Package assets holds the files that travel inside the binary: the Python
// plugin host, the modules it offers to plugins, and the bundled example
// plugins.
package assets

import "embed"

// FS holds pyhost/ and plugins/. Its tree is unpacked as it stands, so that
// tracebacks show real files.
//
//go:embed pyhost/hermes_host/*.py
//go:embed pyhost/shims/*.py pyhost/shims/hermes_cli/*.py pyhost/shims/*.dist-info/*
//go:embed plugins/*/*.py plugins/*/*.yaml plugins/*/data/*
var FS embed.FS
