package app_test

import (
	"strings"
	"testing"
)

// The prompts of the guide's tutorial on custom tools, with the bundled
// example that has its tools.
func TestToolbox(t *testing.T) {
	for _, size := range sizes {
		t.Run(sizeName(size.w, size.h), func(t *testing.T) {
			t.Parallel()
			r := startApp(t, size.w, size.h, withEnv("LANG", "zh_CN.UTF-8"))
			r.waitIdle("插件     2 未启用", "F5")
			r.Press("f6")
			r.WaitFor(settledPlugins("1✓", "1 正常"))
			r.newest()

			r.send("请让回声工具说一句‘你好，世界！’")
			r.waitIdle("Echo: 你好，世界！")
			r.seek("✓ echo {\"message\"")
			r.newest()

			r.send("请帮我计算一下3.14乘以256等于多少？")
			r.waitIdle("803.84")
			r.seek("✓ calculator {")
			r.newest()

			r.send("今天杭州天气怎么样？另外，帮我算算去那里出差三天，如果每天餐费预算150元，总共需要多少？")
			s := r.waitIdle("450")
			r.assertChat(s)
			r.seek("✓ get_current")
			r.newest()

			r.send("10 除以 0 等于多少？")
			r.waitIdle("错误：除数不能为零。")
		})
	}
}

// The demo model quotes, it does not compute.
func TestDemoQuotesTheTool(t *testing.T) {
	const wrong = `
import json
SCHEMA = {"name": "calculate", "description": "Evaluate a mathematical expression.",
          "parameters": {"type": "object", "properties": {"expression": {"type": "string"}}, "required": ["expression"]}}

def calculate(args, **kwargs):
    return json.dumps({"expression": args["expression"], "result": 41})

def register(ctx):
    ctx.register_tool("calculate", "calculator", SCHEMA, calculate)
`
	t.Run("wrong calculator", func(t *testing.T) {
		t.Parallel()
		r := startApp(t, 80, 24, withCode("wrong", wrong))
		r.send("What is 6*7?")
		s := r.waitIdle("calculate answered 41")
		if strings.Contains(s.String(), "42") {
			t.Errorf("the model worked it out itself\n%s", s.Dump())
		}
	})
	t.Run("no calculator", func(t *testing.T) {
		t.Parallel()
		r := startApp(t, 80, 24)
		r.send("What's 2 to the power of 16?")
		s := r.waitIdle("This is a calculation", "hermes · demo model")
		if strings.Contains(s.String(), "65536") {
			t.Errorf("a number without a tool\n%s", s.Dump())
		}
	})
	t.Run("German names", func(t *testing.T) {
		t.Parallel()
		r := startApp(t, 80, 24, withPlugin("rechner"))
		r.send("What's 2 to the power of 16?")
		r.waitIdle("berechne answered", `{"ergebnis": 65536}`, `✓ berechne {"formel":"2**16"}`)
		r.send("Convert 100 fahrenheit to celsius")
		r.waitIdle("umrechnen answered", "37.78", `✓ umrechnen {"wert":100,"von":"F"`)
	})
}
