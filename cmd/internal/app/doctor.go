package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
)

// doctor collects what hermes doctor finds.
type doctor struct {
	opt   Options
	fix   bool
	deep  bool
	found []Check
}

// Doctor looks at everything that the program needs and says what is wrong and
// how to mend it. fix mends what can be mended without a choice; deep also
// asks the configured service.
func Doctor(ctx context.Context, opt Options, fix, deep bool) []Check {
	d := &doctor{opt: opt, fix: fix, deep: deep}
	cfg := d.files()
	d.model(ctx, cfg)
	d.sessions(ctx)
	d.programs()
	d.plugins(ctx, cfg)
	return d.found
}

func (d *doctor) add(area, name, state, detail, mend string) {
	d.found = append(d.found, Check{Area: area, Name: name, State: state, Detail: detail, Fix: mend})
}

func (d *doctor) text(m locale.Msg, args ...any) string { return m.In(d.opt.Lang, args...) }

// files looks at the home folder, config.yaml and .env.
func (d *doctor) files() *config.Config {
	area, home := d.text(locale.DoctorFiles), d.opt.Home
	if err := writable(home.Dir()); err != nil {
		d.add(area, home.Short(), CheckBad, err.Error(), d.text(locale.DoctorHomeFix, home.Dir()))
	} else {
		d.add(area, home.Short(), CheckOK, "", "")
	}
	cfg, err := config.Load(home, d.opt.Environ)
	if err != nil {
		d.add(area, "config.yaml", CheckBad, localised(err, d.opt.Lang), d.text(locale.DoctorConfigFix))
	} else {
		problems := CheckConfig(cfg, d.opt.Lang)
		for _, p := range problems {
			d.add(area, "config.yaml", CheckWarn, p, "hermes config edit")
		}
		if len(problems) == 0 {
			d.add(area, "config.yaml", CheckOK, "", "")
		}
	}
	d.secrets(area, home.Env())
	return cfg
}

// secrets looks at .env: others must not read it.
func (d *doctor) secrets(area, path string) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.add(area, ".env", CheckOK, d.text(locale.DoctorNoEnv), "")
	case err != nil:
		d.add(area, ".env", CheckBad, err.Error(), "")
	case info.Mode().Perm()&0o077 == 0:
		d.add(area, ".env", CheckOK, "", "")
	default:
		c := Check{Area: area, Name: ".env", State: CheckWarn, Detail: d.text(locale.DoctorEnvOpen, info.Mode().Perm()), Fix: "chmod 600 " + path}
		if d.fix && os.Chmod(path, config.FileMode) == nil {
			c.State, c.Fixed = CheckOK, true
		}
		d.found = append(d.found, c)
	}
}

func (d *doctor) model(ctx context.Context, cfg *config.Config) {
	area := d.text(locale.DoctorModel)
	m, ok, err := config.ResolveModel(cfg, cfg.Environ(), config.ModelFlags{Provider: d.opt.Provider, Model: d.opt.Model})
	switch {
	case err != nil:
		d.add(area, m.Provider, CheckBad, localised(err, d.opt.Lang), "hermes setup")
		return
	case !ok:
		d.add(area, DemoProvider, CheckWarn, d.text(locale.ModelNothing), "hermes setup")
		return
	}
	name := m.Provider + " " + m.Model
	if !d.deep {
		d.add(area, name, CheckOK, d.text(locale.DoctorNotAsked), "")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if _, err := ListModels(ctx, d.opt, cfg, m.Provider, true); err != nil {
		d.add(area, name, CheckBad, localised(err, d.opt.Lang), d.text(locale.DoctorModelFix, m.BaseURL))
		return
	}
	d.add(area, name, CheckOK, m.BaseURL, "")
}

func (d *doctor) sessions(ctx context.Context) {
	area := d.text(locale.DoctorSessions)
	s, exists := OpenSessions(d.opt)
	defer s.Close() // it was only read
	if !exists {
		d.add(area, "state.db", CheckOK, d.text(locale.DoctorNoState), "")
		return
	}
	if err := storeProblem(s); err != nil {
		d.add(area, "state.db", CheckBad, localised(err, d.opt.Lang), "hermes sessions repair")
		return
	}
	st, err := s.Stats(ctx)
	if err != nil {
		d.add(area, "state.db", CheckBad, localised(err, d.opt.Lang), "hermes sessions repair")
		return
	}
	d.add(area, "state.db", CheckOK, fmt.Sprintf("%d / %d", st.Sessions, st.Messages), "")
}

// programs looks for those that tools use.
func (d *doctor) programs() {
	area := d.text(locale.DoctorPrograms)
	for _, p := range []struct {
		name string
		fix  locale.Msg
	}{{"git", locale.DoctorGitFix}, {"rg", locale.DoctorRgFix}} {
		if path, err := exec.LookPath(p.name); err == nil {
			d.add(area, p.name, CheckOK, path, "")
		} else {
			d.add(area, p.name, CheckWarn, d.text(locale.DoctorMissing), d.text(p.fix))
		}
	}
}

// pluginWait is how long doctor waits for plugins to load.
const pluginWait = 60 * time.Second

// plugins starts them, because only that shows whether they work.
func (d *doctor) plugins(ctx context.Context, cfg *config.Config) {
	area := d.text(locale.DoctorPlugins)
	ctx, cancel := context.WithTimeout(ctx, pluginWait)
	defer cancel()
	opt := d.opt
	opt.Debug = nil
	rt := New(opt)
	sub := rt.Subscribe()
	rt.Start(ctx)
	// What is wrong with the configuration was found above.
	_ = rt.WaitSettled(ctx)
	list := rt.Plugins()
	if err := rt.Close(); err != nil {
		d.add(area, "", CheckWarn, err.Error(), "")
	}
	host := lastHost(sub)
	sub.Close()
	d.python(area, host, cfg)
	broken := brokenPlugins(list)
	for _, p := range broken {
		d.add(area, p.Key, CheckBad, p.Reason, "hermes plugins show "+p.Key)
	}
	n := 0
	for _, p := range list {
		if p.State == event.PluginOK {
			n++
		}
	}
	if len(broken) == 0 {
		d.add(area, d.text(locale.DoctorLoaded, n), CheckOK, "", "")
	}
}

// lastHost is what was last told of the plugin host, apart from its end.
func lastHost(sub *event.Subscription) (host event.HostState) {
	for _, e := range sub.Take() {
		if h, ok := e.(event.HostState); ok && (h.Exe != "" || h.Err != "") {
			host = h
		}
	}
	return host
}

// python tells which interpreter runs the plugins, or would: none is started
// while no plugin is enabled.
func (d *doctor) python(area string, host event.HostState, cfg *config.Config) {
	found := findPython(cfg)
	switch {
	case host.State == event.HostAbsent || host.Err != "":
		d.add(area, "Python", CheckBad, host.Err, d.text(locale.DoctorPythonFix))
	case host.Exe != "":
		d.add(area, "Python "+host.Python, CheckOK, host.Exe, "")
	case found != "":
		d.add(area, "Python", CheckOK, found, "")
	default:
		d.add(area, "Python", CheckWarn, d.text(locale.DoctorMissing), d.text(locale.DoctorPythonFix))
	}
}
