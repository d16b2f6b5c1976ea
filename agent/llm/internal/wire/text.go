package wire

import (
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/dialect"
	"hermes/agent/llm/internal/think"
	"hermes/agent/locale"
)

// Text takes the text of an answer as it streams and tells the view of it:
// thoughts between tags and calls between markers are taken out.
type Text struct {
	onDelta func(llm.Delta)
	offer   *dialect.Offer
	filter  think.Filter
	marked  *dialect.Filter
	thought strings.Builder
	some    bool
	// Held, when set, reads the text of an answer that a schema holds, in place
	// of the dialects.
	Held Held
}

// Held reads an answer that has a form of its own.
type Held interface {
	// Push takes the next piece and returns what of it a user may see.
	Push(piece string) string
	// Finish makes the message of the whole text.
	Finish(m *llm.Message) []llm.Note
}

// NewText returns a Text for an answer to a request with tools; onDelta may be
// nil.
func NewText(tools []llm.ToolDef, onDelta func(llm.Delta)) *Text {
	if onDelta == nil {
		onDelta = func(llm.Delta) {}
	}
	offer := dialect.NewOffer(tools)
	return &Text{onDelta: onDelta, offer: offer, marked: dialect.New(offer)}
}

// Say takes a piece of the content.
func (t *Text) Say(s string) {
	if s == "" {
		return
	}
	t.some = true
	text, thought := t.filter.Push(s)
	t.Think(thought)
	t.mark(text)
}

func (t *Text) mark(s string) {
	if t.Held != nil {
		t.show(t.Held.Push(s))
		return
	}
	s, thought := t.marked.Push(s)
	t.Think(thought)
	t.show(s)
}

func (t *Text) show(s string) {
	if s != "" {
		t.onDelta(llm.Delta{Kind: llm.DeltaText, Text: s})
	}
}

// Think takes a piece of the thoughts.
func (t *Text) Think(s string) {
	if s != "" {
		t.thought.WriteString(s)
		t.onDelta(llm.Delta{Kind: llm.DeltaReasoning, Text: s})
	}
}

// Thought is everything that was thought so far.
func (t *Text) Thought() string { return t.thought.String() }

// Some reports whether anything arrived.
func (t *Text) Some() bool { return t.some || t.thought.Len() > 0 }

// Finish ends the answer and completes m: its text, its thoughts, and behind
// the calls that it has those that the text held. The text is read again as a
// whole, because what seemed to be text may have turned out to be thought.
func (t *Text) Finish(m *llm.Message) []llm.Note {
	text, thought := t.filter.Close()
	t.Think(thought)
	t.mark(text)
	text, thought = t.marked.Close() // holds nothing when t.Held is set
	t.Think(thought)
	t.show(text)
	m.Reasoning = t.thought.String()
	if m.Reasoning == "" {
		m.Reasoning = t.filter.Reasoning() // the opening tag was missing
	}
	if t.Held != nil {
		m.Content = t.filter.Text()
		return t.Held.Finish(m)
	}
	rest, _, found := dialect.Parse(t.filter.Text(), t.offer)
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
