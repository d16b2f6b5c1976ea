package plugins

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
	"hermes/plugins/manifest"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// install puts modules into a folder for packages, with one distribution whose
// entry points are given as lines "name = value".
func install(t *testing.T, site, dist string, modules map[string]string, entries ...string) {
	t.Helper()
	for file, text := range modules {
		writeFile(t, filepath.Join(site, file), text)
	}
	info := filepath.Join(site, dist+".dist-info")
	name, version, _ := strings.Cut(dist, "-")
	writeFile(t, filepath.Join(info, "METADATA"), "Metadata-Version: 2.1\nName: "+name+"\nVersion: "+version+"\n")
	writeFile(t, filepath.Join(info, "entry_points.txt"), "[hermes_agent.plugins]\n"+strings.Join(entries, "\n")+"\n")
}

// registers is a module whose register offers one tool.
func registers(tool, body string) string {
	return "import os, threading\ndef run(args, **kw):\n    " + strings.ReplaceAll(body, "\n", "\n    ") +
		"\ndef register(ctx):\n    ctx.register_tool('" + tool + "', 'pip', {'name': '" + tool + "', 'description': 'd'}, run)\n"
}

func TestInstalledPlugins(t *testing.T) {
	site := t.TempDir()
	install(t, site, "case_pip-3.2.1", map[string]string{
		"alone.py":         registers("alone", "return 'alone'"),
		"pack/__init__.py": "",
		"pack/inner/__init__.py": "from . import helper\n" + registers("inner", "return helper.WHO") +
			"class Static:\n    @staticmethod\n    def register(ctx):\n        ctx.register_tool('static', 'pip', {'name': 'x', 'description': 'd'}, lambda a, **k: 'static')\n" +
			"class Method:\n    def register(self, ctx):\n        ctx.register_tool('method', 'pip', {'name': 'x', 'description': 'd'}, lambda a, **k: 'method')\n" +
			"class Bare:\n    pass\n" +
			"def setup(ctx):\n    ctx.register_tool('function', 'pip', {'name': 'x', 'description': 'd'}, lambda a, **k: ctx.manifest.path)\n",
		"pack/inner/helper.py": "WHO = 'helper'\n",
		"broken.py":            "x = 1\nraise ValueError('no use')\n",
	},
		"p-alone = alone", "p-inner = pack.inner", "p-static = pack.inner:Static", "p-method = pack.inner:Method", "p-function = pack.inner : setup",
		"p-bare = pack.inner:Bare", "p-gone = no_such_module_zq", "p-attr = pack.inner:nothing", "p-broken = broken", "p-off = alone")
	r := newRig(t, nil, func(o *Options) {
		o.Env = append(o.Env, "PYTHONPATH="+site)
		for _, name := range strings.Fields("alone inner static method function bare gone attr broken") {
			o.Settings.Enabled = append(o.Settings.Enabled, "p-"+name)
		}
	}).start()
	for tool, want := range map[string]string{"alone": "alone", "inner": "helper", "static": "static", "method": "method", "function": "pack.inner : setup"} {
		if got := r.call(tool, `{}`).Content; got != want {
			t.Errorf("%s = %s, want %s", tool, got, want)
		}
		if p := r.plugin("p-" + tool); p.State != event.PluginOK || p.Version != "3.2.1" || p.Source != manifest.SourceEntryPoint {
			t.Errorf("%s = %s %q %s", p.Key, p.State, p.Version, p.Source)
		}
	}
	for key, want := range map[string]string{
		"p-bare": "no register() function", "p-gone": "No module named 'no_such_module_zq'",
		"p-attr": "module 'pack.inner' has no attribute 'nothing'", "p-broken": "no use",
	} {
		p := r.plugin(key)
		if p.State != event.PluginFailed || p.Error == nil || !strings.HasPrefix(p.Error.Message, want) {
			t.Errorf("%s = %s %+v, want %s", key, p.State, p.Error, want)
		}
	}
	if e := r.plugin("p-broken").Error; e.File != filepath.Join(site, "broken.py") || e.Line != 2 || e.Source != "raise ValueError('no use')" {
		t.Errorf("place = %+v", e)
	}
	if p := r.plugin("p-off"); p.State != event.PluginFound {
		t.Errorf("p-off = %s", p.State)
	}
}

// What goes wrong in a package is told of its plugin, with the place.
func TestInstalledPluginsAreNamed(t *testing.T) {
	site := t.TempDir()
	install(t, site, "case_pip-1", map[string]string{
		"alone.py":         registers("alone", "os._exit(3)"),
		"pack/__init__.py": "",
		"pack/code.py":     registers("pack", "t = threading.Thread(target=lambda: print('from a thread'))\nt.start()\nt.join()\nraise KeyError('k')"),
	}, "p-alone = alone", "p-pack = pack.code")
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) {
		o.Env = append(o.Env, "PYTHONPATH="+site)
		o.Settings.Enabled = []string{"p-alone", "p-pack"}
	}).start()
	r.call("pack", `{}`)
	if e := r.plugin("p-pack").Error; e == nil || e.File != filepath.Join(site, "pack", "code.py") || e.Line != 6 || e.Where != "tool pack" {
		t.Errorf("p-pack = %+v", e)
	}
	if out := await(r, func(e event.PluginOutput) bool { return e.Line == "from a thread" }); out.Key != "p-pack" {
		t.Errorf("output of %q", out.Key)
	}
	if _, err := r.try("alone", `{}`); err == nil {
		t.Error("the host survived")
	}
	waitFor(t, func() bool { return r.plugin("p-alone").Error != nil })
	if e := r.plugin("p-alone").Error; e.File != filepath.Join(site, "alone.py") || e.Line != 3 || e.Func != "run" {
		t.Errorf("p-alone = %+v", e)
	}
	r.wantGood()
}

// venv makes an environment of the test's interpreter, without pip.
func venv(t *testing.T, dir string) (python, site string) {
	t.Helper()
	if out, err := exec.Command(testPython(t), "-I", "-m", "venv", "--without-pip", dir).CombinedOutput(); err != nil {
		t.Fatalf("venv: %v\n%s", err, out)
	}
	sites, err := filepath.Glob(filepath.Join(dir, "lib", "python3.*", "site-packages"))
	if err != nil || len(sites) != 1 {
		t.Fatalf("no site-packages in %s: %v", dir, err)
	}
	return filepath.Join(dir, "bin", "python3"), sites[0]
}

func TestPluginsInTheInterpretersSite(t *testing.T) {
	python, site := venv(t, t.TempDir())
	install(t, site, "here-1.5", map[string]string{"here.py": registers("here", "return 'here'")}, "here = here", "other = here")
	change := func(o *Options) {
		o.Env = append(o.Env, "HERMES_PYTHON="+python)
		o.Settings.Enabled = []string{"here"}
	}
	r := newRig(t, nil, change).start()
	if got := r.call("here", `{}`).Content; got != "here" {
		t.Errorf("here = %s", got)
	}
	if p := r.plugin("other"); p.State != event.PluginFound || p.Version != "1.5" {
		t.Errorf("other = %+v", p)
	}
	// The next time nobody has to be asked.
	opt := r.opt
	opt.Env = append(opt.Env, "PYTHONPATH=/nowhere")
	again := New(opt)
	defer again.cancel()
	if dirs, sure := again.siteDirs(); !sure || dirs[len(dirs)-1] != "/nowhere" || fmt.Sprint(dirs[:len(dirs)-1]) != fmt.Sprint(r.sites) {
		t.Errorf("remembered %v, %v; the host said %v", dirs, sure, r.sites)
	}
}

// With nothing enabled from a package, the first host tells of packages
// nevertheless, and so does a list.
func TestPackagesBecomeKnown(t *testing.T) {
	python, site := venv(t, t.TempDir())
	install(t, site, "here-1.5", map[string]string{"here.py": registers("here", "return 'here'")}, "here = here")
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) { o.Env = append(o.Env, "HERMES_PYTHON="+python) }).start()
	if p := r.plugin("here"); p.State != event.PluginFound || p.Source != manifest.SourceEntryPoint {
		t.Errorf("here = %+v", p)
	}
	if err := r.Enable(ctxT(t), "here"); err != nil {
		t.Fatal(err)
	}
	if got := r.call("here", `{}`).Content; got != "here" {
		t.Errorf("here = %s", got)
	}
	opt := r.opt
	opt.Home = t.TempDir()
	found, err := Discover(opt)
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	for _, f := range found {
		keys[f.Key] = f.Source
	}
	if keys["here"] != manifest.SourceEntryPoint {
		t.Errorf("listed %v", keys)
	}
}

func TestManagedEnvironment(t *testing.T) {
	r := newRig(t, nil, func(o *Options) { o.Settings.Enabled = []string{"managed"} })
	_, site := venv(t, filepath.Join(r.home, "venv"))
	install(t, site, "managed-1", map[string]string{"managed.py": registers("managed", "return os.path.dirname(__file__)")}, "managed = managed")
	r.opt.Settings.Python = testPython(t) // asked for, and of the same version
	r.settings.Python = testPython(t)
	r.start()
	if got := r.call("managed", `{}`).Content; got != site {
		t.Errorf("managed = %s, want %s", got, site)
	}
}
