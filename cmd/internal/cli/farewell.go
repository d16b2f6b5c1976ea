package cli

import (
	"context"
	"fmt"
	stdio "io"
	"time"

	"hermes/agent/llm"
	"hermes/agent/locale"
	"hermes/agent/store"
	"hermes/cmd/internal/app"
)

// farewell says how to go on with a session that was stored. A session that
// nobody said anything in is not, and neither is one that cannot be read: that
// was said while it ran.
func farewell(ctx context.Context, w stdio.Writer, lang locale.Lang, opt app.Options, id string) {
	if id == "" {
		return
	}
	s, exists := app.OpenSessions(opt)
	defer s.Close() // it was only read
	if !exists {
		return
	}
	one, err := s.Session(ctx, id)
	if err != nil {
		return
	}
	msgs, err := s.Messages(ctx, id)
	if err != nil || len(msgs) == 0 {
		return
	}
	users := 0
	for _, m := range msgs {
		if m.Role == llm.RoleUser && !m.Synthetic {
			users++
		}
	}
	fmt.Fprintln(w, locale.CLIFarewell.In(lang, id))
	title := store.CleanTitle(one.Title)
	if title != "" {
		fmt.Fprintln(w, locale.CLIFarewellTitle.In(lang, title))
	}
	took := msgs[len(msgs)-1].Time.Sub(one.Started).Round(time.Second)
	fmt.Fprintf(w, "\n%s\n", locale.CLIFarewellFacts.In(lang, id, orDash(title), took, len(msgs), users, one.ToolCalls))
}
