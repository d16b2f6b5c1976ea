// Package anthropic talks to services that speak Anthropic's Messages API:
// the hosted one, and the gateways that imitate it.
package anthropic

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// version is the API version that the package speaks.
const version = "2023-06-01"

// Caps on an answer where the user set none: the API wants a number, and
// refuses more than the model writes.
const (
	capOld     = 4096  // Claude 3
	capMiddle  = 8192  // Claude 3.5
	capDefault = 32000 // what Claude 4 models write at least
)

// Client is an llm.Client. It is safe for concurrent use.
type Client struct {
	cfg    llm.Config
	caller *wire.Caller
	path   string    // of the endpoint below the base
	left   wire.Left // what the service refused
}

// New returns a client for cfg. It opens no connection.
func New(cfg llm.Config) *Client {
	c := &Client{cfg: cfg, path: "/v1/messages"}
	c.caller = wire.NewCaller(cfg, headers(cfg))
	if strings.HasSuffix(c.caller.Base, "/v1") {
		c.path = "/messages"
	}
	c.cfg.BaseURL = c.caller.Base
	if cfg.NoImages {
		c.left.Leave(wire.Images)
	}
	if c.cfg.MaxTokens == 0 {
		c.cfg.MaxTokens = capFor(cfg.Model)
	}
	return c
}

func capFor(model string) int {
	m := strings.ToLower(model)
	switch {
	case strings.Contains(m, "claude-3-5"), strings.Contains(m, "claude-3.5"):
		return capMiddle
	case strings.Contains(m, "claude-3-haiku"), strings.Contains(m, "claude-3-opus"), strings.Contains(m, "claude-3-sonnet"), strings.Contains(m, "claude-2"):
		return capOld
	}
	return capDefault
}

// headers carry the key as the service wants it: a login's token as bearer,
// a key under the API's own name; gateways get both.
func headers(cfg llm.Config) http.Header {
	h := http.Header{}
	h.Set("Accept", "application/json")
	h.Set("Anthropic-Version", version)
	key := cfg.APIKey
	if key == "" {
		key = "no-key-required"
	}
	switch u, _ := url.Parse(cfg.BaseURL); {
	case strings.HasPrefix(key, "sk-ant-oat"):
		h.Set("Authorization", "Bearer "+key)
		h.Set("Anthropic-Beta", "oauth-2025-04-20")
	case u != nil && (u.Hostname() == "api.anthropic.com"):
		h.Set("X-Api-Key", key)
	default:
		h.Set("X-Api-Key", key)
		h.Set("Authorization", "Bearer "+key)
	}
	return h
}

// Info describes the service, without the key.
func (c *Client) Info() llm.Info {
	return llm.Info{
		Provider: c.cfg.Provider, Model: c.cfg.Model, BaseURL: c.cfg.BaseURL,
		APIMode: llm.ModeAnthropic, Window: c.cfg.Window, MaxTokens: c.cfg.MaxTokens,
	}
}

// Models asks the service which models it has.
func (c *Client) Models(ctx context.Context) ([]llm.ModelInfo, error) {
	return c.caller.Models(ctx, strings.TrimSuffix(c.path, "messages")+"models?limit=1000")
}

// Stream implements llm.Client.
func (c *Client) Stream(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	return c.left.Try(c.cfg.Model, r, c.carries, func(r llm.Request) (*llm.Response, error) { return c.once(ctx, r, onDelta) })
}

// once makes one attempt.
func (c *Client) once(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	x, err := c.caller.Post(ctx, c.path, c.encode(r))
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
