package markdown

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"hermes/tui/internal/look"
)

func TestDebug(t *testing.T) {
	md := "1. foo long text that must be wrapped at the width\n   soft break text\n\n   bar para\n\n   ```go\n   x := 1\n   ```\n\n2. baz\n   - nested long text that must be wrapped at the width\n\n     nested para\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n| a | b |\n|---|---|\n| 1 | 2 a very long cell with text that goes on and on until it has to wrap |\n\n- a\n\n- b\n\n- c\n\nText:\n- x\n- y\n\n    indented <code>\n\n\n```\nno lang\n```\n"
	r := NewRenderer(look.New(look.Options{}, 1))
	for _, b := range Split(md) {
		for _, row := range r.Block(b, 40) {
			t.Logf("|%-40s| %q", ansi.Strip(row), row)
		}
		t.Log("--")
	}
	_ = strings.Join
}
