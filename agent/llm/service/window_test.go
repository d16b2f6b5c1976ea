package service

import (
	"context"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/llm/llmtest"
)

type memory map[string]int

func (m memory) Window(model, base string) int             { return m[model+"@"+base] }
func (m memory) SaveWindow(model, base string, tokens int) { m[model+"@"+base] = tokens }

func TestWindowsAreLearned(t *testing.T) {
	srv, err := llmtest.Start(llmtest.Script{ContextLength: 32768, Steps: []llmtest.Step{llmtest.Say("ok")}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := NewHTTP(TLS{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		srv.Close()
		h.CloseIdleConnections()
	}()
	cfg := llm.Config{Provider: "custom", Model: "mock-model", BaseURL: srv.URL, HTTP: h}
	kept := memory{}
	probes := 0
	now := func(f func(context.Context)) { probes++; f(t.Context()) }
	turn := func(l *Learning) int {
		if _, _, _, err := ask(t, l, request()); err != nil {
			t.Fatal(err)
		}
		return l.Info().Window
	}

	l := NewLearning(New(cfg), kept, now)
	if n := l.Info().Window; n != 0 || probes != 0 {
		t.Errorf("before the first answer: window %d, %d probes", n, probes)
	}
	if n := turn(l); n != 0 || probes != 0 {
		t.Errorf("a single question: window %d, %d probes", n, probes)
	}
	if n := turn(l); n != 32768 || probes != 1 || kept["mock-model@"+srv.URL] != 32768 {
		t.Errorf("window %d, %d probes, kept %v", n, probes, kept)
	}
	if turn(l); probes != 1 {
		t.Error("asked twice")
	}
	if n := turn(NewLearning(New(cfg), kept, now)); n != 32768 || probes != 1 {
		t.Errorf("another session: window %d, %d probes", n, probes)
	}
	l.Learn(8192)
	if l.Info().Window != 8192 || kept["mock-model@"+srv.URL] != 8192 {
		t.Errorf("an error named 8192: %d, %v", l.Info().Window, kept)
	}

	cfg.Window = 1000
	l = NewLearning(New(cfg), kept, now)
	if l.Learn(5); turn(l) != 1000 || probes != 1 {
		t.Error("what the settings state does not stay")
	}
	cfg.Window, cfg.Provider, cfg.Model = 0, "deepseek", "deepseek-chat"
	if n := turn(NewLearning(New(cfg), kept, now)); n != 1_000_000 || probes != 1 {
		t.Errorf("a known model: %d, %d probes", n, probes)
	}
}
