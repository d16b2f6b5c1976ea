package config

import "strings"

// API modes: the wire protocols of model services.
const (
	ModeChat      = "chat_completions"
	ModeAnthropic = "anthropic_messages"
	ModeResponses = "codex_responses"
	ModeBedrock   = "bedrock_converse"
)

// noKey is what is sent to a service for which no key is known; servers on
// this machine ignore it (contract/core-observed §1).
const noKey = "no-key-required"

// provider is a service that is known by name.
type provider struct {
	id      string
	aliases string   // separated by spaces
	baseURL string   // empty: the user has to give one
	urlVar  string   // variable that overrides baseURL
	keys    []string // variables with its key, in order of preference
	model   string   // used when the user names none
	mode    string   // when it is not ModeChat
	tokens  int      // cap of an answer when the user sets none, 0 sends none
	local   bool     // a server on this machine, which needs no key
	manual  bool     // never chosen by a key alone
	other   bool     // needs a login or protocol that only the reference has
}

// providers is the table of contract/specialised §1.7 and contract/core §4.2,
// in the order in which a key in the environment chooses one, which is that of
// the reference. Anthropic is last: it cannot be used yet. The reference sends
// an OpenAI key to OpenRouter; here it goes to OpenAI. Where a service speaks
// chat completions beside its own protocol, the URL is that of the former
// (gemini, minimax). groq, mistral, together and cerebras are not in the
// reference's table; their URLs are those of their documentation.
func providers() []provider {
	return []provider{
		{id: "openrouter", aliases: "or", baseURL: "https://openrouter.ai/api/v1", urlVar: "OPENROUTER_BASE_URL", keys: []string{"OPENROUTER_API_KEY"}, model: "openrouter/auto"},
		{id: "openai-api", aliases: "openai", baseURL: "https://api.openai.com/v1", urlVar: "OPENAI_BASE_URL", keys: []string{"OPENAI_API_KEY"}, model: "gpt-4.1-mini"},
		{id: "gemini", aliases: "google google-gemini google-ai-studio", baseURL: "https://generativelanguage.googleapis.com/v1beta/openai", urlVar: "GEMINI_BASE_URL", keys: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, model: "gemini-3.5-flash"},
		{id: "zai", aliases: "glm z-ai z.ai zhipu", baseURL: "https://api.z.ai/api/paas/v4", urlVar: "GLM_BASE_URL", keys: []string{"GLM_API_KEY", "ZAI_API_KEY", "Z_AI_API_KEY"}, model: "glm-4.5-flash"},
		{id: "kimi-coding", aliases: "kimi moonshot kimi-for-coding", baseURL: "https://api.moonshot.ai/v1", urlVar: "KIMI_BASE_URL", keys: []string{"KIMI_API_KEY", "KIMI_CODING_API_KEY", "MOONSHOT_API_KEY"}, model: "kimi-k2-turbo-preview", tokens: 32000},
		{id: "kimi-coding-cn", aliases: "kimi-cn moonshot-cn", baseURL: "https://api.moonshot.cn/v1", keys: []string{"KIMI_CN_API_KEY"}, model: "kimi-k2-turbo-preview", tokens: 32000},
		{id: "stepfun", aliases: "step stepfun-coding-plan", baseURL: "https://api.stepfun.ai/step_plan/v1", urlVar: "STEPFUN_BASE_URL", keys: []string{"STEPFUN_API_KEY"}, model: "step-3.5-flash"},
		{id: "arcee", aliases: "arcee-ai arceeai", baseURL: "https://api.arcee.ai/api/v1", urlVar: "ARCEE_BASE_URL", keys: []string{"ARCEEAI_API_KEY"}},
		{id: "gmi", aliases: "gmi-cloud gmicloud", baseURL: "https://api.gmi-serving.com/v1", urlVar: "GMI_BASE_URL", keys: []string{"GMI_API_KEY"}, model: "google/gemini-3.1-flash-lite-preview"},
		{id: "minimax", aliases: "mini-max", baseURL: "https://api.minimax.io/v1", urlVar: "MINIMAX_BASE_URL", keys: []string{"MINIMAX_API_KEY"}, model: "MiniMax-M3"},
		{id: "alibaba", aliases: "dashscope alibaba-cloud qwen-dashscope qwen", baseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", urlVar: "DASHSCOPE_BASE_URL", keys: []string{"DASHSCOPE_API_KEY"}, model: "qwen-plus"},
		{id: "alibaba-coding-plan", aliases: "alibaba_coding alibaba-coding dashscope-coding", baseURL: "https://coding-intl.dashscope.aliyuncs.com/v1", urlVar: "ALIBABA_CODING_PLAN_BASE_URL", keys: []string{"ALIBABA_CODING_PLAN_API_KEY", "DASHSCOPE_API_KEY"}, model: "qwen3-coder-plus"},
		{id: "minimax-cn", aliases: "minimax-china minimax_cn", baseURL: "https://api.minimaxi.com/v1", urlVar: "MINIMAX_CN_BASE_URL", keys: []string{"MINIMAX_CN_API_KEY"}, model: "MiniMax-M3"},
		{id: "deepseek", aliases: "deepseek-chat", baseURL: "https://api.deepseek.com/v1", urlVar: "DEEPSEEK_BASE_URL", keys: []string{"DEEPSEEK_API_KEY"}, model: "deepseek-chat"},
		{id: "xai", aliases: "grok x-ai x.ai", baseURL: "https://api.x.ai/v1", urlVar: "XAI_BASE_URL", keys: []string{"XAI_API_KEY"}, model: "grok-4"},
		{id: "nvidia", aliases: "nvidia-nim", baseURL: "https://integrate.api.nvidia.com/v1", urlVar: "NVIDIA_BASE_URL", keys: []string{"NVIDIA_API_KEY"}, tokens: 16384},
		{id: "opencode-zen", aliases: "opencode opencode_zen zen", baseURL: "https://opencode.ai/zen/v1", urlVar: "OPENCODE_ZEN_BASE_URL", keys: []string{"OPENCODE_ZEN_API_KEY"}, model: "gemini-3-flash"},
		{id: "opencode-go", aliases: "opencode_go go opencode-go-sub", baseURL: "https://opencode.ai/zen/go/v1", urlVar: "OPENCODE_GO_BASE_URL", keys: []string{"OPENCODE_GO_API_KEY"}, model: "glm-5"},
		{id: "kilocode", aliases: "kilo-code kilo kilo-gateway", baseURL: "https://api.kilo.ai/api/gateway", urlVar: "KILOCODE_BASE_URL", keys: []string{"KILOCODE_API_KEY"}, model: "google/gemini-3-flash-preview"},
		{id: "huggingface", aliases: "hf hugging-face huggingface-hub", baseURL: "https://router.huggingface.co/v1", urlVar: "HF_BASE_URL", keys: []string{"HF_TOKEN"}},
		{id: "xiaomi", aliases: "mimo xiaomi-mimo", baseURL: "https://api.xiaomimimo.com/v1", urlVar: "XIAOMI_BASE_URL", keys: []string{"XIAOMI_API_KEY"}},
		{id: "tencent-tokenhub", aliases: "tencent tokenhub", baseURL: "https://tokenhub.tencentmaas.com/v1", urlVar: "TOKENHUB_BASE_URL", keys: []string{"TOKENHUB_API_KEY"}},
		{id: "ollama-cloud", aliases: "ollama_cloud", baseURL: "https://ollama.com/v1", urlVar: "OLLAMA_BASE_URL", keys: []string{"OLLAMA_API_KEY"}, model: "nemotron-3-nano:30b"},
		{id: "deepinfra", aliases: "deep-infra deepinfra-ai", baseURL: "https://api.deepinfra.com/v1/openai", urlVar: "DEEPINFRA_BASE_URL", keys: []string{"DEEPINFRA_API_KEY"}, model: "deepseek-ai/DeepSeek-V4-Flash"},
		{id: "fireworks", aliases: "fireworks-ai fw", baseURL: "https://api.fireworks.ai/inference/v1", keys: []string{"FIREWORKS_API_KEY"}, model: "accounts/fireworks/models/glm-5p2"},
		{id: "novita", aliases: "novita-ai novitaai", baseURL: "https://api.novita.ai/openai/v1", urlVar: "NOVITA_BASE_URL", keys: []string{"NOVITA_API_KEY"}, model: "deepseek/deepseek-v3-0324"},
		{id: "upstage", aliases: "solar", baseURL: "https://api.upstage.ai/v1", urlVar: "UPSTAGE_BASE_URL", keys: []string{"UPSTAGE_API_KEY"}},
		{id: "groq", baseURL: "https://api.groq.com/openai/v1", urlVar: "GROQ_BASE_URL", keys: []string{"GROQ_API_KEY"}},
		{id: "mistral", aliases: "mistralai", baseURL: "https://api.mistral.ai/v1", urlVar: "MISTRAL_BASE_URL", keys: []string{"MISTRAL_API_KEY"}, model: "mistral-small-latest"},
		{id: "together", aliases: "together-ai togetherai", baseURL: "https://api.together.xyz/v1", urlVar: "TOGETHER_BASE_URL", keys: []string{"TOGETHER_API_KEY"}},
		{id: "cerebras", baseURL: "https://api.cerebras.ai/v1", urlVar: "CEREBRAS_BASE_URL", keys: []string{"CEREBRAS_API_KEY"}},
		{id: "azure-foundry", aliases: "azure azure-ai-foundry azure-ai", urlVar: "AZURE_FOUNDRY_BASE_URL", keys: []string{"AZURE_FOUNDRY_API_KEY"}, manual: true},
		{id: "nous", aliases: "nous-portal nousresearch", baseURL: "https://inference-api.nousresearch.com/v1", keys: []string{"NOUS_API_KEY"}, manual: true},
		{id: "qwen-oauth", aliases: "qwen-portal qwen-cli", baseURL: "https://portal.qwen.ai/v1", keys: []string{"QWEN_API_KEY"}, tokens: 65536, manual: true},
		{id: "lmstudio", aliases: "lm-studio lm_studio", baseURL: "http://127.0.0.1:1234/v1", urlVar: "LM_BASE_URL", keys: []string{"LM_API_KEY"}, local: true, manual: true},
		{id: customID, baseURL: "", tokens: 65536, local: true, manual: true},
		{id: "ollama", baseURL: "http://127.0.0.1:11434/v1", tokens: 65536, local: true, manual: true},
		{id: "vllm", baseURL: "http://127.0.0.1:8000/v1", tokens: 65536, local: true, manual: true},
		{id: "llamacpp", aliases: "llama.cpp llama-cpp", baseURL: "http://127.0.0.1:8080/v1", tokens: 65536, local: true, manual: true},
		{id: "local", baseURL: "", tokens: 65536, local: true, manual: true},
		{id: "anthropic", aliases: "claude claude-oauth claude-code", baseURL: "https://api.anthropic.com", urlVar: "ANTHROPIC_BASE_URL", keys: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"}, mode: ModeAnthropic},
		{id: "bedrock", aliases: "aws aws-bedrock amazon-bedrock amazon", mode: ModeBedrock, manual: true, other: true},
		{id: "vertex", aliases: "google-vertex vertex-ai gcp-vertex", manual: true, other: true},
		{id: "copilot", aliases: "github-copilot github-models github-model github", manual: true, other: true},
		{id: "copilot-acp", aliases: "github-copilot-acp copilot-acp-agent", manual: true, other: true},
		{id: "openai-codex", aliases: "codex openai_codex", mode: ModeResponses, manual: true, other: true},
		{id: "minimax-oauth", aliases: "minimax_oauth minimax-oauth-io", manual: true, other: true},
		{id: "xai-oauth", manual: true, other: true},
		{id: "moa", manual: true, other: true},
	}
}

const customID = "custom"

// findProvider looks a provider up by id or alias, in any case.
func findProvider(name string) (provider, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, p := range providers() {
		if p.id == name {
			return p, true
		}
	}
	for _, p := range providers() {
		for alias := range strings.FieldsSeq(p.aliases) {
			if alias == name {
				return p, true
			}
		}
	}
	return provider{}, false
}
