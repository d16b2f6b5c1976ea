package rpc

import (
	"encoding/json"
	"fmt"
)

// Error codes: JSON-RPC's own, then those of the plugin protocol.
const (
	CodeMethodNotFound = -32601
	CodeInternal       = -32603
	CodeCancelled      = -32800
	CodeStopping       = -32801
)

// Error is the answer of a peer that could not carry out a request. What
// plugin code did wrong is never an Error: it is part of a result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// outgoing is a message of ours.
type outgoing struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      any             `json:"id,omitempty"` // uint64 of ours, or the peer's own
	Method  string          `json:"method,omitempty"`
	Lane    string          `json:"lane,omitempty"`
	Parent  json.RawMessage `json:"parent,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// incoming is a message of the peer. Unknown members are ignored.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Lane   string          `json:"lane"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// parse reads one line. A message is a request or notification (it has a
// method) or a response (it has an id and no method).
func parse(line []byte) (incoming, error) {
	var m incoming
	if err := json.Unmarshal(line, &m); err != nil {
		return m, &ProtocolError{Line: head(line), Err: err}
	}
	if m.Method == "" && len(m.ID) == 0 {
		return m, &ProtocolError{Line: head(line), Err: fmt.Errorf("neither method nor id")}
	}
	return m, nil
}

// ProtocolError says that the peer sent what is no message.
type ProtocolError struct {
	Line string // the first bytes of it
	Err  error
}

func (e *ProtocolError) Error() string {
	return fmt.Sprintf("no JSON-RPC message: %v: %q", e.Err, e.Line)
}

func (e *ProtocolError) Unwrap() error { return e.Err }

// headLimit is how many bytes of a bad line an error shows.
const headLimit = 200

func head(line []byte) string {
	if len(line) > headLimit {
		line = line[:headLimit]
	}
	return string(line)
}
