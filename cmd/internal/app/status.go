package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/store"
)

// Status is what hermes status and hermes dump tell. It holds no secret: of
// keys only whether they are set.
type Status struct {
	Version  string          `json:"version"`
	OS       string          `json:"os"`
	Go       string          `json:"go"`
	Home     string          `json:"home"`
	Profile  string          `json:"profile"`
	Dir      string          `json:"dir"`
	Model    string          `json:"model"`
	Provider string          `json:"provider"`
	BaseURL  string          `json:"base_url"`
	Problem  string          `json:"problem,omitempty"` // why no model can be told
	Keys     map[string]bool `json:"keys"`              // by provider: set or not
	Python   string          `json:"python"`
	Sessions int             `json:"sessions"`
	Messages int             `json:"messages"`
	Plugins  []PluginRow     `json:"plugins"`
	Set      map[string]any  `json:"config"` // what config.yaml sets, without secrets
}

// ReadStatus looks at everything that status tells without starting a plugin
// or asking a service.
func ReadStatus(ctx context.Context, opt Options) (Status, error) {
	cfg, err := loadFor(opt)
	if err != nil {
		return Status{}, err
	}
	s := Status{
		Version: opt.Version, OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(),
		Home: opt.Home.Dir(), Profile: profileOf(opt.Home), Dir: opt.Dir, Keys: map[string]bool{}, Python: findPython(cfg),
	}
	m, ok, err := config.ResolveModel(cfg, cfg.Environ(), config.ModelFlags{Provider: opt.Provider, Model: opt.Model})
	switch {
	case err != nil:
		s.Problem = localised(err, opt.Lang)
	case !ok:
		s.Provider = DemoProvider
	default:
		s.Model, s.Provider, s.BaseURL = m.Model, m.Provider, m.BaseURL
	}
	for _, p := range cfg.Providers() {
		if len(p.Keys) > 0 {
			s.Keys[p.ID] = slices.ContainsFunc(p.Keys, func(k string) bool { return strings.TrimSpace(cfg.Getenv(k)) != "" })
		}
	}
	if s.Plugins, err = ListPlugins(opt); err != nil {
		return Status{}, err
	}
	if st, exists := OpenSessions(opt); exists {
		stats, err := st.Stats(ctx)
		if err == nil {
			s.Sessions, s.Messages = stats.Sessions, stats.Messages
		}
		_ = st.Close() // it was only read
	}
	return s, nil
}

func profileOf(home config.Home) string {
	above := filepath.Dir(home.Dir())
	if filepath.Base(above) == "profiles" {
		return filepath.Base(home.Dir())
	}
	return config.DefaultProfile
}

// findPython is the interpreter that a search by name finds; the plugin host
// may choose a better one.
func findPython(cfg *config.Config) string {
	for _, name := range []string{cfg.String("plugins.python"), "python3", "python"} {
		if name == "" {
			continue
		}
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	return ""
}

// Check is one line of hermes doctor.
type Check struct {
	Area   string `json:"area"`
	Name   string `json:"name"`
	State  string `json:"state"` // CheckOK, CheckWarn, CheckBad
	Detail string `json:"detail,omitempty"`
	Fix    string `json:"fix,omitempty"` // what the user can do
	Fixed  bool   `json:"fixed,omitempty"`
}

// States of a check.
const (
	CheckOK   = "ok"
	CheckWarn = "warning"
	CheckBad  = "error"
)

// storeProblem says what keeps sessions from being saved, nil when nothing.
func storeProblem(s *store.Store) error {
	why, err := s.ReadOnly()
	if err != nil {
		return err
	}
	return why
}

// brokenPlugins are those that the user enabled and that do not run.
func brokenPlugins(list []event.Plugin) []event.Plugin {
	var out []event.Plugin
	for _, p := range list {
		switch p.State {
		case event.PluginFailed, event.PluginCrashed, event.PluginNeedsKey, event.PluginPartial, event.PluginPaused:
			out = append(out, p)
		}
	}
	return out
}

// writable reports why dir cannot be written, nil when it can. A folder that
// is missing counts by the nearest one above it.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		if err == nil {
			if !info.IsDir() {
				return &os.PathError{Op: "use", Path: dir, Err: os.ErrInvalid}
			}
			f, err := os.CreateTemp(dir, ".hermes-check-*")
			if err != nil {
				return err
			}
			f.Close()
			return os.Remove(f.Name())
		}
		if up := filepath.Dir(dir); up != dir && os.IsNotExist(err) {
			dir = up
			continue
		}
		return err
	}
}
