package plugins

import "hermes/plugins/manifest"

// Discover finds every plugin as a Manager with opt would and decides about
// it, without running any. The result is in load order.
func Discover(opt Options) ([]manifest.Found, error) {
	m := New(opt)
	if err := m.unpack(); err != nil {
		return nil, err
	}
	return m.discover(), nil
}
