package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"hermes/agent/config"
	"hermes/agent/llm"
	"hermes/agent/llm/service"
)

// newClient makes the client of a configured model. It opens no connection.
func (rt *Runtime) newClient(m config.Model) (*service.Learning, error) {
	h, err := rt.httpFor(m)
	if err != nil {
		return nil, fmt.Errorf("providers.%s: %w", m.Provider, err)
	}
	agent := m.UserAgent
	if agent == "" {
		agent = "hermes/" + rt.opt.Version
	}
	c := service.New(llm.Config{
		Provider: m.Provider, Model: m.Model, BaseURL: m.BaseURL, APIMode: m.APIMode, APIKey: m.APIKey,
		MaxTokens: m.MaxTokens, Window: m.ContextLength, ReasoningEffort: m.ReasoningEffort,
		Headers: m.Headers, ExtraBody: m.ExtraBody, UserAgent: agent,
		CacheTTL: m.CacheTTL, ToolCalls: m.ToolCalls, OllamaNumCtx: m.OllamaNumCtx, NoImages: m.NoImages,
		Timeout: m.RequestTimeout, ReadTimeout: m.ReadTimeout, StaleTimeout: m.StaleTimeout, HTTP: h,
	})
	if strings.HasPrefix(m.BaseURL, "https:") {
		rt.inBackground(func(context.Context) { service.Warm() })
	}
	spawn := rt.inBackground
	if m.NoDiscovery {
		spawn = nil
	}
	return service.NewLearning(c, config.NewWindows(rt.opt.Home), spawn), nil
}

// httpFor is the HTTP client that a model's service wants: the shared one, or
// one with certificates of its own.
func (rt *Runtime) httpFor(m config.Model) (*http.Client, error) {
	if m.CACert == "" && !m.Insecure {
		return rt.http, nil
	}
	h, err := service.NewHTTP(service.TLS{CACert: m.CACert, Insecure: m.Insecure})
	if err != nil {
		return nil, err
	}
	context.AfterFunc(rt.ctx, h.CloseIdleConnections)
	return h, nil
}

// inBackground runs f with a context that ends with the program.
func (rt *Runtime) inBackground(f func(context.Context)) {
	if rt.ctx.Err() != nil {
		return
	}
	rt.wg.Add(1)
	go func() {
		defer rt.wg.Done()
		f(rt.ctx)
	}()
}
