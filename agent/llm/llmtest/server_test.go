package llmtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func post(t *testing.T, s *Server, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, string(data) + " <" + err.Error() + ">"
	}
	return resp.StatusCode, string(data)
}

func TestScriptsInTheLanguageOfTheObservations(t *testing.T) {
	script, err := ParseScript([]byte(`{"aux": {"text": "aux"}, "once": true, "steps": [
		{"text": "hello world", "chunk_chars": 6, "no_usage": true},
		{"tool_calls": [{"id": "c1", "name": "x", "arguments": {"a": 1}}, {"name": "y", "arguments": "{broken"}]},
		{"status": 429, "headers": {"Retry-After": "1"}},
		{"text": "cut here", "chunk_chars": 3, "cut_after": 2},
		{"raw_chunks": ["data: {}\n\n"]}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Start(script)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	stream := `{"model":"m","stream":true,"stream_options":{"include_usage":true},"tools":[{}]}`
	for i, want := range []struct {
		status int
		parts  []string
	}{
		{200, []string{`"content":"hello "`, `"content":"world"`, `"finish_reason":"stop"`, "data: [DONE]"}},
		{200, []string{`"name":"x"`, `{\"a\": 1}`, `{broken`, `"finish_reason":"tool_calls"`, `"total_tokens"`}},
		{429, []string{`"mock error 429"`}},
		{200, []string{`"content":"cut"`, "<unexpected EOF>"}},
		{200, []string{"data: {}"}},
		{500, []string{"script exhausted"}},
	} {
		status, got := post(t, s, stream)
		if status != want.status {
			t.Errorf("step %d: status %d", i, status)
		}
		for _, p := range want.parts {
			if !strings.Contains(strings.ReplaceAll(got, `","`, `","`), p) && !strings.Contains(joinArgs(got), p) {
				t.Errorf("step %d: lacks %s in %s", i, p, got)
			}
		}
	}
	if _, got := post(t, s, `{"model":"m"}`); !strings.Contains(got, `"content":"aux"`) {
		t.Errorf("without tools: %s", got)
	}
	if n := len(s.Requests()); n != 7 {
		t.Errorf("%d requests recorded", n)
	}
}

// joinArgs puts the pieces of streamed arguments together.
func joinArgs(body string) string {
	var b strings.Builder
	for _, line := range strings.Split(body, "\n") {
		var e struct {
			Choices []struct {
				Delta struct {
					Calls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
				}
			}
		}
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &e) != nil {
			continue
		}
		for _, c := range e.Choices {
			for _, k := range c.Delta.Calls {
				quoted, err := json.Marshal(k.Function.Arguments)
				if err != nil {
					continue
				}
				b.Write(quoted[1 : len(quoted)-1])
			}
		}
	}
	return b.String()
}

func TestGatesAndWaits(t *testing.T) {
	wait, gate := make(chan struct{}), make(chan struct{})
	s, err := New(Step{Text: "abc", ChunkChars: 1, Wait: wait, Gate: gate})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	done := make(chan string, 1)
	go func() {
		_, got := post(t, s, `{"stream":true}`)
		done <- got
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := s.WaitRequests(ctx, 1); err != nil {
		t.Fatal(err)
	}
	select {
	case got := <-done:
		t.Fatalf("answered before it was let go: %s", got)
	default:
	}
	close(wait)
	gate <- struct{}{}
	close(gate)
	if got := <-done; !strings.Contains(got, `"content":"c"`) {
		t.Errorf("got %s", got)
	}
}

func TestCloseEndsAHeldAnswer(t *testing.T) {
	s, err := New(Step{Wait: make(chan struct{})})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		post(t, s, `{"stream":true}`)
		close(done)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, err := s.WaitRequests(ctx, 1); err != nil {
		t.Fatal(err)
	}
	s.Close()
	<-done
}

func TestBadScript(t *testing.T) {
	if _, err := ParseScript([]byte(`{"steps": 5}`)); err == nil || !strings.Contains(err.Error(), "read script") {
		t.Errorf("got %v", err)
	}
}
