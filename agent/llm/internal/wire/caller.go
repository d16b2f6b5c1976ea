// Package wire is what the clients of every protocol share: connections, time
// limits, event streams that may come as documents, and failures told by kind.
package wire

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/sse"
)

// MaxBody bounds a body that is read whole, in bytes.
const MaxBody = 64 << 20

// MaxAnswer bounds what the events of one answer say together, in bytes. The
// longest answers that models give have some 400,000 tokens, under 2 MiB; a
// server that never ends would fill the memory and the screen.
const MaxAnswer = 16 << 20

// envelope is how much of an event may be the form around a token; it does not
// count as said.
const envelope = 512

// ErrEndless says that an answer passed MaxAnswer.
var ErrEndless = errors.New("the answer was stopped at 16 MiB; no model says that much, the service seems to be broken")

// A connection is only used again when its last body was read to the end. The
// end of a stream follows its last event at once; a service that keeps the
// stream open is not waited for.
const (
	drainTime  = 20 * time.Millisecond
	drainBytes = 64 << 10
)

// Caller sends the requests of one client to its service. It is safe for
// concurrent use.
type Caller struct {
	Base string // without a slash at its end
	// Drain bounds the wait for the end of a body after its last event.
	Drain time.Duration

	cfg    llm.Config
	local  bool
	header http.Header
	http   *http.Client
}

// NewCaller returns a caller for cfg that sends header, and cfg's own headers
// over it, with every request. It opens no connection.
func NewCaller(cfg llm.Config, header http.Header) *Caller {
	base := strings.TrimRight(strings.TrimSpace(cfg.BaseURL), "/")
	c := &Caller{Base: base, Drain: drainTime, cfg: cfg, local: IsLocal(base), header: header, http: cfg.HTTP}
	if c.http == nil {
		c.http, _ = NewHTTP(TLS{}) // fails only for a file of one's own
	}
	agent := cfg.UserAgent
	if agent == "" {
		agent = "hermes"
	}
	header.Set("User-Agent", agent)
	for name, value := range cfg.Headers {
		header.Set(name, value)
	}
	return c
}

// Exchange is a request that was answered with 200. Its owner closes it.
type Exchange struct {
	Resp *http.Response
	Body *bufio.Reader

	c   *Caller
	w   *watchdog
	ctx context.Context //nolint:containedctx // ends with the exchange: reading asks why it ended
}

// Post sends a JSON body to path below the base. Every other answer than 200 is
// an *llm.Error.
func (c *Caller) Post(ctx context.Context, path string, body []byte) (*Exchange, error) {
	return c.do(ctx, http.MethodPost, path, body)
}

// Get asks for path below the base.
func (c *Caller) Get(ctx context.Context, path string) (*Exchange, error) {
	return c.do(ctx, http.MethodGet, path, nil)
}

func (c *Caller) do(ctx context.Context, method, path string, body []byte) (*Exchange, error) {
	w, ctx := newWatchdog(ctx, limitsFor(c.cfg, c.local, len(body)))
	x := &Exchange{c: c, w: w, ctx: ctx}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, reader)
	if err != nil {
		w.stop()
		return nil, c.connError(ctx, err)
	}
	for name, values := range c.header {
		req.Header[name] = values
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	// Small servers close a kept connection just when it is used again. An
	// empty key is not sent; it tells net/http that such a request may go out
	// once more on a new connection, which here costs nothing but time.
	req.Header["Idempotency-Key"] = nil
	resp, err := c.http.Do(req)
	if err != nil {
		defer w.stop()
		return nil, c.connError(ctx, err)
	}
	w.sawByte()
	x.Resp = resp
	x.Body = bufio.NewReaderSize(plain(resp, watched{resp.Body, w}), 16<<10)
	if resp.StatusCode != http.StatusOK {
		defer x.Close()
		return nil, c.statusError(resp, x.Body)
	}
	return x, nil
}

// plain undoes a compression that nobody asked for. A body that is not what
// its header says is read as it is.
func plain(resp *http.Response, body io.Reader) io.Reader {
	br := bufio.NewReader(body)
	magic, _ := br.Peek(2) // fewer bytes are no compressed body
	if len(magic) < 2 {
		return br
	}
	switch encoding := strings.ToLower(resp.Header.Get("Content-Encoding")); {
	case magic[0] == 0x1f && magic[1] == 0x8b: // also when the header is missing
		if z, err := gzip.NewReader(br); err == nil {
			return z
		}
	case encoding == "deflate" && magic[0]&0x0f == 8:
		if z, err := zlib.NewReader(br); err == nil {
			return z
		}
	}
	return br
}

// Close ends the exchange. A body that was read to its last event is emptied
// first, so that the connection can be used again.
func (x *Exchange) Close() {
	_ = x.Resp.Body.Close() // nothing to do about it
	x.w.stop()
}

// Finish empties what follows the last event, for the connection's sake.
func (x *Exchange) Finish() {
	x.w.endWithin(x.c.Drain)
	_, _ = io.Copy(io.Discard, io.LimitReader(x.Body, drainBytes)) // only for the connection's sake
	_, _ = io.Copy(io.Discard, io.LimitReader(x.Resp.Body, drainBytes))
}

// Form is what a body holds, whatever its header says.
type Form int

// Forms of bodies.
const (
	FormEvents Form = iota
	FormDocument
	FormPage
)

// Form looks at the first byte of the body. io.EOF is a body of nothing.
func (x *Exchange) Form() (Form, error) {
	first, err := x.firstByte()
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return 0, x.Cut(err, false)
	case first == '{':
		return FormDocument, nil
	case first == '<' || strings.Contains(x.Resp.Header.Get("Content-Type"), "text/html"):
		return FormPage, nil
	}
	return FormEvents, nil
}

// firstByte returns the first byte that is no blank, without taking it.
func (x *Exchange) firstByte() (byte, error) {
	if bom, _ := x.Body.Peek(3); string(bom) == "\xef\xbb\xbf" {
		_, _ = x.Body.Discard(3) // cannot fail: Peek held them
	}
	for {
		b, err := x.Body.Peek(1)
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsAny(b, " \t\r\n") {
			return b[0], nil
		}
		if _, err := x.Body.Discard(1); err != nil {
			return 0, err
		}
	}
}

// Document reads the whole body.
func (x *Exchange) Document() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(x.Body, MaxBody))
	if err != nil {
		return nil, x.Cut(err, false)
	}
	return data, nil
}

// Events reads the body as a stream of events. next is called with each, its
// data trimmed and never empty, until it returns false. The error is io.EOF at
// the end of the body, else why reading broke off: ErrEndless for an answer that
// no model gives.
func (x *Exchange) Events(next func(name string, data []byte) bool) error {
	events := sse.NewReader(x.Body)
	said := 0
	for {
		e, err := events.Next()
		if err != nil {
			return err
		}
		if err := x.ctx.Err(); err != nil {
			return err // what is buffered belongs to nobody any more
		}
		x.w.sawEvent()
		data := bytes.TrimSpace(e.Data)
		if said += max(len(data)-envelope, 0); said > MaxAnswer {
			return ErrEndless
		}
		if len(data) > 0 && !next(e.Name, data) {
			return nil
		}
	}
}
