package agent

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"hermes/agent/event"
	"hermes/agent/llm"
	"hermes/agent/safe"
)

// Bounds of a title (contract/core §8.1 and core-observed §1).
const (
	titleExcerpt = 500 // characters of question and answer each
	titleChars   = 80
	titleTime    = 60 * time.Second
)

const titleAsk = "Give this conversation a title of three to seven words in the language of the user. Answer with the title alone: no quotes, no full stop, no label."

// nameSession asks a model for the title of a session after its first
// exchange, in the background: the next turn does not wait for it.
func (t *turn) nameSession() {
	s := t.s
	if !t.set.Titles || t.a.o.Store == nil || !s.stored || s.readOnly || s.title != "" || s.titling ||
		t.outcome != event.OutcomeDone || t.answer == "" || t.client == nil || t.info.Demo {
		return
	}
	s.titling = true
	client := t.a.aux("title", t.client)
	id, user, answer := s.id, cutChars(t.entry.text, titleExcerpt), cutChars(t.answer, titleExcerpt)
	if !t.a.beginCall() {
		return
	}
	safe.Go(t.a.o.Log, "title", func() {
		defer t.a.calls.Done()
		t.a.title(client, id, user, answer)
	}, nil)
}

func (a *Agent) title(client llm.Client, id, user, answer string) {
	ctx, cancel := context.WithTimeout(a.background, titleTime)
	defer cancel()
	resp, err := client.Stream(ctx, llm.Request{
		Messages: []llm.Message{
			{Role: llm.RoleSystem, Content: titleAsk},
			{Role: llm.RoleUser, Content: a.o.Redact("User: " + user + "\n\nAssistant: " + answer)},
		},
		Plain: true, Session: id,
	}, func(llm.Delta) {})
	if err != nil {
		a.o.Log.Info("Session got no title", "session", id, "error", a.o.Redact(err.Error()))
		return
	}
	if resp.Usage != nil {
		s := &session{id: id, stored: true}
		u := s.countFor(client.Info(), *resp.Usage, 1)
		u.Task = "title"
		a.addUsage(s, *u)
	}
	text := cleanTitle(resp.Message.Content)
	if text == "" {
		return
	}
	got, err := a.o.Store.SetAutoTitle(ctx, id, text)
	if err != nil {
		a.o.Log.Info("Title could not be stored", "session", id, "error", err)
		return
	}
	a.emit(event.TitleChanged{Meta: event.Meta{Session: id}, Title: got})
}

// cleanTitle is the first line of what the model wrote, without what it was
// told to leave out.
func cleanTitle(s string) string {
	for line := range strings.Lines(s) {
		line = strings.Trim(strings.TrimSpace(line), "\"'`*#“”「」 ")
		for _, label := range []string{"Title:", "title:", "标题：", "标题:"} {
			line = strings.TrimSpace(strings.TrimPrefix(line, label))
		}
		if line = strings.TrimRight(strings.Trim(line, "\"'`*“”「」 "), ".。"); line != "" {
			return cutChars(line, titleChars)
		}
	}
	return ""
}

func cutChars(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n])
}
