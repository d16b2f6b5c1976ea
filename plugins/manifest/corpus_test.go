package manifest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hermes/agent/config"
	"hermes/agent/event"
)

// corpusCase is the part of a corpus case that discovery decides.
type corpusCase struct {
	ID     string            `json:"id"`
	Mode   string            `json:"mode"`
	Tree   [][2]string       `json:"tree"`
	Files  map[string]string `json:"files"`
	Enable []string          `json:"enable"`
	Env    map[string]string `json:"env"`
	Config struct {
		Plugins struct {
			Disabled []string `json:"disabled"`
		} `json:"plugins"`
	} `json:"config"`
	Expected struct {
		Plugins []map[string]any `json:"plugins"`
	} `json:"expected"`
}

// TestCorpusSeeds finds the same plugins, with the same manifests and the same
// decisions, as the reference did with every plugin of the guides.
func TestCorpusSeeds(t *testing.T) {
	raw, err := os.ReadFile(corpus(t, "seeds.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []corpusCase }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, c := range file.Cases {
		if c.Mode != "files" {
			continue
		}
		ran++
		t.Run(strings.TrimPrefix(c.ID, "seed/"), func(t *testing.T) { runCase(t, c) })
	}
	if ran == 0 {
		t.Error("no case ran")
	}
}

func runCase(t *testing.T, c corpusCase) {
	dir := t.TempDir()
	vars := strings.NewReplacer("$HERMES_HOME", filepath.Join(dir, "home"), "$CWD", filepath.Join(dir, "work"))
	for _, pair := range c.Tree {
		from := corpus(t, strings.TrimPrefix(pair[0], "shared/corpus/"))
		if err := os.CopyFS(vars.Replace(pair[1]), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range c.Files {
		path := vars.Replace(name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	home, err := config.At(filepath.Join(dir, "home"))
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string { return vars.Replace(c.Env[name]) }
	found := Discover(Options{
		Home: home, Dir: filepath.Join(dir, "work"), Sites: filepath.SplitList(getenv("PYTHONPATH")),
		Enabled: c.Enable, Disabled: c.Config.Plugins.Disabled, Getenv: getenv,
		SafeMode: getenv("HERMES_SAFE_MODE") != "",
	})
	var seen []string
	for _, f := range found {
		if f.dropped || f.Replaced || f.State == event.PluginSkipped && getenv("HERMES_SAFE_MODE") != "" {
			continue // rows that the reference does not have (decision D51)
		}
		seen = append(seen, f.Key)
		i := slices.IndexFunc(c.Expected.Plugins, func(p map[string]any) bool { return p["key"] == f.Key })
		if i < 0 {
			t.Errorf("%s: the reference does not know it", f.Key)
			continue
		}
		compareCase(t, f, c.Expected.Plugins[i], vars)
	}
	if len(seen) != len(c.Expected.Plugins) {
		t.Errorf("found %v, the reference %d", seen, len(c.Expected.Plugins))
	}
}

func compareCase(t *testing.T, f Found, want map[string]any, vars *strings.Replacer) {
	t.Helper()
	var ctx map[string]any
	if err := json.Unmarshal(f.Ctx, &ctx); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"key", "name", "kind", "source", "version", "description", "author", "requires_env", "provides_tools", "provides_hooks"} {
		if !reflect.DeepEqual(ctx[field], want[field]) {
			t.Errorf("%s: %s is %v, the reference has %v", f.Key, field, ctx[field], want[field])
		}
	}
	reason, _ := want["reason"].(string)
	ok := false
	switch want["status"] {
	case "loaded":
		ok = f.Load || f.State == event.PluginNeedsKey // decision D2
	case "failed":
		// What fails in Python is for the host to find out.
		ok = f.Load || f.State == event.PluginFailed && f.RefError == vars.Replace(reason)
	case "skipped":
		ok = !f.Load && f.RefError == vars.Replace(reason)
	case "recorded":
		ok = f.State == event.PluginSkipped && f.Kind == KindModelProvider
	}
	if !ok {
		t.Errorf("%s: %s (%s), the reference: %v %s", f.Key, f.State, f.RefError, want["status"], reason)
	}
}

// FuzzParse: whatever a manifest holds, it is an error with a line inside the
// file or a manifest that lists and the plugin host can show.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"name: calculator\nversion: 1.0.0\nprovides_tools:\n  - calculate\n", "requires_env:\n- A\n- name: B\n  secret: true\n",
		"name: 404\nversion: 1.10\n", "kind: Widget\nname: ~\n", "requires_env: [{description: x}]\n", "a: &a [*a]\nname: *a\n", "- x\n", "name: [unclosed\n",
		"version: 2024-01-31\nauthor: .nan\nprovides_hooks: {1: 2}\n", "\ufeffname: x\r\nversion: 0.2.0\r\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse("dir/plugin.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "dir/plugin.yaml:") {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		m.place(SourceUser, m.Name)
		if !json.Valid(m.Ctx) || string(m.Ctx) == "{}" {
			t.Fatalf("context %s", m.Ctx)
		}
		found := Found{Manifest: m}
		found.decide(Options{Enabled: []string{m.Key}, Getenv: func(string) string { return "" }})
		if found.State == "" || !found.Load && found.Reason == "" {
			t.Fatalf("no reason: %+v", found)
		}
		if line := Line(found.Plugin()); strings.TrimSpace(line) == "" {
			t.Fatal("empty line")
		}
	})
}
