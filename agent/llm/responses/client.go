// Package responses talks to services that speak OpenAI's Responses API. The
// whole conversation is sent each time (store: false): nothing is kept at the
// service, and history stays the program's.
package responses

import (
	"context"
	"net/http"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// Client is an llm.Client. It is safe for concurrent use.
type Client struct {
	cfg     llm.Config
	caller  *wire.Caller
	reasons bool      // the model thinks, and gives its thoughts encrypted
	left    wire.Left // what the service refused
}

// New returns a client for cfg. It opens no connection.
func New(cfg llm.Config) *Client {
	h := http.Header{}
	key := cfg.APIKey
	if key == "" {
		key = "no-key-required"
	}
	h.Set("Authorization", "Bearer "+key)
	h.Set("Accept", "application/json")
	c := &Client{cfg: cfg, reasons: wire.Reasons(cfg.Model) || strings.Contains(strings.ToLower(cfg.Model), "codex")}
	c.caller = wire.NewCaller(cfg, h)
	c.cfg.BaseURL = c.caller.Base
	if cfg.NoImages {
		c.left.Leave(wire.Images)
	}
	return c
}

// Info describes the service, without the key.
func (c *Client) Info() llm.Info {
	return llm.Info{
		Provider: c.cfg.Provider, Model: c.cfg.Model, BaseURL: c.cfg.BaseURL,
		APIMode: llm.ModeResponses, Window: c.cfg.Window, MaxTokens: c.cfg.MaxTokens,
	}
}

// Models asks the service which models it has.
func (c *Client) Models(ctx context.Context) ([]llm.ModelInfo, error) {
	return c.caller.Models(ctx, "/models")
}

// Stream implements llm.Client.
func (c *Client) Stream(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	return c.left.Try(c.cfg.Model, r, c.carries, func(r llm.Request) (*llm.Response, error) { return c.once(ctx, r, onDelta) })
}

// once makes one attempt.
func (c *Client) once(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	x, err := c.caller.Post(ctx, "/responses", c.encode(r))
	if err != nil {
		return nil, err
	}
	defer x.Close()
	answer, err := c.read(x, newAssembly(r.Tools, onDelta))
	if err == nil {
		x.Finish()
	}
	return answer, err
}
