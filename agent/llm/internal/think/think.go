// Package think takes the thoughts that some models write into their answer,
// between tags such as <think> and </think>, out of it while it streams.
package think

import (
	"strings"
	"unicode"

	"hermes/agent/llm/internal/mdcode"
)

// names are the tags that are known, in lower case (contract/core §1.5).
var names = [...]string{"think", "thinking", "reasoning", "reasoning_scratchpad"}

// Filter splits an answer that arrives in pieces into text and thoughts. Tags
// inside code (backticks, fences) are left alone: there the answer talks about
// them. The zero value is ready.
type Filter struct {
	held   string // what may become a tag
	inside bool   // between tags
	seen   bool   // a block was opened in this answer
	code   mdcode.State

	text, reasoning strings.Builder // everything so far
	out, thought    strings.Builder // of this Push
}

// Push takes the next piece and returns what became certain: text for the
// user, and thoughts.
func (f *Filter) Push(piece string) (text, reasoning string) {
	f.out.Reset()
	f.thought.Reset()
	s := f.held + piece
	f.held = ""
	for s != "" {
		if f.inside {
			s = f.scanThoughts(s)
		} else {
			s = f.scanAnswer(s)
		}
	}
	return f.out.String(), f.thought.String()
}

// Close ends the answer: what looked like the beginning of a tag was none.
func (f *Filter) Close() (text, reasoning string) {
	f.out.Reset()
	f.thought.Reset()
	if f.inside {
		f.think(f.held)
	} else {
		f.say(f.held)
	}
	f.held = ""
	return f.out.String(), f.thought.String()
}

// Text is the whole answer so far without its thoughts. It can be less than
// what Push returned: when a model leaves out the opening tag, everything
// before the closing one turns out to be thought.
func (f *Filter) Text() string { return f.text.String() }

// Reasoning is everything that was thought.
func (f *Filter) Reasoning() string { return f.reasoning.String() }

func (f *Filter) say(s string) {
	if f.seen && f.text.Len() == 0 {
		// The blank lines between thoughts and answer belong to neither.
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	f.text.WriteString(s)
	f.out.WriteString(s)
}

func (f *Filter) think(s string) {
	f.reasoning.WriteString(s)
	f.thought.WriteString(s)
}

// scanThoughts consumes s up to the closing tag and returns what follows it.
func (f *Filter) scanThoughts(s string) (rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '<' {
			continue
		}
		switch t, n := match(s[i:]); t {
		case closing:
			f.think(s[:i])
			f.inside = false
			return s[i+n:]
		case unfinished:
			f.think(s[:i])
			f.held = s[i:]
			return ""
		}
	}
	f.think(s)
	return ""
}

// scanAnswer consumes s up to the next tag and returns what follows it.
func (f *Filter) scanAnswer(s string) (rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '<' || f.code.Open() {
			f.code.Add(s[i])
			continue
		}
		switch t, n := match(s[i:]); t {
		case opening:
			f.say(s[:i])
			f.inside, f.seen = true, true
			return s[i+n:]
		case closing:
			f.say(s[:i])
			f.orphan()
			return s[i+n:]
		case unfinished:
			f.say(s[:i])
			f.held = s[i:]
			return ""
		}
		f.code.Add(s[i])
	}
	f.say(s)
	return ""
}

// orphan handles a closing tag that nothing opened. Servers whose chat
// template writes the opening tag itself send such answers: what came before
// was thought. Once a block was opened, or in the middle of a line, the tag is
// only noise.
func (f *Filter) orphan() {
	text := f.text.String()
	if f.seen || strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:]) != "" {
		return
	}
	f.seen = true
	f.reasoning.WriteString(text)
	f.text.Reset()
	f.out.Reset()
	f.code = mdcode.State{}
}

type kind int

const (
	other kind = iota
	opening
	closing
	unfinished // s may become a tag when more arrives
)

// match says what tag s, which begins with '<', begins with, and its length.
func match(s string) (kind, int) {
	i := 1
	t := opening
	if i < len(s) && s[i] == '/' {
		t = closing
		i++
	}
	start := i
	for i < len(s) && (isLetter(s[i]) || s[i] == '_') {
		i++
	}
	name := strings.ToLower(s[start:i])
	if i == len(s) {
		for _, n := range names {
			if strings.HasPrefix(n, name) {
				return unfinished, 0
			}
		}
		return other, 0
	}
	for i < len(s) && s[i] == ' ' {
		i++
	}
	known := false
	for _, n := range names {
		known = known || n == name
	}
	switch {
	case !known:
		return other, 0
	case i == len(s):
		if i-start > 64 { // a line of blanks is no tag
			return other, 0
		}
		return unfinished, 0
	case s[i] == '>':
		return t, i + 1
	}
	return other, 0
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
