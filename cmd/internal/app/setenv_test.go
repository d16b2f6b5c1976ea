package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm/llmtest"
)

// A key that a plugin lacks is given on its row: it is kept in .env beside what
// is there, the plugin loads with it in place, and nothing shows it.
func TestKeyGivenOnTheRow(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "keyed")
	must(t, os.Mkdir(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "plugin.yaml"), []byte("name: keyed\nversion: 1.0.0\ndescription: needs a key\nrequires_env:\n  - KEYED_TOKEN\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "__init__.py"), []byte(`import os

def register(ctx):
    ctx.register_command("keyed", lambda args: "length %d" % len(os.environ["KEYED_TOKEN"]), description="tells how long the key is")
`), 0o600))
	r := startApp(t, 80, 24, withFolder("keyed", dir), withModel(llmtest.Say("Hi.")))
	r.waitIdle("Plugin keyed disabled (missing: KEYED_TOKEN) (F2, k)")
	env := filepath.Join(r.home, ".env")
	before, _ := os.ReadFile(env)
	must(t, os.WriteFile(env, append(before, []byte("# mine\nOTHER=1\n")...), 0o600))
	r.Press("f2")
	r.WaitText("▸▲ keyed")
	r.Type("k")
	r.WaitText("╔═ KEYED_TOKEN for keyed")
	<-time.After(600 * time.Millisecond) // keys in flight do not answer a question
	r.Type("tok-geheim-123")
	r.WaitText("••••••••••••••  14")
	r.Press("enter")
	r.WaitText("▸● keyed")
	r.Press("esc")
	r.send("/keyed")
	r.waitIdle("length 14")
	text, err := os.ReadFile(env)
	if err != nil || !strings.Contains(string(text), "# mine\nOTHER=1\n") || !strings.Contains(string(text), "KEYED_TOKEN=") {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(env); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if r.Wrote("geheim") {
		t.Error("the key was shown")
	}
}

// The files of the project are offered, those that git ignores are not.
func TestFilesOfTheProject(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{".gitignore": "secret.md\n", "notes.md": "x", "secret.md": "x"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	r := startApp(t, 80, 24, withDir(dir), withModel(llmtest.Say("Hi.")))
	r.Type("see @md")
	s := r.WaitText("▸ notes.md", "1 of 1")
	if s.Contains("secret.md") {
		t.Errorf("an ignored file is offered\n%s", s.Dump())
	}
	r.Press("tab")
	r.WaitText("❯ see @file:notes.md")
}
