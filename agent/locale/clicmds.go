package locale

// Texts of the commands about settings, models, profiles and the state of the
// program.
var (
	YesWord = Msg{"yes", "有"}
	NoWord  = Msg{"no", "无"}
	OnWord  = Msg{"on", "开"}
	OffWord = Msg{"off", "关"}

	CLIFlagProfile = Msg{"use this profile", "使用此配置档"}
	CLIFlagYes     = Msg{"do not ask", "不询问"}

	// hermes config.
	ConfigShort   = Msg{"show and change settings", "查看和修改设置"}
	ConfigShow    = Msg{"print every setting, secrets masked", "输出全部设置，隐藏密钥"}
	ConfigGet     = Msg{"print the value that is in force", "输出当前生效的值"}
	ConfigSet     = Msg{"set a value; names of variables and keys go to .env", "设置一个值；环境变量名和密钥写入 .env"}
	ConfigUnset   = Msg{"take a value out", "删除一个值"}
	ConfigEdit    = Msg{"open config.yaml in the editor", "用编辑器打开 config.yaml"}
	ConfigPath    = Msg{"print where config.yaml is", "输出 config.yaml 的路径"}
	ConfigEnvPath = Msg{"print where .env is", "输出 .env 的路径"}
	ConfigCheck   = Msg{"look for mistakes in config.yaml", "检查 config.yaml 中的错误"}
	ConfigMigrate = Msg{"bring config.yaml up to date", "更新 config.yaml"}
	ConfigForce   = Msg{"do not mention that nothing reads the key", "不提示无人读取此键"}
	// ConfigNotSet takes the key.
	ConfigNotSet = Msg{"Config key not set: %s", "未设置此配置项：%s"}
	// ConfigDone takes key, value and file; ConfigSetEnv and ConfigUnsetDone
	// name and file.
	ConfigDone      = Msg{"✓ Set %s = %v in %s", "✓ 已设置 %s = %v（%s）"}
	ConfigSetEnv    = Msg{"✓ Set %s in %s", "✓ 已设置 %s（%s）"}
	ConfigUnsetDone = Msg{"✓ Unset %s from %s", "✓ 已删除 %s（%s）"}
	ConfigUnknown   = Msg{"⚠ '%s' is not a recognized config key — it was saved anyway, but nothing may read it.", "⚠ '%s' 不是已知的配置项：已保存，但可能无人读取。"}
	ConfigNear      = Msg{"Did you mean: %s", "您是否想用：%s"}
	// ConfigUnread takes place and key.
	ConfigUnread     = Msg{"%s: nothing reads %s", "%s：没有程序读取 %s"}
	ConfigSound      = Msg{"%s is fine", "%s 没有问题"}
	ConfigMigrated   = Msg{"nothing to change: settings of every version are read as they are (version %d); hermes-agent raises the number with its own steps", "无需更改：任何版本的设置都按原样读取（版本 %d）；版本号由 hermes-agent 的升级步骤更新"}
	ConfigNewer      = Msg{"config.yaml has version %d, this program knows %d: newer settings are kept but not read", "config.yaml 的版本为 %d，本程序支持到 %d：较新的设置会保留，但不读取"}
	ConfigNewFile    = Msg{"# Settings of hermes; see: hermes config show", "# hermes 的设置；参见：hermes config show"}
	ConfigNoTerminal = Msg{"there is no terminal for an editor; edit %s", "没有可用于编辑器的终端；请直接编辑 %s"}
	ConfigNoEditor   = Msg{"no editor was found: set EDITOR, or edit %s", "找不到编辑器：请设置 EDITOR，或直接编辑 %s"}

	// hermes logs.
	LogsShort     = Msg{"show the logs", "查看日志"}
	LogsLines     = Msg{"how many lines", "显示的行数"}
	LogsFollow    = Msg{"go on with what is added", "持续显示新增内容"}
	LogsLevel     = Msg{"this level and above", "只显示此级别及以上"}
	LogsSession   = Msg{"only lines of this session", "只显示此会话的行"}
	LogsComponent = Msg{"only lines of this component (agent, tools, cli, plugins …)", "只显示此组件的行（agent、tools、cli、plugins 等）"}
	LogsSince     = Msg{"only lines of the last 30m, 1h, 2d …", "只显示最近 30m、1h、2d 等的行"}
	LogsNone      = Msg{"there are no logs in %s yet", "%s 中还没有日志"}
	LogsIn        = Msg{"Log files in %s:", "%s 中的日志文件："}
	LogsNoFile    = Msg{"there is no log %s; see: hermes logs list", "没有日志 %s；请查看：hermes logs list"}
	LogsBadLevel  = Msg{"--level '%s' is not one of %s", "--level '%s' 不是 %s 之一"}
	LogsBadLines  = Msg{"--lines %d is less than none", "--lines %d 不能小于零"}
	LogsBadSince  = Msg{"--since '%s' is no time such as 30m, 1h or 2d", "--since '%s' 不是 30m、1h、2d 这样的时长"}

	// hermes tools.
	ToolsOn         = Msg{"offer toolsets to the model", "向模型提供工具集"}
	ToolsOff        = Msg{"no longer offer toolsets", "不再提供工具集"}
	ToolsOnDone     = Msg{"✓ Enabled: %s", "✓ 已启用：%s"}
	ToolsOffDone    = Msg{"✓ Disabled: %s", "✓ 已禁用：%s"}
	ToolsAlready    = Msg{"nothing to change: %s", "无需更改：%s"}
	ToolsNoSet      = Msg{"Unknown toolset: %s; see: hermes tools list", "未知的工具集：%s；请查看：hermes tools list"}
	ToolsWhy        = Msg{"say whether the model is offered a tool, and why", "说明是否向模型提供某个工具及其原因"}
	ToolsNone1      = Msg{"there is no tool named '%s'; see: hermes tools list", "没有名为 '%s' 的工具；请查看：hermes tools list"}
	ToolsEnabled    = Msg{"enabled", "启用"}
	ToolsDisabled   = Msg{"disabled", "禁用"}
	ToolsOffered    = Msg{"%s is offered to the model:", "%s 会提供给模型："}
	ToolsNotOffered = Msg{"%s is not offered to the model:", "%s 不会提供给模型："}
	WhyOn           = Msg{"the toolset %s is enabled", "工具集 %s 已启用"}
	WhyOnly         = Msg{"--toolsets names %s", "--toolsets 包含 %s"}
	WhyNotNamed     = Msg{"--toolsets does not name its toolset %s", "--toolsets 不包含其工具集 %s"}
	WhyDisabled     = Msg{"agent.disabled_toolsets names its toolset %s", "agent.disabled_toolsets 包含其工具集 %s"}
	WhyDefaultOff   = Msg{"the toolset %s is off until it is enabled: hermes tools enable %s", "工具集 %s 默认关闭，可启用：hermes tools enable %s"}
	WhyUnlisted     = Msg{"platform_toolsets.cli does not list its toolset %s: hermes tools enable %s", "platform_toolsets.cli 不包含其工具集 %s：hermes tools enable %s"}
	WhyCheck        = Msg{"its check says no: %s", "其可用性检查未通过：%s"}
	WhyCheckOK      = Msg{"its check agrees", "其可用性检查通过"}
	WhySmall        = Msg{"the context window of %d tokens has no room for it; name its toolset with --toolsets", "上下文窗口只有 %d 个 token，容不下它；可用 --toolsets 指定其工具集"}

	// hermes model, fallback, setup.
	ModelShort      = Msg{"show or set the model", "查看或设置模型"}
	ModelBase       = Msg{"address of the service, for custom ones", "自定义服务的地址"}
	ModelList       = Msg{"list providers, or the models of one", "列出服务商，或某个服务商的模型"}
	ModelRefresh    = Msg{"ask the service again", "重新向服务查询"}
	ModelNothing    = Msg{"no model is configured: the built-in demo model answers; connect one with: hermes setup", "尚未配置模型，由内置演示模型作答；可用 hermes setup 连接模型"}
	ModelHow        = Msg{"set another with: hermes model NAME [--provider NAME]; see: hermes model list", "更换模型：hermes model 名称 [--provider 名称]；查看列表：hermes model list"}
	ModelKept       = Msg{"✓ Model %s (%s) saved in %s", "✓ 模型 %s（%s）已保存到 %s"}
	FallbackShort   = Msg{"models that stand in when the main one fails", "主模型失败时的备用模型"}
	FallbackList    = Msg{"list them in their order", "按顺序列出"}
	FallbackAdd     = Msg{"append one", "追加一个"}
	FallbackRemove  = Msg{"take out the one of this number", "按编号移除一个"}
	FallbackClear   = Msg{"take out all", "全部移除"}
	FallbackNone    = Msg{"No fallback providers configured. Add one with: hermes fallback add MODEL --provider NAME", "没有配置备用模型。可添加：hermes fallback add 模型 --provider 名称"}
	FallbackNeeds   = Msg{"say whose model it is: --provider NAME (see: hermes model list)", "请指明服务商：--provider 名称（查看：hermes model list）"}
	FallbackUnknown = Msg{"there is no provider '%s'; see: hermes model list", "没有服务商 '%s'；请查看：hermes model list"}
	FallbackNumber  = Msg{"there is no entry %s; see: hermes fallback list", "没有第 %s 项；请查看：hermes fallback list"}
	FallbackAdded   = Msg{"✓ Added: %s (%s)", "✓ 已添加：%s（%s）"}
	FallbackRemoved = Msg{"✓ Removed: %d", "✓ 已移除：第 %d 项"}
	FallbackCleared = Msg{"✓ No fallback providers any more", "✓ 已清空备用模型"}
	SetupShort      = Msg{"connect a model: provider, key, model", "连接模型：服务商、密钥、模型"}
	SetupKeyIn      = Msg{"read the key from standard input", "从标准输入读取密钥"}
	SetupNeeds      = Msg{"without a terminal setup needs --provider NAME and --model NAME, and --key-stdin for a key", "没有终端时需要 --provider 名称和 --model 名称，密钥用 --key-stdin 读取"}
	SetupProvider   = Msg{"Provider (number or name)", "服务商（编号或名称）"}
	SetupModel      = Msg{"Model", "模型"}
	SetupBase       = Msg{"Address of the service (ends in /v1 as a rule)", "服务地址（通常以 /v1 结尾）"}
	SetupKey        = Msg{"Key for %s (not shown):", "%s 的密钥（不显示）："}
	SetupNoKey      = Msg{"no key was given for %s", "没有提供 %s 的密钥"}
	SetupNoModel    = Msg{"no model was named: --model NAME", "没有指定模型：--model 名称"}

	// hermes memory.
	MemoryShort     = Msg{"what is remembered between sessions", "跨会话的记忆"}
	MemoryStatus    = Msg{"show what is stored", "查看已存内容"}
	MemoryReset     = Msg{"erase MEMORY.md and USER.md", "清除 MEMORY.md 和 USER.md"}
	MemoryOff       = Msg{"use the built-in memory alone", "只使用内置记忆"}
	MemoryChars     = Msg{"%d of %d characters", "%d / %d 个字符"}
	MemoryBuiltin   = Msg{"built-in", "内置"}
	MemoryTarget    = Msg{"all, memory or user", "all、memory 或 user"}
	MemoryBadTarget = Msg{"--target '%s' is not one of all, memory, user", "--target '%s' 不是 all、memory、user 之一"}
	MemoryAskReset  = Msg{"Erase what is remembered in %s?", "清除 %s 中的记忆？"}
	MemoryErased    = Msg{"✓ Erased %s", "✓ 已清除 %s"}
	MemoryOffDone   = Msg{"✓ Built-in memory only", "✓ 只使用内置记忆"}

	// hermes checkpoints.
	CheckpointsShort = Msg{"kept states of files", "已保存的文件状态"}
	CheckpointsState = Msg{"show what is kept", "查看已保存的内容"}
	CheckpointsPrune = Msg{"remove those of folders that are gone or were not used lately", "移除目录已不存在或久未使用的检查点"}
	CheckpointsClear = Msg{"remove all", "全部移除"}
	CheckpointsBase  = Msg{"Checkpoint base: %s\nTotal size:      %s\nProjects:        %d", "检查点目录：     %s\n总大小：         %s\n项目数：         %d"}
	// CheckpointsRow takes the number of states, the folder and when it was used.
	CheckpointsRow    = Msg{"  %3d  %s  (%s)", "  %3d  %s（%s）"}
	CheckpointsGone   = Msg{"gone", "已不存在"}
	CheckpointsPruned = Msg{"✓ Removed %d project(s), freed %s", "✓ 已移除 %d 个项目，释放 %s"}
	CheckpointsAsk    = Msg{"Remove every checkpoint (%s)?", "移除全部检查点（%s）？"}
	CheckpointsDone   = Msg{"✓ Removed %s", "✓ 已移除 %s"}

	// hermes profile.
	ProfileShort     = Msg{"homes for different uses", "用于不同用途的配置档"}
	ProfileList      = Msg{"list profiles", "列出配置档"}
	ProfileShow      = Msg{"show one", "查看一个配置档"}
	ProfileUse       = Msg{"use one from now on", "今后使用此配置档"}
	ProfileCreate    = Msg{"make one", "新建配置档"}
	ProfileDelete    = Msg{"delete one with all that it holds", "删除配置档及其全部内容"}
	ProfileRename    = Msg{"rename one", "给配置档改名"}
	ProfileClone     = Msg{"take over settings, keys and SOUL.md of the current one", "沿用当前配置档的设置、密钥和 SOUL.md"}
	ProfileCloneFrom = Msg{"take them over from this one", "从此配置档沿用"}
	ProfileNone      = Msg{"Profile '%s' does not exist. Create it with: hermes profile create %s", "配置档 '%s' 不存在。可创建：hermes profile create %s"}
	ProfileMissing   = Msg{"there is no such profile; see: hermes profile list", "没有此配置档；请查看：hermes profile list"}
	ProfileBadName   = Msg{"Invalid profile name. Must match [a-z0-9][a-z0-9_-]{0,63}", "配置档名称无效，须符合 [a-z0-9][a-z0-9_-]{0,63}"}
	ProfileExists    = Msg{"the profile is there already", "配置档已存在"}
	ProfileDefault   = Msg{"the default profile cannot be renamed or deleted", "默认配置档不能改名或删除"}
	ProfileUsed      = Msg{"Switched to: %s", "已切换到：%s"}
	ProfileCreated   = Msg{"Profile '%s' created at %s", "配置档 '%s' 已创建：%s"}
	ProfileNext      = Msg{"next: hermes -p %s setup, or: hermes profile use %s", "接下来：hermes -p %s setup，或：hermes profile use %s"}
	ProfileAskDelete = Msg{"Delete profile '%s' with its settings, keys, memories and sessions (%s)?", "删除配置档 '%s' 及其设置、密钥、记忆和会话（%s）？"}
	ProfileDeleted   = Msg{"Profile '%s' deleted.", "配置档 '%s' 已删除。"}
	ProfileRenamed   = Msg{"Profile renamed: %s → %s", "配置档已改名：%s → %s"}

	// hermes prompt-size, insights.
	PromptSize     = Msg{"how much of a request prompt and tools take", "提示词和工具占用的请求大小"}
	PromptSizeOf   = Msg{"what every request to %s carries before the conversation (window %d tokens; 0: unknown)", "每次请求 %s 时在对话之前的固定内容（窗口 %d 个 token；0 表示未知）"}
	PromptSystem   = Msg{"system prompt", "系统提示词"}
	PromptTools    = Msg{"%d tools", "%d 个工具"}
	PromptTotal    = Msg{"together", "合计"}
	InsightsShort  = Msg{"what sessions used in the last days", "最近会话的用量统计"}
	InsightsDays   = Msg{"how many days", "天数"}
	InsightsSource = Msg{"only sessions of this kind (cli, tui, …)", "只统计此类会话（cli、tui 等）"}
	InsightsNone   = Msg{"No sessions found in the last %d days.", "最近 %d 天没有会话。"}
	InsightsHead   = Msg{"the last %d days", "最近 %d 天"}
	InsightsTotals = Msg{"%d sessions, %d messages, %d tool calls", "%d 个会话，%d 条消息，%d 次工具调用"}
	InsightsTokens = Msg{"%d tokens in, %d out, %d from the cache", "输入 %d、输出 %d、缓存 %d 个 token"}
	InsightsModels = Msg{"models (sessions)", "模型（会话数）"}
	InsightsTools  = Msg{"tools (calls)", "工具（调用次数）"}
	InsightsDaily  = Msg{"days (sessions)", "日期（会话数）"}

	// hermes status, dump, doctor, reset-terminal.
	StatusShort     = Msg{"what is set up", "查看当前状态"}
	StatusVersion   = Msg{"version", "版本"}
	StatusHome      = Msg{"home", "主目录"}
	StatusProfile   = Msg{"profile", "配置档"}
	StatusModel     = Msg{"model", "模型"}
	StatusURL       = Msg{"service", "服务"}
	StatusKeys      = Msg{"keys", "密钥"}
	StatusPython    = Msg{"Python", "Python"}
	StatusPlugins   = Msg{"plugins", "插件"}
	StatusPluginsN  = Msg{"%d enabled of %d", "已启用 %d 个，共 %d 个"}
	StatusSessions  = Msg{"sessions", "会话"}
	StatusSessionsN = Msg{"%d (%d messages)", "%d 个（%d 条消息）"}
	DumpShort       = Msg{"a summary for a bug report, without secrets", "用于报告问题的摘要，不含密钥"}
	DoctorShort     = Msg{"find what is wrong and how to mend it", "找出问题及解决办法"}
	DoctorFix       = Msg{"mend what needs no choice", "自动修复无需选择的问题"}
	DoctorDeep      = Msg{"ask the configured service, too", "同时检查已配置的服务"}
	DoctorFiles     = Msg{"Files", "文件"}
	DoctorModel     = Msg{"Model", "模型"}
	DoctorSessions  = Msg{"Sessions", "会话"}
	DoctorPrograms  = Msg{"Programs", "程序"}
	DoctorPlugins   = Msg{"Plugins", "插件"}
	DoctorHomeFix   = Msg{"give yourself the right to write %s, or set HERMES_HOME", "请取得 %s 的写入权限，或设置 HERMES_HOME"}
	DoctorConfigFix = Msg{"hermes config edit", "hermes config edit"}
	DoctorNoEnv     = Msg{"there is none", "不存在"}
	DoctorEnvOpen   = Msg{"others may read your keys (mode %#o)", "其他用户可以读取您的密钥（权限 %#o）"}
	DoctorNotAsked  = Msg{"configured; with --deep the service is asked", "已配置；加 --deep 会检查服务"}
	DoctorModelFix  = Msg{"check the key and that %s can be reached", "请检查密钥，以及能否访问 %s"}
	DoctorNoState   = Msg{"nothing is stored yet", "尚无内容"}
	DoctorMissing   = Msg{"not found", "未找到"}
	DoctorGitFix    = Msg{"install git: checkpoints and the branch in the status line need it", "请安装 git：检查点和状态栏的分支需要它"}
	DoctorRgFix     = Msg{"install ripgrep: searching in large folders is faster with it", "请安装 ripgrep：在大目录中搜索会更快"}
	DoctorPythonFix = Msg{"install Python 3.9 or later, or set plugins.python; everything but plugins works without", "请安装 Python 3.9 或更高版本，或设置 plugins.python；除插件外其他功能不受影响"}
	DoctorLoaded    = Msg{"%d loaded", "已加载 %d 个"}
	DoctorMended    = Msg{"mended", "已修复"}
	DoctorSound     = Msg{"nothing is wrong", "没有发现问题"}
	DoctorFound     = Msg{"%d thing(s) to look at", "有 %d 项需要注意"}
	ResetTerminal   = Msg{"give the terminal back after the program was killed", "程序被强制结束后恢复终端"}
	ResetNoTerminal = Msg{"standard output is not a terminal", "标准输出不是终端"}
)
