package catalog

import (
	"math"
	"strings"
	"testing"

	"hermes/agent/llm"
)

func TestWindow(t *testing.T) {
	for model, want := range map[string]int{
		"anthropic/claude-sonnet-4.6": 1000000, "claude-3-5-haiku-20241022": 200000, "deepseek-chat": 1000000, "deepseek-ai/DeepSeek-V3.2": 128000,
		"gpt-4.1-mini": 1047576, "gpt-4": 8192, "SmolLM2-135M-Instruct": 8192, "mock-model": 0, "": 0,
	} {
		if got := Window(model); got != want {
			t.Errorf("%s: %d, want %d", model, got, want)
		}
	}
}

func TestCost(t *testing.T) {
	u := llm.Usage{In: 1_000_000, Out: 100_000, CacheRead: 1_000_000}
	for _, tc := range []struct {
		provider, model string
		u               llm.Usage
		want            Cost
	}{
		{"anthropic", "claude-sonnet-4-6", u, Cost{3 + 1.5 + 0.3, Estimated, FromDocs}},
		{"anthropic", "claude-sonnet-4-20250514", u, Cost{3 + 1.5 + 0.3, Estimated, FromDocs}},
		{"gemini", "gemini-2.5-pro", u, Cost{1.25 + 1 + 1.25, Estimated, FromDocs}},
		{"openai-api", "gpt-4o-audio-preview", u, Cost{0, Unknown, FromNobody}},
		{"custom", "deepseek-chat", u, Cost{0, Unknown, FromNobody}},
		{"openrouter", "x/y", llm.Usage{In: 5, Cost: 0.02}, Cost{0.02, Actual, FromService}},
	} {
		got := CostOf(tc.provider, tc.model, tc.u)
		if math.Abs(got.USD-tc.want.USD) > 1e-9 || got.Status != tc.want.Status || got.Source != tc.want.Source {
			t.Errorf("%s %s: %+v, want %+v", tc.provider, tc.model, got, tc.want)
		}
	}
}

func TestTable(t *testing.T) {
	for name, n := range load().Windows {
		if n < 1000 || name != strings.ToLower(name) {
			t.Errorf("window of %q: %d", name, n)
		}
	}
	for provider, prices := range load().Prices {
		for name, p := range prices {
			if p.In <= 0 || p.Out < p.In || p.CacheRead > p.In || name != strings.ToLower(name) {
				t.Errorf("%s %s: %+v", provider, name, p)
			}
		}
	}
}
