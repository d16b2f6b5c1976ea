package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// Small models call no tool by themselves, but follow a JSON Schema that their
// server holds them to. Then each answer is one object: {"tool": NAME,
// "arguments": {…}}, or {"answer": TEXT}. The conversation is told to the model
// in the same form, so that it sees worked examples of it.

// bySchema reports whether a schema holds the answer to r.
func (c *Client) bySchema(r llm.Request) bool {
	return c.cfg.ToolCalls == llm.CallsBySchema && len(r.Tools) > 0 && r.ToolChoice != llm.ChoiceNone
}

// responseFormat is the schema over the tools that may be called, and the
// final answer.
func responseFormat(r llm.Request) any {
	var forms []any
	for _, t := range r.Tools {
		if r.ToolChoice != "" && r.ToolChoice != llm.ChoiceAuto && r.ToolChoice != llm.ChoiceRequired && r.ToolChoice != t.Name {
			continue
		}
		forms = append(forms, object("tool", map[string]any{"const": t.Name}, "arguments", strict(wire.ParametersOf(t))))
	}
	if r.ToolChoice == "" || r.ToolChoice == llm.ChoiceAuto {
		forms = append(forms, map[string]any{
			"type": "object", "properties": map[string]any{"answer": map[string]any{"type": "string"}},
			"required": []string{"answer"}, "additionalProperties": false,
		})
	}
	var schema any = map[string]any{"anyOf": forms}
	if len(forms) == 1 {
		schema = forms[0]
	}
	return map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "reply", "strict": true, "schema": schema}}
}

// object is the schema of an object with two required keys in this order:
// servers generate keys in the order of the properties' text.
func object(k1 string, v1 any, k2 string, v2 json.RawMessage) json.RawMessage {
	first, err := json.Marshal(v1)
	if err != nil {
		first = []byte(`{}`)
	}
	return fmt.Appendf(nil, `{"type":"object","properties":{%q:%s,%q:%s},"required":[%q,%q],"additionalProperties":false}`, k1, first, k2, v2, k1, k2)
}

// strict is a schema of arguments without keys of the model's own invention.
func strict(params json.RawMessage) json.RawMessage {
	var v map[string]json.RawMessage
	if json.Unmarshal(params, &v) != nil || v["properties"] == nil {
		return params
	}
	if _, set := v["additionalProperties"]; set {
		return params
	}
	var b bytes.Buffer
	if json.Compact(&b, params) != nil {
		return params
	}
	return append(b.Bytes()[:b.Len()-1], `,"additionalProperties":false}`...)
}

// schemaMessages tells the conversation in the form that the schema holds: the
// tools in the system message, then worked examples, calls and results as
// texts.
func schemaMessages(r llm.Request) []llm.Message {
	guide := schemaGuide(r.Tools)
	var out []llm.Message
	for _, m := range r.Messages {
		switch {
		case m.Role == llm.RoleSystem && guide != "":
			m.Content = strings.TrimSpace(m.Content) + "\n\n" + guide
			guide = ""
			out = append(append(out, m), workedExamples(r.Tools)...)
		case m.Role == llm.RoleTool:
			text := resultText(m.Name, strings.TrimSpace(m.Content))
			if n := len(out); n > 0 && out[n-1].Role == llm.RoleUser {
				out[n-1].Content += "\n" + text // several calls of one answer
				continue
			}
			out = append(out, llm.Message{Role: llm.RoleUser, Content: text})
		case m.Role == llm.RoleAssistant && len(m.ToolCalls) > 0:
			// One object is one call; the results of the others follow.
			c := m.ToolCalls[0]
			out = append(out, llm.Message{Role: llm.RoleAssistant, Content: reply(c.Name, wire.Canonical(c.Arguments))})
		case m.Role == llm.RoleAssistant:
			m.Content = answer(m.Content)
			m.ReasoningDetails = nil
			out = append(out, m)
		default:
			out = append(out, m)
		}
	}
	if guide != "" {
		head := append([]llm.Message{{Role: llm.RoleSystem, Content: guide}}, workedExamples(r.Tools)...)
		out = append(head, out...)
	}
	return out
}

// Bounds of the worked examples.
const (
	maxWorkedTools = 6 // tools with examples
	perTool        = 2 // requests for each of them
	forOneTool     = 4 // requests when there is but one
)

// workedExamples are short exchanges in which a request becomes a call, and a
// result an answer. They carry the values that the tools' authors give as
// examples, so that a small model sees how the words of a request become
// arguments. Calls come last: the model leans towards what it saw last.
func workedExamples(tools []llm.ToolDef) []llm.Message {
	var out []llm.Message
	pair := func(ask, say string) {
		out = append(out, llm.Message{Role: llm.RoleUser, Content: ask}, llm.Message{Role: llm.RoleAssistant, Content: say})
	}
	requests := perTool
	if len(tools) == 1 {
		requests = forOneTool
	}
	for n := range requests {
		for i, t := range tools {
			if i == maxWorkedTools {
				break
			}
			args, values := example(wire.ParametersOf(t), n)
			pair(requestFor(t.Name, values, n), reply(t.Name, args))
			if n == 0 && i == 0 {
				pair(resultText(t.Name, "42"), answer("The result is 42."))
				pair("Hello!", answer("Hello! How can I help?"))
			}
		}
	}
	return out
}

// requestFor is the n-th way to ask in words for a call with values.
func requestFor(tool string, values []string, n int) string {
	words := strings.NewReplacer("_", " ", "-", " ").Replace(tool)
	said := strings.Join(values, " ")
	switch {
	case len(values) == 1 && n == 1:
		return "What is " + said + "?"
	case len(values) == 1 && n == 2:
		return said + " = ?"
	case n == 3:
		return strings.TrimSpace("Please " + words + " " + said + ".")
	}
	return strings.TrimSpace(words + " " + said)
}

func resultText(tool, text string) string { return fmt.Sprintf("Result of %s: %s", tool, text) }

func reply(tool, args string) string {
	return string(fmt.Appendf(wire.AppendString([]byte(`{"tool": `), tool), `, "arguments": %s}`, args))
}

func answer(text string) string {
	return string(append(wire.AppendString([]byte(`{"answer": `), strings.TrimSpace(text)), '}'))
}

// schemaGuide says what can be called.
func schemaGuide(tools []llm.ToolDef) string {
	var b strings.Builder
	b.WriteString("Answer with one JSON object. To use a tool: {\"tool\": NAME, \"arguments\": {...}}. When no tool is needed, or its result is there: {\"answer\": TEXT}.\nTools:\n")
	for _, t := range tools {
		line, _, _ := strings.Cut(strings.TrimSpace(wire.DescriptionOf(t)), "\n")
		fmt.Fprintf(&b, "- %s: %s\n", t.Name, line)
	}
	return strings.TrimSpace(b.String())
}

// example is the n-th example of arguments that fit a schema: its required
// parameters, with the author's own examples where there are any; and their
// values as one would say them.
func example(params json.RawMessage, n int) (args string, values []string) {
	var s struct {
		Properties map[string]property `json:"properties"`
		Required   []string            `json:"required"`
	}
	if json.Unmarshal(params, &s) != nil {
		return "{}", nil
	}
	b := []byte("{")
	for i, name := range s.Required {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = wire.AppendString(b, name)
		b = append(b, ": "...)
		v := s.Properties[name].example(name, n)
		b = append(b, v...)
		values = append(values, strings.Trim(v, `"`))
	}
	return string(append(b, '}')), values
}

type property struct {
	Type        any               `json:"type"`
	Enum        []json.RawMessage `json:"enum"`
	Examples    []json.RawMessage `json:"examples"`
	Example     json.RawMessage   `json:"example"`
	Description string            `json:"description"`
}

func (p property) example(name string, n int) string {
	nth := func(list []json.RawMessage) string { return string(list[n%len(list)]) }
	switch {
	case len(p.Examples) > 0:
		return nth(p.Examples)
	case len(p.Example) > 0:
		return string(p.Example)
	case len(p.Enum) > 0:
		return nth(p.Enum)
	}
	switch p.Type {
	case "integer", "number":
		return strconv.Itoa(5 + 7*n)
	case "boolean":
		return "true"
	case "array":
		return "[]"
	case "object":
		return "{}"
	}
	if list := quoted(p.Description); len(list) > 0 {
		return string(wire.AppendString(nil, list[n%len(list)]))
	}
	return string(wire.AppendString(nil, "some "+strings.ReplaceAll(name, "_", " ")))
}

// quoted are the examples that a description gives in quotes.
func quoted(s string) (out []string) {
	for _, q := range [...]string{"'", "`", "\"", "“"} {
		end := q
		if q == "“" {
			end = "”"
		}
		for rest := s; ; {
			_, after, ok := strings.Cut(rest, q)
			e, next, closed := strings.Cut(after, end)
			if !ok || !closed {
				break
			}
			if e != "" && len(e) <= 60 && !strings.Contains(e, "\n") {
				out = append(out, e)
			}
			rest = next
		}
		if out != nil {
			return out
		}
	}
	return nil
}
