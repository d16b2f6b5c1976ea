package locale

// Texts of the tools that run commands and ask questions.
var (
	ClarifyTitle  = Msg{"The model asks", "模型提问"}
	ClarifyOther  = Msg{"Other (type your answer)", "其他（自行输入）"}
	ClarifyAnswer = Msg{"Your answer", "自行回答"}

	CmdStop     = Msg{"end the commands that run in the background", "结束在后台运行的命令"}
	StopNothing = Msg{"No command runs in the background.", "没有在后台运行的命令。"}
	StopDone    = Msg{"Ended in the background: %d", "已结束后台命令：%d 个"}

	SudoTitle = Msg{"Password for sudo", "sudo 密码"}
	SudoText  = Msg{"The command needs your password. It is kept in memory until the program ends, never stored or logged.", "该命令需要密码。密码只保存在内存中直到程序结束，不会写入磁盘或日志。"}
	SudoGive  = Msg{"Use this password", "使用此密码"}
	SudoSkip  = Msg{"Go on without", "不提供密码"}
)
