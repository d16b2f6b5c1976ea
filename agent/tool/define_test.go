package tool

import (
	"encoding/json"
	"testing"
)

func TestDefine(t *testing.T) {
	for _, tc := range []struct{ name, params, want string }{
		{"no parameters", ``, `{"type":"object","properties":{}}`},
		{"not an object", `"x"`, `{"type":"object","properties":{}}`},
		{"order kept", `{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"type":"object","required":["b"]}`, `{"properties":{"b":{"type":"string"},"a":{"type":"integer"}},"type":"object","required":["b"]}`},
		{"object nodes get properties", `{"type":"object","properties":{"o":{"type":"object"}}}`, `{"type":"object","properties":{"o":{"type":"object","properties":{}}}}`},
		{"a bare type", `{"type":"object","properties":{"x":"string","l":{"type":"array","items":"integer"}}}`, `{"type":"object","properties":{"x":{"type":"string"},"l":{"type":"array","items":{"type":"integer"}}}}`},
		{"a type or null", `{"type":"object","properties":{"x":{"type":["string","null"]}}}`, `{"type":"object","properties":{"x":{"type":"string","nullable":true}}}`},
		{"a list of no types", `{"type":[],"properties":{"a":{"type":[]},"b":{"type":["string",5]}}}`, `{"type":"object","properties":{"a":{"type":"object","properties":{}},"b":{"type":"string"}}}`},
		{"several types", `{"type":"object","properties":{"x":{"type":["string","integer"]}}}`, `{"type":"object","properties":{"x":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`},
		{"nullable alternatives", `{"type":"object","properties":{"x":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"description":"d"}}}`, `{"type":"object","properties":{"x":{"type":"string","default":null,"description":"d","nullable":true}}}`},
		{"alternatives at the top", `{"type":"object","properties":{},"anyOf":[{"required":["a"]}],"not":{}}`, `{"type":"object","properties":{}}`},
		{"default beside a reference", `{"type":"object","properties":{"x":{"$ref":"#/$defs/x","default":1}},"$defs":{"x":{"type":"object"}}}`, `{"type":"object","properties":{"x":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"object","properties":{}}}}`},
		{"required without a property", `{"type":"object","properties":{"a":{}},"required":["a","b"]}`, `{"type":"object","properties":{"a":{}},"required":["a"]}`},
		{"nothing required is left", `{"type":"object","properties":{"a":{}},"required":["b"]}`, `{"type":"object","properties":{"a":{}}}`},
		{"values are not schemas", `{"type":"object","properties":{"x":{"enum":["object",null],"examples":["a"],"default":{"type":["a","b"]}}}}`, `{"type":"object","properties":{"x":{"enum":["object",null],"examples":["a"],"default":{"type":["a","b"]}}}}`},
		{"additionalProperties kept", `{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"a property named type", `{"type":"object","properties":{"type":{"type":"string"},"required":{"type":"boolean"}},"required":["type"]}`, `{"type":"object","properties":{"type":{"type":"string"},"required":{"type":"boolean"}},"required":["type"]}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Define(Spec{Name: "x", Parameters: json.RawMessage(tc.params)})
			if got := string(d.Parameters); got != tc.want {
				t.Errorf("got %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestDefineKeepsWhatTheAuthorWrote(t *testing.T) {
	d := Define(Spec{Name: "registered", Schema: json.RawMessage(`{"description":"<d>","name":"other","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}}}}`)})
	want := `{"description":"<d>","name":"registered","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}}}}`
	if string(d.Schema) != want || d.Description != "<d>" {
		t.Errorf("got %s, %q", d.Schema, d.Description)
	}
	d = Define(Spec{Name: "x", Description: "d"})
	if want := `{"name":"x","description":"d","parameters":{"type":"object","properties":{}}}`; string(d.Schema) != want {
		t.Errorf("got %s", d.Schema)
	}
}

// Every schema becomes one that is JSON and stays the same when mended again.
func FuzzDefine(f *testing.F) {
	f.Add(`{"type":["object","null"],"properties":{"a":{"oneOf":[{"type":"null"},{"type":"array","items":"x"}]}}}`)
	f.Fuzz(func(t *testing.T, params string) {
		once := Define(Spec{Name: "x", Parameters: json.RawMessage(params)})
		if !json.Valid(once.Schema) {
			t.Fatalf("%s became %s", params, once.Schema)
		}
		if twice := Define(Spec{Name: "x", Parameters: once.Parameters}); string(twice.Parameters) != string(once.Parameters) {
			t.Fatalf("once %s, twice %s", once.Parameters, twice.Parameters)
		}
	})
}
