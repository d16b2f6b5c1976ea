package anthropic

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// event is one event of a stream. A plain answer is read as one too: its
// content, stop_reason and usage stand at the top.
type event struct {
	Type    string          `json:"type"`
	Index   *int            `json:"index"`
	Message *document       `json:"message"`
	Block   *block          `json:"content_block"`
	Delta   *delta          `json:"delta"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
}

type document struct {
	Type    string  `json:"type"`
	Model   string  `json:"model"`
	Content []block `json:"content"`
	Stop    string  `json:"stop_reason"`
	Usage   *usage  `json:"usage"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
}

type delta struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Thinking  string `json:"thinking"`
	Signature string `json:"signature"`
	Partial   string `json:"partial_json"`
	Stop      string `json:"stop_reason"`
}

type usage struct {
	In         *int `json:"input_tokens"`
	Out        *int `json:"output_tokens"`
	CacheRead  *int `json:"cache_read_input_tokens"`
	CacheWrite *int `json:"cache_creation_input_tokens"`
}

// open is a block that is being put together.
type open struct {
	index int
	block
	partial strings.Builder // of the input
}

// assembly puts the events of one answer together.
type assembly struct {
	text   *wire.Text
	blocks []*open
	model  string
	stop   string
	usage  llm.Usage
	counts bool // usage arrived
	done   bool
	err    json.RawMessage
}

func newAssembly(tools []llm.ToolDef, onDelta func(llm.Delta)) *assembly {
	return &assembly{text: wire.NewText(tools, onDelta)}
}

func (a *assembly) add(data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("read event: %w", err)
	}
	if len(e.Error) > 0 && string(e.Error) != "null" {
		a.err = e.Error
		return nil
	}
	a.count(e.Usage)
	switch e.Type {
	case "message_start":
		if e.Message != nil {
			a.document(e.Message)
		}
	case "message":
		var d document
		if err := json.Unmarshal(data, &d); err != nil {
			return fmt.Errorf("read message: %w", err)
		}
		a.document(&d)
		a.done = true
	case "content_block_start":
		if e.Block != nil {
			a.start(index(e.Index, len(a.blocks)), *e.Block)
		}
	case "content_block_delta":
		if e.Delta != nil {
			a.piece(a.at(e.Index, e.Delta.Type), e.Delta)
		}
	case "message_delta":
		if e.Delta != nil && e.Delta.Stop != "" {
			a.stop = e.Delta.Stop
		}
	case "message_stop":
		a.done = true
	}
	return nil
}

func index(i *int, def int) int {
	if i == nil {
		return def
	}
	return *i
}

func (a *assembly) document(d *document) {
	if d.Model != "" {
		a.model = d.Model
	}
	if d.Stop != "" {
		a.stop = d.Stop
	}
	a.count(d.Usage)
	for i, b := range d.Content {
		a.start(i, b)
	}
}

// start begins a block, with what it already holds.
func (a *assembly) start(i int, b block) {
	o := &open{index: i, block: b}
	if len(b.Input) > 0 && string(b.Input) != "{}" && string(b.Input) != "null" {
		o.partial.Write(b.Input)
	}
	a.blocks = append(a.blocks, o)
	switch b.Type {
	case "text":
		a.text.Say(b.Text)
	case "thinking":
		a.text.Think(b.Thinking)
	}
}

// at is the block that a piece belongs to; services that never began it, or
// leave out its index, mean the last of its kind.
func (a *assembly) at(i *int, piece string) *open {
	for n := len(a.blocks) - 1; n >= 0; n-- {
		if i == nil || a.blocks[n].index == *i {
			return a.blocks[n]
		}
	}
	kind := "text"
	switch piece {
	case "thinking_delta", "signature_delta":
		kind = "thinking"
	case "input_json_delta":
		kind = "tool_use"
	}
	o := &open{index: index(i, len(a.blocks)), block: block{Type: kind}}
	a.blocks = append(a.blocks, o)
	return o
}

func (a *assembly) piece(o *open, d *delta) {
	switch {
	case d.Type == "text_delta" || d.Type == "" && d.Text != "":
		a.text.Say(d.Text)
	case d.Thinking != "":
		o.Thinking += d.Thinking
		a.text.Think(d.Thinking)
	case d.Signature != "":
		o.Signature += d.Signature
	case d.Partial != "":
		o.partial.WriteString(d.Partial)
	}
}

func (a *assembly) count(u *usage) {
	if u == nil {
		return
	}
	a.counts = true
	take := func(to *int, from *int) {
		if from != nil && *from > *to {
			*to = *from
		}
	}
	take(&a.usage.In, u.In)
	take(&a.usage.Out, u.Out)
	take(&a.usage.CacheRead, u.CacheRead)
	take(&a.usage.CacheWrite, u.CacheWrite)
}

func (a *assembly) some() bool {
	if a.text.Some() {
		return true
	}
	for _, o := range a.blocks {
		if o.Type == "tool_use" {
			return true
		}
	}
	return false
}

func (a *assembly) finish() *llm.Response {
	m := llm.Message{Role: llm.RoleAssistant, ReasoningDetails: a.details()}
	for _, o := range a.blocks {
		if o.Type == "tool_use" {
			m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: o.ID, Name: o.Name, Arguments: o.partial.String()})
		}
	}
	notes := a.text.Finish(&m)
	m.FinishReason = finishReason(a.stop, len(m.ToolCalls) > 0)
	r := &llm.Response{Message: m, FinishReason: m.FinishReason, Model: a.model, Notes: notes}
	if a.counts {
		u := a.usage
		r.Usage = &u
	}
	return r
}

// details are the thinking blocks as the next request repeats them.
func (a *assembly) details() json.RawMessage {
	var list []any
	for _, o := range a.blocks {
		switch {
		case o.Type == "thinking" && o.Signature != "":
			list = append(list, struct {
				Type      string `json:"type"`
				Thinking  string `json:"thinking"`
				Signature string `json:"signature"`
			}{o.Type, o.Thinking, o.Signature})
		case o.Type == "redacted_thinking" && o.Data != "":
			list = append(list, struct {
				Type string `json:"type"`
				Data string `json:"data"`
			}{o.Type, o.Data})
		}
	}
	if list == nil {
		return nil
	}
	out, err := json.Marshal(list)
	if err != nil {
		return nil
	}
	return out
}

func finishReason(stop string, calls bool) string {
	switch stop {
	case "max_tokens", "model_context_window_exceeded":
		return "length"
	case "refusal":
		return "content_filter"
	}
	if calls {
		return "tool_calls"
	}
	return "stop"
}

func (a *assembly) partial() *llm.Response {
	if !a.some() {
		return nil
	}
	r := a.finish()
	r.FinishReason = ""
	return r
}

// read turns the body of a 200 answer into a response, whatever form it has.
func (c *Client) read(x *wire.Exchange, a *assembly) (*llm.Response, error) {
	form, err := x.Form()
	switch {
	case err != nil:
		return nil, err
	case form == wire.FormPage:
		return nil, x.Page()
	case form == wire.FormDocument:
		data, err := x.Document()
		if err != nil {
			return nil, err
		}
		if err := a.add(data); err != nil {
			return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Err: err, Message: "the answer is not JSON: " + c.caller.Clean(string(data))}
		}
		if a.err != nil {
			return nil, c.caller.Fault(a.err, false)
		}
		if !a.done {
			return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Message: "the answer is no message: " + c.caller.Clean(string(data))}
		}
		return a.finish(), nil
	}
	return c.readStream(x, a)
}

func (c *Client) readStream(x *wire.Exchange, a *assembly) (*llm.Response, error) {
	bad := 0
	var failed error
	err := x.Events(func(_ string, data []byte) bool {
		if string(data) == "[DONE]" {
			a.done = true
			return false
		}
		if a.add(data) != nil {
			bad++ // one broken event must not lose the answer around it
		}
		if a.err != nil {
			failed = c.caller.Fault(a.err, a.some())
		}
		return failed == nil && !a.done
	})
	switch {
	case failed != nil:
		return a.partial(), failed
	case err == nil || a.stop != "":
		return a.finish(), nil
	case !errors.Is(err, io.EOF):
		return a.partial(), x.Cut(err, a.some())
	case !a.some() && bad > 0:
		return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Message: "the stream holds no readable answer"}
	case !a.some() && len(a.blocks) == 0 && !a.counts:
		return nil, &llm.Error{Kind: llm.ErrCut, Retryable: true, Message: "the service closed the connection without an answer"}
	}
	return a.partial(), x.Cut(io.ErrUnexpectedEOF, a.some())
}
