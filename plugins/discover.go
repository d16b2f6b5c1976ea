package plugins

import (
	"fmt"

	"hermes/plugins/manifest"
)

// Discover finds every plugin as a Manager with opt would and decides about
// it, without running any. The result is in load order. The first time, an
// interpreter is started to learn where it finds packages.
func Discover(opt Options) ([]manifest.Found, error) {
	m := New(opt)
	defer m.cancel()
	if err := m.unpack(); err != nil {
		return nil, fmt.Errorf("unpack bundled plugins: %w", err)
	}
	if _, sure := m.siteDirs(); !sure && !opt.Settings.SafeMode {
		m.learnSites(m.ctx)
	}
	return m.discover(), nil
}
