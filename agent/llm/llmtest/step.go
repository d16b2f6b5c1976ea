package llmtest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Step is one answer of the server. The fields with JSON names form the script
// language; the others only exist in Go. The zero value answers with an empty
// text.
type Step struct {
	Text           string            `json:"text,omitempty"`
	Reasoning      string            `json:"reasoning,omitempty"`
	ReasoningField string            `json:"reasoning_field,omitempty"` // default reasoning_content
	ToolCalls      []Call            `json:"tool_calls,omitempty"`
	FinishReason   string            `json:"finish_reason,omitempty"` // default stop, or tool_calls
	Usage          json.RawMessage   `json:"usage,omitempty"`
	NoUsage        bool              `json:"no_usage,omitempty"`
	Model          string            `json:"model,omitempty"` // default the request's
	Status         int               `json:"status,omitempty"`
	Body           json.RawMessage   `json:"body,omitempty"` // of other statuses; a JSON string is sent as text
	Headers        map[string]string `json:"headers,omitempty"`
	ContentType    string            `json:"content_type,omitempty"`
	ChunkChars     int               `json:"chunk_chars,omitempty"` // runes per piece, default 8
	CutAfter       *int              `json:"cut_after,omitempty"`   // break the connection after this many events
	NoDone         bool              `json:"no_done,omitempty"`
	RawChunks      []string          `json:"raw_chunks,omitempty"` // the body, verbatim
	DelayMs        int               `json:"delay_ms,omitempty"`
	ChunkDelayMs   int               `json:"chunk_delay_ms,omitempty"`
	HangMs         int               `json:"hang_ms,omitempty"` // before the end of the stream, or its cut

	// Wait, when set, holds the answer back until it is closed or the client
	// is gone.
	Wait <-chan struct{} `json:"-"`
	// Gate, when set, is received from before each event of a stream after the
	// first, so that a test decides how far the answer has come. Closing it
	// lets the rest go.
	Gate <-chan struct{} `json:"-"`
	// Answer, when set, makes the step from the request.
	Answer func(Request) Step `json:"-"`
	// Handler, when set, writes the whole answer itself.
	Handler Handler `json:"-"`
}

// Call is one tool call of an answer.
type Call struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name"`
	// Arguments is an object, sent as its JSON text, or a JSON string, whose
	// text is sent verbatim and so may be broken.
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// Say is a step that answers with text.
func Say(text string) Step { return Step{Text: text} }

// Use is a step that calls one tool with args, which may be broken JSON.
func Use(id, name, args string) Step { return Step{ToolCalls: []Call{NewCall(id, name, args)}} }

// NewCall returns a call whose arguments are the text args.
func NewCall(id, name, args string) Call {
	quoted, err := json.Marshal(args)
	if err != nil {
		panic(err) // a string always encodes
	}
	return Call{ID: id, Name: name, Arguments: quoted}
}

func (c Call) arguments() string {
	var s string
	switch {
	case len(c.Arguments) == 0:
		return "{}"
	case json.Unmarshal(c.Arguments, &s) == nil:
		return s
	}
	return string(c.Arguments)
}

func (s Step) finish() string {
	switch {
	case s.FinishReason != "":
		return s.FinishReason
	case len(s.ToolCalls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func (s Step) usage() json.RawMessage {
	if len(s.Usage) > 0 {
		return s.Usage
	}
	out := len(s.Text)
	for _, c := range s.ToolCalls {
		out += len(c.arguments())
	}
	out = max(out/4, 1)
	return json.RawMessage(fmt.Sprintf(`{"prompt_tokens":1000,"completion_tokens":%d,"total_tokens":%d}`, out, 1000+out))
}

// events returns the stream of the step, one event each.
func (s Step) events(model string, usage bool) []string {
	if s.RawChunks != nil {
		return s.RawChunks
	}
	w := writer{model: model}
	w.delta(obj{"role": "assistant", "content": ""}, nil)
	field := s.ReasoningField
	if field == "" {
		field = "reasoning_content"
	}
	size := s.ChunkChars
	if size <= 0 {
		size = 8
	}
	for _, p := range pieces(s.Reasoning, size) {
		w.delta(obj{field: p}, nil)
	}
	for _, p := range pieces(s.Text, size) {
		w.delta(obj{"content": p}, nil)
	}
	for i, c := range s.ToolCalls {
		head := obj{"index": i, "type": "function", "function": obj{"name": c.Name, "arguments": ""}}
		if c.ID != "" {
			head["id"] = c.ID
		}
		w.delta(obj{"tool_calls": []any{head}}, nil)
		for _, p := range pieces(c.arguments(), size) {
			w.delta(obj{"tool_calls": []any{obj{"index": i, "function": obj{"arguments": p}}}}, nil)
		}
	}
	w.delta(obj{}, s.finish())
	if usage && !s.NoUsage {
		w.event(obj{"choices": []any{}, "usage": s.usage()})
	}
	if !s.NoDone {
		w.out = append(w.out, "data: [DONE]\n\n")
	}
	return w.out
}

// document is the step as one answer.
func (s Step) document(model string) []byte {
	msg := obj{"role": "assistant", "content": s.Text}
	var calls []any
	for _, c := range s.ToolCalls {
		calls = append(calls, obj{"id": c.ID, "type": "function", "function": obj{"name": c.Name, "arguments": c.arguments()}})
	}
	if calls != nil {
		msg["tool_calls"] = calls
	}
	return encode(obj{
		"id": "chatcmpl-test", "object": "chat.completion", "model": model,
		"choices": []any{obj{"index": 0, "message": msg, "finish_reason": s.finish()}},
		"usage":   s.usage(),
	})
}

type obj = map[string]any

type writer struct {
	model string
	out   []string
}

func (w *writer) delta(d obj, finish any) {
	w.event(obj{"choices": []any{obj{"index": 0, "delta": d, "finish_reason": finish}}})
}

func (w *writer) event(o obj) {
	o["id"], o["object"], o["model"] = "chatcmpl-test", "chat.completion.chunk", w.model
	w.out = append(w.out, "data: "+string(encode(o))+"\n\n")
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("llmtest: encode an answer: %v", err)) // only a broken script can do that
	}
	return b
}

// pieces cuts s into pieces of n runes.
func pieces(s string, n int) []string {
	var out []string
	var b strings.Builder
	k := 0
	for _, r := range s {
		b.WriteRune(r)
		if k++; k == n {
			out = append(out, b.String())
			b.Reset()
			k = 0
		}
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}
