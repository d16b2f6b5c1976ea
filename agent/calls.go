package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/tool"
)

// Texts to the model for calls that cannot be run (contract/core §1.4).
const (
	unknownTool   = "Tool '%s' does not exist. Available tools: %s"
	emptyName     = "Tool call rejected: the tool name was empty. Call one of the available tools by its name: %s"
	invalidName   = "invalid_tool_call" // what history calls a tool without a name
	invalidJSON   = "Error: Invalid JSON arguments. %v. For tools with no required parameters, use an empty object: {}. Please retry with valid JSON."
	argsNotObject = `{"error": "Invalid tool arguments", "message": "Tool arguments must be a valid JSON object; tool was not executed."}`
)

// call is one tool call on its way through the pipeline.
type call struct {
	id, name string
	written  string          // arguments as the model wrote them
	args     json.RawMessage // as they are now, an object
	tool     tool.Tool       // nil when the name is unknown
	spec     tool.Spec
	notes    []string // what was repaired, for the card
	answer   *outcome // set when the call is answered
	unknown  bool
	// silent calls are answered before any hook or event of a running tool.
	silent  bool
	spilled bool // the result was saved to a file
}

// outcome is the answer of a call.
type outcome struct {
	status  string
	result  string // for the model
	err     string // for the user
	errType string // for post_tool_call; empty: none
	errMsg  string
	ms      float64
	failure *tool.Failure
	args    json.RawMessage // as the handler left them; nil: unchanged
	diff    string          // what the call changed in files
	parts   []tool.Part     // for models that take pictures; nil: result is all
}

// normalize makes calls of what the model wrote: names and arguments repaired
// where that needs no guess, identical calls run once, every id fresh. What
// cannot be run is answered already.
func (t *turn) normalize(written []llm.ToolCall) []*call {
	var calls []*call
	seen := map[string]*call{}
	times := map[string]int{}
	for i, w := range written {
		c := &call{id: w.ID, name: w.Name, written: w.Arguments}
		if t.reply != nil {
			c.notes = t.reply.CallNotes(i, t.lang)
		}
		t.resolve(c)
		t.parse(c)
		key := c.name + "\x00" + sameArgs(c)
		if first, ok := seen[key]; ok && c.tool != nil {
			times[key]++
			first.notes = append(withoutNote(first.notes, times[key], t.lang), locale.NoteTwice.In(t.lang, times[key]+1))
			continue
		}
		seen[key] = c
		t.freshID(c)
		calls = append(calls, c)
	}
	return calls
}

// withoutNote takes the note of one repetition less out again.
func withoutNote(notes []string, n int, lang locale.Lang) []string {
	if n > 1 && len(notes) > 0 && notes[len(notes)-1] == locale.NoteTwice.In(lang, n) {
		return notes[:len(notes)-1]
	}
	return notes
}

// sameArgs is the arguments in a form in which equal ones are equal.
func sameArgs(c *call) string {
	var v any
	if c.args == nil || json.Unmarshal(c.args, &v) != nil {
		return c.written
	}
	b, err := json.Marshal(v)
	if err != nil {
		return c.written
	}
	return string(b)
}

// resolve finds the tool of a call.
func (t *turn) resolve(c *call) {
	if strings.TrimSpace(c.name) == "" {
		c.name, c.unknown = invalidName, true
		c.refuse(event.StatusError, fmt.Sprintf(emptyName, t.offer.list()), locale.ToolNoName.In(t.lang))
		return
	}
	found, ok := t.offer.tools[c.name]
	if !ok {
		if name := repairName(c.name, t.offer.names); name != "" {
			c.notes = append(c.notes, locale.NoteName.In(t.lang, c.name, name))
			c.name = name
			found, ok = t.offer.tools[name]
		}
	}
	if !ok {
		c.unknown = true
		c.refuse(event.StatusError, fmt.Sprintf(unknownTool, c.name, t.offer.list()), locale.ToolUnknown.In(t.lang, c.name))
		return
	}
	c.tool, c.spec = found, found.Spec()
}

// parse reads the arguments of a call (decision D54).
func (t *turn) parse(c *call) {
	args, repairs, err := tool.RepairArgs(c.written)
	if err != nil {
		if c.answer == nil {
			c.refuse(event.StatusError, fmt.Sprintf(invalidJSON, err), locale.ToolBadJSON.In(t.lang, where(err)))
		}
		return
	}
	if len(repairs) > 0 {
		c.notes = append(c.notes, locale.NoteArgs.In(t.lang, repairNames(repairs, t.lang)))
	}
	if args[0] != '{' {
		if c.answer == nil {
			c.refuse(event.StatusError, argsNotObject, locale.ToolNotObject.In(t.lang))
		}
		return
	}
	c.args = args
}

// where is the parser's message for the card.
func where(err error) string {
	var e *tool.ArgsError
	if errors.As(err, &e) {
		return e.Error()
	}
	return err.Error()
}

func repairNames(rs []tool.Repair, lang locale.Lang) string {
	texts := map[tool.Repair]locale.Msg{
		tool.RepairFence: locale.RepairFence, tool.RepairUnquoted: locale.RepairUnquoted,
		tool.RepairComma: locale.RepairComma, tool.RepairControl: locale.RepairControl,
		tool.RepairClose: locale.RepairClose, tool.RepairSurplus: locale.RepairSurplus,
		tool.RepairLiteral: locale.RepairLiteral, tool.RepairQuotes: locale.RepairQuotes,
	}
	var out []string
	for _, r := range rs {
		out = append(out, texts[r].In(lang))
	}
	return strings.Join(out, ", ")
}

// freshID gives the call an id that no other call of the session has. Services
// leave ids out or repeat them; both would lose a result (core §1.1 rule 7).
func (t *turn) freshID(c *call) {
	if c.id == "" || t.s.ids[c.id] {
		if c.id != "" {
			c.notes = append(c.notes, locale.NoteID.In(t.lang))
		}
		c.id = "call_" + hexID(24)
	}
	t.s.ids[c.id] = true
}

// refuse answers a call that does not run; no hook sees it.
func (c *call) refuse(status, result, err string) {
	c.silent = true
	c.answer = &outcome{status: status, result: result, err: err}
}

func (c *call) note() string { return strings.Join(c.notes, "; ") }

// asWritten is the call for the history: repaired, with arguments that a
// service accepts when it sees them again.
func (c *call) asWritten() llm.ToolCall {
	args := c.written
	if c.args != nil {
		args = string(c.args)
	}
	if strings.TrimSpace(args) == "" {
		args = "{}"
	}
	return llm.ToolCall{ID: c.id, Name: c.name, Arguments: args}
}
