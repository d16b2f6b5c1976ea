// Package compress shortens a conversation that no longer fits the model's
// context window: it decides when, what stays, and what stands for the rest
// (contract/core §1.11). It asks nobody and stores nothing; the agent does.
package compress

import (
	"unicode/utf8"

	"hermes/agent/llm"
)

// Estimates of the contract: four characters a token, a picture as 1600.
const (
	charsPerToken = 4
	imageTokens   = 1600
)

// Settings are the keys below compression. Zero values mean the defaults.
type Settings struct {
	Threshold    float64 // of the window: 0.50
	TargetRatio  float64 // the tail's share of the threshold: 0.20
	ProtectFirst int     // messages at the head: 3
	ProtectLast  int     // messages at the tail: 20
}

func (s Settings) withDefaults() Settings {
	if s.Threshold <= 0 || s.Threshold > 1 {
		s.Threshold = 0.50
	}
	if s.TargetRatio <= 0 || s.TargetRatio > 1 {
		s.TargetRatio = 0.20
	}
	if s.ProtectFirst <= 0 {
		s.ProtectFirst = 3
	}
	if s.ProtectLast <= 0 {
		s.ProtectLast = 20
	}
	return s
}

// Windows below floorWindow keep the contract's share of themselves instead of
// its floor, which they could never reach.
const (
	floorTokens = 64_000
	largeWindow = 512_000
	smallShare  = 0.75
	hardShare   = 0.85
)

// Threshold is the size in tokens from which a conversation is compressed, 0
// when the window is unknown. maxTokens is what answers may take.
func Threshold(window, maxTokens int, s Settings) int {
	if window <= 0 {
		return 0
	}
	p := s.withDefaults().Threshold
	if window < largeWindow {
		p = max(p, smallShare)
	}
	room := window - maxTokens
	if maxTokens < 0 || room < window/4 {
		room = window
	}
	t := max(int(float64(room)*p), floorTokens)
	if t >= window {
		t = int(float64(window) * hardShare)
	}
	return t
}

// Tokens estimates a conversation.
func Tokens(msgs []llm.Message) int {
	n := 0
	for _, m := range msgs {
		n += MessageTokens(m)
	}
	return n
}

// MessageTokens estimates one message.
func MessageTokens(m llm.Message) int {
	text := m.Content
	if m.APIContent != "" {
		text = m.APIContent
	}
	chars := utf8.RuneCountInString(text)
	for _, c := range m.ToolCalls {
		chars += utf8.RuneCountInString(c.Name) + utf8.RuneCountInString(c.Arguments)
	}
	n := chars/charsPerToken + 4 // role and separators
	for _, p := range m.Parts {
		if p.Image != nil {
			n += imageTokens
		}
	}
	return n
}

// Text estimates a text.
func Text(s string) int { return utf8.RuneCountInString(s) / charsPerToken }
