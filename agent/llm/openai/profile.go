package openai

import (
	"net/url"
	"strings"

	"hermes/agent/llm/internal/wire"
)

// profile is what one family of services needs beside the common shape
// (contract/core §1.9, §1.13; contract/specialised §1.7).
type profile struct {
	// replayReasoning: every assistant message must carry reasoning_content,
	// one space when the turn had none. All others refuse the field.
	replayReasoning bool
	capByDefault    bool // max_tokens is sent although the user set none
	newCap          bool // the cap is called max_completion_tokens
	cache           bool // messages carry cache_control
	session         bool // the body carries session_id
	developer       bool // the system message has the role developer
	nineIDs         bool // call ids have nine letters and digits
	effort          effortStyle
}

// effortStyle is how a service is told how hard to think.
type effortStyle int

const (
	effortPlain    effortStyle = iota // reasoning_effort
	effortNone                        // not at all
	effortDeepSeek                    // thinking, and reasoning_effort up to max
	effortSwitch                      // thinking alone, on or off
	effortKimi                        // thinking off, or reasoning_effort, never both
	effortObject                      // OpenRouter's reasoning
	effortLocal                       // reasoning_effort, and think: false for none
)

func profileOf(cfg Config) profile {
	provider := strings.ToLower(cfg.Provider)
	model := strings.ToLower(cfg.Model)
	host := ""
	if u, err := url.Parse(cfg.BaseURL); err == nil {
		host = u.Hostname()
	}
	at := func(hosts ...string) bool {
		for _, h := range hosts {
			if host == h || strings.HasSuffix(host, "."+h) {
				return true
			}
		}
		return false
	}
	is := func(id string, hosts ...string) bool { return provider == id || at(hosts...) }
	deepseek := is("deepseek", "api.deepseek.com") || strings.Contains(model, "deepseek")
	kimi := strings.HasPrefix(provider, "kimi-coding") || at("api.kimi.com", "moonshot.ai", "moonshot.cn")
	mimo := provider == "xiaomi" || strings.Contains(model, "mimo")
	router := is("openrouter", "openrouter.ai")
	bare := model[strings.LastIndexByte(model, '/')+1:]
	claude := strings.Contains(model, "claude")
	p := profile{
		replayReasoning: deepseek || kimi || mimo,
		capByDefault:    isCustom(provider) && !deepseek,
		cache:           claude && !isCustom(provider) || router && strings.Contains(model, "kimi") || strings.HasPrefix(provider, "alibaba") && strings.Contains(model, "qwen"),
		session:         provider == "openrouter",
		nineIDs:         is("mistral", "api.mistral.ai"),
	}
	gpt5 := strings.HasPrefix(bare, "gpt-5") || strings.Contains(bare, "codex")
	if is("openai-api", "api.openai.com") || is("azure-foundry") {
		p.developer = gpt5
		p.newCap = gpt5 || wire.Reasons(bare)
	}
	switch {
	case router:
		p.effort = effortObject
	case deepseek && isThinking(bare):
		p.effort = effortDeepSeek
	case deepseek && provider == "deepseek":
		p.effort = effortNone
	case kimi:
		p.effort = effortKimi
	case is("zai", "api.z.ai", "open.bigmodel.cn") || mimo:
		p.effort = effortSwitch
	case isCustom(provider):
		p.effort = effortLocal
	}
	return p
}

// isThinking reports whether a DeepSeek model can be told to think:
// deepseek-reasoner, and every one from V4 on.
func isThinking(model string) bool {
	if model == "deepseek-reasoner" {
		return true
	}
	v, ok := strings.CutPrefix(model, "deepseek-v")
	return ok && v != "" && (v[0] >= '4' && v[0] <= '9' || len(v) > 1 && v[0] >= '1' && v[0] <= '9' && v[1] >= '0' && v[1] <= '9')
}

// isCustom reports whether provider is the user's own service or one of the
// names for it (contract/core §4.2).
func isCustom(provider string) bool {
	switch provider {
	case "", "custom", "ollama", "local", "vllm", "llamacpp":
		return true
	}
	return strings.HasPrefix(provider, "custom:")
}

// reason adds the keys that say how hard to think; none for "".
func (p profile) reason(extra map[string]any, effort string) {
	if effort == "" || p.effort == effortNone {
		return
	}
	off := effort == "none"
	thinking := func() {
		kind := "enabled"
		if off {
			kind = "disabled"
		}
		extra["thinking"] = map[string]string{"type": kind}
	}
	switch p.effort {
	case effortDeepSeek:
		thinking()
		if !off {
			extra["reasoning_effort"] = capped(effort, "max")
		}
	case effortSwitch:
		thinking()
	case effortKimi:
		if off {
			thinking()
		} else {
			extra["reasoning_effort"] = capped(effort, "high")
		}
	case effortObject:
		if off {
			extra["reasoning"] = map[string]any{"enabled": false}
		} else {
			extra["reasoning"] = map[string]any{"enabled": true, "effort": effort}
		}
	case effortLocal:
		extra["reasoning_effort"] = effort
		if off {
			extra["think"] = false
		}
	default:
		extra["reasoning_effort"] = effort
	}
}

// capped maps what is above high to the most that the service knows.
func capped(effort, most string) string {
	switch effort {
	case "xhigh", "max", "ultra":
		return most
	}
	return effort
}
