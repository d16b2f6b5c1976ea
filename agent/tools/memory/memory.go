//lint:file-ignore ST1005 the model reads these errors as sentences

// Package memory is the tool with which the model keeps what it wants to know
// in every session: notes in memories/MEMORY.md, and who the user is in
// memories/USER.md. What is written becomes part of the system prompt of the
// sessions that begin afterwards.
package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"hermes/agent/locale"
	"hermes/agent/memory"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const description = `Keeps short facts that are worth knowing in every later session. They become part of the system prompt, so write few and short ones.
target "user": who the user is, what they prefer, how they want to be answered. target "memory": your own notes on the machine, the conventions, what went wrong and why.
Store without being asked what the user corrects, prefers or tells of themselves, and stable facts that cost time to find. Not: progress of a task, lists of things to do, what one look at the files shows, long data. A procedure belongs in a skill.
Several changes go into one call with operations: all or none are made, and only the size at the end counts, so that an old entry can be removed and a new one added at once. When the memory is full, do that. A call that succeeded is complete.`

const parameters = `{"type":"object","properties":{"target":{"type":"string","enum":["memory","user"],"description":"which memory: your notes, or the user"},"action":{"type":"string","enum":["add","replace","remove"],"description":"for a single change; leave it out with operations"},"content":{"type":"string","description":"the new entry, for add and replace"},"old_text":{"type":"string","description":"for replace and remove: a piece of the entry that is in no other entry"},"operations":{"type":"array","description":"changes that are made together, in their order","items":{"type":"object","properties":{"action":{"type":"string","enum":["add","replace","remove"]},"content":{"type":"string","description":"the new entry, for add and replace"},"old_text":{"type":"string","description":"a piece of the entry to replace or remove"}},"required":["action"]}}},"required":["target"]}`

// Settings are the configuration's memory.*.
type Settings struct {
	// NotesLimit and UserLimit are in characters; 0 means the contract's,
	// negative that the memory is off.
	NotesLimit, UserLimit int
	// Ask has the user approve every write (write_approval).
	Ask bool
}

// Deps is what the tool needs of the program.
type Deps struct {
	Dir      string // $HERMES_HOME/memories
	Settings func() Settings
	Lang     func() locale.Lang
}

// Register adds the tool to reg.
func Register(reg *tool.Registry, d Deps) error {
	if _, err := reg.Add(&keeper{Deps: d, failed: map[string]failures{}}, false); err != nil {
		return fmt.Errorf("register memory: %w", err)
	}
	return nil
}

// keeper is the tool.
type keeper struct {
	Deps
	mu     sync.Mutex
	failed map[string]failures // by session
}

// failures counts what could not be done in one turn.
type failures struct {
	turn string
	n    int
}

// maxFailures is how often in a turn the model is told to try again: a note
// that does not fit must not cost the user the answer (the reference's limit,
// observed).
const maxFailures = 3

func (k *keeper) Spec() tool.Spec {
	return tool.Spec{
		Name: "memory", Toolset: "memory", Description: description, Emoji: "🧠",
		Parameters: json.RawMessage(parameters),
	}
}

func (k *keeper) Available(context.Context) (bool, string) {
	if s := k.Settings(); s.NotesLimit < 0 && s.UserLimit < 0 {
		return false, "memory.memory_enabled and memory.user_profile_enabled are off"
	}
	return true, ""
}

// operation is one change.
type operation struct {
	Action  string `json:"action"`
	Content string `json:"content"`
	OldText string `json:"old_text"`
}

func (k *keeper) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a struct {
		operation
		Target     string      `json:"target"`
		Operations []operation `json:"operations"`
	}
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return result.JSON(invalid{Error: fmt.Sprintf("Invalid arguments for memory: %v", err)}), nil
	}
	f, err := k.file(a.Target)
	if err != nil {
		return result.JSON(invalid{Error: err.Error()}), nil
	}
	plan := batch(a.Operations)
	if len(a.Operations) == 0 {
		plan = single(a.operation)
	}
	return k.change(ctx, c, f, plan), nil
}

// file is one of the two memories.
type file struct {
	target, name, path string
	limit              int
}

func (k *keeper) file(target string) (file, error) {
	s := k.Settings()
	f := file{target: target, name: "MEMORY.md", limit: s.NotesLimit}
	standard := memory.NotesLimit
	switch target {
	case "", "memory":
		f.target = "memory"
	case "user":
		f.name, f.limit, standard = "USER.md", s.UserLimit, memory.UserLimit
	default:
		return f, fmt.Errorf("Invalid target '%s'. Use 'memory' or 'user'.", target) //nolint:staticcheck // read by the model, as the reference spells it
	}
	if f.limit < 0 {
		return f, fmt.Errorf("the memory %q is switched off in the configuration", f.target)
	}
	if f.limit == 0 {
		f.limit = standard
	}
	f.path = strings.TrimRight(k.Dir, `/\`) + "/" + f.name
	return f, nil
}

// count notes a failed call and reports whether the model was told to try
// again often enough in this turn.
func (k *keeper) count(c tool.Call) (n int, enough bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f := k.failed[c.Session]
	if f.turn != c.Turn {
		f = failures{turn: c.Turn}
	}
	f.n++
	k.failed[c.Session] = f
	return f.n, f.n > maxFailures
}
