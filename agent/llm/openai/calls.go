package openai

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// callPiece is a fragment of a call.
type callPiece struct {
	Index    json.RawMessage `json:"index"`
	ID       text            `json:"id"`
	Function callFunc        `json:"function"`
}

type callFunc struct {
	Name      text `json:"name"`
	Arguments args `json:"arguments"`
}

// args are arguments: a text, or an object or list, which is kept as its JSON.
type args struct {
	text   string
	object bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *args) UnmarshalJSON(b []byte) error {
	a.object = len(b) > 0 && (b[0] == '{' || b[0] == '[')
	return (*text)(&a.text).UnmarshalJSON(b)
}

// slot is a call that is being put together.
type slot struct {
	index, id, name string
	args            strings.Builder
	object          bool   // the arguments came as an object
	last            string // fragment of the arguments
	grows           bool   // every fragment repeats the one before
}

// callList puts fragments of calls together. The specification tells calls
// apart by index; services leave it out, give every call the same one, repeat
// the name in every fragment, or leave out the ids.
type callList struct{ slots []*slot }

func (l *callList) add(p callPiece) {
	s := l.find(p)
	if s == nil {
		if p.Function.Name == "" && p.ID == "" && len(l.slots) == 0 && p.Function.Arguments.text == "" {
			return
		}
		s = &slot{index: index(p)}
		l.slots = append(l.slots, s)
	}
	if s.id == "" {
		s.id = string(p.ID)
	}
	s.rename(string(p.Function.Name))
	s.extend(p.Function.Arguments)
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

func (s *slot) extend(a args) {
	if a.text == "" {
		return
	}
	if s.args.String() == "{}" && strings.HasPrefix(a.text, "{") {
		s.args.Reset() // an empty object sent ahead of the real one
		s.last = ""
	}
	s.grows = s.last == "" || s.grows && strings.HasPrefix(a.text, s.last)
	s.last = a.text
	s.object = s.object || a.object
	s.args.WriteString(a.text)
}

func index(p callPiece) string {
	i := strings.Trim(string(p.Index), `"`)
	if i == "null" {
		return ""
	}
	return i
}

// list returns the calls, and what was put right in them.
func (l *callList) list() (out []llm.ToolCall, notes []llm.Note) {
	for _, s := range l.slots {
		if s.name == "" && s.args.Len() == 0 {
			continue
		}
		all := s.arguments()
		for i, one := range all {
			c := llm.ToolCall{ID: s.id, Name: s.name, Arguments: one}
			switch {
			case len(all) > 1:
				notes = append(notes, llm.Note{Call: len(out), Msg: locale.LLMSplit, Args: []any{len(all)}})
			case s.object:
				notes = append(notes, llm.Note{Call: len(out), Msg: locale.LLMObjectArgs})
			}
			if i > 0 {
				c.ID = "" // the agent gives it one
			}
			out = append(out, c)
		}
	}
	return out, notes
}

// arguments are those of the slot: mostly one text as it was written. Where
// that is no JSON because fragments repeated what came before, it is the last
// one; where it is several whole objects, the service ran calls together.
func (s *slot) arguments() []string {
	text := s.args.String()
	if json.Valid([]byte(text)) || text == "" {
		return []string{text}
	}
	if s.grows && json.Valid([]byte(s.last)) {
		return []string{s.last}
	}
	dec := json.NewDecoder(strings.NewReader(text))
	var out []string
	seen := map[string]bool{}
	for {
		var v json.RawMessage
		err := dec.Decode(&v)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || v[0] != '{' {
			return []string{text}
		}
		if one := string(v); !seen[one] && one != "{}" {
			seen[one] = true
			out = append(out, one)
		}
	}
	if len(out) == 0 {
		return []string{"{}"}
	}
	return out
}
