package hook

import "encoding/json"

// The payloads of the guide's eight hooks (contract/plugins §6.3). Field names
// are the keyword arguments; the host adds telemetry_schema_version.

// SessionStart goes with on_session_start.
type SessionStart struct {
	SessionID string `json:"session_id"`
	Model     string `json:"model"`
	Platform  string `json:"platform"`
}

// LLMCall goes with pre_llm_call.
type LLMCall struct {
	SessionID   string          `json:"session_id"`
	TaskID      string          `json:"task_id"`
	TurnID      string          `json:"turn_id"`
	UserMessage string          `json:"user_message"`
	History     json.RawMessage `json:"conversation_history"`
	IsFirstTurn bool            `json:"is_first_turn"`
	Model       string          `json:"model"`
	Platform    string          `json:"platform"`
	SenderID    string          `json:"sender_id"`
}

// LLMDone goes with post_llm_call.
type LLMDone struct {
	SessionID         string          `json:"session_id"`
	TaskID            string          `json:"task_id"`
	TurnID            string          `json:"turn_id"`
	UserMessage       string          `json:"user_message"`
	AssistantResponse string          `json:"assistant_response"`
	History           json.RawMessage `json:"conversation_history"`
	Model             string          `json:"model"`
	Platform          string          `json:"platform"`
}

// ToolCall goes with pre_tool_call.
type ToolCall struct {
	ToolName     string          `json:"tool_name"`
	Args         json.RawMessage `json:"args"`
	TaskID       string          `json:"task_id"`
	SessionID    string          `json:"session_id"`
	ToolCallID   string          `json:"tool_call_id"`
	TurnID       string          `json:"turn_id"`
	APIRequestID string          `json:"api_request_id"`
	Trace        []any           `json:"middleware_trace"`
}

// ToolDone goes with post_tool_call and, without the trace, with
// transform_tool_result.
type ToolDone struct {
	ToolName     string          `json:"tool_name"`
	Args         json.RawMessage `json:"args"`
	Result       any             `json:"result"` // text, or the mapping of a multimodal result
	TaskID       string          `json:"task_id"`
	SessionID    string          `json:"session_id"`
	ToolCallID   string          `json:"tool_call_id"`
	TurnID       string          `json:"turn_id"`
	APIRequestID string          `json:"api_request_id"`
	DurationMs   int64           `json:"duration_ms"`
	Status       string          `json:"status"`
	ErrorType    *string         `json:"error_type"`
	ErrorMessage *string         `json:"error_message"`
	// Trace is an empty list for post_tool_call, nil for transform_tool_result.
	Trace any `json:"middleware_trace,omitempty"`
}

// SessionEnd goes with on_session_end. The ids are left out at exit.
type SessionEnd struct {
	SessionID   string `json:"session_id"`
	TaskID      string `json:"task_id,omitempty"`
	TurnID      string `json:"turn_id,omitempty"`
	Completed   bool   `json:"completed"`
	Interrupted bool   `json:"interrupted"`
	Model       string `json:"model"`
	Platform    string `json:"platform"`
	Reason      string `json:"reason,omitempty"`
}

// SessionBoundary goes with on_session_finalize and on_session_reset.
type SessionBoundary struct {
	SessionID *string `json:"session_id"`
	Platform  string  `json:"platform"`
	Reason    string  `json:"reason"`
}
