package cases

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func ask(t *testing.T, s *service, body string) (int, string, string) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Post("http://127.0.0.1:"+strconv.Itoa(s.port)+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Content-Type"), string(b)
}

func TestService(t *testing.T) {
	s, err := startService()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if status, _, body := ask(t, s, "{}"); status != 503 || !strings.Contains(body, "no script") {
		t.Error(status, body)
	}
	var script Script
	if err := json.Unmarshal([]byte(`{"steps": [
		{}, {"status": 429, "json": {"error": 1}, "headers": {"Retry-After": "1"}}, {"status": 502, "text": "<html>", "ctype": "text/html"},
		{"chunks": [": note", 0.001, {"times": 2, "chunk": {"choices": [{"delta": {"content": "ab"}}]}},
			{"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]}], "nl": "\r\n", "done": false},
		{"raw": ["data: x\n\n", 0.001, "cut"], "ctype": "text/plain"}
	]}`), &script); err != nil {
		t.Fatal(err)
	}
	s.steps = script.Steps
	if status, _, body := ask(t, s, "{}"); status != 429 || body != `{"error": 1}` {
		t.Error(status, body)
	}
	if status, ctype, body := ask(t, s, "{}"); status != 502 || ctype != "text/html" || body != "<html>" {
		t.Error(status, ctype, body)
	}
	want := ": note\r\n\r\n" + strings.Repeat(`data: {"choices":[{"delta":{"content":"ab"}}]}`+"\r\n\r\n", 2) +
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}` + "\r\n\r\n"
	if _, ctype, body := ask(t, s, `{"stream": true}`); ctype != "text/event-stream" || body != want {
		t.Errorf("%s\n%q\nwant\n%q", ctype, body, want)
	}
	for range 2 { // the last step repeats
		if _, ctype, body := ask(t, s, `{"stream": true}`); ctype != "text/plain" || body != "data: x\n\ncut" {
			t.Errorf("%s %q", ctype, body)
		}
	}
	v, err := parse(whole(script.Steps[3].Chunks))
	if err != nil {
		t.Fatal(err)
	}
	if got := textOf(locate(v, "/choices/0/message/content")); got != "abab" {
		t.Errorf("the whole answer says %q", got)
	}
	if got := textOf(locate(v, "/choices/0/message/tool_calls/0/function/arguments")); got != "{}" {
		t.Errorf("the whole answer calls with %q", got)
	}
	if n := len(s.requests()); n != 6 {
		t.Errorf("%d requests were kept", n)
	}
}

func TestLayOut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "C001.json")
	if err := os.WriteFile(path, []byte(`{"id": "C001", "drive": [{"do": "load"}], "expect": [{"at": "/alive", "op": "is_true", "level": "must"}],
		"enable": ["p"], "config": {"plugins": {"x": "{{HOME}}"}, "display": {"skin": "mono"}},
		"home": [{"path": "a/b.txt", "text": "{{PORT}} {{WORK}}", "mode": "600"}, {"path": "link", "symlink": "a/b.txt"}],
		"work": [{"path": "n", "repeat": {"before": "<", "text": "xy", "times": 3, "after": ">"}}],
		"beside": [{"path": "z", "base64": "/w=="}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	at := placeAt(filepath.Join(dir, "base"))
	c, err := Load(path, at.vars(81, "py"))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.layOut(at, 81); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(at.home, "link"): "81 " + at.work, filepath.Join(at.work, "n"): "<xyxyxy>", filepath.Join(at.base, "z"): "\xff",
	} {
		if data, err := os.ReadFile(name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(at.home, "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string]string{
		"/plugins/enabled": `["p"]`, "/plugins/x": at.home, "/model/base_url": "http://127.0.0.1:81/v1", "/security/tirith_enabled": "false", "/display/skin": "mono",
	} {
		if got := textOf(locate(v, pointer)); got != want {
			t.Errorf("%s: %s, want %s", pointer, got, want)
		}
	}
	if _, err := Find(dir); err != nil {
		t.Error(err)
	}
	if _, err := Find(t.TempDir()); err == nil {
		t.Error("a folder without cases is no error")
	}
}
