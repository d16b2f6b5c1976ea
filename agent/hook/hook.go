// Package hook names the lifecycle hooks, the arguments that each carries and
// the interface through which the agent fires them. It knows neither the agent
// nor the plugins: plugins implement Invoker, the agent calls it.
package hook

import (
	"context"
	"encoding/json"
)

// SchemaVersion is sent to every callback as telemetry_schema_version
// (contract: plugins §6.1).
const SchemaVersion = "hermes.observer.v1"

// Names of the hooks that plugins may register. Known lists them all.
const (
	OnSessionStart       = "on_session_start"
	PreLLMCall           = "pre_llm_call"
	PreAPIRequest        = "pre_api_request"
	PostAPIRequest       = "post_api_request"
	APIRequestError      = "api_request_error"
	PreToolCall          = "pre_tool_call"
	PostToolCall         = "post_tool_call"
	TransformToolResult  = "transform_tool_result"
	TransformTerminal    = "transform_terminal_output"
	PreVerify            = "pre_verify"
	TransformLLMOutput   = "transform_llm_output"
	PostLLMCall          = "post_llm_call"
	OnSessionEnd         = "on_session_end"
	OnSessionFinalize    = "on_session_finalize"
	OnSessionReset       = "on_session_reset"
	SubagentStart        = "subagent_start"
	SubagentStop         = "subagent_stop"
	PreApprovalRequest   = "pre_approval_request"
	PostApprovalResponse = "post_approval_response"
	PreGatewayDispatch   = "pre_gateway_dispatch"
	KanbanTaskClaimed    = "kanban_task_claimed"
	KanbanTaskCompleted  = "kanban_task_completed"
	KanbanTaskBlocked    = "kanban_task_blocked"
)

// Known holds the names of contract/plugins §6.3.
var Known = []string{
	OnSessionStart, PreLLMCall, PreAPIRequest, PostAPIRequest, APIRequestError,
	PreToolCall, PostToolCall, TransformToolResult, TransformTerminal, PreVerify,
	TransformLLMOutput, PostLLMCall, OnSessionEnd, OnSessionFinalize, OnSessionReset,
	SubagentStart, SubagentStop, PreApprovalRequest, PostApprovalResponse,
	PreGatewayDispatch, KanbanTaskClaimed, KanbanTaskCompleted, KanbanTaskBlocked,
}

// Invoker fires hooks. Implementations are safe for concurrent use.
type Invoker interface {
	// Has reports whether any callback is registered for name. It is cheap: no
	// payload need be built when it says no.
	Has(name string) bool
	// Invoke runs every callback of name in registration order and returns
	// when the last one answered, was skipped or reached its limit. payload
	// marshals to a JSON object: the keyword arguments. An error means that
	// the callbacks could not be reached at all (no host); the caller goes on
	// without them.
	Invoke(ctx context.Context, name string, payload any) (Outcome, error)
}

// Outcome is what the callbacks of one hook did.
type Outcome struct {
	// Returns holds the non-null return values, in callback order.
	Returns []json.RawMessage
	// Changed holds the arguments that a callback edited in place.
	Changed map[string]json.RawMessage
	// Failed says that a callback that guards (hook_failure: block) raised or
	// timed out, with the sentence for the model.
	Failed string
}

// None is an Invoker without callbacks.
type None struct{}

// Has is always false.
func (None) Has(string) bool { return false }

// Invoke does nothing.
func (None) Invoke(context.Context, string, any) (Outcome, error) { return Outcome{}, nil }

type turnKey struct{}

// WithTurn says which turn the hooks fired under ctx belong to: not every
// hook's arguments name it.
func WithTurn(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, turnKey{}, id)
}

// TurnOf is the turn that WithTurn named, empty outside turns.
func TurnOf(ctx context.Context) string {
	id, _ := ctx.Value(turnKey{}).(string)
	return id
}
