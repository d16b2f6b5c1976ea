package demo

import (
	"testing"

	"hermes/agent/llm"
)

// Tools of every kind: what they are for is read from their schemas.
func TestVariousTools(t *testing.T) {
	defs := tools(t, "various", "builtin")
	for _, tc := range []struct{ prompt, want string }{
		{"roll a 20-sided die", `roll_dice {"sides": 20}`},
		{"掷一个 6 面的骰子", `roll_dice {"sides": 6}`},
		{"What time is it?", `get_time {}`},
		{"现在几点了？", `get_time {}`},
		{"search the web for Go 1.26 release notes", `web_search {"query": "Go 1.26 release notes"}`},
		{"网上搜索大语言模型", `web_search {"query": "大语言模型"}`},
		{"find files containing foo", `search_files {"pattern": "foo"}`},
		{`Translate "good morning" into French`, `translate {"text": "good morning", "target_language": "fr"}`},
		{"translate hello world to Spanish", `translate {"text": "hello world", "target_language": "es"}`},
		{"把“你好”翻译成英文", `translate {"text": "你好", "target_language": "en"}`},
		{"翻译成法语：早上好", `translate {"text": "早上好", "target_language": "fr"}`},
		{"convert 100 dollars to euros", `convert_currency {"amount": 100, "from_currency": "USD", "to_currency": "EUR"}`},
		{"100 美元等于多少人民币", `convert_currency {"amount": 100, "from_currency": "USD", "to_currency": "CNY"}`},
		{"generate a uuid", `generate_uuid {}`},
		{`reverse the text "hello"`, `reverse_text {"text": "hello"}`},
		{"“床前明月光”有多少个字", `word_count {"text": "床前明月光"}`},
		{"fetch https://example.com/page", `fetch_url {"url": "https://example.com/page"}`},
		{"set my theme to dark", `set_preference {"key": "theme", "value": "dark"}`},
		{"tell me a joke", `tell_joke {}`},
		{"讲个笑话", `tell_joke {}`},
		{"what's the stock price of AAPL", `get_stock_price {"symbol": "AAPL"}`},
		{`send "hi" to Bob`, `send_message {"to": "Bob", "text": "hi"}`},
		{"add 3 and 4", `add {"a": 3, "b": 4}`},
		{"25 celsius to fahrenheit", `celsius_to_fahrenheit {"celsius": 25}`},
		{"77 fahrenheit to celsius", ""},
		{"reset the universe", ""},
		{"what is the status of my order", ""},
	} {
		if got := calls(t, defs, tc.prompt); got != tc.want {
			t.Errorf("%q:\n got %s\nwant %s", tc.prompt, got, tc.want)
		}
	}
}

// Tools that each do one operation work together.
func TestOneToolForEachOperation(t *testing.T) {
	got, _ := conversation(t, tools(t, "various"), "sqrt(2*8) + 5", func(llm.ToolCall) string { return `{"result": 16}` })
	want := []string{`multiply {"a": 2, "b": 8}`, `square_root {"x": 16}`, `add {"a": 16, "b": 5}`}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("%v", got)
	}
}

// The same request fits the ways in which authors write a schema.
func TestShapesOfSchemas(t *testing.T) {
	for _, tc := range []struct {
		name   string
		def    llm.ToolDef
		prompt string
		want   string
	}{
		{"caret powers", tool("calc", "Calculator. Write powers as 2^10.", `"expr":{"type":"string"}`, "expr"), "2 to the power of 16", `calc {"expr": "2^16"}`},
		{"a name that says nothing", tool("math", "", `"input":{"type":"string"}`, "input"), "6*7", `math {"input": "6*7"}`},
		{"known by its example", tool("frobnicate", "", `"zzz":{"type":"string","description":"'2+2', '3*(4-1)'"}`, "zzz"), "6*7", `frobnicate {"zzz": "6*7"}`},
		{"Japanese", tool("keisan", "数式を計算します。", `"式":{"type":"string"}`, "式"), "6*7", `keisan {"式": "6*7"}`},
		{"French", tool("calculer", "Calcule une expression.", `"formule":{"type":"string"}`, "formule"), "6*7", `calculer {"formule": "6*7"}`},
		{"symbols for operations", tool("calc", "Arithmetic on two numbers", `"x":{"type":"number"},"op":{"enum":["+","-","*","/"]},"y":{"type":"number"}`, "x", "op", "y"), "6 times 7", `calc {"x": 6, "op": "*", "y": 7}`},
		{"Chinese operations", tool("jisuan", "四则运算", `"运算":{"type":"string","enum":["加","减","乘","除"]},"数1":{"type":"number"},"数2":{"type":"number"}`, "运算", "数1", "数2"), "6 除以 7", `jisuan {"运算": "除", "数1": 6, "数2": 7}`},
		{"operations in the description", tool("calc", "Calculator", `"operation":{"type":"string","description":"One of: plus, minus, times"},"a":{"type":"number"},"b":{"type":"number"}`, "operation", "a", "b"), "6*7", `calc {"operation": "times", "a": 6, "b": 7}`},
		{"operands as text", tool("calc", "Calculator", `"operation":{"enum":["add","subtract"]},"a":{"type":"string"},"b":{"type":"string"}`, "operation", "a", "b"), "9 - 4", `calc {"operation": "subtract", "a": "9", "b": "4"}`},
		{"a list of numbers", tool("sum", "Sum of numbers", `"numbers":{"type":"array","items":{"type":"number"}}`, "numbers"), "3 plus 4", `sum {"numbers": [3, 4]}`},
		{"second before first", tool("divide", "", `"divisor":{"type":"number"},"dividend":{"type":"number"}`, "divisor", "dividend"), "84 / 7", `divide {"divisor": 7, "dividend": 84}`},
		{"whole numbers only, with a fraction", tool("add", "", `"a":{"type":"integer"},"b":{"type":"integer"}`, "a", "b"), "1.5 + 2", ""},
		{"a required default", tool("calc", "Calculator", `"expression":{"type":"string"},"digits":{"type":"integer","default":4}`, "expression", "digits"), "6*7", `calc {"expression": "6*7", "digits": 4}`},
		{"a referenced enumeration", llm.ToolDef{Name: "calc", Parameters: []byte(`{"$defs":{"Op":{"type":"string","enum":["add","multiply"]}},"type":"object","properties":{"op":{"$ref":"#/$defs/Op"},"a":{"type":"number"},"b":{"anyOf":[{"type":"number"},{"type":"null"}]}},"required":["op","a","b"]}`)}, "6*7", `calc {"op": "multiply", "a": 6, "b": 7}`},
		{"no required list", llm.ToolDef{Name: "calc", Description: "Calculator", Parameters: []byte(`{"type":"object","properties":{"expression":{"type":"string"}}}`)}, "6*7", `calc {"expression": "6*7"}`},

		{"names of units", tool("convert", "Convert units", `"value":{"type":"number"},"from":{"enum":["celsius","fahrenheit"]},"to":{"enum":["celsius","fahrenheit"]}`, "value", "from", "to"), "100 F to C", `convert {"value": 100, "from": "fahrenheit", "to": "celsius"}`},
		{"the style of the examples", tool("convert", "Convert units", `"value":{"type":"number"},"from":{"type":"string","description":"e.g. 'kilometer', 'pound'"},"to":{"type":"string","description":"e.g. 'mile', 'gram'"}`, "value", "from", "to"), "3 ft in inches", `convert {"value": 3, "from": "foot", "to": "inch"}`},
		{"Chinese units", tool("huansuan", "单位换算", `"数值":{"type":"number"},"源单位":{"type":"string","description":"例如 '公里'、'磅'"},"目标单位":{"type":"string","description":"例如 '英里'、'公斤'"}`, "数值", "源单位", "目标单位"), "10 pounds to kilograms", `huansuan {"数值": 10, "源单位": "磅", "目标单位": "公斤"}`},
		{"value as text", tool("convert", "Unit converter", `"amount":{"type":"string"},"source_unit":{"type":"string"},"target_unit":{"type":"string"}`, "amount", "source_unit", "target_unit"), "5 km to miles", `convert {"amount": "5", "source_unit": "km", "target_unit": "mi"}`},
		{"target before source", tool("convert", "Unit converter", `"to":{"type":"string"},"from":{"type":"string"},"value":{"type":"number"}`, "to", "from", "value"), "5 km to miles", `convert {"to": "mi", "from": "km", "value": 5}`},
		{"by type and place alone", tool("muunna", "", `"määrä":{"type":"number"},"yksi":{"type":"string"},"kaksi":{"type":"string"}`, "määrä", "yksi", "kaksi"), "5 km to miles", `muunna {"määrä": 5, "yksi": "km", "kaksi": "mi"}`},
		{"one text", tool("convert", "Converts units", `"query":{"type":"string"}`, "query"), "5 km to miles", `convert {"query": "5 km to mi"}`},
		{"a transfer of money is no conversion", tool("send_money", "Send money in any currency", `"amount":{"type":"number"},"from":{"type":"string"},"to":{"type":"string"}`, "amount", "from", "to"), "100 USD to EUR", ""},
		{"units that are not offered", tool("convert", "Convert units", `"value":{"type":"number"},"from":{"enum":["km"]},"to":{"enum":["mi"]}`, "value", "from", "to"), "5 kg in pounds", ""},

		{"a search is no calculation", tool("grep", "Search files with a regular expression", `"expression":{"type":"string"}`, "expression"), "6*7", ""},
		{"a schedule is no calculation", tool("schedule", "Run a job by a cron expression", `"expression":{"type":"string"}`, "expression"), "6*7", ""},
		{"adding users is no addition", tool("add_user", "Add a user", `"name":{"type":"string"},"age":{"type":"integer"}`, "name", "age"), "3 + 4", ""},

		{"German echo", tool("echo", "Wiederholt eine Nachricht", `"nachricht":{"type":"string"}`, "nachricht"), `say "hallo"`, `echo {"nachricht": "hallo"}`},
		{"German weather", tool("wetter", "Das Wetter einer Stadt", `"stadt":{"type":"string"}`, "stadt"), "What's the weather in Köln?", `wetter {"stadt": "Köln"}`},
		{"nothing required", tool("weather", "Weather", `"city":{"type":"string"}`), "weather in Oslo", `weather {"city": "Oslo"}`},
		{"no parameters", tool("weather", "Weather here", ``), "what's the weather", `weather {}`},
		{"a tool asked for by name", tool("xyz_9", "", `"text":{"type":"string"}`, "text"), `use xyz_9 with "abc"`, `xyz_9 {"text": "abc"}`},
		{"a tool asked for by name in Chinese", tool("shout", "", `"text":{"type":"string"}`, "text"), "用 shout 工具说“你好”", `shout {"text": "你好"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := calls(t, []llm.ToolDef{tc.def}, tc.prompt); got != tc.want {
				t.Errorf("%q:\n got %s\nwant %s", tc.prompt, got, tc.want)
			}
		})
	}
}
