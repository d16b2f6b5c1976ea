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
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline bounds waits in these tests; passing it is a failure, not a pause.
const deadline = 10 * time.Second

// scripted is the far end of a peer, written by hand.
type scripted struct {
	t  *testing.T
	in *bufio.Reader
	w  io.WriteCloser
}

func pair(t *testing.T, opt Options) (*Peer, *scripted) {
	t.Helper()
	toPeer, fromFar := io.Pipe()
	toFar, fromPeer := io.Pipe()
	p := New(toPeer, fromPeer, opt)
	far := &scripted{t: t, in: bufio.NewReader(toFar), w: fromFar}
	t.Cleanup(func() {
		_ = fromFar.Close()
		_ = toFar.Close()
		p.Close()
	})
	return p, far
}

func (s *scripted) read() map[string]any {
	s.t.Helper()
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		s.t.Errorf("far end read: %v", err)
		return nil
	}
	var m map[string]any
	if err := json.Unmarshal(line, &m); err != nil {
		s.t.Errorf("far end got no JSON: %q", line)
	}
	return m
}

func (s *scripted) write(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.w, line+"\n"); err != nil {
		s.t.Errorf("far end write: %v", err)
	}
}

func ctxT(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	return ctx
}

func TestCallSendsLaneAndReturnsResult(t *testing.T) {
	p, far := pair(t, Options{})
	go func() {
		m := far.read()
		if m["method"] != "tool.call" || m["lane"] != "turn:s1" || m["jsonrpc"] != "2.0" {
			t.Errorf("request = %v", m)
		}
		far.write(`{"jsonrpc":"2.0","id":` + fmt.Sprint(m["id"]) + `,"result":{"n":12345678901234567890},"unknown":1}`)
	}()
	got, err := p.Call(ctxT(t), Call{Method: "tool.call", Lane: "turn:s1", Params: map[string]string{"a": "<&>"}})
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != `{"n":12345678901234567890}` {
		t.Errorf("result = %s", got)
	}
}

func TestAnswersMayComeInAnyOrder(t *testing.T) {
	p, far := pair(t, Options{})
	const n = 20
	go func() {
		for range n {
			far.read()
		}
		for i := n - 1; i >= 0; i-- {
			far.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":%v}`, i+1, i+1))
		}
	}()
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var id uint64
			got, err := p.Call(ctxT(t), Call{Method: "m", Sent: func(i uint64) { id = i }})
			if err != nil || string(got) != fmt.Sprint(id) {
				t.Errorf("call %d = %s, %v", id, got, err)
			}
		}()
	}
	wg.Wait()
}

func TestErrorAnswerIsTyped(t *testing.T) {
	p, far := pair(t, Options{})
	go func() {
		far.read()
		far.write(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown method"}}`)
	}()
	_, err := p.Call(ctxT(t), Call{Method: "nope"})
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeMethodNotFound {
		t.Fatalf("err = %v", err)
	}
}

func TestCancelTellsThePeerAndDropsTheLateAnswer(t *testing.T) {
	p, far := pair(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	told := make(chan map[string]any, 1)
	go func() {
		far.read()
		cancel()
		told <- far.read()
		far.write(`{"jsonrpc":"2.0","id":1,"result":"late"}`)
		m := far.read()
		far.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":"second"}`, m["id"]))
	}()
	_, err := p.Call(ctx, Call{Method: "slow", Cancel: "cancel"})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("err = %v", err)
	}
	got, err := p.Call(ctxT(t), Call{Method: "next"})
	if err != nil || string(got) != `"second"` {
		t.Fatalf("next call = %s, %v", got, err)
	}
	m := <-told
	if m["method"] != "cancel" || fmt.Sprint(m["params"]) != "map[id:1]" {
		t.Errorf("cancel message = %v", m)
	}
}

func TestPendingCallsFailWhenThePeerIsGone(t *testing.T) {
	p, far := pair(t, Options{})
	go func() {
		far.read()
		_ = far.w.Close()
	}()
	_, err := p.Call(ctxT(t), Call{Method: "m"})
	if !errors.Is(err, ErrClosed) {
		t.Fatalf("err = %v", err)
	}
	if _, err = p.Call(ctxT(t), Call{Method: "m"}); !errors.Is(err, ErrClosed) {
		t.Fatalf("call on a closed peer: %v", err)
	}
	if !errors.Is(p.Err(), io.EOF) {
		t.Errorf("Err = %v", p.Err())
	}
}

func TestGarbageEndsTheConnectionNamingIt(t *testing.T) {
	p, far := pair(t, Options{})
	garbage := "hello from a print " + strings.Repeat("x", 500)
	far.write(garbage)
	<-p.Done()
	var pe *ProtocolError
	if !errors.As(p.Err(), &pe) {
		t.Fatalf("Err = %v", p.Err())
	}
	if pe.Line != garbage[:200] {
		t.Errorf("line = %q", pe.Line)
	}
}

func TestLineLimit(t *testing.T) {
	p, far := pair(t, Options{MaxLine: 100_000})
	seen := make(chan int, 1)
	p.opt.Notify = func(_ string, params json.RawMessage) { seen <- len(params) }
	far.write(`{"method":"a","params":"` + strings.Repeat("y", 90_000) + `"}`)
	if n := <-seen; n != 90_002 {
		t.Errorf("params = %d bytes", n)
	}
	go func() { _, _ = io.WriteString(far.w, strings.Repeat("z", 200_000)) }() // the peer stops reading in the middle
	<-p.Done()
	if err := p.Err(); err == nil || !strings.Contains(err.Error(), "line over 100000 bytes") {
		t.Errorf("Err = %v", err)
	}
}

// A request of the peer that is answered while another still runs, with
// nested calls on its behalf.
func TestPeerMayCallBackWhileOurCallWaits(t *testing.T) {
	var p *Peer
	p, far := pair(t, Options{})
	p.opt.Handle = func(ctx context.Context, r Request) (any, error) {
		if r.Method != "dispatch_tool" {
			return nil, &Error{Code: CodeMethodNotFound, Message: "no " + r.Method}
		}
		got, err := p.Call(ctx, Call{Method: "hook.invoke", Lane: "turn:s", Parent: r.ID})
		return got, err
	}
	go func() {
		call := far.read()
		far.write(`{"jsonrpc":"2.0","id":"h1","method":"dispatch_tool","params":{}}`)
		nested := far.read()
		if nested["parent"] != "h1" {
			t.Errorf("nested request = %v", nested)
		}
		far.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":{"ok":true}}`, nested["id"]))
		answer := far.read()
		if answer["id"] != "h1" || fmt.Sprint(answer["result"]) != "map[ok:true]" {
			t.Errorf("answer = %v", answer)
		}
		far.write(`{"jsonrpc":"2.0","id":"h2","method":"other"}`)
		if m := far.read(); m["error"] == nil {
			t.Errorf("unknown method answered %v", m)
		}
		far.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"result":1}`, call["id"]))
	}()
	if got, err := p.Call(ctxT(t), Call{Method: "command.run"}); err != nil || string(got) != "1" {
		t.Fatalf("call = %s, %v", got, err)
	}
}

// A peer that stops reading must not stop callers from giving up.
func TestCallerDoesNotHangOnAPeerThatDoesNotRead(t *testing.T) {
	p, _ := pair(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 3 {
		if _, err := p.Call(ctx, Call{Method: "m", Params: strings.Repeat("x", 1<<20)}); !errors.Is(err, context.Canceled) {
			t.Fatalf("err = %v", err)
		}
	}
}

func TestNotificationsKeepTheirOrder(t *testing.T) {
	var got []string
	done := make(chan struct{})
	_, far := pair(t, Options{Notify: func(method string, params json.RawMessage) {
		if method == "end" {
			close(done)
			return
		}
		got = append(got, string(params))
	}})
	for i := range 100 {
		far.write(fmt.Sprintf(`{"method":"n","params":%d}`, i))
	}
	far.write(`{"method":"end"}`)
	<-done
	for i, s := range got {
		if s != fmt.Sprint(i) {
			t.Fatalf("notification %d = %s", i, s)
		}
	}
}

func TestUnencodableParamsAreAnError(t *testing.T) {
	p, _ := pair(t, Options{})
	_, err := p.Call(ctxT(t), Call{Method: "m", Params: func() {}})
	if err == nil || !strings.Contains(err.Error(), "send m: encode") {
		t.Fatalf("err = %v", err)
	}
}

// FuzzFrames feeds any bytes, cut anywhere: the peer neither panics nor hangs,
// and what it takes for messages are lines of JSON.
func FuzzFrames(f *testing.F) {
	f.Add([]byte(`{"method":"log","params":{}}`+"\n"), 3)
	f.Add([]byte(`{"id":1,"result":null}`+"\n"+`{"id":"h1","method":"x"}`+"\n"), 1)
	f.Add([]byte("\n\n  \n{\n"), 2)
	f.Add([]byte(`{"id":null,"method":"n"}`+"\r\n"), 5)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		r, w := io.Pipe()
		p := New(r, nopCloser{io.Discard}, Options{MaxLine: 1 << 16, Notify: func(method string, params json.RawMessage) {
			if method == "" {
				t.Error("notification without a method")
			}
			if len(params) > 0 && !json.Valid(params) {
				t.Errorf("params are no JSON: %q", params)
			}
		}})
		if cut < 1 {
			cut = 1
		}
		for len(data) > 0 {
			n := min(cut, len(data))
			if _, err := w.Write(data[:n]); err != nil {
				break
			}
			data = data[n:]
			select {
			case <-p.Done():
				data = nil
			default:
			}
		}
		_ = w.Close()
		_ = r.Close()
		p.Close()
	})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func BenchmarkRoundTrip(b *testing.B) {
	toPeer, fromFar := io.Pipe()
	toFar, fromPeer := io.Pipe()
	p := New(toPeer, fromPeer, Options{})
	go func() {
		br := bufio.NewReader(toFar)
		for {
			line, err := br.ReadBytes('\n')
			if err != nil {
				return
			}
			var m struct{ ID uint64 }
			_ = json.Unmarshal(line, &m)
			_, _ = fmt.Fprintf(fromFar, `{"id":%d,"result":{}}`+"\n", m.ID)
		}
	}()
	for b.Loop() {
		if _, err := p.Call(context.Background(), Call{Method: "m", Params: bytes.MinRead}); err != nil {
			b.Fatal(err)
		}
	}
	_ = fromFar.Close()
	_ = toFar.Close()
	p.Close()
}

func TestPanicsOfHandlersAreAnswered(t *testing.T) {
	var log strings.Builder
	var mu sync.Mutex
	seen := make(chan string, 1)
	p, far := pair(t, Options{
		Log:    slog.New(slog.NewTextHandler(writerFunc(func(b []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return log.Write(b) }), nil)),
		Handle: func(context.Context, Request) (any, error) { panic("handler broke") },
		Notify: func(method string, _ json.RawMessage) {
			if method == "bad" {
				panic("listener broke")
			}
			seen <- method
		},
	})
	far.write(`{"jsonrpc":"2.0","method":"bad"}`)
	far.write(`{"jsonrpc":"2.0","id":"h1","method":"llm.complete"}`)
	if m := far.read(); fmt.Sprint(m["error"]) != "map[code:-32603 message:request llm.complete: panic: handler broke]" || m["id"] != "h1" {
		t.Errorf("answer = %v", m)
	}
	far.write(`{"jsonrpc":"2.0","method":"good"}`)
	select {
	case <-seen:
	case <-ctxT(t).Done():
		t.Fatal("the notification after the panic did not come")
	}
	if err := p.Err(); err != nil {
		t.Errorf("the connection ended: %v", err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{"listener broke", "handler broke", "notification bad", "request llm.complete", "TestPanicsOfHandlersAreAnswered"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}

// A panic in the stream itself ends the connection, as any fault of it does.
func TestPanicOfTheStreamEndsTheConnection(t *testing.T) {
	far, peerSide := io.Pipe()
	p := New(readerFunc(func([]byte) (int, error) { panic("stream broke") }), peerSide, Options{})
	t.Cleanup(func() { _ = far.Close(); p.Close() })
	select {
	case <-p.Done():
	case <-ctxT(t).Done():
		t.Fatal("the connection stands")
	}
	if _, err := p.Call(ctxT(t), Call{Method: "x"}); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "stream broke") {
		t.Errorf("call: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
