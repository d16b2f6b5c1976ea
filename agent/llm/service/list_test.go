package service

import (
	"strings"
	"testing"
	"time"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
)

func TestListsAreKept(t *testing.T) {
	srv, err := llmtest.Start(llmtest.Script{Models: []string{"b", "c"}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHTTP(TLS{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.CloseIdleConnections()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	l := Lists{Dir: t.TempDir(), Now: func() time.Time { return now }}
	c := New(llm.Config{BaseURL: srv.URL, Model: "b", HTTP: h})
	names := func(live, fresh bool) string {
		ms, err := l.Models(t.Context(), c, []string{"a", "b"}, live, fresh)
		var out []string
		for _, m := range ms {
			out = append(out, m.ID)
		}
		if err != nil {
			out = append(out, "error")
		}
		return strings.Join(out, " ")
	}
	if got := names(false, false); got != "a b c" {
		t.Error(got)
	}
	if got := names(true, false); got != "c a b" {
		t.Error(got)
	}
	srv.Close()
	if got := names(false, false); got != "a b c" {
		t.Errorf("a young list is asked for again: %s", got)
	}
	if got := names(false, true); got != "a b c error" {
		t.Errorf("fresh, without the service: %s", got)
	}
	now = now.Add(2 * time.Hour)
	if got := names(false, false); got != "a b c error" {
		t.Errorf("old, without the service: %s", got)
	}
	l.Dir = ""
	if got := names(false, false); got != "a b error" {
		t.Errorf("nothing kept: %s", got)
	}
}
