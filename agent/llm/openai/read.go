package openai

import (
	"bytes"
	"errors"
	"io"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// read turns the body of a 200 answer into a response, whatever form it has.
func (c *Client) read(x *wire.Exchange, a *assembly) (*llm.Response, error) {
	switch form, err := x.Form(); {
	case err != nil:
		return nil, err
	case form == wire.FormDocument:
		return c.readDocument(x, a)
	case form == wire.FormPage:
		return nil, x.Page()
	}
	return c.readStream(x, a)
}

// readDocument reads a plain answer although a stream was asked for, or
// several JSON lines from a server that forgets the event framing.
func (c *Client) readDocument(x *wire.Exchange, a *assembly) (*llm.Response, error) {
	data, err := x.Document()
	if err != nil {
		return nil, err
	}
	if err := a.add(data); err == nil {
		return c.end(a)
	}
	for _, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("data:")))
		if len(line) == 0 || string(line) == "[DONE]" {
			continue
		}
		if err := a.add(line); err != nil {
			return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Err: err, Message: "the answer is not JSON: " + c.caller.Clean(string(data))}
		}
	}
	return c.end(a)
}

// end is the outcome of an answer that came to its end.
func (c *Client) end(a *assembly) (*llm.Response, error) {
	if err := c.failure(a); err != nil {
		return a.partial(), err
	}
	return a.finish(), nil
}

// failure is the error that arrived inside an answer with status 200.
func (c *Client) failure(a *assembly) error {
	if a.err == nil {
		return nil
	}
	return c.caller.Fault(a.err, a.some())
}

func (c *Client) readStream(x *wire.Exchange, a *assembly) (*llm.Response, error) {
	bad := 0
	var failed error
	err := x.Events(func(name string, data []byte) bool {
		switch {
		case string(data) == "[DONE]":
			a.done = true
			return false
		case name == "error" && data[0] != '{':
			failed = &llm.Error{Kind: llm.ErrServer, Retryable: true, Partial: a.some(), Message: c.caller.Clean(string(data))}
			return false
		}
		if err := a.add(data); err != nil {
			// One broken event must not lose the answer around it; nothing but
			// broken ones is a broken service.
			bad++
		}
		failed = c.failure(a)
		return failed == nil
	})
	switch {
	case failed != nil:
		return a.partial(), failed
	case err != nil:
		return c.streamEnd(x, a, err, bad)
	}
	return a.finish(), nil
}

// streamEnd decides what the end of a body without [DONE] means.
func (c *Client) streamEnd(x *wire.Exchange, a *assembly, err error, bad int) (*llm.Response, error) {
	if !errors.Is(err, io.EOF) {
		if a.reason != "" {
			return a.finish(), nil // only the end mark is missing
		}
		return a.partial(), x.Cut(err, a.some())
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
	return a.partial(), x.Cut(io.ErrUnexpectedEOF, a.some())
}
