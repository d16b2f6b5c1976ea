package tool

import (
	"encoding/json"
	"testing"
)

const coerceSchema = `{"type":"object","properties":{
	"i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},
	"a":{"type":"array","items":{"type":"object","properties":{"o":{"type":"object"}}}},
	"o":{"type":"object","properties":{"in":{"type":"array"}}},
	"ni":{"type":["integer","null"]},"nu":{"type":"string","nullable":true},
	"is":{"type":["integer","string"]},"si":{"type":["string","integer"]},"as":{"type":["array","string"]},"na":{"type":["array","null"]},
	"any":{"anyOf":[{"type":"array"},{"type":"null"}]},"str":{"anyOf":[{"type":"string"},{"type":"object"}]},
	"free":{},"none":{"type":[],"anyOf":[{"type":"array"}]},"ia":{"anyOf":[{"type":"integer"},{"type":"array"}]},
	"aa":{"type":"array","items":{"type":"array","items":{"type":"array"}}},"la":{"type":["array","null"],"items":{"type":"object"}},
	"alt":{"type":"array","items":{"anyOf":[{"type":"string"},{"allOf":[{"type":"object"}]}]}},
	"tuple":{"type":"array","items":[{"type":"array"}]}
}}`

func TestCoerce(t *testing.T) {
	for in, want := range map[string]string{
		`{"i":"42"}`:                       `{"i":42}`,
		`{"i":"4.0"}`:                      `{"i":4}`,
		`{"i":"4.5"}`:                      `{"i":"4.5"}`,
		`{"i":" 007 "}`:                    `{"i":7}`,
		`{"i":"12345678901234567890"}`:     `{"i":12345678901234567890}`,
		`{"i":"1e3"}`:                      `{"i":1000}`,
		`{"i":"many"}`:                     `{"i":"many"}`,
		`{"i":""}`:                         `{"i":""}`,
		`{"n":"4.5"}`:                      `{"n":4.5}`,
		`{"n":"42"}`:                       `{"n":42}`,
		`{"n":"inf"}`:                      `{"n":"inf"}`,
		`{"n":"nan"}`:                      `{"n":"nan"}`,
		`{"n":"1e999"}`:                    `{"n":"1e999"}`,
		`{"b":"True"}`:                     `{"b":true}`,
		`{"b":"no"}`:                       `{"b":"no"}`,
		`{"s":"42"}`:                       `{"s":"42"}`,
		`{"s":5}`:                          `{"s":5}`,
		`{"a":"[1,2]"}`:                    `{"a":[1,2]}`,
		`{"a":"x"}`:                        `{"a":["x"]}`,
		`{"a":7}`:                          `{"a":[7]}`,
		`{"a":null}`:                       `{"a":null}`,
		`{"a":{"o":1}}`:                    `{"a":[{"o":1}]}`,
		`{"na":"x"}`:                       `{"na":"x"}`,
		`{"na":5}`:                         `{"na":5}`,
		`{"na":"[1]"}`:                     `{"na":[1]}`,
		`{"a":[{"o":"{\"x\":1}"}]}`:        `{"a":[{"o":{"x":1}}]}`,
		`{"a":"[{\"o\":\"{}\"}]"}`:         `{"a":[{"o":"{}"}]}`,
		`{"o":"{\"in\":\"[1]\"}"}`:         `{"o":{"in":[1]}}`,
		`{"o":"x"}`:                        `{"o":"x"}`,
		`{"ni":"NULL"}`:                    `{"ni":null}`,
		`{"ni":"3"}`:                       `{"ni":3}`,
		`{"nu":"null"}`:                    `{"nu":null}`,
		`{"s":"null"}`:                     `{"s":"null"}`,
		`{"is":"3"}`:                       `{"is":3}`,
		`{"is":"x"}`:                       `{"is":"x"}`,
		`{"si":"3"}`:                       `{"si":3}`,
		`{"as":"x"}`:                       `{"as":"x"}`,
		`{"any":"[1]"}`:                    `{"any":"[1]"}`,
		`{"none":"[1]"}`:                   `{"none":"[1]"}`,
		`{"ia":"[1]"}`:                     `{"ia":"[1]"}`,
		`{"aa":["[1]","x"]}`:               `{"aa":[[1],"x"]}`,
		`{"aa":["[\"[2]\"]"]}`:             `{"aa":[[[2]]]}`,
		`{"aa":"[\"[2]\"]"}`:               `{"aa":["[2]"]}`,
		`{"la":"[\"{}\"]"}`:                `{"la":[{}]}`,
		`{"la":["{}"]}`:                    `{"la":["{}"]}`,
		`{"alt":["[1]","{}"]}`:             `{"alt":["[1]",{}]}`,
		`{"tuple":["[1]"]}`:                `{"tuple":["[1]"]}`,
		`{"any":"null"}`:                   `{"any":null}`,
		`{"any":5}`:                        `{"any":5}`,
		`{"str":"{}"}`:                     `{"str":"{}"}`,
		`{"free":"42","unknown":"[1]"}`:    `{"free":"42","unknown":"[1]"}`,
		`{"z":1, "i":"1", "a":"x" ,"b":0}`: `{"z":1,"i":1,"a":["x"],"b":0}`,
	} {
		if got := string(Coerce(json.RawMessage(in), json.RawMessage(coerceSchema))); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
	same := json.RawMessage(`{"s" : "x"}`)
	if got := Coerce(same, json.RawMessage(coerceSchema)); string(got) != string(same) {
		t.Errorf("arguments that fit were rewritten: %s", got)
	}
}

// Coercing twice is coercing once, and the outcome is JSON.
func FuzzCoerce(f *testing.F) {
	f.Add(`{"i":"1e3","a":"[1]","o":"{\"in\":\"[]\"}"}`, coerceSchema)
	f.Fuzz(func(t *testing.T, args, schema string) {
		once := Coerce(json.RawMessage(args), json.RawMessage(schema))
		if json.Valid([]byte(args)) && !json.Valid(once) {
			t.Fatalf("%s became %s", args, once)
		}
		_ = Validate(once, json.RawMessage(schema)) // must not panic
	})
}

func TestValidate(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","required":["path"],"properties":{
		"path":{"type":"string","minLength":1,"maxLength":5,"pattern":"^[a-z]*$"},
		"n":{"type":"integer","minimum":1,"maximum":9},"x":{"type":"number","exclusiveMinimum":0},
		"mode":{"type":"string","enum":["a","b"]},"opt":{"type":["string","null"]},
		"list":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"object","required":["id"],"additionalProperties":false,"properties":{"id":{"type":"string"}}}},
		"alt":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`)
	for in, want := range map[string]string{
		`{"path":"x"}`:                           ``,
		`{"path":"x","surplus":1}`:               ``,
		`{"path":"x","opt":null,"alt":3}`:        ``,
		`{"path":"x","n":4.0}`:                   ``,
		`{}`:                                     `parameter 'path' is required`,
		`{"path":5}`:                             `parameter 'path' must be string, got number`,
		`{"path":""}`:                            `parameter 'path' must have at least 1 characters, got 0`,
		`{"path":"abcdef"}`:                      `parameter 'path' must have at most 5 characters, got 6`,
		`{"path":"A"}`:                           `parameter 'path' must match ^[a-z]*$`,
		`{"path":"x","n":4.5}`:                   `parameter 'n' must be integer, got number`,
		`{"path":"x","n":0}`:                     `parameter 'n' must be at least 1, got 0`,
		`{"path":"x","n":10}`:                    `parameter 'n' must be at most 9, got 10`,
		`{"path":"x","x":0}`:                     `parameter 'x' must be more than 0, got 0`,
		`{"path":"x","mode":"c"}`:                `parameter 'mode' must be one of "a", "b", got "c"`,
		`{"path":"x","opt":1}`:                   `parameter 'opt' must be string, got number`,
		`{"path":"x","list":[]}`:                 `parameter 'list' must have at least 1 items, got 0`,
		`{"path":"x","list":[{"id":1}]}`:         `parameter 'list[0].id' must be string, got number`,
		`{"path":"x","list":[{"id":"1","b":2}]}`: `parameter 'list[0].b' is not known; known are: id`,
		`{"path":"x","alt":true}`:                `parameter 'alt' must be string, got boolean`,
		`[]`:                                     `arguments must be object, got array`,
	} {
		err := Validate(json.RawMessage(in), schema)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestSurplus(t *testing.T) {
	got := Surplus(json.RawMessage(`{"a":1,"b":2,"c":3}`), json.RawMessage(`{"properties":{"b":{}}}`))
	if len(got) != 2 || got[0] != "a" || got[1] != "c" {
		t.Errorf("got %v", got)
	}
}
