// Package openai talks to any service that answers OpenAI's streaming chat
// completions: hosted ones, and local servers that only roughly follow it.
// It sends what the contract fixes byte for byte and accepts much more than
// the specification allows; assembly.go has the table of what it repairs.
package openai

import (
	"context"
	"net/http"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

const (
	customMaxTokens = 65536 // contract/core §4.2
	noKey           = "no-key-required"
)

// Config says which service, which model and how.
type Config = llm.Config

// Client is an llm.Client. It is safe for concurrent use.
type Client struct {
	cfg     Config
	caller  *wire.Caller
	profile profile
	left    wire.Left // what the service refused
}

// New returns a client for cfg. It opens no connection.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg, profile: profileOf(cfg)}
	c.caller = wire.NewCaller(cfg, headers(cfg))
	c.cfg.BaseURL = c.caller.Base
	if cfg.NoImages {
		c.left.Leave(wire.Images)
	}
	if c.cfg.MaxTokens == 0 && c.profile.capByDefault {
		c.cfg.MaxTokens = customMaxTokens
	}
	return c
}

func headers(cfg Config) http.Header {
	key := cfg.APIKey
	if key == "" {
		key = noKey
	}
	h := http.Header{}
	h.Set("Authorization", "Bearer "+key)
	h.Set("Accept", "application/json")
	return h
}

// Info describes the service, without the key.
func (c *Client) Info() llm.Info {
	return llm.Info{
		Provider: c.cfg.Provider, Model: c.cfg.Model, BaseURL: c.cfg.BaseURL,
		APIMode: llm.ModeChat, Window: c.cfg.Window, MaxTokens: c.cfg.MaxTokens,
	}
}

// NewHTTP returns the HTTP client that New uses.
func NewHTTP() *http.Client {
	h, err := wire.NewHTTP(wire.TLS{})
	if err != nil {
		panic(err) // only a file of one's own can fail
	}
	return h
}

// Stream implements llm.Client.
func (c *Client) Stream(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	return c.left.Try(c.cfg.Model, r, c.carries, func(r llm.Request) (*llm.Response, error) { return c.once(ctx, r, onDelta) })
}

// once makes one attempt.
func (c *Client) once(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	x, err := c.caller.Post(ctx, "/chat/completions", c.encode(r))
	if err != nil {
		return nil, err
	}
	defer x.Close()
	a := newAssembly(r.Tools, onDelta)
	if c.bySchema(r) && !c.left.Has("response_format") {
		a.text.Held = &schemaReply{}
	}
	answer, err := c.read(x, a)
	if err == nil {
		x.Finish()
	}
	return answer, err
}
