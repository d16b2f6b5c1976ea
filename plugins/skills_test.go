package plugins

import (
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
		got := r.plugin("kit").Skills
		if len(got) != len(want) {
			t.Fatalf("%s: %+v", when, got)
		}
		for i, s := range got {
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
	if got := r.plugin("kit").Skills; len(got) != 0 {
		t.Errorf("disabled: %+v", got)
	}
	if err := r.Enable(ctxT(t), "kit"); err != nil {
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
