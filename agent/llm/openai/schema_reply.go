package openai

import (
	"encoding/json"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// schemaReply reads an answer that a schema holds, while it streams.
type schemaReply struct {
	all   strings.Builder
	shown int // bytes of the answer's text that were shown
	plain bool
}

// Push takes the next piece and returns what of the answer's text became
// certain.
func (s *schemaReply) Push(piece string) string {
	s.all.WriteString(piece)
	text := strings.TrimLeft(s.all.String(), " \t\r\n")
	if text == "" {
		return ""
	}
	if text[0] != '{' { // the server does not hold the schema
		out := text
		if s.plain {
			out = piece
		}
		s.plain = true
		return out
	}
	got, _ := partialText(text)
	if len(got) <= s.shown {
		return ""
	}
	out := got[s.shown:]
	s.shown = len(got)
	return out
}

// partialText is the value of the key answer as far as it has come; whole is
// false while it goes on.
func partialText(text string) (got string, whole bool) {
	rest := strings.TrimLeft(text[1:], " \t\r\n")
	rest, ok := strings.CutPrefix(rest, `"answer"`)
	if !ok {
		return "", false
	}
	rest = strings.TrimLeft(rest, " \t\r\n:")
	if rest == "" || rest[0] != '"' {
		return "", false
	}
	end := len(rest)
	for i := 1; i < len(rest); i++ {
		if rest[i] == '\\' {
			i++
			continue
		}
		if rest[i] == '"' {
			end, whole = i, true
			break
		}
	}
	body := rest[1:end]
	for range 12 { // an escape may be cut: \ud83d\ude00
		var s string
		if json.Unmarshal([]byte(`"`+body+`"`), &s) == nil && !strings.HasSuffix(s, "\ufffd") {
			return s, whole
		}
		if body == "" {
			break
		}
		body = body[:len(body)-1]
	}
	return "", whole
}

// Finish makes the message of the whole answer.
func (s *schemaReply) Finish(m *llm.Message) []llm.Note {
	text := strings.TrimSpace(m.Content)
	var doc struct {
		Tool      *string         `json:"tool"`
		Arguments json.RawMessage `json:"arguments"`
		Answer    *string         `json:"answer"`
	}
	switch {
	case !strings.HasPrefix(text, "{"):
		return nil
	case json.Unmarshal([]byte(text), &doc) != nil:
		if got, _ := partialText(text); got != "" {
			m.Content = got // the answer was cut
			return nil
		}
		name, args, ok := strings.Cut(text, `"arguments"`)
		_, name, _ = strings.Cut(name, `"tool"`)
		name = strings.Trim(name, " :,\"\t\r\n")
		if !ok || name == "" {
			return nil
		}
		m.Content = ""
		m.ToolCalls = append(m.ToolCalls, llm.ToolCall{Name: name, Arguments: strings.TrimLeft(args, " :\t\r\n")})
		return nil
	case doc.Tool != nil:
		m.Content = ""
		m.ToolCalls = append(m.ToolCalls, llm.ToolCall{Name: *doc.Tool, Arguments: string(doc.Arguments)})
		return []llm.Note{{Call: len(m.ToolCalls) - 1, Msg: locale.LLMBySchema}}
	case doc.Answer != nil:
		m.Content = *doc.Answer
	}
	return nil
}
