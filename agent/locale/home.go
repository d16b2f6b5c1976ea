package locale

// What of the home folder cannot be used, and what helps.
var (
	HomeNoSessions = Msg{"Sessions cannot be stored: %v. Make the folder writable, or name another one with HERMES_HOME.", "会话无法保存到磁盘：%v。请让该文件夹可写，或用 HERMES_HOME 指定另一个文件夹。"}
	HomeNoLog      = Msg{"Nothing is logged: %v. Make the folder writable, or name another one with HERMES_HOME.", "无法写入日志：%v。请让该文件夹可写，或用 HERMES_HOME 指定另一个文件夹。"}
)
