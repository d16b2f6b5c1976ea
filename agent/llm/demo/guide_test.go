package demo

import "testing"

// The prompts that the plugin guide prints, with the schemas that it prints.
func TestGuidePrompts(t *testing.T) {
	for _, tc := range []struct{ prompt, want string }{
		{"What's 2 to the power of 16?", `calculate {"expression": "2**16"}`},
		{"Convert 100 fahrenheit to celsius", `unit_convert {"value": 100, "from_unit": "F", "to_unit": "C"}`},
		{"What's the square root of 2 times pi?", `calculate {"expression": "sqrt(2*pi)"}`},
		{"How many gigabytes is 1.5 terabytes?", `unit_convert {"value": 1.5, "from_unit": "TB", "to_unit": "GB"}`},
		{"2 的 16 次方是多少？", `calculate {"expression": "2**16"}`},
		{"将 100 华氏度转换为摄氏度", `unit_convert {"value": 100, "from_unit": "F", "to_unit": "C"}`},
		{"2 乘以 π 的平方根是多少？", `calculate {"expression": "sqrt(2*pi)"}`},
		{"1.5 TB 是多少 GB？", `unit_convert {"value": 1.5, "from_unit": "TB", "to_unit": "GB"}`},
	} {
		for _, plugin := range []string{"calculator_en", "calculator_zh"} {
			for _, set := range [][]string{{plugin}, {plugin, "builtin"}, {plugin, "builtin", "toolbox"}} {
				if got := calls(t, tools(t, set...), tc.prompt); got != tc.want {
					t.Errorf("%v %q:\n got %s\nwant %s", set, tc.prompt, got, tc.want)
				}
			}
		}
	}
}

// The prompts of the article on tools, with its three tools.
func TestToolboxPrompts(t *testing.T) {
	for _, tc := range []struct{ prompt, want string }{
		{"请让回声工具说一句‘你好，世界！’", `echo {"message": "你好，世界！"}`},
		{"请帮我计算一下3.14乘以256等于多少？", `calculator {"operation": "multiply", "a": 3.14, "b": 256}`},
		{
			"今天杭州天气怎么样？另外，帮我算算去那里出差三天，如果每天餐费预算150元，总共需要多少？",
			`get_current_weather {"city": "杭州"}` + "\n" + `calculator {"operation": "multiply", "a": 150, "b": 3}`,
		},
	} {
		for _, set := range [][]string{{"toolbox"}, {"toolbox", "builtin"}} {
			if got := calls(t, tools(t, set...), tc.prompt); got != tc.want {
				t.Errorf("%v %q:\n got %s\nwant %s", set, tc.prompt, got, tc.want)
			}
		}
	}
}

// A plugin in another language is used as well: nothing depends on its names.
func TestGermanPlugin(t *testing.T) {
	for _, tc := range []struct{ prompt, want string }{
		{"What's 2 to the power of 16?", `berechne {"formel": "2**16"}`},
		{"2 乘以 π 的平方根是多少？", `berechne {"formel": "sqrt(2*pi)"}`},
		{"Convert 100 fahrenheit to celsius", `umrechnen {"wert": 100, "von": "F", "nach": "C"}`},
		{"1.5 TB 是多少 GB？", `umrechnen {"wert": 1.5, "von": "TB", "nach": "GB"}`},
	} {
		if got := calls(t, tools(t, "german", "builtin"), tc.prompt); got != tc.want {
			t.Errorf("%q:\n got %s\nwant %s", tc.prompt, got, tc.want)
		}
	}
}
