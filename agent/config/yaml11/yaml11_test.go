package yaml11

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestErrorsNameTheLine(t *testing.T) {
	for name, tc := range map[string]struct {
		text, want string
	}{
		"flow sequence, first line": {"name: [unclosed\n", "f:1: did not find expected ',' or ']'"},
		"flow sequence, later":      {"a: 1\nb: 2\nc: [x\nd: 3\n", "f:3: did not find expected ',' or ']'"},
		"key without value":         {"a: 1\nb\nc: 3\n", "f:2: could not find expected ':'"},
		"mapping indentation":       {"a: 1\nb: 2\n  c: 3\n", "f:3: mapping values are not allowed in this context"},
		"bad dedent":                {"a:\n    b: 1\n    c: 2\n  d: 3\n", "f:4: did not find expected key"},
		"tab":                       {"a: 1\nb:\n\tc: 1\n", "f:3: found character that cannot start any token"},
		"two documents":             {"a: 1\n---\nb: 1\n", "f:2: found a second document; expected a single one"},
		"unknown anchor":            {"a: 1\nb: *nope\n", `f:2: unknown anchor "nope"`},
		"control character":         {"a: 1\nb: \x01\n", "f:2: control character #x0001 is not allowed"},
		"GBK":                       {"name: x\ndescription: \xbc\xc6\n", "f:2: byte 0xbc is not UTF-8; save the file as UTF-8"},
		"UTF-16":                    {"\xff\xfen\x00", "f:1: the file is UTF-16; save it as UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("f", []byte(tc.text))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Error() != tc.want {
				t.Errorf("got  %s\nwant %s", e, tc.want)
			}
		})
	}
}

func TestDecodeIsBounded(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		p, c := string(rune('0'+i-1)), string(rune('0'+i))
		bomb.WriteString("a" + c + ": &a" + c + " [" + strings.Repeat("*a"+p+", ", 10) + "]\n")
	}
	for name, text := range map[string]string{
		"bomb":   bomb.String(),
		"cycle":  "a: &a [*a]\n",
		"merge":  "a: &a\n  <<: *a\n",
		"nested": strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			n, err := Parse("f", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Decode(n); err == nil {
				t.Error("decoded without an error")
			}
			Child(n, "missing") // must end
		})
	}
}

func TestChildFindsWhatDecodeFinds(t *testing.T) {
	n, err := Parse("f", []byte("x: &x {a: 1, c: 5}\ny: &y {a: 2, b: 3}\nz: {a: 0, <<: [*x, *y], d: 4, d: 6}\n"))
	if err != nil {
		t.Fatal(err)
	}
	z := Child(n, "z")
	v, err := Decode(z)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"a": "0", "b": "3", "c": "5", "d": "6"} {
		if got := Child(z, key); got == nil || got.Value != want {
			t.Errorf("Child %s: %v, want %s", key, got, want)
		}
		if got, ok := v.Get(key); !ok || got.Str() != want {
			t.Errorf("Get %s: %v, want %s", key, got, want)
		}
	}
	if d := Duplicates(z); len(d) != 1 || d[0].Value != "d" {
		t.Errorf("duplicates %v", d)
	}
}

func TestJSONForThePluginHost(t *testing.T) {
	n, err := Parse("f", []byte("a: 1.10\nb: on\nc: .nan\nd: 2024-01-31\ne: 2024-01-31 10:00:00Z\nf: !!binary aGk=\ng: {1: x}\nh: 010\ni: [~, 'it']\nj: 1.0e+20\nk: []\nl: {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := Decode(n)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"a":1.1,"b":true,"c":{"__py__":["float","nan"]},"d":{"__py__":["date","2024-01-31"]},` +
		`"e":{"__py__":["datetime","2024-01-31T10:00:00+00:00"]},"f":{"__py__":["bytes","aGk="]},` +
		`"g":{"__py__":["dict",[[1,"x"]]]},"h":8,"i":[null,"it"],"j":1e+20,"k":[],"l":{}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, d := range documents() {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse("f", data)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 0 || e.Line > strings.Count(string(data), "\n")+1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		Child(n, "a")
		Duplicates(n)
		v, err := Decode(n)
		if err != nil {
			return
		}
		_ = v.Str()
		raw, err := json.Marshal(v)
		if err != nil || !json.Valid(raw) {
			t.Fatalf("%s: %v", raw, err)
		}
	})
}
