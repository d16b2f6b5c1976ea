package locale

// Texts about the choice of models and of tools: slash commands and notices.
var (
	// ModelLeftOut takes why a model beside the main one cannot be used.
	ModelLeftOut = Msg{"%s; it is left out", "%s；已忽略该项"}

	CmdReasoning     = Msg{"how hard the model thinks", "模型的思考强度"}
	CmdArgsReasoning = Msg{"[none|minimal|low|medium|high|xhigh|max|ultra] [--global]", "[强度：none|minimal|low|medium|high|xhigh|max|ultra] [--global]"}
	// ReasoningNow takes the effort.
	ReasoningNow     = Msg{"reasoning effort: %s", "思考强度：%s"}
	ReasoningService = Msg{"as the service likes", "由服务决定"}
	// ReasoningSet takes the effort, ReasoningSaved the file as well.
	ReasoningSet   = Msg{"reasoning effort from the next request on, in this session: %s", "从下一次请求起，本次会话的思考强度：%s"}
	ReasoningSaved = Msg{"reasoning effort from the next request on: %s (saved in %s)", "从下一次请求起的思考强度：%s（已保存到 %s）"}
	// ReasoningBad takes the word.
	ReasoningBad = Msg{"'%s' is no reasoning effort; choose none, minimal, low, medium, high, xhigh, max or ultra", "'%s' 不是有效的思考强度；请选择 none、minimal、low、medium、high、xhigh、max 或 ultra"}

	CmdUse     = Msg{"answer with a call of this tool first", "回答时先调用指定工具"}
	CmdArgsUse = Msg{"<tool> <prompt>", "<工具> <提示词>"}
	UseHow     = Msg{"/use takes the name of a tool and a prompt: /use calculate what is 2**16?", "/use 需要工具名和提示词，例如：/use calculate 2**16 等于多少？"}
	// UseUnknown takes the word; UseNear the word and names that resemble it;
	// UseHidden the name and why it is not offered.
	UseUnknown = Msg{"there is no tool named '%s'; /tools lists them", "没有名为 '%s' 的工具；可用 /tools 查看"}
	UseNear    = Msg{"there is no tool named '%s'; did you mean %s?", "没有名为 '%s' 的工具；您是否想用 %s？"}
	UseHidden  = Msg{"the tool '%s' is not offered now: %s", "工具 '%s' 目前不可用：%s"}
)
