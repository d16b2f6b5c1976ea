package wire

import (
	"context"
	"encoding/json"

	"hermes/agent/llm"
)

// Models reads the service's list of models at path: a list, or an object
// with one under data or models.
func (c *Caller) Models(ctx context.Context, path string) ([]llm.ModelInfo, error) {
	x, err := c.Get(ctx, path)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	body, err := x.Document()
	if err != nil {
		return nil, err
	}
	out, err := readModels(body)
	if err != nil {
		return nil, &llm.Error{Kind: llm.ErrServer, Err: err, Message: "the list of models is not JSON: " + c.Clean(plainText(body))}
	}
	return out, nil
}

type model struct {
	ID      text   `json:"id"`
	Name    text   `json:"name"`
	Context tokens `json:"context_length"`
	Window  tokens `json:"context_window"`
	Max     tokens `json:"max_context_length"`
	MaxLen  tokens `json:"max_model_len"` // vLLM
	Input   tokens `json:"max_input_tokens"`
	Meta    struct {
		Ctx   tokens `json:"n_ctx"`       // llama.cpp, as it was started
		Train tokens `json:"n_ctx_train"` // … as the model was trained
	} `json:"meta"`
}

func readModels(body []byte) ([]llm.ModelInfo, error) {
	var list []model
	if json.Unmarshal(body, &list) != nil {
		var doc struct {
			Data   []model `json:"data"`
			Models []model `json:"models"`
		}
		if err := json.Unmarshal(body, &doc); err != nil {
			return nil, err
		}
		if list = doc.Data; list == nil {
			list = doc.Models
		}
	}
	out := make([]llm.ModelInfo, 0, len(list))
	for _, m := range list {
		id := string(m.ID)
		if id == "" {
			id = string(m.Name)
		}
		window := max(m.Context, m.Window, m.Max, m.MaxLen, m.Input, m.Meta.Ctx)
		if window == 0 {
			window = m.Meta.Train
		}
		if id != "" {
			out = append(out, llm.ModelInfo{ID: id, Window: int(window)})
		}
	}
	return out, nil
}

// tokens is a number of tokens, 0 when it is no sensible one.
type tokens int

// UnmarshalJSON implements json.Unmarshaler; it accepts anything.
func (t *tokens) UnmarshalJSON(b []byte) error {
	var f float64
	if json.Unmarshal(b, &f) == nil && f > 0 && f < 1<<40 {
		*t = tokens(f)
	}
	return nil
}
