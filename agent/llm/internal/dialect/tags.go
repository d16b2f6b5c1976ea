package dialect

import (
	"strings"
)

// readToolCall reads what stands in <tool_call>: JSON, <function=…>, or a name
// followed by GLM's keys or by JSON.
func readToolCall(body string, o *Offer) ([]Call, bool) {
	s := strings.TrimSpace(body)
	s = strings.TrimSpace(strings.TrimPrefix(s, "<tool_call>")) // nested once
	switch {
	case strings.Contains(s, "<function="):
		return readFunctions(s, o)
	case strings.Contains(s, "<arg_key>"):
		return readArgKeys(s, o)
	case strings.Contains(s, "<invoke "):
		return readInvokes(s, o)
	case s != "" && nameByte(s[0]) && s[0] != '.':
		return readNamed(s, o)
	}
	return readJSON(strings.ReplaceAll(s, "</tool_call>\n<tool_call>", "\n"), o)
}

// readNamed reads a name and, on the next line or after it, JSON.
func readNamed(s string, o *Offer) ([]Call, bool) {
	i := strings.IndexAny(s, "\r\n{[`(")
	if i < 0 {
		c, ok := o.call(s, "{}")
		if !ok {
			return nil, true
		}
		return []Call{c}, true
	}
	if s[i] == '(' {
		return readPython(s, o)
	}
	name, ok := o.find(s[:i])
	if !ok {
		return nil, true
	}
	rest := unfence(s[i:])
	if rest == "" {
		return []Call{{Name: name, Arguments: "{}"}}, true
	}
	args, done := values(rest)
	if len(args) == 0 {
		return nil, done
	}
	return []Call{{Name: name, Arguments: string(args[0])}}, done
}

// readFunctions reads <function=NAME> with <parameter=KEY>value</parameter>,
// or with JSON inside.
func readFunctions(body string, o *Offer) ([]Call, bool) {
	var calls []Call
	done := true
	parts := strings.Split(body, "<function=")
	for _, p := range parts[1:] {
		name, rest, ok := strings.Cut(p, ">")
		if !ok {
			return calls, false
		}
		rest, whole := beforeLast(rest, "</function>")
		found, ok := o.find(strings.Trim(name, `"' `))
		if !ok {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(rest), "{") {
			args, ok := values(rest)
			if len(args) == 0 || !ok {
				return calls, false
			}
			calls = append(calls, Call{Name: found, Arguments: string(args[0])})
			continue
		}
		params, closed := parameters(rest, "<parameter=", "</parameter>")
		done = done && closed
		_ = whole // the end of the answer ends a function as well
		calls = append(calls, Call{Name: found, Arguments: o.object(found, params)})
	}
	return calls, done
}

// parameters reads tags that carry their name: open KEY > value end. The last
// one is not whole when its end is missing.
func parameters(s, open, end string) (params []param, closed bool) {
	closed = true
	parts := strings.Split(s, open)
	for i, p := range parts[1:] {
		key, value, ok := strings.Cut(p, ">")
		if !ok {
			return params, false
		}
		value, whole := beforeLast(value, end)
		if !whole && i == len(parts)-2 {
			closed = false
		}
		attrs := strings.Fields(key)
		if len(attrs) == 0 {
			continue
		}
		params = append(params, param{
			name:  strings.Trim(strings.TrimPrefix(attrs[0], "name="), `"'`),
			value: unpad(value),
			text:  strings.Contains(key, `string="true"`),
		})
	}
	return params, closed
}

// beforeLast is s up to the last end, all of it when there is none.
func beforeLast(s, end string) (string, bool) {
	if i := strings.LastIndex(s, end); i >= 0 {
		return s[:i], true
	}
	return s, false
}

// unpad takes the line breaks off that stand between a tag and its value.
func unpad(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
	s = strings.TrimSuffix(s, "\n")
	return strings.TrimSuffix(s, "\r")
}

// readArgKeys reads GLM's form: a name, then <arg_key>K</arg_key>
// <arg_value>V</arg_value> in pairs.
func readArgKeys(body string, o *Offer) ([]Call, bool) {
	name, rest, ok := strings.Cut(body, "<arg_key>")
	if !ok {
		return nil, true
	}
	found, ok := o.find(strings.Trim(name, " \r\n\t<>"))
	if !ok {
		return nil, true
	}
	var params []param
	done := true
	for _, p := range strings.Split(rest, "<arg_key>") {
		key, value, ok := strings.Cut(p, "</arg_key>")
		if !ok {
			done = false
			break
		}
		_, value, ok = strings.Cut(value, "<arg_value>")
		if !ok {
			done = false
			break
		}
		value, whole := beforeLast(value, "</arg_value>")
		done = whole
		params = append(params, param{name: strings.TrimSpace(key), value: unpad(value)})
	}
	return []Call{{Name: found, Arguments: o.object(found, params)}}, done
}

var invokeTag = lazy(`<(/?)(?:[|｜]{1,2}DSML[|｜]{1,2}|[a-z]+:)?(invoke|parameter)\b`)

// readInvokes reads <invoke name="NAME"> with <parameter name="KEY">: the form
// of MiniMax, of what imitates Claude, and of DeepSeek's DSML, where each tag
// has a prefix and each parameter says whether it is a text.
func readInvokes(body string, o *Offer) ([]Call, bool) {
	s := invokeTag().ReplaceAllString(body, "<${1}${2}")
	var calls []Call
	done := true
	for _, p := range strings.Split(s, "<invoke name=")[1:] {
		name, rest, ok := strings.Cut(p, ">")
		if !ok {
			return calls, false
		}
		rest, _ = beforeLast(rest, "</invoke>")
		found, ok := o.find(strings.Trim(strings.TrimSpace(name), `"'`))
		if !ok {
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(rest), "{") {
			if args, ok := values(rest); ok && len(args) > 0 {
				calls = append(calls, Call{Name: found, Arguments: string(args[0])})
				continue
			}
			return calls, false
		}
		params, closed := parameters(rest, "<parameter ", "</parameter>")
		done = done && closed
		calls = append(calls, Call{Name: found, Arguments: o.object(found, params)})
	}
	return calls, done
}

func readInvokesOrJSON(body string, o *Offer) ([]Call, bool) {
	if strings.Contains(body, "invoke") {
		return readInvokes(body, o)
	}
	return readToolCall(body, o)
}
