package openai

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serve(t *testing.T, cfg Config, steps ...llmtest.Step) (*Client, *llmtest.Server) {
	t.Helper()
	srv, err := llmtest.New(steps...)
	if err != nil {
		t.Fatal(err)
	}
	cfg.BaseURL = srv.URL
	if cfg.Model == "" {
		cfg.Model = "mock-model"
	}
	cfg.HTTP = NewHTTP()
	t.Cleanup(func() {
		srv.Close()
		cfg.HTTP.CloseIdleConnections()
	})
	return New(cfg), srv
}

// ask sends one user message and returns what streamed beside the answer.
func ask(t *testing.T, c *Client) (resp *llm.Response, text, thought string, err error) {
	t.Helper()
	resp, err = c.Stream(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "go"}}}, func(d llm.Delta) {
		if d.Kind == llm.DeltaReasoning {
			thought += d.Text
		} else {
			text += d.Text
		}
	})
	return resp, text, thought, err
}

func chunkOf(choice string) string {
	return `data: {"id":"r","object":"chat.completion.chunk","model":"m","choices":[` + choice + `]}` + "\n\n"
}

func delta(d string) string { return chunkOf(`{"index":0,"delta":` + d + `,"finish_reason":null}`) }

func finish(r string) string { return chunkOf(`{"index":0,"delta":{},"finish_reason":"` + r + `"}`) }

func TestAnswersAsServicesReallyGiveThem(t *testing.T) {
	call := func(s string) string { return delta(`{"role":"assistant","content":null,"tool_calls":[` + s + `]}`) }
	echo := func(args string) string { return `"function":{"name":"echo","arguments":` + args + `}` }
	for _, tc := range []struct {
		name  string
		raw   []string
		ctype string
		text  string
		think string
		calls string // id name arguments; …
		fin   string
	}{
		{name: "plain", raw: []string{delta(`{"role":"assistant","content":"Hel"}`), delta(`{"content":"lo"}`), finish("stop"), "data: [DONE]\n\n"}, text: "Hello", fin: "stop"},
		{name: "no [DONE]", raw: []string{delta(`{"content":"ok"}`), finish("stop")}, text: "ok", fin: "stop"},
		{name: "no finish reason but [DONE]", raw: []string{delta(`{"content":"ok"}`), "data: [DONE]\n\n"}, text: "ok", fin: "stop"},
		{name: "comments, CRLF, no blank after data:", raw: []string{": PROCESSING\r\n\r\n", "event: message\r\ndata:" + strings.TrimPrefix(strings.TrimSpace(delta(`{"content":"ok"}`)), "data: ") + "\r\n\r\n", "id: 7\r\nretry: 10\r\n" + strings.ReplaceAll(finish("stop"), "\n", "\r\n"), "data: [DONE]\r\n\r\n"}, text: "ok", fin: "stop"},
		{name: "null choices, null delta, unknown fields", raw: []string{`data: {"choices":null}` + "\n\n", delta(`null`), delta(`{"content":"ok","x_vendor":{"a":1}}`), finish("stop")}, text: "ok", fin: "stop"},
		{name: "one broken event among good ones", raw: []string{delta(`{"content":"o"}`), "data: {broken\n\n", delta(`{"content":"k"}`), finish("stop")}, text: "ok", fin: "stop"},
		{name: "content as parts", raw: []string{delta(`{"content":[{"type":"text","text":"o"},{"type":"text","text":"k"}]}`), finish("stop")}, text: "ok", fin: "stop"},
		{name: "a document instead of a stream", ctype: "application/json", raw: []string{`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`}, text: "ok", fin: "stop"},
		{name: "a document with calls under the wrong type", raw: []string{"\n", `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"a","function":{"name":"echo","arguments":{"x":1}}}]},"finish_reason":"stop"}]}`}, calls: `a echo {"x":1}`, fin: "tool_calls"},
		{name: "lines of JSON without framing", raw: []string{`{"choices":[{"delta":{"content":"o"}}]}` + "\n", `{"choices":[{"delta":{"content":"k"},"finish_reason":"stop"}]}` + "\n"}, text: "ok", fin: "stop"},
		{name: "think tags cut anywhere", raw: []string{delta(`{"content":"<thi"}`), delta(`{"content":"nk>plan</th"}`), delta(`{"content":"ink>done"}`), finish("stop")}, text: "done", think: "plan", fin: "stop"},
		{name: "reasoning_content", raw: []string{delta(`{"reasoning_content":"hm"}`), delta(`{"content":"ok"}`), finish("stop")}, text: "ok", think: "hm", fin: "stop"},
		{name: "reasoning", raw: []string{delta(`{"reasoning":"hm","content":""}`), delta(`{"content":"ok"}`), finish("stop")}, text: "ok", think: "hm", fin: "stop"},
		{name: "arguments one character at a time", raw: []string{call(`{"index":0,"id":"a",` + echo(`""`) + `}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":"}}]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"\"😀\"}"}}]}`), finish("tool_calls")}, calls: `a echo {"x":"😀"}`, fin: "tool_calls"},
		{name: "name and id in every fragment", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{\"x\""`) + `}`), call(`{"index":0,"id":"a",` + echo(`":1}"`) + `}`), finish("tool_calls")}, calls: `a echo {"x":1}`, fin: "tool_calls"},
		{name: "no index, told apart by id", raw: []string{call(`{"id":"a",` + echo(`"{\"x\":1}"`) + `},{"id":"b",` + echo(`"{\"x\":2}"`) + `}`), finish("tool_calls")}, calls: `a echo {"x":1}; b echo {"x":2}`, fin: "tool_calls"},
		{name: "one index for all, told apart by id", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{\"x\":1}"`) + `}`), call(`{"index":0,"id":"b",` + echo(`"{\"x\":2}"`) + `}`), finish("tool_calls")}, calls: `a echo {"x":1}; b echo {"x":2}`, fin: "tool_calls"},
		{name: "neither index nor id", raw: []string{call(`{` + echo(`"{\"x\":1}"`) + `}`), call(`{` + echo(`"{\"x\":2}"`) + `}`), finish("tool_calls")}, calls: ` echo {"x":1};  echo {"x":2}`, fin: "tool_calls"},
		{name: "an id that changes with every fragment", raw: []string{call(`{"id":"a",` + echo(`""`) + `}`), delta(`{"tool_calls":[{"id":"b","function":{"arguments":"{}"}}]}`), finish("tool_calls")}, calls: `a echo {}`, fin: "tool_calls"},
		{name: "the same id twice", raw: []string{call(`{"index":0,"id":"d",` + echo(`"{\"x\":1}"`) + `},{"index":1,"id":"d",` + echo(`"{\"x\":2}"`) + `}`), finish("tool_calls")}, calls: `d echo {"x":1}; d echo {"x":2}`, fin: "tool_calls"},
		{name: "arguments as an object", raw: []string{call(`{"index":0,"id":"a",` + echo(`{"x":1}`) + `}`), finish("tool_calls")}, calls: `a echo {"x":1}`, fin: "tool_calls"},
		{name: "arguments null", raw: []string{call(`{"index":0,"id":"a",` + echo(`null`) + `}`), finish("tool_calls")}, calls: `a echo `, fin: "tool_calls"},
		{name: "an empty object sent ahead", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{}"`) + `}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1}"}}]}`), finish("tool_calls")}, calls: `a echo {"x":1}`, fin: "tool_calls"},
		{name: "two calls run together", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{\"x\":1}{\"x\":2}"`) + `}`), finish("tool_calls")}, calls: `a echo {"x":1};  echo {"x":2}`, fin: "tool_calls"},
		{name: "the whole arguments again at the end", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{\"x\""`) + `}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1}"}}]}`), finish("tool_calls")}, calls: `a echo {"x":1}`, fin: "tool_calls"},
		{name: "arguments that grow", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{\"x\""`) + `}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1"}}]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"x\":1}"}}]}`), finish("tool_calls")}, calls: `a echo {"x":1}`, fin: "tool_calls"},
		{name: "interleaved", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{\"x\""`) + `},{"index":1,"id":"b",` + echo(`"{\"y\""`) + `}`), delta(`{"tool_calls":[{"index":1,"function":{"arguments":":2}"}}]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}`), finish("tool_calls")}, calls: `a echo {"x":1}; b echo {"y":2}`, fin: "tool_calls"},
		{name: "a name in pieces", raw: []string{call(`{"index":0,"id":"a","function":{"name":"ec","arguments":""}}`), delta(`{"tool_calls":[{"index":0,"function":{"name":"ho","arguments":"{}"}}]}`), finish("tool_calls")}, calls: `a echo {}`, fin: "tool_calls"},
		{name: "calls announced, none made", raw: []string{delta(`{"content":"ok"}`), finish("tool_calls")}, text: "ok", fin: "stop"},
		{name: "a byte order mark", raw: []string{"\ufeff" + delta(`{"content":"ok"}`), finish("stop")}, text: "ok", fin: "stop"},
		{name: "a document behind data:", ctype: "application/json", raw: []string{`data: {"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}` + "\n"}, text: "ok", fin: "stop"},
		{name: "the connection breaks after the last word", raw: []string{delta(`{"content":"ok"}`), chunkOf(`{"index":0,"delta":{},"finish_reason":"stop"}`)}, text: "ok", fin: "stop"},
		{name: "the old function_call", raw: []string{delta(`{"function_call":{"name":"echo","arguments":"{}"}}`), finish("function_call")}, calls: ` echo {}`, fin: "tool_calls"},
		{name: "stop although there are calls", raw: []string{call(`{"index":0,"id":"a",` + echo(`"{}"`) + `}`), finish("stop")}, calls: `a echo {}`, fin: "tool_calls"},
		{name: "cut by the output limit", raw: []string{delta(`{"content":"half"}`), finish("length")}, text: "half", fin: "length"},
		{name: "a refusal", raw: []string{delta(`{"refusal":"no"}`), finish("stop")}, text: "no", fin: "content_filter"},
		{name: "another candidate is ignored", raw: []string{chunkOf(`{"index":1,"delta":{"content":"bad"}},{"index":0,"delta":{"content":"ok"}}`), finish("stop")}, text: "ok", fin: "stop"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, _ := serve(t, Config{}, llmtest.Step{RawChunks: tc.raw, ContentType: tc.ctype})
			resp, text, thought, err := ask(t, c)
			if err != nil {
				t.Fatal(err)
			}
			var calls []string
			for _, k := range resp.Message.ToolCalls {
				calls = append(calls, k.ID+" "+k.Name+" "+k.Arguments)
			}
			if got := strings.Join(calls, "; "); got != tc.calls {
				t.Errorf("calls %q, want %q", got, tc.calls)
			}
			if resp.Message.Content != tc.text || resp.Message.Reasoning != tc.think || resp.FinishReason != tc.fin {
				t.Errorf("text %q, thought %q, finish %q; want %q, %q, %q", resp.Message.Content, resp.Message.Reasoning, resp.FinishReason, tc.text, tc.think, tc.fin)
			}
			if tc.fin != "content_filter" && (text != tc.text || thought != tc.think) {
				t.Errorf("streamed text %q, thought %q; want %q, %q", text, thought, tc.text, tc.think)
			}
		})
	}
}

func TestFailuresByKind(t *testing.T) {
	body := func(s string) json.RawMessage { return json.RawMessage(s) }
	one := 2
	for _, tc := range []struct {
		name  string
		step  llmtest.Step
		kind  llm.ErrorKind
		retry bool
		msg   string
		limit int
	}{
		{"401 that repeats the key", llmtest.Step{Status: 401, Body: body(`{"error":{"message":"Your api key: sk-test-000000 is invalid"}}`)}, llm.ErrAuth, false, "HTTP 401: Your api key: *** is invalid", 0},
		{"402", llmtest.Step{Status: 402, Body: body(`{"error":{"message":"Insufficient Balance"}}`)}, llm.ErrBilling, false, "HTTP 402: Insufficient Balance", 0},
		{"404", llmtest.Step{Status: 404, Body: body(`{"error":{"message":"model not found"}}`)}, llm.ErrNotFound, false, "HTTP 404: model not found", 0},
		{"400", llmtest.Step{Status: 400, Body: body(`{"error":{"message":"bad request xyz"}}`)}, llm.ErrFormat, false, "HTTP 400: bad request xyz", 0},
		{"context", llmtest.Step{Status: 400, Body: body(`{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9000"}}`)}, llm.ErrContextOverflow, false, "HTTP 400: This model's maximum context length is 8192 tokens. However, you requested 9000", 8192},
		{"output cap", llmtest.Step{Status: 400, Body: body(`{"error":{"message":"max_tokens is too large: 65536. This model supports at most 16384 completion tokens"}}`)}, llm.ErrOutputCap, false, "HTTP 400: max_tokens is too large: 65536. This model supports at most 16384 completion tokens", 16384},
		{"413", llmtest.Step{Status: 413, Body: body(`{"error":"too large"}`)}, llm.ErrTooLarge, false, "HTTP 413: too large", 0},
		{"429", llmtest.Step{Status: 429, Body: body(`{"error":{"message":"slow down"}}`)}, llm.ErrRateLimit, true, "HTTP 429: slow down", 0},
		{"429 without credit", llmtest.Step{Status: 429, Body: body(`{"error":{"message":"You exceeded your current quota"}}`)}, llm.ErrBilling, false, "HTTP 429: You exceeded your current quota", 0},
		{"500", llmtest.Step{Status: 500}, llm.ErrServer, true, "HTTP 500: mock error 500", 0},
		{"502 with a page", llmtest.Step{Status: 502, Body: body(`"<html><head><title>502 Bad Gateway</title></head><body><center>x</center></body></html>"`), ContentType: "text/html"}, llm.ErrServer, true, "HTTP 502: 502 Bad Gateway", 0},
		{"503", llmtest.Step{Status: 503, Body: body(`{"detail":"busy"}`)}, llm.ErrOverloaded, true, "HTTP 503: busy", 0},
		{"an error inside the stream", llmtest.Step{RawChunks: []string{`data: {"error":{"message":"boom"}}` + "\n\n"}}, llm.ErrServer, true, "boom", 0},
		{"an error inside the stream with a status", llmtest.Step{RawChunks: []string{`data: {"error":{"message":"slow","code":429}}` + "\n\n"}}, llm.ErrRateLimit, true, "HTTP 429: slow", 0},
		{"an error without framing", llmtest.Step{RawChunks: []string{"data: {\"choices\":[]}\n\n", `{"error":"boom"}` + "\n"}}, llm.ErrServer, true, "boom", 0},
		{"a page with 200", llmtest.Step{ContentType: "text/html", RawChunks: []string{"<html><title>Login</title></html>"}}, llm.ErrServer, true, "answered with a web page (Login)", 0},
		{"nothing at all", llmtest.Step{RawChunks: []string{}}, llm.ErrCut, true, "closed the connection", 0},
		{"garbage", llmtest.Step{RawChunks: []string{"data: \x00\xff\n\n", "data: }{\n\n"}}, llm.ErrServer, true, "no readable answer", 0},
		{"cut before any text", llmtest.Step{Text: "never", CutAfter: new(int)}, llm.ErrConnection, true, "cannot reach", 0},
		{"cut after text", llmtest.Step{Text: "some text here", CutAfter: &one}, llm.ErrCut, true, "broke off", 0},
		{"cut tidily", llmtest.Step{RawChunks: []string{delta(`{"content":"half"}`)}}, llm.ErrCut, true, "broke off", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, _ := serve(t, Config{APIKey: "sk-test-000000"}, tc.step)
			resp, text, _, err := ask(t, c)
			var e *llm.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want *llm.Error", err)
			}
			if e.Kind != tc.kind && !(tc.kind == llm.ErrConnection && e.Kind == llm.ErrCut) || e.Retryable != tc.retry || e.Limit != tc.limit {
				t.Errorf("kind %d, retryable %v, limit %d; want %d, %v, %d", e.Kind, e.Retryable, e.Limit, tc.kind, tc.retry, tc.limit)
			}
			if got := e.Error(); !strings.Contains(got, tc.msg) && tc.kind != llm.ErrConnection {
				t.Errorf("message %q, want %q", got, tc.msg)
			}
			if e.Partial != (text != "") || text != "" && (resp == nil || resp.Message.Content != text) {
				t.Errorf("partial %v with text %q, response %+v", e.Partial, text, resp)
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	srv, err := llmtest.New()
	if err != nil {
		t.Fatal(err)
	}
	srv.Close()
	_, _, _, err = ask(t, New(Config{BaseURL: srv.URL, Model: "m"}))
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.ErrConnection || !e.Retryable || !strings.Contains(e.Message, srv.URL) || !strings.Contains(e.Message, "refused") {
		t.Errorf("got %v", err)
	}
}

func TestSilenceIsNoticed(t *testing.T) {
	never := make(chan struct{})
	c, _ := serve(t, Config{ReadTimeout: 30 * time.Millisecond}, llmtest.Step{Wait: never})
	_, _, _, err := ask(t, c)
	var e *llm.Error
	if !errors.As(err, &e) || !e.Retryable || e.Kind != llm.ErrConnection {
		t.Errorf("got %v", err)
	}
	c, _ = serve(t, Config{StaleTimeout: 30 * time.Millisecond}, llmtest.Step{Text: "some text", Gate: never})
	if _, _, _, err = ask(t, c); !errors.As(err, &e) || !strings.Contains(e.Message, "stopped sending") {
		t.Errorf("got %v", err)
	}
}

// A service that never stops sending is stopped, and not asked again.
func TestEndlessAnswersAreStopped(t *testing.T) {
	piece := delta(`{"content":"` + strings.Repeat("x", 1<<20) + `"}`)
	call := delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"echo","arguments":"` + strings.Repeat("x", 1<<20) + `"}}]}`)
	for name, chunk := range map[string]string{"text": piece, "arguments": call} {
		raw := make([]string, 20)
		for i := range raw {
			raw[i] = chunk
		}
		c, _ := serve(t, Config{}, llmtest.Step{RawChunks: raw})
		_, text, _, err := ask(t, c)
		var e *llm.Error
		if !errors.As(err, &e) || e.Retryable || !strings.Contains(e.Message, "stopped at 16 MiB") {
			t.Errorf("%s: got %v", name, err)
		}
		if len(text) > 16<<20 {
			t.Errorf("%s: %d bytes were shown", name, len(text))
		}
	}
}

// What surrounds the tokens does not count: a long answer in small pieces is one.
func TestLongAnswersInSmallPiecesAreWhole(t *testing.T) {
	raw := make([]string, 45_000)
	for i := range raw {
		raw[i] = `data: {"id":"r","pad":"` + strings.Repeat("p", 380) + `","choices":[{"index":0,"delta":{"content":"a"}}]}` + "\n\n"
	}
	c, _ := serve(t, Config{}, llmtest.Step{RawChunks: append(raw, finish("stop"))})
	if _, text, _, err := ask(t, c); err != nil || len(text) != 45_000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestCancelKeepsThePart(t *testing.T) {
	gate := make(chan struct{})
	c, _ := serve(t, Config{}, llmtest.Step{Text: "0123456789abcdef", ChunkChars: 4, Gate: gate})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { gate <- struct{}{} }()
	resp, err := c.Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "go"}}}, func(d llm.Delta) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if resp == nil || resp.Message.Content != "0123" {
		t.Errorf("part %+v", resp)
	}
}

func TestConnectionsAreKept(t *testing.T) {
	c, srv := serve(t, Config{}, llmtest.Step{Text: "one", HangMs: 5}, llmtest.Step{Text: "two", NoDone: true}, llmtest.Step{Status: 500}, llmtest.Say("four"))
	c.caller.Drain = time.Minute // a busy machine may take longer than the client would wait
	for range 4 {
		_, _, _, _ = ask(t, c) // the third fails, as it should
	}
	if n := srv.Conns(); n != 1 {
		t.Errorf("%d connections for four requests", n)
	}
}

func TestUsage(t *testing.T) {
	for name, tc := range map[string]struct {
		usage string
		want  llm.Usage
	}{
		"OpenAI":    {`{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":3}}`, llm.Usage{In: 40, Out: 7, CacheRead: 60, Reasoning: 3}},
		"DeepSeek":  {`{"prompt_tokens":100,"completion_tokens":7,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`, llm.Usage{In: 36, Out: 7, CacheRead: 64}},
		"Anthropic": {`{"prompt_tokens":100,"completion_tokens":7,"cache_read_input_tokens":10,"cache_creation_input_tokens":20}`, llm.Usage{In: 70, Out: 7, CacheRead: 10, CacheWrite: 20}},
		"nonsense":  {`{"prompt_tokens":"many","completion_tokens":7,"prompt_tokens_details":[]}`, llm.Usage{Out: 7}},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := serve(t, Config{}, llmtest.Step{Text: "x", Usage: json.RawMessage(tc.usage)})
			resp, _, _, err := ask(t, c)
			if err != nil || resp.Usage == nil || *resp.Usage != tc.want {
				t.Errorf("%+v, %v", resp, err)
			}
		})
	}
}

func TestModels(t *testing.T) {
	c, _ := serve(t, Config{})
	got, err := c.Models(t.Context())
	if err != nil || len(got) != 1 || got[0] != (llm.ModelInfo{ID: "mock-model", Window: 131072}) {
		t.Errorf("%v, %v", got, err)
	}
}

// Whatever a service streams, reading it ends without a panic, and the text
// that was streamed is in the answer.
func FuzzStream(f *testing.F) {
	f.Add(delta(`{"content":"a"}`) + finish("stop"))
	f.Add(`data: {"choices":[{"delta":{"tool_calls":[{"index":null,"id":1,"function":{"arguments":[]}}]}}]}` + "\n\n")
	f.Add(`{"error":{"message":null,"code":null}}`)
	f.Add(`data: {"choices":[{"delta":{"reasoning_details":[{"index":0,"type":"t","text":"x"},{"index":0,"type":"t","text":"y"}]}}],"usage":{}}`)
	f.Fuzz(func(t *testing.T, s string) {
		c := New(Config{BaseURL: "http://x/v1"})
		a := newAssembly([]llm.ToolDef{{Name: "echo"}}, nil)
		for _, line := range strings.Split(s, "\n") {
			_ = a.add([]byte(strings.TrimPrefix(line, "data: "))) // broken lines are expected
		}
		_ = c.failure(a)
		if r := a.finish(); r.Message.ReasoningDetails != nil && !json.Valid(r.Message.ReasoningDetails) {
			t.Errorf("details are not JSON: %s", r.Message.ReasoningDetails)
		}
	})
}
