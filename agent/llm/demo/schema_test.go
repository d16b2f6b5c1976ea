package demo

import (
	"encoding/json"
	"testing"
)

func TestAccepts(t *testing.T) {
	for _, tc := range []struct {
		schema, value string
		want          bool
	}{
		{`{"type":"string"}`, `"x"`, true},
		{`{"type":"string"}`, `1`, false},
		{`{"type":"number"}`, `1`, true},
		{`{"type":"number"}`, `"1"`, false},
		{`{"type":"integer"}`, `1`, true},
		{`{"type":"integer"}`, `1.5`, false},
		{`{"type":["integer","null"]}`, `1`, true},
		{`{"type":"boolean"}`, `true`, true},
		{`{"type":"boolean"}`, `"true"`, false},
		{`{}`, `"anything"`, true},
		{`{"enum":["a","b"]}`, `"a"`, true},
		{`{"enum":["a","b"]}`, `"c"`, false},
		{`{"const":"a"}`, `"b"`, false},
		{`{"type":"number","minimum":2,"maximum":5}`, `2`, true},
		{`{"type":"number","minimum":2}`, `1.9`, false},
		{`{"type":"number","maximum":5}`, `5.01`, false},
		{`{"type":"number","exclusiveMinimum":2}`, `2`, false},
		{`{"type":"number","exclusiveMaximum":2}`, `2`, false},
		{`{"type":"number","multipleOf":0.5}`, `1.5`, true},
		{`{"type":"number","multipleOf":0.5}`, `1.2`, false},
		{`{"type":"string","minLength":2}`, `"字"`, false},
		{`{"type":"string","maxLength":2}`, `"字字"`, true},
		{`{"type":"string","pattern":"^[a-z]+$"}`, `"A"`, false},
		{`{"type":"string","pattern":"^(?!x)"}`, `"A"`, true},
		{`{"type":"array","items":{"type":"number"},"minItems":1}`, `[1, 2]`, true},
		{`{"type":"array","items":{"type":"number"}}`, `["1"]`, false},
		{`{"type":"array","minItems":1}`, `[]`, false},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"a": "x"}`, true},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{}`, false},
		{`{"type":"object","properties":{},"additionalProperties":false}`, `{"a": 1}`, false},
		{`{"anyOf":[{"type":"string"},{"type":"number"}]}`, `1`, true},
		{`{"anyOf":[{"type":"string"},{"type":"number"}]}`, `true`, false},
		{`{"anyOf":[{"type":"string","maxLength":1},{"type":"null"}]}`, `"xx"`, false},
		{`{"allOf":[{"enum":["a"]}]}`, `"b"`, false},
		{`{"$ref":"#/$defs/E","$defs":{"E":{"enum":["a"]}}}`, `"b"`, false},
	} {
		s, ok := readSchema(json.RawMessage(tc.schema))
		if !ok {
			t.Fatalf("%s is not read", tc.schema)
		}
		v, _, err := decode(tc.value)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.accepts(v); got != tc.want {
			t.Errorf("%s accepts %s: %v", tc.schema, tc.value, got)
		}
	}
}
