package memory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"hermes/agent/config"
	"hermes/agent/event"
	"hermes/agent/locale"
	"hermes/agent/memory"
	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// change makes the change that p plans, when the user agrees.
func (k *keeper) change(ctx context.Context, c tool.Call, f file, p plan) tool.Result {
	text, err := read(f.path)
	if err != nil {
		return result.JSON(refusal{Error: err.Error()})
	}
	entries := memory.Parse(text)
	if refused := p.check(f, noNil(entries)); refused != nil {
		return result.JSON(refused)
	}
	if k.Settings().Ask {
		// Asked before the lock is taken: another program that writes a memory
		// need not wait for the user.
		if after, _, refused, _ := p.apply(f, entries); refused == nil && !slices.Equal(after, entries) {
			if why := k.ask(ctx, c, f, text, memory.Join(after)); why != "" {
				return result.JSON(invalid{Error: why})
			}
		}
	}
	if err := config.Make(k.Dir); err != nil {
		return result.JSON(refusal{Error: err.Error()})
	}
	var answer any
	err = config.Locked(f.path+".lock", func() error {
		answer, err = k.write(c, f, p)
		return err
	})
	if err != nil {
		return result.JSON(refusal{Error: err.Error()})
	}
	return result.JSON(answer)
}

// write makes the change in the file as it is now: another program may have
// written since. The caller holds the lock.
func (k *keeper) write(c tool.Call, f file, p plan) (answer any, err error) {
	text, err := read(f.path)
	if err != nil {
		return nil, err
	}
	entries := memory.Parse(text)
	if p.rewrites {
		if d, err := k.foreign(f, text, entries); d != nil || err != nil {
			return d, err
		}
	}
	after, message, refused, counts := p.apply(f, noNil(entries))
	if refused != nil {
		if counts {
			if n, enough := k.count(c); enough {
				return stop{Done: true, Error: fmt.Sprintf("Memory could not be changed %d times in this turn. Leave it as it is and answer the user; it can be stored in a later turn.", n)}, nil
			}
		}
		return refused, nil
	}
	after = memory.Parse(memory.Join(after)) // an entry is not kept twice
	if !slices.Equal(after, entries) {
		if err := config.WriteFile(f.path, []byte(memory.Join(after))); err != nil {
			return nil, err
		}
	}
	return succeeded(f, after, message), nil
}

// foreign refuses to rewrite a file that this tool cannot have written: one
// entry is larger than the whole memory, so it is a text of the user's, and a
// change of "the entry" would change all of it. A copy is kept.
func (k *keeper) foreign(f file, text string, entries []string) (any, error) {
	if !slices.ContainsFunc(entries, func(e string) bool { return memory.Chars([]string{e}) > f.limit }) {
		return nil, nil
	}
	backup := fmt.Sprintf("%s.bak.%d", f.path, time.Now().Unix())
	if err := config.WriteFile(backup, []byte(text)); err != nil {
		return nil, err
	}
	return drift{
		Error:  fmt.Sprintf("Refusing to write %s: it holds a text that the memory tool did not write, longer than the memory may be. A copy is in %s. Nothing was changed.", f.name, backup),
		Backup: backup, Remediation: "Have the user shorten the file or put a line with § alone between its entries; then call again.",
	}, nil
}

func read(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read memory: %w", err)
	}
	return string(b), nil
}

// noNil makes an empty list one that JSON shows as a list.
func noNil(entries []string) []string {
	if entries == nil {
		return []string{}
	}
	return entries
}

const (
	answerYes = "yes"
	answerNo  = "no"
)

// ask has the user approve a change (memory.write_approval) and returns why it
// is not made, "" when it is.
func (k *keeper) ask(ctx context.Context, c tool.Call, f file, before, after string) string {
	if c.Ask == nil {
		return "Writing the memory needs the user's approval (memory.write_approval), and nobody can be asked now. Nothing was changed."
	}
	lang := k.Lang()
	a, ok := c.Ask(ctx, event.Ask{
		Kind: event.AskApproval, Call: c.ID, Default: 1,
		Title: locale.MemoryAskTitle.In(lang), Text: locale.MemoryAskText.In(lang, f.name),
		Diff: udiff.Unified("a/"+f.name, "b/"+f.name, lines(before), lines(after)),
		Choices: []event.Choice{
			{ID: answerYes, Label: locale.MemoryAskYes.In(lang)},
			{ID: answerNo, Label: locale.MemoryAskNo.In(lang), Input: true},
		},
	})
	switch {
	case ok && a.Choice == answerYes:
		return ""
	case ok && a.Text != "":
		return "The user did not approve the change of the memory: " + a.Text
	case ok:
		return "The user did not approve the change of the memory. Do not try again."
	}
	return "The user did not answer whether the memory may be changed. Nothing was changed."
}

// lines ends a text with a line end, so that a diff does not speak of it.
func lines(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}
