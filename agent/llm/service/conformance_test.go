package service

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
	"hermes/agent/locale"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var modes = []string{llm.ModeChat, llm.ModeAnthropic, llm.ModeResponses}

// each runs a test against every protocol.
func each(t *testing.T, cfg llm.Config, steps []llmtest.Step, test func(t *testing.T, c Client, srv *llmtest.Server)) {
	t.Helper()
	for _, mode := range modes {
		t.Run(mode, func(t *testing.T) {
			srv, err := llmtest.New(steps...)
			if err != nil {
				t.Fatal(err)
			}
			cfg := cfg
			cfg.APIMode, cfg.BaseURL = mode, srv.URL
			if cfg.Model == "" {
				cfg.Model = "gpt-5-mock" // thinks, so that Responses asks for its thoughts
			}
			if cfg.HTTP, err = NewHTTP(TLS{}); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				srv.Close()
				cfg.HTTP.CloseIdleConnections()
			})
			test(t, New(cfg), srv)
		})
	}
}

var weather = llm.ToolDef{Name: "get_weather", Description: "Weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}

func request() llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleSystem, Content: "Be brief."}, {Role: llm.RoleUser, Content: "go"}}, Tools: []llm.ToolDef{weather}, Session: "s1"}
}

// ask sends r and returns what streamed beside the answer.
func ask(t *testing.T, c Client, r llm.Request) (resp *llm.Response, text, thought string, err error) {
	t.Helper()
	resp, err = c.Stream(t.Context(), r, func(d llm.Delta) {
		if d.Kind == llm.DeltaReasoning {
			thought += d.Text
		} else {
			text += d.Text
		}
	})
	return resp, text, thought, err
}

func calls(m llm.Message) string {
	var out []string
	for _, c := range m.ToolCalls {
		out = append(out, c.ID+" "+c.Name+" "+c.Arguments)
	}
	return strings.Join(out, "; ")
}

func TestAnswers(t *testing.T) {
	for _, tc := range []struct {
		name  string
		step  llmtest.Step
		text  string
		think string
		calls string
		fin   string
	}{
		{"text", llmtest.Say("Hello, 世界"), "Hello, 世界", "", "", "stop"},
		{"thoughts", llmtest.Step{Reasoning: "hmm, so", Text: "yes"}, "yes", "hmm, so", "", "stop"},
		{"thoughts in tags", llmtest.Step{Text: "<think>plan</think>done", ChunkChars: 3}, "done", "plan", "", "stop"},
		{"one call", llmtest.Use("c1", "get_weather", `{"city":"Paris"}`), "", "", `c1 get_weather {"city":"Paris"}`, "tool_calls"},
		{"text and two calls", llmtest.Step{Text: "Checking.", ToolCalls: []llmtest.Call{llmtest.NewCall("a", "get_weather", `{"city":"Paris"}`), llmtest.NewCall("b", "get_weather", `{"city":"Rome"}`)}}, "Checking.", "", `a get_weather {"city":"Paris"}; b get_weather {"city":"Rome"}`, "tool_calls"},
		{"arguments cut by the limit", llmtest.Step{ToolCalls: []llmtest.Call{llmtest.NewCall("a", "get_weather", `{"city":"Par`)}, FinishReason: "length"}, "", "", `a get_weather {"city":"Par`, "length"},
		{"text cut by the limit", llmtest.Step{Text: "half", FinishReason: "length"}, "half", "", "", "length"},
		{"a call between markers", llmtest.Step{Text: "So.\n<tool_call>{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Paris\"}}</tool_call>", ChunkChars: 2}, "So.", "", ` get_weather {"city":"Paris"}`, "tool_calls"},
		{"no usage, no end mark", llmtest.Step{Text: "ok", NoUsage: true}, "ok", "", "", "stop"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			each(t, llm.Config{}, []llmtest.Step{tc.step}, func(t *testing.T, c Client, _ *llmtest.Server) {
				resp, text, thought, err := ask(t, c, request())
				if err != nil {
					t.Fatal(err)
				}
				m := resp.Message
				if m.Content != tc.text || m.Reasoning != tc.think || calls(m) != tc.calls || resp.FinishReason != tc.fin {
					t.Errorf("text %q, thought %q, calls %q, finish %q", m.Content, m.Reasoning, calls(m), resp.FinishReason)
				}
				if strings.TrimSpace(text) != tc.text || thought != tc.think {
					t.Errorf("streamed text %q, thought %q", text, thought)
				}
				if !tc.step.NoUsage && (resp.Usage == nil || resp.Usage.In != 1000) {
					t.Errorf("usage %+v", resp.Usage)
				}
			})
		})
	}
}

func TestDocumentsAndOddBodies(t *testing.T) {
	each(t, llm.Config{}, []llmtest.Step{{Text: "plain", ToolCalls: []llmtest.Call{llmtest.NewCall("a", "get_weather", `{"city":"x"}`)}}}, func(t *testing.T, c Client, _ *llmtest.Server) {
		r := request()
		r.Plain = true
		resp, text, _, err := ask(t, c, r)
		if err != nil || resp.Message.Content != "plain" || text != "plain" || calls(resp.Message) != `a get_weather {"city":"x"}` {
			t.Fatalf("%+v, %q, %v", resp, text, err)
		}
	})
	page := llmtest.Step{ContentType: "text/html", RawChunks: []string{"<html><head><title>Sign in</title></head></html>"}}
	each(t, llm.Config{}, []llmtest.Step{page}, func(t *testing.T, c Client, _ *llmtest.Server) {
		_, _, _, err := ask(t, c, request())
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.ErrServer || !strings.Contains(e.Message, "Sign in") || strings.Contains(e.Message, "<") {
			t.Fatalf("%v", err)
		}
	})
}

// A body that is compressed although nobody asked for it is read all the same.
func TestCompressedBody(t *testing.T) {
	for _, mode := range modes {
		doc := map[string]string{
			llm.ModeChat:      `{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`,
			llm.ModeAnthropic: `{"type":"message","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn"}`,
			llm.ModeResponses: `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"ok"}]}]}`,
		}[mode]
		handler := func(w http.ResponseWriter, _ *http.Request) {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			_, _ = z.Write([]byte(doc)) // a buffer never fails
			_ = z.Close()
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(b.Bytes()) // the client may be gone
		}
		srv, err := llmtest.New(llmtest.Step{Handler: handler})
		if err != nil {
			t.Fatal(err)
		}
		h, err := NewHTTP(TLS{})
		if err != nil {
			t.Fatal(err)
		}
		resp, _, _, err := ask(t, New(llm.Config{APIMode: mode, BaseURL: srv.URL, Model: "m", HTTP: h}), request())
		if err != nil || resp.Message.Content != "ok" {
			t.Errorf("%s: %+v, %v", mode, resp, err)
		}
		srv.Close()
		h.CloseIdleConnections()
	}
}

func TestFailures(t *testing.T) {
	three := 3
	for _, tc := range []struct {
		name  string
		step  llmtest.Step
		kind  llm.ErrorKind
		retry bool
		msg   string
	}{
		{"401 that repeats the key", llmtest.Step{Status: 401, Body: json.RawMessage(`{"error":{"message":"Your api key: sk-test-000000 is invalid"}}`)}, llm.ErrAuth, false, "HTTP 401: Your api key: *** is invalid"},
		{"an error as JSON in a text", llmtest.Step{Status: 400, Body: json.RawMessage(`{"error":{"message":"{\"error\":{\"message\":\"deep inside\",\"code\":\"x\"}}"}}`)}, llm.ErrFormat, false, "HTTP 400: deep inside"},
		{"an error in a list", llmtest.Step{Status: 400, Body: json.RawMessage(`[{"error":{"code":400,"message":"API key not valid","status":"INVALID_ARGUMENT"}}]`)}, llm.ErrFormat, false, "HTTP 400: API key not valid"},
		{"validation by place", llmtest.Step{Status: 422, Body: json.RawMessage(`{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`)}, llm.ErrFormat, false, "HTTP 422: messages: field required"},
		{"429", llmtest.Step{Status: 429, Headers: map[string]string{"Retry-After": "3"}}, llm.ErrRateLimit, true, "HTTP 429"},
		{"overloaded", llmtest.Step{Status: 529, Body: json.RawMessage(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`)}, llm.ErrOverloaded, true, "HTTP 529: Overloaded"},
		{"overloaded inside the stream", llmtest.Step{RawChunks: []string{"event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"}}, llm.ErrOverloaded, true, "Overloaded"},
		{"502 with a page", llmtest.Step{Status: 502, ContentType: "text/html", Body: json.RawMessage(`"<html><title>502 Bad Gateway</title><center>x</center></html>"`)}, llm.ErrServer, true, "HTTP 502: 502 Bad Gateway"},
		{"prompt too long", llmtest.Step{Status: 400, Body: json.RawMessage(`{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`)}, llm.ErrContextOverflow, false, "prompt is too long"},
		{"garbage", llmtest.Step{RawChunks: []string{"data: \x00\n\n", "data: }{\n\n"}}, llm.ErrServer, true, "no readable answer"},
		{"only comments", llmtest.Step{RawChunks: []string{": keep-alive\n\n", ": keep-alive\n\n"}}, llm.ErrCut, true, "closed the connection"},
		{"cut", llmtest.Step{Text: "some text here that is long", CutAfter: &three}, llm.ErrCut, true, "broke off"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			each(t, llm.Config{APIKey: "sk-test-000000"}, []llmtest.Step{tc.step}, func(t *testing.T, c Client, _ *llmtest.Server) {
				resp, text, _, err := ask(t, c, request())
				var e *llm.Error
				if !errors.As(err, &e) {
					t.Fatalf("got %v, want *llm.Error", err)
				}
				if e.Kind != tc.kind || e.Retryable != tc.retry || !strings.Contains(e.Error(), tc.msg) {
					t.Errorf("kind %d, retryable %v, %q; want %d, %v, %q", e.Kind, e.Retryable, e.Error(), tc.kind, tc.retry, tc.msg)
				}
				if tc.step.Headers != nil && e.RetryAfter != 3*time.Second {
					t.Errorf("retry after %v", e.RetryAfter)
				}
				if text != "" && (resp == nil || resp.Message.Content != text || !e.Partial) {
					t.Errorf("%q streamed, %+v came back", text, resp)
				}
			})
		})
	}
}

// What a service refuses by name is left out in one more try, and said once.
func TestRefusedByName(t *testing.T) {
	refuse := func(msg string) llmtest.Step {
		body, err := json.Marshal(map[string]any{"error": map[string]any{"message": msg}})
		if err != nil {
			t.Fatal(err)
		}
		return llmtest.Step{Status: 400, Body: body}
	}
	has := func(raw []byte, key string) bool {
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			return false
		}
		_, ok := m[key]
		return ok
	}
	for _, tc := range []struct {
		name, msg, key, note string
		r                    func(*llm.Request)
	}{
		{"tools", "registry.ollama.ai/library/gemma:2b does not support tools", "tools", "takes no tools", nil},
		{"a forced choice", "deepseek-reasoner does not support this tool_choice", "tool_choice", "refused tool_choice required", func(r *llm.Request) { r.ToolChoice = llm.ChoiceRequired }},
		{"a key of one's own", "Unrecognized request argument supplied: top_k", "top_k", "refused top_k", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			each(t, llm.Config{ExtraBody: map[string]any{"top_k": 4}}, []llmtest.Step{refuse(tc.msg), llmtest.Say("ok")}, func(t *testing.T, c Client, srv *llmtest.Server) {
				r := request()
				if tc.r != nil {
					tc.r(&r)
				}
				resp, _, _, err := ask(t, c, r)
				if err != nil || resp.Message.Content != "ok" {
					t.Fatalf("%+v, %v", resp, err)
				}
				if len(resp.Notes) != 1 || resp.Notes[0].Call != llm.WholeAnswer || !strings.Contains(resp.Notes[0].In(locale.EN), tc.note) {
					t.Errorf("notes %+v", resp.Notes)
				}
				again, _, _, err := ask(t, c, request())
				if err != nil || len(again.Notes) != 0 {
					t.Errorf("said again: %+v, %v", again, err)
				}
				reqs := srv.Requests()
				if len(reqs) != 3 || !has(reqs[0].Raw, tc.key) || has(reqs[1].Raw, tc.key) || has(reqs[2].Raw, tc.key) {
					t.Errorf("%d requests", len(reqs))
				}
			})
		})
	}
	t.Run("what is not refused by name fails", func(t *testing.T) {
		each(t, llm.Config{}, []llmtest.Step{refuse("Invalid schema for function 'get_weather': tools[0] is broken")}, func(t *testing.T, c Client, srv *llmtest.Server) {
			if _, _, _, err := ask(t, c, request()); err == nil || len(srv.Requests()) != 1 {
				t.Errorf("%v after %d requests", err, len(srv.Requests()))
			}
		})
	})
}

// A conversation with calls, results and an image is told in the protocol's
// own form, twice the same.
func TestConversation(t *testing.T) {
	ms := []llm.Message{
		{Role: llm.RoleSystem, Content: "Be brief."},
		{Role: llm.RoleUser, Content: "look", Parts: []llm.Part{{Text: "look"}, {Image: &llm.Image{MIME: "image/png", Data: []byte("PNG")}}}},
		{Role: llm.RoleAssistant, Content: "Checking.", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "get_weather", Arguments: `{"city": "Paris"}`}, {ID: "c2", Name: "get_weather", Arguments: ``}}},
		{Role: llm.RoleTool, Name: "get_weather", ToolCallID: "c1", Content: "sun"},
		{Role: llm.RoleTool, Name: "get_weather", ToolCallID: "c2", Content: "rain"},
		{Role: llm.RoleUser, Content: "and?"},
	}
	want := map[string][]string{
		llm.ModeChat:      {`{"type":"image_url","image_url":{"url":"data:image/png;base64,UE5H"}}`, `"arguments":"{\"city\":\"Paris\"}"`, `"tool_choice":"auto"`, `"tool_call_id":"c2"`},
		llm.ModeAnthropic: {`"source":{"type":"base64","media_type":"image/png","data":"UE5H"}`, `{"type":"tool_use","id":"c1","name":"get_weather","input":{"city":"Paris"}}`, `"tool_use_id":"c2"`, `"tool_choice":{"type":"auto"}`, `"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}]`},
		llm.ModeResponses: {`{"type":"input_image","image_url":"data:image/png;base64,UE5H"}`, `{"type":"function_call","call_id":"c1","name":"get_weather","arguments":"{\"city\":\"Paris\"}"}`, `{"type":"function_call_output","call_id":"c2","output":"rain"}`, `"instructions":"Be brief."`, `"store":false`, `"tool_choice":"auto"`},
	}
	each(t, llm.Config{}, []llmtest.Step{llmtest.Say("ok")}, func(t *testing.T, c Client, srv *llmtest.Server) {
		for range 2 {
			if _, _, _, err := ask(t, c, llm.Request{Messages: ms, Tools: []llm.ToolDef{weather}, ToolChoice: llm.ChoiceAuto}); err != nil {
				t.Fatal(err)
			}
		}
		reqs := srv.Requests()
		if !bytes.Equal(reqs[0].Raw, reqs[1].Raw) {
			t.Error("the same conversation gave two bodies")
		}
		for _, s := range want[c.Info().APIMode] {
			if !bytes.Contains(reqs[0].Raw, []byte(s)) {
				t.Errorf("lacks %s in\n%s", s, reqs[0].Raw)
			}
		}
	})
}

// Thoughts that a service wants back go back unchanged, to it alone.
func TestThoughtsGoBack(t *testing.T) {
	steps := []llmtest.Step{{Reasoning: "hm", ToolCalls: []llmtest.Call{llmtest.NewCall("c1", "get_weather", `{"city":"x"}`)}}, llmtest.Say("ok")}
	want := map[string]string{
		llm.ModeAnthropic: `{"type":"thinking","thinking":"hm","signature":"c2lnbmF0dXJl"}`,
		llm.ModeResponses: `"encrypted_content":"c2lnbmF0dXJl"}`,
	}
	details := map[string]json.RawMessage{}
	each(t, llm.Config{ReasoningEffort: "high"}, steps, func(t *testing.T, c Client, srv *llmtest.Server) {
		mode := c.Info().APIMode
		r := request()
		resp, _, _, err := ask(t, c, r)
		if err != nil {
			t.Fatal(err)
		}
		details[mode] = resp.Message.ReasoningDetails
		r.Messages = append(r.Messages, resp.Message, llm.Message{Role: llm.RoleTool, ToolCallID: "c1", Name: "get_weather", Content: "sun"})
		if _, _, _, err = ask(t, c, r); err != nil {
			t.Fatal(err)
		}
		second := srv.Requests()[1].Raw
		if want[mode] == "" {
			if bytes.Contains(second, []byte("reasoning_content")) {
				t.Errorf("thoughts were sent to a service that refuses them: %s", second)
			}
			return
		}
		if !bytes.Contains(second, []byte(want[mode])) {
			t.Errorf("lacks %s in\n%s", want[mode], second)
		}
	})
	for from, d := range details {
		if len(d) == 0 {
			continue
		}
		each(t, llm.Config{ReasoningEffort: "high"}, []llmtest.Step{llmtest.Say("ok")}, func(t *testing.T, c Client, srv *llmtest.Server) {
			if c.Info().APIMode == from {
				return
			}
			r := request()
			r.Messages = append(r.Messages, llm.Message{Role: llm.RoleAssistant, Content: "a", ReasoningDetails: d}, llm.Message{Role: llm.RoleUser, Content: "b"})
			if _, _, _, err := ask(t, c, r); err != nil {
				t.Fatal(err)
			}
			if raw := srv.Requests()[0].Raw; bytes.Contains(raw, []byte("c2lnbmF0dXJl")) {
				t.Errorf("thoughts of %s were sent to %s: %s", from, c.Info().APIMode, raw)
			}
		})
	}
}

func TestToolChoices(t *testing.T) {
	for choice, want := range map[string][]string{
		"":                 {"", "", ""},
		llm.ChoiceNone:     {`"tool_choice":"none"`, `"tool_choice":{"type":"none"}`, `"tool_choice":"none"`},
		llm.ChoiceRequired: {`"tool_choice":"required"`, `"tool_choice":{"type":"any"}`, `"tool_choice":"required"`},
		"get_weather":      {`"tool_choice":{"type":"function","function":{"name":"get_weather"}}`, `"tool_choice":{"type":"tool","name":"get_weather"}`, `"tool_choice":{"type":"function","name":"get_weather"}`},
	} {
		n := 0
		each(t, llm.Config{}, []llmtest.Step{llmtest.Say("ok")}, func(t *testing.T, c Client, srv *llmtest.Server) {
			r := request()
			r.ToolChoice = choice
			if _, _, _, err := ask(t, c, r); err != nil {
				t.Fatal(err)
			}
			raw := srv.Requests()[0].Raw
			if has := bytes.Contains(raw, []byte("tool_choice")); has != (choice != "") || !bytes.Contains(raw, []byte(want[n])) {
				t.Errorf("%q: %s", choice, raw)
			}
			n++
		})
	}
}

func TestTemperature(t *testing.T) {
	for _, model := range []string{"plain", "gpt-5-mock"} {
		zero := 0.0
		each(t, llm.Config{Model: model}, []llmtest.Step{llmtest.Say("ok")}, func(t *testing.T, c Client, srv *llmtest.Server) {
			r := request()
			r.Temperature = &zero
			if _, _, _, err := ask(t, c, r); err != nil {
				t.Fatal(err)
			}
			want := model == "plain" || c.Info().APIMode != llm.ModeResponses // its models that think take none
			if raw := srv.Requests()[0].Raw; bytes.Contains(raw, []byte(`"temperature":0`)) != want {
				t.Errorf("%s", raw)
			}
		})
	}
}

func TestInterrupt(t *testing.T) {
	gate := make(chan struct{})
	each(t, llm.Config{}, []llmtest.Step{{Text: "0123456789abcdef", ChunkChars: 4, Gate: gate}}, func(t *testing.T, c Client, _ *llmtest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			for {
				select {
				case gate <- struct{}{}:
				case <-ctx.Done():
					return
				}
			}
		}()
		resp, err := c.Stream(ctx, request(), func(d llm.Delta) {
			if d.Kind == llm.DeltaText {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || resp == nil || !strings.HasPrefix("0123456789abcdef", resp.Message.Content) || resp.Message.Content == "" {
			t.Errorf("%+v, %v", resp, err)
		}
	})
}

func TestModels(t *testing.T) {
	each(t, llm.Config{}, []llmtest.Step{llmtest.Say("ok")}, func(t *testing.T, c Client, _ *llmtest.Server) {
		got, err := c.Models(t.Context())
		if err != nil || len(got) != 1 || got[0] != (llm.ModelInfo{ID: "mock-model", Window: 131072}) {
			t.Errorf("%v, %v", got, err)
		}
	})
}
