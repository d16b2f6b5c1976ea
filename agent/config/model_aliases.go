package config

import "strings"

// shortNames are names that need no model_aliases: what they stand for at the
// service of their maker, and at OpenRouter (contract/core §4.2). At other
// services a name is what it is: a server of one's own may have a model that
// is called qwen.
func shortNames() map[string]struct{ provider, model, router string } {
	return map[string]struct{ provider, model, router string }{
		"sonnet":   {"anthropic", "claude-sonnet-4-6", "anthropic/claude-sonnet-4.6"},
		"opus":     {"anthropic", "claude-opus-4-8", "anthropic/claude-opus-4.8"},
		"haiku":    {"anthropic", "claude-haiku-4-5-20251001", "anthropic/claude-haiku-4.5"},
		"claude":   {"anthropic", "claude-sonnet-4-6", "anthropic/claude-sonnet-4.6"},
		"gpt5":     {"openai-api", "gpt-5.4", "openai/gpt-5.4"},
		"gpt":      {"openai-api", "gpt-5.4", "openai/gpt-5.4"},
		"gemini":   {"gemini", "gemini-3.5-flash", "google/gemini-3.5-flash"},
		"deepseek": {"deepseek", "deepseek-chat", "deepseek/deepseek-chat"},
		"grok":     {"xai", "grok-4", "x-ai/grok-4"},
		"glm":      {"zai", "glm-5", "z-ai/glm-5"},
		"kimi":     {"kimi-coding", "kimi-k2-turbo-preview", "moonshotai/kimi-k2.5"},
		"minimax":  {"minimax", "MiniMax-M3", "minimax/minimax-m3"},
	}
}

// shortName replaces a short name by the model that it stands for at the
// chosen provider.
func (r *choice) shortName() {
	s, ok := shortNames()[strings.ToLower(r.model)]
	if !ok {
		return
	}
	p, known := findProvider(r.name)
	switch {
	case known && p.id == s.provider:
		r.model = s.model
	case known && p.id == "openrouter":
		r.model = s.router
	}
}
