package openai

import (
	"net/netip"
	"net/url"
	"strings"
)

// profile is what one family of services needs beside the common shape.
type profile struct {
	// replayReasoning: every assistant message must carry reasoning_content,
	// one space when the turn had none (contract/core §1.9). All others refuse
	// the field.
	replayReasoning bool
	// capByDefault: max_tokens is sent although the user set none.
	capByDefault bool
	// thinking: the body says whether the model thinks, and how hard.
	thinking bool
}

func profileOf(cfg Config) profile {
	provider := strings.ToLower(cfg.Provider)
	model := strings.ToLower(cfg.Model)
	host := ""
	if u, err := url.Parse(cfg.BaseURL); err == nil {
		host = u.Hostname()
	}
	deepseek := provider == "deepseek" || host == "api.deepseek.com" || strings.Contains(model, "deepseek")
	kimi := strings.HasPrefix(provider, "kimi-coding") || host == "api.kimi.com" ||
		strings.HasSuffix(host, "moonshot.ai") || strings.HasSuffix(host, "moonshot.cn")
	mimo := provider == "xiaomi" || strings.Contains(model, "mimo")
	return profile{
		replayReasoning: deepseek || kimi || mimo,
		capByDefault:    isCustom(provider) && !deepseek,
		thinking:        deepseek && (model == "deepseek-reasoner" || strings.HasPrefix(model, "deepseek-v4")),
	}
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

// effort maps the setting to what the service knows.
func (p profile) effort(setting string) string {
	if p.thinking {
		switch setting {
		case "xhigh", "max", "ultra":
			return "max"
		}
	}
	return setting
}

func isPrivateIP(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast())
}
