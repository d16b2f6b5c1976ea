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
	// Parts, when set, is sent in place of Content, which then holds the words
	// alone. Models that take no images get the texts only.
	Parts []Part
	// APIContent, when set, is what is sent in place of Content: a user text
	// with the context that hooks added (contract/core §1.1 rule 6).
	APIContent string
	ToolCalls  []ToolCall
	ToolCallID string // of tool messages
	Name       string // tool name, of tool messages
	Reasoning  string // never shown to another provider
	// ReasoningDetails is sent back unchanged to services of the kind that gave
	// it: entries of reasoning_details (chat completions), thinking blocks with
	// their signatures (Messages), encrypted reasoning items (Responses).
	ReasoningDetails json.RawMessage
	FinishReason     string
	// Synthetic marks a message that the program wrote to the model (a request
	// to continue, a closing note); the user never typed it.
	Synthetic bool
}

// Part is a piece of a message's content: a text or an image.
type Part struct {
	Text  string
	Image *Image // nil for a text
}

// Image is a picture, by its bytes or by a URL that the service fetches.
type Image struct {
	MIME string // image/png …
	Data []byte
	URL  string // used when Data is empty
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
	// Schema, when set, is the whole function object as it is sent: the fields
	// above in the author's key order, and whatever else the author wrote.
	Schema json.RawMessage
}

// Request is one request. Messages holds the whole conversation, system
// message first.
type Request struct {
	Messages  []Message
	Tools     []ToolDef // sorted by name; empty means no tools field
	MaxTokens int       // 0: the client's default; negative: no limit is sent
	Plain     bool      // ask for one document instead of a stream
	Session   string
	// ToolChoice is "" (nothing is sent, which means auto), auto, none,
	// required, or the name of the tool that has to be called.
	ToolChoice string
	// Effort is the reasoning effort of this request alone; "" means the
	// client's setting.
	Effort string
	// Temperature, when set, is sent to services that take one; nil sends none.
	Temperature *float64
}

// Tool choices with a meaning of their own.
const (
	ChoiceAuto     = "auto"
	ChoiceNone     = "none"
	ChoiceRequired = "required"
)

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
	Model        string // as the service named it
	Usage        *Usage // nil when the service gave none
	Notes        []Note // what had to be repaired or left out
}

// Usage counts tokens. In counts prompt tokens without cached ones.
type Usage struct {
	In, Out, CacheRead, CacheWrite, Reasoning int
	// Cost is what the service says it charges, in USD; 0 when it says nothing.
	Cost float64
}

// Info says what a client talks to. It never holds the key.
type Info struct {
	Provider string
	Model    string
	BaseURL  string
	APIMode  string // chat_completions, anthropic_messages, codex_responses
	Demo     bool
	Window   int // context window in tokens, 0 when unknown
	// MaxTokens is the cap on an answer that requests carry by default, 0 when
	// they carry none.
	MaxTokens int
}

// Client sends requests to one model. It is safe for concurrent use.
type Client interface {
	Info() Info
	// Stream sends r and calls onDelta for every piece, on the caller's
	// goroutine, until the answer ends. It makes one attempt: retries are the
	// agent's. Only what the service refuses by name is left out in one more
	// try, here and from then on; a Note says so once. Failures are *Error where the service or the way to it is the
	// cause; ctx.Err() when ctx ended. Beside an error, the response is what
	// had arrived before it, nil when nothing had.
	Stream(ctx context.Context, r Request, onDelta func(Delta)) (*Response, error)
}

// ErrorKind says what kind of failure a request met, so that the agent can
// choose between waiting, mending the request and telling the user.
type ErrorKind int

// Kinds of failures (contract/core §1.6).
const (
	ErrUnknown         ErrorKind = iota
	ErrAuth                      // 401, 403
	ErrBilling                   // 402, or credit wording
	ErrRateLimit                 // 429
	ErrOverloaded                // 503, 529
	ErrServer                    // 500, 502, a web page, an error inside the stream
	ErrConnection                // no answer, or none in time
	ErrTLS                       // the certificate was refused
	ErrCut                       // the stream ended early
	ErrContextOverflow           // the conversation does not fit the model
	ErrOutputCap                 // max_tokens is more than the model writes
	ErrTooLarge                  // 413
	ErrNotFound                  // 404: no such model or address
	ErrFormat                    // other 4xx
)

// Error is a failed request.
type Error struct {
	Kind       ErrorKind
	Status     int           // HTTP status, 0 when there was none
	Message    string        // the service's words, secrets removed
	Retryable  bool          // 429, 5xx, no answer, cut stream
	RetryAfter time.Duration // 0 when the service named none
	Partial    bool          // text had arrived before it broke
	Limit      int           // tokens, when the service named the limit that was passed
	Param      string        // what the service's error names as its cause, "" for nothing
	Err        error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("HTTP %d: %s", e.Status, e.Message)
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }
