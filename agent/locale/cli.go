package locale

// Texts of the command line.
var (
	CLISeeHelp      = Msg{"See 'hermes --help'.", "用法见 “hermes --help”。"}
	CLIShort        = Msg{"A terminal agent that runs Hermes plugins", "运行 Hermes 插件的终端智能体"}
	CLINoTerminal   = Msg{"standard input and output are not a terminal, so there is no screen to draw; ask one question with: hermes -z \"...\" or hermes chat -q \"...\"", "标准输入输出不是终端，无法绘制界面；可用以下方式提问：hermes -z \"...\" 或 hermes chat -q \"...\""}
	CLIDumbTerminal = Msg{"this terminal cannot move its cursor (TERM=dumb), so there is no screen to draw; ask one question with: hermes -z \"...\" or hermes chat -q \"...\"", "此终端无法移动光标（TERM=dumb），无法绘制界面；可用以下方式提问：hermes -z \"...\" 或 hermes chat -q \"...\""}
	CLIDemoRefused  = Msg{"-z needs a model and none is configured; set DEEPSEEK_API_KEY (or another *_API_KEY), or a model in config.yaml; to use the built-in demo say --provider demo", "-z 需要模型，但尚未配置；请设置 DEEPSEEK_API_KEY（或其他 *_API_KEY），或在 config.yaml 中配置模型；若要使用内置演示模型，请加 --provider demo"}
	CLIDemoNote     = Msg{"hermes: no model is configured: the built-in demo model answers", "hermes：尚未配置模型：由内置演示模型作答"}
	CLINoAnswer     = Msg{"no final response was produced; the run counts as failed", "没有得到最终回答；本次运行视为失败"}
	CLIUnknownOut   = Msg{"--output %q is not one of text, json, stream-json", "--output %q 不是 text、json、stream-json 之一"}
	CLIEmptyPrompt  = Msg{"the prompt is empty", "提示内容为空"}
	CLINoPlugin     = Msg{"Plugin '%s' is not installed or bundled.", "插件 '%s' 未安装，也不是内置插件。"}
	CLIEnabled      = Msg{"✓ Plugin %s enabled. Takes effect on next session.", "✓ 插件 %s 已启用，下次会话生效。"}
	CLIEnabledTwice = Msg{"Plugin '%s' is already enabled.", "插件 '%s' 已经启用。"}
	CLIDisabled     = Msg{"⊘ Plugin %s disabled. Takes effect on next session.", "⊘ 插件 %s 已禁用，下次会话生效。"}
	CLIDisabledNow  = Msg{"Plugin '%s' is already disabled.", "插件 '%s' 已经禁用。"}
	CLINoPlugins    = Msg{"No plugins matched the selected filters.", "没有符合条件的插件。"}
	CLIBadArgs      = Msg{"the arguments of %s are not a JSON object: %v", "%s 的参数不是 JSON 对象：%v"}
	CLIEnvUnread    = Msg{"hermes: %s names %s; it is not read without a terminal to ask on", "hermes：%s 含有 %s；没有终端可以询问，因此不读取"}

	CLINoToolset   = Msg{"--toolsets names no toolset that exists (%s); see: hermes tools list", "--toolsets 中没有存在的工具集（%s）；请查看：hermes tools list"}
	CLIUnknownSets = Msg{"--toolsets: these do not exist and are left out: %s", "--toolsets：以下工具集不存在，已忽略：%s"}

	WorktreeNoRepo  = Msg{"✗ --worktree requires being inside a git repository.", "✗ --worktree 只能在 git 仓库中使用。"}
	WorktreeEmpty   = Msg{"✗ --worktree needs a repository with a commit", "✗ --worktree 需要至少有一次提交的仓库"}
	WorktreeOutside = Msg{".worktreeinclude: %s lies outside the repository", ".worktreeinclude：%s 在仓库之外"}
	// WorktreeKept takes folder, branch and reason.
	WorktreeKept    = Msg{"hermes: the working copy %s (branch %s) is kept: %s", "hermes：保留工作树 %s（分支 %s）：%s"}
	WorktreeChanged = Msg{"it has changes that are not committed", "有未提交的更改"}
	WorktreeCommits = Msg{"its branch has commits of its own", "该分支有新的提交"}

	// CLIFarewell takes the id; CLIFarewellTitle the title.
	CLIFarewell      = Msg{"Resume this session with:\n  hermes --resume %s", "继续此会话：\n  hermes --resume %s"}
	CLIFarewellTitle = Msg{"  hermes -c \"%s\"", "  hermes -c \"%s\""}
	// CLIFarewellFacts takes id, title, duration, messages, those of the user and
	// calls.
	CLIFarewellFacts = Msg{"Session:        %s\nTitle:          %s\nDuration:       %s\nMessages:       %d (%d user, %d tool calls)", "会话：          %s\n标题：          %s\n时长：          %s\n消息：          %d（用户 %d 条，工具调用 %d 次）"}

	// Help texts.
	CLIUsage        = Msg{"Usage", "用法"}
	CLICommands     = Msg{"Commands", "命令"}
	CLIFlags        = Msg{"Flags", "选项"}
	CLIGlobal       = Msg{"Global flags", "全局选项"}
	CLIMore         = Msg{"Use \"%s [command] --help\" for more about a command.", "用 “%s [命令] --help” 了解某个命令。"}
	CLIRootLong     = Msg{"Without a command, hermes opens its full-screen interface. Without a configured model the built-in demo model answers, labelled as such.", "不带命令时打开全屏界面。未配置模型时由内置演示模型作答，并会标明。"}
	CLIFlagOneshot  = Msg{"answer PROMPT and print only the answer (- reads standard input)", "回答 PROMPT，只输出答案（- 表示从标准输入读取）"}
	CLIFlagModel    = Msg{"model to use", "使用的模型"}
	CLIFlagProvider = Msg{"provider to use; demo is built in", "使用的服务商；demo 为内置"}
	CLIFlagSafe     = Msg{"no plugins, no user configuration", "不加载插件，也不读取用户配置"}
	CLIFlagYolo     = Msg{"run what asks for approval without asking", "需要批准的操作不经询问直接执行"}
	CLIFlagVersion  = Msg{"print the version", "显示版本"}
	CLIFlagHelp     = Msg{"help for the command", "显示帮助"}
	CLIFlagToolsets = Msg{"offer only these toolsets, comma-separated (all for every one)", "只提供这些工具集，以逗号分隔（all 表示全部）"}
	CLIFlagChoice   = Msg{"auto, none, required or the name of the tool to call first", "auto、none、required，或必须先调用的工具名"}
	CLIFlagNoConfig = Msg{"ignore config.yaml and use the defaults (.env still counts)", "忽略 config.yaml，使用默认值（.env 仍然有效）"}
	CLIFlagNoRules  = Msg{"no AGENTS.md and other rule files, no SOUL.md, no memories", "不读取 AGENTS.md 等规则文件、SOUL.md 和记忆"}
	CLIFlagPassID   = Msg{"tell the model the id of the session", "把会话编号告诉模型"}
	CLIFlagUsage    = Msg{"with -z, write tokens, cost and outcome to this file as JSON", "与 -z 合用，把用量、费用和结果以 JSON 写入此文件"}
	CLIFlagImage    = Msg{"send this picture with the question (may be repeated)", "随问题发送此图片（可重复）"}
	CLIFlagHooks    = Msg{"accept the shell hooks of the settings without asking", "不经询问接受设置中的 shell 钩子"}
	CLIFlagWorktree = Msg{"work in a copy of the repository on a branch of its own", "在仓库的独立工作树和分支中工作"}
	CLIFlagSource   = Msg{"what stored sessions are called in lists (cli)", "存储会话时使用的来源名称（默认 cli）"}
	CLIChatShort    = Msg{"chat; with -q ask one question", "对话；用 -q 只问一个问题"}
	CLIFlagQuery    = Msg{"ask this and exit (- reads standard input)", "提出此问题后退出（- 表示从标准输入读取）"}
	CLIFlagOutput   = Msg{"text, json or stream-json", "text、json 或 stream-json"}
	CLIFlagQuiet    = Msg{"print only the answer", "只输出答案"}
	CLIFlagTurns    = Msg{"most model requests in a turn", "每轮最多的模型请求次数"}
	CLIPlugins      = Msg{"list, inspect and switch plugins", "列出、查看和开关插件"}
	CLIPluginsList  = Msg{"list plugins", "列出插件"}
	CLIPluginsShow  = Msg{"show everything a plugin registers", "显示插件注册的全部内容"}
	CLIPluginsOn    = Msg{"enable a plugin", "启用插件"}
	CLIPluginsOff   = Msg{"disable a plugin", "禁用插件"}
	CLITools        = Msg{"list and call tools", "列出和调用工具"}
	CLIToolsList    = Msg{"list the tools that the model is offered", "列出提供给模型的工具"}
	CLIToolsCall    = Msg{"call a tool through the whole pipeline", "经完整流程调用一个工具"}
	CLIFlagJSON     = Msg{"print JSON", "输出 JSON"}
	CLIFlagPlain    = Msg{"one line each, for scripts", "每行一个，便于脚本处理"}
	CLIFlagEnabled  = Msg{"only enabled plugins", "只列已启用的插件"}
	CLIFlagUser     = Msg{"without bundled plugins", "不列内置插件"}
	CLIDebug        = Msg{"for those who work on this program", "供本程序的开发者使用"}
	CLIDebugDrive   = Msg{"run a job without a screen and write what was observed", "不带界面运行一份任务并记录观察结果"}
	CLIHelpCmd      = Msg{"help about a command", "显示命令的帮助"}
	CLICompletion   = Msg{"print a shell completion script", "输出 shell 补全脚本"}
)
