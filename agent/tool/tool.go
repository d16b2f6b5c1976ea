// Package tool defines what a tool is and where tools are registered. Built-in
// tools and plugin tools are the same thing here. The package runs nothing by
// itself: the agent owns the pipeline around a call.
package tool

import (
	"context"
	"encoding/json"
	"time"

	"hermes/agent/event"
)

// Spec describes a tool. It is a value; its slices are never changed.
type Spec struct {
	Name        string
	Toolset     string
	Description string
	// Parameters is the JSON Schema of the arguments as registered, nil when
	// the tool gave none.
	Parameters json.RawMessage
	// Schema is the whole registered function object (name, description,
	// parameters and whatever else the author wrote), as the reference keeps it.
	Schema      json.RawMessage
	Owner       string // plugin key, empty for built-in tools
	Emoji       string
	RequiresEnv []string
	Async       bool
	HasCheck    bool
	// Strict asks for surplus arguments to be refused: the schema says
	// additionalProperties: false or strict: true (decision D34).
	Strict bool
	// ParallelSafe lets the call run beside others of its batch.
	ParallelSafe bool
	// Timeout bounds one call; 0 means the configured default, negative none.
	Timeout time.Duration
	// NoBudget exempts the result from the size budget (read_file).
	NoBudget bool
}

// Call is one call as the pipeline hands it to a tool.
type Call struct {
	ID         string
	Name       string
	Args       json.RawMessage // a JSON object, after coercion
	Session    string
	Task       string // task id; in the terminal the session id
	Turn       string
	APIRequest string
	// Progress, when not nil, shows a line on the running card.
	Progress func(text string)
	// Ask puts a question to the user; nil when nobody can answer.
	Ask AskFunc
}

// AskFunc puts a question to the user and waits for the answer. ok is false
// when nobody answered: no terminal, the question expired, ctx ended. A tool
// then takes the safe way. The id and envelope of q are filled in.
type AskFunc func(ctx context.Context, q event.Ask) (a event.Answer, ok bool)

// Result is what a tool gives back.
type Result struct {
	// Content is the text for the model.
	Content string
	// Parts, when set, is what models get that take pictures; Content then sums
	// it up in words for the others, for screens and for limits.
	Parts []Part
	// Err is set when the handler failed in a way the user should see (a
	// raised exception, a result that breaks the contract). Content is what
	// the model gets nevertheless.
	Err *Failure
	// Args are the arguments as the handler left them when it edited them, a
	// JSON object; nil when it did not. Hooks that come after are told these.
	Args json.RawMessage
	// Diff is what the call changed in files, as a unified diff, for the card.
	Diff string
}

// Failure says for the card and the log what went wrong; never sent to the
// model.
type Failure struct {
	Type      string // of the exception, empty when Message stands alone
	Message   string // of the exception, else a sentence in the user's language
	File      string
	Line      int
	Traceback string
}

// Tool is one tool.
type Tool interface {
	Spec() Spec
	// Available reports whether the model may see the tool now, and why not.
	// It may block (a plugin's check_fn); the caller bounds it with ctx.
	Available(ctx context.Context) (ok bool, why string)
	// Run carries the call out. An error means the call could not be carried
	// out at all (the plugin host ended, ctx ended); what a handler did wrong
	// is in Result.
	Run(ctx context.Context, c Call) (Result, error)
}
