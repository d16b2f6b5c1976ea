package sessionsearch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"hermes/agent/llm"
	"hermes/agent/store"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Sizes of the shapes (contract/core §2.5).
const (
	aroundHit = 5
	bookend   = 3
	readHead  = 20
	readTail  = 10
	scanLimit = 300 // hits looked at to find enough conversations
)

// hidden are sources of sessions that nobody talked to; demoted ones come
// after the others.
var (
	hidden  = []string{"subagent", "tool"}
	demoted = []string{"cron"}
)

type message struct {
	ID        int64   `json:"id"`
	Role      string  `json:"role"`
	Content   string  `json:"content"`
	Timestamp float64 `json:"timestamp"`
	ToolName  string  `json:"tool_name,omitempty"`
	CallID    string  `json:"tool_call_id,omitempty"`
	Calls     []call  `json:"tool_calls,omitempty"`
	Anchor    bool    `json:"anchor,omitempty"`
}

type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// shaped renders messages. anchor is the id of the one that was asked for.
func shaped(msgs []store.Message, anchor int64) []message {
	out := []message{}
	for _, m := range msgs {
		s := message{
			ID: m.ID, Role: m.Role, Content: m.Content, Timestamp: seconds(m.Time),
			ToolName: m.Name, CallID: m.ToolCallID, Anchor: m.ID == anchor,
		}
		for _, c := range m.ToolCalls {
			k := call{ID: c.ID, Type: "function"}
			k.Function.Name, k.Function.Arguments = c.Name, c.Arguments
			s.Calls = append(s.Calls, k)
		}
		out = append(out, s)
	}
	return out
}

// spoken leaves out what tools said, except the anchor.
func spoken(msgs []store.Message, anchor int64) []store.Message {
	return slices.DeleteFunc(slices.Clone(msgs), func(m store.Message) bool {
		return m.ID != anchor && m.Role != llm.RoleUser && m.Role != llm.RoleAssistant
	})
}

func seconds(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

func when(t time.Time) string { return t.Format("January 02, 2006 at 03:04 PM") }

// null is a text that is null when empty.
func null(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

type meta struct {
	When   string  `json:"when"`
	Source string  `json:"source"`
	Model  *string `json:"model"`
	Title  *string `json:"title"`
}

func metaOf(s *store.Session) meta {
	return meta{when(s.Started), s.Source, null(s.Model), null(s.Title)}
}

func (v view) session(ctx context.Context, id string) (*store.Session, error) {
	s, err := v.Session(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("session_id not found: %s", id)
	}
	return s, err
}

func (v view) read(ctx context.Context, id string) (tool.Result, error) {
	s, err := v.session(ctx, id)
	if err != nil {
		return tool.Result{}, err
	}
	msgs, err := v.Messages(ctx, id)
	if err != nil {
		return tool.Result{}, err
	}
	n, note := len(msgs), ""
	if n > readHead+readTail {
		msgs = append(msgs[:readHead:readHead], msgs[n-readTail:]...)
		note = fmt.Sprintf("Session has %d messages; showing first %d + last %d. Pass around_message_id (any id above) to scroll the middle.", n, readHead, readTail)
	}
	return result.JSON(struct {
		Success      bool      `json:"success"`
		Mode         string    `json:"mode"`
		SessionID    string    `json:"session_id"`
		SessionMeta  meta      `json:"session_meta"`
		MessageCount int       `json:"message_count"`
		Truncated    bool      `json:"truncated"`
		Messages     []message `json:"messages"`
		Message      string    `json:"message,omitempty"`
	}{true, "read", id, metaOf(s), n, note != "", shaped(msgs, 0), note}), nil
}

func (v view) scroll(ctx context.Context, id string, around int64, window int) (tool.Result, error) {
	s, err := v.session(ctx, id)
	if err != nil {
		return tool.Result{}, err
	}
	msgs, before, after, err := v.Around(ctx, id, around, window)
	if errors.Is(err, store.ErrNotFound) {
		return tool.Result{}, fmt.Errorf("around_message_id %d not in session_id %s", around, id)
	}
	if err != nil {
		return tool.Result{}, err
	}
	anchor := slices.IndexFunc(msgs, func(m store.Message) bool { return m.ID == around })
	mine, err := v.mine(ctx, id)
	if err != nil {
		return tool.Result{}, err
	}
	if mine && msgs[anchor].Active {
		return tool.Result{}, errors.New("scroll rejected: anchor lives in the current session lineage (already in your active context)")
	}
	return result.JSON(struct {
		Success   bool      `json:"success"`
		Mode      string    `json:"mode"`
		SessionID string    `json:"session_id"`
		Around    int64     `json:"around_message_id"`
		Meta      meta      `json:"session_meta"`
		Window    int       `json:"window"`
		Messages  []message `json:"messages"`
		Before    int       `json:"messages_before"`
		After     int       `json:"messages_after"`
	}{true, "scroll", id, around, metaOf(s), window, shaped(msgs, around), before, after}), nil
}

// mine says that a session belongs to the line of the one that asks.
func (v view) mine(ctx context.Context, id string) (bool, error) {
	if v.current == "" {
		return false, nil
	}
	a, err := v.root(ctx, id)
	if err != nil {
		return false, err
	}
	b, err := v.root(ctx, v.current)
	return a == b, err
}

type listed struct {
	SessionID    string  `json:"session_id"`
	Title        *string `json:"title"`
	Source       string  `json:"source"`
	StartedAt    float64 `json:"started_at"`
	LastActive   float64 `json:"last_active"`
	MessageCount int     `json:"message_count"`
	Preview      string  `json:"preview"`
}

func (v view) browse(ctx context.Context, limit int) (tool.Result, error) {
	entries, err := v.List(ctx, store.ListOptions{
		Filter: store.Filter{ExcludeSources: hidden, MinMessages: 1}, ByActivity: true, Limit: limit + 1,
	})
	if err != nil {
		return tool.Result{}, err
	}
	out := []listed{}
	for _, e := range entries {
		mine, err := v.mine(ctx, e.ID)
		if err != nil {
			return tool.Result{}, err
		}
		if mine || len(out) == limit {
			continue
		}
		out = append(out, listed{e.ID, null(e.Title), e.Source, seconds(e.Started), seconds(e.LastActive), e.Messages, e.Preview})
	}
	return result.JSON(struct {
		Success bool     `json:"success"`
		Mode    string   `json:"mode"`
		Results []listed `json:"results"`
		Count   int      `json:"count"`
		Message string   `json:"message"`
	}{true, "browse", out, len(out), fmt.Sprintf("Showing %d most recent sessions. Pass a query= to search, or session_id+around_message_id to scroll.", len(out))}), nil
}

type discovered struct {
	SessionID    string    `json:"session_id"`
	When         string    `json:"when"`
	Source       string    `json:"source"`
	Model        string    `json:"model"`
	Title        *string   `json:"title"`
	MatchedRole  string    `json:"matched_role"`
	MatchID      int64     `json:"match_message_id"`
	Snippet      string    `json:"snippet"`
	BookendStart []message `json:"bookend_start"`
	Messages     []message `json:"messages"`
	BookendEnd   []message `json:"bookend_end"`
	Before       int       `json:"messages_before"`
	After        int       `json:"messages_after"`
}

func (v view) discover(ctx context.Context, a arguments) (tool.Result, error) {
	limit := within(a.Limit, 3, 1, 10)
	hits, any, err := v.best(ctx, a, limit)
	if err != nil {
		return tool.Result{}, err
	}
	results := []discovered{}
	for _, h := range hits {
		d, err := v.show(ctx, h)
		if err != nil {
			return tool.Result{}, err
		}
		results = append(results, d)
	}
	type head struct {
		Success bool         `json:"success"`
		Mode    string       `json:"mode"`
		Query   string       `json:"query"`
		Results []discovered `json:"results"`
		Count   int          `json:"count"`
	}
	h := head{true, "discover", a.Query, results, len(results)}
	if !any {
		return result.JSON(struct {
			head
			Message string `json:"message"`
		}{h, "No matching sessions found."}), nil
	}
	return result.JSON(struct {
		head
		Searched int `json:"sessions_searched"`
	}{h, len(results)}), nil
}

// best picks one hit for each line of sessions, at most limit of them. Of the
// line that asks only what was compacted away counts: the rest the model has
// before it. any says that there were hits at all.
func (v view) best(ctx context.Context, a arguments, limit int) (best []store.Hit, any bool, err error) {
	hits, err := v.Search(ctx, store.Search{
		Text: a.Query, Roles: roles(a.Roles), ExcludeSources: hidden, Sort: a.Sort, Limit: scanLimit,
	})
	if err != nil {
		return nil, false, err
	}
	titled, err := v.titled(ctx, a.Query)
	if err != nil {
		return nil, false, err
	}
	var first, last []store.Hit
	seen := map[string]bool{}
	for _, h := range append(titled, hits...) {
		root, err := v.root(ctx, h.Session)
		if err != nil {
			return nil, false, err
		}
		mine, err := v.mine(ctx, h.Session)
		if err != nil {
			return nil, false, err
		}
		if seen[root] || (mine && !h.FromCompact) {
			continue
		}
		seen[root] = true
		if slices.Contains(demoted, h.Source) {
			last = append(last, h)
		} else {
			first = append(first, h)
		}
	}
	out := append(first, last...)
	return out[:min(len(out), limit)], len(titled)+len(hits) > 0, nil
}

// roles splits a filter; the default is what people and models said.
func roles(filter string) []string {
	var out []string
	for _, r := range strings.Split(filter, ",") {
		if r = strings.TrimSpace(r); r != "" {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return []string{llm.RoleUser, llm.RoleAssistant}
	}
	return out
}

// roleOfTitle is the matched_role of a session that was found by its title.
const roleOfTitle = "session_title"

// titled finds the session whose title is the query.
func (v view) titled(ctx context.Context, query string) ([]store.Hit, error) {
	id, err := v.FindTitle(ctx, strings.TrimSpace(query))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, err := v.Session(ctx, id)
	if err != nil || slices.Contains(hidden, s.Source) {
		return nil, err
	}
	first, _, err := v.Edges(ctx, id, math.MaxInt64, math.MaxInt64, 1)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	return []store.Hit{{
		MessageID: first[0].ID, Session: id, Role: roleOfTitle, Started: s.Started, Source: s.Source, Model: s.Model, Title: s.Title,
		Snippet: "Session title matched: " + s.Title,
	}}, nil
}

// show fills in what stands around a hit.
func (v view) show(ctx context.Context, h store.Hit) (discovered, error) {
	msgs, before, after, err := v.Around(ctx, h.Session, h.MessageID, aroundHit)
	if err != nil {
		return discovered{}, err
	}
	first, last, err := v.Edges(ctx, h.Session, msgs[0].ID, msgs[len(msgs)-1].ID, bookend)
	if err != nil {
		return discovered{}, err
	}
	d := discovered{
		SessionID: h.Session, When: when(h.Started), Source: h.Source, Model: h.Model, Title: null(h.Title),
		MatchedRole: h.Role, MatchID: h.MessageID, Snippet: h.Snippet,
		BookendStart: shaped(first, 0), Messages: shaped(spoken(msgs, h.MessageID), h.MessageID), BookendEnd: shaped(last, 0),
		Before: before, After: after,
	}
	if d.Model == "" {
		d.Model = "unknown"
	}
	return d, nil
}
