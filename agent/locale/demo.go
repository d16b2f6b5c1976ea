package locale

// Texts of the built-in demo model. They hold no digits: a number in one of its
// answers comes from the user or from a tool.
var (
	// DemoLabel begins every answer.
	DemoLabel = Msg{"**Demo model**", "**演示模型**"}

	// DemoAnswered takes a tool and the value it gave, DemoAnsweredBelow a tool
	// whose result follows as a block.
	DemoAnswered      = Msg{"%s answered %s", "%s 返回了 %s"}
	DemoAnsweredBelow = Msg{"%s answered:", "%s 返回了："}
	DemoAnsweredEmpty = Msg{"%s answered with an empty text.", "%s 返回了空文本。"}
	DemoFailed        = Msg{"%s reported an error: %s", "%s 报告了错误：%s"}
	DemoFailedBelow   = Msg{"%s reported an error:", "%s 报告了错误："}
	DemoNoResult      = Msg{"%s gave no result.", "%s 没有返回结果。"}
	DemoWhole         = Msg{"The whole result:", "完整结果："}
	DemoShortened     = Msg{"(shortened here; the tool's card has all of it)", "（此处有删节，完整内容见工具卡片）"}

	// DemoAlso takes the names of further tools that fitted.
	DemoAlso = Msg{"Also fitting: %s. Say \"use the … tool\" to choose one.", "同样适用的工具：%s。想指定工具，可以说“用……工具”。"}

	// DemoStopped says why a calculation in several calls ended early.
	DemoStopped = Msg{
		"The calculation takes several calls, and the result of the last one holds no number that I could pass on. I do not calculate myself, so I stop here.",
		"这个计算需要多次调用，而上一次的结果里没有可以继续使用的数字。我自己不做计算，所以到此为止。",
	}

	// DemoLacks takes a tool and a parameter.
	DemoLacks = Msg{
		"The tool %s would fit, but I found nothing in your message for its parameter %s. Say it again with that in it, short texts best in quotation marks.",
		"工具 %s 适用，但在您的话里没有找到参数 %s 的内容。请补充后再说一遍，文字内容最好加上引号。",
	}
	DemoNoCalculator = Msg{
		"This is a calculation, and I do not calculate: that takes a tool, and none of those offered can be asked for it.",
		"这是一道计算题，而我自己不做计算：这需要工具，目前可用的工具都不能完成它。",
	}
	DemoNoConverter = Msg{
		"This is a conversion of units, and I do not convert: that takes a tool, and none of those offered can be asked for it.",
		"这是单位换算，而我自己不做换算：这需要工具，目前可用的工具都不能完成它。",
	}
	DemoNothingFor = Msg{"I found no tool for: %s", "没有找到适合这句话的工具：%s"}
	DemoEnable     = Msg{
		"Plugins add tools: /plugins lists those found, and the plugin panel enables one with one key.",
		"工具由插件提供：/plugins 会列出找到的插件，在插件面板里按一个键即可启用。",
	}

	// DemoIntro says what answers here; DemoTools takes the names of tools.
	DemoIntro = Msg{
		"I am the built-in demo, not a language model. I cannot hold a conversation, and I never work anything out myself: I turn a request into the call of a tool, as its description asks for, and quote what the tool answers.",
		"我是内置的演示程序，不是真正的语言模型。我不会聊天，也从不自己计算：我只会按照工具的说明，把您的请求变成一次工具调用，再引用工具返回的结果。",
	}
	DemoTools   = Msg{"Tools that I can call now: %s.", "现在可以调用的工具：%s。"}
	DemoNoTools = Msg{"No tools are offered right now.", "目前没有可用的工具。"}
	DemoConnect = Msg{
		"To talk to a real model, set a key such as `DEEPSEEK_API_KEY` or `OPENROUTER_API_KEY` in `~/.hermes/.env`, or name a service in `~/.hermes/config.yaml` (`model.provider`, `model.base_url`, `model.default`), and start again. A local server that speaks the OpenAI protocol needs no key.",
		"想和真正的模型对话，请在 `~/.hermes/.env` 里设置密钥，例如 `DEEPSEEK_API_KEY` 或 `OPENROUTER_API_KEY`，或在 `~/.hermes/config.yaml` 里指定服务（`model.provider`、`model.base_url`、`model.default`），然后重新启动。本地的 OpenAI 兼容服务不需要密钥。",
	}
)
