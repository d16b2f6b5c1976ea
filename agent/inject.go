package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"hermes/agent/hook"
	"hermes/agent/tool"
)

// inject lets plugins add context to the user's message. The clean text stays
// the content; the extended one is kept beside it and sent from now on, so
// that later requests repeat the same bytes (contract/core §1.1 rule 6).
func (t *turn) inject(first bool) {
	out := t.a.fire(t.c.ctx, hook.PreLLMCall, func() any {
		return hook.LLMCall{
			SessionID: t.s.id, TaskID: t.task, TurnID: t.id, UserMessage: t.entry.text,
			History: historyJSON(t.s.history), IsFirstTurn: first, Model: t.info.Model, Platform: t.a.o.Platform,
		}
	})
	t.s.takeEdits(out)
	user := &t.s.history[len(t.s.history)-1]
	text := user.Content
	for _, v := range out.Returns {
		if piece, ok := contextOf(v); ok {
			text += "\n\n" + t.bounded(piece)
		}
	}
	if text != user.Content {
		user.APIContent = text
	}
}

// contextOf reads one return value of pre_llm_call: a mapping with a context,
// or a text that is not blank (contract/plugins §6.4).
func contextOf(v json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(v, &text) == nil {
		return text, strings.TrimSpace(text) != ""
	}
	var dict struct {
		Context json.RawMessage `json:"context"`
	}
	if json.Unmarshal(v, &dict) != nil || len(dict.Context) == 0 {
		return "", false
	}
	if json.Unmarshal(dict.Context, &text) == nil {
		return text, text != ""
	}
	switch s := string(dict.Context); s {
	case "null", "false", "0", "0.0", "[]", "{}":
		return "", false // not true in Python
	case "true":
		return "True", true
	default:
		return s, true
	}
}

// bounded saves a piece that is too long and returns what stands for it.
func (t *turn) bounded(piece string) string {
	spill := t.set.Spill
	n := utf8.RuneCountInString(piece)
	if spill.Off || n <= spill.MaxChars {
		return piece
	}
	dir := spill.Dir
	if dir == "" {
		dir = filepath.Join(t.a.o.Home, "hook_outputs", tool.FileName(t.s.id))
	}
	path := filepath.Join(dir, hexID(12)+".txt")
	where := "full content saved to " + path
	if err := writePrivate(path, piece); err != nil {
		t.a.o.Log.Warn("Hook output could not be saved", "session", t.s.id, "error", err)
		where = "full content could not be saved"
	}
	runes := []rune(piece)
	head, tail := min(spill.Head, n), min(spill.Tail, n)
	return fmt.Sprintf("[plugin hook output truncated — %s chars; %s]\n--- head ---\n%s\n--- tail ---\n%s",
		tool.Thousands(n), where, string(runes[:head]), string(runes[n-tail:]))
}

func writePrivate(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return nil
}
