// Package sessionsearch is the tool with which the model looks into earlier
// conversations: search, read, scroll, or list the newest.
package sessionsearch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hermes/agent/store"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

const description = `Looks into earlier conversations with this user, kept on this machine. Use it when the user refers to something that was said or done before ("as last time", "the bug of yesterday"), or when an earlier decision matters. Not for files or the web.
Four ways: query finds conversations (words that must all occur, "phrases", OR, NOT, word*) and shows the messages around the best hit of each; session_id reads one; session_id with around_message_id shows what stands around a message; without arguments the newest conversations are listed.`

const parameters = `{"type":"object","properties":{` +
	`"query":{"type":"string","description":"what to look for"},` +
	`"limit":{"type":"integer","default":3,"description":"conversations to return for a query, at most 10"},` +
	`"sort":{"type":"string","enum":["newest","oldest"],"description":"order by time instead of by how well they fit"},` +
	`"session_id":{"type":"string","description":"the conversation to read or scroll in, from an earlier result"},` +
	`"around_message_id":{"type":"integer","description":"with session_id: the message to centre on, any id of an earlier result"},` +
	`"window":{"type":"integer","default":5,"description":"messages on each side of it, 1 to 20"},` +
	`"role_filter":{"type":"string","description":"comma-separated roles to search: user, assistant, tool; default user,assistant"},` +
	`"profile":{"type":"string","description":"read the conversations of another profile"}},"required":[]}`

// Store is what the tool needs of the sessions; *store.Store has it.
type Store interface {
	Search(ctx context.Context, q store.Search) ([]store.Hit, error)
	Session(ctx context.Context, id string) (*store.Session, error)
	Messages(ctx context.Context, session string) ([]store.Message, error)
	Around(ctx context.Context, session string, id int64, n int) (msgs []store.Message, before, after int, err error)
	Edges(ctx context.Context, session string, below, above int64, n int) (first, last []store.Message, err error)
	List(ctx context.Context, o store.ListOptions) ([]store.Entry, error)
	Root(ctx context.Context, id string) (string, error)
	FindTitle(ctx context.Context, title string) (string, error)
}

// Deps is what the tool needs of the program.
type Deps struct {
	Store Store
	// Profile opens the sessions of another profile for one call; nil when
	// there are no profiles.
	Profile func(ctx context.Context, name string) (s Store, done func(), err error)
}

// Register adds the tool to reg.
func Register(reg *tool.Registry, d Deps) error {
	if _, err := reg.Add(&search{d}, false); err != nil {
		return fmt.Errorf("register session_search: %w", err)
	}
	return nil
}

type search struct{ d Deps }

// Spec describes the tool. It only reads, so calls may run side by side.
func (t *search) Spec() tool.Spec {
	return tool.Spec{
		Name: "session_search", Toolset: "session_search", Description: description, Emoji: "🔍",
		Parameters: json.RawMessage(parameters), ParallelSafe: true,
	}
}

// Available is always true: a store that cannot be opened is told by the call.
func (t *search) Available(context.Context) (bool, string) { return true, "" }

type arguments struct {
	Query     string `json:"query"`
	Limit     *int   `json:"limit"`
	Sort      string `json:"sort"`
	SessionID string `json:"session_id"`
	Around    *int64 `json:"around_message_id"`
	Window    *int   `json:"window"`
	Roles     string `json:"role_filter"`
	Profile   string `json:"profile"`
}

// Run carries a call out.
func (t *search) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a arguments
	if err := json.Unmarshal(c.Args, &a); err != nil {
		return fail("invalid arguments: %v", err), nil
	}
	v := view{Store: t.d.Store, current: c.Session, roots: map[string]string{}}
	if a.Profile != "" {
		if t.d.Profile == nil {
			return fail("profile '%s': there are no other profiles", a.Profile), nil
		}
		s, done, err := t.d.Profile(ctx, a.Profile)
		if err != nil {
			return fail("profile '%s': %v", a.Profile, err), nil
		}
		defer done()
		v.Store, v.current = s, ""
	}
	r, err := v.answer(ctx, a)
	switch {
	case ctx.Err() != nil:
		return tool.Result{}, ctx.Err()
	case err != nil:
		return fail("%v", err), nil
	}
	return r, nil
}

func (v view) answer(ctx context.Context, a arguments) (tool.Result, error) {
	switch {
	case a.SessionID != "" && a.Around != nil:
		return v.scroll(ctx, a.SessionID, *a.Around, within(a.Window, 5, 1, 20))
	case a.SessionID != "":
		return v.read(ctx, a.SessionID)
	case strings.TrimSpace(a.Query) != "":
		return v.discover(ctx, a)
	}
	return v.browse(ctx, within(a.Limit, 3, 1, 10))
}

// within is the value of p, or def, held between lo and hi.
func within(p *int, def, lo, hi int) int {
	n := def
	if p != nil {
		n = *p
	}
	return min(max(n, lo), hi)
}

// fail is a result that tells of an error, with the keys that the reference
// gives.
func fail(format string, args ...any) tool.Result {
	return result.JSON(struct {
		Error   string `json:"error"`
		Success bool   `json:"success"`
	}{fmt.Sprintf(format, args...), false})
}

// view is the sessions as one call sees them.
type view struct {
	Store
	current string            // the session that asks
	roots   map[string]string // of sessions that were looked up
}

// root is the session that the line of id begins with.
func (v view) root(ctx context.Context, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	if r, ok := v.roots[id]; ok {
		return r, nil
	}
	r, err := v.Root(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		r, err = id, nil // a session without a message is not stored yet
	}
	if err == nil {
		v.roots[id] = r
	}
	return r, err
}
