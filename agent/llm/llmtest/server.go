// Package llmtest is a scripted model service on loopback: it answers the
// requests to /chat/completions, /messages and /responses from one list of
// steps, each in the protocol that was asked, and records every request. Tests of the agent, the screen and the command line talk to
// it as to a real service.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Request is one recorded request.
type Request struct {
	Method, Path string
	Header       http.Header
	Raw          []byte // the body as it came
	Body         Body
	At           time.Time // when the body was read
}

// Body is what tests ask most of a request's body.
type Body struct {
	Model     string    `json:"model"`
	Messages  []Message `json:"messages"`
	Tools     []Tool    `json:"tools"`
	MaxTokens int       `json:"max_tokens"`
	Stream    bool      `json:"stream"`
	Options   struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// Message is a message of a request.
type Message struct {
	Role       string  `json:"role"`
	Content    string  `json:"content"`
	Name       string  `json:"name"`
	ToolCallID string  `json:"tool_call_id"`
	Reasoning  *string `json:"reasoning_content"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// Tool is a tool of a request.
type Tool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	} `json:"function"`
}

// Script is a script file: the steps in order, the last one repeating.
type Script struct {
	Models        []string `json:"models,omitempty"`
	ContextLength int      `json:"context_length,omitempty"`
	Steps         []Step   `json:"steps"`
	// Aux answers requests without tools, when set; else they take steps too.
	Aux *Step `json:"aux,omitempty"`
	// Forget keeps only the last request, for tests that make many.
	Forget bool `json:"forget,omitempty"`
	// Once ends the script after its last step: then every answer is 500.
	Once bool `json:"once,omitempty"`
}

// ParseScript reads a script: the object, or the list of its steps.
func ParseScript(data []byte) (Script, error) {
	var s Script
	var err error
	if trimmed := strings.TrimSpace(string(data)); strings.HasPrefix(trimmed, "[") {
		err = json.Unmarshal(data, &s.Steps)
	} else {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return Script{}, fmt.Errorf("read script: %w", err)
	}
	return s, nil
}

// Server is a running service. Its methods may be called from any goroutine.
type Server struct {
	// URL is the base URL for a client, ending in /v1.
	URL string

	script Script
	http   *http.Server
	done   chan struct{} // closed by Close: held answers give up
	served chan struct{} // closed when the listener's goroutine has ended

	mu       sync.Mutex // guards what follows
	next     int
	conns    int
	requests []Request
	arrived  chan struct{} // closed and replaced at every request
}

// New starts a server that answers with steps.
func New(steps ...Step) (*Server, error) { return Start(Script{Steps: steps}) }

// Start starts a server for a script on a free port of loopback.
func Start(script Script) (*Server, error) {
	ln, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start model server: %w", err)
	}
	s := &Server{
		URL: "http://" + ln.Addr().String() + "/v1", script: script,
		done: make(chan struct{}), served: make(chan struct{}), arrived: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.completions(chat))
	mux.HandleFunc("POST /v1/messages", s.completions(messages))
	mux.HandleFunc("POST /v1/responses", s.completions(responses))
	mux.HandleFunc("GET /v1/models", s.models)
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ConnState: func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.mu.Lock()
			s.conns++
			s.mu.Unlock()
		}
	}}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(ln) // ends with ErrServerClosed
	}()
	return s, nil
}

// Close ends the server and every answer that is still going on.
func (s *Server) Close() {
	close(s.done)
	_ = s.http.Close() // the listener is gone either way
	<-s.served
}

// Requests returns the completion requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Conns is how many connections clients have opened.
func (s *Server) Conns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns
}

// WaitRequests waits until n completion requests came, and returns them.
func (s *Server) WaitRequests(ctx context.Context, n int) ([]Request, error) {
	for {
		s.mu.Lock()
		got, arrived := append([]Request(nil), s.requests...), s.arrived
		s.mu.Unlock()
		if len(got) >= n {
			return got, nil
		}
		select {
		case <-arrived:
		case <-ctx.Done():
			return got, fmt.Errorf("%d of %d requests came: %w", len(got), n, ctx.Err())
		}
	}
}

func (s *Server) models(w http.ResponseWriter, _ *http.Request) {
	names := s.script.Models
	if len(names) == 0 {
		names = []string{"mock-model"}
	}
	window := s.script.ContextLength
	if window == 0 {
		window = 131072
	}
	var data []any
	for _, n := range names {
		data = append(data, obj{"id": n, "object": "model", "context_length": window})
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encode(obj{"object": "list", "data": data})) // the client may be gone
}

func (s *Server) completions(p protocol) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		req := Request{Method: r.Method, Path: r.URL.Path, Header: r.Header, Raw: raw, At: time.Now()}
		if !json.Valid(raw) {
			http.Error(w, `{"error":{"message":"body is not JSON"}}`, http.StatusBadRequest)
			return
		}
		_ = json.Unmarshal(raw, &req.Body) // other protocols share only some of its keys
		step, ok := s.take(req)
		if !ok {
			step = Step{Status: http.StatusInternalServerError, Body: json.RawMessage(`{"error":{"message":"script exhausted"}}`)}
		}
		if step.Answer != nil {
			step = step.Answer(req)
		}
		if !s.hold(r.Context(), step.Wait, step.DelayMs) {
			return
		}
		if step.Handler != nil {
			step.Handler(w, r)
			return
		}
		if err := s.answer(w, r, req, step, p); err != nil && !errors.Is(err, errCut) {
			return // the client is gone
		}
	}
}

// take records the request and returns the step that answers it.
func (s *Server) take(req Request) (Step, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.script.Forget {
		s.requests = s.requests[:0]
	}
	s.requests = append(s.requests, req)
	close(s.arrived)
	s.arrived = make(chan struct{})
	if s.script.Aux != nil && len(req.Body.Tools) == 0 {
		return *s.script.Aux, true
	}
	n := s.next
	s.next++
	switch {
	case n < len(s.script.Steps):
		return s.script.Steps[n], true
	case s.script.Once || len(s.script.Steps) == 0:
		return Step{}, false
	}
	return s.script.Steps[len(s.script.Steps)-1], true
}

// hold waits for a channel, when there is one, and a number of milliseconds.
func (s *Server) hold(ctx context.Context, ch <-chan struct{}, ms int) bool {
	if ch != nil {
		select {
		case <-ch:
		case <-ctx.Done():
			return false
		case <-s.done:
			return false
		}
	}
	if ms > 0 {
		t := time.NewTimer(time.Duration(ms) * time.Millisecond)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return false
		case <-s.done:
			return false
		}
	}
	return true
}

// errCut says that the script broke the connection.
var errCut = errors.New("cut by the script")

func (s *Server) answer(w http.ResponseWriter, r *http.Request, req Request, step Step, p protocol) error {
	for k, v := range step.Headers {
		w.Header().Set(k, v)
	}
	model := step.Model
	if model == "" {
		model = req.Body.Model
	}
	switch {
	case step.Status != 0 && step.Status != http.StatusOK:
		return writeError(w, step)
	case !req.Body.Stream && step.RawChunks == nil:
		setType(w, step, "application/json")
		_, err := w.Write(p.document(step, model))
		return err
	}
	setType(w, step, "text/event-stream")
	return s.stream(w, r, step, p.events(step, model, req.Body.Options.IncludeUsage))
}

func setType(w http.ResponseWriter, step Step, def string) {
	if step.ContentType != "" {
		def = step.ContentType
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", def)
	}
}

func writeError(w http.ResponseWriter, step Step) error {
	body := []byte(step.Body)
	var text string
	switch {
	case len(body) == 0:
		body = encode(obj{"error": obj{"message": fmt.Sprintf("mock error %d", step.Status), "type": "mock", "code": step.Status}})
	case json.Unmarshal(body, &text) == nil:
		body = []byte(text)
	}
	setType(w, step, "application/json")
	w.WriteHeader(step.Status)
	_, err := w.Write(body)
	return err
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request, step Step, events []string) error {
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	for i, e := range events {
		if step.CutAfter != nil && i >= *step.CutAfter {
			break
		}
		if i > 0 && !s.hold(r.Context(), step.Gate, step.ChunkDelayMs) {
			return r.Context().Err()
		}
		if _, err := io.WriteString(w, e); err != nil {
			return err
		}
		if err := flush.Flush(); err != nil {
			return err
		}
	}
	if !s.hold(r.Context(), nil, step.HangMs) {
		return r.Context().Err()
	}
	if step.CutAfter != nil {
		if err := flush.Flush(); err != nil {
			return err
		}
		conn, _, err := flush.Hijack()
		if err != nil {
			return err
		}
		_ = conn.Close() // without the end mark of the chunked body
		return errCut
	}
	return nil
}
