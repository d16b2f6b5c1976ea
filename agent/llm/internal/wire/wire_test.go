package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	for _, tc := range []struct {
		value string
		want  time.Duration
	}{
		{"3", 3 * time.Second},
		{"0.5", 500 * time.Millisecond},
		{"99999", 600 * time.Second},
		{"-1", 0},
		{"NaN", 0},
		{"soon", 0},
		{"", 0},
		{"Wed, 01 Jan 2020 00:00:10 GMT", 10 * time.Second},
	} {
		h := map[string][]string{"Retry-After": {tc.value}}
		if got := retryAfter(h, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)); got != tc.want {
			t.Errorf("%q: %v, want %v", tc.value, got, tc.want)
		}
	}
}

func TestCanonicalArguments(t *testing.T) {
	for in, want := range map[string]string{
		``:                              `{}`,
		`not json`:                      `{}`,
		`{"a":1}{"a":2}`:                `{}`,
		`["b", "a"]`:                    `["b","a"]`,
		`{"z": {"y": 1, "x": [ ]}}`:     `{"z":{"x":[],"y":1}}`,
		`{"n": 12345678901234567890.0}`: `{"n":12345678901234567890.0}`,
		`{"s": "\u00e9\n\"\\</b>"}`:     `{"s":"\u00e9\n\"\\</b>"}`,
		`{"t": true, "f": null}`:        `{"f":null,"t":true}`,
	} {
		if got := Canonical(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

// A text goes into the body as encoding/json would read it back, but for bytes
// that are no UTF-8.
func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\n\x00\u2028</script>é😀\xff\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		b := AppendString(nil, s)
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatalf("%q became %s: %v", s, b, err)
		}
		want := strings.Map(func(r rune) rune { return r }, s) // one U+FFFD for each broken byte
		if got != want {
			t.Fatalf("%q came back as %q", s, got)
		}
	})
}

func FuzzCanonical(f *testing.F) {
	f.Add(`{"b":[1,"x",{"a":null}],"a":"\ud800"}`)
	f.Fuzz(func(t *testing.T, s string) {
		got := Canonical(s)
		if !json.Valid([]byte(got)) {
			t.Fatalf("%q became %q", s, got)
		}
		if again := Canonical(got); again != got {
			t.Fatalf("not stable: %q, then %q", got, again)
		}
	})
}
