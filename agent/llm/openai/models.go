package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"hermes/agent/llm"
)

// Model is one entry of the service's list.
type Model struct {
	ID     string
	Window int // tokens, 0 when the service does not say
}

// Models asks the service which models it has: one request, which also leaves
// a warm connection behind for the first turn.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.cfg.BaseURL+"/models", nil)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	c.setHeaders(req)
	w, wctx := newWatchdog(ctx, c.cfg)
	defer w.stop()
	resp, err := c.http.Do(req.WithContext(wctx))
	if err != nil {
		return nil, c.connError(wctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // nothing to do about it
	if resp.StatusCode != http.StatusOK {
		return nil, c.statusError(resp, w)
	}
	body, err := io.ReadAll(io.LimitReader(watched{resp.Body, w}, maxBody))
	if err != nil {
		return nil, c.cut(wctx, err, false)
	}
	var doc struct {
		Data []struct {
			ID      string `json:"id"`
			Context count  `json:"context_length"`
			MaxLen  count  `json:"max_model_len"` // vLLM
			Meta    struct {
				Train count `json:"n_ctx_train"` // llama.cpp
			} `json:"meta"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, &llm.Error{Kind: llm.ErrServer, Err: err, Message: "the list of models is not JSON: " + c.clean(string(body))}
	}
	out := make([]Model, 0, len(doc.Data))
	for _, m := range doc.Data {
		out = append(out, Model{ID: m.ID, Window: int(max(m.Context, m.MaxLen, m.Meta.Train))})
	}
	return out, nil
}
