package locale

// Texts of the agent: how turns end, what happens to tool calls, waits.
var (
	// Endings of a turn.
	TurnInterrupted = Msg{"Interrupted.", "已中断。"}
	TurnEmpty       = Msg{"⚠️ No reply: the model returned empty content, although it was asked %d times. Try “continue”, or another model with /model.", "⚠️ 没有回复：模型在 %d 次请求后仍返回空内容。可以输入“继续”，或用 /model 换一个模型。"}
	TurnThinking    = Msg{"The model used its whole output limit for thinking and answered nothing. Raise model.max_tokens, or lower agent.reasoning_effort.", "模型把全部输出额度都用于思考，没有给出回答。请提高 model.max_tokens 或降低 agent.reasoning_effort。"}
	TurnLength      = Msg{"The answer was cut off by the output limit. Raise model.max_tokens, or ask to go on.", "回答因输出长度限制被截断。请提高 model.max_tokens，或让模型继续。"}
	TurnCallLength  = Msg{"The model's tool call was cut off by the output limit %d times; it was not run. Raise model.max_tokens, or ask for smaller steps.", "模型的工具调用因输出长度限制被截断 %d 次，未执行。请提高 model.max_tokens，或让模型分小步进行。"}
	TurnCut         = Msg{"The connection broke off %d times in the middle of the answer; what arrived was kept. Ask to go on.", "回答过程中连接中断了 %d 次，已保留收到的部分。可以让模型继续。"}
	TurnRefused     = Msg{"The model declined to answer (its service's safety filter). Try other words, or another model with /model.", "模型拒绝回答（服务方的安全过滤）。请换一种说法，或用 /model 换一个模型。"}
	TurnBadTools    = Msg{"The model kept calling tools that do not exist (%s). Try another model with /model.", "模型反复调用不存在的工具（%s）。请用 /model 换一个模型。"}
	TurnLimit       = Msg{"The limit of %d requests per turn is used up; the model was asked for a summary.", "已用完每轮 %d 次请求的上限；已请模型作总结。"}
	TurnCost        = Msg{"The session has cost %.2f USD or more, which is its limit.", "此会话的费用已达到上限 %.2f 美元。"}
	TurnNoSummary   = Msg{"⚠️ No reply: the limit of %d requests per turn is used up, and the summary could not be had: %s", "⚠️ 没有回复：已用完每轮 %d 次请求的上限，且未能得到总结：%s"}
	TurnBug         = Msg{"An internal error ended the turn: %s. The details are in the log.", "内部错误结束了本轮：%s。详情见日志。"}
	TurnNoModel     = Msg{"No model is connected. Set model.provider and a key, or start with --provider demo.", "没有连接模型。请设置 model.provider 和密钥，或用 --provider demo 启动。"}

	// Sessions.
	SessionUnsaved = Msg{"The session cannot be saved: %v. It goes on in memory and is lost at the end unless saving works again.", "会话无法保存：%v。会话仍在内存中继续，若之后仍无法保存，退出时将会丢失。"}

	// Below an answer.
	NotModified = Msg{"⚠️ File-mutation verifier: %d file(s) were NOT modified this turn despite any wording above that may suggest otherwise. Run `git status` or `read_file` to confirm.", "⚠️ 文件修改核查：无论上文如何措辞，本轮有 %d 个文件并未被修改。请用 `git status` 或 `read_file` 确认。"}

	SmallWindow   = Msg{"%s has a small context window (%d tokens): the prompt is short and %d built-in tools are left out. --toolsets chooses others.", "%s 的上下文窗口较小（%d 词元）：提示词已缩短，并省略了 %d 个内置工具。可用 --toolsets 另行选择。"}
	ChoiceUnknown = Msg{"There is no tool named %s in this conversation; the model chooses by itself.", "此会话中没有名为 %s 的工具，由模型自行选择。"}

	// Failed requests: the service's words, then the next step.
	ReqFailed     = Msg{"API call failed after %d retries: %s", "API 调用在 %d 次尝试后失败：%s"}
	ReqAuth       = Msg{"%s. Check the API key of provider %s.", "%s。请检查服务商 %s 的 API 密钥。"}
	ReqBilling    = Msg{"%s. The account of provider %s has no credit left.", "%s。服务商 %s 的账户余额不足。"}
	ReqNotFound   = Msg{"%s. Check the model name (%s) and model.base_url (%s).", "%s。请检查模型名（%s）和 model.base_url（%s）。"}
	ReqContext    = Msg{"%s. The conversation is longer than the context window and cannot be compressed further; start a fresh one with /new.", "%s。对话超出了上下文窗口，且无法继续压缩，请用 /new 开始新会话。"}
	ReqTooLarge   = Msg{"Request payload too large (413). Cannot compress further. Start a fresh conversation with /new. (%s)", "请求内容过大（413），无法继续压缩。请用 /new 开始新会话。（%s）"}
	ReqTLS        = Msg{"%s. The certificate was not accepted; behind a proxy, point SSL_CERT_FILE at its certificate.", "%s。证书未被接受；如果在代理之后，请将 SSL_CERT_FILE 指向代理的证书。"}
	ReqConnection = Msg{"%s. Check the network and model.base_url.", "%s。请检查网络和 model.base_url。"}
	ReqFormat     = Msg{"%s. The service did not accept the request.", "%s。服务不接受该请求。"}

	// Why a request is sent again.
	RetryEmpty   = Msg{"empty answer", "空回答"}
	RetryRefused = Msg{"refused by the service's safety filter", "被服务方的安全过滤拒绝"}
	RetryCap     = Msg{"tool call cut off by the output limit", "工具调用因输出限制被截断"}
	RetryCutCall = Msg{"connection dropped inside a tool call", "工具调用过程中连接中断"}
	RetryCutText = Msg{"connection dropped; the answer goes on where it stopped", "连接中断，从断点继续回答"}
	RetryLength  = Msg{"output limit reached; the answer goes on", "达到输出限制，继续回答"}

	// Another model answers, or the conversation is shortened.
	FellBack        = Msg{"%s failed (%s); %s (%s) answers for this turn.", "%s 失败（%s）；本轮由 %s（%s）回答。"}
	CompressFull    = Msg{"about %d tokens, near the limit of the context window", "约 %d 个词元，接近上下文窗口上限"}
	CompressRefused = Msg{"the service refused the conversation as too long", "服务拒绝了过长的对话"}

	// What went wrong with a tool call, for its card.
	ToolUnknown     = Msg{"there is no tool named %s", "没有名为 %s 的工具"}
	ToolNoName      = Msg{"the model named no tool", "模型没有写出工具名"}
	ToolBadJSON     = Msg{"the arguments are not valid JSON: %s", "参数不是有效的 JSON：%s"}
	ToolNotObject   = Msg{"the arguments are no JSON object", "参数不是 JSON 对象"}
	ToolBadArgs     = Msg{"the arguments do not fit: %s", "参数不符合要求：%s"}
	ToolFailed      = Msg{"the tool failed: %s", "工具执行失败：%s"}
	ToolFailedAt    = Msg{"the tool failed: %s (%s:%d)", "工具执行失败：%s（%s:%d）"}
	ToolReported    = Msg{"the tool reported an error: %s", "工具返回错误：%s"}
	ToolBlocked     = Msg{"blocked by a plugin: %s", "被插件阻止：%s"}
	ToolNeedsHuman  = Msg{"a plugin wants this call approved, and nobody can be asked; to let such calls run, start with --yolo or set approvals.mode: off", "插件要求批准此调用，但无人可以批准；如需放行此类调用，请用 --yolo 启动或设置 approvals.mode: off"}
	ToolDenied      = Msg{"you denied this call", "您拒绝了此调用"}
	ToolTimedOut    = Msg{"no answer within %d s", "%d 秒内没有响应"}
	ToolCancelled   = Msg{"interrupted", "已中断"}
	ToolAbandoned   = Msg{"interrupted; it did not stop and was left behind", "已中断；该工具没有停止，已不再等待"}
	ToolSkipped     = Msg{"not run: the turn was interrupted", "未执行：本轮已中断"}
	ToolSkippedName = Msg{"not run: another call named a tool that does not exist", "未执行：另一个调用的工具不存在"}
	ToolLooped      = Msg{"stopped: the same call failed too often", "已停止：相同调用失败次数过多"}

	// A plugin wants a call approved.
	ApproveTitle   = Msg{"A plugin asks whether %s may run", "插件询问是否允许运行 %s"}
	ApproveOnce    = Msg{"Allow once", "允许一次"}
	ApproveSession = Msg{"Allow for this session", "本次会话中允许"}
	ApproveAlways  = Msg{"Always allow", "始终允许"}
	ApproveDeny    = Msg{"Deny", "拒绝"}
	ApproveUnsaved = Msg{"The permission could not be saved and holds for this session: %v", "无法保存此许可，仅在本次会话中有效：%v"}

	// What was put right in a model's call.
	NoteName  = Msg{"tool name %s read as %s", "工具名 %s 按 %s 处理"}
	NoteArgs  = Msg{"arguments repaired: %s", "参数已修复：%s"}
	NoteTwice = Msg{"asked for %d times with the same arguments, run once", "相同参数被调用 %d 次，只执行一次"}
	NoteID    = Msg{"call id replaced", "调用编号已替换"}

	RepairFence    = Msg{"code fence removed", "去除代码围栏"}
	RepairUnquoted = Msg{"taken out of a string", "从字符串中取出"}
	RepairComma    = Msg{"trailing comma", "多余的逗号"}
	RepairControl  = Msg{"raw control characters", "未转义的控制字符"}
	RepairClose    = Msg{"missing brackets", "缺少括号"}
	RepairSurplus  = Msg{"surplus brackets", "多余的括号"}
	RepairLiteral  = Msg{"Python literals", "Python 字面量"}
	RepairQuotes   = Msg{"single quotes", "单引号"}

	// Waiting for plugins at the first turn.
	WaitTooLong = Msg{"%s took longer than %d s; the turn goes on with what is there", "%s超过 %d 秒，本轮先以现有内容继续"}
)
