package plugins

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"hermes/plugins/host"
	"hermes/plugins/manifest"
)

// Installed packages may be plugins (decision D8). Which folders hold them only
// an interpreter knows; what the last one said is remembered, so that Python
// need not be started to list plugins.

// learnLimit bounds the start of an interpreter that is only asked where it
// finds packages.
const learnLimit = 10 * time.Second

// search is where to look for an interpreter by the settings of now.
func (m *Manager) search() host.Search {
	m.mu.Lock()
	defer m.mu.Unlock()
	return host.Search{
		Setting: m.settings.Python, Home: m.opt.Home, Cache: m.cache(), Getenv: m.getenv, Known: m.python,
	}
}

// siteDirs returns the folders in which packages may be; sure says that Python
// would name no others.
func (m *Manager) siteDirs() (dirs []string, sure bool) {
	m.mu.Lock()
	told := m.sites
	m.mu.Unlock()
	if told != nil {
		return told, true
	}
	return m.search().Sites()
}

// mayBePackages reports whether the user enabled a plugin that is not found
// while nobody knows yet where packages are.
func (m *Manager) mayBePackages() bool {
	s := m.currentSettings()
	if _, sure := m.siteDirs(); sure || s.SafeMode || len(s.Enabled) == 0 {
		return false
	}
	found := m.discoverInto(slog.New(slog.DiscardHandler))
	return slices.ContainsFunc(s.Enabled, func(name string) bool {
		return !slices.ContainsFunc(found, func(f manifest.Found) bool { return f.Key == name || f.Name == name })
	})
}

// learnSites starts an interpreter to ask it where packages are. Without one
// nothing is learnt, and nothing is lost: no package could run either.
func (m *Manager) learnSites(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, learnLimit)
	defer cancel()
	proc, err := m.startHost(ctx, func(*host.Spec) {})
	if err != nil {
		m.log.Debug("No interpreter to ask for installed plugins", "error", err)
		return
	}
	proc.Close(ctx)
}

// adoptPackages adds the packages that became known with the first host. None
// of them is enabled: mayBePackages would have asked for those before.
func (m *Manager) adoptPackages() {
	m.changing.Lock()
	defer m.changing.Unlock()
	found := m.discoverInto(slog.New(slog.DiscardHandler))
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range found {
		if f.Source == manifest.SourceEntryPoint && !f.Load && m.byKey[f.Key] == nil {
			m.addRecord(f)
		}
	}
}
