package dialect

import "strings"

// Tokens of gpt-oss's format.
const (
	tokChannel = "<|channel|>"
	tokStart   = "<|start|>"
	tokMessage = "<|message|>"
)

// Tokens that end a message of it.
var harmonyEnds = [...]string{"<|end|>", "<|call|>", "<|return|>", tokChannel, tokStart}

// harmony is the state of an answer in gpt-oss's format, where a header names
// the channel, or the tool that is called, before each message:
// <|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>.
type harmony struct {
	head bool // inside a header
	body bool // inside a message
	kind int
	to   string          // the tool that the message is for
	text strings.Builder // of the header, then of a call
}

const (
	forUser = iota
	forNobody
	forTool
)

func (h *harmony) active() bool { return h.head || h.body }

// begins starts a header when s begins with its token, and returns the
// token's length.
func (h *harmony) begins(s string) int {
	for _, tok := range []string{tokChannel, tokStart, tokMessage} {
		if strings.HasPrefix(s, tok) {
			h.head, h.body = tok != tokMessage, tok == tokMessage
			h.kind, h.to = forUser, ""
			h.text.Reset()
			return len(tok)
		}
	}
	return 0
}

// maxHeader bounds a header, in bytes; what is longer is none.
const maxHeader = 300

// scanHarmony consumes s up to the end of the header or message.
func (f *Filter) scanHarmony(s string) (rest string) {
	if f.h.head {
		return f.scanHeader(s)
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '<' {
			continue
		}
		perhaps := false
		for _, end := range harmonyEnds {
			if strings.HasPrefix(s[i:], end) {
				f.message(s[:i])
				f.endMessage()
				if end == tokChannel || end == tokStart {
					return s[i:]
				}
				return s[i+len(end):]
			}
			perhaps = perhaps || strings.HasPrefix(end, s[i:])
		}
		if perhaps {
			f.message(s[:i])
			f.held = s[i:]
			return ""
		}
	}
	f.message(s)
	return ""
}

func (f *Filter) scanHeader(s string) (rest string) {
	before := f.h.text.Len()
	f.h.text.WriteString(s)
	head := f.h.text.String()
	i := strings.Index(head, tokMessage)
	if i < 0 {
		if len(head) > maxHeader {
			f.h.head = false
			f.out.WriteString(head)
		}
		return ""
	}
	_ = before
	rest = head[i+len(tokMessage):]
	head = head[:i]
	f.h.head, f.h.body = false, true
	f.h.text.Reset()
	switch _, to, ok := strings.Cut(head, "to="); {
	case ok:
		f.h.kind = forTool
		f.h.to, _, _ = strings.Cut(strings.TrimSpace(to), " ")
		f.h.to, _, _ = strings.Cut(f.h.to, "<")
	case strings.Contains(head, "analysis"):
		f.h.kind = forNobody
	default:
		f.h.kind = forUser
	}
	return rest
}

// message takes a piece of the message.
func (f *Filter) message(s string) {
	switch f.h.kind {
	case forUser:
		f.out.WriteString(s)
	case forNobody:
		f.thought.WriteString(s)
	case forTool:
		f.h.text.WriteString(s)
	}
}

// endMessage takes the call of a message that is over.
func (f *Filter) endMessage() {
	if f.h.kind == forTool {
		args := strings.TrimSpace(f.h.text.String())
		if args == "" {
			args = "{}"
		}
		if c, ok := f.offer.call(f.h.to, args); ok {
			c.Dialect = "harmony"
			f.calls = append(f.calls, c)
		} else {
			f.out.WriteString(f.h.text.String())
		}
	}
	f.h = harmony{}
}

func (f *Filter) closeHarmony() {
	switch {
	case f.h.head:
		f.out.WriteString(f.h.text.String())
	case f.h.body:
		f.endMessage()
	}
	f.h = harmony{}
}
