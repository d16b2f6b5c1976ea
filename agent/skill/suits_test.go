package skill

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// scanned is the one skill with this front matter.
func scanned(t *testing.T, lib Library, front string, files ...string) Skill {
	t.Helper()
	lib.Dir = t.TempDir()
	for _, f := range append(files, "SKILL.md") {
		path := filepath.Join(lib.Dir, "s", filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("---\n"+front+"\n---\nBody\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := lib.Scan()
	if len(all) != 1 {
		t.Fatalf("%d skills", len(all))
	}
	return all[0]
}

func TestWhereASkillIsOffered(t *testing.T) {
	docker := Library{Platform: "linux", Exists: func(path string) bool { return path == "/.dockerenv" }}
	bare := Library{Platform: "linux", Exists: func(string) bool { return false }}
	for _, tc := range []struct {
		name  string
		lib   Library
		front string
		on    bool
	}{
		{"nothing asked for", bare, "name: s", true},
		{"the platform", bare, "platforms: [linux, macos]", true},
		{"another platform", bare, "platforms: macos", false},
		{"the environment", docker, "environments: [docker]", true},
		{"another environment", bare, "environments: [docker, s6, kanban]", false},
		{"an environment that nobody knows", bare, "environments: [zork]", true},
	} {
		if s := scanned(t, tc.lib, tc.front); (s.Off == "") != tc.on {
			t.Errorf("%s: off %q", tc.name, s.Off)
		}
	}
}

func TestWhatBelongsToASkill(t *testing.T) {
	s := scanned(t, Library{Platform: "linux"}, "name: s\nmetadata:\n  hermes: {tags: [a]}\nrequired_environment_variables:\n- {name: K, help: get it, required_for: all}\n- L",
		"references/a.md", "top.md", "other/z.md", ".git/HEAD")
	if got := s.Files()["references"]; !slices.Equal(got, []string{"references/a.md"}) {
		t.Errorf("files %q", got)
	}
	if got := s.Others(); !slices.Equal(got, []string{"other/z.md", "top.md"}) {
		t.Errorf("others %q", got)
	}
	if got := string(s.Metadata()); got != `{"hermes":{"tags":["a"]}}` {
		t.Errorf("metadata %s", got)
	}
	want := []EnvVar{{"K", "Enter value for K", "get it", "all"}, {"L", "Enter value for L", "", ""}}
	if got := s.Env(); !slices.Equal(got, want) {
		t.Errorf("variables %+v", got)
	}
}
