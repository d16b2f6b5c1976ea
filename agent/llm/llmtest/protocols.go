package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// protocol renders steps as one wire protocol's answers.
type protocol struct {
	events   func(s Step, model string, usage bool) []string
	document func(s Step, model string) []byte
}

var (
	chat      = protocol{Step.events, Step.document}
	messages  = protocol{messagesEvents, messagesDocument}
	responses = protocol{responsesEvents, responsesDocument}
)

// Handler answers with raw bytes of a test's own: statuses, headers, bodies
// that no step describes.
type Handler = http.HandlerFunc

func event(name string, o obj) string {
	o["type"] = name
	return fmt.Sprintf("event: %s\ndata: %s\n\n", name, encode(o))
}

func (s Step) size() int {
	if s.ChunkChars > 0 {
		return s.ChunkChars
	}
	return 8
}

// counts are the step's numbers of tokens in and out.
func (s Step) counts() (in, out int) {
	var u struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	}
	if json.Unmarshal(s.usage(), &u) != nil {
		return 0, 0
	}
	return u.Prompt, u.Completion
}

func (s Step) messagesUsage() any {
	if len(s.Usage) > 0 {
		return s.Usage
	}
	in, out := s.counts()
	return obj{"input_tokens": in, "output_tokens": out}
}

func (s Step) stopReason() string {
	switch s.finish() {
	case "tool_calls":
		return "tool_use"
	case "length":
		return "max_tokens"
	case "content_filter":
		return "refusal"
	}
	return "end_turn"
}

// signature is what thoughts are signed with.
const signature = "c2lnbmF0dXJl"

func messagesEvents(s Step, model string, _ bool) []string {
	if s.RawChunks != nil {
		return s.RawChunks
	}
	out := []string{
		event("message_start", obj{"message": obj{"id": "msg_test", "type": "message", "role": "assistant", "model": model, "content": []any{}, "usage": s.messagesUsage()}}),
		event("ping", obj{}),
	}
	n := 0
	block := func(start obj, deltas ...obj) {
		out = append(out, event("content_block_start", obj{"index": n, "content_block": start}))
		for _, d := range deltas {
			out = append(out, event("content_block_delta", obj{"index": n, "delta": d}))
		}
		out = append(out, event("content_block_stop", obj{"index": n}))
		n++
	}
	deltas := func(kind, key, text string) (ds []obj) {
		for _, p := range pieces(text, s.size()) {
			ds = append(ds, obj{"type": kind, key: p})
		}
		return ds
	}
	if s.Reasoning != "" {
		ds := append(deltas("thinking_delta", "thinking", s.Reasoning), obj{"type": "signature_delta", "signature": signature})
		block(obj{"type": "thinking", "thinking": "", "signature": ""}, ds...)
	}
	if s.Text != "" {
		block(obj{"type": "text", "text": ""}, deltas("text_delta", "text", s.Text)...)
	}
	for _, c := range s.ToolCalls {
		block(obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": obj{}}, deltas("input_json_delta", "partial_json", c.arguments())...)
	}
	out = append(out, event("message_delta", obj{"delta": obj{"stop_reason": s.stopReason()}, "usage": s.messagesUsage()}))
	if !s.NoDone {
		out = append(out, event("message_stop", obj{}))
	}
	return out
}

func messagesDocument(s Step, model string) []byte {
	content := []any{}
	if s.Reasoning != "" {
		content = append(content, obj{"type": "thinking", "thinking": s.Reasoning, "signature": signature})
	}
	if s.Text != "" {
		content = append(content, obj{"type": "text", "text": s.Text})
	}
	for _, c := range s.ToolCalls {
		content = append(content, obj{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.arguments())})
	}
	return encode(obj{"id": "msg_test", "type": "message", "role": "assistant", "model": model, "content": content, "stop_reason": s.stopReason(), "usage": s.messagesUsage()})
}

func (s Step) responsesUsage() any {
	if len(s.Usage) > 0 {
		return s.Usage
	}
	in, out := s.counts()
	return obj{"input_tokens": in, "output_tokens": out, "total_tokens": in + out}
}

// output are the items of the whole answer.
func (s Step) output() []any {
	items := []any{}
	if s.Reasoning != "" {
		items = append(items, obj{"type": "reasoning", "id": "rs_test", "encrypted_content": signature, "summary": []any{obj{"type": "summary_text", "text": s.Reasoning}}})
	}
	if s.Text != "" {
		items = append(items, obj{"type": "message", "id": "msg_test", "role": "assistant", "content": []any{obj{"type": "output_text", "text": s.Text}}})
	}
	for i, c := range s.ToolCalls {
		items = append(items, obj{"type": "function_call", "id": fmt.Sprintf("fc_%d", i), "call_id": c.ID, "name": c.Name, "arguments": c.arguments()})
	}
	return items
}

func (s Step) response(model string) obj {
	r := obj{"id": "resp_test", "object": "response", "model": model, "status": "completed", "output": s.output(), "usage": s.responsesUsage()}
	switch s.finish() {
	case "length":
		r["status"], r["incomplete_details"] = "incomplete", obj{"reason": "max_output_tokens"}
	case "content_filter":
		r["status"], r["incomplete_details"] = "incomplete", obj{"reason": "content_filter"}
	}
	return r
}

func responsesEvents(s Step, model string, _ bool) []string {
	if s.RawChunks != nil {
		return s.RawChunks
	}
	out := []string{event("response.created", obj{"response": obj{"id": "resp_test", "object": "response", "model": model, "status": "in_progress"}})}
	for n, it := range s.output() {
		whole, _ := it.(obj) // output makes nothing else
		added := obj{}
		for k, v := range whole {
			if k != "content" && k != "summary" && k != "arguments" && k != "encrypted_content" {
				added[k] = v
			}
		}
		out = append(out, event("response.output_item.added", obj{"output_index": n, "item": added}))
		kind, text := "response.output_text.delta", s.Text
		switch whole["type"] {
		case "reasoning":
			kind, text = "response.reasoning_summary_text.delta", s.Reasoning
		case "function_call":
			kind = "response.function_call_arguments.delta"
			text, _ = whole["arguments"].(string)
		}
		for _, p := range pieces(text, s.size()) {
			out = append(out, event(kind, obj{"output_index": n, "item_id": whole["id"], "delta": p}))
		}
		out = append(out, event("response.output_item.done", obj{"output_index": n, "item": whole}))
	}
	if !s.NoDone {
		name := "response.completed"
		r := s.response(model)
		if r["status"] == "incomplete" {
			name = "response.incomplete"
		}
		out = append(out, event(name, obj{"response": r}))
	}
	return out
}

func responsesDocument(s Step, model string) []byte { return encode(s.response(model)) }
