package skills

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/skill"
	"hermes/agent/tool"
)

func setup(t *testing.T) (call func(name, args string) string, home string) {
	t.Helper()
	home = t.TempDir()
	reg := tool.NewRegistry(nil)
	lib := skill.Library{Dir: filepath.Join(home, "skills"), Platform: "linux", Getenv: func(string) string { return "" }}
	if err := Register(reg, Deps{Library: func() skill.Library { return lib }}); err != nil {
		t.Fatal(err)
	}
	return func(name, args string) string {
		t.Helper()
		td, _ := reg.Get(name)
		r, err := td.Run(t.Context(), tool.Call{Name: name, Args: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content
	}, home
}

const whole = `"content":"---\nname: demo\ndescription: d\n---\nBody here\n"`

func TestKeepsSkillsAsTheReferenceAnswers(t *testing.T) {
	call, home := setup(t)
	for _, s := range []struct{ args, want string }{
		{`{"action":"create","name":"demo","category":"devops",` + whole + `}`, `"message": "Skill 'demo' created.", "path": "devops/demo"`},
		{`{"action":"create","name":"demo",` + whole + `}`, `A skill named 'demo' already exists at `},
		{`{"action":"create","name":"Bad Name",` + whole + `}`, `Invalid skill name 'Bad Name'. Use lowercase`},
		{`{"action":"create","name":"q","category":"../x",` + whole + `}`, `Invalid category '../x'.`},
		{`{"action":"create","name":"q","content":"no front"}`, `SKILL.md must start with YAML frontmatter`},
		{`{"action":"create","name":"q","content":"---\nname: q\n---\nb"}`, `Frontmatter must include 'description' field.`},
		{`{"action":"create","name":"q","content":"---\nname: q\nb"}`, `SKILL.md frontmatter is not closed.`},
		{`{"action":"patch","name":"demo","old_string":"Body here","new_string":"Body there"}`, `Patched SKILL.md in skill 'demo' (1 replacement).`},
		{`{"action":"patch","name":"demo","old_string":"description: d","new_string":"x: y"}`, `Patch would break SKILL.md structure: `},
		{`{"action":"write_file","name":"demo","file_path":"references/a.md","file_content":"hello"}`, `File 'references/a.md' written to skill 'demo'.`},
		{`{"action":"write_file","name":"demo","file_path":"references/../../../a.md","file_content":"x"}`, `Path traversal ('..') is not allowed.`},
		{`{"action":"write_file","name":"demo","file_path":"a.md","file_content":"x"}`, `File must be under one of: assets, references, scripts, templates. Got: 'a.md'`},
		{`{"action":"remove_file","name":"demo","file_path":"references/zz.md"}`, `"available_files": ["references/a.md"]`},
		{`{"action":"remove_file","name":"demo","file_path":"references/a.md"}`, `File 'references/a.md' removed`},
		{`{"action":"delete","name":"demo","absorbed_into":"nope"}`, `absorbed_into='nope' does not exist.`},
		{`{"action":"delete","name":"demo"}`, `Skill 'demo' deleted.`},
		{`{"action":"zap","name":"demo"}`, `Unknown action 'zap'.`},
	} {
		if got := call("skill_manage", s.args); !strings.Contains(got, s.want) {
			t.Errorf("%s\n got %s\nwant %s", s.args, got, s.want)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "skills", "devops")); !os.IsNotExist(err) {
		t.Errorf("the empty category stays: %v", err)
	}
}

func TestLinksDoNotLeadOut(t *testing.T) {
	call, home := setup(t)
	call("skill_manage", `{"action":"create","name":"demo",`+whole+`}`)
	if err := os.WriteFile(filepath.Join(home, "secret"), []byte("TOPSECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(home, filepath.Join(home, "skills", "demo", "references")); err != nil {
		t.Skip(err)
	}
	for name, args := range map[string]string{
		"skill_view":   `{"name":"demo","file_path":"references/secret"}`,
		"skill_manage": `{"action":"write_file","name":"demo","file_path":"references/secret","file_content":"x"}`,
	} {
		if got := call(name, args); !strings.Contains(got, "Path escapes") || strings.Contains(got, "TOPSECRET") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
