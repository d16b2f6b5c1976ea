package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestProfiles(t *testing.T) {
	root := t.TempDir()
	env := func(home string) func(string) string {
		return func(name string) string { return map[string]string{"HERMES_HOME": home}[name] }
	}
	selected := func(home, named string) string {
		t.Helper()
		h, err := SelectHome(env(home), named)
		if err != nil {
			t.Fatal(err)
		}
		return h.Dir()
	}
	p, own, err := FindProfiles(env(root))
	if err != nil || own != "" {
		t.Fatal(own, err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(filepath.Join(root, "config.yaml"), []byte("a: 1\n"), 0o600))
	home, err := p.Create("dev", DefaultProfile)
	must(err)
	if data, err := os.ReadFile(home.Config()); err != nil || string(data) != "a: 1\n" {
		t.Errorf("the settings were not taken over: %q, %v", data, err)
	}
	must(p.Use("dev"))
	dev := filepath.Join(root, "profiles", "dev")
	for _, c := range [][3]string{{root, "", dev}, {root, "default", root}, {dev, "", dev}, {dev, "default", root}} {
		if got := selected(c[0], c[1]); got != c[2] {
			t.Errorf("home %s, -p %q: %s", c[0], c[1], got)
		}
	}
	must(p.Rename("dev", "work"))
	if list, err := p.List(); err != nil || !cmp.Equal(list, []string{"default", "work"}) || p.Active() != "work" {
		t.Error(list, err, p.Active())
	}
	must(p.Delete("work"))
	if got := selected(root, ""); got != root || p.Active() != DefaultProfile {
		t.Error("the deleted profile is still the active one")
	}
	for name, want := range map[string]error{"nosuch": ErrNoProfile, "Bad Name": ErrProfileName, "..": ErrProfileName} {
		if _, err := SelectHome(env(root), name); !errors.Is(err, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := p.Delete(DefaultProfile); !errors.Is(err, ErrIsDefault) {
		t.Error(err)
	}
	if _, err := p.Create("default", ""); !errors.Is(err, ErrHasProfile) {
		t.Error(err)
	}
}
