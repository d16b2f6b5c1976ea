package locale

// Texts of slash commands about the program: what is set, used and running.
var (
	CmdQueue    = Msg{"send a text after those that wait", "排在等待的内容之后发送"}
	CmdSteer    = Msg{"tell the running turn something", "向正在进行的轮次补充内容"}
	CmdImage    = Msg{"send a picture with the next text", "随下一条内容发送图片"}
	CmdCompress = Msg{"shorten the conversation now", "立即压缩对话"}
	CmdStatus   = Msg{"session, model and times", "会话、模型和时间"}
	CmdConfig   = Msg{"show the settings in force", "查看当前设置"}
	CmdBusy     = Msg{"what Enter does while a turn runs", "轮次进行中按 Enter 的作用"}
	CmdSkin     = Msg{"list or switch skins", "列出或切换皮肤"}
	CmdToolsets = Msg{"list toolsets", "列出工具集"}
	CmdReload   = Msg{"read config.yaml and .env again", "重新读取 config.yaml 和 .env"}
	CmdUsage    = Msg{"tokens and cost of the session", "本次会话的用量和费用"}
	CmdInsights = Msg{"what sessions used in the last days", "最近会话的用量统计"}
	CmdProfile  = Msg{"show the profile in use", "查看当前配置档"}
	CmdVersion  = Msg{"show the version", "显示版本"}

	CmdArgsPrompt   = Msg{"<prompt>", "<内容>"}
	CmdArgsImage    = Msg{"<path>", "<路径>"}
	CmdArgsCompress = Msg{"[here [N] | focus | --preview]", "[here [N] | 重点 | --preview]"}
	CmdArgsBusy     = Msg{"[queue|steer|interrupt|status]", "[方式：queue|steer|interrupt|status]"}
	CmdArgsDays     = Msg{"[days]", "[天数]"}
	CmdArgsTools    = Msg{"[list | enable|disable NAME…]", "[list | enable|disable 名称…]"}

	// ImageAttached takes the file and its size; ImageBad the file and what it is;
	// ImageLarge the file and the most megabytes.
	ImageAttached = Msg{"%s (%s) goes with the next text", "%s（%s）将随下一条内容发送"}
	ImageBad      = Msg{"%s is no picture (%s); PNG, JPEG, GIF and WebP are", "%s 不是图片（%s）；支持 PNG、JPEG、GIF 和 WebP"}
	ImageLarge    = Msg{"%s is larger than %d MB", "%s 超过 %d MB"}

	// ModelMore takes how many more and the provider; ModelUnlisted the provider
	// and the model.
	ModelMore     = Msg{"  … and %d more: hermes model list %s", "  … 还有 %d 个：hermes model list %s"}
	ModelUnlisted = Msg{"careful: %s does not list %s", "注意：%s 的列表中没有 %s"}

	// CmdNeedsText takes the command.
	CmdNeedsText = Msg{"%s takes a text", "%s 后面需要内容"}
	CmdDaysBad   = Msg{"'%s' is not a number of days", "'%s' 不是天数"}
	// CmdCompressed and CmdCompressPreview take the number of messages, and the
	// tokens before and after.
	CmdCompressed      = Msg{"a summary stands for %d messages now: ~%d → ~%d tokens", "已用摘要代替 %d 条消息：~%d → ~%d 个 token"}
	CmdCompressPreview = Msg{"a summary would stand for %d messages: ~%d → ~%d tokens", "将用摘要代替 %d 条消息：~%d → ~%d 个 token"}
	CmdCompressBad     = Msg{"/compress here takes a number of turns, not '%s'", "/compress here 后面需要轮数，而不是 '%s'"}
	CmdCompressShort   = Msg{"there is too little to take out yet", "对话太短，暂时无需压缩"}

	StatusSession  = Msg{"session", "会话"}
	StatusTitle    = Msg{"title", "标题"}
	StatusDir      = Msg{"folder", "目录"}
	StatusStarted  = Msg{"started", "开始时间"}
	StatusMessages = Msg{"messages", "消息数"}
	StatusTokens   = Msg{"tokens", "token"}
	StatusState    = Msg{"state", "状态"}
	StatusIdle     = Msg{"idle", "空闲"}
	StatusRunning  = Msg{"a turn runs", "轮次进行中"}

	UsageIn         = Msg{"input", "输入"}
	UsageOut        = Msg{"output", "输出"}
	UsageCacheRead  = Msg{"from cache", "读取缓存"}
	UsageCacheWrite = Msg{"to cache", "写入缓存"}
	UsageReasoning  = Msg{"reasoning", "思考"}
	UsageTotal      = Msg{"total", "合计"}
	UsageCalls      = Msg{"requests", "请求数"}
	UsageContext    = Msg{"context", "上下文"}
	UsageCost       = Msg{"cost", "费用"}

	ConfigFile     = Msg{"settings", "设置"}
	ConfigSecrets  = Msg{"secrets", "密钥文件"}
	ConfigKey      = Msg{"key", "密钥"}
	ConfigKeySet   = Msg{"set (%s)", "已设置（%s）"}
	ConfigKeyNone  = Msg{"not set", "未设置"}
	ConfigToolsets = Msg{"toolsets", "工具集"}
	ConfigHow      = Msg{"change one with: hermes config set KEY VALUE, then /reload", "修改：hermes config set 键 值，然后 /reload"}
	BusyNow        = Msg{"Enter while a turn runs: %s", "轮次进行中按 Enter：%s"}
	BusyBad        = Msg{"'%s' is not one of queue, steer, interrupt", "'%s' 不是 queue、steer、interrupt 之一"}
	SkinNow        = Msg{"skin: %s", "皮肤：%s"}
	SkinUnknown    = Msg{"there is no skin '%s'; there are: %s", "没有皮肤 '%s'；可用的有：%s"}
	ToolsCount     = Msg{"%d tools", "%d 个工具"}
	ToolsHow       = Msg{"/tools lists the tools; /tools enable NAME and /tools disable NAME switch toolsets", "/tools 列出工具；/tools enable 名称、/tools disable 名称 开关工具集"}
	ReloadDone     = Msg{"settings read again; plugins see a changed .env from the next start on", "已重新读取设置；插件从下次启动起可见 .env 的变化"}
)
