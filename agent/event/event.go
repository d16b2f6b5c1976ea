package event

import (
	"encoding/json"
	"time"
)

// Event is one thing that happened. The set is sealed: only types of this
// package implement it, so that a switch over them can be checked.
type Event interface {
	// Envelope returns the event's Meta. Seq and At are zero until the event
	// went through a Bus.
	Envelope() Meta
	stamp(seq uint64, at time.Time) Event
}

// Meta is the envelope that every event carries.
type Meta struct {
	Seq     uint64    // position in the process-wide order, from 1
	At      time.Time // when the bus took it
	Session string    // session id, empty before there is one
	Turn    string    // turn id, empty outside turns
}

// Envelope makes every struct that embeds Meta satisfy that part of Event.
func (m Meta) Envelope() Meta { return m }

// ---- session

// SessionOpened says that a session began, or goes on.
type SessionOpened struct {
	Meta
	Model    string
	Provider string
	Dir      string // working directory, absolute
	Title    string
	Resumed  bool // it was stored; a HistoryRestored follows
}

// HistoryRestored carries the conversation of a resumed session, for the view.
type HistoryRestored struct {
	Meta
	Messages []Restored
	// Repaired counts tool calls that had no result because the program was
	// killed; they were answered as interrupted.
	Repaired int
}

// Restored is one message of a resumed conversation.
type Restored struct {
	Role      string         `json:"role"` // user, assistant or tool
	Text      string         `json:"text"`
	Reasoning string         `json:"reasoning,omitempty"`
	Calls     []RestoredCall `json:"calls,omitempty"`
	Call      string         `json:"call,omitempty"` // of a tool's result: the call it answers
	Name      string         `json:"name,omitempty"` // likewise: the tool
	At        time.Time      `json:"at,omitzero"`
	Synthetic bool           `json:"synthetic,omitempty"` // written by the program
}

// RestoredCall is a tool call of a resumed message.
type RestoredCall struct {
	Call string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"` // JSON, secrets redacted
}

// HistoryUndone says that the last turns were taken back (/undo, /retry).
type HistoryUndone struct {
	Meta
	Turns    int
	Messages int
	Text     string // the user's message that the oldest of them began with
}

// TitleChanged names the session.
type TitleChanged struct {
	Meta
	Title string
}

// SessionsListed carries the stored sessions, the newest first.
type SessionsListed struct {
	Meta
	Sessions []StoredSession
	Err      string // why there is no list, in the user's language
}

// StoredSession is a row of the list of sessions.
type StoredSession struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"` // or the beginning of the first message
	Model    string    `json:"model"`
	Source   string    `json:"source"`
	Dir      string    `json:"cwd"`
	Messages int       `json:"messages"`
	Active   time.Time `json:"last_active"`
}

// FilesListed carries the files of the project that a message can refer to.
type FilesListed struct {
	Meta
	Files []string // relative to the working directory, with slashes, in its order
	More  bool     // there are more than are listed
	Err   string   // why there is no list, in the user's language
}

// Phases of a compression.
const (
	CompressStarted = "started"
	CompressDone    = "done"
	CompressFailed  = "failed" // nothing was changed
)

// Compress says that the conversation is being shortened to fit the window.
type Compress struct {
	Meta
	Phase         string
	Before, After int  // tokens, estimated
	Messages      int  // how many the summary stands for
	Manual        bool // /compress
	Fallback      bool // the summary was made without the model
	Reason        string
}

// SessionReset says that a new session took the place of the one before
// (/new, /clear). Meta.Session is the new id.
type SessionReset struct {
	Meta
	Old string
}

// SessionClosed says that a session ended for good.
type SessionClosed struct {
	Meta
	Reason string
}

// ModelChanged names the model that answers from now on.
type ModelChanged struct {
	Meta
	Model    string
	Provider string
	BaseURL  string
	Demo     bool // the built-in demo model: every answer is labelled
	Window   int  // context window in tokens, 0 when unknown
	Reason   string
}

// Usage is what the service counted for one request.
type Usage struct {
	Meta
	Tokens
	Window int
	// Context is how many tokens the conversation takes now: what the service
	// last counted and an estimate of what was added since. Estimated says that
	// there is such a part; it is shown with a ~.
	Context   int
	Estimated bool
	// Cost is what the session cost so far, in USD; CostStatus says how sure
	// that is: actual, estimated, included or unknown.
	Cost       float64
	CostStatus string
}

// Tokens counts tokens as the service reports them.
type Tokens struct {
	In         int `json:"input_tokens"`
	Out        int `json:"output_tokens"`
	CacheRead  int `json:"cache_read_tokens"`
	CacheWrite int `json:"cache_write_tokens"`
	Reasoning  int `json:"reasoning_tokens"`
}

// Add returns the sum.
func (t Tokens) Add(o Tokens) Tokens {
	return Tokens{t.In + o.In, t.Out + o.Out, t.CacheRead + o.CacheRead, t.CacheWrite + o.CacheWrite, t.Reasoning + o.Reasoning}
}

// ---- turn

// TurnStarted begins a turn. Text is the user's text as typed.
type TurnStarted struct {
	Meta
	Text   string
	Source string // "user", "queue", "plugin", "process", "retry"
}

// TurnWaiting says that a started turn cannot go on yet, and why (plugins are
// still loading). An empty Reason ends the wait.
type TurnWaiting struct {
	Meta
	Reason string
}

// Queued says that a text waits for the end of the running turn.
type Queued struct {
	Meta
	ID   string
	Text string
}

// Dequeued says that a queued text left the queue: it became a turn, was
// edited away or dropped.
type Dequeued struct {
	Meta
	ID      string
	Dropped bool
}

// QueueHeld says that queued texts wait for the user (a turn was interrupted),
// or that they go on.
type QueueHeld struct {
	Meta
	Held bool
	N    int // how many wait
}

// Delta kinds.
const (
	KindText      = "text"
	KindReasoning = "reasoning"
)

// Delta is a piece of an answer. Pieces of one Msg and Kind join to the text.
type Delta struct {
	Meta
	Msg  string // message id, unique in the session
	Kind string // KindText or KindReasoning
	Text string
}

// MessageDone ends a message. Content is the whole text; it wins over the
// joined deltas when Replaced is set (a plugin transformed it, think tags
// were removed).
type MessageDone struct {
	Meta
	Msg      string
	Content  string
	Replaced bool
	Demo     bool // written by the demo model
}

// Retry says that a request failed and will be sent again.
type Retry struct {
	Meta
	N, Max int
	After  time.Duration
	Reason string
}

// Turn outcomes.
const (
	OutcomeDone        = "done"
	OutcomeInterrupted = "interrupted"
	OutcomeFailed      = "failed"
	OutcomeLimit       = "limit" // iteration budget used up
)

// TurnDone is the last event of a turn.
type TurnDone struct {
	Meta
	Outcome  string
	Err      string // one sentence for the user, empty when done
	Answer   string // final text, after transforms
	APICalls int
	Tools    []ToolUse // in the order they ran
	Tokens   Tokens
	Duration time.Duration
	Demo     bool
}

// ToolUse is one finished call in the summary of a turn.
type ToolUse struct {
	Call   string          `json:"id"`
	Name   string          `json:"name"`
	Owner  string          `json:"owner,omitempty"`
	Args   json.RawMessage `json:"arguments"`
	Status string          `json:"status"`
	Result string          `json:"result"`
	Ms     float64         `json:"ms"`
}

// ---- tool

// ToolStarted says that a call runs now.
type ToolStarted struct {
	Meta
	Call    string // call id, unique in the session
	Name    string
	Toolset string
	Owner   string // plugin key, empty for built-in tools
	Args    string // JSON, secrets redacted
	Note    string // what was repaired in the model's call, empty when nothing
}

// ToolProgress is the latest progress line of a running call.
type ToolProgress struct {
	Meta
	Call string
	Text string
}

// Tool call outcomes, as post_tool_call reports them, plus denied.
const (
	StatusOK        = "ok"
	StatusError     = "error"
	StatusBlocked   = "blocked"
	StatusDenied    = "denied"
	StatusCancelled = "cancelled"
	StatusTimeout   = "timeout"
	// StatusHandedOver: the tool took a task on and answers later; a
	// ToolSettled follows.
	StatusHandedOver = "handed_over"
)

// Ends of a task that a tool took on.
const (
	SettledAnswered = "answered"
	SettledNoAnswer = "no_answer"
)

// ToolSettled says what became of a call that was handed over.
type ToolSettled struct {
	Meta
	Call   string
	Task   string // the tool's id of the task
	Status string // SettledAnswered or SettledNoAnswer
	Text   string // the answer, shortened
}

// ToolDone ends a call, also one that never started (unknown name, bad
// arguments, blocked): then no ToolStarted came before it.
type ToolDone struct {
	Meta
	Call    string
	Name    string
	Toolset string
	Owner   string
	Args    string
	Status  string
	Preview string // at most PreviewLimit bytes of the result
	Size    int    // bytes of the whole result
	Err     string // plain sentence in the user's language, empty when ok
	Diff    string // what the call changed in files, as a unified diff
	Ms      float64
	Note    string
}

// ---- sub-agents

// SubagentStarted says that a sub-agent works on a part of the task.
type SubagentStarted struct {
	Meta
	ID    string // its session id
	Call  string // the call of delegate_task
	Index int    // place among the tasks of the call, from 0
	Goal  string
	Model string
}

// SubagentProgress is the latest word of a sub-agent.
type SubagentProgress struct {
	Meta
	ID   string
	Text string
}

// SubagentDone ends a sub-agent.
type SubagentDone struct {
	Meta
	ID       string
	Status   string // completed, failed, interrupted, timeout
	Summary  string // shortened
	APICalls int
	Tokens   Tokens
	Duration time.Duration
}

// ---- background processes

// ProcessStarted says that a command runs in the background.
type ProcessStarted struct {
	Meta
	ID      string // proc_<12 hex>
	Command string // secrets redacted
	Dir     string
	Pid     int
}

// ProcessExited says that a background command ended.
type ProcessExited struct {
	Meta
	ID      string
	Command string
	Code    int    // exit code; a signal's number, negative
	Reason  string // "exited", "killed"
}

// PreviewLimit bounds what an event carries of a tool result, in bytes.
const PreviewLimit = 16 << 10

// ---- plugins

// Host states.
const (
	HostOff      = "off"
	HostAbsent   = "absent" // no usable Python
	HostStarting = "starting"
	HostReady    = "ready"
	HostCrashed  = "crashed"
	HostBackoff  = "backoff"
	HostDraining = "draining"
	HostStopped  = "stopped"
)

// HostState tells of the process that runs the plugins.
type HostState struct {
	Meta
	State    string
	Pid      int
	Python   string // version, "3.11.7"
	Exe      string // interpreter path
	Restarts int
	Err      string        // why, in the user's language
	Next     time.Duration // until the next attempt, in HostBackoff
}

// Plugin states. The glyphs and the counting of design/tui.md hang on them.
const (
	PluginFound    = "found"    // not enabled (opt-in)
	PluginDisabled = "disabled" // in plugins.disabled
	PluginNeedsKey = "needs_key"
	PluginStarting = "starting"
	PluginOK       = "ok"
	PluginPartial  = "partial" // something it registered was refused
	PluginFailed   = "failed"
	PluginCrashed  = "crashed"
	PluginPaused   = "paused"
	PluginSkipped  = "skipped" // not for this interface, with a reason
)

// PluginState carries the whole record of one plugin as it stands now.
type PluginState struct {
	Meta
	Plugin Plugin
}

// PluginGone says that a plugin is no longer there.
type PluginGone struct {
	Meta
	Key string
}

// PluginsSettled says that every enabled plugin has loaded or failed.
type PluginsSettled struct {
	Meta
	Took time.Duration
}

// Plugin is the record of one plugin. It is a value: slices are never changed
// after the event is emitted.
type Plugin struct {
	Key         string       `json:"key"`
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	Description string       `json:"description"`
	Author      string       `json:"author,omitempty"`
	Kind        string       `json:"kind"`
	Source      string       `json:"source"` // bundled, user, project, entrypoint
	Path        string       `json:"path"`
	State       string       `json:"state"`
	Reason      string       `json:"reason,omitempty"` // one sentence in the user's language
	Error       *PluginError `json:"error,omitempty"`
	Missing     []string     `json:"missing,omitempty"` // unset required variables
	RequiresEnv []EnvVar     `json:"requires_env,omitempty"`
	// ProvidesTools and ProvidesHooks are what the manifest announces; nothing
	// checks them against what the plugin registers.
	ProvidesTools []string   `json:"provides_tools,omitempty"`
	ProvidesHooks []string   `json:"provides_hooks,omitempty"`
	Tools         []ToolInfo `json:"tools"`
	Hooks         []string   `json:"hooks"` // names, sorted, once each
	Callbacks     []Callback `json:"callbacks,omitempty"`
	Commands      []Command  `json:"commands"`
	Skills        []Skill    `json:"skills,omitempty"`
	Notices       []string   `json:"notices,omitempty"` // refused registrations, compatibility mode, advice to the author
	LoadMs        float64    `json:"load_ms"`
	ImportMs      float64    `json:"import_ms"`
	Bundled       bool       `json:"-"`
	Example       bool       `json:"-"` // one of our own bundled examples
}

// Skill is one that a plugin brought along; the model reads it with skill_view.
type Skill struct {
	Name        string `json:"name"` // plugin:skill
	Description string `json:"description,omitempty"`
	Path        string `json:"path"` // of its SKILL.md; it may be gone by now
}

// PluginError says what went wrong in a plugin and where.
type PluginError struct {
	Type      string `json:"type"` // Python exception type, or a kind of our own
	Message   string `json:"message"`
	File      string `json:"file,omitempty"` // innermost frame inside the plugin
	Line      int    `json:"line,omitempty"`
	Func      string `json:"func,omitempty"`
	Source    string `json:"source,omitempty"` // text of that line
	Traceback string `json:"traceback,omitempty"`
	Where     string `json:"where,omitempty"` // import, register, tool x, hook y
}

// EnvVar is one entry of requires_env.
type EnvVar struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	URL         string `json:"url,omitempty"`
	Secret      bool   `json:"secret,omitempty"`
	Set         bool   `json:"set"`
}

// ToolInfo describes a tool for lists and inspection.
type ToolInfo struct {
	Name        string          `json:"name"`
	Toolset     string          `json:"toolset"`
	Description string          `json:"description"`
	Owner       string          `json:"owner,omitempty"` // plugin key
	Emoji       string          `json:"emoji,omitempty"`
	Schema      json.RawMessage `json:"schema"`
	RequiresEnv []string        `json:"requires_env,omitempty"`
	Async       bool            `json:"is_async,omitempty"`
	HasCheck    bool            `json:"has_check_fn,omitempty"`
	Hidden      bool            `json:"hidden,omitempty"` // its check says no
	Why         string          `json:"why,omitempty"`    // why it is hidden
}

// Callback is one registered hook callback.
type Callback struct {
	Hook string `json:"hook"`
	Name string `json:"name"`
}

// Command is a slash command as lists and completion show it.
type Command struct {
	Name        string   `json:"name"` // without the slash
	Aliases     []string `json:"aliases,omitempty"`
	Args        string   `json:"args_hint,omitempty"`
	Description string   `json:"description"`
	Owner       string   `json:"owner,omitempty"` // plugin key, empty for built-in commands
	Group       string   `json:"group,omitempty"` // Session, Configuration, Tools & Skills, Info, Exit; plugin name
	UI          string   `json:"-"`               // action the view carries out itself, empty when the backend runs it
}

// HookRun tells of one callback of one hook that ran.
type HookRun struct {
	Meta
	Hook     string
	Plugin   string // key
	Callback string
	Ms       float64
	Effect   string // "", context, block, approve, changed, value, skipped (by the user), late
	Detail   string // what it returned or changed, shortened
	Err      *PluginError
	Timeout  bool
	Call     string // tool call it belongs to, empty otherwise
	Payload  string // arguments as JSON, secrets redacted, at most PreviewLimit bytes
	Dropped  int    // how many runs before this one the ring lost
}

// HookSlow says that a callback has been running for a while.
type HookSlow struct {
	Meta
	Hook, Plugin, Callback string
	Elapsed, Limit         time.Duration
}

// PluginOutput is a line that a plugin printed or logged.
type PluginOutput struct {
	Meta
	Key     string // plugin key, empty when it cannot be told
	Stream  string // stdout, stderr, log
	Level   string // of log records
	Line    string
	Dropped int
}

// ToolsChanged carries the toolsets that the next request offers.
type ToolsChanged struct {
	Meta
	Tools []ToolInfo // sorted by toolset, then name
}

// CommandsChanged carries every slash command, sorted by name.
type CommandsChanged struct {
	Meta
	Commands []Command
}

// ---- commands and notices

// CommandStarted says that a slash command runs.
type CommandStarted struct {
	Meta
	ID   string
	Line string
}

// CommandDone carries what a slash command printed.
type CommandDone struct {
	Meta
	ID    string
	Line  string
	Owner string // plugin key
	Text  string
	Err   string
	Ms    float64
	// Pre marks text that must be shown as it stands (tables, /plugins).
	Pre bool
}

// Kinds of questions.
const (
	AskConfirm  = "confirm"
	AskApproval = "approval" // may this command or call run?
	AskClarify  = "clarify"  // the model asks
	AskSecret   = "secret"   // a key or password: never shown, stored or logged
)

// Ask is a question that only the user can answer. The first answer given
// through the view's Backend wins.
type Ask struct {
	Meta
	ID      string
	Kind    string
	Title   string
	Text    string
	Call    string // tool call that waits for the answer, empty for none
	Command string // what would run, secrets redacted
	Diff    string // what would change, as a unified diff
	Choices []Choice
	Default int           // index of the safe choice, selected at first
	Expires time.Duration // after which the safe choice is taken; 0: never
}

// Choice is one answer to a question.
type Choice struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// Input asks for a text beside the choice (a comment, another answer).
	Input bool `json:"input,omitempty"`
}

// Answer is what the user said to an Ask: the id of a choice, and the text
// where that choice takes one.
type Answer struct {
	Choice string
	Text   string
}

// AskClosed says that a question needs no answer any more.
type AskClosed struct {
	Meta
	ID     string
	Answer string // the choice, empty when it was withdrawn
	Text   string // beside the choice; empty for AskSecret
}

// Notice levels.
const (
	LevelInfo  = "info"
	LevelWarn  = "warn"
	LevelError = "error"
)

// Notice is one sentence for the user.
type Notice struct {
	Meta
	Level  string
	Text   string
	Source string // package or plugin it comes from
}

// ConfigLoaded says that config.yaml and .env were read.
type ConfigLoaded struct {
	Meta
	Path     string
	Lang     string // "en" or "zh"
	Theme    string
	BusyMode string // queue, interrupt or steer
}
