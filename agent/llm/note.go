package llm

import "hermes/agent/locale"

// Note says what a client repaired in an answer, or left out of a request.
type Note struct {
	// Call is the place in Message.ToolCalls of the call that the note is
	// about, WholeAnswer when it is about none.
	Call int
	Msg  locale.Msg
	Args []any
}

// WholeAnswer is Note.Call of notes that are not about one call.
const WholeAnswer = -1

// In is the note's text in a language.
func (n Note) In(lang locale.Lang) string { return n.Msg.In(lang, n.Args...) }

// CallNotes are the texts of the notes about call i.
func (r *Response) CallNotes(i int, lang locale.Lang) []string {
	var out []string
	for _, n := range r.Notes {
		if n.Call == i {
			out = append(out, n.In(lang))
		}
	}
	return out
}
