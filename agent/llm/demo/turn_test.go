package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"hermes/agent/llm"
	"hermes/agent/locale"
)

// A calculator that answers 41 to 6*7: 41 is what the user reads.
func TestTheAnswerQuotesTheTool(t *testing.T) {
	for _, prompt := range []string{"What is 6*7?", "6 乘以 7 是多少？"} {
		_, answer := conversation(t, tools(t, "calculator_en", "builtin"), prompt, func(llm.ToolCall) string { return `{"expression": "6*7", "result": 41}` })
		if !strings.Contains(answer, "`41`") || strings.Contains(answer, "42") {
			t.Errorf("%q: %s", prompt, answer)
		}
	}
}

// Without a tool for it the number does not appear.
func TestNothingIsWorkedOut(t *testing.T) {
	for prompt, result := range map[string]string{
		"What's 2 to the power of 16?":          "65536",
		"2 的 16 次方是多少？":                         "65536",
		"Convert 100 fahrenheit to celsius":     "37.7778",
		"What's the square root of 2 times pi?": "2.506",
		"How many gigabytes is 1.5 terabytes?":  "1536",
		"1.5 TB 是多少 GB？":                        "1536",
		"6*7":                                   "42",
	} {
		for _, set := range [][]string{{}, {"builtin"}} {
			got, answer := conversation(t, tools(t, set...), prompt, quiet)
			if len(got) > 0 {
				t.Errorf("%q called %v", prompt, got)
			}
			if strings.Contains(answer, result) {
				t.Errorf("%q: %s", prompt, answer)
			}
			if !strings.Contains(answer, "config.yaml") || !strings.Contains(answer, "DEEPSEEK_API_KEY") {
				t.Errorf("%q does not say how to connect a model: %s", prompt, answer)
			}
		}
	}
}

func TestResultsAreQuotedReadably(t *testing.T) {
	defs := tools(t, "calculator_en", "toolbox", "builtin")
	for _, tc := range []struct{ name, prompt, result, want string }{
		{
			"json with a main field", "2+3", `{"expression": "2+3", "result": 5.0}`,
			"**Demo model** · `calculate` answered `5.0`.\n\nThe whole result:\n\n```json\n{\"expression\": \"2+3\", \"result\": 5.0}\n```",
		},
		{
			"the fuller of two fields", "100 F to C", `{"input": "100 F", "result": 37.7778, "output": "37.7778 C"}`,
			"`unit_convert` answered `37.7778 C`.",
		},
		{"output that lacks the result", "2+3", `{"result": 5, "output": "ok"}`, "`calculate` answered `5`."},
		{"escaped characters", "2+3", `{"result": 5, "note": "\u4f60\u597d", "x": 1.50}`, "{\"result\": 5, \"note\": \"你好\", \"x\": 1.50}"},
		{"numbers as written", "2+3", `{"result": 1.50e+10}`, "answered `1.50e+10`."},
		{"plain text", "echo hi", "Echo: hi", "**Demo model** · `echo` answered `Echo: hi`."},
		{"Chinese text", "请让回声工具说一句‘你好’", "Echo: 你好", "**演示模型** · `echo` 返回了 `Echo: 你好`。"},
		{"several lines", "weather in Rome", "Rome:\n- sunny\n- 20°C", "`get_current_weather` answered:\n\n```\nRome:\n- sunny\n- 20°C\n```"},
		{"json without a main field", "search for x in src/", `{"matches": [1]}`, "`search_files` answered:\n\n```json\n{\"matches\": [1]}\n```"},
		{"json with text behind it", "100 F to C", "{\"result\": 37.7778}\n(checked)", "`unit_convert` answered `37.7778`."},
		{"an error field", "1/0", `{"expression": "1/0", "error": "Division by zero"}`, "`calculate` reported an error: `Division by zero`."},
		{"a blocked call", "1/0", `{"error": "No underscores, please."}`, "`calculate` reported an error: `No underscores, please.`"},
		{"an error in Chinese", "9 除以 0", `{"error": "错误：除数不能为零。"}`, "`calculate` 报告了错误：`错误：除数不能为零。`"},
		{"a tool that is gone", "2+3", "Tool 'calculate' does not exist. Available tools: echo", "`calculate` reported an error: `Tool 'calculate' does not exist. Available tools: echo`"},
		{"success false", "2+3", `{"success": false, "message": "no"}`, "`calculate` reported an error: `no`"},
		{"an error that is null", "2+3", `{"error": null, "result": 5}`, "answered `5`."},
		{"nothing", "2+3", "", "`calculate` answered with an empty text."},
		{"ticks", "echo hi", "a ``` b", "```` a ``` b ````"},
		{"control characters", "read a.txt", "one\x1b[31m\ntwo\x07", "```\none[31m\ntwo\n```"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, answer := conversation(t, defs, tc.prompt, func(llm.ToolCall) string { return tc.result })
			if !strings.Contains(answer, tc.want) {
				t.Errorf("got  %s\nwant %s", answer, tc.want)
			}
		})
	}
}

func TestLongResultsAreShortened(t *testing.T) {
	for _, result := range []string{strings.Repeat("line\n", 5000), strings.Repeat("x", 5<<20), `{"content": "` + strings.Repeat("y", 2<<20) + `"}`, strings.Repeat("字", 1<<20), strings.Repeat("[", 1<<20)} {
		_, answer := conversation(t, tools(t, "builtin"), "read big.log", func(llm.ToolCall) string { return result })
		if len(answer) > 3*maxQuoted || !strings.Contains(answer, "shortened") {
			t.Errorf("%d bytes: %.200s", len(answer), answer)
		}
	}
}

// Of several tools that fit: the one whose required parameters the prompt
// fills, then the one with fewer others, then the first by name.
func TestWhichToolOfSeveral(t *testing.T) {
	expr := `"expression":{"type":"string"}`
	for _, tc := range []struct {
		name  string
		defs  []llm.ToolDef
		tool  string
		other string
	}{
		{
			"fewer other parameters", []llm.ToolDef{
				tool("a_calc", "Calculator", expr+`,"precision":{"type":"integer"}`, "expression"),
				tool("b_calc", "Calculator", expr, "expression"),
			}, "b_calc", "a_calc",
		},
		{
			"then by name", []llm.ToolDef{
				tool("b_calc", "Calculator", expr, "expression"),
				tool("a_calc", "Calculator", expr, "expression"),
			}, "a_calc", "b_calc",
		},
		{
			"required parameters first", []llm.ToolDef{
				tool("a_calc", "Calculator", expr+`,"user_id":{"type":"string"}`, "expression", "user_id"),
				tool("z_calc", "Calculator", expr+`,"precision":{"type":"integer"}`, "expression"),
			}, "z_calc", "",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, answer := conversation(t, tc.defs, "What is 6*7?", quiet)
			if len(got) != 1 || !strings.HasPrefix(got[0], tc.tool+" ") {
				t.Fatalf("called %v, want %s", got, tc.tool)
			}
			if tc.other != "" && !strings.Contains(answer, "Also fitting: `"+tc.other+"`") {
				t.Errorf("the other tool is not named: %s", answer)
			}
			if tc.other == "" && strings.Contains(answer, "Also") {
				t.Errorf("a tool that does not fit is named: %s", answer)
			}
		})
	}
}

// A calculator for two numbers at a time works through a longer sum, each call
// made of what the last one answered, right or wrong.
func TestSumInSeveralCalls(t *testing.T) {
	script := []string{"计算结果：3.0 + 4.0 = 7.5", `{"result": 37}`, "43"}
	n := 0
	got, answer := conversation(t, tools(t, "toolbox"), "What is (3+4)*5 + 6?", func(llm.ToolCall) string { n++; return script[n-1] })
	want := []string{
		`calculator {"operation": "add", "a": 3, "b": 4}`,
		`calculator {"operation": "multiply", "a": 7.5, "b": 5}`,
		`calculator {"operation": "add", "a": 37, "b": 6}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %v", got)
	}
	if !strings.Contains(answer, "`43`") {
		t.Errorf("%s", answer)
	}
}

func TestSumInSeveralCallsEndsWithoutANumber(t *testing.T) {
	for _, result := range []string{"no idea", "between 3 and 9", `{"error": "x 7"}`, `{"result": "many"}`, "", `{"result": [7]}`} {
		got, answer := conversation(t, tools(t, "toolbox"), "(3+4)*5", func(llm.ToolCall) string { return result })
		if len(got) != 1 {
			t.Errorf("%q led to %v", result, got)
		}
		if result == "no idea" && !strings.Contains(answer, "I stop here") {
			t.Errorf("%q: %s", result, answer)
		}
	}
}

func TestSumNoToolCanTake(t *testing.T) {
	for _, prompt := range []string{"sqrt(2*pi)", "2**16", "17 mod 5"} {
		got, answer := conversation(t, tools(t, "toolbox"), prompt, quiet)
		if len(got) > 0 || !strings.Contains(answer, "I do not calculate") {
			t.Errorf("%q: %v %s", prompt, got, answer)
		}
	}
}

func TestEarlierTurnsDoNotMatter(t *testing.T) {
	msgs := []llm.Message{
		{Role: llm.RoleSystem, Content: "You are a helpful assistant. What is 9*9?"},
		{Role: llm.RoleUser, Content: "What is 6*7?"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "calculate", Arguments: `{"expression":"6*7"}`}}},
		{Role: llm.RoleTool, ToolCallID: "x", Name: "calculate", Content: `{"result": 41}`},
		{Role: llm.RoleAssistant, Content: "41"},
		{Role: llm.RoleUser, Content: "3+4", APIContent: "3+4\n\nRecalled: the user likes 5*5 and Paris weather"},
	}
	resp, err := New(english).Stream(context.Background(), llm.Request{Messages: msgs, Tools: tools(t, "calculator_en", "toolbox")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Message.ToolCalls) != 1 || resp.Message.ToolCalls[0].Arguments != `{"expression": "3+4"}` {
		t.Errorf("%+v", resp.Message.ToolCalls)
	}
	if resp.FinishReason != "tool_calls" || resp.Message.Role != llm.RoleAssistant {
		t.Errorf("%+v", resp)
	}
}

// Rounds that the plan does not know (a tool came or went meanwhile) end the
// turn; it is never asked for the same thing again.
func TestTurnEndsWhenToolsChange(t *testing.T) {
	msgs := []llm.Message{
		{Role: llm.RoleUser, Content: "What is 6*7?"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "gone", Arguments: `{}`}}},
		{Role: llm.RoleTool, ToolCallID: "x", Content: "Tool 'gone' does not exist. Available tools: calculate"},
	}
	for _, defs := range [][]llm.ToolDef{nil, tools(t, "calculator_en")} {
		resp, err := New(english).Stream(context.Background(), llm.Request{Messages: msgs, Tools: defs}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Message.ToolCalls) > 0 || !strings.Contains(resp.Message.Content, "`gone` reported an error") {
			t.Errorf("%+v", resp.Message)
		}
	}
}

// What the program itself writes to the model (a last word when the budget is
// used up) is no new request.
func TestNotesOfTheProgramAreNoPrompts(t *testing.T) {
	msgs := []llm.Message{
		{Role: llm.RoleUser, Content: "What is 6*7?"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "calculate", Arguments: `{"expression": "6*7"}`}}},
		{Role: llm.RoleTool, ToolCallID: "x", Content: `{"result": 41}`},
		{Role: llm.RoleUser, Content: "Summarise in 3 + 4 words.", Synthetic: true},
	}
	for _, defs := range [][]llm.ToolDef{nil, tools(t, "calculator_en")} {
		resp, err := New(english).Stream(context.Background(), llm.Request{Messages: msgs, Tools: defs}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Message.ToolCalls) > 0 || !strings.Contains(resp.Message.Content, "`41`") || strings.Contains(resp.Message.Content, "do not calculate") {
			t.Errorf("%+v", resp.Message)
		}
	}
}

func TestSchemaOfTheWholeFunction(t *testing.T) {
	def := llm.ToolDef{Name: "calc", Description: "Calculator", Schema: json.RawMessage(`{"name": "calc", "parameters": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}}`)}
	if got := calls(t, []llm.ToolDef{def}, "6*7"); got != `calc {"expression": "6*7"}` {
		t.Error(got)
	}
}

func TestCallWithoutResult(t *testing.T) {
	msgs := []llm.Message{
		{Role: llm.RoleUser, Content: "What is 6*7?"},
		{Role: llm.RoleAssistant, ToolCalls: []llm.ToolCall{{ID: "x", Name: "calculate", Arguments: `{}`}}},
	}
	resp, err := New(english).Stream(context.Background(), llm.Request{Messages: msgs, Tools: tools(t, "calculator_en")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.Message.ToolCalls) > 0 || !strings.Contains(resp.Message.Content, "gave no result") {
		t.Errorf("%+v", resp.Message)
	}
}

func TestCallIDsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	_, _ = conversation(t, tools(t, "toolbox"), "weather in Rome and what is (1+2)*3", func(k llm.ToolCall) string {
		if seen[k.ID] {
			t.Errorf("id %s twice", k.ID)
		}
		seen[k.ID] = true
		return "7"
	})
	if len(seen) != 3 {
		t.Errorf("%d calls, want 3", len(seen))
	}
}

func TestLanguageOfTheAnswer(t *testing.T) {
	zh := func() locale.Lang { return locale.ZH }
	for _, tc := range []struct {
		prompt string
		lang   func() locale.Lang
		want   string
	}{
		{"hello", zh, "**Demo model**"},
		{"你好", english, "**演示模型**"},
		{"6*7", english, "**Demo model**"},
		{"6*7", zh, "**演示模型**"},
		{"🙂", zh, "**演示模型**"},
		{"1.5 TB 是多少 GB？", english, "**演示模型**"},
		{"Translate 你好 for me", zh, "**Demo model**"},
		{"今日は", english, "**Demo model**"},
		{"", zh, "**演示模型**"},
		{"Was ist das?", zh, "**Demo model**"},
	} {
		resp, err := New(tc.lang).Stream(context.Background(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: tc.prompt}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(resp.Message.Content, tc.want) {
			t.Errorf("%q: %.60s", tc.prompt, resp.Message.Content)
		}
	}
}

func TestMissingParameterIsNamed(t *testing.T) {
	_, answer := conversation(t, tools(t, "toolbox"), "What's the weather like?", quiet)
	if !strings.Contains(answer, "`get_current_weather`") || !strings.Contains(answer, "`city`") {
		t.Errorf("%s", answer)
	}
}

func TestPartsWithoutAToolAreSaid(t *testing.T) {
	got, answer := conversation(t, tools(t, "toolbox"), "What's the weather in Rome? And what is 2**3? Who wrote Faust?", quiet)
	if len(got) != 1 {
		t.Errorf("%v", got)
	}
	for _, want := range []string{"`get_current_weather` answered `done`", "I do not calculate", "Who wrote Faust?"} {
		if !strings.Contains(answer, want) {
			t.Errorf("no %q in %s", want, answer)
		}
	}
}

func TestStreaming(t *testing.T) {
	var deltas []string
	_, err := New(english).Stream(context.Background(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}, func(d llm.Delta) {
		deltas = append(deltas, d.Text)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(deltas) < 30 {
		t.Errorf("%d deltas", len(deltas))
	}
	for _, d := range deltas {
		if len(strings.Fields(d)) > 1 {
			t.Errorf("more than a word at once: %q", d)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err := New(english).Stream(ctx, llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "hello"}}}, func(llm.Delta) {
		if n++; n == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("%v after %d deltas", err, n)
	}
	if _, err := New(nil).Stream(ctx, llm.Request{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestInfo(t *testing.T) {
	i := New(nil).Info()
	if i.Provider != "demo" || i.Model != "demo" || !i.Demo {
		t.Errorf("%+v", i)
	}
}

func TestNoMessages(t *testing.T) {
	resp, err := New(nil).Stream(context.Background(), llm.Request{}, nil)
	if err != nil || !strings.Contains(resp.Message.Content, "No tools are offered") {
		t.Errorf("%v %+v", err, resp)
	}
}

// A schema that cannot be read takes its tool out of reach, nothing else.
func TestBrokenSchemas(t *testing.T) {
	for _, raw := range []string{``, `null`, `[]`, `"x"`, `{`, `{"type":"object","properties":{"expression":7},"required":"expression"}`, `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/a"}}}`, strings.Repeat(`{"properties":{"a":`, 200) + `{}` + strings.Repeat(`}}`, 200)} {
		defs := append(tools(t, "calculator_en"), llm.ToolDef{Name: "aaa_calc", Description: "Calculator", Parameters: json.RawMessage(raw)})
		got := calls(t, defs, "What is 6*7?")
		if !strings.Contains(got, `calculate {"expression": "6*7"}`) && !strings.Contains(got, "aaa_calc") {
			t.Errorf("%.60s: %q", raw, got)
		}
	}
}

func ExampleClient() {
	c := New(nil)
	r := llm.Request{
		Messages: []llm.Message{{Role: llm.RoleUser, Content: "How much is seven times six?"}},
		Tools: []llm.ToolDef{{
			Name: "berechne", Description: "Berechnet eine Formel.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"formel":{"type":"string"}},"required":["formel"]}`),
		}},
	}
	resp, _ := c.Stream(context.Background(), r, nil)
	call := resp.Message.ToolCalls[0]
	fmt.Println(call.Name, call.Arguments)
	// Output: berechne {"formel": "7*6"}
}
