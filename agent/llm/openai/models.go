package openai

import (
	"context"

	"hermes/agent/llm"
)

// Models asks the service which models it has: one request, which also leaves
// a warm connection behind for the first turn.
func (c *Client) Models(ctx context.Context) ([]llm.ModelInfo, error) {
	return c.caller.Models(ctx, "/models")
}
