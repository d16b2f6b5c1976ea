package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/sse"
)

// maxBody bounds a body that is read whole, in bytes.
const maxBody = 64 << 20

// read turns the body of a 200 answer into a response, whatever form it has.
func (c *Client) read(ctx context.Context, resp *http.Response, w *watchdog, onDelta func(llm.Delta)) (*llm.Response, error) {
	body := bufio.NewReader(watched{resp.Body, w})
	switch first, err := firstByte(body); {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, c.cut(ctx, err, false)
	case first == '{':
		// A document although a stream was asked for.
		return c.readDocument(ctx, body, onDelta)
	case first == '<' || strings.Contains(resp.Header.Get("Content-Type"), "text/html"):
		return nil, c.webPage(resp, body)
	}
	return c.readStream(ctx, sse.NewReader(body), w, onDelta)
}

// firstByte returns the first byte that is no blank, without taking it.
func firstByte(r *bufio.Reader) (byte, error) {
	for {
		b, err := r.Peek(1)
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsAny(b, " \t\r\n") {
			return b[0], nil
		}
		if _, err := r.Discard(1); err != nil {
			return 0, err
		}
	}
}

// readDocument reads a plain answer, or several JSON lines from a server that
// forgets the event framing.
func (c *Client) readDocument(ctx context.Context, body io.Reader, onDelta func(llm.Delta)) (*llm.Response, error) {
	data, err := io.ReadAll(io.LimitReader(body, maxBody))
	if err != nil {
		return nil, c.cut(ctx, err, false)
	}
	a := newAssembly(onDelta)
	if err := a.add(data); err == nil {
		return a.finish(), a.failure(c)
	}
	for _, line := range bytes.Split(data, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := a.add(line); err != nil {
			return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Err: err, Message: "the answer is not JSON: " + c.clean(string(data))}
		}
	}
	return a.finish(), a.failure(c)
}

func (c *Client) readStream(ctx context.Context, events *sse.Reader, w *watchdog, onDelta func(llm.Delta)) (*llm.Response, error) {
	a := newAssembly(onDelta)
	bad := 0
	for {
		e, err := events.Next()
		if err != nil {
			return c.streamEnd(ctx, a, err, bad)
		}
		w.sawEvent()
		data := bytes.TrimSpace(e.Data)
		if string(data) == "[DONE]" {
			a.done = true
			return a.finish(), a.failure(c)
		}
		if len(data) == 0 {
			continue
		}
		if e.Name == "error" && data[0] != '{' {
			return a.partial(), &llm.Error{Kind: llm.ErrServer, Retryable: true, Partial: a.some(), Message: c.clean(string(data))}
		}
		if err := a.add(data); err != nil {
			// One broken event must not lose the answer around it; nothing but
			// broken ones is a broken service.
			bad++
		}
		if err := a.failure(c); err != nil {
			return a.partial(), err
		}
	}
}

// streamEnd decides what the end of a body without [DONE] means.
func (c *Client) streamEnd(ctx context.Context, a *assembly, err error, bad int) (*llm.Response, error) {
	if !errors.Is(err, io.EOF) {
		return a.partial(), c.cut(ctx, err, a.some())
	}
	if a.reason != "" {
		return a.finish(), nil
	}
	if !a.some() && bad > 0 {
		return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Message: "the stream holds no readable answer"}
	}
	if !a.some() && !a.started {
		return nil, &llm.Error{Kind: llm.ErrCut, Retryable: true, Message: "the service closed the connection without an answer"}
	}
	return a.partial(), c.cut(ctx, io.ErrUnexpectedEOF, a.some())
}
