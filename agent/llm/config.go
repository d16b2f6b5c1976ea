package llm

import (
	"net/http"
	"time"
)

// API modes: the wire protocols that clients speak.
const (
	ModeChat      = "chat_completions"
	ModeAnthropic = "anthropic_messages"
	ModeResponses = "codex_responses"
)

// CallsBySchema is Config.ToolCalls for models that call no tool unless a JSON
// Schema holds their answer.
const CallsBySchema = "schema"

// Config says which service, which model and how. Clients of every protocol
// take it.
type Config struct {
	Provider string // "custom", "deepseek", "openrouter" …
	Model    string
	BaseURL  string // up to, not including, /chat/completions, /v1/messages or /responses
	APIMode  string // "" means ModeChat
	APIKey   string
	// MaxTokens caps one answer. 0 means the provider's default: 65536 for a
	// custom service, what the model can write for Messages, no limit sent for
	// others.
	MaxTokens int
	Window    int // context window in tokens, 0 when unknown
	// ReasoningEffort is none, minimal, low, medium, high, xhigh, max or ultra;
	// "" sends nothing.
	ReasoningEffort string
	Headers         map[string]string // added to every request
	ExtraBody       map[string]any    // merged into the body at top level
	UserAgent       string            // empty means "hermes"
	// CacheTTL is prompt_caching.cache_ttl: "1h", else the service's own time.
	CacheTTL string
	// ToolCalls is CallsBySchema or "", which means the protocol's own way.
	ToolCalls string
	// OllamaNumCtx is sent as options.num_ctx when set, in tokens.
	OllamaNumCtx int
	NoImages     bool // the model is known to take none
	// Timeout bounds a request as a whole, ReadTimeout the wait for the next
	// byte, StaleTimeout the wait for the next event. 0 means the defaults of
	// the contract (core §1.3), which are longer for local services and long
	// conversations; negative means none.
	Timeout, ReadTimeout, StaleTimeout time.Duration
	// HTTP sends the requests; nil means service.NewHTTP's.
	HTTP *http.Client
}

// ModelInfo is one entry of a service's list of models.
type ModelInfo struct {
	ID     string
	Window int // tokens, 0 when the service does not say
}
