package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"

	"hermes/agent/config/yaml11"
)

func scratch(t *testing.T, config string) Home {
	t.Helper()
	home, err := At(filepath.Join(t.TempDir(), "home"))
	if err != nil {
		t.Fatal(err)
	}
	if config != "" {
		write(t, home.Config(), config)
	}
	return home
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const commented = `# My settings.
model:
  default: "deepseek-chat"   # cheap

  provider: deepseek

# Everything about plugins.
plugins:
  enabled:          # those I use
    - weather   # daily
    - calc

  # off for now
  disabled: [noisy]
  entries:
    calc:
      mode:   exact
# The end.
display: {skin: default}   # one line
`

func TestSetPluginEnabledTouchesNothingElse(t *testing.T) {
	home := scratch(t, commented)
	if err := SetPluginEnabled(home, "noisy", true); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(commented, `    - weather   # daily
    - calc
`, `    - calc
    - noisy
    - weather # daily
`, 1)
	want = strings.Replace(want, "disabled: [noisy]", "disabled: []", 1)
	want = strings.Replace(want, "enabled:          # those", "enabled: # those", 1)
	if got := read(t, home.Config()); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if st, err := os.Stat(home.Config()); err != nil || st.Mode().Perm() != FileMode {
		t.Errorf("mode %v, %v", st.Mode(), err)
	}
	left, err := os.ReadDir(home.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		if strings.Contains(f.Name(), "config.yaml.") {
			t.Errorf("left behind: %s", f.Name())
		}
	}
}

func TestEdits(t *testing.T) {
	enable := func(h Home) error { return SetPluginEnabled(h, "calculator", true) }
	for name, tc := range map[string]struct {
		before, after string
		edit          func(Home) error
	}{
		"no file":               {"", "plugins:\n  enabled:\n    - calculator\n", enable},
		"comments only":         {"# mine\n", "# mine\nplugins:\n  enabled:\n    - calculator\n", enable},
		"no final line end":     {"a: 1", "a: 1\nplugins:\n  enabled:\n    - calculator\n", enable},
		"null section":          {"plugins:\nb: 1\n", "plugins:\n  enabled:\n    - calculator\nb: 1\n", enable},
		"null list":             {"plugins:\n  enabled:\n  x: 1\n", "plugins:\n  enabled:\n    - calculator\n  x: 1\n", enable},
		"one value":             {"plugins:\n  enabled: weather\n", "plugins:\n  enabled:\n    - calculator\n    - weather\n", enable},
		"already":               {"plugins: {enabled: [calculator]}\n", "plugins: {enabled: [calculator]}\n", enable},
		"flow":                  {"a: [1,2]\nplugins: {enabled: [zz]}\n", "a: [1,2]\nplugins: {enabled: [calculator, zz]}\n", enable},
		"json":                  {`{"plugins": {"enabled": ["zz"]}}`, "{\"plugins\": {\"enabled\": [calculator, \"zz\"]}}\n", enable},
		"name that is a number": {"", "plugins:\n  enabled:\n    - '404'\n", func(h Home) error { return SetPluginEnabled(h, "404", true) }},
		"both spellings":        {"plugins:\n  disabled: [cat/a, a]\n", "plugins:\n  disabled: []\n  enabled:\n    - cat/a\n", func(h Home) error { return SetPluginEnabled(h, "cat/a", true, "a") }},
		"disable":               {"plugins:\n  enabled:\n    - a\n    - b\n", "plugins:\n  enabled:\n    - b\n  disabled:\n    - a\n", func(h Home) error { return SetPluginEnabled(h, "a", false) }},
		"entry":                 {"plugins:\n  enabled: [a]\n# end\n", "plugins:\n  enabled: [a]\n  entries:\n    a.b:\n      allow_tool_override: true\n# end\n", func(h Home) error { return SetEntry(h, "a.b", "allow_tool_override", true) }},
		"entry again":           {"plugins:\n  entries:\n    a:\n      x: 1 # why\n      y: 2\n", "plugins:\n  entries:\n    a:\n      x: false # why\n      y: 2\n", func(h Home) error { return SetEntry(h, "a", "x", false) }},
		"repeated keys":         {"a: 1\na: 2\nplugins: {}\n", "a: 1\na: 2\nplugins: {enabled: [calculator]}\n", enable},
		"anchor":                {"x: &x\n  enabled: [a]\nplugins: *x\n", "x: &x\n  enabled: [a, calculator]\nplugins: *x\n", enable},
		"odd scalars":           {"a: 010\nb: on\nc: 1:30\nplugins:\n  enabled: [z]\n", "a: 010\nb: on\nc: 1:30\nplugins:\n  enabled: [calculator, z]\n", enable},
	} {
		t.Run(name, func(t *testing.T) {
			home := scratch(t, tc.before)
			if err := tc.edit(home); err != nil {
				t.Fatal(err)
			}
			if got := read(t, home.Config()); got != tc.after {
				t.Errorf("got:\n%s\nwant:\n%s", got, tc.after)
			}
		})
	}
}

func TestEditRefusesABrokenFile(t *testing.T) {
	home := scratch(t, "plugins:\n  enabled: [a\n")
	err := SetPluginEnabled(home, "b", true)
	var broken *ParseError
	if !errors.As(err, &broken) || broken.Line != 2 {
		t.Errorf("error %v", err)
	}
	if got := read(t, home.Config()); got != "plugins:\n  enabled: [a\n" {
		t.Errorf("file changed to %q", got)
	}
	home = scratch(t, "plugins: text\n")
	if err := SetPluginEnabled(home, "b", true); err == nil || !strings.Contains(err.Error(), "line 1: plugins is not a mapping") {
		t.Errorf("error %v", err)
	}
}

func TestEditFollowsASymbolicLink(t *testing.T) {
	home := scratch(t, "")
	target := filepath.Join(t.TempDir(), "dotfiles.yaml")
	write(t, target, "a: 1\n")
	if err := Make(home.Dir()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, home.Config()); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := SetPluginEnabled(home, "p", true); err != nil {
		t.Fatal(err)
	}
	if got := read(t, target); !strings.Contains(got, "- p") {
		t.Errorf("target: %q", got)
	}
	if st, err := os.Lstat(home.Config()); err != nil || st.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", st.Mode(), err)
	}
}

func TestEditsAtTheSameTimeAllCount(t *testing.T) {
	home := scratch(t, commented)
	var wg sync.WaitGroup
	errs := make(chan error, 32)
	for i := range cap(errs) {
		wg.Go(func() { errs <- SetPluginEnabled(home, fmt.Sprintf("p%02d", i), true) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	c, err := Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Strings("plugins.enabled"); len(got) != 34 {
		t.Errorf("%d enabled: %v", len(got), got)
	}
}

// Whatever the file looks like: after an edit it reads as the edited values,
// and what was not edited reads as before.
func FuzzEdit(f *testing.F) {
	f.Add(commented)
	f.Add("plugins: {enabled: [a]}\n")
	f.Add("a:\n- 1\n-  b: 2\n   c: |\n     x\n\n# c\nplugins:\n  enabled:\n  - a\n")
	f.Add("? a\n: b\nplugins: !!map {x: 'y'}\n")
	f.Fuzz(func(t *testing.T, text string) {
		before, err := parseConfig("f", []byte(text))
		if err != nil {
			return
		}
		out, err := edited("f", []byte(text), func(root *yaml.Node) error {
			m, err := submap(root, "plugins")
			if err != nil {
				return err
			}
			return addTo(m, "enabled", "fuzzed")
		})
		if err != nil {
			return
		}
		after, err := parseConfig("f", out)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, out, err)
		}
		found := false
		for _, n := range list(yaml11.Target(yaml11.Child(after, "plugins")), "enabled").Content {
			found = found || n.Value == "fuzzed"
		}
		if !found {
			t.Fatalf("%q became %q: not enabled", text, out)
		}
		for i := 0; before != nil && i+1 < len(before.Content); i += 2 {
			if key := before.Content[i]; key.Kind == yaml.ScalarNode && key.Value != "plugins" && key.Value != "<<" && key.Value != "" {
				a, errA := yaml11.Decode(yaml11.Child(before, key.Value))
				b, errB := yaml11.Decode(yaml11.Child(after, key.Value))
				if (errA == nil) != (errB == nil) || a.Repr() != b.Repr() && !strings.Contains(text, "&") {
					t.Fatalf("%q became %q: %s was %s, is %s", text, out, key.Value, a.Repr(), b.Repr())
				}
			}
		}
	})
}
