package app_test

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"

	"hermes/tui/tuitest"
)

// gate is where code of the plugin "gate" waits: a test sees it arrive and
// lets it go.
type gate struct {
	t        *testing.T
	ln       net.Listener
	arrivals chan arrival
}

type arrival struct {
	name string
	conn net.Conn
}

// newGate opens a gate; what still waits at the end of the test is let go.
func newGate(t *testing.T) *gate {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	g := &gate{t: t, ln: ln, arrivals: make(chan arrival, 64)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			name, _ := bufio.NewReader(conn).ReadString('\n') // a name that did not come is empty
			g.arrivals <- arrival{strings.TrimSpace(name), conn}
		}
	}()
	t.Cleanup(func() {
		_ = ln.Close()
		<-done
		for {
			select {
			case a := <-g.arrivals:
				_ = a.conn.Close()
			default:
				return
			}
		}
	})
	return g
}

func (g *gate) addr() string { return g.ln.Addr().String() }

// open lets the environment of the program name the gate.
func (g *gate) open() option { return withEnv("GATE_ADDR", g.addr()) }

// wait waits until code has come to the gate, and returns what lets it go.
func (g *gate) wait(name string) (release func()) {
	g.t.Helper()
	select {
	case a := <-g.arrivals:
		if a.name != name {
			g.t.Fatalf("%q came to the gate, want %q", a.name, name)
		}
		g.t.Cleanup(func() { _ = a.conn.Close() })
		return func() { _ = a.conn.Close() }
	case <-time.After(tuitest.Deadline):
		g.t.Fatalf("%q did not come to the gate", name)
		return nil
	}
}
