package agent

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"time"

	"hermes/agent/compress"
	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/prompt"
	"hermes/agent/tool"
)

// Options is what an Agent needs of the program. Functions are asked again at
// every turn, so that what they answer may change; they must be safe for
// concurrent use and return at once. Bus and Tools are required.
type Options struct {
	Bus   *event.Bus
	Tools *tool.Registry
	// Hooks returns who runs the hooks; nil means nobody.
	Hooks func() hook.Invoker
	Log   *slog.Logger
	Lang  func() locale.Lang
	// Client returns the model that answers, nil when there is none.
	Client func() llm.Client
	// Fallbacks are the models that are asked in turn when Client's fails
	// (fallback_providers); nil means none.
	Fallbacks func() []llm.Client
	// Aux returns the model for side work ("compression", "title"); nil, or a
	// nil client, means the one that answers.
	Aux      func(task string) llm.Client
	Settings func() Settings
	// Ready says what a turn should wait for (plugins that still load): a
	// reason for the user and a channel that is closed when the wait is over.
	// A nil channel means that nothing is left to wait for.
	Ready func(ctx context.Context) (reason string, wait <-chan struct{})
	// Redact takes secrets out of a text. It is applied to events, log lines
	// and tool results.
	Redact func(string) string
	// Dir is the working directory, Home is HERMES_HOME, Platform is "cli".
	Dir, Home, Platform string
	Now                 func() time.Time
	// NewID makes session ids; nil means YYYYMMDD_HHMMSS_<6 hex>.
	NewID func() string
	// BeforeTool is called before each call that runs, with its final arguments:
	// for the checkpoint before the first change of a turn. nil means nothing.
	BeforeTool func(ctx context.Context, c tool.Call)
	// ChildOver is called when the session of a sub-agent has ended; nil means
	// nothing is left to end.
	ChildOver func(session string)
	// Parent is the session that this one works for; empty for none.
	Parent string
	// Skills returns the index of skills for the system prompt, heading
	// included, given the names of the tools and toolsets on offer; nil or an
	// empty text means none.
	Skills func(tools, toolsets []string) string
	// SystemPrompt builds the system prompt; nil means prompt.Build.
	SystemPrompt func(prompt.Input) string
	// Ask puts a question to the user; nil when nobody can answer. It fills in
	// the question's id.
	Ask tool.AskFunc
	// Allowed and Allow read and write what the user approved for good, by rule.
	Allowed func(rule string) bool
	Allow   func(rule string) error
	// Store keeps the conversation; nil means that it lives in memory alone.
	Store Store
	// Source is what the store calls this kind of session: cli, tui, subagent.
	// Empty means Platform.
	Source string
	// Sleep waits between attempts; nil means a timer. Tests replace it.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Busy modes: what a text does that is submitted while a turn runs.
const (
	BusyQueue     = "queue"
	BusyInterrupt = "interrupt"
	BusySteer     = "steer"
)

// Settings are the configurable limits. Zero values mean the defaults of the
// contract (core §1.3), which stand beside the fields.
type Settings struct {
	MaxTurns        int           // requests per turn: 90
	APIMaxRetries   int           // attempts per request: 3
	StreamRetries   int           // silent repetitions after a lost connection: 2; negative: none
	ToolTimeout     time.Duration // per call: 600 s; negative: none
	ParallelTimeout time.Duration // of calls that run side by side: 420 s; negative: none
	ReadyTimeout    time.Duration // for plugins to load: 10 s
	ApprovalTimeout time.Duration // of a question about a call: 60 s; negative: none
	HandOverTimeout time.Duration // for the answer to a task that a tool took on: 30 min
	BusyMode        string        // BusyQueue
	ContextWindow   int           // tokens; 0: as the client says
	Toolsets        tool.Selection
	// HardStop ends calls that fail or repeat too often instead of warning
	// (tool_loop_guardrails.hard_stop_enabled).
	HardStop bool
	// ApproveAll lets calls run that a plugin wants approved: --yolo, or
	// approvals.mode: off, which YAML may read as false (decision D23).
	ApproveAll  bool
	Compression Compression
	// Spill is hooks.output_spill.
	Spill Spill
	// ToolChoice is model.tool_choice or --tool-choice: auto, none, required or
	// the name of a tool; empty sends none.
	ToolChoice string
	// Effort is how hard the model shall think (llm.Request.Effort); empty
	// leaves it to the client.
	Effort string
	// Titles asks a model for the session's title after the first exchange.
	Titles bool
	// NoMutationFooter is display.file_mutation_verifier: false.
	NoMutationFooter bool
	// DropInjected keeps what hooks add to a message in memory alone
	// (sessions.keep_injected: false, decision D32).
	DropInjected bool
	// MaxCost ends a turn when the session has cost that much, in USD; 0: no
	// limit. It holds only where prices are known.
	MaxCost float64
	// HiddenTools are tools that are not offered, whatever their toolset.
	HiddenTools []string
	// SubagentApprove lets what needs approval run in sub-agents
	// (delegation.subagent_auto_approve).
	SubagentApprove bool
	// Prompt are settings of the system prompt.
	Prompt PromptSettings
	// Ephemeral is added to the system prompt of every request and not stored:
	// skills that were loaded at the start, a personality.
	Ephemeral string
	// CustomPrompt is agent.system_prompt, Enforce agent.tool_use_enforcement;
	// NoRules is --ignore-rules.
	CustomPrompt, Enforce string
	NoRules               bool
}

// Compression is the configuration's compression.*.
type Compression struct {
	compress.Settings
	Off            bool // enabled: false
	AbortOnFailure bool // abort_on_summary_failure
}

// PromptSettings are settings of the system prompt. Zero values mean the
// defaults; see prompt.Input for what they do.
type PromptSettings struct {
	NoWorkspace            bool // agent.coding_context: off
	NoFinish, NoBatch      bool
	MemoryLimit, UserLimit int // negative: off
	Profile                string
	PassSessionID          bool // --pass-session-id
	HintAdd, HintInstead   string
}

// Spill bounds a text that a hook adds to the user's message, in characters.
type Spill struct {
	Off        bool   // enabled: false
	MaxChars   int    // 10000
	Head, Tail int    // 500 each
	Dir        string // $HERMES_HOME/hook_outputs/<session>
}

func (s Settings) withDefaults() Settings {
	def(&s.MaxTurns, 90)
	def(&s.APIMaxRetries, 3)
	def(&s.StreamRetries, 2)
	def(&s.ToolTimeout, 600*time.Second)
	def(&s.ParallelTimeout, 420*time.Second)
	def(&s.ReadyTimeout, 10*time.Second)
	def(&s.ApprovalTimeout, approvalTimeout)
	s.ApprovalTimeout = max(s.ApprovalTimeout, 0)
	def(&s.HandOverTimeout, 30*time.Minute)
	def(&s.BusyMode, BusyQueue)
	def(&s.Spill.MaxChars, 10_000)
	def(&s.Spill.Head, 500)
	def(&s.Spill.Tail, 500)
	return s
}

func def[T comparable](v *T, d T) {
	var zero T
	if *v == zero {
		*v = d
	}
}

// withDefaults fills what may be nil.
func (o Options) withDefaults() Options {
	if o.Hooks == nil {
		o.Hooks = func() hook.Invoker { return hook.None{} }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Lang == nil {
		o.Lang = func() locale.Lang { return locale.EN }
	}
	if o.Client == nil {
		o.Client = func() llm.Client { return nil }
	}
	if o.Settings == nil {
		o.Settings = func() Settings { return Settings{} }
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) (string, <-chan struct{}) { return "", nil }
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Platform == "" {
		o.Platform = "cli"
	}
	if o.Source == "" {
		o.Source = o.Platform
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		now := o.Now
		o.NewID = func() string { return now().Format("20060102_150405_") + hexID(6) }
	}
	if o.SystemPrompt == nil {
		o.SystemPrompt = prompt.Build
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// hexID returns n random hexadecimal digits.
func hexID(n int) string {
	b := make([]byte, (n+1)/2)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return hex.EncodeToString(b)[:n]
}
