package tool

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestRepairArgs(t *testing.T) {
	for _, tc := range []struct {
		in, want string
		repairs  []Repair
	}{
		{`{"a":1}`, `{"a":1}`, nil},
		{"  {\"a\": 1}\n", `{"a": 1}`, nil},
		{``, `{}`, nil},
		{`null`, `{}`, nil},
		{`["a"]`, `["a"]`, nil},
		{`{"text":"tc",}`, `{"text":"tc"}`, []Repair{RepairComma}},
		{"{\"text\":\"raw\nline\ttab\"}", `{"text":"raw\u000aline\u0009tab"}`, []Repair{RepairControl}},
		{`{"text":"open"`, `{"text":"open"}`, []Repair{RepairClose}},
		{`{"l":[{"a":"b"`, `{"l":[{"a":"b"}]}`, []Repair{RepairClose}},
		{`{"a":true, `, `{"a":true}`, []Repair{RepairComma, RepairClose}},
		{`{"a":1}}`, `{"a":1}`, []Repair{RepairSurplus}},
		{"```json\n{\"a\":1}\n```", `{"a":1}`, []Repair{RepairFence}},
		{`"{\"a\":1}"`, `{"a":1}`, []Repair{RepairUnquoted}},
		{`{'a': 'it is "so"', 'b': True, 'c': None}`, `{"a": "it is \"so\"", "b": true, "c": null}`, []Repair{RepairQuotes, RepairLiteral}},
		{`{"s":"True, None,]"}`, `{"s":"True, None,]"}`, nil},
		{`{"e":"2**16",}`, `{"e":"2**16"}`, []Repair{RepairComma}},
	} {
		got, repairs, err := RepairArgs(tc.in)
		if err != nil || string(got) != tc.want {
			t.Errorf("%q: got %s (%v), want %s", tc.in, got, err, tc.want)
		}
		if len(repairs) != len(tc.repairs) {
			t.Errorf("%q: repairs %q, want %q", tc.in, repairs, tc.repairs)
			continue
		}
		for i := range repairs {
			if repairs[i] != tc.repairs[i] {
				t.Errorf("%q: repairs %q, want %q", tc.in, repairs, tc.repairs)
			}
		}
	}
}

// What would need a guess is an error that says where (decision D54).
func TestRepairGuessesNothing(t *testing.T) {
	for in, want := range map[string]string{
		`not json`:                 `invalid character 'o' in literal null (expecting 'u'): line 1 column 2 (char 1)`,
		`{"command": "rm -rf /tmp`: `unexpected end of JSON input: line 1 column 25 (char 24)`,
		`{"n": 12`:                 `unexpected end of JSON input: line 1 column 9 (char 8)`,
		`{"n":`:                    `unexpected end of JSON input`,
		`{"n"`:                     `unexpected end of JSON input`,
		`{"a" 1}`:                  `invalid character '1' after object key: line 1 column 6 (char 5)`,
		"{\"文\": 1,\n \"b\" 2}":    `invalid character '2' after object key: line 2 column 6 (char 14)`,
		`{'a': 'don't know'}`:      `invalid character '\''`,
		`{"a":1} {"a":2}`:          `invalid character '{' after top-level value: line 1 column 9 (char 8)`,
		`{"a":1]`:                  `invalid character ']'`,
		`{"t": tru`:                `in literal true`,
		`{expression: 2**16}`:      `invalid character 'e'`,
	} {
		got, _, err := RepairArgs(in)
		var e *ArgsError
		if !errors.As(err, &e) {
			t.Errorf("%q became %s", in, got)
			continue
		}
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q: %q, want %q", in, e.Error(), want)
		}
	}
}

// Valid JSON is never changed in meaning, and what is repaired is JSON.
func FuzzRepairArgs(f *testing.F) {
	for _, s := range []string{`{"a":1,}`, `{'a':'b'}`, "```\n{}\n```", `"{\"a\":1}"`, `{"a":[1,{"b":"c"`, "{\"a\":\"\x01\"}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, repairs, err := RepairArgs(s)
		if err != nil {
			if json.Valid([]byte(s)) {
				t.Fatalf("valid %q was refused: %v", s, err)
			}
			return
		}
		if !json.Valid(got) {
			t.Fatalf("%q became %s by %q", s, got, repairs)
		}
	})
}
