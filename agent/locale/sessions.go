package locale

import "time"

// Texts about stored sessions: the command hermes sessions and what keeps the
// database from being used.
var (
	SessionsNewer      = Msg{"%s was written by a newer program (schema %d, this one knows %d): sessions can be read but not saved; use the newer program, or move the file away", "%s 由更新的程序写入（数据库版本 %d，本程序支持到 %d）：会话只能读取，不能保存；请使用较新的程序，或移走该文件"}
	SessionsReadOnly   = Msg{"%s cannot be written: sessions can be read but not saved; check its permissions", "%s 不可写：会话只能读取，不能保存；请检查文件权限"}
	SessionsDamaged    = Msg{"%s is damaged (%v); nothing was changed; run: hermes sessions repair", "%s 已损坏（%v）；文件未被改动；请运行：hermes sessions repair"}
	SessionsAmbiguous  = Msg{"'%s' fits several sessions: %s", "'%s' 对应多个会话：%s"}
	SessionsTitleTaken = Msg{"Title '%s' is already in use by session %s", "标题 '%s' 已被会话 %s 使用"}
	SessionsTitleLong  = Msg{"Title too long (%d chars, max %d)", "标题过长（%d 个字符，最多 %d 个）"}
	SessionsNotFound   = Msg{"Session '%s' not found.", "找不到会话 '%s'。"}

	// What commands print.
	SessionsNone         = Msg{"No sessions found.", "没有会话。"}
	SessionsNoMatch      = Msg{"No sessions match.", "没有符合条件的会话。"}
	SessionsDeleted      = Msg{"Deleted session '%s'.", "已删除会话 '%s'。"}
	SessionsDeletedN     = Msg{"Deleted %d session(s).", "已删除 %d 个会话。"}
	SessionsArchivedN    = Msg{"Archived %d session(s).", "已归档 %d 个会话。"}
	SessionsRenamed      = Msg{"Session '%s' renamed to: %s", "会话 '%s' 已改名为：%s"}
	SessionsExported     = Msg{"Exported %d session(s) (%d messages) to %s", "已导出 %d 个会话（%d 条消息）到 %s"}
	SessionsImported     = Msg{"Imported %d session(s), %d were there already.", "已导入 %d 个会话，%d 个已存在。"}
	SessionsWouldDelete  = Msg{"Would delete %d session(s):", "将删除 %d 个会话："}
	SessionsWouldArchive = Msg{"Would archive %d session(s):", "将归档 %d 个会话："}
	SessionsWouldExport  = Msg{"Would export %d session(s):", "将导出 %d 个会话："}
	SessionsAskDelete    = Msg{"Delete %d session(s) and all their messages? [y/N] ", "删除 %d 个会话及其全部消息？[y/N] "}
	SessionsAskArchive   = Msg{"Archive %d session(s)? [y/N] ", "归档 %d 个会话？[y/N] "}
	SessionsNeedYes      = Msg{"nobody can be asked without a terminal; repeat with --yes", "没有终端，无法询问；请加 --yes 重试"}
	SessionsCancelled    = Msg{"Cancelled.", "已取消。"}
	SessionsOptimized    = Msg{"Database size: %s -> %s", "数据库大小：%s -> %s"}
	SessionsSound        = Msg{"✓ %s opens cleanly — no repair needed.", "✓ %s 完好，无需修复。"}
	SessionsDamage       = Msg{"✗ %s is damaged:", "✗ %s 已损坏："}
	SessionsRepaired     = Msg{"✓ Repaired: %d sessions and %d messages saved.", "✓ 已修复：保住 %d 个会话、%d 条消息。"}
	SessionsRowsLost     = Msg{"%d place(s) could not be read.", "有 %d 处无法读取。"}
	SessionsBackup       = Msg{"The damaged file is kept as %s", "损坏的文件保留为 %s"}
	SessionsBadAge       = Msg{"%s: '%s' is neither an age (90, 5h, 2d, 1w) nor a time (2026-07-05 14:30)", "%s：'%s' 既不是时长（90、5h、2d、1w），也不是时间（2026-07-05 14:30）"}
	SessionsBadFormat    = Msg{"--format '%s' is not one of jsonl, json, md, html", "--format '%s' 不是 jsonl、json、md、html 之一"}
	SessionsNeedOutput   = Msg{"name a file to write, or - for standard output", "请给出输出文件名，或用 - 表示标准输出"}
	SessionsNeedFilter   = Msg{"say which sessions: at least one filter is needed (--older-than 30, --source telegram, …)", "请指明会话：至少需要一个条件（--older-than 30、--source telegram 等）"}
	SessionsOpenHint     = Msg{"Open one with: hermes --resume ID", "打开会话：hermes --resume ID"}

	// Columns and lines of listings.
	SessionsColTitle     = Msg{"Title", "标题"}
	SessionsColWorkspace = Msg{"Workspace", "工作区"}
	SessionsColActive    = Msg{"Last Active", "最近活动"}
	SessionsColSource    = Msg{"Src", "来源"}
	SessionsStatTotal    = Msg{"Total sessions: %d", "会话总数：%d"}
	SessionsStatMessages = Msg{"Total messages: %d", "消息总数：%d"}
	SessionsStatSource   = Msg{"  %s: %d sessions", "  %s：%d 个会话"}
	SessionsStatTokens   = Msg{"Tokens: %d in, %d out", "词元：输入 %d，输出 %d"}
	SessionsStatSize     = Msg{"Database size: %s", "数据库大小：%s"}
	SessionsJustNow      = Msg{"just now", "刚刚"}
	SessionsMinutesAgo   = Msg{"%dm ago", "%d 分钟前"}
	SessionsHoursAgo     = Msg{"%dh ago", "%d 小时前"}
	SessionsYesterday    = Msg{"yesterday", "昨天"}
	SessionsDaysAgo      = Msg{"%dd ago", "%d 天前"}

	// Help texts.
	SessionsShort        = Msg{"list, export and tidy stored sessions", "列出、导出和整理已保存的会话"}
	SessionsList         = Msg{"list recent sessions", "列出最近的会话"}
	SessionsBrowse       = Msg{"list sessions to resume, with their first message", "列出可恢复的会话及其首条消息"}
	SessionsExport       = Msg{"export sessions to JSON Lines, JSON, Markdown or HTML", "将会话导出为 JSON Lines、JSON、Markdown 或 HTML"}
	SessionsImport       = Msg{"import sessions from a JSON Lines export", "从 JSON Lines 导出文件导入会话"}
	SessionsDelete       = Msg{"delete a session for good", "永久删除一个会话"}
	SessionsPrune        = Msg{"delete old sessions (without filters: older than 90 days)", "删除旧会话（不带条件时：90 天以前的）"}
	SessionsArchive      = Msg{"hide old sessions from listings", "将旧会话从列表中隐藏"}
	SessionsOptimize     = Msg{"merge the search index and give unused space back", "合并搜索索引并回收空间"}
	SessionsRepair       = Msg{"save what can be read of a damaged database", "从损坏的数据库中抢救可读内容"}
	SessionsStats        = Msg{"show what is stored", "显示存储概况"}
	SessionsRename       = Msg{"set the title of a session", "设置会话标题"}
	SessionsFlagSource   = Msg{"only sessions of this source (cli, telegram, …)", "只含此来源的会话（cli、telegram 等）"}
	SessionsFlagLimit    = Msg{"most sessions to show", "最多显示的会话数"}
	SessionsFlagSpace    = Msg{"only sessions of one workspace (part of its path)", "只含某个工作区的会话（路径的一部分）"}
	SessionsFlagArchived = Msg{"archived sessions, too", "包括已归档的会话"}
	SessionsFlagFormat   = Msg{"jsonl, json, md or html", "jsonl、json、md 或 html"}
	SessionsFlagID       = Msg{"id, title or beginning of an id", "会话 ID、标题或 ID 的开头"}
	SessionsFlagRedact   = Msg{"take secrets out of what is exported", "导出时去除密钥等机密"}
	SessionsFlagForce    = Msg{"overwrite a file that is there", "覆盖已有文件"}
	SessionsFlagYes      = Msg{"do not ask", "不询问"}
	SessionsFlagDry      = Msg{"only list what would happen", "只列出将要执行的操作"}
	SessionsFlagOlder    = Msg{"started longer ago than this: days, 5h, 2d, 1w, or a time", "早于此时长之前开始：天数、5h、2d、1w，或具体时间"}
	SessionsFlagNewer    = Msg{"started within this age, or after this time", "在此时长之内或此时间之后开始"}
	SessionsFlagBefore   = Msg{"started before this time, or longer ago", "在此时间之前开始"}
	SessionsFlagAfter    = Msg{"started at this time or later", "在此时间或之后开始"}
	SessionsFlagTitle    = Msg{"part of the title", "标题的一部分"}
	SessionsFlagReason   = Msg{"reason of the end (cli_close, …)", "结束原因（cli_close 等）"}
	SessionsFlagDir      = Msg{"working directory, or one above it", "工作目录或其上级目录"}
	SessionsFlagModel    = Msg{"part of the model's name", "模型名的一部分"}
	SessionsFlagProvider = Msg{"provider that was billed", "计费的服务商"}
	SessionsFlagUser     = Msg{"user id", "用户 ID"}
	SessionsFlagChat     = Msg{"chat id", "聊天 ID"}
	SessionsFlagChatType = Msg{"chat type (dm, group)", "聊天类型（dm、group）"}
	SessionsFlagBranch   = Msg{"part of the git branch", "git 分支名的一部分"}
	SessionsFlagMin      = Msg{"at least so many", "至少这么多"}
	SessionsFlagMax      = Msg{"at most so many", "至多这么多"}
	SessionsFlagCheck    = Msg{"only say whether it is damaged", "只检查是否损坏"}
	SessionsFlagNoBackup = Msg{"keep no copy of the damaged file", "不保留损坏文件的副本"}
)

// Texts of the slash commands about sessions.
var (
	CmdSessions   = Msg{"list recent sessions", "列出最近的会话"}
	CmdResume     = Msg{"go on with a stored session", "继续一个已保存的会话"}
	CmdTitle      = Msg{"show or set the title of the session", "查看或设置会话标题"}
	CmdBranch     = Msg{"go on in a copy of the session", "在会话的副本中继续"}
	CmdUndo       = Msg{"take the last turns back", "撤销最近的对话轮次"}
	CmdRetry      = Msg{"send the last message again", "重新发送上一条消息"}
	CmdHistory    = Msg{"show the conversation", "显示对话内容"}
	CmdSave       = Msg{"save the conversation to a file", "将对话保存到文件"}
	CmdArgsResume = Msg{"[title, number or id]", "[标题、编号或 ID]"}
	CmdArgsName   = Msg{"[name]", "[名称]"}
	CmdArgsUndo   = Msg{"[N]", "[N]"}

	CmdSessionsHint  = Msg{"/resume N goes on with one", "用 /resume N 继续其中一个"}
	CmdResumeSame    = Msg{"this session is the current one", "这就是当前会话"}
	CmdTitleNone     = Msg{"the session has no title; /title NAME sets one", "会话还没有标题；用 /title 名称 设置"}
	CmdTitleEarly    = Msg{"the session is not stored before its first message", "发送第一条消息之后会话才会保存"}
	CmdTitleSet      = Msg{"Title: %s", "标题：%s"}
	CmdBranched      = Msg{"Branched into %s (from %s)", "已分出 %s（来自 %s）"}
	CmdUndoBad       = Msg{"/undo takes a number of turns, not '%s'", "/undo 需要轮次数，而不是 '%s'"}
	CmdUndone        = Msg{"Undid %d turn(s). Backed up to: \"%s\"", "已撤销 %d 轮。回到：“%s”"}
	CmdNothingYet    = Msg{"nothing was said in this session yet", "此会话还没有内容"}
	CmdSaved         = Msg{"saved as %s", "已保存为 %s"}
	CmdHistoryTools  = Msg{"(%d tool messages hidden)", "（隐藏了 %d 条工具消息）"}
	CmdHistoryYou    = Msg{"You", "您"}
	CmdHistoryHermes = Msg{"Hermes", "Hermes"}
	SessionsResumed  = Msg{"↻ Resumed session %s (%d user messages, %d total messages)", "↻ 已恢复会话 %s（%d 条用户消息，共 %d 条消息）"}
	SessionsNoLast   = Msg{"there is no session to continue", "没有可以继续的会话"}
	SessionsDirGone  = Msg{"hermes: the folder of the session is gone: %s", "hermes：会话的文件夹已不存在：%s"}
	CLIFlagResume    = Msg{"go on with a session: id, title, or beginning of an id", "继续一个会话：ID、标题或 ID 的开头"}
	CLIFlagContinue  = Msg{"go on with the last session, or the one with this title", "继续上一个会话，或指定标题的会话"}
	CLIFlagKeepDir   = Msg{"stay in this folder when a session is resumed", "恢复会话时留在当前文件夹"}
)

// Ago says how long before now t was; beyond a week it is the date.
func Ago(l Lang, now, t time.Time) string {
	switch d := now.Sub(t); {
	case t.IsZero():
		return ""
	case d < time.Minute:
		return SessionsJustNow.In(l)
	case d < time.Hour:
		return SessionsMinutesAgo.In(l, int(d/time.Minute))
	case d < 24*time.Hour:
		return SessionsHoursAgo.In(l, int(d/time.Hour))
	case d < 48*time.Hour:
		return SessionsYesterday.In(l)
	case d < 7*24*time.Hour:
		return SessionsDaysAgo.In(l, int(d/(24*time.Hour)))
	}
	return t.Local().Format("2006-01-02")
}
