package app

import (
	"context"

	"hermes/agent/event"
	"hermes/agent/store"
)

// offeredSessions is how many sessions the page of sessions lists.
const offeredSessions = 500

// ListSessions reads the stored sessions and tells of them.
func (rt *Runtime) ListSessions() {
	rt.goRun(func(ctx context.Context) {
		list, err := rt.store.Recent(ctx, offeredSessions)
		if err != nil {
			rt.bus.Emit(event.SessionsListed{Err: rt.sessionError(err, "").Error()})
			return
		}
		out := make([]event.StoredSession, 0, len(list))
		for _, e := range list {
			title := store.CleanTitle(e.Title)
			if title == "" {
				title = store.CleanTitle(e.Preview)
			}
			out = append(out, event.StoredSession{
				ID: e.ID, Title: rt.redactText(title), Model: e.Model, Source: e.Source, Dir: e.Dir,
				Messages: e.Session.Messages, Active: e.LastActive,
			})
		}
		rt.bus.Emit(event.SessionsListed{Sessions: out})
	})
}
