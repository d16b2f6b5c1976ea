package locale

// Texts of the tools that run commands and ask questions.
var (
	ClarifyTitle  = Msg{"The model asks", "模型提问"}
	ClarifyOther  = Msg{"Other (type your answer)", "其他（自行输入）"}
	ClarifyAnswer = Msg{"Your answer", "自行回答"}

	SudoTitle = Msg{"Password for sudo", "sudo 密码"}
	SudoText  = Msg{"The command needs your password. It is kept in memory until the program ends, never stored or logged.", "该命令需要密码。密码只保存在内存中直到程序结束，不会写入磁盘或日志。"}
	SudoGive  = Msg{"Use this password", "使用此密码"}
	SudoSkip  = Msg{"Go on without", "不提供密码"}
)
