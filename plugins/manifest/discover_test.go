package manifest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
)

// tree writes files below a scratch folder and returns it. A name that ends in
// a slash is an empty folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// discover looks in root/home, root/project and root/bundled.
func discover(t *testing.T, root string, o Options) []Found {
	t.Helper()
	home, err := config.At(filepath.Join(root, "home"))
	if err != nil {
		t.Fatal(err)
	}
	o.Home, o.Dir = home, filepath.Join(root, "project")
	if o.Bundled == nil {
		o.Bundled = []string{filepath.Join(root, "bundled")}
	}
	return Discover(o)
}

// rows writes one line per plugin: key state [reason].
func rows(root string, found []Found) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%s %s", f.Key, f.State)
		if f.Reason != "" {
			b.WriteString(": " + strings.ReplaceAll(f.Reason, root, ""))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func plugin(manifest string) map[string]string {
	return map[string]string{"plugin.yaml": manifest, "__init__.py": "def register(ctx): pass\n"}
}

// in joins plugins into one tree: folder → files.
func in(dirs map[string]map[string]string) map[string]string {
	out := map[string]string{}
	for dir, files := range dirs {
		for name, text := range files {
			out[dir+"/"+name] = text
		}
	}
	return out
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, p := range pairs {
			if k, v, _ := strings.Cut(p, "="); k == name {
				return v
			}
		}
		return ""
	}
}

func TestSourcesOrderAndReasons(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"bundled/calculator":             plugin("name: calculator\nversion: 9\n"),
		"bundled/backendy":               plugin("name: backendy\nkind: backend\n"),
		"bundled/platforms/irc":          plugin("name: irc-platform\nkind: platform\n"),
		"bundled/memory/mem":             plugin("name: mem\n"),
		"home/plugins/calculator":        plugin("name: calculator\nversion: 1.0.0\n"),
		"home/plugins/zeta":              plugin("name: zeta\n"),
		"home/plugins/off":               plugin("name: off\n"),
		"home/plugins/cat/inner":         plugin("name: whatever\n"),
		"home/plugins/a/b/deep":          plugin("name: deep\n"),
		"home/plugins/broken":            plugin("name: [unclosed\n"),
		"home/plugins/list":              plugin("- a\n"),
		"home/plugins/mem":               {"plugin.yaml": "name: mem\n", "__init__.py": "# MemoryProvider\n"},
		"home/plugins/prov":              {"plugin.yaml": "name: prov\n", "__init__.py": "register_provider(ProviderProfile())\n"},
		"home/plugins/plain":             {"plugin.yaml": "name: plain\nkind: standalone\n", "__init__.py": "# MemoryProvider\n"},
		"home/plugins/code":              {"__init__.py": "def register(ctx): pass\n"},
		"home/plugins/bare-mem":          {"__init__.py": "class M(MemoryProvider): pass\n"},
		"home/plugins/noinit":            {"plugin.yaml": "name: noinit\n"},
		"home/plugins/plat":              {"plugin.yaml": "name: plat\nkind: platform\n", "adapter.py": "def register(ctx): pass\n"},
		"home/plugins/__pycache__":       {"x.pyc": ""},
		"home/plugins/.git":              {"config": ""},
		"home/plugins/empty":             {"README.md": "nothing here"},
		"project/.hermes/plugins/zeta":   plugin("name: zeta\nversion: 2\n"),
		"project/.hermes/plugins/onlypr": plugin("name: onlypr\n"),
	}))
	got := rows(root, discover(t, root, Options{
		Enabled:  []string{"calculator", "zeta", "cat/inner", "deep", "broken", "noinit", "plain", "plat", "onlypr"},
		Disabled: []string{"off"},
		Getenv:   env("HERMES_ENABLE_PROJECT_PLUGINS=Yes"),
	}))
	want := `backendy starting
calculator starting
irc-platform skipped: platform: loaded at its first use
cat/inner starting
mem skipped: exclusive plugin — activate via <category>.provider config
noinit failed: No __init__.py in /home/plugins/noinit
off disabled: disabled via config
plain starting
plat starting
prov skipped: model provider: used when model.provider names it
zeta starting
onlypr starting
a/b/deep skipped: nested too deep: /home/plugins/a/b/deep; a plugin folder is at most two levels below plugins/
bare-mem skipped: exclusive plugin — activate via <category>.provider config
broken failed: manifest cannot be read: plugin.yaml:1: did not find expected ',' or ']'
calculator@bundled skipped: replaced by the user plugin in /home/plugins/calculator
code failed: no plugin.yaml beside __init__.py in /home/plugins/code
list failed: manifest cannot be read: plugin.yaml:1: the manifest must be a mapping (name: …), not a list
zeta@user skipped: replaced by the project plugin in /project/.hermes/plugins/zeta
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNothingIsEnabledByItself(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"home/plugins/cat/inner":       plugin("name: i\n"),
		"project/.hermes/plugins/proj": plugin("name: proj\n"),
	}))
	found := discover(t, root, Options{})
	want := "cat/inner found: not enabled in config (run `hermes plugins enable cat/inner` to activate)\n"
	if got := rows(root, found); got != want {
		t.Errorf("got:\n%s", got)
	}
	if found[0].RefError != "not enabled in config (run `hermes plugins enable cat/inner` to activate)" || StatusWord(found[0]) != "not enabled" {
		t.Errorf("%+v", found[0])
	}
}

func TestSafeModeLoadsNothing(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"bundled/b":        plugin("name: b\nkind: backend\n"),
		"home/plugins/a":   plugin("name: a\n"),
		"home/plugins/bad": plugin("name: [\n"),
	}))
	var log bytes.Buffer
	found := discover(t, root, Options{Enabled: []string{"a"}, SafeMode: true, Lang: locale.ZH, Log: logTo(&log)})
	want := "b skipped: 安全模式：不加载任何插件\na skipped: 安全模式：不加载任何插件\nbad skipped: 安全模式：不加载任何插件\n"
	if got := rows(root, found); got != want {
		t.Errorf("got:\n%s", got)
	}
	if got := log.String(); got != "INFO HERMES_SAFE_MODE=1 — plugin discovery skipped\n" {
		t.Errorf("log:\n%s", got)
	}
}

func TestRequiredVariables(t *testing.T) {
	const weather = "name: weather\nrequires_env:\n- WEATHER_API_KEY\n- name: WEATHER_TOKEN\n  secret: true\n"
	files := in(map[string]map[string]string{
		"home/plugins/weather": plugin(weather),
		"home/plugins/back":    plugin("name: back\nkind: backend\nrequires_env: [BACK_KEY]\n"),
		"bundled/b":            plugin("name: b\nrequires_env: B_KEY\n"),
	})
	root := tree(t, files)
	o := Options{Enabled: []string{"weather", "back", "b"}, Getenv: env("WEATHER_TOKEN=t", "WEATHER_API_KEY=")}
	found := discover(t, root, o)
	want := "b starting: needs B_KEY\nback starting: needs BACK_KEY\nweather needs_key: Plugin weather disabled (missing: WEATHER_API_KEY)\n"
	if got := rows(root, found); got != want {
		t.Errorf("got:\n%s", got)
	}
	w := found[2]
	if w.RefError != "missing: WEATHER_API_KEY" || !w.RequiresEnv[1].Set || !w.RequiresEnv[1].Secret || w.RequiresEnv[0].Set {
		t.Errorf("%+v", w)
	}
	if n := found[0].Notices; len(n) != 1 || n[0] != "plugin.yaml:2: requires_env should be a list; the one value is taken" {
		t.Errorf("notices %q", n)
	}

	o.Lang = locale.ZH
	if got := discover(t, root, o)[2].Reason; got != "插件 weather 已禁用（缺少：WEATHER_API_KEY）" {
		t.Errorf("Chinese: %s", got)
	}

	o.Lang, o.IgnoreRequiresEnv = locale.EN, func(key string) bool { return key == "weather" }
	w = discover(t, root, o)[2]
	if !w.Load || len(w.Missing) != 1 || len(w.Notices) != 1 || !strings.Contains(w.Notices[0], "plugins.entries.weather.ignore_requires_env") {
		t.Errorf("%+v", w)
	}

	o.Getenv = env("WEATHER_TOKEN=t", "WEATHER_API_KEY=k")
	o.IgnoreRequiresEnv = nil
	if w = discover(t, root, o)[2]; !w.Load || w.Missing != nil {
		t.Errorf("%+v", w)
	}
}

func TestNamesAsTypedAndContextAsInTheReference(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"home/plugins/a":   plugin("name: 404\nversion: 1.10\ndescription: on\nauthor: ~\n"),
		"home/plugins/b":   plugin("name: on\nversion: [1, 2]\nauthor: 007\n"),
		"home/plugins/dir": plugin("name: ~\nversion: 2024-01-31\nrequires_env: [{name: K, note: yes}]\n"),
	}))
	found := discover(t, root, Options{Enabled: []string{"404", "on", "dir"}, Getenv: env("K=1")})
	var got []string
	for _, f := range found {
		var ctx map[string]any
		if err := json.Unmarshal(f.Ctx, &ctx); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%v %v|%v|%v|%v", f.Key, f.Version, f.Description, f.Author, f.Load, ctx["version"], ctx["description"], ctx["author"], ctx["requires_env"]))
	}
	want := []string{
		"404|1.10|on||true 1.1|true|<nil>|[]",
		"on|[1, 2]||007|true [1, 2]||7|[]",
		"dir|2024-01-31|||true 2024-01-31|||[map[name:K note:true]]",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if m := found[0].Module; m != "hermes_plugins.404" {
		t.Error(m)
	}
	if m := moduleName("image_gen/open-ai.v2"); m != "hermes_plugins.image_gen__open_ai.v2" {
		t.Error(m)
	}
}

func TestManifestErrorsAndWarnings(t *testing.T) {
	for manifest, want := range map[string]string{
		"name: x\nrequires_env:\n- description: no name\n": "plugin.yaml:3: requires_env: this entry has no name",
		"name: x\nrequires_env:\n- [A]\n":                  "plugin.yaml:3: requires_env: an entry must be a variable's name or a mapping with name:, not a list",
		"name: {a: b}\n":                                   "plugin.yaml:1: name must be text, not a mapping",
		"name: x\n---\nname: y\n":                          "plugin.yaml:2: found a second document; expected a single one",
		"name: m\xc9\n":                                    "plugin.yaml:1: byte 0xc9 is not UTF-8; save the file as UTF-8",
		"\xff\xfen\x00":                                    "plugin.yaml:1: the file is UTF-16; save it as UTF-8",
		"description: bad\ttab\n\tname: x\n":               "plugin.yaml:2: found a tab character that violates indentation",
	} {
		_, err := Parse("plugin.yaml", []byte(manifest))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", manifest, err, want)
		}
	}
	root := tree(t, in(map[string]map[string]string{
		"home/plugins/a": plugin("name: a\nversion: 1\nversion: 2\nkind: ' Widget '\n"),
		"home/plugins/b": plugin("name: b\nkind: 7\n"),
		"home/plugins/c": plugin(""),
	}))
	var log bytes.Buffer
	found := discover(t, root, Options{Log: logTo(&log)})
	if found[0].Version != "2" || found[0].Kind != KindStandalone || found[1].Kind != KindStandalone || found[2].Key != "c" {
		t.Errorf("%+v", found)
	}
	for _, line := range []string{
		"WARN duplicate key 'version' in ",
		"WARN Plugin a: unknown kind ' Widget ' (valid: backend, exclusive, model-provider, platform, standalone); treating as 'standalone'\n",
	} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("no %q in\n%s", line, log.String())
		}
	}
	if len(found[0].Notices) != 2 || len(found[1].Notices) != 0 {
		t.Errorf("notices %q %q", found[0].Notices, found[1].Notices)
	}
}

func TestDiscoveryLog(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"home/plugins/p":     plugin("name: p\n"),
		"home/plugins/needy": plugin("name: needy\nrequires_env: [A, B]\n"),
		"home/plugins/cat/x": {"README": ""},
		"home/plugins/mem":   {"plugin.yaml": "name: mem\n", "__init__.py": "MemoryProvider"},
		"bundled/.keep":      {"x": ""},
	}))
	var log bytes.Buffer
	discover(t, root, Options{Log: logTo(&log), Enabled: []string{"p", "needy"}})
	want := `DEBUG Scanning bundled plugins: /bundled
DEBUG   bundled (top-level): 0 manifest(s)
DEBUG   bundled/platforms: 0 manifest(s)
DEBUG Scanning user plugins: /home/plugins
DEBUG Skipping /home/plugins/cat/x (no plugin.yaml, depth cap reached)
DEBUG Plugin mem: detected memory provider, treating as kind='exclusive'
DEBUG Parsed manifest: key=mem name=mem kind=exclusive source=user path=/home/plugins/mem
DEBUG Parsed manifest: key=needy name=needy kind=standalone source=user path=/home/plugins/needy
DEBUG Parsed manifest: key=p name=p kind=standalone source=user path=/home/plugins/p
DEBUG   user: 3 manifest(s)
DEBUG Project plugins disabled (set HERMES_ENABLE_PROJECT_PLUGINS=1 to enable)
DEBUG   entrypoints: 0 manifest(s)
DEBUG Skipping 'mem' (exclusive, handled by category discovery)
WARN Plugin needy disabled (missing: A, B)
DEBUG Loading plugin 'p' (source=user, kind=standalone, path=/home/plugins/p)
`
	if got := strings.ReplaceAll(log.String(), root, ""); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLinks(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"elsewhere/linked": plugin("name: linked\n"),
		"home/plugins/own": plugin("name: own\n"),
	}))
	for name, target := range map[string]string{
		"linked": filepath.Join(root, "elsewhere", "linked"), "gone": filepath.Join(root, "nowhere"),
		"loop": "loop", "self": ".", "up": root,
	} {
		if err := os.Symlink(target, filepath.Join(root, "home", "plugins", name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	got := rows(root, discover(t, root, Options{Enabled: []string{"linked", "own"}}))
	if want := "linked starting\nown starting\n"; got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	root := tree(t, in(map[string]map[string]string{
		"home/plugins/file": plugin("name: file\n"),
		"home/plugins/dir":  plugin("name: dir\n"),
	}))
	for _, path := range []string{"home/plugins/file/plugin.yaml", "home/plugins/dir"} {
		path := filepath.Join(root, path)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o755) })
	}
	got := rows(root, discover(t, root, Options{}))
	want := "dir/ failed: cannot read folder /home/plugins/dir: permission denied\nfile failed: manifest cannot be read: plugin.yaml: permission denied\n"
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestEntryPoints(t *testing.T) {
	root := tree(t, map[string]string{
		"site/case_pip-3.2.1.dist-info/METADATA":         "Metadata-Version: 2.1\nName: case-pip\nVersion: 3.2.1\nSummary: A summary\nAuthor: Me\n\nVersion: body\n",
		"site/case_pip-3.2.1.dist-info/entry_points.txt": "[console_scripts]\nx = y:z\n\n[hermes_agent.plugins]\npip-good = case_pip.plugin:register\npip-off=case_pip [extra]\n# c = d\n",
		"site/case_pip/plugin.yaml":                      "name: other\nrequires_env: [PIP_KEY]\n",
		"site2/dup-1.dist-info/entry_points.txt":         "[hermes_agent.plugins]\npip-good = shadowed\n",
		"home/plugins/pip-off/plugin.yaml":               "name: pip-off\n",
		"home/plugins/pip-off/__init__.py":               "",
	})
	sites := []string{filepath.Join(root, "site"), filepath.Join(root, "site2"), filepath.Join(root, "missing")}
	found := discover(t, root, Options{Sites: sites, Enabled: []string{"pip-good"}, Getenv: env("PIP_KEY=1")})
	want := "pip-off found: not enabled in config (run `hermes plugins enable pip-off` to activate)\npip-good starting\npip-off@user skipped: replaced by the pip plugin in case_pip\n"
	if got := rows(root, found); got != want {
		t.Errorf("got:\n%s", got)
	}
	g := found[1]
	if g.Source != SourceEntryPoint || g.Version != "3.2.1" || g.Description != "A summary" || g.Author != "Me" || g.Dir != "case_pip.plugin:register" || g.Module != "case_pip.plugin" || g.Entry != "" {
		t.Errorf("%+v", g.Manifest)
	}
	var ctx map[string]any
	if err := json.Unmarshal(g.Ctx, &ctx); err != nil || ctx["version"] != "" || ctx["path"] != "case_pip.plugin:register" {
		t.Errorf("ctx %v, %v", ctx, err)
	}
	if f := discover(t, root, Options{Sites: sites, Enabled: []string{"pip-good"}})[1]; f.State != event.PluginNeedsKey {
		t.Errorf("%+v", f)
	}
}

func TestResolve(t *testing.T) {
	root := tree(t, in(map[string]map[string]string{
		"home/plugins/a":     plugin("name: alpha\n"),
		"home/plugins/c/x":   plugin("name: one\n"),
		"home/plugins/d/x":   plugin("name: two\n"),
		"home/plugins/d/y":   plugin("name: three\n"),
		"home/plugins/n1":    plugin("name: alpha2\n"),
		"home/plugins/m/one": plugin("name: one\n"),
	}))
	found := discover(t, root, Options{})
	for name, want := range map[string]string{"alpha": "alpha", "c/x": "c/x", "two": "d/x", "y": "d/y", "x": "", "one": "", "nope": ""} {
		got, ok := Resolve(found, name)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q %v", name, got, ok)
		}
	}
}

func logTo(b *bytes.Buffer) *slog.Logger { return slog.New(lineHandler{b}) }

// lineHandler writes "LEVEL message".
type lineHandler struct{ b *bytes.Buffer }

func (h lineHandler) Enabled(_ context.Context, _ slog.Level) bool { return true }
func (h lineHandler) Handle(_ context.Context, r slog.Record) error {
	_, err := fmt.Fprintf(h.b, "%s %s\n", r.Level, r.Message)
	return err
}
func (h lineHandler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h lineHandler) WithGroup(string) slog.Handler      { return h }

// corpus returns a folder of the corpus. CI always has it; elsewhere its tests
// are skipped when it is missing.
func corpus(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("HERMES_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the corpus is missing: %v", err)
		}
		t.Skipf("no corpus at %s (set HERMES_CORPUS): %v", path, err)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// FuzzEntryPoints: whatever an entry_points.txt holds, an entry has a name and
// stays on one line.
func FuzzEntryPoints(f *testing.F) {
	for _, seed := range []string{
		"[hermes_agent.plugins]\na = b:c [extra]\n", "[console_scripts]\nx = y\n[hermes_agent.plugins]\n# c = d\n= e\nf =\n", "a = b\n", "[hermes_agent.plugins]\r\na=b\r\n", "[",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, e := range entryPoints(data) {
			if e.name == "" || e.value == "" || strings.Contains(e.name, "\n") || strings.ContainsAny(e.value, "\n[") {
				t.Errorf("%q = %q of %q", e.name, e.value, data)
			}
		}
	})
}
