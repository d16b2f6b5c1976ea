package cases

import (
	"encoding/json"
	"slices"
	"strings"
)

// delta is what of a streamed piece goes into the whole answer.
type delta struct {
	Choices []struct {
		Delta struct {
			Content   string `json:"content"`
			Reasoning string `json:"reasoning_content"`
			ToolCalls []struct {
				Index    int     `json:"index"`
				ID       *string `json:"id"`
				Function struct {
					Name      string          `json:"name"`
					Arguments json.RawMessage `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
}

type wholeCall struct {
	ID       *string `json:"id"`
	Type     string  `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// whole is a streamed answer as one document, for a client that asked for no
// stream.
func whole(chunks []json.RawMessage) []byte {
	var text, thought strings.Builder
	calls, order, finish := map[int]*wholeCall{}, []int{}, "stop"
	for _, raw := range expand(chunks) {
		var d delta
		if json.Unmarshal(raw, &d) != nil {
			continue // a pause, or a text of its own
		}
		for _, c := range d.Choices {
			text.WriteString(c.Delta.Content)
			thought.WriteString(c.Delta.Reasoning)
			for _, t := range c.Delta.ToolCalls {
				call := calls[t.Index]
				if call == nil {
					call = &wholeCall{ID: t.ID, Type: "function"}
					calls[t.Index], order = call, append(order, t.Index)
				}
				call.Function.Name += t.Function.Name
				var args string
				if json.Unmarshal(t.Function.Arguments, &args) == nil {
					call.Function.Arguments += args
				}
			}
			if c.Finish != "" {
				finish = c.Finish
			}
		}
	}
	message := map[string]any{"role": "assistant", "content": text.String()}
	if thought.Len() > 0 {
		message["reasoning_content"] = thought.String()
	}
	list := []*wholeCall{}
	for _, i := range slices.Compact(order) {
		list = append(list, calls[i])
	}
	if len(list) > 0 {
		message["tool_calls"] = list
	}
	b, err := json.Marshal(map[string]any{
		"id": "r1", "object": "chat.completion", "created": 1, "model": "mock-model",
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	})
	if err != nil {
		return []byte(notHere) // maps and texts always encode
	}
	return b
}
