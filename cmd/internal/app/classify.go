package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hermes/agent/config"
	"hermes/agent/llm"
)

// classifyTimeout bounds the look of a model at a command; then the user
// decides.
const classifyTimeout = 30 * time.Second

// errNoJudge says that there is no model that could look at a command.
var errNoJudge = errors.New("no model looks at commands")

// classify puts the question whether a command is harmless to the model of
// auxiliary.approval, else to the session's own.
func (rt *Runtime) classify(ctx context.Context, system, user string) (string, error) {
	client, err := rt.judge()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, classifyTimeout)
	defer cancel()
	r, err := client.Stream(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleSystem, Content: system}, {Role: llm.RoleUser, Content: user}},
		Plain:    true, Effort: "low", Temperature: new(float64), // the same words get the same answer
	}, func(llm.Delta) {})
	if err != nil {
		return "", fmt.Errorf("ask a model about a command: %w", err)
	}
	return r.Message.Content, nil
}

// judge is the client for that question. The demo model understands no
// commands.
func (rt *Runtime) judge() (llm.Client, error) {
	if cfg := rt.cfg.Load(); cfg != nil {
		m, ok, err := config.ModelAt(cfg, rt.environ(), "auxiliary", "approval")
		if err != nil {
			return nil, fmt.Errorf("auxiliary.approval: %w", err)
		}
		if ok {
			return rt.newClient(m)
		}
	}
	box := rt.client.Load()
	if box == nil || box.Client == nil || box.Info().Demo {
		return nil, errNoJudge
	}
	return box.Client, nil
}
