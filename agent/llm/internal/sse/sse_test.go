package sse

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func all(t *testing.T, r io.Reader) (out []string, err error) {
	t.Helper()
	rd := NewReader(r)
	for {
		e, err := rd.Next()
		if err != nil {
			return out, err
		}
		s := string(e.Data)
		if e.Name != "" {
			s = e.Name + "|" + s
		}
		if e.Bare {
			s = "bare|" + s
		}
		out = append(out, s)
	}
}

func TestReadsWhatServicesWrite(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "data: a\n\ndata: b\n\n", `["a" "b"]`},
		{"CRLF and no space", "data:a\r\n\r\ndata:b\r\n\r\n", `["a" "b"]`},
		{"CR alone", "data: a\r\rdata: b\r\r", `["a" "b"]`},
		{"comments, ids and retry", ": keep-alive\n\nid: 7\nretry: 10\ndata: a\n\n", `["a"]`},
		{"named event", "event: error\ndata: x\n\n", `["error|x"]`},
		{"name does not leak into the next", "event: error\n\ndata: x\n\n", `["x"]`},
		{"several data lines", "data: a\ndata: b\n\n", `["a\nb"]`},
		{"no final blank line", "data: a\n\ndata: b", `["a" "b"]`},
		{"empty data", "data:\n\ndata: \n\n", `["" ""]`},
		{"byte order mark", "\ufeffdata: a\n\n", `["a"]`},
		{"a JSON document instead", `{"error": 1}`, `["bare|{\"error\": 1}"]`},
		{"JSON after data without a blank line", "data: a\n{\"error\":1}\n", `["a" "bare|{\"error\":1}"]`},
		{"a web page", "<html>\n<body>\n", `[]`},
		{"empty", "", `[]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"at once":      strings.NewReader(tc.in),
				"byte by byte": iotest.OneByteReader(strings.NewReader(tc.in)),
				"halves":       iotest.HalfReader(strings.NewReader(tc.in)),
			} {
				got, err := all(t, r)
				if s := fmt.Sprintf("%q", got); s != tc.want || !errors.Is(err, io.EOF) {
					t.Errorf("%s: %s (%v), want %s", how, s, err, tc.want)
				}
			}
		})
	}
}

func TestDropsACutEvent(t *testing.T) {
	broken := errors.New("connection reset")
	got, err := all(t, io.MultiReader(strings.NewReader("data: a\n\ndata: {\"x\":"), iotest.ErrReader(broken)))
	if len(got) != 1 || got[0] != "a" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
}

// However the body is chunked, the events are the same, and reading ends.
func FuzzReader(f *testing.F) {
	for _, s := range []string{"data: a\r\n\r\ndata: b", "\ufeff: x\n\n", "event: e\rdata:1\rdata:2\r\r", "{\n[", "data: a\n{}\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole, err := all(t, strings.NewReader(s))
		if !errors.Is(err, io.EOF) {
			t.Fatalf("ended with %v", err)
		}
		bytewise, err := all(t, iotest.OneByteReader(strings.NewReader(s)))
		if !errors.Is(err, io.EOF) {
			t.Fatalf("ended with %v", err)
		}
		if fmt.Sprint(whole) != fmt.Sprint(bytewise) {
			t.Fatalf("at once %q, byte by byte %q", whole, bytewise)
		}
	})
}
