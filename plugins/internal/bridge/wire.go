// Package bridge holds the messages that travel between the program and the
// plugin host: names of methods and the shapes of their parameters and results
// (design: architecture §9). It says what goes over the wire, and nothing of
// what either side does with it.
package bridge

import (
	"encoding/json"

	"hermes/agent/event"
)

// Protocol is the version of the wire; the host must report the same.
const Protocol = 1

// Methods that the program calls.
const (
	MethodInit     = "init"
	MethodLoad     = "plugin.load"
	MethodUnload   = "plugin.unload"
	MethodTool     = "tool.call"
	MethodCheck    = "tool.check"
	MethodCommand  = "command.run"
	MethodHook     = "hook.invoke"
	MethodWhere    = "hook.where"
	MethodSkip     = "hook.skip"
	MethodCancel   = "cancel"
	MethodStatus   = "status"
	MethodShutdown = "shutdown"
)

// Methods that the host calls.
const (
	MethodDispatch = "tool.dispatch"
	MethodInject   = "message.inject"
)

// Notifications of the host.
const (
	NoteHello   = "hello"
	NoteOutput  = "output"
	NoteLog     = "log"
	NoteChanged = "plugin.changed"
	NoteLate    = "hook.late"
)

// LaneMain is the lane of the host's main thread: loading, and whatever must
// run there. The others are named by the functions below.
const LaneMain = "main"

// LaneTurn is where hooks and tools of a session run, one thread for all.
func LaneTurn(session string) string { return "turn:" + session }

// LaneInput is where slash commands of a session run.
func LaneInput(session string) string { return "input:" + session }

// LaneCheck is where availability checks run, so that a slow one delays no
// turn.
const LaneCheck = "check"

// Dispatch asks for a tool, whoever has it.
type Dispatch struct {
	Plugin string `json:"plugin"`
	// Job is the request of ours that the calling thread carries out, 0 on a
	// thread of the plugin's own.
	Job  uint64          `json:"job"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
	Task string          `json:"task_id"` // as the plugin gave it, mostly empty
}

// Dispatched is its result.
type Dispatched struct {
	Content string `json:"content"`
}

// Inject asks for a message to be put into the conversation.
type Inject struct {
	Plugin  string `json:"plugin"`
	Content string `json:"content"`
	Role    string `json:"role"`
}

// Injected says whether it was taken.
type Injected struct {
	OK bool `json:"ok"`
}

// Hello is the first message of the host.
type Hello struct {
	Protocol       int      `json:"protocol"`
	Host           string   `json:"host"`
	Python         string   `json:"python"` // "3.11.7"
	Implementation string   `json:"implementation"`
	Executable     string   `json:"executable"`
	Prefix         string   `json:"prefix"`
	Site           []string `json:"site"` // folders in which packages may be, in the order of sys.path
	Pid            int      `json:"pid"`
	Features       []string `json:"features"`
}

// Init is the answer to Hello.
type Init struct {
	Home        string `json:"home"`
	Cwd         string `json:"cwd"`
	Platform    string `json:"platform"`
	Profile     string `json:"profile"`
	Version     string `json:"version"`
	LogLevel    string `json:"log_level"`
	Debug       bool   `json:"debug"`
	MemoryLimit int64  `json:"memory_limit"` // bytes of address space, 0 for none
	Spool       string `json:"spool"`        // folder for large results
}

// Load asks for one plugin.
type Load struct {
	Key    string `json:"key"`
	Name   string `json:"name"`
	Module string `json:"module"` // hermes_plugins.<slug>
	Entry  string `json:"entry"`  // file in Dir
	// Dir is the folder or file of the code, empty when it is not known.
	Dir string `json:"dir"`
	// EntryPoint is the value of an installed package's entry point, empty for
	// a folder.
	EntryPoint string          `json:"entry_point,omitempty"`
	Number     int             `json:"number"` // names it in the flight recorder
	Manifest   json.RawMessage `json:"manifest,omitempty"`
}

// Loaded is the result of Load.
type Loaded struct {
	OK       bool     `json:"ok"`
	ImportMs float64  `json:"import_ms"`
	LoadMs   float64  `json:"load_ms"` // import and register together
	Error    *Failure `json:"error"`
	Registrations
}

// Registrations is everything a plugin registered, in its order.
type Registrations struct {
	Key      string     `json:"key"`
	Tools    []Tool     `json:"tools"`
	Hooks    []Callback `json:"hooks"`
	Commands []Command  `json:"commands"`
	Skills   []Skill    `json:"skills"`
	// CLI are the commands for the command line; a process of its own runs them.
	CLI     []CLICommand `json:"cli_commands"`
	Notices []Notice     `json:"notices"`
}

// Tool is one register_tool call.
type Tool struct {
	Name        string          `json:"name"`
	Toolset     string          `json:"toolset"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Parameters  json.RawMessage `json:"parameters"`
	RequiresEnv []string        `json:"requires_env"`
	Async       bool            `json:"is_async"`
	Emoji       string          `json:"emoji"`
	Override    bool            `json:"override"`
	Check       uint64          `json:"check"` // identity of check_fn, 0 for none
	Strict      bool            `json:"strict"`
	Nth         int             `json:"nth"` // among the plugin's registrations of that name, from 0
}

// Callback is one register_hook call.
type Callback struct {
	Hook     string `json:"hook"`
	Callback string `json:"callback"`
}

// Command is one register_command call.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	ArgsHint    string `json:"args_hint"`
}

// Skill is one register_skill call.
type Skill struct {
	Name        string `json:"name"` // plugin:skill
	Description string `json:"description"`
	Path        string `json:"path"` // of SKILL.md, absolute
}

// CLICommand is one register_cli_command call.
type CLICommand struct {
	Name        string `json:"name"`
	Help        string `json:"help"`
	Description string `json:"description"`
}

// Notice is advice to the author about something that was accepted.
type Notice struct {
	Code  string `json:"code"`
	Tool  string `json:"tool"`
	Hook  string `json:"hook"`
	Meant string `json:"meant"`
}

// Failure is an exception of plugin code, and where it came from.
type Failure struct {
	Type      string `json:"type"`
	Message   string `json:"message"`
	Where     string `json:"where"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Func      string `json:"func"`
	Source    string `json:"source"`
	Traceback string `json:"traceback"`
	Hint      string `json:"hint"` // a code: what to change
	HintArg   string `json:"hint_arg"`
}

// Event turns f into the form that the rest of the program knows.
func (f *Failure) Event() *event.PluginError {
	if f == nil {
		return nil
	}
	return &event.PluginError{
		Type: f.Type, Message: f.Message, File: f.File, Line: f.Line,
		Func: f.Func, Source: f.Source, Traceback: f.Traceback, Where: f.Where,
	}
}

// ToolCall asks for one call of a handler.
type ToolCall struct {
	Plugin   string          `json:"plugin"`
	Name     string          `json:"name"`
	Nth      int             `json:"nth"` // which registration of that name
	Args     json.RawMessage `json:"args"`
	Task     string          `json:"task_id"`
	Session  string          `json:"session_id"`
	UserTask *string         `json:"user_task"`
}

// ToolResult is what a handler gave back.
type ToolResult struct {
	Missing  bool            `json:"missing"` // no such tool in the host
	Content  string          `json:"content"`
	File     string          `json:"file"`     // in the spool, in place of Content
	Cut      int64           `json:"cut"`      // characters before it was cut, 0 when whole
	Error    *Failure        `json:"error"`    // the handler raised
	Contract string          `json:"contract"` // type of a result that is no text
	Value    string          `json:"value"`    // that result, shortened
	Parts    json.RawMessage `json:"parts"`    // content parts of a multimodal result
	Args     json.RawMessage `json:"args"`     // as the handler left them, absent when it did not edit them
}

// CheckResult is the answer of a check_fn.
type CheckResult struct {
	OK    bool     `json:"ok"`
	Check string   `json:"check"` // qualified name of the function
	Error *Failure `json:"error"`
}

// CommandCall asks for one call of a slash command's handler.
type CommandCall struct {
	Plugin string `json:"plugin"`
	Name   string `json:"name"`
	Args   string `json:"args"`
}

// CommandResult is what it gave back.
type CommandResult struct {
	Missing bool     `json:"missing"`
	Content string   `json:"content"`
	File    string   `json:"file"`
	Cut     int64    `json:"cut"`
	Output  string   `json:"output"` // what it printed
	Error   *Failure `json:"error"`
}

// HookCall asks for the callbacks of a hook.
type HookCall struct {
	Name    string   `json:"name"`
	Payload any      `json:"payload"`
	Only    []string `json:"only,omitempty"` // plugins, all when absent
	Skip    []string `json:"skip,omitempty"` // plugins whose callbacks are paused
}

// HookResult is what they did.
type HookResult struct {
	Returns []json.RawMessage          `json:"returns"`
	Changed map[string]json.RawMessage `json:"changed"`
	Trace   []HookTrace                `json:"trace"`
}

// HookTrace tells of one callback.
type HookTrace struct {
	Plugin   string   `json:"plugin"`
	Callback string   `json:"callback"`
	Ms       float64  `json:"ms"`
	Value    *int     `json:"value"`   // index into Returns
	Foreign  string   `json:"foreign"` // type of a value that JSON has no form for; it counts for nothing
	Changed  []string `json:"changed"`
	Skipped  string   `json:"skipped"` // timeout or user
	Error    *Failure `json:"error"`
	At       *Failure `json:"at"` // where a skipped callback was
}

// HookLate tells of a callback that came to its end after it had been skipped.
// What it returned counts for nothing.
type HookLate struct {
	Hook     string   `json:"hook"`
	Plugin   string   `json:"plugin"`
	Callback string   `json:"callback"`
	Ms       float64  `json:"ms"`
	Session  string   `json:"session_id"`
	Turn     string   `json:"turn_id"`
	Call     string   `json:"tool_call_id"`
	Value    string   `json:"value"` // as JSON, shortened
	Error    *Failure `json:"error"`
}

// HookWhere says which callback of a running hook runs.
type HookWhere struct {
	Running  bool    `json:"running"`
	Index    int     `json:"index"`
	Plugin   string  `json:"plugin"`
	Callback string  `json:"callback"`
	Ms       float64 `json:"ms"`
}

// Cancelled is the answer to a cancel.
type Cancelled struct {
	Found bool     `json:"found"`
	At    *Failure `json:"at"` // where the plugin's code was
}

// Status counts what is stuck.
type Status struct {
	Stuck int `json:"stuck"` // threads that were given up and still run
	Jobs  int `json:"jobs"`
	Lanes int `json:"lanes"`
}

// Output is a line that a plugin printed.
type Output struct {
	Plugin  string `json:"plugin"`
	Stream  string `json:"stream"`
	Line    string `json:"line"`
	Dropped int    `json:"dropped"`
}

// Log is a record of Python's logging.
type Log struct {
	Plugin  string `json:"plugin"`
	Logger  string `json:"logger"`
	Level   string `json:"level"`
	Message string `json:"message"`
	Exc     string `json:"exc"`
	Dropped int    `json:"dropped"`
}
