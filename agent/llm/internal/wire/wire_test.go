package wire

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
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

func TestFaultBodies(t *testing.T) {
	for body, want := range map[string]fault{
		`{"error":{"message":"no","code":"x","type":"t","param":"tools"}}`: {"no", "x", "t", "tools"},
		`{"error":"no"}`: {text: "no"},
		`{"error":{"message":"Provider returned error","metadata":{"raw":"{\"detail\":\"inner\"}"}}}`: {text: "Provider returned error: inner"},
		`{"error":{"message":"Provider returned error","metadata":{"raw":"plain words"}}}`:            {text: "Provider returned error: plain words"},
		`{"error":{"message":"<html><head><title>403 Forbidden</title></head></html>"}}`:              {text: "403 Forbidden"},
		`[{"error":{"code":429,"message":"quota"}}]`:                                                  {text: "quota", code: "429"},
		`{"detail":"Not Found"}`: {text: "Not Found"},
		`{"detail":[{"loc":["body","max_tokens"],"msg":"too big"},{"msg":"and more"}]}`: {text: "max_tokens: too big; and more"},
		`{"message":"busy","code":503}`:                {text: "busy", code: "503"},
		`{"errors":[{"message":"a"},{"message":"b"}]}`: {text: "a; b"},
		`{"title":"Bad Request","status":400}`:         {text: "Bad Request"},
		`{"error":{"code":"weird"}}`:                   {text: `{"code":"weird"}`},
		"<html><title>502</title>x</html>":             {text: "502"},
		"Service Unavailable\n":                        {text: "Service Unavailable"},
		"":                                             {},
	} {
		if got := readFault([]byte(body)); got != want {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	all := []string{"tools", "tool_choice", "stream", "stream_options", "max_tokens", "reasoning_effort", "top_k", ToolName, Images, Thoughts, System, Patterns, CallIDs, "cache_control"}
	for _, tc := range []struct {
		msg, param string
		kind       llm.ErrorKind
		want       string
	}{
		{"registry.ollama.ai/library/gemma:2b does not support tools", "", llm.ErrFormat, "tools"},
		{"No endpoints found that support tool use. To learn more", "", llm.ErrNotFound, "tools"},
		{`"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set`, "", llm.ErrFormat, "tools"},
		{"tools param requires --jinja flag", "", llm.ErrServer, "tools"},
		{"Function calling is not enabled for this model", "", llm.ErrFormat, "tools"},
		{"deepseek-reasoner does not support this tool_choice", "", llm.ErrFormat, "tool_choice"},
		{"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", llm.ErrOutputCap, "max_tokens"},
		{"max_tokens is too large: 65536. This model supports at most 16384", "max_tokens", llm.ErrOutputCap, ""},
		{"Unrecognized request argument supplied: stream_options", "", llm.ErrFormat, "stream_options"},
		{"Streaming is not supported for this model", "", llm.ErrFormat, "stream"},
		{"Invalid value: 'xhigh'. Supported values are: 'low', 'medium'", "reasoning_effort", llm.ErrFormat, "reasoning_effort"},
		{"top_k: Extra inputs are not permitted", "", llm.ErrFormat, "top_k"},
		{"property 'name' is unsupported", "messages.3.name", llm.ErrFormat, ToolName},
		{"Missing `reasoning_content` field in the assistant message at message index 2.", "", llm.ErrFormat, Thoughts},
		{"System role not supported", "", llm.ErrServer, System},
		{"failed to parse grammar", "", llm.ErrFormat, Patterns},
		{"Tool call id was call_x but must be a-z, A-Z, 0-9, with a length of 9.", "", llm.ErrFormat, CallIDs},
		{"this model does not support image input", "", llm.ErrFormat, Images},
		{"Invalid schema for function 'f': tools is broken", "tools[0].function.parameters", llm.ErrFormat, ""},
		{"bad request xyz", "", llm.ErrFormat, ""},
		{"Unknown model 'x'", "model", llm.ErrFormat, ""},
		{"invalid tools key", "", llm.ErrAuth, ""},
	} {
		e := &llm.Error{Kind: tc.kind, Status: 400, Message: tc.msg, Param: tc.param}
		if tc.kind == llm.ErrServer {
			e.Status = 500
		}
		if got := refusal(e, all); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.msg, got, tc.want)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, tc := range []struct {
		name  string
		cfg   llm.Config
		local bool
		size  int
		want  limits
	}{
		{"hosted", llm.Config{}, false, 1000, limits{1800 * time.Second, 120 * time.Second, 180 * time.Second}},
		{"local", llm.Config{}, true, 1000, limits{1800 * time.Second, 1800 * time.Second, 900 * time.Second}},
		{"long", llm.Config{}, false, 4 * 60_000, limits{1800 * time.Second, 240 * time.Second, 240 * time.Second}},
		{"longer", llm.Config{}, false, 4 * 120_000, limits{1800 * time.Second, 300 * time.Second, 300 * time.Second}},
		{"a model that thinks", llm.Config{Model: "deepseek/deepseek-reasoner"}, false, 1000, limits{1800 * time.Second, 600 * time.Second, 600 * time.Second}},
		{"the user's", llm.Config{Model: "o3", StaleTimeout: time.Second, ReadTimeout: 2 * time.Second, Timeout: -1}, false, 4 * 120_000, limits{-1, 2 * time.Second, time.Second}},
	} {
		if got := limitsFor(tc.cfg, tc.local, tc.size); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestKeysAreNeverRepeated(t *testing.T) {
	c := NewCaller(llm.Config{APIKey: "sk-secret-0000", Headers: map[string]string{"X-Api-Key": "other-secret-1", "X-Title": "application"}}, http.Header{})
	if got := c.Clean("key sk-secret-0000, other-secret-1 of application"); got != "key ***, *** of application" {
		t.Error(got)
	}
}

// Whatever an error body holds, its reading ends and names no key.
func FuzzFault(f *testing.F) {
	f.Add(`{"error":{"message":"{\"error\":{\"message\":\"sk-secret-0000\"}}","metadata":{"raw":"[]"}}}`)
	f.Add(`[{"error":null}]`)
	f.Add(`{"detail":[{"loc":[1],"msg":null}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		c := NewCaller(llm.Config{APIKey: "sk-secret-0000"}, http.Header{})
		e := classify(400, readFault([]byte(s)))
		if got := c.Clean(readFault([]byte(s)).text); strings.Contains(got, "sk-secret-0000") {
			t.Errorf("%q shows the key", got)
		}
		_ = refusal(e, []string{"tools", "max_tokens"})
		_ = c.Fault([]byte(s), false)
	})
}
