package plugins

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
)

// searchPaths makes folders with modules and a home directory with a user site:
// the environment that shows them to Python, and the working directory.
func searchPaths(t *testing.T) (env []string, dir string) {
	t.Helper()
	lib, home, dir := t.TempDir(), t.TempDir(), t.TempDir()
	env = append(os.Environ(), "PYTHONUSERBASE="+home, "PYTHONPATH="+strings.Join([]string{"", lib, ".", filepath.Join(lib, "none")}, string(os.PathListSeparator)))
	ask := exec.Command(testPython(t), "-c", "import site; print(site.getusersitepackages())")
	ask.Env = append(os.Environ(), "PYTHONUSERBASE="+home)
	out, err := ask.Output()
	if err != nil {
		t.Fatal(err)
	}
	user := strings.TrimSpace(string(out))
	for file, text := range map[string]string{
		filepath.Join(lib, "only_there.py"):       "WHO = 'path'\n",
		filepath.Join(lib, "json.py"):             "raise RuntimeError('shadowed')\n",
		filepath.Join(lib, "hermes_constants.py"): "raise RuntimeError('shadowed')\n",
		filepath.Join(user, "only_user.py"):       "WHO = 'user'\n",
		filepath.Join(dir, "only_cwd.py"):         "WHO = 'cwd'\n",
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return env, dir
}

const importer = `
import json, hermes_constants, os, sys
def find(name):
    try:
        return __import__(name).WHO
    except ImportError:
        return "none"
def run(args, **kw):
    here = [p for p in sys.path if p in ("", ".", os.getcwd())]
    return json.dumps([find("only_there"), find("only_user"), find("only_cwd"), here])
def register(ctx):
    ctx.register_tool("find", "x", {"name": "find", "description": "d"}, run)
`

func TestPluginsFindWhatTheUserAddedToThePath(t *testing.T) {
	env, dir := searchPaths(t)
	for _, c := range []struct{ name, more, want string }{
		{"all", "", `["path", "user", "none", []]`},
		{"no user site", "PYTHONNOUSERSITE=1", `["path", "none", "none", []]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rigWith(t, map[string]string{"find": importer}, func(o *Options) {
				o.Env, o.Dir, o.Settings.Python = append(env[:len(env):len(env)], c.more), dir, testPython(t)
			}).start()
			if p := r.plugin("find"); p.State != event.PluginOK {
				t.Fatalf("find = %s %q", p.State, p.Reason)
			}
			if got := r.call("find", `{}`).Content; got != c.want {
				t.Errorf("found %s, want %s", got, c.want)
			}
		})
	}
}
