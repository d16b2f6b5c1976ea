package locale

// Texts of the model clients: what was repaired in an answer, what was left
// out of a request.
var (
	// LLMFromText takes the name of the dialect.
	LLMFromText = Msg{"recovered from text (%s)", "从文本中恢复（%s）"}
	// LLMSplit takes the number of calls.
	LLMSplit      = Msg{"%d calls had been written as one", "%d 个调用被写成了一个"}
	LLMObjectArgs = Msg{"arguments came as an object", "参数以对象形式给出"}
	LLMBySchema   = Msg{"call held by a schema", "调用由 schema 约束"}

	// LLMLeftOut takes the parameter and the model.
	LLMLeftOut = Msg{"The service refused %s for %s; it is left out from now on.", "服务不接受 %[2]s 的 %[1]s，之后不再发送。"}
	// LLMNoTools takes the model.
	LLMNoTools = Msg{"%s takes no tools here: it answers without them from now on. Pick another model with /model, or set tool_calls: schema for this provider.", "%s 在此处不支持工具，之后将不带工具回答。可用 /model 换一个模型，或为该服务商设置 tool_calls: schema。"}
	// LLMNoChoice takes the choice and the model.
	LLMNoChoice = Msg{"%[2]s refused tool_choice %[1]s; the model chooses by itself.", "%[2]s 不接受 tool_choice %[1]s，由模型自行选择。"}
	// LLMNoStream takes the model.
	LLMNoStream = Msg{"The service refused to stream for %s; answers come whole from now on.", "服务不支持 %s 的流式输出，之后回答将一次性返回。"}
	// LLMNoImages takes the model.
	LLMNoImages = Msg{"%s takes no images; they are left out.", "%s 不支持图片，图片未发送。"}

	// ReqRateLimit and ReqServer take the service's words and the provider.
	ReqRateLimit = Msg{"%s. Provider %s limits how much may be asked; wait a little, or pick another model with /model.", "%s。服务商 %s 限制了请求频率；请稍等片刻，或用 /model 换一个模型。"}
	ReqServer    = Msg{"%s. Provider %s has trouble of its own; try again in a while, or pick another model with /model.", "%s。服务商 %s 自身出现故障；请稍后重试，或用 /model 换一个模型。"}
)
