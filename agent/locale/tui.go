package locale

// Texts of the full-screen interface: the conversation and the composer.
var (
	UIYou       = Msg{"you", "您"}
	UIDemoModel = Msg{"demo model", "演示模型"}
	UIDemoAbout = Msg{"(no API key set)", "（未设置密钥）"}
	UIThinking  = Msg{"thinking", "思考中"}
	UIThought   = Msg{"thought", "思考过程"}
	UITokens    = Msg{"%d tokens", "%d 个 token"}
	UIMoreLines = Msg{"%d more lines", "还有 %d 行"}
	UIShownOf   = Msg{"the first %s of %s are shown", "仅显示前 %s，共 %s"}
	UIMoreOf    = Msg{"more, %s in all", "还有更多，共 %s"}
	UIRunning   = Msg{"running", "运行中"}
	UIAnswering = Msg{"answering", "回答中"}

	UIBlocked   = Msg{"blocked", "已拦截"}
	UIDenied    = Msg{"denied", "已拒绝"}
	UICancelled = Msg{"cancelled", "已取消"}
	UITimeout   = Msg{"timed out", "超时"}
	UIFailed    = Msg{"failed", "失败"}

	UIInterrupted  = Msg{"interrupted", "已中断"}
	UILimit        = Msg{"stopped: the limit of %d requests for one message is used up", "已停止：一条消息最多 %d 次请求，已经用完"}
	UITurnFailed   = Msg{"the answer failed", "回答失败"}
	UIRetry        = Msg{"%s — trying again in %s (%d of %d)", "%s，%s 后重试（第 %d 次，共 %d 次）"}
	UIRetryShort   = Msg{"retry %d of %d", "重试 %d/%d"}
	UIPluginTurned = Msg{"plugin %s: %s", "插件 %s：%s"}

	UIHook        = Msg{"hook", "钩子"}
	UIHookOK      = Msg{"ok", "正常"}
	UIHookTimeout = Msg{"timeout, went on", "超时，已继续"}
	UIHookBlock   = Msg{"BLOCK «%s»", "拦截「%s」"}
	UIHookContext = Msg{"context", "上下文"}
	UIHookChanged = Msg{"changed", "已修改"}
	UIHookLate    = Msg{"late, dropped", "过晚，已丢弃"}
	UIHookSkipped = Msg{"skipped", "已跳过"}

	UIHookLateShort = Msg{"late", "过晚"}
	UIHooksRan      = Msg{"hooks %d ran", "钩子运行 %d 次"}
	UITimeouts      = Msg{"%d timed out", "%d 次超时"}
	UIErrors        = Msg{"%d errors", "%d 个错误"}
	UISkipKey       = Msg{"(Alt+S skips)", "（Alt+S 跳过）"}

	UIPasted         = Msg{"[Pasted text #%d: %d lines]", "[粘贴的文本 #%d：%d 行]"}
	UIHistory        = Msg{"history", "历史"}
	UINewRows        = Msg{"%d new rows (End)", "%d 行新内容 (End)"}
	UITooSmall       = Msg{"window below %dx%d: make it larger; your draft is kept", "窗口小于 %dx%d：请放大，草稿已保留"}
	UIHistoryUnread  = Msg{"the history of earlier sessions cannot be read: %v", "无法读取以前的历史：%v"}
	UIHistoryUnsaved = Msg{"the history cannot be saved: %v", "无法保存历史：%v"}
	UINoTheme        = Msg{"there is no skin named %v: the one before stays", "没有名为 %v 的皮肤：保持原样"}
	UIThemeUnread    = Msg{"the skin cannot be used: %v", "无法使用皮肤：%v"}
	UISuspendFailed  = Msg{"the program cannot be suspended: %v", "无法挂起程序：%v"}
	UINoSuspend      = Msg{"there is no shell to suspend to", "没有可以返回的命令行，无法挂起"}
	UIQuitArmed      = Msg{"Ctrl+C again quits", "再按 Ctrl+C 退出"}
	UIQueuedN        = Msg{"queued %d:", "排队 %d："}
	UIQueueEdit      = Msg{"↑ edit", "↑ 编辑"}
	UIQueueKeys      = Msg{"Enter keep · Ctrl+X remove · Esc leave", "Enter 保存 · Ctrl+X 删除 · Esc 取消"}
)

// Texts of the status line and of the row of key hints.
var (
	UIReady           = Msg{"ready", "就绪"}
	UIWaitingForYou   = Msg{"waiting for you", "等待您的回答"}
	UIPlugins         = Msg{"plugins", "插件"}
	UIHooks           = Msg{"hooks", "钩子"}
	UITools           = Msg{"tools", "工具"}
	UIHelp            = Msg{"help", "帮助"}
	UIModel           = Msg{"model", "模型"}
	UIToolsets        = Msg{"toolsets", "工具集"}
	UISession         = Msg{"session %s", "会话 %s"}
	UISessionNew      = Msg{", new", "，新"}
	UIQueueCount      = Msg{"queue %d", "排队 %d"}
	UITurnTime        = Msg{"turn %s", "本轮 %s"}
	UIStopKey         = Msg{"Esc Esc stop", "Esc Esc 停止"}
	UISkipKeyShort    = Msg{"Alt+S skip", "Alt+S 跳过"}
	UIToolCount       = Msg{"%d tools", "%d 个工具"}
	UIPluginsStarting = Msg{"plugins starting", "插件启动中"}
	UIHostPid         = Msg{"host pid %d", "宿主进程 %d"}
	UIRestarts        = Msg{"%d restarts", "重启 %d 次"}
	UIHostAbsent      = Msg{"Python not found: plugins are off", "找不到 Python：插件已关闭"}
	UIHostRestarting  = Msg{"plugins restarting", "插件正在重启"}
	UIHostStopped     = Msg{"plugins stopped (F2, r)", "插件已停止 (F2, r)"}
	UIKeyCommands     = Msg{"commands", "命令"}
	UIKeyFilesShort   = Msg{"files", "文件"}
	UIKeyPaletteShort = Msg{"palette", "全部"}
	UIHintsIdle       = Msg{
		"Enter send · Alt+Enter newline · / commands · @ files · Ctrl+F find · Ctrl+P palette · F2 plugins · F3 hooks · F1 help",
		"Enter 发送 · Alt+Enter 换行 · / 命令 · @ 文件 · Ctrl+F 查找 · Ctrl+P 全部 · F2 插件 · F3 钩子 · F1 帮助",
	}
	UIHintsRunning = Msg{
		"Enter queue · Alt+Enter newline · Esc Esc stop · Ctrl+O fold all · F2 plugins · F3 hooks · Ctrl+F find · F1 help",
		"Enter 排队 · Alt+Enter 换行 · Esc Esc 停止 · Ctrl+O 折叠 · F2 插件 · F3 钩子 · Ctrl+F 查找 · F1 帮助",
	}
	UIHintsReading = Msg{
		"↑/↓ choose · Enter fold or unfold · y copy · v range · Ctrl+O all · End newest · Esc back",
		"↑/↓ 选择 · Enter 折叠或展开 · y 复制 · v 选择范围 · Ctrl+O 全部 · End 最新 · Esc 返回",
	}
)

// Texts of the banner.
var (
	UIMoreSets      = Msg{"%d more sets, %d tools in all (F4)", "还有 %d 个工具集，共 %d 个工具 (F4)"}
	UIMorePlugins   = Msg{"%d more (F2)", "还有 %d 个 (F2)"}
	UINoPlugins     = Msg{"no plugins: copy one to ~/.hermes/plugins (F2 tells more)", "没有插件：复制一个到 ~/.hermes/plugins（按 F2 了解更多）"}
	UICountOK       = Msg{"%d ok", "%d 正常"}
	UICountPartial  = Msg{"%d partial", "%d 部分可用"}
	UICountStarting = Msg{"%d starting", "%d 启动中"}
	UICountPaused   = Msg{"%d paused", "%d 已暂停"}
	UICountNeedsKey = Msg{"%d disabled", "%d 已禁用"}
	UICountFailed   = Msg{"%d FAILED", "%d 失败"}
	UICountOff      = Msg{"%d off", "%d 未启用"}
	UICountSkipped  = Msg{"%d skipped", "%d 已跳过"}
	UIOfferFound    = Msg{"not enabled", "未启用"}
	UIOfferExample  = Msg{"example", "示例"}
	UIOfferKey      = Msg{"%s enables it", "%s 启用"}
)

// Texts of the slash menu.
var (
	UIMenuTitle       = Msg{"%d of %d · Tab complete · Enter run · Esc close", "%d / %d · Tab 补全 · Enter 运行 · Esc 关闭"}
	UIMenuTitleShort  = Msg{"%d of %d", "%d / %d"}
	UIMenuKeys        = Msg{"↑/↓ choose · Tab or → take · Enter run · Esc close", "↑/↓ 选择 · Tab 或 → 采用 · Enter 运行 · Esc 关闭"}
	UIMenuPlugin      = Msg{"plugin %s", "插件 %s"}
	UIMenuBuiltin     = Msg{"built in", "内置"}
	UIMenuBuiltinLong = Msg{"built in", "内置"}
	UIMenuInText      = Msg{"found in description (%s):", "描述中找到（%s）："}
	UIMenuAlias       = Msg{"alias /%s", "别名 /%s"}
	UIMenuAliases     = Msg{"also %s", "也可用 %s"}
	UIMenuUsage       = Msg{"usage", "用法"}
	UIMenuOwner       = Msg{"owner", "来源"}
	UIMenuNext        = Msg{"next", "下一步"}
	UIMenuNextRun     = Msg{"Enter runs «%s»", "Enter 运行「%s」"}
	UIMenuNextArg     = Msg{"Tab inserts «%s» and waits for %s", "Tab 填入「%s」，然后等待 %s"}
	UIMenuLastOK      = Msg{"last run ok, %s", "上次运行正常，%s"}
	UIMenuLastFailed  = Msg{"last run failed", "上次运行失败"}
)

// Texts of the side panel and of the pages.
var (
	UIPluginsTitle     = Msg{"Plugins", "插件"}
	UIHooksTitle       = Msg{"Hooks", "钩子"}
	UIToolsTitle       = Msg{"Tools", "工具"}
	UIToolsetsTitle    = Msg{"Toolsets", "工具集"}
	UIThisTurn         = Msg{"This turn", "本轮"}
	UIQueue            = Msg{"Queue", "排队"}
	UIHookEvents       = Msg{"Hook events", "钩子事件"}
	UIEvent            = Msg{"Event", "事件"}
	UILive             = Msg{"live", "实时"}
	UIOf               = Msg{"%s of %s", "%s / %s"}
	UIOrigins          = Msg{"%d user · %d bundled", "用户 %d · 自带 %d"}
	UIFrozen           = Msg{"frozen, %d new", "已冻结，新增 %d"}
	UIFilter           = Msg{"filter", "筛选"}
	UIBack             = Msg{"back to chat", "返回对话"}
	UIBackToList       = Msg{"back to list", "返回列表"}
	UINothingMatches   = Msg{"nothing matches the filter", "没有符合筛选条件的内容"}
	UIElapsed          = Msg{"elapsed", "用时"}
	UIInOut            = Msg{"in / out", "输入 / 输出"}
	UIContext          = Msg{"context", "上下文"}
	UICost             = Msg{"cost", "费用"}
	UIBackground       = Msg{"%d running", "%d 个后台运行"}
	UIHookTime         = Msg{"hook time", "钩子用时"}
	UINoPluginsShort   = Msg{"none yet (F2)", "还没有 (F2)"}
	UINeedsKeyShort    = Msg{"needs %s", "需要 %s"}
	UICalls            = Msg{"%d calls", "%d 次调用"}
	UIRuns             = Msg{"%d runs", "%d 次运行"}
	UIErrShort         = Msg{"%d err", "%d 错误"}
	UIHookRuns         = Msg{"%d hook runs", "钩子 %d 次"}
	UITools2           = Msg{"%d tools", "%d 个工具"}
	UIHooks2           = Msg{"%d hooks", "%d 个钩子"}
	UICommands2        = Msg{"%d commands", "%d 个命令"}
	UIRegistersNothing = Msg{"registers nothing", "没有注册任何内容"}
	UIHooksNone        = Msg{"waiting for the first event", "等待第一个事件"}
	UIHooksUnused      = Msg{"no plugin uses hooks", "没有插件使用钩子"}
	UIHooksWaiting     = Msg{"waiting for the first event; these listen:", "等待第一个事件；正在监听的有："}

	UIStateFailed   = Msg{"failed", "失败"}
	UIStateCrashed  = Msg{"crashed", "已崩溃"}
	UIStateNeedsKey = Msg{"needs key", "缺少密钥"}
	UIStateFailing  = Msg{"failing", "频繁出错"}
	UIStateSlow     = Msg{"slow hooks", "钩子缓慢"}
	UIStatePartial  = Msg{"partial", "部分可用"}
	UIStatePaused   = Msg{"paused", "已暂停"}
	UIStateStarting = Msg{"starting", "启动中"}
	UIStateOK       = Msg{"ok", "正常"}
	UIStateOff      = Msg{"off", "未启用"}
	UIStateSkipped  = Msg{"skipped", "已跳过"}
	UIEnabling      = Msg{"enabling …", "启用中 …"}
	UIDisabling     = Msg{"disabling…", "停用中 …"}
	UIPending       = Msg{"asked for; waiting for the plugin host", "已请求，等待插件宿主"}

	UIPluginsHead  = Msg{"user %d · bundled %d", "用户 %d · 自带 %d"}
	UIBundledShow  = Msg{" (b shows)", "（b 显示）"}
	UIBundledHide  = Msg{" (b hides)", "（b 隐藏）"}
	UISort         = Msg{"sort: %s", "排序：%s"}
	UIScanning     = Msg{"looking for plugins …", "正在查找插件 …"}
	UIPluginsEmpty = Msg{
		"No plugins yet. Two ways to get one:\n  copy its folder to ~/.hermes/plugins, then enable it here with Space\n  enable one of the examples that come with the program (b shows them)",
		"还没有插件。获取插件的两种方法：\n  把插件文件夹复制到 ~/.hermes/plugins，然后在这里按空格启用\n  启用程序自带的示例（按 b 显示）",
	}
	UIPluginsKeys = Msg{
		"Enter details  Space on/off  r reload  e error  l log  h hooks",
		"Enter 详情  空格 启用/停用  r 重新加载  e 错误  l 日志  h 钩子",
	}
	UIPluginsKeys2 = Msg{"/ filter  s sort  ←/→ tabs", "/ 筛选  s 排序  ←/→ 标签页"}
	UIPluginsKeyB  = Msg{"b bundled", "b 自带"}
	UIPluginKeys   = Msg{
		"Space on/off  r reload  e errors  l log  h in hook events  ←/→ or 1-9 tabs  ↑/↓ scroll",
		"空格 启用/停用  r 重新加载  e 错误  l 日志  h 钩子事件  ←/→ 或 1-9 标签页  ↑/↓ 滚动",
	}
	UIColName           = Msg{"name", "名称"}
	UIColVersion        = Msg{"ver", "版本"}
	UIColState          = Msg{"state", "状态"}
	UIColTools          = Msg{"tools", "工具"}
	UIColHooks          = Msg{"hooks", "钩子"}
	UIColCommands       = Msg{"cmds", "命令"}
	UIColCalls          = Msg{"calls", "调用"}
	UIColErrors         = Msg{"err", "错误"}
	UIColHookP95        = Msg{"hook p95", "钩子 p95"}
	UIColLoad           = Msg{"load", "加载"}
	UIColHook           = Msg{"hook", "钩子"}
	UIColRuns           = Msg{"runs", "次数"}
	UIColLast           = Msg{"last", "最近"}
	UIColTime           = Msg{"time", "时间"}
	UIColPluginCallback = Msg{"plugin · callback", "插件 · 回调"}
	UIColTook           = Msg{"took", "用时"}
	UIColResult         = Msg{"result", "结果"}
	UIColToolset        = Msg{"toolset / tool", "工具集 / 工具"}
	UIColOn             = Msg{"on", "启用"}
	UIColFrom           = Msg{"from", "来源"}
	UIColNeeds          = Msg{"needs", "需要"}
	UIColTokens         = Msg{"tokens", "token"}

	UITabOver     = Msg{"Over", "概览"}
	UITabTools    = Msg{"Tools", "工具"}
	UITabHooks    = Msg{"Hooks", "钩子"}
	UITabCommands = Msg{"Cmds", "命令"}
	UITabEnv      = Msg{"Env", "环境"}
	UITabErrors   = Msg{"Err", "错误"}
	UITabLog      = Msg{"Log", "日志"}

	UIAbout           = Msg{"about", "简介"}
	UIAuthor          = Msg{"author", "作者"}
	UIPath            = Msg{"path", "路径"}
	UILoaded          = Msg{"loaded", "加载"}
	UINever           = Msg{"never", "从未"}
	UILoadedIn        = Msg{"in %s", "用时 %s"}
	UIImportRegister  = Msg{"  (import %s, register %s)", "  （导入 %s，注册 %s）"}
	UIRegisters       = Msg{"registers", "注册"}
	UIToolsRan        = Msg{"ran", "运行"}
	UIHooksRanTitle   = Msg{"hooks", "钩子"}
	UILastMs          = Msg{"last %s", "最近 %s"}
	UILogTitle        = Msg{"log", "日志"}
	UILogLines        = Msg{"%d lines (l)", "%d 行 (l)"}
	UILogLost         = Msg{"%d older lines are gone", "更早的 %d 行已丢弃"}
	UIEnableHow       = Msg{"not enabled: Space enables it here, `hermes plugins enable %s` in a shell", "未启用：在这里按空格启用，或在命令行运行 `hermes plugins enable %s`"}
	UIKindTool        = Msg{"tool", "工具"}
	UIKindHook        = Msg{"hook", "钩子"}
	UIKindCommand     = Msg{"command", "命令"}
	UILastError       = Msg{"last error", "最近错误"}
	UIErrorKey        = Msg{"(e traceback)", "（e 查看回溯）"}
	UIInFunction      = Msg{"%s in %s", "%s，函数 %s"}
	UINotYet          = Msg{"not yet", "尚未运行"}
	UINoHooks         = Msg{"listens to no hooks", "没有监听钩子"}
	UINoCommands      = Msg{"no commands", "没有命令"}
	UINoEnv           = Msg{"nothing required", "无需环境变量"}
	UINoErrors        = Msg{"no errors", "没有错误"}
	UINoLog           = Msg{"nothing printed yet", "还没有输出"}
	UISet             = Msg{"set", "已设置"}
	UINotSet          = Msg{"not set", "未设置"}
	UILimitOf         = Msg{"limit %s", "限时 %s"}
	UIReturnedContext = Msg{"returned context in %d of %d runs", "返回上下文 %d 次，共 %d 次"}
	UILoadTimes       = Msg{"Load order and time", "加载顺序与用时"}
	UIHookChain       = Msg{"Hook chain", "钩子链"}
	UIEventCount      = Msg{"%d events", "%d 个事件"}
	UISlowCount       = Msg{"%d slow", "%d 个缓慢"}
	UIIn              = Msg{"in", "输入"}
	UIOut             = Msg{"out", "输出"}
	UIRaised          = Msg{"raised %s", "抛出 %s"}
	UIOthersRan       = Msg{"others on this hook: %s", "同一钩子的其他回调：%s"}
	UITurnID          = Msg{"turn %s", "轮次 %s"}
	UIHooksKeys       = Msg{
		"Space freeze   e errors  s slow  b blocked/changed  a all   / filter",
		"空格 冻结   e 错误  s 缓慢  b 拦截/修改  a 全部   / 筛选",
	}
	UIHooksKeys2   = Msg{"Enter payload  p plugin  hook: plugin: result: turn: dur>", "Enter 内容  p 插件  hook: plugin: result: turn: dur>"}
	UIToolsHead    = Msg{"%d toolsets · %d tools", "%d 个工具集 · %d 个工具"}
	UISchemaTokens = Msg{"%s tokens of schemas", "%s token 的工具描述"}
	UIToolsKeys    = Msg{"Enter fold, schema  p its plugin  / filter", "Enter 折叠、查看描述  p 所属插件  / 筛选"}
	UINoTools      = Msg{"no tools yet", "还没有工具"}
	UIToolHidden   = Msg{"not offered to the model: %s", "不提供给模型：%s"}
	UIParameters   = Msg{"parameters", "参数"}
	UIRequired     = Msg{"required", "必填"}
	UISchemaKey    = Msg{"(Enter shows the schema as sent)", "（Enter 查看发送的描述）"}

	UIHelpTitle = Msg{"Keys", "按键"}
)

// Texts of the help page.
var (
	UIHelpCompose = Msg{"Writing", "输入"}
	UIHelpTurn    = Msg{"While an answer is given", "回答过程中"}
	UIHelpRead    = Msg{"Reading", "阅读"}
	UIHelpViews   = Msg{"Views", "视图"}

	UIKeySend      = Msg{"send; while a turn runs: queue", "发送；回答过程中：排队"}
	UIKeyNewline   = Msg{"new line (Shift+Enter where the terminal tells it apart)", "换行（终端支持时也可用 Shift+Enter）"}
	UIKeyUpDown    = Msg{"line, then queued messages, then history", "移动行，然后是排队消息，然后是历史"}
	UIKeySearch    = Msg{"search the history", "搜索历史"}
	UIKeyLineEnds  = Msg{"start and end of the line", "行首和行尾"}
	UIKeyWords     = Msg{"by words", "按词移动"}
	UIKeyDelete    = Msg{"delete word, to the start, to the end of the line", "删除词、删除到行首、删除到行尾"}
	UIKeyYank      = Msg{"put back what was deleted", "恢复删除的内容"}
	UIKeyEditor    = Msg{"the draft in your editor ($VISUAL, $EDITOR); nothing is sent", "在您的编辑器中编辑草稿（$VISUAL、$EDITOR）；不会发送"}
	UIKeySlash     = Msg{"commands; Tab completes, Enter runs", "命令；Tab 补全，Enter 运行"}
	UIKeyTab       = Msg{"to the conversation and back", "进入对话区或返回"}
	UIKeyInterrupt = Msg{"interrupt; when idle: bring back the last message", "中断；空闲时：取回上一条消息"}
	UIKeyStop      = Msg{"interrupt, then clear the draft, then quit", "中断，然后清空草稿，然后退出"}
	UIKeyLeave     = Msg{"quit when nothing is typed (twice while a turn runs)", "未输入内容时退出（回答过程中需按两次）"}
	UIKeySkip      = Msg{"skip the hook that the status line names", "跳过状态栏中的钩子"}
	UIKeyDrop      = Msg{"remove the queued message that is edited", "删除正在编辑的排队消息"}
	UIKeyPage      = Msg{"scroll by a page", "翻页"}
	UIKeyRow       = Msg{"scroll by a row (or the wheel)", "滚动一行（或用滚轮）"}
	UIKeyEnds      = Msg{"first and newest row", "最早一行和最新一行"}
	UIKeyFold      = Msg{"fold or unfold all tool cards (click: one)", "折叠或展开所有工具卡片（点击：单个）"}
	UIKeyHelp      = Msg{"this page", "本页"}
	UIKeyPlugins   = Msg{"plugins: state, figures, errors, log; on and off", "插件：状态、数据、错误、日志；启用和停用"}
	UIKeyPanel     = Msg{"side panel (from 110 columns)", "侧栏（至少 110 列）"}
	UIKeyHooks     = Msg{"hook events: what ran, how long, what it did", "钩子事件：运行了什么、用时、效果"}
	UIKeyTools     = Msg{"tools and their schemas", "工具及其描述"}
	UIKeyOffer     = Msg{"enable a plugin that the banner offers", "启用横幅中提供的插件"}
	UIKeyRepaint   = Msg{"repaint the screen", "重绘屏幕"}
	UIKeySuspend   = Msg{"suspend the program", "挂起程序"}
)

// Texts of the search through the conversation.
var (
	UIFind      = Msg{"find", "查找"}
	UIFindCount = Msg{"%d of %d", "%d / %d"}
	UIFindNone  = Msg{"not found", "未找到"}
	UIHintsFind = Msg{
		"Enter or n older · Shift+Enter or N newer · Esc back to the old place · Tab stay here",
		"Enter 或 n 上一个 · Shift+Enter 或 N 下一个 · Esc 回到原处 · Tab 留在此处",
	}
	UIKeyFind = Msg{"find in the conversation; Enter n N go on, Esc goes back", "在对话中查找；Enter、n、N 跳转，Esc 返回原处"}
)

// Texts of asking for a plugin's key.
var (
	UIKeyAsk      = Msg{"%s for %s", "%[2]s 的 %[1]s"}
	UIKeyAskText  = Msg{"It is kept in ~/.hermes/.env, readable for you alone; the plugin is loaded anew.", "将保存到 ~/.hermes/.env，仅您可读；插件会重新加载。"}
	UIKeyGive     = Msg{"the value (not shown)", "输入值（不显示）"}
	UIKeySaved    = Msg{"%s is kept in %s; the plugins are loaded anew", "%s 已保存到 %s；正在重新加载插件"}
	UIKeyNotSaved = Msg{"%s was not kept: %v", "%s 未保存：%v"}
	UIPluginsKeyK = Msg{"k set key", "k 设置密钥"}
)

// Texts of the files and of the palette.
var (
	UIFilesTitle    = Msg{"@%s", "@%s"}
	UIFilesKeys     = Msg{"%d of %d · Tab take · Esc close", "%d / %d · Tab 采用 · Esc 关闭"}
	UIFilesKeysMore = Msg{"%d of the first %d · Tab take · Esc close", "前 %[2]d 个中的 %[1]d 个 · Tab 采用 · Esc 关闭"}
	UIFilesReading  = Msg{"looking for files …", "正在查找文件 …"}
	UIFilesNone     = Msg{"no file fits", "没有匹配的文件"}
	UIFilesFailed   = Msg{"the files cannot be listed: %s", "无法列出文件：%s"}
	UIFilesHint     = Msg{"↑/↓ choose · Tab or Enter take · Esc close", "↑/↓ 选择 · Tab 或 Enter 采用 · Esc 关闭"}
	UIKeyFiles      = Msg{"a file of the project, as @file:path", "引用项目文件，填入 @file:路径"}

	UIPalette       = Msg{"everything: %s", "全部：%s"}
	UIPaletteKeys   = Msg{"%d of %d · Enter do · Esc close", "%d / %d · Enter 执行 · Esc 关闭"}
	UIPaletteNone   = Msg{"nothing fits", "没有匹配项"}
	UIPaletteHint   = Msg{"type to find · ↑/↓ choose · Enter do it · Esc close", "输入以查找 · ↑/↓ 选择 · Enter 执行 · Esc 关闭"}
	UIPaletteKey    = Msg{"key", "按键"}
	UIPaletteCmd    = Msg{"command", "命令"}
	UIPalettePlugin = Msg{"plugin", "插件"}
	UIPaletteSess   = Msg{"session", "会话"}
	UIKeyPalette    = Msg{"everything there is in one list: commands, keys, plugins, sessions", "在一个列表中查找全部：命令、按键、插件、会话"}
)

// Texts of copying.
var (
	UICopied1       = Msg{"%d character", "%d 个字符"}
	UICopied        = Msg{"%d characters", "%d 个字符"}
	UICopiedOSC     = Msg{"copied %s (through the terminal)", "已复制 %s（通过终端）"}
	UICopiedTool    = Msg{"copied %s (%s and the terminal)", "已复制 %s（%s 和终端）"}
	UICopiedFile    = Msg{"%s are too many for the terminal's clipboard; they are in %s", "%s，超过终端剪贴板的上限；已保存到 %s"}
	UICopiedNothing = Msg{"nothing to copy here", "这里没有可复制的内容"}
	UICopyFailed    = Msg{"nothing was copied: %v", "复制失败：%v"}
	UICopyUsage     = Msg{"usage: /copy [N] copies the Nth answer from the end, /copy code [N] a code block", "用法：/copy [N] 复制倒数第 N 个回答，/copy code [N] 复制代码块"}
	UICopyNoAnswer  = Msg{"there is no answer number %d from the end: nothing was copied", "没有倒数第 %d 个回答：未复制任何内容"}
	UICopyNoCode    = Msg{"no answer has a code block that is closed: nothing was copied", "没有完整的代码块：未复制任何内容"}
	UICopyWhich     = Msg{"Copy which block?", "复制哪个代码块？"}
	UIMouseOn       = Msg{"the mouse selects and scrolls here; Shift bypasses that in most terminals", "鼠标在程序内选择和滚动；多数终端中按住 Shift 可绕过"}
	UIMouseOff      = Msg{"the mouse is the terminal's again (/mouse on takes it back)", "鼠标已交还终端（/mouse on 收回）"}
	UIMouseUsage    = Msg{"usage: /mouse on or /mouse off", "用法：/mouse on 或 /mouse off"}

	UIKeyCopy          = Msg{"read the conversation; y copies the item, v begins a range", "阅读对话；y 复制当前项，v 开始选择范围"}
	UIKeyCopyCommand   = Msg{"copy the last answer, the Nth from the end, a code block (without its last line end)", "复制最后的回答、倒数第 N 个、代码块（不含末尾换行）"}
	UIKeyCopySelection = Msg{"copy what the mouse selected (double click: word, triple: row; Shift: the terminal's own)", "复制鼠标选中的内容（双击：词，三击：行；Shift：终端自身的选择）"}

	UICmdCopy      = Msg{"copy an answer or a code block", "复制回答或代码块"}
	UICmdCopyArgs  = Msg{"[N|code [N]]", "[N|code [N]]"}
	UICmdMouse     = Msg{"take the mouse or leave it to the terminal", "启用鼠标，或交还终端"}
	UICmdMouseArgs = Msg{"on|off", "on|off"}
	UICmdBanner    = Msg{"print the banner again", "再次显示横幅"}
)

// Texts of the external editor.
var (
	UIEditorFailed  = Msg{"the editor did not finish (%v): the draft is as before", "编辑器未正常结束（%v）：草稿保持不变"}
	UIEditorMissing = Msg{"the editor %s is not installed: set $VISUAL or $EDITOR to one that is", "编辑器 %s 未安装：请把 $VISUAL 或 $EDITOR 设为已安装的编辑器"}
	UIEditorNone    = Msg{"no editor found: set $VISUAL or $EDITOR to yours", "找不到编辑器：请把 $VISUAL 或 $EDITOR 设为您的编辑器"}
)

// Texts of a session that goes on, is taken back or shortened.
var (
	UIResumed         = Msg{"the conversation goes on: %d messages of yours, %d in all", "继续会话：您的消息 %d 条，共 %d 条"}
	UIRepaired        = Msg{"%d tool calls had been cut off and are marked so", "%d 次工具调用曾被中断，已作标记"}
	UIRepaired1       = Msg{"%d tool call had been cut off and is marked so", "%d 次工具调用曾被中断，已作标记"}
	UIUndone          = Msg{"taken back: %d turn(s), %d message(s)", "已撤回：%d 轮，%d 条消息"}
	UICompressing     = Msg{"compacting context… (~%s tokens)", "正在压缩上下文…（约 %s token）"}
	UICompressed      = Msg{"context compacted: ~%s → ~%s tokens, a summary stands for %d messages", "上下文已压缩：约 %s → %s token，摘要代替了 %d 条消息"}
	UIFallbackSummary = Msg{"(made without the model)", "（未使用模型生成）"}
	UINotCompressed   = Msg{"the context was not compacted: %s", "上下文未压缩：%s"}
	UIHandedOver      = Msg{"handed over", "已移交"}
	UINoAnswer        = Msg{"no answer", "无应答"}
	UIProcessStarted  = Msg{"%s runs in the background: %s", "%s 在后台运行：%s"}
	UIProcessExited   = Msg{"%s ended (exit %d): %s", "%s 已结束（退出码 %d）：%s"}
	UIQueueHeld       = Msg{"held back after the stop; sent with your next message", "中断后暂缓，随您的下一条消息发送"}
)

// Texts of the page of sessions.
var (
	UIKeySessions      = Msg{"stored sessions: find one and go on with it", "已保存的会话：查找并继续"}
	UISessionsTitle    = Msg{"Sessions", "会话"}
	UISessionsStored   = Msg{"%d stored", "已保存 %d 个"}
	UISessionsReading  = Msg{"reading …", "正在读取…"}
	UISessionsFirst    = Msg{"first session here", "这是第一个会话"}
	UISessionsKeys     = Msg{"Enter go on with it  n new session  / filter  ↑/↓ move", "Enter 继续该会话  n 新会话  / 筛选  ↑/↓ 移动"}
	UISessionsCurrent  = Msg{"this one", "当前"}
	UISessionsMessages = Msg{"%d messages", "%d 条消息"}
	UIColSession       = Msg{"session", "会话"}
	UIColActive        = Msg{"last active", "最近活动"}
	UIColMessages      = Msg{"messages", "消息"}
)

// Texts of questions.
var (
	UIAskWaiting  = Msg{"1 of %d waiting", "共 %d 个待回答"}
	UIAskGrace    = Msg{"keys ignored for 0.4 s after opening; your typing goes to the draft", "打开后 0.4 秒内忽略按键；输入的文字进入草稿"}
	UIAskKeys     = Msg{"1-%d or ↑/↓ Enter    Esc = %s", "1-%d 或 ↑/↓ Enter    Esc = %s"}
	UIAskAnswered = Msg{"%s → %s", "%s → %s"}
	UIAskWithText = Msg{"%s → %s: %s", "%s → %s：%s"}
	UIAskRows     = Msg{"rows %d-%d of %d", "第 %d-%d 行，共 %d 行"}
	UIAskView     = Msg{"v shows all", "v 查看全部"}
	UIAskExpires  = Msg{"%d s left; any key stops the clock", "剩余 %d 秒；按任意键停止计时"}

	UIAskFieldKeys = Msg{"Enter answer · Esc back", "Enter 回答 · Esc 返回"}
	UIAskViewKeys  = Msg{"↑/↓ PgUp/PgDn read · v or Esc back to the choices", "↑/↓ PgUp/PgDn 阅读 · v 或 Esc 返回选项"}
	UIAskMoreKeys  = Msg{"    v full view    y copy", "    v 查看全部    y 复制"}
	UIAskDropped   = Msg{"%s → no longer needed", "%s → 不再需要"}
)

// Texts for a number of one, beside the ones for many above.
var (
	UIError1    = Msg{"%d error", "%d 个错误"}
	UITool1     = Msg{"%d tool", "%d 个工具"}
	UIHook1     = Msg{"%d hook", "%d 个钩子"}
	UICommand1  = Msg{"%d command", "%d 个命令"}
	UICall1     = Msg{"%d call", "%d 次调用"}
	UIRun1      = Msg{"%d run", "%d 次运行"}
	UIMoreLine1 = Msg{"%d more line", "还有 %d 行"}
	UIEvent1    = Msg{"%d event", "%d 个事件"}
	UILogLine1  = Msg{"%d line (l)", "%d 行 (l)"}
	UIHookRun1  = Msg{"%d hook run", "钩子 %d 次"}
	UIMoreSet1  = Msg{"%d more set, %d tools in all (F4)", "还有 %d 个工具集，共 %d 个工具 (F4)"}
)
