package dialect

import (
	"encoding/json"
	"strings"
	"testing"

	"hermes/agent/llm"
)

var tools = []llm.ToolDef{
	{Name: "get_weather", Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},"zip":{"type":"string"}}}`)},
	{Name: "write-file", Schema: json.RawMessage(`{"name":"write-file","parameters":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}}}}`)},
}

const (
	paris = `get_weather {"city":"Paris"}`
	both  = `get_weather {"city":"Paris","days":2}`
)

var cases = []struct {
	name, in string
	text     string
	thought  string
	calls    string // name arguments; …
}{
	{name: "plain text", in: "a < b, [x], <b>bold</b>", text: "a < b, [x], <b>bold</b>"},
	{name: "Hermes", in: "Let me see.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\":\"Paris\"}}\n</tool_call>", text: "Let me see.\n", calls: paris},
	{name: "two blocks", in: `<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}</tool_call>` + "\n" + `<tool_call>{"name":"get_weather","arguments":{"city":"Rome"}}</tool_call>`, text: "\n", calls: paris + `; get_weather {"city":"Rome"}`},
	{name: "two objects in one block", in: `<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}` + "\n" + `{"name":"get_weather","arguments":{"city":"Rome"}}</tool_call>`, calls: paris + `; get_weather {"city":"Rome"}`},
	{name: "the end mark is missing", in: `<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}`, calls: paris},
	{name: "arguments as text", in: `<tool_call>{"name":"get_weather","arguments":"{\"city\":\"Paris\"}"}</tool_call>`, calls: paris},
	{name: "parameters, fenced", in: "<tool_call>\n```json\n{\"name\":\"get_weather\",\"parameters\":{\"city\":\"Paris\"}}\n```\n</tool_call>", calls: paris},
	{name: "Python literals", in: `<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Paris'}}</tool_call>`, calls: `get_weather {"city": "Paris"}`},
	{name: "the end mark inside a value", in: `<tool_call>{"name":"write-file","arguments":{"path":"a","content":"x</tool_call>y"}}</tool_call> done`, text: " done", calls: `write-file {"path":"a","content":"x</tool_call>y"}`},
	{name: "other case", in: `<tool_call>{"name":"Get_Weather","arguments":{"city":"Paris"}}</tool_call>`, calls: paris},
	{name: "a tool that was not offered", in: `<tool_call>{"name":"launch","arguments":{}}</tool_call>`, text: `<tool_call>{"name":"launch","arguments":{}}</tool_call>`},
	{name: "talk about a marker", in: "the <tool_call> tag opens a call", text: "the <tool_call> tag opens a call"},
	{name: "inside a fence", in: "```\n<tool_call>{\"name\":\"get_weather\",\"arguments\":{}}</tool_call>\n```\n", text: "```\n<tool_call>{\"name\":\"get_weather\",\"arguments\":{}}</tool_call>\n```\n"},
	{name: "inside backticks", in: "use `<tool_call>{\"name\":\"get_weather\"}</tool_call>` so", text: "use `<tool_call>{\"name\":\"get_weather\"}</tool_call>` so"},
	{name: "fenced JSON", in: "```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n```", text: "```json\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n```"},
	{name: "cut in the arguments", in: `<tool_call>{"name":"get_weather","arguments":{"city":"Par`, calls: `get_weather {"city":"Par`},
	{name: "cut before the name", in: `<tool_call>{"na`, text: `<tool_call>{"na`},
	{name: "Qwen Coder", in: "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>", calls: both},
	{name: "Qwen Coder without wrapper", in: "<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>", text: "\n", calls: paris},
	{name: "a number that the schema wants as text", in: "<function=get_weather><parameter=zip>01234</parameter></function>", calls: `get_weather {"zip":"01234"}`},
	{name: "tags inside a value", in: "<function=write-file><parameter=path>a.xml</parameter><parameter=content>\n<a></parameter></a>\n\n</parameter></function>", calls: `write-file {"path":"a.xml","content":"\u003ca\u003e\u003c/parameter\u003e\u003c/a\u003e\n"}`},
	{name: "Llama 3.1", in: `<function=get_weather>{"city":"Paris"}</function>`, calls: paris},
	{name: "cut in a parameter", in: "<function=write-file><parameter=path>a</parameter><parameter=content>half of", calls: `write-file {"path":"a","content":"half of`},
	{name: "DSML", in: "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>", calls: both},
	{name: "DSML with narrow bars", in: "ok <|DSML|tool_calls><|DSML|invoke name=\"get_weather\"><|DSML|parameter name=\"city\" string=\"true\">Paris</|DSML|parameter></|DSML|invoke></|DSML|tool_calls>", text: "ok ", calls: paris},
	{name: "DSML with double bars", in: "<｜｜DSML｜｜tool_calls>\n<｜｜DSML｜｜invoke name=\"get_weather\">\n<｜｜DSML｜｜parameter name=\"city\" string=\"true\">Paris</｜｜DSML｜｜parameter>\n</｜｜DSML｜｜invoke>\n</｜｜DSML｜｜tool_calls>", calls: paris},
	{name: "DSML without wrapper", in: "<｜DSML｜invoke name=\"get_weather\"><｜DSML｜parameter name=\"city\" string=\"true\">Paris</｜DSML｜parameter></｜DSML｜invoke>", calls: paris},
	{name: "DeepSeek V3", in: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\":\"Paris\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>", calls: paris},
	{name: "DeepSeek V3.1", in: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\":\"Paris\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", calls: paris + "; get_weather {}"},
	{name: "Mistral", in: `[TOOL_CALLS][{"name": "get_weather", "arguments": {"city":"Paris"}}]`, calls: paris},
	{name: "newer Mistral", in: `[TOOL_CALLS]get_weather[ARGS]{"city":"Paris"}[TOOL_CALLS]get_weather[CALL_ID]123456789[ARGS]{}`, calls: paris + "; get_weather {}"},
	{name: "Llama 3, JSON", in: `<|python_tag|>{"name": "get_weather", "parameters": {"city":"Paris"}}<|eom_id|>`, calls: paris},
	{name: "Llama 3, Python", in: `<|python_tag|>get_weather.call(city="Paris", days=2)`, calls: `get_weather {"city":"Paris","days":2}`},
	{name: "LFM2", in: `<|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>`, calls: paris},
	{name: "Kimi", in: "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{\"city\":\"Paris\"}<|tool_call_end|><|tool_calls_section_end|>", calls: paris},
	{name: "GLM", in: "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>", calls: both},
	{name: "MiniMax", in: "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n</invoke>\n</minimax:tool_call>", calls: paris},
	{name: "imitated Claude", in: "<function_calls>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n</invoke>\n</function_calls>", calls: paris},
	{name: "Seed", in: "<seed:tool_call><function=get_weather><parameter=city>Paris</parameter></function></seed:tool_call>", calls: paris},
	{name: "Hunyuan", in: "<tool_calls>\n<tool_call>get_weather\n```json\n{\"city\":\"Paris\"}\n```\n</tool_call>\n</tool_calls>", calls: paris},
	{name: "Granite", in: `<|tool_call|>[{"name": "get_weather", "arguments": {"city":"Paris"}}]`, calls: paris},
	{name: "Command R", in: "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"get_weather\", \"parameters\": {\"city\":\"Paris\"}}]<|END_ACTION|>", calls: paris},
	{name: "Nemotron", in: `<TOOLCALL>[{"name": "get_weather", "arguments": {"city":"Paris"}}]</TOOLCALL>`, calls: paris},
	{name: "harmony", in: "<|channel|>analysis<|message|>I must look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"Paris\"}<|call|>", thought: "I must look.", calls: paris},
	{name: "harmony, final", in: "<|channel|>analysis<|message|>Easy.<|end|><|start|>assistant<|channel|>final<|message|>It is <b>4</b>.<|return|>", thought: "Easy.", text: "It is <b>4</b>."},
	{name: "tokens at the end", in: "done<|im_end|>", text: "done"},
}

func show(calls []Call) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name+" "+c.Arguments)
	}
	return strings.Join(out, "; ")
}

func TestDialects(t *testing.T) {
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			text, thought, calls := Parse(tc.in, NewOffer(tools))
			if text != tc.text || thought != tc.thought || show(calls) != tc.calls {
				t.Errorf("text %q, thought %q, calls %s\nwant %q, %q, %s", text, thought, show(calls), tc.text, tc.thought, tc.calls)
			}
			// However it is cut, the same comes out, and nothing is shown that
			// is taken back.
			for _, size := range []int{1, 2, 3, 7} {
				var shown, thoughts strings.Builder
				f := New(NewOffer(tools))
				for rest := tc.in; rest != ""; {
					n := min(size, len(rest))
					a, b := f.Push(rest[:n])
					shown.WriteString(a)
					thoughts.WriteString(b)
					rest = rest[n:]
				}
				a, b := f.Close()
				shown.WriteString(a)
				thoughts.WriteString(b)
				if shown.String() != tc.text || thoughts.String() != tc.thought || show(f.Calls()) != tc.calls {
					t.Errorf("in pieces of %d: text %q, thought %q, calls %s", size, shown.String(), thoughts.String(), show(f.Calls()))
				}
			}
		})
	}
}

func TestNothingWithoutTools(t *testing.T) {
	in := `<tool_call>{"name":"get_weather","arguments":{}}</tool_call>`
	if text, _, calls := Parse(in, NewOffer(nil)); text != in || calls != nil {
		t.Errorf("%q, %v", text, calls)
	}
}

// Whatever a model writes, reading it ends, only offered tools are called, and
// what is shown does not depend on how the answer was cut into pieces.
func FuzzFilter(f *testing.F) {
	for _, tc := range cases {
		f.Add(tc.in, 3)
	}
	f.Fuzz(func(t *testing.T, in string, size int) {
		if size < 1 || size > 64 {
			size = 1
		}
		o := NewOffer(tools)
		text, thought, calls := Parse(in, o)
		for _, c := range calls {
			if _, ok := o.find(c.Name); !ok {
				t.Fatalf("%q was not offered", c.Name)
			}
		}
		flt := New(o)
		var shown, thoughts strings.Builder
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			a, b := flt.Push(rest[:n])
			shown.WriteString(a)
			thoughts.WriteString(b)
			rest = rest[n:]
		}
		a, b := flt.Close()
		shown.WriteString(a)
		thoughts.WriteString(b)
		if shown.String() != text || thoughts.String() != thought || show(flt.Calls()) != show(calls) {
			t.Fatalf("whole: %q %q %s\npieces: %q %q %s", text, thought, show(calls), shown.String(), thoughts.String(), show(flt.Calls()))
		}
	})
}
