// Package llm defines what the agent needs of a model: one streaming request
// with tools. Services, and the built-in demo model, implement Client in
// subpackages. The package knows nothing of sessions, tools that run, or
// screens.
package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Roles of messages.
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// Message is one message of a conversation, as history keeps it.
type Message struct {
	Role    string
	Content string
	// APIContent, when set, is what is sent in place of Content: a user text
	// with the context that hooks added (contract/core §1.1 rule 6).
	APIContent string
	ToolCalls  []ToolCall
	ToolCallID string // of tool messages
	Name       string // tool name, of tool messages
	Reasoning  string // never shown to another provider
	// ReasoningDetails is sent back unchanged to services that gave it.
	ReasoningDetails json.RawMessage
	FinishReason     string
}

// ToolCall is a call as the model wrote it.
type ToolCall struct {
	ID        string
	Name      string
	Arguments string // JSON text, possibly broken
}

// ToolDef is a tool as a request offers it.
type ToolDef struct {
	Name        string
	Description string
	Parameters  json.RawMessage // JSON Schema of an object
}

// Request is one request. Messages holds the whole conversation, system
// message first.
type Request struct {
	Messages  []Message
	Tools     []ToolDef // sorted by name; empty means no tools field
	MaxTokens int       // 0: the client's default
	Session   string
}

// DeltaKind says what a Delta carries.
type DeltaKind int

// Kinds of deltas.
const (
	DeltaText DeltaKind = iota
	DeltaReasoning
)

// Delta is a piece of the answer while it streams.
type Delta struct {
	Kind DeltaKind
	Text string
}

// Response is a finished answer.
type Response struct {
	Message      Message
	FinishReason string
	Model        string   // as the service named it
	Usage        *Usage   // nil when the service gave none
	Notes        []string // what had to be repaired, for the tool card
}

// Usage counts tokens. In counts prompt tokens without cached ones.
type Usage struct {
	In, Out, CacheRead, CacheWrite, Reasoning int
}

// Info says what a client talks to. It never holds the key.
type Info struct {
	Provider string
	Model    string
	BaseURL  string
	APIMode  string // chat_completions
	Demo     bool
	Window   int // context window in tokens, 0 when unknown
}

// Client sends requests to one model. It is safe for concurrent use.
type Client interface {
	Info() Info
	// Stream sends r and calls onDelta for every piece, on the caller's
	// goroutine, until the answer ends. It makes one attempt: retries are the
	// agent's. Failures are *Error where the service or the way to it is the
	// cause; ctx.Err() when ctx ended.
	Stream(ctx context.Context, r Request, onDelta func(Delta)) (*Response, error)
}

// Error is a failed request.
type Error struct {
	Status     int           // HTTP status, 0 when there was none
	Message    string        // the service's words, secrets removed
	Retryable  bool          // 429, 5xx, no answer, cut stream
	RetryAfter time.Duration // 0 when the service named none
	Partial    bool          // text had arrived before it broke
	Err        error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("HTTP %d: %s", e.Status, e.Message)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }
