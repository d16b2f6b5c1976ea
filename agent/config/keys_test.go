package config

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitKey(t *testing.T) {
	for key, want := range map[string][]string{
		"agent.max_turns":             {"agent", "max_turns"},
		`providers."my.host".key_env`: {"providers", "my.host", "key_env"},
		"model":                       {"model"},
	} {
		if got, err := SplitKey(key); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %v", key, got, err)
		}
	}
	for _, key := range []string{"", ".", "a.", "a..b", `"open`, `"a"b`} {
		if got, err := SplitKey(key); err == nil {
			t.Errorf("%q is read as %v", key, got)
		}
	}
}

func FuzzSplitKey(f *testing.F) {
	f.Add(`a."b.c".d`)
	f.Fuzz(func(t *testing.T, key string) {
		parts, err := SplitKey(key)
		if err == nil && len(parts) == 0 {
			t.Errorf("%q gives no parts", key)
		}
	})
}

// What the user wrote around a value stays when it is set or taken away.
func TestSetAndUnsetKeepComments(t *testing.T) {
	home, err := At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const before = "# mine\nagent:\n  max_turns: 5 # few\n  odd: yes\n\n# look\ndisplay:\n  skin: mono\n"
	if err := os.WriteFile(home.Config(), []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	setTo := func(key, value string) {
		t.Helper()
		path, err := SplitKey(key)
		if err != nil {
			t.Fatal(err)
		}
		n, err := ParseSetting(value)
		if err != nil {
			t.Fatal(err)
		}
		if err := SetKey(home, path, n); err != nil {
			t.Fatal(err)
		}
	}
	setTo("agent.max_turns", "7")
	setTo("display.compact", "on")
	setTo("plugins.enabled", "[a, b]")
	setTo("display.personality", "1.10x")
	data, err := os.ReadFile(home.Config())
	if err != nil {
		t.Fatal(err)
	}
	want := "# mine\nagent:\n  max_turns: 7 # few\n  odd: yes\n\n# look\ndisplay:\n  skin: mono\n  compact: true\n  personality: 1.10x\nplugins:\n  enabled: [a, b]\n"
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	if err := UnsetKey(home, []string{"plugins", "enabled"}); err != nil {
		t.Fatal(err)
	}
	if err := UnsetKey(home, []string{"no", "such"}); !errors.Is(err, ErrNotSet) {
		t.Errorf("a key that is not there: %v", err)
	}
	c, err := Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Has("plugins") || c.Int("agent.max_turns") != 7 || !c.Bool("display.compact") {
		t.Error("the file does not hold what was set")
	}
	if v, ok := c.Resolved([]string{"display"}); !ok || v.(map[string]any)["streaming"] != true || v.(map[string]any)["skin"] != "mono" {
		t.Errorf("display resolves to %v", v)
	}
	if _, ok := c.Resolved([]string{"nosuch", "key"}); ok {
		t.Error("a key that nothing knows has a value")
	}
}

func TestEnvNames(t *testing.T) {
	for key, want := range map[string]bool{
		"DEEPSEEK_API_KEY": true, "some_token": true, "OPENAI_BASE_URL": true, "model.api_key": false, "model": false, "worktree": false,
	} {
		if EnvName(key) != want {
			t.Errorf("%s: want %v", key, want)
		}
	}
}

func TestKnownKeys(t *testing.T) {
	for _, path := range [][]string{{"agent", "max_turns"}, {"model"}, {"providers", "x", "key_env"}, {"security", "tirith_timeout"}, {"display"}} {
		if !IsKnown(path) {
			t.Errorf("%v is not known", path)
		}
	}
	for _, path := range [][]string{{"agent", "max_turn"}, {"foo", "bar"}} {
		if IsKnown(path) {
			t.Errorf("%v is known", path)
		}
	}
	for _, key := range KnownKeys() {
		if path, err := SplitKey(key); err != nil || !IsKnown(path) {
			t.Errorf("%s: %v", key, err)
		}
	}
}
