// Package service makes the client that a configuration asks for, whatever
// protocol its service speaks.
package service

import (
	"context"
	"net/http"

	"hermes/agent/llm"
	"hermes/agent/llm/anthropic"
	"hermes/agent/llm/internal/wire"
	"hermes/agent/llm/openai"
	"hermes/agent/llm/responses"
)

// Client is a client that can say which models its service has.
type Client interface {
	llm.Client
	// Models asks the service for its models: one request, which also leaves a
	// warm connection behind for the first turn.
	Models(ctx context.Context) ([]llm.ModelInfo, error)
}

// New returns the client for cfg.APIMode. It opens no connection.
func New(cfg llm.Config) Client {
	switch cfg.APIMode {
	case llm.ModeAnthropic:
		return anthropic.New(cfg)
	case llm.ModeResponses:
		return responses.New(cfg)
	}
	return openai.New(cfg)
}

// TLS is what one service wants of certificates beside the system's:
// ssl_ca_cert and ssl_verify: false.
type TLS = wire.TLS

// NewHTTP returns an HTTP client for TLS's wishes: proxies from the
// environment, connections kept, SSL_CERT_FILE honoured. Clients of services
// with the same wishes share one.
func NewHTTP(o TLS) (*http.Client, error) { return wire.NewHTTP(o) }

// Warm reads the system's certificates, for which the first connection would
// wait; it takes some milliseconds and belongs into the background. No request
// is sent.
func Warm() { wire.Warm() }
