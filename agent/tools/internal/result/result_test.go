package result

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestSpelling(t *testing.T) {
	type doc struct {
		Content string         `json:"content"`
		Lines   int            `json:"total_lines"`
		Cut     bool           `json:"truncated"`
		Matches []int          `json:"matches"`
		Counts  map[string]int `json:"counts"`
	}
	for _, tc := range []struct {
		v    any
		want string
	}{
		{doc{Content: "1|one", Lines: 1}, `{"content": "1|one", "total_lines": 1, "truncated": false, "matches": null, "counts": null}`},
		{doc{Matches: []int{1, 2}, Counts: map[string]int{"a,b:c": 1, "d": 2}}, `{"content": "", "total_lines": 0, "truncated": false, "matches": [1, 2], "counts": {"a,b:c": 1, "d": 2}}`},
		{`say "a,b": \ or \u2028`, `"say \"a,b\": \\ or \\u2028"`},
		{"<b>&</b> 界 \u2028\u2029 😀", "\"<b>&</b> 界 \u2028\u2029 😀\""},
		{"\x00\x1f\b\f\n\r\t\x7f", `"\u0000\u001f\b\f\n\r\t` + "\x7f\""},
		{"not UTF-8: \xff", "\"not UTF-8: \ufffd\""},
		{[]any{}, `[]`},
		{map[string]any{}, `{}`},
	} {
		if got := JSON(tc.v).Content; got != tc.want {
			t.Errorf("%#v\n got %s\nwant %s", tc.v, got, tc.want)
		}
	}
	if got := Error("no %q", "a").Content; got != `{"error": "no \"a\""}` {
		t.Errorf("got %s", got)
	}
}

// The spelling changes no value.
func FuzzSpelling(f *testing.F) {
	f.Add("\u2028 \\u2028 \\\\u2028 \",: \xff")
	f.Fuzz(func(t *testing.T, s string) {
		v := map[string]any{s: []any{s, 1.5, nil, map[string]any{"k": s}}}
		compact, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var before, after any
		if err := json.Unmarshal(compact, &before); err != nil {
			t.Fatal(err)
		}
		got := JSON(v).Content
		if err := json.Unmarshal([]byte(got), &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%s is not %s: %v", got, compact, err)
		}
	})
}
