package responses

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// event is one event of a stream.
type event struct {
	Type     string          `json:"type"`
	Object   string          `json:"object"`
	Index    *int            `json:"output_index"`
	ItemID   string          `json:"item_id"`
	Item     *item           `json:"item"`
	Delta    json.RawMessage `json:"delta"`
	Text     string          `json:"text"`
	Args     string          `json:"arguments"`
	Response *document       `json:"response"`
	Error    json.RawMessage `json:"error"`
	Message  string          `json:"message"` // of the event error
}

// document is the answer as a whole.
type document struct {
	Model      string          `json:"model"`
	Status     string          `json:"status"`
	Output     []item          `json:"output"`
	Usage      *usage          `json:"usage"`
	Error      json.RawMessage `json:"error"`
	Incomplete *struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
}

type item struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Arguments arguments       `json:"arguments"`
	Encrypted string          `json:"encrypted_content"`
	Summary   json.RawMessage `json:"summary"`
	Content   []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
}

// arguments are a text, or an object of which the JSON is kept.
type arguments string

// UnmarshalJSON implements json.Unmarshaler.
func (a *arguments) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case string(b) == "null":
	case json.Unmarshal(b, &s) == nil:
		*a = arguments(s)
	default:
		*a = arguments(b)
	}
	return nil
}

type usage struct {
	In     int `json:"input_tokens"`
	Out    int `json:"output_tokens"`
	InMore struct {
		Cached int `json:"cached_tokens"`
	} `json:"input_tokens_details"`
	OutMore struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

// slot is an output item that is being put together.
type slot struct {
	index int
	item
	streamed bool            // its text was told as it came
	args     strings.Builder // of a call, as streamed
}

// assembly puts the events of one answer together.
type assembly struct {
	text    *wire.Text
	slots   []*slot
	refusal strings.Builder
	model   string
	status  string
	reason  string // why the answer is incomplete
	usage   *llm.Usage
	done    bool
	err     json.RawMessage
}

func newAssembly(tools []llm.ToolDef, onDelta func(llm.Delta)) *assembly {
	return &assembly{text: wire.NewText(tools, onDelta)}
}

func (a *assembly) add(data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return fmt.Errorf("read event: %w", err)
	}
	switch {
	case e.Type == "error" && e.Message != "":
		a.err = append(json.RawMessage(nil), data...)
		return nil
	case len(e.Error) > 0 && string(e.Error) != "null":
		a.err = e.Error
		return nil
	case e.Object == "response" && e.Type == "":
		var d document
		if err := json.Unmarshal(data, &d); err != nil {
			return fmt.Errorf("read response: %w", err)
		}
		a.end(&d)
		return nil
	}
	switch e.Type {
	case "response.output_item.added", "response.output_item.done":
		if e.Item != nil {
			a.take(a.slot(e.Index, e.Item.ID), e.Item)
		}
	case "response.output_text.delta":
		a.slot(e.Index, e.ItemID).streamed = true
		a.text.Say(text(e.Delta))
	case "response.refusal.delta":
		a.slot(e.Index, e.ItemID).streamed = true
		a.refusal.WriteString(text(e.Delta))
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		a.slot(e.Index, e.ItemID).streamed = true
		a.text.Think(text(e.Delta))
	case "response.reasoning_summary_part.added":
		if a.text.Thought() != "" {
			a.text.Think("\n\n")
		}
	case "response.function_call_arguments.delta":
		a.slot(e.Index, e.ItemID).args.WriteString(text(e.Delta))
	case "response.function_call_arguments.done":
		if s := a.slot(e.Index, e.ItemID); e.Args != "" {
			s.Arguments = arguments(e.Args)
		}
	case "response.created", "response.in_progress":
		if e.Response != nil {
			a.model = e.Response.Model
		}
	case "response.completed", "response.incomplete", "response.failed", "response.done", "response.cancelled":
		if e.Response != nil {
			a.end(e.Response)
		}
		a.done = true
	}
	return nil
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// slot is the item at an index, by its id where there is no index, else the
// last one.
func (a *assembly) slot(i *int, id string) *slot {
	for n := len(a.slots) - 1; n >= 0; n-- {
		s := a.slots[n]
		if i != nil && s.index == *i || i == nil && (id == "" || s.ID == id || s.ID == "") {
			return s
		}
	}
	s := &slot{index: len(a.slots)}
	if i != nil {
		s.index = *i
	}
	a.slots = append(a.slots, s)
	return s
}

// take takes what an item says that the slot does not know yet.
func (a *assembly) take(s *slot, it *item) {
	args, content := s.Arguments, s.Content
	s.item = *it
	if it.Arguments == "" {
		s.Arguments = args
	}
	if len(it.Content) == 0 {
		s.Content = content
	}
}

// end takes the whole answer, which repeats what was streamed, or is all there
// is.
func (a *assembly) end(d *document) {
	a.done = true
	if d.Model != "" {
		a.model = d.Model
	}
	a.status = d.Status
	if d.Incomplete != nil {
		a.reason = d.Incomplete.Reason
	}
	if len(d.Error) > 0 && string(d.Error) != "null" {
		a.err = d.Error
	}
	for i := range d.Output {
		n := i
		a.take(a.slot(&n, d.Output[i].ID), &d.Output[i])
	}
	if u := d.Usage; u != nil {
		a.usage = &llm.Usage{In: max(u.In-u.InMore.Cached, 0), Out: u.Out, CacheRead: u.InMore.Cached, Reasoning: u.OutMore.Reasoning}
	}
}

func (a *assembly) some() bool {
	if a.text.Some() {
		return true
	}
	for _, s := range a.slots {
		if s.Type == "function_call" {
			return true
		}
	}
	return false
}

func (a *assembly) finish() *llm.Response {
	m := llm.Message{Role: llm.RoleAssistant}
	var details []json.RawMessage
	for _, s := range a.slots {
		switch s.Type {
		case "message":
			a.unstreamed(s)
		case "reasoning":
			if !s.streamed {
				a.text.Think(summaryText(s.Summary))
			}
			if s.Encrypted != "" {
				details = append(details, reasoningItem(s))
			}
		case "function_call":
			args := string(s.Arguments)
			if args == "" {
				args = s.args.String()
			}
			id := s.CallID
			if id == "" {
				id = s.ID
			}
			m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: id, Name: s.Name, Arguments: args})
		}
	}
	if details != nil {
		m.ReasoningDetails, _ = json.Marshal(details) // raw JSON always encodes
	}
	notes := a.text.Finish(&m)
	m.FinishReason = a.finishReason(len(m.ToolCalls) > 0)
	if m.Content == "" && a.refusal.Len() > 0 {
		m.Content, m.FinishReason = a.refusal.String(), "content_filter"
	}
	return &llm.Response{Message: m, FinishReason: m.FinishReason, Model: a.model, Usage: a.usage, Notes: notes}
}

// unstreamed tells the text of a message that came whole.
func (a *assembly) unstreamed(s *slot) {
	if s.streamed {
		return
	}
	s.streamed = true
	for _, c := range s.Content {
		a.text.Say(c.Text)
		a.refusal.WriteString(c.Refusal)
	}
}

func summaryText(raw json.RawMessage) string {
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var out []string
	for _, p := range parts {
		out = append(out, p.Text)
	}
	return strings.Join(out, "\n\n")
}

func reasoningItem(s *slot) json.RawMessage {
	summary := s.Summary
	if len(summary) == 0 || summary[0] != '[' {
		summary = json.RawMessage("[]")
	}
	b, err := json.Marshal(struct {
		Type      string          `json:"type"`
		Summary   json.RawMessage `json:"summary"`
		Encrypted string          `json:"encrypted_content"`
	}{"reasoning", summary, s.Encrypted})
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

func (a *assembly) finishReason(calls bool) string {
	switch {
	case a.reason == "max_output_tokens" || a.reason == "max_tokens":
		return "length"
	case a.reason == "content_filter":
		return "content_filter"
	case calls:
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
			return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Message: "the answer is no response: " + c.caller.Clean(string(data))}
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
	case err == nil:
		return a.finish(), nil
	case !errors.Is(err, io.EOF):
		return a.partial(), x.Cut(err, a.some())
	case !a.some() && bad > 0:
		return nil, &llm.Error{Kind: llm.ErrServer, Retryable: true, Message: "the stream holds no readable answer"}
	case !a.some():
		return nil, &llm.Error{Kind: llm.ErrCut, Retryable: true, Message: "the service closed the connection without an answer"}
	}
	return a.partial(), x.Cut(io.ErrUnexpectedEOF, a.some())
}
