package locale

// Texts of the memory tool.
var (
	MemoryAskTitle = Msg{"Change what is remembered?", "修改记忆？"}
	MemoryAskText  = Msg{"The model wants to change %s, which is part of every session that begins from now on.", "模型要修改 %s。此后开始的每个会话都会读到它。"}
	MemoryAskYes   = Msg{"Store the change", "保存修改"}
	MemoryAskNo    = Msg{"Leave it as it is", "保持不变"}
)
