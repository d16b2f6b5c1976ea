package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"hermes/agent/llm"
)

// checkCall is a second, independent reading of a schema: required parameters
// are there, nothing unknown is, types and enumerations hold.
func checkCall(defs []llm.ToolDef, k llm.ToolCall) error {
	for _, d := range defs {
		if d.Name != k.Name {
			continue
		}
		var s struct {
			Properties map[string]map[string]any `json:"properties"`
			Required   []string                  `json:"required"`
		}
		if err := json.Unmarshal(d.Parameters, &s); err != nil {
			return err
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(k.Arguments), &args); err != nil {
			return fmt.Errorf("arguments %q: %w", k.Arguments, err)
		}
		for _, r := range s.Required {
			if _, ok := args[r]; !ok {
				return fmt.Errorf("%s lacks %q: %s", k.Name, r, k.Arguments)
			}
		}
		for name, v := range args {
			p, ok := s.Properties[name]
			if !ok {
				return fmt.Errorf("%s has no parameter %q", k.Name, name)
			}
			if err := checkValue(p, v); err != nil {
				return fmt.Errorf("%s.%s: %w", k.Name, name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("no tool %q is offered", k.Name)
}

func checkValue(p map[string]any, v any) error {
	if enum, ok := p["enum"].([]any); ok {
		for _, e := range enum {
			if e == v {
				return nil
			}
		}
		return fmt.Errorf("%v is not in %v", v, enum)
	}
	ok := true
	switch p["type"] {
	case "string":
		_, ok = v.(string)
	case "number":
		_, ok = v.(float64)
	case "integer":
		f, isNum := v.(float64)
		ok = isNum && f == float64(int64(f))
	case "boolean":
		_, ok = v.(bool)
	case "array":
		_, ok = v.([]any)
	case "object":
		_, ok = v.(map[string]any)
	}
	if !ok {
		return fmt.Errorf("%v is no %v", v, p["type"])
	}
	return nil
}

// digitRuns returns the sequences of digits in s.
func digitRuns(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
}

// checkTurn plays a turn and checks what must hold for every prompt: each call
// keeps to its schema, the turn ends, and no number is in the answer that
// stands neither in the prompt, nor in a result, nor in the name of a tool.
func checkTurn(defs []llm.ToolDef, prompt, result string) error {
	msgs := []llm.Message{{Role: llm.RoleUser, Content: prompt}}
	source := prompt
	for _, d := range defs {
		source += " " + d.Name
	}
	for range maxSteps + 2 {
		resp, err := New(nil).Stream(context.Background(), llm.Request{Messages: msgs, Tools: defs}, nil)
		if err != nil {
			return err
		}
		if len(resp.Message.ToolCalls) == 0 {
			if resp.Message.Content == "" {
				return fmt.Errorf("%q: an empty answer", prompt)
			}
			for _, d := range digitRuns(resp.Message.Content) {
				if !strings.Contains(source, d) {
					return fmt.Errorf("%q: %s is in the answer only: %s", prompt, d, resp.Message.Content)
				}
			}
			return nil
		}
		msgs = append(msgs, resp.Message)
		for _, k := range resp.Message.ToolCalls {
			if err := checkCall(defs, k); err != nil {
				return fmt.Errorf("%q: %w", prompt, err)
			}
			source += " " + result
			msgs = append(msgs, llm.Message{Role: llm.RoleTool, ToolCallID: k.ID, Content: result})
		}
	}
	return fmt.Errorf("%q: the turn does not end", prompt)
}

// fragments are pieces that random prompts are made of.
var fragments = strings.Split(`2|16|1.5|-3|1,234|三|十二|三分之一|百分之五|two hundred| plus | times |+|*|/|-|^|**|(|)|%| percent of |!|sqrt(|square root of |的平方根|的 | 次方|平方|乘以|除以|加|减|和|的和
 km| miles| C| F|华氏度|摄氏度| TB| GB|公里|英里| in | to |多少|等于|转换为|how many |convert |what is |计算|请|帮我|weather in |天气|Paris|杭州|echo |说|"hi"|‘你好’|read |main.go|*.go|find files containing |搜索|包含|文件|todo|add |每天|元|天|总共| a day|for three days| total
?|？|。|. |, |，|；|
| and |另外|然后|use the |tool|工具|log base |以|为底|的对数|translate |into French|🙂|مرحبا|\u0000|\ufffd| {"a":1} |`+"`|```|'|\"|”", "|")

func TestEveryTurnKeepsTheRules(t *testing.T) {
	sets := [][]llm.ToolDef{
		nil,
		tools(t, "calculator_en", "toolbox", "builtin"),
		tools(t, "toolbox"),
		tools(t, "various", "german", "builtin"),
	}
	results := []string{"7", `{"result": 41}`, `{"error": "no 9"}`, "a = 3, b = 4", "", "計算 88", `{"output": "12 km", "result": 12}`}
	rapid.Check(t, func(r *rapid.T) {
		prompt := strings.Join(rapid.SliceOfN(rapid.SampledFrom(fragments), 0, 14).Draw(r, "prompt"), "")
		if rapid.Bool().Draw(r, "raw") {
			prompt += rapid.String().Draw(r, "tail")
		}
		if err := checkTurn(rapid.SampledFrom(sets).Draw(r, "tools"), prompt, rapid.SampledFrom(results).Draw(r, "result")); err != nil {
			r.Fatal(err)
		}
	})
}

// Random schemas for the same prompts: whatever is called, its schema holds.
func TestEverySchemaIsKept(t *testing.T) {
	words := []string{"expression", "value", "from_unit", "to_unit", "a", "b", "operation", "city", "query", "path", "text", "count", "flag", "id", "值", "式", "limit"}
	types := []string{`{"type":"string"}`, `{"type":"number"}`, `{"type":"integer","minimum":2}`, `{"type":"boolean"}`, `{"enum":["add","multiply","C","F"]}`, `{"type":"array","items":{"type":"string"}}`, `{"type":"string","maxLength":4}`, `{"type":"string","pattern":"^[a-z]+$"}`, `{"type":"object"}`, `{"type":["integer","null"]}`}
	names := []string{"calculator", "convert_units", "get_weather", "echo", "search", "add", "read_file", "算", "xyz", "todo"}
	prompts := []string{"What is 6*7?", "Convert 100 F to C", "weather in Paris", `say "hello there"`, "find files named x.go", "3 加 4", "read a.txt", "add milk to my todo list", "use the echo tool to say 5"}
	rapid.Check(t, func(r *rapid.T) {
		used := map[string]bool{}
		var props, req []string
		for range rapid.IntRange(0, 4).Draw(r, "params") {
			w := rapid.SampledFrom(words).Draw(r, "param")
			if used[w] {
				continue
			}
			used[w] = true
			props = append(props, fmt.Sprintf("%q:%s", w, rapid.SampledFrom(types).Draw(r, "type")))
			if rapid.Bool().Draw(r, "required") {
				req = append(req, w)
			}
		}
		def := tool(rapid.SampledFrom(names).Draw(r, "name"), rapid.SampledFrom([]string{"", "Calculator", "Convert units", "Weather of a city", "Repeat a text"}).Draw(r, "desc"), strings.Join(props, ","), req...)
		if err := checkTurn([]llm.ToolDef{def}, rapid.SampledFrom(prompts).Draw(r, "prompt"), "7"); err != nil {
			r.Fatalf("%s: %v", def.Parameters, err)
		}
	})
}

// A prompt of any length and script is answered, and without the work growing
// out of hand: none of these may take longer than the test's own limit.
func TestPathologicalPrompts(t *testing.T) {
	const mb = 1 << 20
	defs := tools(t, "calculator_en", "toolbox", "builtin", "various")
	for name, prompt := range map[string]string{
		"one word":           strings.Repeat("a", mb),
		"one number":         strings.Repeat("9", mb),
		"brackets":           strings.Repeat("(", mb),
		"nested":             strings.Repeat("(", 5000) + "1+1" + strings.Repeat(")", 5000),
		"endless sum":        strings.Repeat("1+", mb/2),
		"minus signs":        strings.Repeat("-", mb) + "1",
		"powers":             strings.Repeat("2**", 1000) + "2",
		"roots":              strings.Repeat("square root of ", mb/16) + "2",
		"apostrophes":        strings.Repeat("'a ", mb/3),
		"quotes":             strings.Repeat("\"", mb),
		"emoji":              strings.Repeat("👩‍👩‍👧🙂", mb/22),
		"right to left":      strings.Repeat("مرحبا 12 + 5 שלום ", mb/32),
		"Chinese":            strings.Repeat("三加四的平方根，", mb/24),
		"one character":      strings.Repeat("的", mb/3),
		"many questions":     strings.Repeat("what is 2+2?\n", mb/13),
		"many cities":        "weather in " + strings.Repeat("x, ", 5000),
		"a long text to say": "say " + strings.Repeat("x y ", mb/4),
		"conversions":        strings.Repeat("12 km to miles, ", mb/16),
		"not UTF-8":          strings.Repeat("\xff\xfe2+2\x80", 1000),
		"zero bytes":         strings.Repeat("\x00", mb),
		"combining marks":    "2" + strings.Repeat("\u0301", 100000) + "+2",
		"huge exponent":      "1e999999999 + 2",
		"fences":             strings.Repeat("```", mb/3),
	} {
		t.Run(name, func(t *testing.T) {
			done := make(chan error, 1)
			go func() { done <- checkTurn(defs, prompt, "ok") }()
			select {
			case err := <-done:
				if err != nil {
					t.Error(cut(err.Error(), 500))
				}
			case <-time.After(time.Minute):
				t.Fatal("no answer within a minute")
			}
		})
	}
}

func FuzzPrompt(f *testing.F) {
	for _, p := range fragments {
		f.Add(p, "7")
	}
	for _, p := range []string{"What's 2 to the power of 16?", "将 100 华氏度转换为摄氏度", "今天杭州天气怎么样？另外，三天，每天150元，总共？", "convert 5 kg to \xff", "say ‘x", "1.5万3千", "5!+3!", "十十十", "a and a half hours in min"} {
		f.Add(p, `{"result": 1}`)
	}
	defs := tools(f, "calculator_en", "toolbox", "builtin", "various", "german")
	f.Fuzz(func(t *testing.T, prompt, result string) {
		if err := checkTurn(defs, prompt, result); err != nil && !strings.Contains(err.Error(), "is in the answer only") {
			t.Error(err)
		}
	})
}

func FuzzSchema(f *testing.F) {
	for _, d := range tools(f, "calculator_en", "toolbox", "builtin", "various") {
		f.Add(d.Name, d.Description, string(d.Parameters), "3+4")
	}
	f.Fuzz(func(t *testing.T, name, desc, schema, prompt string) {
		defs := []llm.ToolDef{{Name: name, Description: desc, Parameters: json.RawMessage(schema)}}
		msgs := []llm.Message{{Role: llm.RoleUser, Content: prompt}}
		resp, err := New(nil).Stream(context.Background(), llm.Request{Messages: msgs, Tools: defs}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range resp.Message.ToolCalls {
			if k.Name != name || !json.Valid([]byte(k.Arguments)) {
				t.Errorf("%q %q", k.Name, k.Arguments)
			}
		}
	})
}

func FuzzResult(f *testing.F) {
	for _, s := range []string{`{"result": 1}`, "a = 3", "{", `{"error": {"message": "x"}}`, "```", "\x1b[2J"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, content string) {
		r := readResult(content)
		if n, ok := r.number(); ok && !strings.Contains(content, strings.TrimPrefix(n, "-")) {
			t.Errorf("%q is not in %q", n, content)
		}
		_ = quote(0, outcome{"tool", r, true})
	})
}
