package todo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/tool"
)

func setup(t *testing.T) func(session, args string) string {
	t.Helper()
	reg := tool.NewRegistry(nil)
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	td, _ := reg.Get("todo")
	return func(session, args string) string {
		t.Helper()
		r, err := td.Run(t.Context(), tool.Call{Session: session, Args: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer // how results are spelled is another package's subject
		if err := json.Compact(&b, []byte(r.Content)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
}

func TestKeepsOneListPerSession(t *testing.T) {
	call := setup(t)
	want := `{"todos":[],"summary":{"total":0,"pending":0,"in_progress":0,"completed":0,"cancelled":0}}`
	if got := call("a", `{}`); got != want {
		t.Errorf("empty: %s", got)
	}
	want = `{"todos":[{"id":"1","content":"look","status":"in_progress"},{"id":"2","content":"write","status":"pending"}],"summary":{"total":2,"pending":1,"in_progress":1,"completed":0,"cancelled":0}}`
	if got := call("a", `{"todos":[{"id":"1","content":"look","status":"in_progress"},{"id":"2","content":"write","status":"pending"}]}`); got != want {
		t.Errorf("set: %s", got)
	}
	if got := call("a", `{}`); got != want {
		t.Errorf("read: %s", got)
	}
	if got := call("b", `{}`); !strings.Contains(got, `"total":0`) {
		t.Errorf("another session: %s", got)
	}
	want = `{"todos":[{"id":"1","content":"look","status":"completed"},{"id":"2","content":"write","status":"pending"},{"id":"3","content":"test","status":"pending"}],"summary":{"total":3,"pending":2,"in_progress":0,"completed":1,"cancelled":0}}`
	if got := call("a", `{"merge":true,"todos":[{"id":"1","content":"look","status":"completed"},{"id":"3","content":"test","status":"pending"}]}`); got != want {
		t.Errorf("merge: %s", got)
	}
	if got := call("a", `{"todos":[]}`); !strings.Contains(got, `"total":0`) {
		t.Errorf("emptied: %s", got)
	}
}

func TestLimits(t *testing.T) {
	call := setup(t)
	var items []string
	for i := range maxItems + 1 {
		items = append(items, fmt.Sprintf(`{"id":"%d","content":"x","status":"pending"}`, i))
	}
	if got := call("a", `{"todos":[`+strings.Join(items, ",")+`]}`); !strings.Contains(got, `"error":"the list would have 257 items`) {
		t.Errorf("too many: %s", got)
	}
	if got := call("a", `{"todos":[{"id":"1","content":"`+strings.Repeat("界", maxChars+1)+`","status":"pending"}]}`); strings.Count(got, "界") != maxChars {
		t.Errorf("too long: %d characters kept", strings.Count(got, "界"))
	}
	if got := call("a", `{"todos":[{"id":" ","content":"x","status":"pending"}]}`); !strings.Contains(got, "todos[0] needs an id") {
		t.Errorf("no id: %s", got)
	}
}

func TestSchemaIsValid(t *testing.T) {
	if !json.Valid([]byte(parameters)) {
		t.Fatal("parameters are not JSON")
	}
	bad := `{"todos":[{"id":"1","content":"x","status":"later"}]}`
	if err := tool.Validate(json.RawMessage(bad), json.RawMessage(parameters)); err == nil || !strings.Contains(err.Error(), "todos[0].status") {
		t.Errorf("got %v", err)
	}
}
