package locale

// Texts of the running program: slash commands, notices, questions.
var (
	CmdHelp    = Msg{"what the commands and keys do", "命令与按键说明"}
	CmdPlugins = Msg{"list plugins and what they registered", "列出插件及其注册内容"}
	CmdTools   = Msg{"list the tools that the model is offered", "列出提供给模型的工具"}
	CmdModel   = Msg{"show or switch the model", "查看或切换模型"}
	CmdNew     = Msg{"begin a fresh session", "开始新会话"}
	CmdClear   = Msg{"clear the screen and begin a fresh session", "清屏并开始新会话"}
	CmdHooks   = Msg{"watch hook events as they happen", "实时查看钩子事件"}
	CmdQuit    = Msg{"leave", "退出"}

	CmdArgsModel = Msg{"[model] [--provider name] [--global]", "[模型] [--provider 名称] [--global]"}
	CmdPluginOf  = Msg{"Plugin %s", "插件 %s"}

	HelpCommands = Msg{"Commands", "命令"}
	HelpPlugins  = Msg{"From plugins", "来自插件"}
	HelpKeys     = Msg{"Keys: Enter send · Shift+Enter newline · Tab complete · Esc Esc stop · F1 all keys · F2 plugins · F3 hooks · F4 tools", "按键：Enter 发送 · Shift+Enter 换行 · Tab 补全 · Esc Esc 停止 · F1 全部按键 · F2 插件 · F3 钩子 · F4 工具"}
	HelpNoPlugin = Msg{"no plugin has registered a command", "没有插件注册命令"}

	ToolsHead   = Msg{"%d tools in %d toolsets", "%d 个工具，%d 个工具集"}
	ToolsNone   = Msg{"no tools yet: configuration is still being read", "还没有工具：正在读取配置"}
	ToolsHidden = Msg{"hidden: %s", "已隐藏：%s"}

	ModelNow      = Msg{"model %s · provider %s", "模型 %s · 服务商 %s"}
	ModelDemo     = Msg{"the built-in demo model answers: no key, no network, real tools", "由内置演示模型作答：无需密钥和网络，真实调用工具"}
	ModelSwitched = Msg{"from the next turn on %s (%s) answers", "从下一轮起由 %s（%s）作答"}
	ModelHowTo    = Msg{"switch with /model NAME [--provider NAME]; keep it with model.default and model.provider in %s", "用 /model 名称 [--provider 名称] 切换；要长期使用，请在 %s 中设置 model.default 和 model.provider"}
	ModelBadFlag  = Msg{"/model takes a name and --provider NAME, not %s", "/model 只接受模型名和 --provider 名称，不接受 %s"}

	ModelNoKey = Msg{"no provider is configured that could serve %s; set an *_API_KEY in ~/.hermes/.env, or name one with --provider", "没有已配置的服务商可以提供 %s；请在 ~/.hermes/.env 中设置 *_API_KEY，或用 --provider 指定"}

	WantSize     = Msg{"a size such as 512M or 2G", "大小，例如 512M 或 2G"}
	WantBlock    = Msg{"block", "block"}
	WantBusyMode = Msg{"queue, interrupt or steer", "queue、interrupt 或 steer"}

	NewSession    = Msg{"new session %s", "新会话 %s"}
	UnknownCmd    = Msg{"Unknown command: /%s\nType /help for available commands", "未知命令：/%s\n输入 /help 查看可用命令"}
	AmbiguousCmd  = Msg{"Ambiguous command: /%s\nDid you mean: %s?", "命令有歧义：/%s\n您是否想输入：%s？"}
	StillLoading  = Msg{"plugins are still loading; try again in a moment", "插件仍在加载，请稍后再试"}
	LoadingConfig = Msg{"reading configuration", "正在读取配置"}
	LoadingPlugin = Msg{"loading plugins", "正在加载插件"}
	ModelBroken   = Msg{"%v; the demo model answers until that is mended", "%v；修正之前由演示模型作答"}

	EnvTitle   = Msg{"Use the keys of this folder?", "使用此文件夹中的密钥？"}
	EnvText    = Msg{"%s sets %s. They would be used for this folder from now on; ~/.hermes/.env still wins.", "%s 设置了 %s。今后在此文件夹中将使用它们；~/.hermes/.env 仍然优先。"}
	EnvTracked = Msg{" Careful: git tracks this file, so the keys in it are shared with everyone who has the repository.", " 注意：git 正在跟踪此文件，拥有该仓库的人都能看到其中的密钥。"}
	EnvPlugins = Msg{"plugins see these keys from the next start on", "插件从下次启动起可见这些密钥"}
	EnvYes     = Msg{"Use them here", "在此使用"}
	EnvNo      = Msg{"Do not read this file", "不读取此文件"}
)
