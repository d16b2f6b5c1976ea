package approval

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"hermes/agent/event"
	"hermes/agent/hook"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// Modes of approvals.mode.
const (
	Manual = "manual" // the user is asked
	Smart  = "smart"  // a model looks first
	Off    = "off"    // nobody is asked
)

// Settings are read for every check, so that a change of the configuration
// counts at once.
type Settings struct {
	Mode    string
	Timeout time.Duration // of a question while nobody looks; 0 means 60 s
	Deny    []string      // approvals.deny
	Allow   []string      // command_allowlist: keys, commands and globs
	Yolo    bool          // --yolo, HERMES_YOLO_MODE, -z
	// SudoPassword says that SUDO_PASSWORD is set, so that sudo is answered.
	SudoPassword bool
	Home         string // the user's home folder
	Hermes       string // HERMES_HOME
	Lang         locale.Lang
}

// Options are what a Gate needs. Settings is required.
type Options struct {
	Settings func() Settings
	// Classify puts a question to the auxiliary model (auxiliary.approval,
	// temperature 0) and returns its answer. nil means that there is none, and
	// the user is asked.
	Classify func(ctx context.Context, system, user string) (string, error)
	// Save adds an entry to command_allowlist. nil keeps it for this run.
	Save func(entry string) error
	// Redact takes secrets out of what is shown; what runs is not changed.
	Redact func(string) string
	// Hooks are told of questions and answers; nil means none.
	Hooks hook.Invoker
	// Warn tells the user that something went wrong beside the answer.
	Warn func(text string)
}

// Request is a command that is about to run.
type Request struct {
	Command string
	Dir     string // where it would run, absolute
	Session string
	Turn    string
	Call    string // tool call
	Tool    string
	// Isolated says that the command cannot reach this machine: a container
	// without its folders.
	Isolated bool
	// Unattended says that nobody can be asked, whatever ask says; scheduled
	// runs and sub-agents say so.
	Unattended bool
}

// Verdict is the answer to a Request.
type Verdict struct {
	Allow bool
	// Status is "" when allowed, else "blocked", as results spell it.
	Status string
	// Message tells the model why not.
	Message string
	// Note goes with the result of an approved command.
	Note string
	// Keys are the findings.
	Keys []string
	// Comment is what the user wrote with a denial; it is in Message too.
	Comment string
	// Denied says that the user, or nobody in time, said no: the card reads
	// denied rather than blocked.
	Denied bool
}

// Gate decides whether commands may run and keeps what the user allowed. It is
// safe for concurrent use; questions come one at a time.
type Gate struct {
	o       Options
	asking  chan struct{} // held while a question is open
	mu      sync.Mutex
	session map[string]map[string]bool // by session id: keys
	always  map[string]bool            // allowed for good since the start
	yolo    map[string]bool            // sessions with /yolo
}

// New makes a gate.
func New(o Options) *Gate {
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	if o.Hooks == nil {
		o.Hooks = hook.None{}
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	return &Gate{
		o: o, asking: make(chan struct{}, 1),
		session: map[string]map[string]bool{}, always: map[string]bool{}, yolo: map[string]bool{},
	}
}

// Check decides whether a command may run, in the order of contract/core §3.1.
// ask is nil when nobody can answer; then what would be asked is refused at
// once (decision D23). It blocks while the user or the model is asked, until
// ctx ends.
func (g *Gate) Check(ctx context.Context, r Request, ask tool.AskFunc) Verdict {
	set := g.o.Settings()
	if r.Isolated {
		return Verdict{Allow: true}
	}
	folders := Folders{Home: set.Home, Hermes: set.Hermes, Cwd: r.Dir}
	d := Detect(r.Command, folders)
	switch {
	case d.Hardline != "":
		return blocked(fmt.Sprintf(msgHardline, d.Hardline), d.Hardline)
	case d.SudoStdin && !set.SudoPassword:
		return blocked(fmt.Sprintf(msgSudo, sudoStdin), sudoStdin)
	}
	if rule := denied(r.Command, folders, set.Deny); rule != "" {
		return blocked(fmt.Sprintf(msgDenyRule, rule))
	}
	if set.Yolo || set.Mode == Off || g.Yolo(r.Session) || allowListed(r.Command, set.Allow) {
		return Verdict{Allow: true, Keys: d.Keys}
	}
	open := g.open(r.Session, d.Keys, set.Allow)
	if len(open) == 0 {
		return Verdict{Allow: true, Keys: d.Keys}
	}
	if r.Unattended || ask == nil {
		return blocked(fmt.Sprintf(msgUnattended, describe(open)), open...)
	}
	q := question{
		command: r.Command, keys: open, session: r.Session, turn: r.Turn, call: r.Call,
		title: locale.ApprovalTitle.In(set.Lang), set: set,
		// What could not be read whole is nothing to allow for good.
		always: !slices.Contains(open, keyTooLong),
	}
	if set.Mode == Smart && g.o.Classify != nil {
		switch g.classify(ctx, q) {
		case verdictApprove:
			return Verdict{Allow: true, Keys: d.Keys, Note: fmt.Sprintf(noteSmart, describe(open))}
		case verdictDeny:
			q.smartDenied, q.always = true, false
		}
	}
	return g.ask(ctx, q, ask)
}

func blocked(message string, keys ...string) Verdict {
	return Verdict{Status: event.StatusBlocked, Message: message, Keys: keys}
}

// describe is what the reference calls the description of the findings.
func describe(keys []string) string { return strings.Join(keys, "; ") }

// open are the keys that were not allowed yet.
func (g *Gate) open(session string, keys, allow []string) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []string
next:
	for _, k := range keys {
		if g.session[session][k] || g.always[k] {
			continue
		}
		for _, a := range allow {
			if a == k || legacy[a] == k {
				continue next
			}
		}
		out = append(out, k)
	}
	return out
}

// Allowed reports whether the user allowed a key, in this session or for good
// since the program started. What stands in the configuration is not looked
// at.
func (g *Gate) Allowed(session, key string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.session[session][key] || g.always[key]
}

// AllowSession lets a key pass in a session.
func (g *Gate) AllowSession(session string, keys ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.session[session] == nil {
		g.session[session] = map[string]bool{}
	}
	for _, k := range keys {
		g.session[session][k] = true
	}
}

// AllowAlways lets keys pass from now on, and saves them.
func (g *Gate) AllowAlways(keys ...string) error {
	g.mu.Lock()
	for _, k := range keys {
		g.always[k] = true
	}
	g.mu.Unlock()
	if g.o.Save == nil {
		return nil
	}
	for _, k := range keys {
		if err := g.o.Save(k); err != nil {
			return fmt.Errorf("save %q in command_allowlist: %w", k, err)
		}
	}
	return nil
}

// SetYolo switches /yolo for a session.
func (g *Gate) SetYolo(session string, on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if on {
		g.yolo[session] = true
	} else {
		delete(g.yolo, session)
	}
}

// Yolo reports whether /yolo is on in a session.
func (g *Gate) Yolo(session string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.yolo[session]
}

// Forget drops what was allowed in a session that is over.
func (g *Gate) Forget(session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.session, session)
	delete(g.yolo, session)
}

// Adopt lets a session that goes on under another id (/compress) keep what was
// allowed in it.
func (g *Gate) Adopt(old, session string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s := g.session[old]; s != nil {
		g.session[session] = s
		delete(g.session, old)
	}
	if g.yolo[old] {
		g.yolo[session] = true
		delete(g.yolo, old)
	}
}

// operators in a command keep the allow-list from being looked at: a glob must
// not let a second command through.
const operators = ";|&<>`\n"

// allowListed reports whether an entry of command_allowlist fits the whole
// command.
func allowListed(command string, entries []string) bool {
	command = strings.TrimSpace(command)
	if strings.ContainsAny(command, operators) || strings.Contains(command, "$(") {
		return false
	}
	for _, e := range entries {
		if e == command || (strings.ContainsAny(e, "*?[") && glob(e, command)) {
			return true
		}
	}
	return false
}

// denied returns the rule of approvals.deny that a command breaks: as a whole,
// or by one of the commands in it.
func denied(command string, f Folders, rules []string) string {
	if len(rules) == 0 {
		return ""
	}
	texts := append([]string{strings.TrimSpace(command)}, spelled(command, f)...)
	for _, rule := range rules {
		if strings.TrimSpace(rule) == "" {
			continue
		}
		for _, t := range texts {
			if glob(strings.ToLower(rule), strings.ToLower(t)) {
				return rule
			}
		}
	}
	return ""
}

// glob is the shell's matching where * passes slashes and line ends.
func glob(pattern, text string) bool {
	// path.Match stops at slashes; nothing else of it differs from what the
	// reference uses.
	hide := strings.NewReplacer("/", "\x02", "\\", "\x03")
	p := hide.Replace(strings.ReplaceAll(pattern, "[!", "[^"))
	ok, err := path.Match(p, hide.Replace(text))
	if err != nil {
		return pattern == text
	}
	return ok
}
