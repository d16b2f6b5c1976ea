package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hermes/agent/llm"
	"hermes/agent/llm/internal/wire"
)

// Thinking budgets by effort, in tokens, for models that take one.
var budgets = map[string]int{
	"minimal": 1024, "low": 4096, "medium": 8192, "high": 16384, "xhigh": 24576, "max": 31999, "ultra": 31999,
}

// noText stands where the API wants a text and there is none.
const noText = "(empty)"

// encoder renders one body.
type encoder struct {
	c        *Client
	r        llm.Request
	left     map[string]bool // what the service refused
	thinking bool
}

// encode renders the body. Key order is fixed, for the prompt cache.
func (c *Client) encode(r llm.Request) []byte { return c.encoder(r).body() }

func (c *Client) encoder(r llm.Request) *encoder {
	if r.Effort == "" {
		r.Effort = c.cfg.ReasoningEffort
	}
	e := &encoder{c: c, r: r, left: c.left.All()}
	forced := r.ToolChoice != "" && r.ToolChoice != llm.ChoiceAuto && r.ToolChoice != llm.ChoiceNone
	// A forced call and thoughts exclude each other.
	e.thinking = r.Effort != "" && r.Effort != "none" && !e.left["thinking"] && !forced
	return e
}

func (e *encoder) body() []byte {
	b := append(make([]byte, 0, 64<<10), `{"model":`...)
	b = wire.AppendString(b, e.c.cfg.Model)
	marks := map[int]bool{}
	if !e.left["cache_control"] {
		marks = wire.CacheMarks(e.r.Messages)
	}
	b = e.appendSystem(b, marks)
	b = append(b, `,"messages":[`...)
	b = e.appendTurns(b, marks)
	b = append(b, ']')
	if len(e.r.Tools) > 0 && !e.left["tools"] {
		b = e.appendTools(b)
	}
	b = append(b, `,"max_tokens":`...)
	b = strconv.AppendInt(b, int64(e.cap()), 10)
	if !e.r.Plain && !e.left["stream"] {
		b = append(b, `,"stream":true`...)
	}
	for _, k := range slices.Sorted(maps.Keys(e.extras())) {
		v, err := json.Marshal(e.extras()[k])
		if err != nil {
			continue // configuration comes from YAML; what JSON cannot say is left out
		}
		b = append(b, ',')
		b = wire.AppendString(b, k)
		b = append(b, ':')
		b = append(b, v...)
	}
	return append(b, '}')
}

// cap is the limit on the answer, with room for the thoughts.
func (e *encoder) cap() int {
	n := e.r.MaxTokens
	if n <= 0 {
		n = e.c.cfg.MaxTokens
	}
	if e.thinking && !e.left[wire.Manual] && n <= e.budget() {
		n = e.budget() + 4096
	}
	return n
}

func (e *encoder) budget() int {
	if n, ok := budgets[e.r.Effort]; ok {
		return n
	}
	return budgets["medium"]
}

// extras are thinking and what the user adds.
func (e *encoder) extras() map[string]any {
	extra := map[string]any{}
	switch {
	case !e.thinking:
	case e.left[wire.Manual]: // newer models choose the budget themselves
		extra["thinking"] = map[string]any{"type": "adaptive"}
		extra["output_config"] = map[string]any{"effort": capped(e.r.Effort)}
	default:
		extra["thinking"] = map[string]any{"type": "enabled", "budget_tokens": e.budget()}
	}
	if e.r.Temperature != nil && !e.thinking { // beside thoughts only 1 is taken
		extra["temperature"] = *e.r.Temperature
	}
	for k, v := range e.c.cfg.ExtraBody {
		extra[k] = v
	}
	for k := range extra {
		if e.left[k] {
			delete(extra, k)
		}
	}
	return extra
}

func capped(effort string) string {
	switch effort {
	case "minimal":
		return "low"
	case "xhigh", "max", "ultra":
		return "high"
	}
	return effort
}

// carries lists what of a request the service can refuse by name.
func (c *Client) carries(r llm.Request) []string {
	e := c.encoder(r)
	names := []string{"stream", "cache_control"}
	if len(r.Tools) > 0 {
		names = append(names, "tools")
		if r.ToolChoice != "" {
			names = append(names, "tool_choice")
		}
	}
	if e.thinking && !e.left[wire.Manual] {
		names = append(names, wire.Manual)
	}
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			if p.Image != nil {
				names = append(names, wire.Images)
			}
		}
	}
	return append(names, slices.Sorted(maps.Keys(e.extras()))...)
}

func (e *encoder) appendSystem(b []byte, marks map[int]bool) []byte {
	first := true
	for i, m := range e.r.Messages {
		text := wire.Content(m.Content)
		if m.Role != llm.RoleSystem || text == "" {
			continue
		}
		if first {
			b = append(b, `,"system":[`...)
		} else {
			b = append(b, ',')
		}
		first = false
		b = append(b, `{"type":"text","text":`...)
		b = wire.AppendString(b, text)
		b = e.mark(b, marks[i])
		b = append(b, '}')
	}
	if first {
		return b
	}
	return append(b, ']')
}

func (e *encoder) mark(b []byte, mark bool) []byte {
	if !mark {
		return b
	}
	b = append(b, `,"cache_control":`...)
	return append(b, wire.CacheControl(e.c.cfg.CacheTTL)...)
}

func (e *encoder) appendTools(b []byte) []byte {
	b = append(b, `,"tools":[`...)
	for i, t := range e.r.Tools {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"name":`...)
		b = wire.AppendString(b, t.Name)
		b = append(b, `,"description":`...)
		b = wire.AppendString(b, wire.DescriptionOf(t))
		b = append(b, `,"input_schema":`...)
		b = append(b, wire.ParametersOf(t)...)
		b = append(b, '}')
	}
	b = append(b, ']')
	switch choice := e.r.ToolChoice; choice {
	case "":
		return b
	case llm.ChoiceAuto, llm.ChoiceNone:
		b = append(b, `,"tool_choice":{"type":`...)
		return append(wire.AppendString(b, choice), '}')
	case llm.ChoiceRequired:
		return append(b, `,"tool_choice":{"type":"any"}`...)
	default:
		b = append(b, `,"tool_choice":{"type":"tool","name":`...)
		return append(wire.AppendString(b, choice), '}')
	}
}

// appendTurns renders the messages as turns of user and assistant that
// alternate: tool results are the user's here.
func (e *encoder) appendTurns(b []byte, marks map[int]bool) []byte {
	var turns []turn
	for i, m := range e.r.Messages {
		role := "user"
		switch m.Role {
		case llm.RoleSystem:
			continue
		case llm.RoleAssistant:
			role = llm.RoleAssistant
		}
		blocks := e.blocks(m, marks[i])
		if len(blocks) == 0 {
			continue
		}
		if n := len(turns); n > 0 && turns[n-1].role == role {
			turns[n-1].blocks = append(turns[n-1].blocks, blocks...)
			continue
		}
		turns = append(turns, turn{role, blocks})
	}
	if len(turns) > 0 && turns[0].role != "user" {
		turns = append([]turn{{"user", [][]byte{textBlock(noText)}}}, turns...)
	}
	for i, t := range turns {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"role":`...)
		b = wire.AppendString(b, t.role)
		b = append(b, `,"content":[`...)
		for j, block := range t.blocks {
			if j > 0 {
				b = append(b, ',')
			}
			b = append(b, block...)
		}
		b = append(b, "]}"...)
	}
	return b
}

type turn struct {
	role   string
	blocks [][]byte
}

func textBlock(s string) []byte {
	return append(wire.AppendString([]byte(`{"type":"text","text":`), s), '}')
}

// blocks are the content blocks of a message; texts without anything are none,
// because the API refuses them.
func (e *encoder) blocks(m llm.Message, mark bool) [][]byte {
	var out [][]byte
	text := m.Content
	if m.APIContent != "" {
		text = m.APIContent
	}
	text = wire.Content(text)
	switch m.Role {
	case llm.RoleTool:
		out = append(out, e.result(m, text))
	case llm.RoleAssistant:
		if e.thinking {
			out = append(out, thoughts(m.ReasoningDetails)...)
		}
		if text != "" {
			out = append(out, textBlock(text))
		}
		for _, c := range m.ToolCalls {
			out = append(out, use(c))
		}
	default:
		if len(m.Parts) == 0 && text != "" {
			out = append(out, textBlock(text))
		}
		for _, p := range m.Parts {
			if p.Image == nil && wire.Content(p.Text) != "" {
				out = append(out, textBlock(wire.Content(p.Text)))
			} else if p.Image != nil && !e.left[wire.Images] {
				out = append(out, image(p.Image))
			}
		}
	}
	if n := len(out); n > 0 && mark && !strings.Contains(string(out[n-1][:min(len(out[n-1]), 40)]), `thinking"`) {
		last := out[n-1]
		out[n-1] = append(e.mark(last[:len(last)-1:len(last)-1], true), '}')
	}
	return out
}

func (e *encoder) result(m llm.Message, text string) []byte {
	b := append([]byte(nil), `{"type":"tool_result","tool_use_id":`...)
	b = wire.AppendString(b, cleanID(m.ToolCallID))
	var images [][]byte
	for _, p := range m.Parts {
		if p.Image != nil && !e.left[wire.Images] {
			images = append(images, image(p.Image))
		}
	}
	b = append(b, `,"content":`...)
	if len(images) == 0 {
		return append(wire.AppendString(b, text), '}')
	}
	b = append(b, '[')
	if text != "" {
		b = append(append(b, textBlock(text)...), ',')
	}
	for i, im := range images {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, im...)
	}
	return append(b, "]}"...)
}

func use(c llm.ToolCall) []byte {
	b := append([]byte(nil), `{"type":"tool_use","id":`...)
	b = wire.AppendString(b, cleanID(c.ID))
	b = append(b, `,"name":`...)
	b = wire.AppendString(b, c.Name)
	b = append(b, `,"input":`...)
	args := wire.Canonical(c.Arguments)
	if args[0] != '{' {
		args = "{}"
	}
	return append(append(b, args...), '}')
}

func image(m *llm.Image) []byte {
	if len(m.Data) == 0 {
		b := append([]byte(nil), `{"type":"image","source":{"type":"url","url":`...)
		return append(wire.AppendString(b, m.URL), "}}"...)
	}
	b := append([]byte(nil), `{"type":"image","source":{"type":"base64","media_type":`...)
	b = wire.AppendString(b, wire.MIME(m))
	b = append(b, `,"data":"`...)
	b = base64.StdEncoding.AppendEncode(b, m.Data)
	return append(b, `"}}`...)
}

// thoughts are the thinking blocks of an earlier answer, which the API wants
// back unchanged, signatures included.
func thoughts(details json.RawMessage) [][]byte {
	var list []json.RawMessage
	if len(details) == 0 || json.Unmarshal(details, &list) != nil {
		return nil
	}
	var out [][]byte
	for _, raw := range list {
		var head struct {
			Type      string `json:"type"`
			Signature string `json:"signature"`
			Data      string `json:"data"`
		}
		if json.Unmarshal(raw, &head) != nil {
			continue
		}
		if head.Type == "thinking" && head.Signature != "" || head.Type == "redacted_thinking" && head.Data != "" {
			out = append(out, raw)
		}
	}
	return out
}

// cleanID is an id in the letters that the API allows.
func cleanID(id string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, id)
	if clean == "" {
		return "_"
	}
	return clean
}
