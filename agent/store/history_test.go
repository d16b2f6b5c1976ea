package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/llm"
)

func TestUndoTakesTurnsBack(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "one", "assistant", "1", "user", "two", "assistant", "2")
	_, err := s.AppendStep(ctx, Step{Session: "a", Messages: []llm.Message{{Role: "user", Content: "[System: go on]", Synthetic: true}, {Role: "assistant", Content: "2b"}}})
	must(t, err)
	add(t, s, "a", "user", "three")

	u, err := s.Undo(ctx, "a", 2)
	must(t, err)
	equal(t, "undone", []any{u.Turns, u.Messages, u.Text}, []any{2, 5, "two"})
	msgs, err := s.Messages(ctx, "a")
	must(t, err)
	equal(t, "left", texts(msgs), []string{"user: one", "assistant: 1"})
	hits, err := s.Search(ctx, Search{Text: "three"})
	must(t, err)
	equal(t, "hits for what was undone", len(hits), 0)

	u, err = s.Undo(ctx, "a", 99)
	must(t, err)
	equal(t, "undone", []any{u.Turns, u.Messages, u.Text}, []any{1, 2, "one"})
	u, err = s.Undo(ctx, "a", 1)
	must(t, err)
	equal(t, "nothing to undo", u, Undone{})
	one, err := s.Session(ctx, "a")
	must(t, err)
	equal(t, "rewinds", one.Rewinds, 2)
}

func TestCompactKeepsTheOldMessagesSearchable(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "a zebra", "assistant", "stripes", "user", "kept")
	_, err := s.Compact(ctx, "a", []llm.Message{{Role: "user", Content: "SUMMARY"}, {Role: "user", Content: "kept"}})
	must(t, err)
	add(t, s, "a", "assistant", "next")
	msgs, err := s.Messages(ctx, "a")
	must(t, err)
	equal(t, "history", texts(msgs), []string{"user: SUMMARY", "user: kept", "assistant: next"})
	hits, err := s.Search(ctx, Search{Text: "zebra"})
	must(t, err)
	if len(hits) != 1 || !hits[0].FromCompact {
		t.Errorf("hits: %+v", hits)
	}
	all, err := s.AllMessages(ctx, "a")
	must(t, err)
	equal(t, "all", len(all), 6)
	one, err := s.Session(ctx, "a")
	must(t, err)
	equal(t, "count", one.Messages, 3)
}

func TestBranchCopiesAndNumbers(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "one", "assistant", "1", "user", "gone")
	_, err := s.Undo(ctx, "a", 1)
	must(t, err)
	must(t, s.SetTitle(ctx, "a", "Plan"))
	must(t, s.SetModel(ctx, "a", "m2", map[string]any{"max_tokens": nil}))
	must(t, s.SetSystemPrompt(ctx, "a", "you are"))

	title, err := s.Branch(ctx, "a", "b", "")
	must(t, err)
	equal(t, "title", title, "Plan #2")
	got, err := s.Load(ctx, "b")
	must(t, err)
	equal(t, "history", texts(got.History), []string{"user: one", "assistant: 1"})
	equal(t, "taken over", []string{got.Parent, got.Model, got.SystemPrompt, string(got.Config)},
		[]string{"a", "m2", "you are", `{"max_tokens":null,"_branched_from":"a"}`})
	add(t, s, "b", "user", "other way")
	old, err := s.Load(ctx, "a")
	must(t, err)
	equal(t, "the parent", append(texts(old.History), old.EndReason), []string{"user: one", "assistant: 1", EndBranched})
	list, err := s.List(ctx, ListOptions{})
	must(t, err)
	equal(t, "listed", []string{list[0].ID, list[1].ID}, []string{"b", "a"})

	if _, err := s.Branch(ctx, "nope", "c", ""); !errors.Is(err, ErrNotFound) {
		t.Errorf("branch of nothing: %v", err)
	}
	if title, err = s.Branch(ctx, "b", "d", "Plan"); err != nil || title != "Plan #3" {
		t.Errorf("branch with a taken title: %q %v", title, err)
	}
}

func TestLoadFollowsCompactionsOfTheReference(t *testing.T) {
	s := open(t)
	add(t, s, "a", "user", "first")
	must(t, s.SetTitle(ctx, "a", "Long work"))
	must(t, s.EndSession(ctx, "a", EndCompressed))
	must(t, s.CreateSession(ctx, New{ID: "sub", Source: "subagent", Parent: "a"}))
	must(t, s.CreateSession(ctx, New{ID: "b", Source: "cli", Parent: "a"}))
	add(t, s, "b", "user", "SUMMARY")
	must(t, s.EndSession(ctx, "b", EndCompressed))
	must(t, s.CreateSession(ctx, New{ID: "c", Source: "cli", Parent: "b"}))
	add(t, s, "c", "user", "newest")
	got, err := s.Load(ctx, "a")
	must(t, err)
	equal(t, "loaded", append(texts(got.History), got.ID), []string{"user: newest", "c"})
	root, err := s.Root(ctx, "c")
	must(t, err)
	equal(t, "root", root, "a")
	list, err := s.List(ctx, ListOptions{})
	must(t, err)
	if len(list) != 1 || list[0].ID != "c" || list[0].Root != "a" || list[0].Title != "Long work" {
		t.Errorf("list: %+v", list)
	}
	// A line that bites its own tail ends.
	_, err = s.conn.write.Exec(`UPDATE sessions SET parent_session_id = 'c', end_reason = 'compression' WHERE id = 'a'; UPDATE sessions SET end_reason = 'compression' WHERE id = 'c'`)
	must(t, err)
	if _, err := s.Load(ctx, "a"); err != nil {
		t.Error(err)
	}
	if _, err := s.Root(ctx, "a"); err != nil {
		t.Error(err)
	}
}

func TestTitles(t *testing.T) {
	s := open(t)
	for _, id := range []string{"a", "b", "c", "d"} {
		add(t, s, id, "user", id)
	}
	must(t, s.SetTitle(ctx, "a", "  Fix\tthe\n\x1b[31mbuild\u200b \u202e "))
	one, err := s.Session(ctx, "a")
	must(t, err)
	equal(t, "clean", one.Title, "Fix the [31mbuild")
	must(t, s.SetTitle(ctx, "a", "Build"))
	must(t, s.SetTitle(ctx, "a", "Build"))
	var taken *TitleTakenError
	if err := s.SetTitle(ctx, "b", "Build"); !errors.As(err, &taken) || taken.Session != "a" {
		t.Errorf("taken title: %v", err)
	}
	var long *TitleLengthError
	if err := s.SetTitle(ctx, "b", strings.Repeat("字", 101)); !errors.As(err, &long) || long.Length != 101 {
		t.Errorf("long title: %v", err)
	}
	if err := s.SetTitle(ctx, "nope", "x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("no session: %v", err)
	}
	for _, c := range []struct{ id, want string }{{"b", "Build #2"}, {"c", "Build #3"}, {"a", "Build"}} {
		got, err := s.SetAutoTitle(ctx, c.id, "Build")
		must(t, err)
		equal(t, "automatic title of "+c.id, got, c.want)
	}
	got, err := s.SetAutoTitle(ctx, "d", strings.Repeat("x", 300))
	must(t, err)
	equal(t, "length of a cut title", len(got), MaxTitle)
}

func TestResolve(t *testing.T) {
	s := open(t)
	for i := 1; i <= 3; i++ {
		add(t, s, fmt.Sprintf("20261201_10000%d_abcdef", i), "user", "x")
	}
	must(t, s.CreateSession(ctx, New{ID: "sub", Source: "subagent"}))
	must(t, s.SetTitle(ctx, "20261201_100001_abcdef", "Plan 100%"))
	must(t, s.SetTitle(ctx, "20261201_100002_abcdef", "Plan 100% #2"))
	must(t, s.SetTitle(ctx, "20261201_100003_abcdef", "Plan 100% #2b"))
	for ref, want := range map[string]string{
		"20261201_100001_abcdef": "20261201_100001_abcdef",
		"plan 100%":              "20261201_100002_abcdef",
		" Plan 100% #2b ":        "20261201_100003_abcdef",
		"20261201_100003":        "20261201_100003_abcdef",
		"1":                      "20261201_100003_abcdef",
		"3":                      "20261201_100001_abcdef",
	} {
		got, err := s.Resolve(ctx, ref)
		if err != nil || got != want {
			t.Errorf("Resolve(%q) = %q, %v; want %q", ref, got, err, want)
		}
	}
	var many *AmbiguousError
	if _, err := s.Resolve(ctx, "20261201"); !errors.As(err, &many) || len(many.Matches) != 3 {
		t.Errorf("prefix of three: %v", err)
	}
	for _, ref := range []string{"", "4", "0", "nope", "%", "_", "Plan 100% #3"} {
		if id, err := s.Resolve(ctx, ref); !errors.Is(err, ErrNotFound) {
			t.Errorf("Resolve(%q) = %q, %v", ref, id, err)
		}
	}
}

func TestOpenCalls(t *testing.T) {
	call := func(ids ...string) (m llm.Message) {
		m.Role = "assistant"
		for _, id := range ids {
			m.ToolCalls = append(m.ToolCalls, llm.ToolCall{ID: id})
		}
		return m
	}
	result := func(id string) llm.Message { return llm.Message{Role: "tool", ToolCallID: id} }
	user := llm.Message{Role: "user"}
	for _, c := range []struct {
		history []llm.Message
		want    int
	}{
		{nil, 0},
		{[]llm.Message{user}, 0},
		{[]llm.Message{user, call("a", "b")}, 2},
		{[]llm.Message{user, call("a", "b"), result("a")}, 1},
		{[]llm.Message{user, call("a", "b"), result("b"), result("a")}, 0},
		{[]llm.Message{call("a"), user}, 0}, // not at the end: what is sent is mended there
		{[]llm.Message{user, call("a"), result("a"), call("a")}, 1},
	} {
		if got := OpenCalls(c.history); len(got) != c.want {
			t.Errorf("%d open calls in %+v, want %d", len(got), c.history, c.want)
		}
	}
}

func TestUsageIsCountedBothWays(t *testing.T) {
	s := open(t)
	cost := 0.5
	add(t, s, "a", "user", "x")
	for range 2 {
		_, err := s.AppendStep(ctx, Step{Session: "a", Usage: &Usage{Model: "m", Provider: "p", Calls: 1, In: 10, Out: 5, CacheRead: 3, Estimated: &cost}})
		must(t, err)
	}
	must(t, s.AddUsage(ctx, Usage{Session: "a", Model: "small", Task: "title", Calls: 1, In: 7}))
	must(t, s.AddUsage(ctx, Usage{Session: "nope", Model: "small", Task: "title", Calls: 1, In: 7}))
	one, err := s.Session(ctx, "a")
	must(t, err)
	equal(t, "session", []any{one.In, one.Out, one.CacheRead, one.APICalls, one.EstimatedCost, one.Provider}, []any{20, 10, 6, 2, 1.0, "p"})
	use, err := s.Usages(ctx, "a")
	must(t, err)
	equal(t, "models", []any{len(use), use[0].Model, use[0].In, use[0].EstimatedTotal, use[1].Task, use[1].In}, []any{2, "m", 20, 1.0, "title", 7})
}
