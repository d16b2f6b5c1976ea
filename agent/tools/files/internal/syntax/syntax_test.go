package syntax

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestProblem(t *testing.T) {
	c := Checker{Python: func(text string) string {
		if strings.Contains(text, "(") {
			return "SyntaxError: '(' was never closed (line 1, column 1)"
		}
		return ""
	}}
	for _, tc := range []struct{ path, text, want string }{
		{"a.json", `{"a": 1}` + "\n", ""},
		{"a.json", "\ufeff{}", ""},
		{"a.json", `{"a":}`, "(line 1, column 6)"},
		{"a.json", "{}\n {}", "JSONDecodeError: Extra data (line 2, column 2)"},
		{"a.json", "// c\n{}", "(line 1, column 1)"},
		{"tsconfig.json", "// c\n{\"a\": [1, /* x */ ], \"b\": \"// no, }\",}\n", ""},
		{"tsconfig.json", "// c\n{\"a\": }\n", "(line 2, column 7)"},
		{".vscode/settings.json", "{\"a\": 1, // one\n}", ""},
		{"a.yaml", "a: 1\n---\nb: !Ref x\n", ""},
		{"a.yml", "a: [1\n", "YAMLError: line 1"},
		{"a.toml", "[a]\nb = 1\n", ""},
		{"a.toml", "a = \n", "TOMLDecodeError: "},
		{"a.toml", "a = 1\na = 2\n", "(at line 2"},
		{"a.go", "package a\n", ""},
		{"a.go", "package a\nfunc (\n", "SyntaxError: a.go:2:"},
		{"a.py", "x = 1\n", ""},
		{"a.py", "x = (\n", "was never closed"},
	} {
		got, known := c.Problem(tc.path, tc.text)
		if !known || tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s %q: %q, want %q", tc.path, tc.text, got, tc.want)
		}
	}
	if _, known := c.Problem("a.txt", "x"); known {
		t.Error("a text was checked")
	}
	if !Same("e (line 3, column 4)", "e (line 10, column 4)") || Same("e", "f") {
		t.Error("the same problem at another place is another")
	}
	if !Data("a.yaml", "a: 1") || Data("a.yaml", "a: {{ .x }}") || Data("a.py", "") {
		t.Error("what is data")
	}
}

func TestNode(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	c := Checker{Node: node}
	dir := t.TempDir()
	path := filepath.Join(dir, "src", "a.js")
	if got, _ := c.Problem(path, "let x = 1;\n"); got != "" {
		t.Errorf("got %q", got)
	}
	got, _ := c.Problem(path, "let x = ;\n")
	if !strings.HasPrefix(got, path+":1\n") || !strings.HasSuffix(got, "SyntaxError: Unexpected token ';'") {
		t.Errorf("got %q", got)
	}
	const module = "import a from 'a'; export default await a;\n"
	if got, _ := c.Problem(filepath.Join(dir, "a.cjs"), module); got == "" {
		t.Error("a module passes as a script")
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _ := c.Problem(path, module); got != "" {
		t.Errorf("got %q", got)
	}
}

// Whatever the text, a check ends, and takes what is JSON for JSON.
func FuzzProblem(f *testing.F) {
	f.Add("a: &a [*a]\n")
	f.Add(`{"a": "\"// x", /* */ }`)
	f.Add("[a]\nb = \"\"\"x")
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []string{"a.json", "tsconfig.json", "a.yaml", "a.toml", "a.go"} {
			Checker{}.Problem(path, text)
		}
		if plain, _ := (Checker{}).Problem("a.json", text); plain == "" {
			if got, _ := (Checker{}).Problem("tsconfig.json", text); got != "" {
				t.Fatalf("%q is JSON: %s", text, got)
			}
		}
	})
}
