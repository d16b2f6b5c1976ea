package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// chunk is one event of a stream, or a whole answer: the two differ only in
// whether the piece is called delta or message.
type chunk struct {
	Model   text            `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	// Object tells an error document of some servers: {"object":"error","message":…}.
	Object  text `json:"object"`
	Message text `json:"message"`
}

type choice struct {
	Index        json.RawMessage `json:"index"`
	Delta        *piece          `json:"delta"`
	Message      *piece          `json:"message"`
	FinishReason text            `json:"finish_reason"`
}

type piece struct {
	Content          content         `json:"content"`
	ReasoningContent text            `json:"reasoning_content"`
	Reasoning        text            `json:"reasoning"`
	ReasoningDetails json.RawMessage `json:"reasoning_details"`
	Refusal          text            `json:"refusal"`
	ToolCalls        []callPiece     `json:"tool_calls"`
	FunctionCall     *callFunc       `json:"function_call"`
}

// text is a string field that tolerates null, numbers and objects (as JSON).
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		return nil
	case b[0] == '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*t = text(s)
	default:
		*t = text(b)
	}
	return nil
}

// content is a text, or the list of parts that some services write.
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(b []byte) error {
	if b[0] != '[' {
		return (*text)(c).UnmarshalJSON(b)
	}
	var parts []struct {
		Text text `json:"text"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return nil //nolint:nilerr // a form nobody knows is not worth the rest of the answer
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

// assembly puts the pieces of one answer together. It is the one place where
// an answer's form is put right:
//
//	what a service does                          what is made of it
//	no [DONE], finish_reason as the last word    the answer is whole
//	neither of them at the end of the body       cut: what arrived is kept
//	null or missing delta, choices, usage        skipped
//	message instead of delta, a document, or     read like events
//	lines of JSON instead of a stream
//	one broken event                             skipped, the rest counts
//	error object in an answer with 200           a failure of its kind
//	choices of other candidates                  ignored
//	content as a list of parts                   joined
//	reasoning_content, reasoning, details,       thoughts
//	<think> tags in the content (package think)
//	calls between markers in the content         calls, marked (package dialect)
//	calls without index or id, one index for     told apart by index, then id,
//	all, ids that repeat or change               then a name after whole arguments
//	names repeated, growing or in pieces         one name
//	arguments as object or null                  their text
//	arguments that repeat what came before       the last ones
//	several objects in one call's arguments      one call each, marked
//	function_call                                a call
//	finish_reason that contradicts the calls     follows the calls
//
// Arguments that are no JSON are the agent's to repair (tool.RepairArgs).
type assembly struct {
	text    *wire.Text
	calls   callList
	details []json.RawMessage
	usage   *llm.Usage
	model   string
	reason  string // finish reason
	refusal strings.Builder
	started bool // any chunk with a choice arrived
	done    bool // [DONE] arrived
	err     json.RawMessage
}

func newAssembly(tools []llm.ToolDef, onDelta func(llm.Delta)) *assembly {
	return &assembly{text: wire.NewText(tools, onDelta)}
}

// add takes one event. An error means that data is not the JSON of one.
func (a *assembly) add(data []byte) error {
	var ch chunk
	if err := json.Unmarshal(data, &ch); err != nil {
		return fmt.Errorf("read event: %w", err)
	}
	switch {
	case len(ch.Error) > 0 && string(ch.Error) != "null" && string(ch.Error) != `""` && string(ch.Error) != "{}":
		a.err = ch.Error
		return nil
	case ch.Object == "error" && len(ch.Choices) == 0:
		a.err = bytes.Clone(data)
		return nil
	}
	if ch.Model != "" {
		a.model = string(ch.Model)
	}
	if ch.Usage != nil {
		a.usage = ch.Usage.count()
	}
	for _, c := range ch.Choices {
		if i := string(c.Index); i != "" && i != "0" && i != "null" && i != `"0"` {
			continue // only one answer was asked for
		}
		a.started = true
		a.piece(c.Delta)
		a.piece(c.Message)
		if c.FinishReason != "" {
			a.reason = string(c.FinishReason)
		}
	}
	return nil
}

func (a *assembly) piece(p *piece) {
	if p == nil {
		return
	}
	r := p.ReasoningContent
	if r == "" {
		r = p.Reasoning
	}
	a.text.Think(string(r))
	a.addDetails(p.ReasoningDetails)
	a.text.Say(string(p.Content))
	a.refusal.WriteString(string(p.Refusal))
	for _, c := range p.ToolCalls {
		a.calls.add(c)
	}
	if p.FunctionCall != nil {
		a.calls.add(callPiece{Index: json.RawMessage("0"), Function: *p.FunctionCall})
	}
}

// some reports whether anything of an answer arrived.
func (a *assembly) some() bool {
	return a.text.Some() || len(a.calls.slots) > 0
}

// partial is what arrived before the stream broke, nil when nothing did.
func (a *assembly) partial() *llm.Response {
	if !a.some() {
		return nil
	}
	r := a.finish()
	r.FinishReason = ""
	return r
}

func (a *assembly) finish() *llm.Response {
	m := llm.Message{Role: llm.RoleAssistant, ReasoningDetails: a.reasoningDetails()}
	calls, notes := a.calls.list()
	m.ToolCalls = calls
	notes = append(notes, a.text.Finish(&m)...)
	m.FinishReason = a.finishReason(len(m.ToolCalls) > 0)
	if m.Content == "" && a.refusal.Len() > 0 {
		m.Content = a.refusal.String()
		m.FinishReason = "content_filter"
	}
	return &llm.Response{Message: m, FinishReason: m.FinishReason, Model: a.model, Usage: a.usage, Notes: notes}
}

// finishReason repairs what services get wrong: calls count, whatever the
// reason says, unless the answer was cut off.
func (a *assembly) finishReason(calls bool) string {
	switch r := strings.ToLower(a.reason); {
	case r == "max_tokens" || r == "model_length":
		return "length"
	case calls && r != "length" && r != "content_filter":
		return "tool_calls"
	case r == "tool_calls" || r == "function_call" || r == "tool_use": // without any
		return "stop"
	case r == "" || r == "eos" || r == "end_turn" || r == "stop_sequence":
		return "stop"
	default:
		return r
	}
}
