package plugins

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/event"
)

// TestSkillsOfAPlugin: they are in the row while the plugin runs, and gone with
// it.
func TestSkillsOfAPlugin(t *testing.T) {
	r := rigWith(t, map[string]string{"kit": `
from pathlib import Path

def register(ctx):
    here = Path(__file__).parent
    ctx.register_skill("flow", here / "skills" / "flow" / "SKILL.md", "how it flows")
    ctx.register_skill("check", str(here / "skills" / "check" / "SKILL.md"))
    ctx.register_skill(name="beside", path="skills/check", description="b")
`}, nil)
	r.addFile("kit", "skills/flow/SKILL.md", "flow")
	r.addFile("kit", "skills/check/SKILL.md", "check")
	r.start()
	dir := filepath.Join(r.home, "plugins", "kit", "skills")
	want := []event.Skill{
		{Name: "kit:flow", Description: "how it flows", Path: filepath.Join(dir, "flow", "SKILL.md")},
		{Name: "kit:check", Path: filepath.Join(dir, "check", "SKILL.md")},
		{Name: "kit:beside", Description: "b", Path: filepath.Join(dir, "check", "SKILL.md")},
	}
	check := func(when string) {
		t.Helper()
		set, found := r.Skills("kit")
		if !found || set.Disabled || len(set.Skills) != len(want) {
			t.Fatalf("%s: %+v, found %v", when, set, found)
		}
		for i, s := range set.Skills {
			if s != want[i] {
				t.Errorf("%s: %+v, want %+v", when, s, want[i])
			}
		}
	}
	check("loaded")
	if err := r.Reload(ctxT(t)); err != nil {
		t.Fatal(err)
	}
	r.TurnBoundary()
	check("reloaded")
	if err := r.Disable(ctxT(t), "kit"); err != nil {
		t.Fatal(err)
	}
	if set, found := r.Skills("kit"); !found || !set.Disabled || len(set.Skills) != 0 {
		t.Errorf("disabled: %+v, found %v", set, found)
	}
	if _, found := r.Skills("other"); found {
		t.Error("a plugin that is not there has skills")
	}
	if err := r.Enable(context.Background(), "kit"); err != nil {
		t.Fatal(err)
	}
	check("enabled again")
}

func TestRefusedSkills(t *testing.T) {
	before := "def register(ctx):\n    ctx.register_skill('ok', __file__)\n    ctx.register_skill("
	r := rigWith(t, map[string]string{
		"colon": before + "'a:b', __file__)\n",
		"blank": before + "'a b', __file__)\n",
		"gone":  before + "'a', '/nowhere/SKILL.md')\n",
	}, nil).start()
	for key, want := range map[string]string{
		"colon": "Skill name 'a:b' must not contain ':' (the namespace is derived from the plugin name 'colon' automatically).",
		"blank": "Invalid skill name 'a b'. Must match [a-zA-Z0-9_-]+.",
		"gone":  "SKILL.md not found at /nowhere/SKILL.md",
	} {
		p := r.plugin(key)
		if p.State != event.PluginFailed || p.Error == nil || !strings.Contains(p.Error.Message, want) {
			t.Errorf("%s = %s %+v", key, p.State, p.Error)
		}
		if len(p.Skills) != 0 {
			t.Errorf("%s keeps %+v", key, p.Skills)
		}
	}
}
