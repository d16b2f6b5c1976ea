package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/dialect"
	"hermes/agent/llm/internal/think"
	"hermes/agent/locale"
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
	onDelta func(llm.Delta)
	offer   *dialect.Offer
	filter  think.Filter
	calls   callList
	marked  *dialect.Filter // what is shown of the filtered text
	raw     bool            // something of the content arrived
	thought strings.Builder
	details []json.RawMessage
	usage   *llm.Usage
	model   string
	reason  string // finish reason
	refusal strings.Builder
	started bool // any chunk with a choice arrived
	done    bool // [DONE] arrived
	err     json.RawMessage
	schema  *schemaReply // set when a schema holds the answer
}

func newAssembly(tools []llm.ToolDef, onDelta func(llm.Delta)) *assembly {
	if onDelta == nil {
		onDelta = func(llm.Delta) {}
	}
	offer := dialect.NewOffer(tools)
	return &assembly{onDelta: onDelta, offer: offer, marked: dialect.New(offer)}
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
	a.think(string(r))
	a.addDetails(p.ReasoningDetails)
	if p.Content != "" {
		a.raw = true
		text, thought := a.filter.Push(string(p.Content))
		a.think(thought)
		a.say(text)
	}
	a.refusal.WriteString(string(p.Refusal))
	for _, c := range p.ToolCalls {
		a.calls.add(c)
	}
	if p.FunctionCall != nil {
		a.calls.add(callPiece{Index: json.RawMessage("0"), Function: *p.FunctionCall})
	}
}

// say shows text that is no thought: without calls and their markers.
func (a *assembly) say(s string) {
	if a.schema != nil {
		s = a.schema.push(s)
		a.show(s)
		return
	}
	s, thought := a.marked.Push(s)
	a.think(thought)
	a.show(s)
}

func (a *assembly) show(s string) {
	if s != "" {
		a.onDelta(llm.Delta{Kind: llm.DeltaText, Text: s})
	}
}

func (a *assembly) think(s string) {
	if s != "" {
		a.thought.WriteString(s)
		a.onDelta(llm.Delta{Kind: llm.DeltaReasoning, Text: s})
	}
}

// some reports whether anything of an answer arrived.
func (a *assembly) some() bool {
	return a.raw || a.thought.Len() > 0 || len(a.calls.slots) > 0
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
	text, thought := a.filter.Close()
	a.think(thought)
	a.say(text)
	if a.schema == nil {
		text, thought = a.marked.Close()
		a.think(thought)
		a.show(text)
	}
	m := llm.Message{
		Role:             llm.RoleAssistant,
		Content:          a.filter.Text(),
		Reasoning:        a.thought.String(),
		ReasoningDetails: a.reasoningDetails(),
	}
	if m.Reasoning == "" {
		m.Reasoning = a.filter.Reasoning() // the opening tag was missing
	}
	var notes []llm.Note
	m.ToolCalls, notes = a.calls.list()
	notes = append(notes, a.recover(&m)...)
	m.FinishReason = a.finishReason(len(m.ToolCalls) > 0)
	if m.Content == "" && a.refusal.Len() > 0 {
		m.Content = a.refusal.String()
		m.FinishReason = "content_filter"
	}
	return &llm.Response{Message: m, FinishReason: m.FinishReason, Model: a.model, Usage: a.usage, Notes: notes}
}

// recover takes the calls out of the text of m. The text is read again as a
// whole, because what seemed to be text may have turned out to be thought.
func (a *assembly) recover(m *llm.Message) []llm.Note {
	if a.schema != nil {
		return a.schema.finish(m)
	}
	rest, _, found := dialect.Parse(m.Content, a.offer)
	m.Content = rest
	if len(found) == 0 {
		return nil
	}
	m.Content = strings.TrimSpace(rest)
	var notes []llm.Note
	for _, c := range found {
		notes = append(notes, llm.Note{Call: len(m.ToolCalls), Msg: locale.LLMFromText, Args: []any{c.Dialect}})
		m.ToolCalls = append(m.ToolCalls, llm.ToolCall{Name: c.Name, Arguments: c.Arguments})
	}
	return notes
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
