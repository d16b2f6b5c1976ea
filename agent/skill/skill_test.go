package skill

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{"---\nname: a\n\tdescription: b\n---\nX", "---\n- a\n---\n", "---\nnever", "\ufeff---\r\nname: x\r\n---\r\nB", "B"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := Parse(data)
		if !strings.HasSuffix(d.Text, d.Body) {
			t.Fatalf("body %q is not the end of %q", d.Body, d.Text)
		}
	})
}

func TestIndex(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"devops/DESCRIPTION.md":      "---\ndescription: Dev ops category\n---\n",
		"devops/deploy-app/SKILL.md": "---\nname: deploy-app\ndescription: Deploys the app to prod\n---\nx",
		"note/SKILL.md":              "Body",
		"win/SKILL.md":               "---\nname: win\nplatforms: [windows]\n---\nx",
		"web/SKILL.md":               "---\nname: web\nmetadata:\n  hermes:\n    requires_tools: [web_search]\n---\nx",
	} {
		p := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := "<available_skills>\n  devops: Dev ops category\n    - deploy-app: Deploys the app to prod\n  note:\n    - note\n</available_skills>"
	if got := (Library{Dir: dir, Platform: "linux"}).Index([]string{"skill_view"}, nil); !strings.HasSuffix(got, want) {
		t.Errorf("got %s", got)
	}
}
