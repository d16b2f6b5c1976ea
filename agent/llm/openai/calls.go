package openai

import (
	"encoding/json"
	"strings"

	"hermes/agent/llm"
)

// callPiece is a fragment of a call.
type callPiece struct {
	Index    json.RawMessage `json:"index"`
	ID       text            `json:"id"`
	Function callFunc        `json:"function"`
}

type callFunc struct {
	Name      text `json:"name"`
	Arguments text `json:"arguments"` // an object is kept as its JSON
}

// slot is a call that is being put together.
type slot struct {
	index, id, name string
	args            strings.Builder
}

// callList puts fragments of calls together. The specification tells calls
// apart by index; services leave it out, give every call the same one, repeat
// the name in every fragment, or leave out the ids.
type callList struct{ slots []*slot }

func (l *callList) add(p callPiece) {
	s := l.find(p)
	if s == nil {
		if p.Function.Name == "" && p.ID == "" && len(l.slots) == 0 && p.Function.Arguments == "" {
			return
		}
		s = &slot{index: index(p)}
		l.slots = append(l.slots, s)
	}
	if s.id == "" {
		s.id = string(p.ID)
	}
	s.rename(string(p.Function.Name))
	s.extend(string(p.Function.Arguments))
}

// find returns the call that p continues, nil when p begins one.
func (l *callList) find(p callPiece) *slot {
	i, id, name := index(p), string(p.ID), string(p.Function.Name)
	for n := len(l.slots) - 1; n >= 0; n-- {
		s := l.slots[n]
		switch {
		case i != "" && s.index != i:
			continue
		case i == "" && id != "" && s.id != id:
			continue
		}
		if s.ended(id, name) {
			return nil
		}
		return s
	}
	if n := len(l.slots); n > 0 && name == "" && i == "" {
		return l.slots[n-1] // ids that change with every fragment
	}
	return nil
}

// ended reports whether a fragment with this id and name in the place of s
// begins another call.
func (s *slot) ended(id, name string) bool {
	if name == "" {
		return false
	}
	if id != "" && s.id != "" {
		// Both ids are there: a new one with a name is a new call; the same
		// one is the name repeated.
		return id != s.id
	}
	return s.args.Len() > 0 && json.Valid([]byte(s.args.String()))
}

// rename takes a name as sent whole, repeated, growing, or in pieces.
func (s *slot) rename(name string) {
	switch {
	case name == "" || name == s.name:
	case s.name == "" || strings.HasPrefix(name, s.name):
		s.name = name
	case s.args.Len() == 0:
		s.name += name
	}
}

func (s *slot) extend(args string) {
	if s.args.String() == "{}" && strings.HasPrefix(args, "{") {
		s.args.Reset() // an empty object sent ahead of the real one
	}
	s.args.WriteString(args)
}

func index(p callPiece) string {
	i := strings.Trim(string(p.Index), `"`)
	if i == "null" {
		return ""
	}
	return i
}

func (l *callList) list() []llm.ToolCall {
	var out []llm.ToolCall
	for _, s := range l.slots {
		if s.name == "" && s.args.Len() == 0 {
			continue
		}
		out = append(out, llm.ToolCall{ID: s.id, Name: s.name, Arguments: s.args.String()})
	}
	return out
}
