package plugins

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/plugins/manifest"
)

func ctxT(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	return ctx
}

func TestNothingEnabledStartsNoHost(t *testing.T) {
	r := newRig(t, nil, nil).start()
	if p := r.plugin("calculator"); p.State != event.PluginFound || !p.Bundled || !p.Example {
		t.Errorf("calculator = %+v", p)
	}
	for _, e := range r.events() {
		if h, ok := e.(event.HostState); ok && h.State != event.HostOff {
			t.Errorf("host = %+v", h)
		}
	}
}

func TestEnableAndDisableABundledExample(t *testing.T) {
	saved := map[string]bool{}
	changed := 0
	r := newRig(t, nil, func(o *Options) {
		o.SaveEnabled = func(key string, on bool) error { saved[key] = on; return nil }
		o.OnCommandsChanged = func() { changed++ }
	}).start()
	for _, key := range []string{"calculator", "toolbox"} {
		if err := r.Enable(ctxT(t), key); err != nil || !saved[key] {
			t.Fatalf("enable %s: %v, saved %v", key, err, saved)
		}
	}
	if p := r.plugin("calculator"); p.State != event.PluginOK || len(p.Tools) != 2 || len(p.Commands) != 1 {
		t.Fatalf("calculator = %+v", p)
	}
	if got := r.call("calculate", `{"expression": "2**16"}`).Content; got != `{"expression": "2**16", "result": 65536}` {
		t.Errorf("calculate = %s", got)
	}
	if got := r.command("/calc 6*7").Text; got != "6*7 = 42" {
		t.Errorf("/calc = %q", got)
	}
	if changed == 0 || len(r.Commands()) != 1 || r.Commands()[0].Name != "calc" || r.Commands()[0].Owner != "calculator" {
		t.Errorf("commands = %+v, told %d times", r.Commands(), changed)
	}
	if err := r.Disable(ctxT(t), "calculator"); err != nil || saved["calculator"] {
		t.Fatalf("disable: %v, saved %v", err, saved)
	}
	if p := r.plugin("calculator"); p.State != event.PluginDisabled || len(p.Tools) != 0 {
		t.Errorf("calculator = %+v", p)
	}
	if _, ok := r.tools.Get("calculate"); ok || len(r.Commands()) != 0 || r.Hooks().Has("post_tool_call") {
		t.Error("registrations of a disabled plugin are still there")
	}
	if got := r.call("calculator", `{"operation": "multiply", "a": 3.14, "b": 256}`).Content; got != "计算结果：3.14 * 256 = 803.84" {
		t.Errorf("calculator of toolbox = %s", got)
	}
	if err := r.Enable(ctxT(t), "calculator"); err != nil {
		t.Fatal(err)
	}
	if got := r.call("calculate", `{"expression": "1/0"}`).Content; got != `{"expression": "1/0", "error": "Division by zero"}` {
		t.Errorf("calculate = %s", got)
	}
	if err := r.Enable(ctxT(t), "nope"); !errors.Is(err, errUnknown) || !strings.Contains(err.Error(), "nope") {
		t.Errorf("enable of an unknown plugin: %v", err)
	}
}

// A config.yaml that cannot be changed leaves the plugin as it is, and the user
// hears both: that nothing happened, and why.
func TestEnableWhileTheConfigurationIsBroken(t *testing.T) {
	var home config.Home
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) {
		o.SaveEnabled = func(key string, on bool) error { return config.SetPluginEnabled(home, key, on) }
	}).start()
	home, err := config.At(r.home)
	if err != nil {
		t.Fatal(err)
	}
	broken := "plugins:\n  enabled: [a\n"
	if err := os.WriteFile(filepath.Join(r.home, "config.yaml"), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change   func(context.Context, string) error
		key      string
		en, zh   string
		wasState string
	}{
		{r.Enable, "calculator", "Plugin calculator was not enabled; the choice could not be saved: ", "插件 calculator 未启用，设置无法保存：", event.PluginFound},
		{r.Disable, "good", "Plugin good was not disabled; the choice could not be saved: ", "插件 good 未禁用，设置无法保存：", event.PluginOK},
	} {
		r.seen = append(r.seen, r.sub.Take()...)
		err := c.change(ctxT(t), c.key)
		news := r.sub.Take()
		r.seen = append(r.seen, news...)
		if !slices.ContainsFunc(news, func(e event.Event) bool {
			p, ok := e.(event.PluginState)
			return ok && p.Plugin.Key == c.key
		}) {
			t.Errorf("%s: whoever waits for news of it waits on", c.key)
		}
		var shown interface{ In(l locale.Lang) string }
		if !errors.As(err, &shown) {
			t.Fatalf("err = %v", err)
		}
		en, zh := shown.In(locale.EN), shown.In(locale.ZH)
		if !strings.HasPrefix(en, c.en) || !strings.Contains(en, "config.yaml") || !strings.HasPrefix(zh, c.zh) || !strings.Contains(zh, "config.yaml") || err.Error() == "" {
			t.Errorf("%s: %q, %q", c.key, en, zh)
		}
		t.Log(en)
		t.Log(zh)
		if p := r.plugin(c.key); p.State != c.wasState {
			t.Errorf("%s = %s", c.key, p.State)
		}
	}
	if data, _ := os.ReadFile(filepath.Join(r.home, "config.yaml")); string(data) != broken {
		t.Errorf("config.yaml = %q", data)
	}
}

func TestToolboxAnswersAsTheTutorialShows(t *testing.T) {
	r := newRig(t, nil, func(o *Options) { o.Settings.Enabled = []string{"toolbox"} }).start()
	for _, c := range []struct{ name, args, want string }{
		{"echo", `{"message": "你好，世界！"}`, "Echo: 你好，世界！"},
		{"calculator", `{"operation": "multiply", "a": 150, "b": 3}`, "计算结果：150 * 3 = 450"},
		{"calculator", `{"operation": "divide", "a": 1, "b": 0}`, "错误：除数不能为零。"},
		{"calculator", `{"operation": "subtract", "a": 1, "b": 0.5}`, "计算结果：1 - 0.5 = 0.5"},
		{"get_current_weather", `{"city": "杭州"}`, "杭州的当前天气（模拟数据）：\n- 天气状况："},
	} {
		if got := r.call(c.name, c.args).Content; !strings.HasPrefix(got, c.want) {
			t.Errorf("%s %s = %s, want %s", c.name, c.args, got, c.want)
		}
	}
	tl, _ := r.tools.Get("echo")
	if !tl.Spec().Strict {
		t.Error("additionalProperties: false must make a tool strict")
	}
}

func TestEnableOfAPluginThatHasBeenMended(t *testing.T) {
	r := rigWith(t, map[string]string{"mend": "import part_zq\n"}, nil).start()
	if p := r.plugin("mend"); p.State != event.PluginFailed || !strings.Contains(p.Error.Message, "No module named 'part_zq'") {
		t.Fatalf("mend = %+v", p)
	}
	r.write("mend", "from . import part_zq\n"+toolPlugin("mend", "return part_zq.V"))
	r.addFile("mend", "part_zq.py", "V = 'mended'\n")
	if err := r.Enable(ctxT(t), "mend"); err != nil {
		t.Fatal(err)
	}
	if got := r.call("mend", `{}`).Content; got != "mended" {
		t.Errorf("mend = %s", got)
	}
}

func TestSiblingImportGetsAHint(t *testing.T) {
	r := rigWith(t, map[string]string{"flat": "import helpers_zq\n", "typo": "def register(ctx):\n    ctx.register_tol('x')\n"}, nil)
	r.addFile("flat", "helpers_zq.py", "")
	r.start()
	if p := r.plugin("flat"); p.Error == nil || !strings.HasPrefix(p.Error.Message, "No module named 'helpers_zq'") || !strings.Contains(p.Error.Message, "from . import helpers_zq") {
		t.Errorf("flat = %+v", p.Error)
	}
	p := r.plugin("typo")
	if p.Error == nil || !strings.HasPrefix(p.Error.Message, "'PluginContext' object has no attribute 'register_tol'") {
		t.Errorf("typo = %+v", p.Error)
	}
	if p.Error.Line != 2 || p.Error.Source != "ctx.register_tol('x')" || !strings.HasPrefix(p.Error.Traceback, "Traceback (most recent call last):\n  File \""+p.Path) {
		t.Errorf("place = %+v", p.Error)
	}
}

// counter keeps its state in memory; reload loses it.
const counter = `
N = {"calls": 0}

def run(args, **kw):
    N["calls"] += 1
    return "one %d" % N["calls"]

def register(ctx):
    ctx.register_tool("count", "x", {"name": "count", "description": "d"}, run)
`

func TestReloadSwapsBetweenTurns(t *testing.T) {
	r := rigWith(t, map[string]string{"counter": counter, "old": good}, nil).start()
	first := await(r, func(e event.HostState) bool { return e.State == event.HostReady })
	r.call("count", `{}`)
	r.write("counter", strings.ReplaceAll(counter, "one", "second"))
	for range 2 { // the second takes the place of the first
		if err := r.Reload(ctxT(t)); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.call("count", `{}`).Content; got != "one 2" {
		t.Errorf("before the boundary: %s", got)
	}
	old := r.allUnits()[0].live()
	r.TurnBoundary()
	second := await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Pid != first.Pid })
	<-old.Done()
	if got := r.call("count", `{}`).Content; got != "second 1" {
		t.Errorf("after the boundary: %s", got)
	}
	r.wantGood()
	// A new version that does not load changes nothing.
	r.write("counter", "raise ValueError('broken')\n")
	if err := r.Reload(ctxT(t)); err != nil {
		t.Fatal(err)
	}
	await(r, func(e event.Notice) bool { return strings.Contains(e.Text, "counter") })
	r.TurnBoundary()
	if got := r.call("count", `{}`).Content; got != "second 2" {
		t.Errorf("after a failed reload: %s", got)
	}
	// Nobody hears of hosts that do not serve: neither old nor unwanted ones.
	for _, e := range r.events() {
		if h, ok := e.(event.HostState); ok && (h.State == event.HostDraining || h.State == event.HostOff) {
			t.Errorf("told of %+v", h)
		}
	}
	// One that waits for its boundary does not outlive the program.
	r.write("counter", counter)
	if err := r.Reload(ctxT(t)); err != nil {
		t.Fatal(err)
	}
	// The supervisor watches the new host as it did the old one.
	kill(t, second.Pid)
	await(r, func(e event.HostState) bool {
		return e.State == event.HostReady && e.Pid != second.Pid && e.Restarts == 1
	})
	r.wantGood()
}

func TestIsolatedPluginDoesNotDisturbOthers(t *testing.T) {
	r := rigWith(t, map[string]string{"bad": toolPlugin("bad", "os._exit(5)"), "counter": counter}, func(o *Options) {
		o.Settings.Entries = map[string]Entry{"bad": {Isolate: true}}
	}).start()
	r.call("count", `{}`)
	for range 2 {
		if _, err := r.try("bad", `{}`); err == nil || !strings.Contains(err.Error(), "exit status 5") {
			t.Fatalf("err = %v", err)
		}
	}
	if got := r.call("count", `{}`).Content; got != "one 2" {
		t.Errorf("the other plugin lost its state: %s", got)
	}
}

func TestPluginThatKeepsCrashingIsOffForTheSession(t *testing.T) {
	r := rigWith(t, map[string]string{"bad": toolPlugin("bad", "os._exit(5)"), "good": good}, nil).start()
	for range 10 {
		_, err := r.try("bad", `{}`)
		if err == nil {
			t.Fatal("os._exit answered")
		}
		var stopped *notRunningError
		if errors.As(err, &stopped) {
			break
		}
		if _, ok := r.tools.Get("bad"); !ok {
			break
		}
		waitFor(t, func() bool {
			p := r.plugin("bad")
			return p.State == event.PluginOK || p.State == event.PluginCrashed
		})
		if r.plugin("bad").State == event.PluginCrashed {
			break
		}
	}
	p := r.plugin("bad")
	if p.State != event.PluginCrashed || !strings.Contains(p.Reason, "off for this session") {
		t.Errorf("bad = %s %q", p.State, p.Reason)
	}
	waitFor(t, func() bool { // the row comes first
		_, offered := r.tools.Get("bad")
		return !offered
	})
	r.wantGood()
}

func TestHostGivesUpAfterFourDeaths(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good}, nil).start()
	pid := 0
	for n := range 4 {
		ready := await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Restarts == n })
		pid = ready.Pid
		kill(t, pid)
		if n == 1 { // the wait before the third start is five seconds: the user may cut it short
			await(r, func(e event.HostState) bool { return e.State == event.HostBackoff && e.Next == time.Second })
		}
		if n == 2 {
			await(r, func(e event.HostState) bool { return e.State == event.HostBackoff && e.Next == 5*time.Second })
			r.Restart()
		}
	}
	await(r, func(e event.HostState) bool { return e.State == event.HostStopped })
	await(r, func(e event.Notice) bool { return e.Level == event.LevelError })
	if _, ok := r.tools.Get("good"); ok {
		t.Error("a tool without a host is still offered")
	}
	r.Restart()
	await(r, func(e event.HostState) bool {
		return e.State == event.HostReady && e.Pid > 0 && e.Pid != pid && e.Restarts == 0 && slices.Index(r.seen, event.Event(e)) > 0 && r.live(e.Pid)
	})
	waitFor(t, func() bool { _, ok := r.tools.Get("good"); return ok })
	r.wantGood()
}

func TestReloadStartsAHostThatWasGivenUp(t *testing.T) {
	r := rigWith(t, map[string]string{"a": toolPlugin("a", "return 'a'"), "good": good}, nil).start()
	for n := range 4 {
		ready := await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Restarts == n })
		kill(t, ready.Pid)
		if n > 0 && n < 3 {
			await(r, func(e event.HostState) bool { return e.State == event.HostBackoff && e.Restarts == n+1 })
			r.Restart()
		}
	}
	await(r, func(e event.HostState) bool { return e.State == event.HostStopped })
	waitFor(t, func() bool { return r.plugin("good").State == event.PluginFailed })
	// Meanwhile the first plugin broke in the worst way: that is its own affair.
	for _, body := range []string{"os._exit(3)", "time.sleep(9999)", "raise ValueError('x')"} {
		t.Run(body, func(t *testing.T) {
			r.t = t
			r.settings.LoadTimeout = 2 * time.Second
			r.write("a", "import os, time\ndef register(ctx):\n    "+body+"\n")
			if err := r.Reload(ctxT(t)); err != nil {
				t.Fatal(err)
			}
			before := len(r.events())
			r.TurnBoundary()
			await(r, func(e event.HostState) bool {
				return e.State == event.HostReady && slices.Index(r.seen, event.Event(e)) >= before && r.live(e.Pid)
			})
			r.wantGood()
			p := r.plugin("a")
			if p.State != event.PluginCrashed && p.State != event.PluginFailed || p.Error == nil || p.Error.Where != "register" || p.Error.Line != 3 {
				t.Errorf("a = %s %q %+v", p.State, p.Reason, p.Error)
			}
		})
	}
}

// A reload while the host waits for its next start takes the place of that.
func TestReloadDuringBackoff(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good}, nil).start()
	for n := range 2 {
		kill(t, await(r, func(e event.HostState) bool { return e.State == event.HostReady && e.Restarts == n }).Pid)
	}
	await(r, func(e event.HostState) bool { return e.State == event.HostBackoff })
	old := r.allUnits()[0]
	if err := r.Reload(ctxT(t)); err != nil {
		t.Fatal(err)
	}
	r.TurnBoundary()
	r.wantGood()
	waitFor(t, old.isClosed)
	old.hurry() // its second is over
	waitFor(t, func() bool {
		old.mu.Lock()
		defer old.mu.Unlock()
		return len(old.again) == 0 && old.proc == nil
	})
	r.wantGood()
	for _, e := range r.events() {
		if n, ok := e.(event.Notice); ok && n.Level != event.LevelInfo {
			t.Errorf("notice = %+v", n)
		}
	}
}

// live reports whether the shared host runs under that id.
func (r *rig) live(pid int) bool {
	for _, u := range r.allUnits() {
		if p := u.live(); p != nil && p.Hello.Pid == pid {
			return true
		}
	}
	return false
}

func TestNoPython(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) {
		o.Env = []string{"PATH=" + t.TempDir()}
	}).start()
	host := await(r, func(e event.HostState) bool { return e.State == event.HostAbsent })
	if !strings.Contains(host.Err, "Python") {
		t.Errorf("host = %+v", host)
	}
	notice := await(r, func(e event.Notice) bool { return true })
	if notice.Text != host.Err {
		t.Errorf("notice = %+v", notice)
	}
	if p := r.plugin("good"); p.State != event.PluginFailed || p.Reason != host.Err {
		t.Errorf("good = %+v", p)
	}
	// What is enabled now says the same.
	if err := r.Enable(ctxT(t), "toolbox"); err != nil {
		t.Fatal(err)
	}
	if got, want := manifest.Lines(r.List(), ""), "Plugins (2):\n  ✗ good v0.1.0\n      "+host.Err+"\n  ✗ toolbox"; !strings.HasPrefix(got, want) {
		t.Errorf("/plugins:\n%s\nwant\n%s", got, want)
	}
}

func TestUnusablePythonIsNamed(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) { o.Settings.Python = "/nonexistent/python3" }).start()
	host := await(r, func(e event.HostState) bool { return e.State == event.HostAbsent })
	if !strings.Contains(host.Err, "/nonexistent/python3") || !strings.Contains(host.Err, "plugins.python") {
		t.Errorf("host = %+v", host)
	}
}

func TestBundledPluginsOfAnotherFolder(t *testing.T) {
	dir := t.TempDir()
	r := rigWith(t, nil, func(o *Options) {
		o.Env = append(o.Env, "HERMES_BUNDLED_PLUGINS="+dir)
		o.Settings.Enabled = []string{"extra", "toolbox"}
	})
	r.write("extra", good)
	if err := os.Rename(filepath.Join(r.home, "plugins", "extra"), filepath.Join(dir, "extra")); err != nil {
		t.Fatal(err)
	}
	r.start()
	if p := r.plugin("extra"); p.State != event.PluginOK || !p.Bundled || p.Example {
		t.Errorf("extra = %+v", p)
	}
	if p := r.plugin("toolbox"); p.State != event.PluginOK || !p.Example {
		t.Errorf("toolbox = %+v", p)
	}
}

func TestManifestAsPluginsSeeIt(t *testing.T) {
	r := rigWith(t, map[string]string{"m": `
import json
def register(ctx):
    m = ctx.manifest
    seen = {k: repr(getattr(m, k)) for k in ("name", "version", "description", "author", "requires_env", "provides_tools", "source", "kind", "key", "path")}
    ctx.register_tool("seen", "x", {"name": "x", "description": "d"}, lambda a, **k: json.dumps(seen))
`}, func(o *Options) { o.Env = append(o.Env, "A_KEY=set") })
	r.addFile("m", "plugin.yaml", "name: m\nversion: 1.10\ndescription: 2024-01-02\nauthor: null\nrequires_env: [A_KEY]\nprovides_tools: [seen, .inf]\n")
	r.start()
	var got map[string]string
	if err := json.Unmarshal([]byte(r.call("seen", `{}`).Content), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"name": "'m'", "version": "'1.1'", "description": "datetime.date(2024, 1, 2)", "author": "None", "requires_env": "['A_KEY']",
		"provides_tools": "['seen', inf]", "source": "'user'", "kind": "'standalone'", "key": "'m'", "path": "'" + filepath.Join(r.home, "plugins", "m") + "'",
	}
	if !maps.Equal(got, want) {
		t.Errorf("manifest = %v\nwant %v", got, want)
	}
	if p := r.plugin("m"); p.Version != "1.10" {
		t.Errorf("version is shown as %q", p.Version)
	}
}

func TestSafeModeRunsNothing(t *testing.T) {
	r := rigWith(t, map[string]string{"good": good}, func(o *Options) { o.Settings.SafeMode = true }).start()
	if p := r.plugin("good"); p.State != event.PluginSkipped {
		t.Errorf("good = %+v", p)
	}
	if len(r.tools.All()) > 0 {
		t.Error("a tool is offered in safe mode")
	}
}
