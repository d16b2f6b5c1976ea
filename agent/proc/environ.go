package proc

import (
	"sort"
	"strings"
)

// Environ returns environ without what belongs to the program and its
// services: a command has no use for the keys of models and messengers, and
// what a model can read it can send away. Names in pass stay. The order stays.
func Environ(environ, pass []string) []string {
	return filter(environ, pass, ours)
}

// StrictEnviron returns environ without anything that looks like a secret, for
// scripts that the model writes.
func StrictEnviron(environ, pass []string) []string {
	return filter(environ, pass, func(name string) bool { return ours(name) || looksSecret(name) })
}

// Dropped returns the names of environ that Environ leaves out.
func Dropped(environ, pass []string) []string {
	kept := map[string]bool{}
	for _, e := range Environ(environ, pass) {
		kept[nameOf(e)] = true
	}
	var out []string
	for _, e := range environ {
		if name := nameOf(e); !kept[name] {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

func filter(environ, pass []string, drop func(string) bool) []string {
	keep := map[string]bool{}
	for _, name := range pass {
		keep[name] = true
	}
	out := make([]string, 0, len(environ))
	for _, e := range environ {
		if name := nameOf(e); keep[name] || !drop(name) {
			out = append(out, e)
		}
	}
	return out
}

func nameOf(entry string) string {
	// A leading "=" belongs to the name of Windows' per-drive folders.
	if i := strings.IndexByte(entry[min(1, len(entry)):], '='); i >= 0 {
		return entry[:i+1]
	}
	return entry
}

// secretWords mark a name as that of a secret.
var secretWords = [...]string{"KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL"}

func looksSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, word := range secretWords {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// ours reports whether a variable configures the program's own services.
func ours(name string) bool {
	name = strings.ToUpper(name)
	if strings.HasSuffix(name, "_API_KEY") || serviceNames[name] {
		return true
	}
	first, _, _ := strings.Cut(name, "_")
	if !services[first] {
		return false
	}
	return looksSecret(name) || strings.HasSuffix(name, "_BASE_URL")
}

// serviceNames are variables that the rules do not cover.
var serviceNames = set(`
	AWS_BEARER_TOKEN_BEDROCK BEDROCK_BASE_URL GOOGLE_APPLICATION_CREDENTIALS VERTEX_CREDENTIALS_PATH
	OPENAI_API_BASE OPENAI_ORGANIZATION OPENAI_ORG_ID LLM_MODEL SUDO_PASSWORD VOICE_TOOLS_OPENAI_KEY
	API_SERVER_KEY AZURE_FOUNDRY_BASE_URL GITHUB_APP_PRIVATE_KEY_PATH GH_TOKEN GITHUB_TOKEN HASS_TOKEN
	IRC_NICKSERV_PASSWORD MODAL_TOKEN_ID MODAL_TOKEN_SECRET TWILIO_ACCOUNT_SID TWILIO_AUTH_TOKEN
	GATEWAY_PROXY_KEY GATEWAY_RELAY_DELIVERY_KEY GATEWAY_RELAY_SECRET TOOL_GATEWAY_USER_TOKEN
	DINGTALK_WEBHOOK_URL FEISHU_APP_ID WECOM_BOT_ID QQ_APP_ID FAL_KEY`)

// services are the first words of the names that model services, messengers
// and the services behind tools are configured by.
var services = set(`
	ALIBABA ANTHROPIC ARCEE ARCEEAI AZURE BLUEBUBBLES BRAVE BROWSERBASE BRV CAMOFOX CLAUDE COHERE COPILOT
	DASHSCOPE DAYTONA DEEPINFRA DEEPSEEK DINGTALK DISCORD ELEVENLABS EMAIL EXA FEISHU FIRECRAWL FIREWORKS
	GEMINI GLM GMI GROQ HELICONE HERMES HF HONCHO IRC KILOCODE KIMI KREA LANGFUSE LINE LM MATRIX MATTERMOST
	MEM0 MINIMAX MISTRAL MOONSHOT NOUS NOVITA NTFY NVIDIA OLLAMA OPENAI OPENCODE OPENROUTER OPENVIKING PARALLEL
	PERPLEXITY PHOTON QQ QQBOT RETAINDB SIGNAL SLACK SMS STEPFUN SUPERMEMORY TAVILY TEAMS TELEGRAM TOGETHER
	TOKENHUB UPSTAGE WEBHOOK WECOM WHATSAPP XAI XIAOMI Z ZAI`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
