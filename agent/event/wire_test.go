package event

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"
)

// all holds one value of every event type; TestAllIsComplete keeps it so.
var all = []Event{
	SessionOpened{},
	SessionReset{},
	SessionClosed{},
	SessionsListed{},
	FilesListed{},
	ModelChanged{},
	Usage{},
	TurnStarted{},
	TurnWaiting{},
	Queued{},
	Dequeued{},
	QueueHeld{},
	HistoryRestored{},
	HistoryUndone{},
	TitleChanged{},
	Compress{},
	ToolSettled{},
	SubagentStarted{},
	SubagentProgress{},
	SubagentDone{},
	Delta{},
	MessageDone{},
	Retry{},
	TurnDone{},
	ToolStarted{},
	ToolProgress{},
	ToolDone{},
	ProcessStarted{},
	ProcessExited{},
	HostState{},
	PluginState{},
	PluginGone{},
	PluginsSettled{},
	HookRun{},
	HookSlow{},
	PluginOutput{},
	ToolsChanged{},
	CommandsChanged{},
	CommandStarted{},
	CommandDone{},
	Ask{},
	AskClosed{},
	Notice{},
	ConfigLoaded{},
}

func TestAllIsComplete(t *testing.T) {
	have := map[string]bool{}
	for _, e := range all {
		have[reflect.TypeOf(e).Name()] = true
	}
	f, err := parser.ParseFile(token.NewFileSet(), "stamp.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != "stamp" {
			continue
		}
		if name := fn.Recv.List[0].Type.(*ast.Ident).Name; !have[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// documented reads the table of wire.md: event name to its fields.
func documented(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("wire.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|[^|]*\\|([^|]*)\\|$").FindAllStringSubmatch(string(text), -1) {
		for _, f := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(m[2], -1) {
			out[m[1]] = append(out[m[1]], f[1])
		}
		if out[m[1]] == nil {
			out[m[1]] = []string{}
		}
	}
	return out
}

func TestWireMatchesItsDescription(t *testing.T) {
	doc := documented(t)
	for _, e := range all {
		line, err := JSON(e.stamp(7, time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(line), `{"type":"`+TypeName(e)+`","seq":7,"at":"2026-01-02T03:04:05.006Z","session":"","turn":""`) {
			t.Errorf("head: %s", line)
		}
		if strings.Contains(string(line), "\n") {
			t.Errorf("more than one line: %s", line)
		}
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		for _, k := range []string{"type", "seq", "at", "session", "turn"} {
			delete(m, k)
		}
		var got []string
		for k := range m {
			got = append(got, k)
		}
		want, ok := doc[TypeName(e)]
		if !ok {
			t.Errorf("wire.md does not describe %s", TypeName(e))
			continue
		}
		delete(doc, TypeName(e))
		sort.Strings(got)
		sort.Strings(want)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: fields %v, described %v", TypeName(e), got, want)
		}
	}
	for name := range doc {
		t.Errorf("wire.md describes %s, which does not exist", name)
	}
}

func TestWireValues(t *testing.T) {
	got, err := JSON(Retry{N: 1, Max: 3, After: 1500 * time.Millisecond, Reason: "a<b"})
	if err != nil || !strings.HasSuffix(string(got), `"n":1,"max":3,"after_ms":1500,"reason":"a<b"}`) {
		t.Errorf("%s, %v", got, err)
	}
}
