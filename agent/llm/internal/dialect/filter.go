// Package dialect takes the tool calls that some models write into their
// answer, between markers of their own, out of it while it streams (decision
// D48). Markers are never shown, however they are cut into pieces. Only tools
// that the request offered count; everything else, and JSON without markers,
// stays text. So do markers inside Markdown code: there the answer talks about
// them.
package dialect

import (
	"strings"

	"hermes/agent/llm/internal/mdcode"
)

// Call is a call that was found.
type Call struct {
	Name      string // as it was offered
	Arguments string // JSON, broken when the block was cut
	Dialect   string // the marker, for the card
}

// Filter splits an answer that arrives in pieces into text, thoughts and
// calls.
type Filter struct {
	offer *Offer
	held  string  // what may become a marker
	block *marker // open block
	body  strings.Builder
	from  int // of the body, that holds no end
	code  mdcode.State
	h     harmony
	calls []Call

	out, thought strings.Builder // of this Push
}

// New returns a filter for an answer to a request that offered tools.
func New(o *Offer) *Filter { return &Filter{offer: o} }

// Calls are the calls found so far.
func (f *Filter) Calls() []Call { return f.calls }

// Open reports whether the answer stopped inside a block.
func (f *Filter) Open() bool { return f.block != nil }

// Push takes the next piece and returns what became certain.
func (f *Filter) Push(piece string) (text, thought string) {
	f.out.Reset()
	f.thought.Reset()
	f.scan(piece)
	return f.out.String(), f.thought.String()
}

func (f *Filter) scan(piece string) {
	s := f.held + piece
	f.held = ""
	for s != "" {
		switch {
		case f.block != nil:
			s = f.scanBlock(s)
		case f.h.active():
			s = f.scanHarmony(s)
		default:
			s = f.scanText(s)
		}
	}
}

// Close ends the answer: what looked like the beginning of a marker was none,
// and an open block is all there will be of it.
func (f *Filter) Close() (text, thought string) {
	f.out.Reset()
	f.thought.Reset()
	if m := f.block; m != nil {
		f.block = nil
		body := m.keep + f.body.String()
		calls, done := m.read(body, f.offer)
		if !done {
			calls = cutCalls(body, f.offer)
		}
		if len(calls) > 0 {
			f.take(calls, m)
		} else {
			f.out.WriteString(m.open + f.body.String())
		}
	}
	f.closeHarmony()
	f.out.WriteString(f.held)
	f.held = ""
	return f.out.String(), f.thought.String()
}

// scanText consumes s up to the next marker and returns what follows it.
func (f *Filter) scanText(s string) (rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '<' && s[i] != '[' || f.code.Open() {
			f.code.Add(s[i])
			continue
		}
		if n := f.h.begins(s[i:]); n > 0 {
			f.out.WriteString(s[:i])
			return s[i+n:]
		}
		m, skip, perhaps := match(s[i:])
		switch {
		case m != nil:
			f.out.WriteString(s[:i])
			f.open(m)
			return s[i+len(m.open):]
		case skip > 0:
			f.out.WriteString(s[:i])
			return s[i+skip:]
		case perhaps:
			f.out.WriteString(s[:i])
			f.held = s[i:]
			return ""
		}
		f.code.Add(s[i])
	}
	f.out.WriteString(s)
	return ""
}

func (f *Filter) open(m *marker) {
	f.block, f.from = m, 0
	f.body.Reset()
}

// scanBlock adds s to the open block and returns what follows its end.
func (f *Filter) scanBlock(s string) (rest string) {
	m := f.block
	f.body.WriteString(s)
	body := f.body.String()
	if !plausible(body, m.starts) {
		f.block = nil
		f.literal(m.open)
		return body // it may hold a marker of its own
	}
	if m.end == "" {
		return ""
	}
	for {
		i := strings.Index(body[f.from:], m.end)
		if i < 0 {
			f.from = max(f.from, len(body)-len(m.end)+1)
			return ""
		}
		i += f.from
		inside, after := body[:i], body[i+len(m.end):]
		inside = m.keep + inside
		calls, done := m.read(inside, f.offer)
		switch {
		case len(calls) > 0 && done:
			f.take(calls, m)
			f.block = nil
			return after
		case !done:
			// The end stands inside a value, or the block is broken; what
			// follows may tell.
			f.from = i + 1
			continue
		}
		f.block = nil
		f.literal(m.open + inside[len(m.keep):] + m.end) // a tool that was not offered
		return after
	}
}

// literal shows s as it is.
func (f *Filter) literal(s string) {
	for i := range len(s) {
		f.code.Add(s[i])
	}
	f.out.WriteString(s)
}

func (f *Filter) take(calls []Call, m *marker) {
	for _, c := range calls {
		c.Dialect = m.name
		f.calls = append(f.calls, c)
	}
}

// plausible reports whether a body can be that of a call, as far as it has
// come: prose after a marker is no call, and must not be held back.
func plausible(body, starts string) bool {
	body = strings.TrimLeft(body, " \t\r\n")
	if body == "" {
		return true
	}
	if strings.IndexByte(starts, body[0]) >= 0 && !letter(body[0]) {
		return true
	}
	if !strings.Contains(starts, "abc") || !nameByte(body[0]) {
		return false
	}
	for i := range len(body) {
		if nameByte(body[i]) {
			if i == maxName {
				return false
			}
			continue
		}
		// A name is followed by the end of its line, a tag, a bracket.
		return strings.IndexByte("\r\n<>([{|", body[i]) >= 0 || body[i] >= 0x80 || body[i] == ' ' && strings.TrimLeft(body[i:], " ") == "" ||
			body[i] == ' ' && strings.IndexByte("<{[(>\n", strings.TrimLeft(body[i:], " ")[0]) >= 0
	}
	return true
}

// maxName bounds a tool's name, in bytes.
const maxName = 128

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func nameByte(c byte) bool {
	return letter(c) || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.' || c == ':' || c == '/'
}

// Parse takes the calls out of a whole text.
func Parse(text string, o *Offer) (rest, thought string, calls []Call) {
	if !strings.ContainsAny(text, "<[") {
		return text, "", nil
	}
	f := New(o)
	rest, thought = f.Push(text)
	more, after := f.Close()
	return rest + more, thought + after, f.calls
}
