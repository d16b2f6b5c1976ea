package locale

// Texts about config.yaml, .env, and the model they choose.
var (
	// CfgBroken takes the place (file:line) and the parser's reason.
	CfgBroken = Msg{"%s: %s. Default settings are used until it is mended", "%s：%s。修正之前使用默认设置"}
	// CfgBackup follows CfgBroken; it takes the name of the copy.
	CfgBackup = Msg{"; a copy is kept as %s", "；已保留副本 %s"}
	// CfgUnreadable takes the path and the system's reason.
	CfgUnreadable = Msg{"Cannot read %s: %v. Default settings are used", "无法读取 %s：%v。将使用默认设置"}
	// CfgUndecodable takes the key and the reason.
	CfgUndecodable = Msg{"%s cannot be used: %v", "%s 无法使用：%v"}
	// CfgWrongType takes the key and one of the CfgWant texts.
	CfgWrongType = Msg{"%s should be %s; the default is used", "%s 应为%s；使用默认值"}
	// CfgOneValue takes the key and the value.
	CfgOneValue = Msg{"%s should be a list; the one value %q is taken", "%s 应为列表；按单个值 %q 处理"}
	// CfgListEntry takes the key.
	CfgListEntry = Msg{"an entry of %s is not a single value and is left out", "%s 中有一项不是单个值，已忽略"}

	CfgWantSingle = Msg{"a single value", "单个值"}
	CfgWantBool   = Msg{"true or false", " true 或 false"}
	CfgWantNumber = Msg{"a number", "数字"}
	CfgWantList   = Msg{"a list", "列表"}

	// DotenvUnreadable takes the reason.
	DotenvUnreadable = Msg{"cannot be read, its variables are missing: %v", "无法读取，其中的变量缺失：%v"}
	DotenvLatin1     = Msg{"is not UTF-8; it was read as Latin-1", "不是 UTF-8 编码；已按 Latin-1 读取"}
	DotenvBroken     = Msg{"this line is not NAME=value and is left out", "此行不是“名称=值”的形式，已忽略"}
	// DotenvNonASCII takes the name of the variable.
	DotenvNonASCII = Msg{"%s holds characters that no key has; they were left out", "%s 含有密钥中不会出现的字符，已去除"}
)
