// Package todo is the tool with which the model keeps a list of what it has to
// do. Each session has its own list.
package todo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"hermes/agent/tool"
	"hermes/agent/tools/internal/result"
)

// Limits of contract/core §2.5.
const (
	maxItems = 256
	maxChars = 4000
)

const description = `Keeps the task list of this conversation. Use it for work of three steps or more, or when the user names several things to do: write the list first, mark one item in_progress before you begin it, and completed as soon as it is done. Not for a single question or a single step.
Without arguments it returns the list. With todos it replaces the list; with merge: true it changes the items whose id is known and appends the others.`

const parameters = `{"type":"object","properties":{"todos":{"type":"array","description":"the items, in the order in which they are done","items":{"type":"object","properties":{"id":{"type":"string","description":"short and unique in the list"},"content":{"type":"string","description":"what is to be done, one sentence"},"status":{"type":"string","enum":["pending","in_progress","completed","cancelled"],"description":"at most one item is in_progress"}},"required":["id","content","status"]}},"merge":{"type":"boolean","description":"false replaces the list, true changes and appends by id","default":false}}}`

// Register adds the tool to reg.
func Register(reg *tool.Registry) error {
	_, err := reg.Add(&todo{lists: map[string][]item{}}, false)
	if err != nil {
		return fmt.Errorf("register todo: %w", err)
	}
	return nil
}

type item struct {
	ID      string `json:"id"`
	Content string `json:"content"`
	Status  string `json:"status"`
}

type todo struct {
	mu    sync.Mutex
	lists map[string][]item // by session
}

func (t *todo) Spec() tool.Spec {
	return tool.Spec{
		Name: "todo", Toolset: "todo", Description: description, Emoji: "📋",
		Parameters: json.RawMessage(parameters),
	}
}

func (t *todo) Available(context.Context) (bool, string) { return true, "" }

func (t *todo) Run(_ context.Context, c tool.Call) (tool.Result, error) {
	var args struct {
		Todos *[]item `json:"todos"`
		Merge bool    `json:"merge"`
	}
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return result.Error("Invalid arguments for todo: %v", err), nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.lists[c.Session]
	if args.Todos != nil {
		var base []item
		if args.Merge {
			base = list
		}
		next, err := merged(base, *args.Todos)
		if err != nil {
			return result.Error("%v", err), nil
		}
		t.lists[c.Session] = next
		list = next
	}
	return result.JSON(answer(list)), nil
}

// merged puts items into a copy of list: known ids are changed in their place,
// others appended. Of one id given twice the last counts.
func merged(list, items []item) ([]item, error) {
	out := append([]item{}, list...)
	at := map[string]int{}
	for i, it := range out {
		at[it.ID] = i
	}
	for n, it := range items {
		it.ID = strings.TrimSpace(it.ID)
		it.Content = bounded(strings.TrimSpace(it.Content))
		if it.ID == "" || it.Content == "" {
			return nil, fmt.Errorf("todos[%d] needs an id and a content that are not empty", n)
		}
		if i, known := at[it.ID]; known {
			out[i] = it
			continue
		}
		at[it.ID] = len(out)
		out = append(out, it)
	}
	if len(out) > maxItems {
		return nil, fmt.Errorf("the list would have %d items; at most %d are kept", len(out), maxItems)
	}
	return out, nil
}

func bounded(s string) string {
	if utf8.RuneCountInString(s) <= maxChars {
		return s
	}
	return string([]rune(s)[:maxChars])
}

type list struct {
	Todos   []item  `json:"todos"`
	Summary summary `json:"summary"`
}

type summary struct {
	Total      int `json:"total"`
	Pending    int `json:"pending"`
	InProgress int `json:"in_progress"`
	Completed  int `json:"completed"`
	Cancelled  int `json:"cancelled"`
}

func answer(items []item) list {
	l := list{Todos: append([]item{}, items...), Summary: summary{Total: len(items)}}
	for _, it := range items {
		switch it.Status {
		case "pending":
			l.Summary.Pending++
		case "in_progress":
			l.Summary.InProgress++
		case "completed":
			l.Summary.Completed++
		case "cancelled":
			l.Summary.Cancelled++
		}
	}
	return l
}
