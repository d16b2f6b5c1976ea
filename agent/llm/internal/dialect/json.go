package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"

	"hermes/agent/tool"
)

// readJSON reads one or more objects {"name": …, "arguments": …}, or a list of
// them, in a fence or not.
func readJSON(body string, o *Offer) ([]Call, bool) {
	values, done := values(unfence(body))
	var calls []Call
	for _, v := range values {
		calls = append(calls, objectCalls(v, o)...)
	}
	return calls, done
}

// values takes JSON values that follow each other out of s. done is false when
// the last one is not whole.
func values(s string) (out []json.RawMessage, done bool) {
	s = strings.TrimSpace(s)
	for s != "" {
		dec := json.NewDecoder(strings.NewReader(s))
		var v json.RawMessage
		err := dec.Decode(&v)
		if err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return out, false
			}
			if fixed, _, rerr := tool.RepairArgs(s); rerr == nil && len(out) == 0 {
				return append(out, fixed), true
			}
			return out, len(out) > 0
		}
		out = append(out, v)
		s = strings.TrimLeft(s[dec.InputOffset():], " \t\r\n;,")
	}
	return out, true
}

// objectCalls makes calls of a JSON value.
func objectCalls(v json.RawMessage, o *Offer) []Call {
	v = bytes.TrimSpace(v)
	var list []json.RawMessage
	if len(v) > 0 && v[0] == '[' && json.Unmarshal(v, &list) == nil {
		var calls []Call
		for _, e := range list {
			calls = append(calls, objectCalls(e, o)...)
		}
		return calls
	}
	var obj map[string]json.RawMessage
	if json.Unmarshal(v, &obj) != nil {
		return nil
	}
	if fn := obj["function"]; len(fn) > 0 && fn[0] == '{' {
		return objectCalls(fn, o)
	}
	name := first(obj, "name", "tool_name", "function", "tool", "function_name")
	var text string
	if json.Unmarshal(name, &text) != nil {
		return nil
	}
	c, ok := o.call(text, arguments(first(obj, "arguments", "parameters", "args", "input", "tool_input")))
	if !ok {
		return nil
	}
	return []Call{c}
}

func first(obj map[string]json.RawMessage, names ...string) json.RawMessage {
	for _, n := range names {
		if v, ok := obj[n]; ok && string(v) != "null" {
			return v
		}
	}
	return nil
}

func arguments(raw json.RawMessage) string {
	var s string
	switch {
	case len(raw) == 0:
		return "{}"
	case raw[0] == '"' && json.Unmarshal(raw, &s) == nil:
		return s
	}
	return string(raw)
}

// unfence removes a Markdown fence around the whole text.
func unfence(s string) string {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "```") {
		return s
	}
	_, body, ok := strings.Cut(s, "\n")
	if !ok {
		return s
	}
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "```"))
}

var (
	cutName = lazy(`"(?:name|tool_name)"\s*:\s*"([^"]+)"`)
	cutArgs = lazy(`"(?:arguments|parameters|args)"\s*:\s*`)
	anyTag  = lazy(`<(?:function=|invoke\s+name=|[|｜]{1,2}DSML[|｜]{1,2}invoke\s+name=)\s*"?([^">\s]+)`)
)

// cutCalls is the call of a block that was cut off, with arguments that are
// visibly broken, so that it is neither run nor lost.
func cutCalls(body string, o *Offer) []Call {
	calls, _ := readAnything(body, o)
	if len(calls) > 0 {
		last := &calls[len(calls)-1]
		last.Arguments = strings.TrimRight(strings.TrimSpace(last.Arguments), "}")
		last.Arguments = strings.TrimSuffix(last.Arguments, `"`)
		if json.Valid([]byte(last.Arguments)) || last.Arguments == "" {
			last.Arguments = "{"
		}
		return calls
	}
	if m := cutName().FindStringSubmatchIndex(body); m != nil {
		args := "{"
		if a := cutArgs().FindStringIndex(body); a != nil && a[1] < len(body) {
			args = body[a[1]:]
		}
		if json.Valid([]byte(args)) {
			args = "{"
		}
		if c, ok := o.call(body[m[2]:m[3]], args); ok {
			return []Call{c}
		}
	}
	if m := anyTag().FindStringSubmatch(body); m != nil {
		if c, ok := o.call(m[1], "{"); ok {
			return []Call{c}
		}
	}
	return nil
}

// readAnything tries the readers of tags, which see what is whole of a body.
func readAnything(body string, o *Offer) ([]Call, bool) {
	for _, r := range []reader{readFunctions, readInvokes, readArgKeys} {
		if calls, _ := r(body, o); len(calls) > 0 {
			return calls, false
		}
	}
	return nil, false
}

// lazy compiles a pattern when it is first asked for: few answers need one.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
