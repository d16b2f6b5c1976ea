package wire

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"hermes/agent/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A small server answers on a kept connection once, and closes it when the
// next request arrives: that request goes out again on a new one.
func TestKeptConnectionThatIsClosed(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns atomic.Int32
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			conns.Add(1)
			r := bufio.NewReader(c)
			if req, err := http.ReadRequest(r); err == nil {
				_ = req.Body.Close()
				fmt.Fprint(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}")
				_, _ = http.ReadRequest(r) // the next request, which stays without an answer
			}
			_ = c.Close()
		}
	}()
	h, err := NewHTTP(TLS{})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCaller(llm.Config{BaseURL: "http://" + ln.Addr().String(), HTTP: h}, http.Header{})
	for i := range 3 {
		x, err := c.Post(t.Context(), "/chat/completions", []byte("{}"))
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if data, err := x.Document(); err != nil || string(data) != "{}" {
			t.Errorf("request %d: %q, %v", i, data, err)
		}
		x.Finish()
		x.Close()
	}
	if n := conns.Load(); n != 3 {
		t.Errorf("%d connections", n)
	}
	h.CloseIdleConnections()
	_ = ln.Close()
	<-done
}
