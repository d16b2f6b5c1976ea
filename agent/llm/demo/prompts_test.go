package demo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hermes/agent/llm"
)

// Prompts as newcomers type them, each with the calls that it should lead to:
// a prompt, a tab, the calls with " | " between, or "-" for none. The tools are
// the guide's calculator, the toolbox and the built-in ones, then also the
// other tools that an agent of this kind has, which must not get in the way.
func TestPrompts(t *testing.T) {
	for _, set := range [][]string{{"calculator_en", "toolbox", "builtin"}, {"calculator_zh", "toolbox", "builtin", "reference"}} {
		t.Run(strings.Join(set, " "), func(t *testing.T) { checkPrompts(t, tools(t, set...)) })
	}
}

func checkPrompts(t *testing.T, defs []llm.ToolDef) {
	for _, file := range []string{"prompts_en.txt", "prompts_zh.txt"} {
		b, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			prompt, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if !ok {
				continue
			}
			n++
			if want == "-" {
				want = ""
			}
			if got := strings.ReplaceAll(calls(t, defs, prompt), "\n", " | "); got != want {
				t.Errorf("%s: %q\n got %s\nwant %s", file, prompt, got, want)
			}
		}
		if n < 60 {
			t.Errorf("%s has %d prompts, want at least 60", file, n)
		}
	}
}

// The prompts of the tables are understood, not known: none of them stands in
// the code.
func TestPromptsStandNowhereInTheCode(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		// What comments give as examples is no code.
		for line := range strings.Lines(string(b)) {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") {
				code += line
			}
		}
	}
	for _, file := range []string{"prompts_en.txt", "prompts_zh.txt"} {
		b, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			prompt, _, ok := strings.Cut(line, "\t")
			if ok && strings.ContainsAny(prompt, "0123456789") && strings.Contains(code, prompt) {
				t.Errorf("%q stands in the code", prompt)
			}
		}
	}
}
