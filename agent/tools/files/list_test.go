package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListLeavesOutWhatGitIgnores(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".gitignore": "build/\n*.log\n", "a.go": "", "build/out.o": "", "x.log": "", "sub/天气.md": "", "sub/.hidden": "", ".env": "K=1", "sub/.gitignore": "no.md\n", "sub/no.md": "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, more, err := List(context.Background(), dir, 10)
	if got := strings.Join(list, " "); got != "a.go sub/天气.md" || more || err != nil {
		t.Errorf("%q, %v, %v", got, more, err)
	}
	list, more, err = List(context.Background(), dir, 1)
	if len(list) != 1 || !more || err != nil {
		t.Errorf("%v, %v, %v", list, more, err)
	}
	if _, _, err := List(context.Background(), filepath.Join(dir, "nowhere"), 10); err == nil {
		t.Error("a folder that is not there is listed")
	}
}
