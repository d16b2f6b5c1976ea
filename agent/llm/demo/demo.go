// Package demo is the model that answers when none is connected (decision
// D49). It needs no key and no network and goes through the same loop as every
// other model, but it is no model: it reads numbers, units, names and quoted
// texts from what the user wrote, turns them into arguments for a tool by the
// tool's schema, and quotes what the tool answers.
//
// It never works anything out and knows no tool by name. It says what it is in
// every answer.
package demo

import (
	"context"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// Client is the demo model. It holds no state; all methods may be called from
// any goroutine.
type Client struct {
	lang func() locale.Lang
}

// New returns the demo model. lang is the language of the display, used when a
// prompt is in neither of the catalogue's languages; nil means English.
func New(lang func() locale.Lang) *Client {
	if lang == nil {
		lang = func() locale.Lang { return locale.EN }
	}
	return &Client{lang: lang}
}

// Info names the demo model.
func (c *Client) Info() llm.Info {
	return llm.Info{Provider: "demo", Model: "demo", APIMode: "demo", Demo: true}
}

// Stream answers r: with tool calls when the last user message asks for
// something that the tools of r can be asked for, with text once their results
// are there. It reads nothing but the last user message and what followed it,
// and it cannot fail but by the end of ctx.
func (c *Client) Stream(ctx context.Context, r llm.Request, onDelta func(llm.Delta)) (*llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := readTurn(r)
	lang := answerLang(t.prompt, c.lang())
	text, calls := t.next(lang)
	msg := llm.Message{Role: llm.RoleAssistant, Content: text, ToolCalls: calls, FinishReason: "stop"}
	if len(calls) > 0 {
		msg.FinishReason = "tool_calls"
	}
	for _, piece := range pieces(text) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if onDelta != nil {
			onDelta(llm.Delta{Kind: llm.DeltaText, Text: piece})
		}
	}
	return &llm.Response{Message: msg, FinishReason: msg.FinishReason, Model: "demo"}, nil
}

// pieces cuts text into word-sized deltas: a word with the space behind it, or
// a few characters where words are not separated.
func pieces(text string) []string {
	const hanPiece = 2 // characters
	var out []string
	var b strings.Builder
	han := 0
	for _, r := range text {
		b.WriteRune(r)
		if isHan(r) {
			han++
		}
		if r == ' ' || r == '\n' || han >= hanPiece {
			out = append(out, b.String())
			b.Reset()
			han = 0
		}
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}
