package cases

import (
	"encoding/json"
	"testing"
)

// observed is an observation as the program writes it.
const observed = `{"alive": true, "seconds": 1.5, "steps": [
	{"do": "load", "plugins": {"a/b": {"enabled": false, "error": "no"}}, "warnings": ["WARN x: one", "two"],
	 "sent": [{"type": "function", "function": {"name": "f", "parameters": {"z": 1, "a": [1, 2.0]}}}]},
	{"do": "tool", "result": "{\"got\": {\"n\": 1}}"},
	{"do": "mcp", "unsupported": true},
	{"do": "chat", "rc": 0, "all": "x/y", "list": ["/p/q.txt", "q.txt", true], "none": null}
]}`

func check(t *testing.T, at, op, value string) State {
	t.Helper()
	v, err := parse([]byte(observed))
	if err != nil {
		t.Fatal(err)
	}
	c := Case{
		ID: "C001", Expect: []Assertion{{At: at, Op: op, Value: json.RawMessage(value), Level: Must}},
		Drive: []json.RawMessage{
			json.RawMessage(`{"do": "load", "id": "l"}`), json.RawMessage(`{"do": "tool", "id": "t"}`),
			json.RawMessage(`{"do": "mcp", "id": "m"}`), json.RawMessage(`{"do": "chat"}`),
		},
	}
	out, err := c.judge(v.(*object))
	if err != nil {
		t.Fatal(err)
	}
	return out[0].State
}

func TestOperations(t *testing.T) {
	for _, c := range []struct {
		at, op, value string
		want          State
	}{
		{"/alive", "is_true", "", Pass},
		{"/alive", "is_false", "", Fail},
		{"/l/plugins/a~1b/enabled", "is_false", "", Pass},
		{"/l/plugins/a~1b/nosuch", "missing", "", Pass},
		{"/l/plugins/a~1b/nosuch", "is_null", "", Fail},
		{"/l/plugins/nosuch/enabled", "is_false", "", Fail},
		{"/3/none", "is_null", "", Pass},
		{"/3/none", "exists", "", Fail},
		{"/3/none", "match", `"null"`, Fail},
		{"/3/none", "no_match", `"x"`, Pass},
		{"/3/rc", "exists", "", Pass},
		{"/3/rc", "eq", "0", Pass},
		{"/3/rc", "eq", "0.0", Pass},
		{"/3/rc", "eq", "false", Fail},
		{"/alive", "eq", "1", Fail},
		{"/3/rc", "ne", "1", Pass},
		{"/3/rc", "in", "[1, 0]", Pass},
		{"/seconds", "le", "1.5", Pass},
		{"/seconds", "ge", "2", Fail},
		{"/alive", "le", "2", Fail},
		{"/l/warnings", "len_eq", "2", Pass},
		{"/l/warnings", "len_ge", "3", Fail},
		{"/3/all", "len_le", "3", Pass},
		{"/l/plugins", "len_eq", "1", Pass},
		{"/3/all", "contains", `"/"`, Pass},
		{"/3/all", "contains", `1`, Fail},
		{"/l/warnings", "contains", `"two"`, Pass},
		{"/l/warnings", "contains", `"tw"`, Fail},
		{"/l/plugins", "contains", `"a/b"`, Pass},
		{"/l/plugins", "lacks", `"b"`, Pass},
		{"/3/nosuch", "lacks", `"b"`, Fail},
		{"/seconds", "contains", `"1.5"`, Pass},
		{"/l/warnings", "any_match", `"^WARN .*one$"`, Pass},
		{"/l/warnings", "none_match", `"three"`, Pass},
		{"/l/warnings", "none_match", `"two"`, Fail},
		{"/l/plugins", "all_keys_match", `"^a/"`, Pass},
		{"/3/list", "count_twice", `"q.txt"`, Pass},
		{"/3/list", "count_twice", `"p"`, Fail},
		// The text of an object has its names in their order.
		{"/l/sent/f", "match", `"\"parameters\": \\{\"z\": 1, \"a\": \\[1, 2.0\\]\\}"`, Pass},
		{"/l/sent/f/parameters/a", "eq", "[1.0, 2]", Pass},
		{"/l/sent/f/parameters", "eq", `{"a": [1, 2], "z": 1}`, Pass},
		// The result of a step is read as JSON.
		{"/t/json/got/n", "eq", "1", Pass},
		{"/m/anything", "eq", "1", NotOffered},
		{"/l/warnings/5", "missing", "", Pass},
		{"/l/warnings/x", "missing", "", Pass},
	} {
		if got := check(t, c.at, c.op, c.value); got != c.want {
			t.Errorf("%s %s %s: %s, want %s", c.at, c.op, c.value, got, c.want)
		}
	}
}

func TestUnknownOperationIsAnError(t *testing.T) {
	c := Case{ID: "C001", Expect: []Assertion{{At: "/alive", Op: "resembles"}}, Drive: []json.RawMessage{json.RawMessage(`{}`)}}
	v, err := parse([]byte(observed))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := c.judge(v.(*object)); err == nil {
		t.Errorf("an unknown operation gives %v", out)
	}
}

// One line of a group is enough.
func TestAlternatives(t *testing.T) {
	c := Case{
		ID:    "C001",
		Drive: []json.RawMessage{json.RawMessage(`{"id": "l"}`)},
		Expect: []Assertion{
			{At: "/alive", Op: "is_false", Level: Must},
			{At: "/seconds", Op: "eq", Value: json.RawMessage("1.5"), Level: Must},
			{At: "/exit_code", Op: "eq", Value: json.RawMessage("3"), Level: Must},
		},
		Alternatives: [][]string{{"/alive", "/seconds"}},
	}
	v, err := parse([]byte(observed))
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.judge(v.(*object))
	if err != nil {
		t.Fatal(err)
	}
	if out[0].State != NotOffered || out[1].State != Pass || out[2].State != Fail {
		t.Error(out[0].State, out[1].State, out[2].State)
	}
}

func TestOrphans(t *testing.T) {
	body, err := parse([]byte(`{"messages": [
		{"role": "assistant", "tool_calls": [{"id": "a"}, {"id": "b"}]}, {"role": "tool", "tool_call_id": "a"}, {"role": "tool", "tool_call_id": "c"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := orphans(body); n != 2 {
		t.Errorf("%d, want the unanswered b and the answer c", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(observed))
	f.Add([]byte(`{"a": 1, "a": [2, {"b": null}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parse(data)
		if err != nil {
			return
		}
		again, err := parse([]byte(textOf([]any{v})))
		if err != nil {
			t.Fatalf("%s: %v", textOf(v), err)
		}
		if !equal(again, []any{v}) {
			t.Errorf("%s became %s", textOf(v), textOf(again))
		}
	})
}
