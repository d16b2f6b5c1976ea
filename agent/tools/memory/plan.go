package memory

import (
	"fmt"
	"slices"
	"strings"

	"hermes/agent/injection"
	"hermes/agent/memory"
	"hermes/agent/tool"
)

// plan is a change of a memory before it is made.
type plan struct {
	// check refuses what is wrong whatever the memory holds; nil: nothing is.
	check func(f file, entries []string) any
	// apply returns the entries afterwards and what to say of it, or a refusal
	// and whether it counts as a failed try.
	apply func(f file, entries []string) (after []string, message string, refused any, counts bool)
	// rewrites says that entries may go.
	rewrites bool
}

const unknownAction = "Unknown action '%s'. Use: add, replace, remove"

// single is the plan of a call with one change.
func single(op operation) plan {
	given := op
	op.Content, op.OldText = strings.TrimSpace(op.Content), strings.TrimSpace(op.OldText)
	check := func(f file, entries []string) any {
		switch {
		case op.Action != "add" && op.Action != "replace" && op.Action != "remove":
			return invalid{Error: fmt.Sprintf(unknownAction, op.Action)}
		case op.Action != "add" && given.OldText == "":
			return full{
				Error:   fmt.Sprintf("%s needs old_text: a piece of the entry to %s that is in no other entry. Call again with a piece of one of current_entries.", op.Action, op.Action),
				Entries: entries, Usage: usage(entries, f.limit),
			}
		case op.Action != "add" && op.OldText == "":
			return refusal{Error: "old_text cannot be empty."}
		case op.Action == "add" && given.Content == "", op.Action == "replace" && given.Content == "":
			return invalid{Error: fmt.Sprintf("content is required for '%s'.", op.Action)}
		case op.Action != "remove" && op.Content == "":
			return refusal{Error: "content cannot be empty; 'remove' deletes an entry."}
		case op.Action != "remove":
			if why := injection.Message(op.Content, injection.Strict); why != "" {
				return refusal{Error: why}
			}
		}
		return nil
	}
	apply := func(f file, entries []string) ([]string, string, any, bool) {
		after, err := op.on(entries)
		switch {
		case err == nil:
		case err.many != nil:
			return nil, "", ambiguous{Error: fmt.Sprintf("Multiple entries matched '%s'. Be more specific.", op.OldText), Matches: err.many}, false
		default:
			return nil, "", unmatched{Error: fmt.Sprintf("No entry matched '%s'. Call again with a piece of the one of current_entries that you want to %s.", op.OldText, op.Action), Entries: entries}, true
		}
		if op.Action == "add" && len(after) == len(entries) {
			return after, "Entry already exists (no duplicate added).", nil, false
		}
		if n := memory.Chars(after); n > f.limit && op.Action != "remove" {
			return nil, "", full{Error: op.tooMuch(f, entries, n), Entries: entries, Usage: usage(entries, f.limit)}, true
		}
		return after, map[string]string{"add": "Entry added.", "replace": "Entry replaced.", "remove": "Entry removed."}[op.Action], nil, false
	}
	return plan{check: check, apply: apply, rewrites: op.Action != "add"}
}

// tooMuch tells that the memory is full.
func (op operation) tooMuch(f file, entries []string, n int) string {
	const next = " Make room in the same call: operations that shorten or remove entries of current_entries, and this one."
	if op.Action == "replace" {
		return fmt.Sprintf("Replacement would put memory at %s/%s chars.", tool.Thousands(n), tool.Thousands(f.limit)) + next
	}
	return fmt.Sprintf("Memory at %s chars. Adding this entry (%d chars) would exceed the limit.",
		usage(entries, f.limit), memory.Chars([]string{op.Content})) + next
}

// batch is the plan of a call with operations.
func batch(ops []operation) plan {
	ops = slices.Clone(ops)
	for i := range ops {
		ops[i].Content, ops[i].OldText = strings.TrimSpace(ops[i].Content), strings.TrimSpace(ops[i].OldText)
	}
	check := func(file, []string) any {
		for i, op := range ops {
			if op.Action == "remove" {
				continue
			}
			if why := injection.Message(op.Content, injection.Strict); why != "" {
				return refusal{Error: fmt.Sprintf("Operation %d: %s", i+1, why)}
			}
		}
		return nil
	}
	apply := func(f file, entries []string) ([]string, string, any, bool) {
		after := entries
		for i, op := range ops {
			var err *mismatch
			why := op.lacks()
			if why == "" {
				var next []string
				if next, err = op.on(after); err == nil {
					after = next
					continue
				}
				why = err.text(op.OldText)
			}
			text := fmt.Sprintf("Operation %d (%s): %s. Nothing was changed: operations are made all or none.", i+1, op.Action, why)
			return nil, "", full{Error: text, Entries: entries, Usage: usage(entries, f.limit)}, true
		}
		if n := memory.Chars(after); n > f.limit {
			text := fmt.Sprintf("After applying all %d operations, memory would be at %s/%s chars, which is over the limit. Nothing was changed: shorten or remove more entries in the same call.", len(ops), tool.Thousands(n), tool.Thousands(f.limit))
			return nil, "", full{Error: text, Entries: entries, Usage: usage(entries, f.limit)}, true
		}
		return after, fmt.Sprintf("Applied %d operation(s).", len(ops)), nil, false
	}
	rewrites := slices.ContainsFunc(ops, func(op operation) bool { return op.Action != "add" })
	return plan{check: check, apply: apply, rewrites: rewrites}
}

// lacks says what an operation of a batch needs and does not have.
func (op operation) lacks() string {
	switch {
	case op.Action != "add" && op.Action != "replace" && op.Action != "remove":
		return "unknown action; use add, replace or remove"
	case op.Action != "add" && op.OldText == "":
		return "old_text is required"
	case op.Action != "remove" && op.Content == "":
		return "content is required"
	}
	return ""
}

// mismatch says that old_text names no entry, or the entries that it names.
type mismatch struct{ many []string }

func (m *mismatch) text(old string) string {
	if m.many != nil {
		return fmt.Sprintf("'%s' matched %d entries; quote more of the one you mean", old, len(m.many))
	}
	return fmt.Sprintf("no entry matched '%s'", old)
}

// on makes the change in a copy of entries. Adding what is there changes
// nothing.
func (op operation) on(entries []string) ([]string, *mismatch) {
	after := slices.Clone(entries)
	if op.Action == "add" {
		for _, e := range memory.Parse(op.Content) { // a mark inside makes several
			if !slices.Contains(after, e) {
				after = append(after, e)
			}
		}
		return after, nil
	}
	at := -1
	var found []string
	for i, e := range entries {
		if strings.Contains(e, op.OldText) {
			at, found = i, append(found, e)
		}
	}
	switch {
	case len(found) == 0:
		return nil, &mismatch{}
	case len(found) > 1:
		return nil, &mismatch{many: found}
	case op.Action == "remove":
		return slices.Delete(after, at, at+1), nil
	}
	after[at] = op.Content
	return after, nil
}
