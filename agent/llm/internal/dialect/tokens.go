package dialect

import (
	"strings"

	"hermes/agent/tool"
)

// readMistral reads what follows [TOOL_CALLS]: a list of objects, or the newer
// NAME[ARGS]{…}, once or several times.
func readMistral(body string, o *Offer) ([]Call, bool) {
	s := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "</s>"))
	if s != "" && (s[0] == '[' || s[0] == '{') {
		return readJSON(s, o)
	}
	var calls []Call
	for _, p := range strings.Split(s, "[TOOL_CALLS]") {
		name, rest, ok := strings.Cut(p, "[ARGS]")
		if !ok {
			i := strings.IndexByte(p, '{')
			if i < 0 {
				return calls, len(calls) > 0
			}
			name, rest = p[:i], p[i:]
		}
		name, _, _ = strings.Cut(name, "[CALL_ID]")
		args, done := values(rest)
		if len(args) == 0 || !done {
			return calls, false
		}
		if c, ok := o.call(name, string(args[0])); ok {
			calls = append(calls, c)
		}
	}
	return calls, true
}

// readKimi reads <|tool_call_begin|>functions.NAME:0
// <|tool_call_argument_begin|>{…}<|tool_call_end|>.
func readKimi(body string, o *Offer) ([]Call, bool) {
	return readTokens(body, "<|tool_call_begin|>", "<|tool_call_argument_begin|>", "<|tool_call_end|>", o)
}

// readDeepSeek reads <｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME, a fence with
// JSON, <｜tool▁call▁end｜>; from V3.1 on NAME<｜tool▁sep｜>{…}.
func readDeepSeek(body string, o *Offer) ([]Call, bool) {
	return readTokens(body, "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>", o)
}

func readTokens(body, begin, sep, end string, o *Offer) ([]Call, bool) {
	var calls []Call
	for _, p := range strings.Split(body, begin)[1:] {
		p, _, _ = strings.Cut(p, end)
		name, rest, ok := strings.Cut(p, sep)
		if !ok {
			return calls, false
		}
		if strings.TrimSpace(name) == "function" { // the kind, before the name
			i := strings.IndexAny(rest, "\r\n{`")
			if i < 0 {
				return calls, false
			}
			name, rest = rest[:i], rest[i:]
		}
		rest = unfence(rest)
		args := "{}"
		if rest != "" {
			vs, done := values(rest)
			if len(vs) == 0 || !done {
				return calls, false
			}
			args = string(vs[0])
		}
		if c, ok := o.call(name, args); ok {
			calls = append(calls, c)
		}
	}
	return calls, true
}

// readPython reads NAME(key="value", …), alone, in a list, or as NAME.call(…);
// JSON as well, which the same tokens introduce.
func readPython(body string, o *Offer) ([]Call, bool) {
	s := strings.TrimSpace(body)
	if s != "" && s[0] == '{' || strings.HasPrefix(s, "[{") {
		return readJSON(s, o)
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	var calls []Call
	for s = strings.TrimLeft(s, " \t\r\n,;"); s != ""; s = strings.TrimLeft(s, " \t\r\n,;") {
		open := strings.IndexByte(s, '(')
		if open <= 0 || strings.Trim(s[:open], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") != "" {
			return calls, len(calls) > 0
		}
		inside, rest, ok := balanced(s[open:])
		if !ok {
			return calls, false
		}
		if args, ok := keywords(inside); ok {
			if c, ok := o.call(strings.TrimSuffix(s[:open], ".call"), args); ok {
				calls = append(calls, c)
			}
		}
		s = rest
	}
	return calls, true
}

// balanced splits s, which begins with a bracket, after the one that closes it.
func balanced(s string) (inside, rest string, ok bool) {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", "", false
}

// keywords makes a JSON object of key=value, key=value.
func keywords(s string) (string, bool) {
	var b strings.Builder
	b.WriteByte('{')
	for n := 0; strings.TrimSpace(s) != ""; n++ {
		key, rest, ok := strings.Cut(s, "=")
		if !ok {
			return "", false
		}
		value, after := rest, ""
		if i := comma(rest); i >= 0 {
			value, after = rest[:i], rest[i+1:]
		}
		if n > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(strings.TrimSpace(key)))
		b.WriteByte(':')
		b.WriteString(strings.TrimSpace(value))
		s = after
	}
	b.WriteByte('}')
	args, _, err := tool.RepairArgs(b.String())
	return string(args), err == nil
}

// comma is the place of the first comma outside of texts and brackets.
func comma(s string) int {
	depth := 0
	var quote byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			return i
		}
	}
	return -1
}
