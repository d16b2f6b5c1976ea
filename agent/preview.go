package agent

import (
	"context"
	"errors"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Preview is what a request carries before anything is said.
type Preview struct {
	Model  llm.Info
	System string
	Tools  []llm.ToolDef
	Window int // tokens, 0 when unknown
}

// Preview makes the system prompt and the tools of the next turn, without
// sending or storing anything. It waits for a running turn.
func (a *Agent) Preview(ctx context.Context) (Preview, error) {
	var p Preview
	err := a.between(ctx, false, func() error {
		c := newControl(a.ctx)
		defer c.abandon()
		stop := context.AfterFunc(ctx, c.cancel)
		defer stop()
		t := newTurn(a, &entry{source: "user"}, c)
		t.id = ""
		t.awaitReady()
		t.adopt()
		if t.client == nil {
			return errors.New(locale.TurnNoModel.In(t.lang))
		}
		t.offer = a.newOffer(c.ctx, t.s, t.set, t.window())
		t.buildSystem()
		p = Preview{Model: t.info, System: t.s.system, Tools: t.offer.defs, Window: t.window()}
		return nil
	})
	return p, err
}
