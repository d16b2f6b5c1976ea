package ojson

import (
	"encoding/json"
	"testing"
)

func TestKeepsOrderAndNumbers(t *testing.T) {
	for in, want := range map[string]string{
		`{"b": 1.50, "a": [true, null, "<x>"], "b": 12345678901234567890}`: `{"b":12345678901234567890,"a":[true,null,"<x>"]}`,
		` "x" `:    `"x"`,
		`[]`:       `[]`,
		`{"a":{}}`: `{"a":{}}`,
	} {
		v, err := Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(v.JSON()); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// What encoding/json accepts is accepted, and means the same afterwards.
func FuzzParse(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":null}]}`)
	f.Add(`{} {}`)
	f.Fuzz(func(t *testing.T, s string) {
		v, err := Parse([]byte(s))
		if (err == nil) != json.Valid([]byte(s)) {
			t.Fatalf("%q: %v", s, err)
		}
		if err != nil {
			return
		}
		out := v.JSON()
		again, err := Parse(out)
		if err != nil || string(again.JSON()) != string(out) {
			t.Fatalf("%q became %s (%v)", s, out, err)
		}
	})
}
