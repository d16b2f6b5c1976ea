package store

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"hermes/agent/llm"
)

// Message is a stored message.
type Message struct {
	ID   int64
	Time time.Time
	// Active is false for what was undone or compacted away; Compacted tells
	// the two apart.
	Active, Compacted bool
	llm.Message
	// Effect is what became of a tool's side effects, as the reference notes it.
	Effect string
}

// structured begins the content of a message that is more than a text; JSON
// follows. The reference chose it.
const structured = "\x00json:"

// attached stands in the text for a picture of the user: its bytes are not
// kept (they would weigh on the search index), as in the reference.
const attached = "[screenshot]"

// synthetic is what finish_reason says in rows of messages that the program
// wrote in the user's place. The reference has no mark for them and ignores
// the column in such rows.
const synthetic = "synthetic"

// columns of a message, in the order of row.
const messageColumns = `role, content, tool_call_id, tool_calls, tool_name, effect_disposition,
	finish_reason, reasoning, reasoning_content, reasoning_details, codex_reasoning_items, api_content`

// row is a message as its columns hold it; nil is NULL.
type row struct {
	Role                                   string
	Content, CallID, Calls, Tool, Effect   *string
	Finish, Reasoning, ReasoningContent    *string
	ReasoningDetails, CodexItems, Injected *string
}

func (r *row) fields() []any {
	return []any{
		&r.Role, &r.Content, &r.CallID, &r.Calls, &r.Tool, &r.Effect,
		&r.Finish, &r.Reasoning, &r.ReasoningContent, &r.ReasoningDetails, &r.CodexItems, &r.Injected,
	}
}

func (r *row) values() []any {
	return []any{
		r.Role, r.Content, r.CallID, r.Calls, r.Tool, r.Effect,
		r.Finish, r.Reasoning, r.ReasoningContent, r.ReasoningDetails, r.CodexItems, r.Injected,
	}
}

// filled is a column that is NULL when empty.
func filled(s string) *string {
	if s == "" {
		return nil
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	return &s
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// storedCall is a tool call in its column. call_id and response_item_id are
// what the reference makes up for the Responses protocol.
type storedCall struct {
	ID             string         `json:"id"`
	CallID         string         `json:"call_id,omitempty"`
	ResponseItemID string         `json:"response_item_id,omitempty"`
	Type           string         `json:"type"`
	Function       storedFunction `json:"function"`
}

type storedFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// encode turns a message into its row.
func encode(m llm.Message) row {
	content := strings.ToValidUTF8(contentOf(m), "\uFFFD")
	r := row{
		Role: m.Role, Content: &content, Effect: nil,
		Finish: filled(m.FinishReason), Injected: filled(m.APIContent),
	}
	switch m.Role {
	case llm.RoleTool:
		r.CallID, r.Tool = filled(m.ToolCallID), filled(m.Name)
	case llm.RoleAssistant:
		r.Calls = encodeCalls(m.ToolCalls)
		r.Reasoning, r.ReasoningContent = filled(m.Reasoning), filled(m.Reasoning)
		details := encodeDetails(m.ReasoningDetails)
		if encryptedReasoning(m.ReasoningDetails) {
			r.CodexItems = details
		} else {
			r.ReasoningDetails = details
		}
	}
	if m.Synthetic && r.Finish == nil {
		r.Finish = filled(synthetic)
	}
	return r
}

func encodeCalls(calls []llm.ToolCall) *string {
	if len(calls) == 0 {
		return nil
	}
	out := make([]storedCall, len(calls))
	for i, c := range calls {
		out[i] = storedCall{c.ID, c.ID, "fc_" + strings.TrimPrefix(c.ID, "call_"), "function", storedFunction{c.Name, c.Arguments}}
	}
	s, err := pyJSON(out)
	if err != nil {
		return nil // strings alone always encode
	}
	return &s
}

// encodeDetails keeps what is no JSON as a string of it.
func encodeDetails(raw json.RawMessage) *string {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if !json.Valid(raw) {
		return encodeDetails(json.RawMessage(quoted(string(raw))))
	}
	s := pySpell(raw)
	return &s
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string always encodes
	}
	return string(b)
}

// encryptedReasoning says that raw are items of the Responses protocol, which
// have a column of their own.
func encryptedReasoning(raw json.RawMessage) bool {
	var items []struct {
		Type      string          `json:"type"`
		Encrypted json.RawMessage `json:"encrypted_content"`
	}
	return json.Unmarshal(raw, &items) == nil && len(items) > 0 && items[0].Type == "reasoning" && items[0].Encrypted != nil
}

// decode turns a row into a message. Rows of any program decode: what cannot
// be read is kept as text or left out, never an error that would lose the
// session.
func decode(r row) (llm.Message, string) {
	m := llm.Message{
		Role: r.Role, APIContent: text(r.Injected), ToolCallID: text(r.CallID),
		FinishReason: text(r.Finish), Reasoning: text(r.Reasoning),
	}
	m.Content, m.Parts = decodeContent(text(r.Content))
	if m.Reasoning == "" {
		m.Reasoning = strings.TrimSpace(text(r.ReasoningContent))
	}
	if m.Role == llm.RoleTool {
		m.Name = text(r.Tool)
	}
	m.ToolCalls = decodeCalls(text(r.Calls))
	for _, d := range []*string{r.ReasoningDetails, r.CodexItems} {
		if raw := text(d); m.ReasoningDetails == nil && raw != "" && raw != "null" && json.Valid([]byte(raw)) {
			m.ReasoningDetails = json.RawMessage(raw)
		}
	}
	if m.FinishReason == synthetic {
		m.Synthetic, m.FinishReason = true, ""
	}
	return m, text(r.Effect)
}

// decodeCalls also takes arguments that are an object instead of its text.
func decodeCalls(raw string) []llm.ToolCall {
	if raw == "" {
		return nil
	}
	var calls []struct {
		ID       string `json:"id"`
		CallID   string `json:"call_id"`
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	}
	if json.Unmarshal([]byte(raw), &calls) != nil || len(calls) == 0 {
		return nil
	}
	out := make([]llm.ToolCall, len(calls))
	for i, c := range calls {
		out[i] = llm.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: argumentsText(c.Function.Arguments)}
		if out[i].ID == "" {
			out[i].ID = c.CallID
		}
	}
	return out
}

func argumentsText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// part is a piece of structured content, in the form of the chat protocol.
type part struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

// contentOf is the content column: the text, or parts when a picture has an
// address to come back from.
func contentOf(m llm.Message) string {
	if len(m.Parts) == 0 {
		return strings.TrimLeft(m.Content, "\x00")
	}
	parts := make([]part, len(m.Parts))
	var words []string
	remote := false
	for i, p := range m.Parts {
		switch {
		case p.Image == nil:
			parts[i] = part{Type: "text", Text: p.Text}
			words = append(words, p.Text)
		case len(p.Image.Data) == 0 && p.Image.URL != "" && !strings.HasPrefix(p.Image.URL, "data:"):
			parts[i] = part{Type: "image_url", ImageURL: &imageURL{p.Image.URL}}
			remote = true
		default:
			parts[i] = part{Type: "text", Text: attached}
			words = append(words, attached)
		}
	}
	if !remote {
		return strings.TrimLeft(strings.Join(words, "\n"), "\x00")
	}
	s, err := pyJSON(parts)
	if err != nil {
		return m.Content
	}
	return structured + s
}

// decodeContent splits a content column into the words and, when there are
// pictures, the parts.
func decodeContent(s string) (string, []llm.Part) {
	raw, ok := strings.CutPrefix(s, structured)
	if !ok {
		return s, nil
	}
	var parts []part
	if json.Unmarshal([]byte(raw), &parts) != nil {
		return raw, nil
	}
	var words []string
	var out []llm.Part
	pictures := false
	for _, p := range parts {
		switch {
		case p.ImageURL != nil && p.ImageURL.URL != "":
			out = append(out, llm.Part{Image: picture(p.ImageURL.URL)})
			pictures = true
		case p.Text != "":
			out = append(out, llm.Part{Text: p.Text})
			words = append(words, p.Text)
		}
	}
	if !pictures {
		out = nil
	}
	return strings.Join(words, "\n"), out
}

// picture reads an address, or the picture itself when the address holds it.
func picture(addr string) *llm.Image {
	head, data, ok := strings.Cut(strings.TrimPrefix(addr, "data:"), ";base64,")
	if !ok || !strings.HasPrefix(addr, "data:") {
		return &llm.Image{URL: addr}
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(bytes.TrimSpace(b)) == 0 {
		return &llm.Image{URL: addr}
	}
	return &llm.Image{MIME: head, Data: b}
}
