package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// rule says what packages below one prefix may import of ours, besides their
// own subtree. The first rule whose prefix fits decides.
type rule struct {
	prefix string
	may    []string
}

// leaves know nothing of the program, so everything may import them.
var leaves = []string{"agent/event", "agent/tool", "agent/hook", "agent/locale", "agent/safe", "assets"}

// rules is the table of imports: arrows point one way, the agent and the
// plugins meet only in leaves, and the view knows the program only through
// events and its Backend.
var rules = []rule{
	{"cmd", []string{""}},
	{"tui/tuitest", []string{"tui/internal/render"}},
	{"tui", append([]string{"themes"}, leaves...)},
	{"themes", []string{"assets", "agent/locale"}},
	{"assets", nil},
	{"agent/event", nil},
	{"agent/locale", nil},
	{"agent/safe", nil},
	{"agent/memory", nil},
	{"agent/diff", nil},
	{"agent/checkpoint", leaves},
	{"agent/tool", leaves},
	{"agent/hook", leaves},
	{"agent/llm", append([]string{"agent/llm"}, leaves...)},
	{"agent/secret", leaves},
	{"agent/store", append([]string{"agent/llm"}, leaves...)},
	{"agent/export", append([]string{"agent/store", "agent/llm"}, leaves...)},
	{"agent/proc", leaves},
	{"agent/logfile", append([]string{"agent/secret"}, leaves...)},
	{"agent/config", append([]string{"agent/secret"}, leaves...)},
	{"agent/prompt", append([]string{"agent/injection", "agent/memory", "agent/config", "agent/llm", "agent/secret"}, leaves...)},
	{"agent/approval", append([]string{"agent/config", "agent/secret", "agent/llm", "agent/store"}, leaves...)},
	{"agent/injection", leaves},
	{"agent/skill", append([]string{"agent/config"}, leaves...)},
	{"agent/tools", append([]string{"agent/diff", "agent/approval", "agent/skill", "agent/injection", "agent/memory", "agent/config", "agent/secret", "agent/llm", "agent/store", "agent/proc"}, leaves...)},
	{"agent", append([]string{"agent"}, leaves...)},
	{"plugins", append([]string{"agent/config", "agent/secret"}, leaves...)},
}

func under(path, prefix string) bool {
	return prefix == "" || path == prefix || strings.HasPrefix(path, prefix+"/")
}

func allowed(from, to string) bool {
	for _, r := range rules {
		if !under(from, r.prefix) {
			continue
		}
		if under(to, r.prefix) {
			// agent is the top of its subtree: what lies below it does not
			// look up.
			return r.prefix != "agent" || to != "agent" || from == "agent"
		}
		for _, m := range r.may {
			if under(to, m) {
				return true
			}
		}
		return false
	}
	return false
}

func TestImportsPointOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-test=false", "-json=ImportPath,Imports,TestImports,XTestImports", "hermes/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath                         string
			Imports, TestImports, XTestImports []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(p.ImportPath, "hermes/")
		for _, to := range p.Imports {
			if to, ours := strings.CutPrefix(to, "hermes/"); ours {
				n++
				if !allowed(from, to) {
					t.Errorf("%s must not import %s", from, to)
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("saw only %d imports: the check looks at nothing", n)
	}
}

func TestRulesForbidWhatTheyShould(t *testing.T) {
	for _, bad := range [][2]string{
		{"tui", "plugins"},
		{"tui", "agent"},
		{"tui", "agent/config"},
		{"agent", "plugins"},
		{"agent", "tui"},
		{"plugins", "agent"},
		{"plugins", "agent/tools/files"},
		{"agent/event", "agent/tool"},
		{"agent/llm/openai", "agent"},
		{"agent/tools/files", "agent"},
		{"themes", "tui"},
		{"agent", "cmd/internal/app"},
	} {
		if allowed(bad[0], bad[1]) {
			t.Errorf("%s may import %s", bad[0], bad[1])
		}
	}
}
