package cases

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Script is what the model service answers: the steps in order, the last one
// again and again.
type Script struct {
	Steps []Answer `json:"steps"`
}

// Answer is one step of a script.
type Answer struct {
	Status   int               `json:"status"`
	JSON     json.RawMessage   `json:"json"`
	Text     string            `json:"text"`
	Type     string            `json:"ctype"`
	Headers  map[string]string `json:"headers"`
	Chunks   []json.RawMessage `json:"chunks"` // object: a data frame; text: as it is; number: a pause in seconds
	Done     *bool             `json:"done"`   // false leaves the end mark out
	Newline  *string           `json:"nl"`
	Raw      []json.RawMessage `json:"raw"` // texts as they are, and pauses
	NoStream json.RawMessage   `json:"nostream"`
}

// request is one that came.
type request struct {
	at      time.Time
	headers *object
	body    any
}

// service is a scripted model service on loopback.
type service struct {
	port int
	http *http.Server
	done chan struct{} // closed when the listener's goroutine has ended

	mu    sync.Mutex // guards what follows
	steps []Answer
	seen  []request
}

// startService listens on a free port. Until a script is set it answers 503.
func startService() (*service, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the model service: %w", err)
	}
	s := &service{
		port: ln.Addr().(*net.TCPAddr).Port, done: make(chan struct{}),
		steps: []Answer{{Status: http.StatusServiceUnavailable, JSON: json.RawMessage(`{"error":{"message":"no script in this case"}}`)}},
	}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(ln) // ends with ErrServerClosed
	}()
	return s, nil
}

func (s *service) close() {
	_ = s.http.Close() // the listener is gone either way
	<-s.done
}

func (s *service) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.seen...)
}

const notHere = `{"error":{"message":"not here"}}`

func (s *service) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(strings.TrimRight(r.URL.Path, "/"), "/models"):
		write(w, http.StatusOK, "", nil, []byte(`{"object": "list", "data": [{"id": "mock-model", "object": "model", "owned_by": "case", "context_length": 131072}]}`))
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		s.complete(w, r)
	default:
		write(w, http.StatusNotFound, "", nil, []byte(notHere))
	}
}

func (s *service) complete(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	a := s.take(r, raw)
	var asked struct {
		Stream bool `json:"stream"`
	}
	_ = json.Unmarshal(raw, &asked) // what is no JSON asks for no stream
	switch {
	case a.Status != 0 && a.Status != http.StatusOK:
		body := []byte(a.Text)
		if a.JSON != nil {
			body = a.JSON
		}
		write(w, a.Status, a.Type, a.Headers, body)
	case !asked.Stream && a.Raw == nil:
		body := []byte(a.NoStream)
		if a.NoStream == nil {
			body = whole(a.Chunks)
		}
		write(w, http.StatusOK, "", nil, body)
	default:
		stream(w, a)
	}
}

// take records the request and returns its answer.
func (s *service) take(r *http.Request, raw []byte) Answer {
	req := request{at: time.Now(), headers: newObject()}
	for name := range r.Header {
		req.headers.set(name, r.Header.Get(name))
	}
	req.headers.set("Host", r.Host)
	var err error
	if req.body, err = parse(raw); err != nil {
		unparsed := newObject()
		unparsed.set("unparsed", string(raw))
		req.body = unparsed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.steps[min(len(s.seen), len(s.steps)-1)]
	s.seen = append(s.seen, req)
	return a
}

func write(w http.ResponseWriter, status int, ctype string, headers map[string]string, body []byte) {
	if ctype == "" {
		ctype = "application/json"
	}
	w.Header().Set("Content-Type", ctype)
	for name, v := range headers {
		w.Header().Set(name, v)
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// stream answers piece by piece and closes the connection. It writes the bytes
// itself: a body that is cut off must end without a sign of it.
func stream(w http.ResponseWriter, a Answer) {
	conn, buf, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	ctype := a.Type
	if ctype == "" {
		ctype = "text/event-stream"
	}
	fmt.Fprintf(buf, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n", ctype)
	for name, v := range a.Headers {
		fmt.Fprintf(buf, "%s: %s\r\n", name, v)
	}
	_, _ = buf.WriteString("\r\n") // an error is kept for Flush
	if buf.Flush() != nil {
		return
	}
	for _, piece := range a.pieces() {
		if !send(buf.Writer, piece) {
			return // the client is gone
		}
	}
}

func send(w *bufio.Writer, piece any) bool {
	switch p := piece.(type) {
	case time.Duration:
		time.Sleep(p) // the script says so
		return true
	case string:
		_, _ = w.WriteString(p) // an error is kept for Flush
	}
	return w.Flush() == nil
}

// pieces are what is sent, in order: texts and pauses.
func (a Answer) pieces() []any {
	var out []any
	if a.Raw != nil {
		for _, raw := range a.Raw {
			out = append(out, piece(raw, ""))
		}
		return out
	}
	nl := "\n"
	if a.Newline != nil {
		nl = *a.Newline
	}
	for _, raw := range expand(a.Chunks) {
		out = append(out, piece(raw, nl))
	}
	if a.Done == nil || *a.Done {
		out = append(out, "data: [DONE]"+nl+nl)
	}
	return out
}

// piece reads one entry: a number is a pause, a text is sent as it is, an
// object becomes a frame. nl is empty for texts that bring their own ends.
func piece(raw json.RawMessage, nl string) any {
	var pause float64
	var text string
	switch {
	case json.Unmarshal(raw, &pause) == nil:
		return time.Duration(pause * float64(time.Second))
	case json.Unmarshal(raw, &text) == nil:
		return text + nl + nl
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return ""
	}
	return "data: " + b.String() + nl + nl
}

// expand repeats the chunks that say so.
func expand(chunks []json.RawMessage) []json.RawMessage {
	var out []json.RawMessage
	for _, raw := range chunks {
		var r struct {
			Times *int            `json:"times"`
			Chunk json.RawMessage `json:"chunk"`
		}
		if json.Unmarshal(raw, &r) == nil && r.Times != nil && r.Chunk != nil {
			for range *r.Times {
				out = append(out, r.Chunk)
			}
			continue
		}
		out = append(out, raw)
	}
	return out
}
