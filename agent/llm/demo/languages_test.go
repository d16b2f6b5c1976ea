package demo

import (
	"testing"

	"hermes/agent/llm"
)

// The toolbox described in English, and the German plugin without a word of
// description, serve the same prompts in both languages.
func TestDescriptionsInAnotherLanguageOrNone(t *testing.T) {
	box := []llm.ToolDef{
		tool("calculator", "Basic arithmetic on two numbers.", `"operation":{"type":"string","enum":["add","subtract","multiply","divide"]},"a":{"type":"number"},"b":{"type":"number"}`, "operation", "a", "b"),
		tool("echo", "Returns the message it is given.", `"message":{"type":"string"}`, "message"),
		tool("get_current_weather", "Current weather of a city (simulated).", `"city":{"type":"string"},"units":{"type":"string","enum":["metric","imperial"],"default":"metric"}`, "city"),
		tool("berechne", "", `"formel":{"type":"string"}`, "formel"),
		tool("umrechnen", "", `"wert":{"type":"number"},"von":{"type":"string"},"nach":{"type":"string"}`, "wert", "von", "nach"),
	}
	for prompt, want := range map[string]string{
		"请让回声工具说一句‘你好，世界！’":                    `echo {"message": "你好，世界！"}`,
		"今天杭州天气怎么样？":                           `get_current_weather {"city": "杭州"}`,
		"用 calculator 算 3.14 乘以 256":           `calculator {"operation": "multiply", "a": 3.14, "b": 256}`,
		"What's 3.14 times 256?":               `berechne {"formel": "3.14*256"}`,
		"2 乘以 π 的平方根是多少？":                      `berechne {"formel": "sqrt(2*pi)"}`,
		"将 100 华氏度转换为摄氏度":                      `umrechnen {"wert": 100, "von": "F", "nach": "C"}`,
		"How many gigabytes is 1.5 terabytes?": `umrechnen {"wert": 1.5, "von": "TB", "nach": "GB"}`,
	} {
		if got := calls(t, append(box, tools(t, "builtin")...), prompt); got != want {
			t.Errorf("%q:\n got %s\nwant %s", prompt, got, want)
		}
	}
}
