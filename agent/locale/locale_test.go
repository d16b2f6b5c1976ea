package locale

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var verb = regexp.MustCompile(`%(?:\[(\d+)\])?[-+# 0]*[\d.*]*([a-zA-Z%])`)

// verbs returns the verbs of a format by argument position.
func verbs(s string) []string {
	var out []string
	next := 1
	for _, m := range verb.FindAllStringSubmatch(s, -1) {
		if m[2] == "%" {
			continue
		}
		if m[1] != "" {
			next, _ = strconv.Atoi(m[1])
		}
		out = append(out, strconv.Itoa(next)+m[2])
		next++
	}
	sort.Strings(out)
	return out
}

// The catalogue is read from its source, so that a text cannot hide from the
// test: every Msg has both languages, with the same arguments, and the Chinese
// one is Chinese where the English one is words.
func TestEveryTextIsInBothLanguages(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			lit, ok := node.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if id, ok := lit.Type.(*ast.Ident); !ok || id.Name != "Msg" {
				return true
			}
			n++
			pos := fset.Position(lit.Pos())
			if len(lit.Elts) != 2 {
				t.Errorf("%v: %d languages, want 2", pos, len(lit.Elts))
				return true
			}
			en, zh := text(t, lit.Elts[0]), text(t, lit.Elts[1])
			if en == "" || zh == "" {
				t.Errorf("%v: a language is empty", pos)
			}
			if a, b := verbs(en), verbs(zh); strings.Join(a, " ") != strings.Join(b, " ") {
				t.Errorf("%v: arguments differ: %v and %v", pos, a, b)
			}
			words := len(regexp.MustCompile(`[a-z]{3,}`).FindAllString(en, -1))
			if words >= 4 && !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				t.Errorf("%v: no Chinese in %q", pos, zh)
			}
			return true
		})
	}
	if n == 0 {
		t.Error("no texts found")
	}
}

func text(t *testing.T, e ast.Expr) string {
	t.Helper()
	switch e := e.(type) {
	case *ast.KeyValueExpr:
		return text(t, e.Value)
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			t.Fatal(err)
		}
		return s
	case *ast.BinaryExpr:
		return text(t, e.X) + text(t, e.Y)
	}
	t.Fatalf("a text must be a literal, found %T", e)
	return ""
}

func TestFromEnv(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want Lang
	}{
		{map[string]string{}, EN},
		{map[string]string{"LANG": "zh_CN.UTF-8"}, ZH},
		{map[string]string{"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, EN},
		{map[string]string{"LC_MESSAGES": "zh", "LANG": "en_US.UTF-8"}, ZH},
		{map[string]string{"LANG": "de_DE.UTF-8"}, EN},
	} {
		if got := FromEnv(func(k string) string { return tc.env[k] }); got != tc.want {
			t.Errorf("%v: %v", tc.env, got)
		}
	}
}
