package app

import (
	"context"
	"os"

	"hermes/agent/event"
)

// warmStore opens the session database beside the first frame, so that the
// first turn need not, and says what keeps it from being written. A command
// that has no conversation makes no database.
func (rt *Runtime) warmStore(ctx context.Context) {
	if _, err := os.Stat(rt.opt.Home.State()); err != nil && !rt.opt.Interactive {
		return
	}
	why, err := rt.store.ReadOnly()
	if err == nil {
		err = why
	}
	if err != nil && ctx.Err() == nil {
		rt.notice(event.LevelWarn, "sessions", localised(err, rt.Lang()))
	}
}
