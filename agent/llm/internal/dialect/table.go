package dialect

import "strings"

// marker is the opening of a block: what ends it and how it is read. An empty
// end means that only the end of the answer does.
type marker struct {
	open, end string
	// name is the dialect as the card shows it.
	name string
	read reader
	// keep is what of the opening belongs to the body.
	keep string
	// xml bodies begin with a tag or a name, others with JSON.
	starts string
}

// reader takes the calls out of a block's body. done says that nothing of the
// body is missing.
type reader func(body string, o *Offer) (calls []Call, done bool)

// Bytes with which a body can begin; letters stand for a tool's name.
const (
	startJSON = "{[`\"'"
	startAny  = "{[`\"'<abc"
	startName = "abc"
	startTag  = "<"
)

// markers is the table of dialects. Sources are the chat templates that the
// models are published with.
var markers = buildMarkers()

func buildMarkers() []marker {
	ms := []marker{
		// Hermes, Qwen 2.5 and 3 (JSON), Qwen Coder (<function=…>), GLM (<arg_key>), Hunyuan (name, fence).
		{open: "<tool_call>", end: "</tool_call>", name: "<tool_call>", read: readToolCall, starts: startAny},
		{open: "<tool_calls>", end: "</tool_calls>", name: "<tool_calls>", read: readToolCall, starts: startAny},
		{open: "<longcat_tool_call>", end: "</longcat_tool_call>", name: "<longcat_tool_call>", read: readToolCall, starts: startAny},
		{open: "<seed:tool_call>", end: "</seed:tool_call>", name: "<seed:tool_call>", read: readToolCall, starts: startAny},
		{open: "<function_call>", end: "</function_call>", name: "<function_call>", read: readJSON, starts: startJSON},
		{open: "<functioncall>", end: "</functioncall>", name: "<functioncall>", read: readJSON, starts: startJSON},
		{open: "<TOOLCALL>", end: "</TOOLCALL>", name: "<TOOLCALL>", read: readJSON, starts: startJSON}, // Nemotron
		// Llama 3.1 (JSON inside) and Qwen Coder without its wrapper.
		{open: "<function=", end: "</function>", name: "<function=…>", read: readFunctions, keep: "<function=", starts: startName},
		// MiniMax M2, and what imitates Claude.
		{open: "<minimax:tool_call>", end: "</minimax:tool_call>", name: "<minimax:tool_call>", read: readInvokes, starts: startTag},
		{open: "<function_calls>", end: "</function_calls>", name: "<function_calls>", read: readInvokesOrJSON, starts: startAny},
		{open: "<invoke name=", end: "</invoke>", name: "<invoke>", read: readInvokes, keep: "<invoke name=", starts: "\""},
		// Mistral.
		{open: "[TOOL_CALLS]", name: "[TOOL_CALLS]", read: readMistral, starts: startAny},
		// Llama 3.x.
		{open: "<|python_tag|>", name: "<|python_tag|>", read: readPython, starts: startAny},
		// Granite and Phi 4; Command R; InternLM; LFM2.
		{open: "<|tool_call|>", end: "<|/tool_call|>", name: "<|tool_call|>", read: readJSON, starts: startJSON},
		{open: "<|START_ACTION|>", end: "<|END_ACTION|>", name: "<|START_ACTION|>", read: readJSON, starts: startJSON},
		{open: "<|action_start|><|plugin|>", end: "<|action_end|>", name: "<|action_start|>", read: readJSON, starts: startJSON},
		{open: "<|action_start|> <|plugin|>", end: "<|action_end|>", name: "<|action_start|>", read: readJSON, starts: startJSON},
		{open: "<|tool_call_start|>", end: "<|tool_call_end|>", name: "<|tool_call_start|>", read: readPython, starts: startAny},
		// Kimi K2.
		{open: "<|tool_calls_section_begin|>", end: "<|tool_calls_section_end|>", name: "<|tool_calls_section_begin|>", read: readKimi, starts: startTag},
		{open: "<|tool_call_section_begin|>", end: "<|tool_call_section_end|>", name: "<|tool_calls_section_begin|>", read: readKimi, starts: startTag},
		{open: "<|tool_call_begin|>", end: "<|tool_call_end|>", name: "<|tool_call_begin|>", read: readKimi, keep: "<|tool_call_begin|>", starts: startName},
		// DeepSeek V3, R1, V3.1.
		{open: "<｜tool▁calls▁begin｜>", end: "<｜tool▁calls▁end｜>", name: "<｜tool▁calls▁begin｜>", read: readDeepSeek, starts: startTag},
		{open: "<｜tool▁call▁begin｜>", end: "<｜tool▁call▁end｜>", name: "<｜tool▁call▁begin｜>", read: readDeepSeek, keep: "<｜tool▁call▁begin｜>", starts: startName},
	}
	// DeepSeek V3.2 and V4; the bars come wide or narrow, single or double.
	for _, bar := range []string{"｜", "|", "｜｜", "||"} {
		for _, tag := range []string{"function_calls", "tool_calls"} {
			t := bar + "DSML" + bar + tag
			ms = append(ms, marker{open: "<" + t + ">", end: "</" + t + ">", name: "DSML", read: readInvokes, starts: startTag})
		}
		t := bar + "DSML" + bar + "invoke"
		ms = append(ms, marker{open: "<" + t + " name=", end: "</" + t + ">", name: "DSML", read: readInvokes, keep: "<invoke name=", starts: "\""})
	}
	return ms
}

// noise are tokens that end an answer or a block and mean nothing to a user.
var noise = []string{
	"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|end_of_text|>", "<｜end▁of▁sentence｜>",
	"</tool_call>", "</tool_calls>", "</function_calls>",
}

// match says what s, which begins with '<' or '[', begins with: a marker, a
// token of noise (its length), or perhaps one of them when more arrives.
func match(s string) (m *marker, skip int, perhaps bool) {
	for i := range markers {
		open := markers[i].open
		switch {
		case strings.HasPrefix(s, open):
			if m == nil || len(open) > len(m.open) {
				m = &markers[i]
			}
		case strings.HasPrefix(open, s):
			perhaps = true
		}
	}
	if m != nil {
		return m, 0, false
	}
	for _, n := range noise {
		switch {
		case strings.HasPrefix(s, n):
			return nil, len(n), false
		case strings.HasPrefix(n, s):
			perhaps = true
		}
	}
	for _, h := range []string{tokChannel, tokStart, tokMessage} {
		if strings.HasPrefix(h, s) && s != h {
			perhaps = true
		}
	}
	return nil, 0, perhaps
}
