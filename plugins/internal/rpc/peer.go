// Package rpc is a JSON-RPC 2.0 peer over two byte streams, one message a
// line, made for the plugin host: both sides may call, requests name the lane
// they run in on the other side, and a request made on behalf of a call of the
// other side names it as parent (design: architecture §9).
//
// Guarantees: the reader never waits for a handler of requests; a caller never
// waits for a peer that does not read; every pending call is failed when the
// connection ends; messages are written whole and in the order of the calls;
// Close returns when reader, writer and handlers have ended.
package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"hermes/agent/safe"
)

// MaxLine bounds one incoming message, in bytes. Larger results travel
// through files.
const MaxLine = 64 << 20

// ErrClosed is the reason of calls that failed because the connection ended.
var ErrClosed = errors.New("connection closed")

// Options are what a peer needs besides its streams.
type Options struct {
	// Handle carries out a request of the peer; each runs on a goroutine of
	// its own, because the thread that asks on the other side waits. The
	// context ends with the connection. Nil refuses every request.
	Handle func(ctx context.Context, call Request) (any, error)
	// Notify takes a notification of the peer, in order, on the reader's
	// goroutine: it must not block. Nil ignores them.
	Notify func(method string, params json.RawMessage)
	// MaxLine replaces the package's bound when positive.
	MaxLine int
	// Log gets panics of Handle and Notify: the first answers the request with
	// an error, the second loses the notification. It may be nil.
	Log *slog.Logger
}

// Request is a request of the peer.
type Request struct {
	// ID names the request; calls made on its behalf give it as Parent.
	ID     json.RawMessage
	Method string
	Params json.RawMessage
}

// Call describes a request of ours.
type Call struct {
	Method string
	// Lane is where the peer runs it; empty means its main lane.
	Lane string
	// Parent is the request of the peer on whose behalf this call is made.
	Parent json.RawMessage
	Params any
	// Cancel, when set, is the method that is sent as a notification with
	// {"id": n} when the caller stops waiting.
	Cancel string
	// Sent, when set, is told the id before the request is written.
	Sent func(id uint64)
}

// Peer is one end of a connection. All methods may be called from any
// goroutine.
type Peer struct {
	opt    Options
	w      io.WriteCloser
	ctx    context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when the connection ended
	tasks  sync.WaitGroup
	wake   chan struct{} // holds a token while out is not empty

	mu      sync.Mutex // guards the rest
	out     [][]byte   // lines to write
	next    uint64
	pending map[uint64]chan response
	idle    chan struct{} // closed when pending becomes empty, nil when nobody asked
	err     error         // why the connection ended
}

type response struct {
	result json.RawMessage
	err    error
}

// New starts reading r. w is closed by Close.
func New(r io.Reader, w io.WriteCloser, opt Options) *Peer {
	if opt.MaxLine <= 0 {
		opt.MaxLine = MaxLine
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &Peer{
		opt: opt, w: w, ctx: ctx, cancel: cancel,
		done: make(chan struct{}), wake: make(chan struct{}, 1), pending: map[uint64]chan response{},
	}
	p.tasks.Add(2)
	broken := func(bug *safe.PanicError) { p.end(bug) }
	go func() {
		defer p.tasks.Done()
		safe.Run(opt.Log, "read from the plugin host", func() { p.read(r) }, broken)
	}()
	go func() {
		defer p.tasks.Done()
		safe.Run(opt.Log, "write to the plugin host", p.writeOut, broken)
	}()
	return p
}

// Done is closed when the connection has ended; Err says why.
func (p *Peer) Done() <-chan struct{} { return p.done }

// Err returns why the connection ended: nil while it stands, io.EOF when the
// peer closed it, ErrClosed after Close, a *ProtocolError when the peer sent
// something else than messages.
func (p *Peer) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Call sends a request and waits for its answer. When ctx ends first, the
// peer is told (c.Cancel), the late answer will be dropped, and the context's
// error is returned.
func (p *Peer) Call(ctx context.Context, c Call) (json.RawMessage, error) {
	answer := make(chan response, 1)
	id, err := p.enter(answer)
	if err != nil {
		return nil, err
	}
	if c.Sent != nil {
		c.Sent(id)
	}
	m := outgoing{JSONRPC: "2.0", ID: id, Method: c.Method, Lane: c.Lane, Parent: c.Parent, Params: c.Params}
	if err := p.write(m); err != nil {
		p.leave(id)
		return nil, fmt.Errorf("send %s: %w", c.Method, err)
	}
	select {
	case r := <-answer:
		return r.result, r.err
	case <-ctx.Done():
	}
	p.leave(id)
	select {
	case r := <-answer: // it came at the last moment
		return r.result, r.err
	default:
	}
	if c.Cancel != "" {
		_ = p.Notify(c.Cancel, map[string]uint64{"id": id}) // the connection ended: nothing to cancel
	}
	return nil, fmt.Errorf("%s: %w", c.Method, context.Cause(ctx))
}

// Notify sends a notification.
func (p *Peer) Notify(method string, params any) error {
	return p.write(outgoing{JSONRPC: "2.0", Method: method, Params: params})
}

// Close ends the connection and waits for the reader and the handlers.
// The caller must see to it that r ends, by ending the process behind it.
// What is queued and not yet written is dropped.
func (p *Peer) Close() {
	p.end(ErrClosed)
	_ = p.w.Close() // ends a write that blocks; the other side sees the end
	p.tasks.Wait()
}

func (p *Peer) enter(answer chan response) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return 0, p.closedError()
	}
	p.next++
	p.pending[p.next] = answer
	return p.next, nil
}

func (p *Peer) leave(id uint64) {
	p.mu.Lock()
	p.forget(id)
	p.mu.Unlock()
}

// forget takes a call out of the pending ones; p.mu is held.
func (p *Peer) forget(id uint64) {
	delete(p.pending, id)
	if len(p.pending) == 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// Idle returns a channel that is closed as soon as no call of ours waits for
// an answer.
func (p *Peer) Idle() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle
	if idle == nil {
		idle = make(chan struct{})
		if len(p.pending) == 0 {
			close(idle)
			return idle
		}
		p.idle = idle
	}
	return idle
}

// closedError is what calls get once the reader has ended; p.mu is held.
func (p *Peer) closedError() error {
	if errors.Is(p.err, io.EOF) || errors.Is(p.err, ErrClosed) {
		return ErrClosed
	}
	return fmt.Errorf("%w: %w", ErrClosed, p.err)
}

// write queues a message; the writer's goroutine sends it.
func (p *Peer) write(m outgoing) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf) // ends the line by itself
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil {
		return p.closedError()
	}
	p.out = append(p.out, buf.Bytes())
	select {
	case p.wake <- struct{}{}:
	default:
	}
	return nil
}

// writeOut sends what is queued until the connection ends.
func (p *Peer) writeOut() {
	for {
		select {
		case <-p.wake:
		case <-p.done:
			return
		}
		p.mu.Lock()
		lines := p.out
		p.out = nil
		p.mu.Unlock()
		for _, line := range lines {
			if _, err := p.w.Write(line); err != nil {
				p.end(fmt.Errorf("write: %w", err))
				return
			}
		}
	}
}

func (p *Peer) read(r io.Reader) {
	br := bufio.NewReaderSize(r, 64<<10)
	var err error
	for err == nil {
		var line []byte
		line, err = readLine(br, p.opt.MaxLine)
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = p.take(line)
		}
	}
	p.end(err)
}

// end fails everything that waits. Only the first reason counts.
func (p *Peer) end(err error) {
	p.cancel()
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return
	}
	p.err = err
	waiting := p.pending
	p.pending = map[uint64]chan response{}
	p.forget(0) // nothing waits any more
	closed := p.closedError()
	p.mu.Unlock()
	for _, answer := range waiting {
		answer <- response{err: closed}
	}
	close(p.done)
}

func (p *Peer) take(line []byte) error {
	m, err := parse(line)
	if err != nil {
		return err
	}
	switch {
	case m.Method == "":
		p.resolve(m)
	case len(m.ID) == 0 || string(m.ID) == "null":
		if p.opt.Notify != nil {
			safe.Run(p.opt.Log, "notification "+m.Method, func() { p.opt.Notify(m.Method, m.Params) }, nil)
		}
	default:
		p.tasks.Add(1)
		go p.serve(Request{ID: m.ID, Method: m.Method, Params: m.Params})
	}
	return nil
}

// resolve hands an answer to the call that waits. An answer that nobody waits
// for is late and dropped.
func (p *Peer) resolve(m incoming) {
	var id uint64
	if json.Unmarshal(m.ID, &id) != nil {
		return
	}
	p.mu.Lock()
	answer, ok := p.pending[id]
	p.forget(id)
	p.mu.Unlock()
	if !ok {
		return
	}
	if m.Error != nil {
		answer <- response{err: m.Error}
		return
	}
	answer <- response{result: m.Result}
}

func (p *Peer) serve(r Request) {
	defer p.tasks.Done()
	m := outgoing{JSONRPC: "2.0", ID: r.ID}
	safe.Run(p.opt.Log, "request "+r.Method, func() { m.Result, m.Error = p.handle(r) }, func(bug *safe.PanicError) {
		m.Result, m.Error = nil, asError(bug)
	})
	_ = p.write(m) // the connection ended: nobody waits for the answer
}

func (p *Peer) handle(r Request) (any, *Error) {
	if p.opt.Handle == nil {
		return nil, &Error{Code: CodeMethodNotFound, Message: "unknown method " + r.Method}
	}
	result, err := p.opt.Handle(p.ctx, r)
	switch {
	case err != nil:
		return nil, asError(err)
	case result == nil:
		return json.RawMessage("null"), nil
	}
	return result, nil
}

func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	code := CodeInternal
	if errors.Is(err, context.Canceled) {
		code = CodeCancelled
	}
	return &Error{Code: code, Message: err.Error()}
}

// readLine returns the next line without its end. A line over limit is a
// protocol error; the rest of a stream that ends without a line end is
// dropped, it is half a message.
func readLine(br *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := br.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return nil, &ProtocolError{Line: head(append(line, part...)), Err: fmt.Errorf("line over %d bytes", limit)}
		}
		if err == nil && line == nil {
			return part[:len(part)-1], nil // valid until the next read
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
